#include "davit/scenario/environment.hpp"

namespace davit {

void share_environment(const EnvironmentSpec& environment, Assembly& assembly) {
  if (environment.wind) assembly.share(std::make_shared<const sea::WindField>(sea::make_wind(*environment.wind)));
  if (environment.current)
    if (auto current = sea::make_current(*environment.current, environment.water(), assembly.problems()))
      assembly.share(std::make_shared<const sea::Current>(*std::move(current)));
}

void check_environment_is_felt(const EnvironmentSpec& environment, Assembly& assembly) {
  if (environment.wind && !assembly.was_asked_for<sea::WindField>())
    assembly.problems().warning(environment.wind->where, "nothing feels the wind",
                                "give a vessel 'wind' with its areas, or a body a force of kind 'wind_area'");
  if (environment.current && !assembly.was_asked_for<sea::Current>())
    assembly.problems().warning(environment.current->where, "nothing feels the current",
                                "give a vessel 'current' with its areas under water");
}

}  // namespace davit
