#include "davit/vessel/wind_area_spec.hpp"

#include "davit/assembly/element_channel.hpp"
#include "davit/vessel/wind_area.hpp"

namespace davit::vessel {

const input::Record<WindAreaSpec>& WindAreaSpec::record() {
  static const auto r =
      input::Record<WindAreaSpec>("wind_area", "Wind of the environment on a body: ½ρ C A |v| v along each of its axes")
          .field("on", &WindAreaSpec::on, "a body, or the point of one where the wind acts (load.middle)")
          .field("areas", &WindAreaSpec::areas, "m^2", "that it shows along its x, y and z axes")
          .example("[12 m^2, 30 m^2, 40 m^2]")
          .at_least(0)
          .field("coefficients", &WindAreaSpec::coefficients, "1",
                 "of drag along its axes; 1.05 is a cube's (Hoerner, 1965)")
          .at_least(0)
          .by_default()
          .field("density", &WindAreaSpec::density, "kg/m^3", "of the air")
          .above(0)
          .by_default()
          .located(&WindAreaSpec::where);
  return r;
}

void WindAreaSpec::build(const std::string& name, Assembly& assembly) const {
  const auto frame = assembly.frame(on);
  if (!frame) return;
  const auto wind = assembly.shared<sea::WindField>();
  if (!wind) {
    assembly.problems().error(where, "there is no wind", "give environment.wind, e.g. {speed: 10 m/s}");
    return;
  }
  const Vec3 drag = 0.5 * density * coefficients.cwiseProduct(areas);
  const double height = position(assembly.start_kinematics(), *frame).z();
  const auto force = std::make_shared<WindArea>(name, *frame, drag, wind, height);
  assembly.add(force);
  add_element_channel(assembly, "wind area", name, "force", "N", "force of the wind", true,
                      [force](const State&, const Workspace& w) { return force->force<double>(w.kin).norm(); });
}

}  // namespace davit::vessel
