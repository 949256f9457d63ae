#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "davit/app/commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/verify/newton_matrix.hpp"
#include "davit/verify/verify.hpp"

namespace davit::app {

namespace {

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (out.flush()) return true;
  fmt::print(stderr, "error: cannot write {}\n", path);
  return false;
}

}  // namespace

int verify_command(const VerifyArguments& arguments) {
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
  std::vector<verify::Row> rows;
  for (const auto& g : verify::groups()) {
    if (!arguments.groups.empty() &&
        std::find(arguments.groups.begin(), arguments.groups.end(), g.name) == arguments.groups.end())
      continue;
    if (arguments.quick && g.slow) continue;
    if (!arguments.markdown.empty() && g.others) continue;
    fmt::print("\n{}: {}\n", g.name, g.about);
    Table table({"case", "quantity", "reference", "computed", "kind", "error", "tolerance", ""});
    for (const verify::Row& r : verify::run_group(g)) {
      table.add({r.case_name, r.quantity, r.kind == "at_most" ? "" : fmt::format("{:.10g} {}", r.reference, r.unit),
                 fmt::format("{:.10g} {}", r.computed, r.unit), r.kind, fmt::format("{:.1e}", r.error),
                 fmt::format("{:.1e}", r.tolerance), r.passed ? "pass" : "FAIL"});
      rows.push_back(r);
    }
    fmt::print("{}", table.text(9));
  }
  const auto passed = std::count_if(rows.begin(), rows.end(), [](const auto& r) { return r.passed; });
  fmt::print("\n{} passed, {} failed\n", passed, static_cast<long>(rows.size()) - passed);
  if (!arguments.json.empty() && !write_file(arguments.json, verify::rows_to_json(rows))) return exit_bad_input;
  if (!arguments.markdown.empty() && !write_file(arguments.markdown, verify::rows_to_markdown(rows)))
    return exit_bad_input;
  return passed == static_cast<long>(rows.size()) ? exit_ok : exit_limit;
}

}  // namespace davit::app
