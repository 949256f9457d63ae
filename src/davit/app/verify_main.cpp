// The program davit-verify: reruns published experiments and exact solutions and compares. It is not part of what users
// install: `davit verify` calls it where it was built.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "davit/app/commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/io/write_file.hpp"
#include "verify/methods/method_problems.hpp"
#include "verify/methods/newton_matrix.hpp"
#include "verify/parallel.hpp"
#include "verify/verify.hpp"

namespace {

using namespace davit;
using namespace davit::app;

struct Arguments {
  std::vector<std::string> groups;
  std::string json, markdown, conditions;
  int jobs = 1;
  bool quick = false, list = false, methods = false;
};

bool write_file(const std::string& path, const std::string& text) {
  try {
    io::write_file(path, text);
    return true;
  } catch (const io::FileError& error) {
    fmt::print(stderr, "error: {}: {}\nremedy: {}\n", path, error.message, error.remedy);
    return false;
  }
}

int run(const Arguments& arguments) {
  if (arguments.methods) {
    fmt::print("{}", verify::compatibility_table());
    return exit_ok;
  }
  if (arguments.list) {
    for (const auto& g : verify::groups()) fmt::print("{:18} {}\n", g.name, g.about);
    return exit_ok;
  }
  if (!arguments.conditions.empty())
    return write_file(arguments.conditions, verify::newton_conditions_csv()) ? exit_ok : exit_bad_input;
  for (const std::string& name : arguments.groups)
    if (std::none_of(verify::groups().begin(), verify::groups().end(), [&](const auto& g) { return g.name == name; })) {
      fmt::print(stderr, "error: there is no group '{}'\nremedy: `davit verify --list` shows the groups\n", name);
      return exit_bad_input;
    }
  std::vector<const verify::Group*> chosen;
  for (const auto& g : verify::groups()) {
    if (!arguments.groups.empty() &&
        std::find(arguments.groups.begin(), arguments.groups.end(), g.name) == arguments.groups.end())
      continue;
    if (arguments.quick && g.slow) continue;
    if (!arguments.markdown.empty() && g.others) continue;
    chosen.push_back(&g);
  }
  std::vector<verify::Comparison> rows;
  const auto tell = [&](const verify::Group& g, const std::vector<verify::Comparison>& found) {
    fmt::print("\n{}: {}\n", g.name, g.about);
    Table table({"case", "quantity", "reference", "computed", "kind", "error", "tolerance", ""});
    for (const verify::Comparison& r : found) {
      table.add({r.case_name, r.quantity, r.kind == "at_most" ? "" : fmt::format("{:.10g} {}", r.reference, r.unit),
                 fmt::format("{:.10g} {}", r.computed, r.unit), r.kind, fmt::format("{:.1e}", r.error),
                 fmt::format("{:.1e}", r.tolerance), r.passed ? "pass" : "FAIL"});
      rows.push_back(r);
    }
    fmt::print("{}", table.text(9));
  };
  if (arguments.jobs > 1)
    verify::run_groups(chosen, arguments.jobs, tell);
  else
    for (const verify::Group* g : chosen) tell(*g, verify::run_group(*g));
  const auto passed = std::count_if(rows.begin(), rows.end(), [](const auto& r) { return r.passed; });
  fmt::print("\n{} passed, {} failed\n", passed, static_cast<long>(rows.size()) - passed);
  if (!arguments.json.empty() && !write_file(arguments.json, verify::rows_to_json(rows))) return exit_bad_input;
  if (!arguments.markdown.empty() && !write_file(arguments.markdown, verify::rows_to_markdown(rows)))
    return exit_bad_input;
  return passed == static_cast<long>(rows.size()) ? exit_ok : exit_limit;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program{"Reruns the published experiments and compares", "davit verify"};
  Arguments arguments;
  program.add_option("GROUP", arguments.groups, "groups to run (default: all)");
  program.add_option("--json", arguments.json, "write the rows to a file");
  program.add_option("--markdown", arguments.markdown, "write docs/verification.md");
  program.add_option("--conditions", arguments.conditions,
                     "write the condition numbers of Newton matrices against the step as CSV, and nothing else");
  program.add_flag("--methods", arguments.methods, "print which method handles which kind of model, and nothing else");
  program.add_option("--jobs,-j", arguments.jobs, "how many groups at a time, each in a process of its own")
      ->check(CLI::Range(1, 256));
  program.add_flag("--quick", arguments.quick, "leave out what takes long");
  program.add_flag("--list", arguments.list, "list the groups");
  try {
    program.parse(argc, argv);
    return run(arguments);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? exit_ok : exit_bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return exit_broken;
  }
}
