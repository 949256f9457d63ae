// davit hydro …: what is done with hulls and hydrodynamic databases before a run. Each command returns its exit code.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace davit::app {

// What inspect and convert take: a database and what its file does not say.
struct DatabaseArguments {
  std::string path;
  std::optional<double> density, gravity, depth, highest;
  std::vector<double> about;
};

struct InspectArguments {
  DatabaseArguments source;
  std::string page;
};
int inspect_command(const InspectArguments&);

struct ConvertArguments {
  DatabaseArguments source;
  std::string out;
  bool wamit = false;
  std::vector<double> reference;
};
int convert_command(const ConvertArguments&);

// What solve and statics take. Values go through the reader of files, so that units and mistakes are treated alike.
struct HullArguments {
  std::string hull;
  std::deque<std::pair<std::string, std::string>> values;  // key of the job, text; empty where it was not given
  std::vector<std::string> settings;
};

struct SolveArguments {
  HullArguments hull;
  std::string out = "vessel.h5", page;
  int threads = 0;
  bool plan_only = false, fresh = false;
};
int solve_command(const SolveArguments&);

struct StaticsArguments {
  HullArguments hull;
  bool righting_arms = false;
};
int statics_command(const StaticsArguments&);

}  // namespace davit::app
