// The same model in another environment.
#include <fmt/format.h>

#include "davit/input/overlay.hpp"
#include "davit/scenario/limits.hpp"
#include "davit/scenario/model_building.hpp"
#include "davit/scenario/plausibility.hpp"
#include "davit/scenario/result_size.hpp"
#include "davit/scenario/source.hpp"
#include "davit/scenario/surroundings.hpp"

namespace davit {

using input::Problems;

namespace {

// Where settings for another sea may point.
bool is_of_environment(const std::string& setting) {
  const std::string path = setting.substr(0, setting.find('='));
  const auto below = [&](std::string_view section) {
    return path == section ||
           (path.starts_with(section) && (path[section.size()] == '.' || path[section.size()] == '['));
  };
  return below("environment.waves") || below("environment.wind") || path == "run.seed" || path == "title";
}

}  // namespace

std::optional<Scenario> in_another_sea(const Scenario& from, const std::vector<std::string>& settings,
                                       Problems& problems) {
  input::Node root = from.source;
  for (const std::string& setting : settings) {
    if (!is_of_environment(setting)) {
      problems.error(root.where(), fmt::format("'{}' is no part of the environment: it makes another model", setting),
                     "set environment.waves, environment.wind and run.seed, or load the file anew");
      return std::nullopt;
    }
    input::apply_setting(root, setting, problems);
  }
  Specification read = input::read<Specification>(root, problems);
  if (problems.has_errors()) return std::nullopt;
  const EnvironmentSpec& before = from.specification.environment;
  if (read.environment.waves.has_value() != before.waves.has_value() ||
      read.environment.wind.has_value() != before.wind.has_value()) {
    problems.error(root.where(), "waves or wind come or go: it makes another model",
                   "begin with a file that has both, however small, or load the file anew");
    return std::nullopt;
  }
  Scenario out = from;
  out.specification.environment = read.environment;
  out.specification.title = read.title;
  out.specification.run.seed = read.run.seed;
  const Surroundings given = surroundings_of(out.specification, problems);
  if (problems.has_errors()) return std::nullopt;
  if ((given.find<sea::Waves>() == nullptr) != (from.environment->find<sea::Waves>() == nullptr)) {
    problems.error(root.where(), "a sea without any waves: it makes another model",
                   "give waves a height, however small");
    return std::nullopt;
  }
  surround(*out.model, given, out, problems);
  if (method(out.method).fixed_step) check_step_in_waves(out.specification, problems);
  out.limits.clear();
  out.limit_units.clear();
  out.limit_phases.clear();
  resolve_limits({channels_of(*out.model), out.values, out.wave_ramp, [](const std::string&) { return false; }}, out,
                 problems);
  check_size(out, problems);
  if (problems.has_errors()) return std::nullopt;
  keep_source(root, out);
  return out;
}

}  // namespace davit
