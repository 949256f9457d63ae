// The commands of the program; each returns its exit code: 0 well, 1 a limit exceeded or a check failed, 2 a bad file
// or call, 3 a broken run, 4 limits kept by a run of poor numerical quality, 130 interrupted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace davit::app {

inline constexpr int exit_ok = 0, exit_limit = 1, exit_bad_input = 2, exit_broken = 3, exit_poor = 4,
                     exit_interrupted = 130;

// The lift that a command is about.
struct ScenarioArguments {
  std::string file;
  std::vector<std::string> settings;  // "path=value"
  std::string case_name;              // one of the file's cases; empty: as the file stands
};

struct RunArguments : ScenarioArguments {
  std::string directory;
  bool all_cases = false;  // one after the other, each into a folder of its name
  std::string goes_on;     // the result of a run that goes on; empty: it begins
};
int run_command(const RunArguments&);

struct CheckArguments : ScenarioArguments {
  bool channels = false;
  bool no_solve = false;  // hulls that were not solved before are planned only
};
int check_command(const CheckArguments&);

struct SystemStaticsArguments : ScenarioArguments {
  std::string vessel;  // empty: the first one
  double heading = 0;  // deg
  double reach = 0;    // m; zero: no curve
  int points = 21;
  bool no_solve = false;  // hulls that were not solved before
  double patience = 20;   // s, after which no further rest is looked for
  std::string csv, json;  // files to write; empty: none
};
int system_statics_command(const SystemStaticsArguments&);

struct PlanArguments : ScenarioArguments {
  std::string directory;
};
int plan_command(const PlanArguments&);

struct LineariseArguments : ScenarioArguments {
  std::optional<double> at;  // s; none: the start
  bool open_loop = false;
  bool no_solve = false;                     // hulls that were not solved before are not now
  std::vector<std::string> inputs, outputs;  // patterns; none: all inputs, and coordinates and points
  std::string json, csv, mat;                // files to write; csv: what their names begin with; empty: none
};
int linearise_command(const LineariseArguments&);

struct PartsArguments {
  std::string part;  // empty: a list of all
};
int parts_command(const PartsArguments&);

struct SchemaArguments {
  bool markdown = false;
  bool summary = false;
};
int schema_command(const SchemaArguments&);

// Runs davit-verify with these arguments in the place of this program.
int verify_command(const std::vector<std::string>& arguments);

struct ExportArguments {
  std::string result;
  std::string csv;  // file, or - for the terminal
  std::vector<std::string> channels;
  bool plain = false;
  std::string gltf;  // file to write; empty: none
};
int export_command(const ExportArguments&);

// Of two paths that both lead somewhere.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

struct ReportArguments {
  std::vector<std::string> results;  // result.h5 beside its summary.json, or the folder that has both
  std::string out;                   // empty: report.html in the folder of the one, comparison.html of several
};
int report_command(const ReportArguments&);

struct ViewArguments {
  std::string result;      // result.h5, or the folder that has it
  std::string other;       // a second result to compare with; empty: none
  std::string html;        // one page with everything; empty: serve it
  int port = 0;            // 0: any that is free
  bool stay_here = false;  // open no browser
};
int view_command(const ViewArguments&);

struct LiveArguments : ScenarioArguments {
  std::string directory;
  int port = 0;                      // of the page; 0: any that is free
  std::optional<int> controller{};   // port of lines for a controller; 0: any that is free
  double factor = 1;                 // of real time; 0: as fast as it can
  std::optional<double> duration{};  // s; none: an hour
  bool stay_here = false;            // open no browser
};
int live_command(const LiveArguments&);

// The desktop's own browser, where there is one.
void open_browser(const std::string& address);

}  // namespace davit::app
