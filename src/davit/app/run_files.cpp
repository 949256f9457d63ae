#include "davit/app/run_files.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace davit::app {

std::filesystem::path results_folder(const std::string& named, const std::string& name) {
  return named.empty() ? std::filesystem::path("results") / name : std::filesystem::path(named);
}

std::filesystem::path result_file(const std::string& named) {
  const std::filesystem::path path = named;
  return std::filesystem::is_directory(path) ? path / "result.h5" : path;
}

vessel::NewHulls solve_new_hulls() {
  return {vessel::NewHulls::solve, [](const std::string& words) { fmt::print(stderr, "{}\n", words); }};
}

std::optional<Scenario> load(const ScenarioArguments& arguments, input::Problems& problems, bool no_solve) {
  return load_scenario(arguments.file, arguments.settings, problems,
                       no_solve ? vessel::NewHulls(vessel::NewHulls::plan) : solve_new_hulls(), arguments.case_name);
}

std::string time_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::vector<std::string> warnings_of(const input::Problems& problems) {
  std::vector<std::string> out;
  for (const auto& p : problems.all())
    out.push_back(fmt::format("{}:{}: {}{}{}", p.where.file, p.where.line,
                              p.where.path.empty() ? "" : p.where.path + ": ", p.message,
                              p.where.instance.empty() ? "" : " (in part " + p.where.instance + ")"));
  return out;
}

}  // namespace davit::app
