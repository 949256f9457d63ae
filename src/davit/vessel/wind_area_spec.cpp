#include "davit/vessel/wind_area_spec.hpp"

#include "davit/assembly/element_channel.hpp"
#include "davit/assembly/weather_signals.hpp"
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
          .field("yaw", &WindAreaSpec::yaw, "1",
                 "C_N of a moment ½ρV² C_N A L about its z axis, with A along y: -C_N sin(2 angle), which turns it "
                 "broadside on")
          .field("length", &WindAreaSpec::length, "m", "L of that moment")
          .above(0)
          .field("table", &WindAreaSpec::table,
                 "measured coefficients over the angle of the wind in its plane of x and y, x forward and y to port: "
                 "½ρV² (C_x A_x, C_y A_y, C_N A_y L), in place of the first two coefficients and yaw")
          .field("density", &WindAreaSpec::density, "kg/m^3", "of the air")
          .above(0)
          .by_default()
          .located(&WindAreaSpec::where)
          .check([](const WindAreaSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.yaw && s.table)
              problems.error(place, "the moment of the wind is given twice", "give 'yaw' or 'table'");
            if ((s.yaw || s.table) && !s.length)
              problems.error(place, "'length' is missing: the moment is of an area times it",
                             "give e.g. length: 20 m, that of the side");
            if (s.length && !s.yaw && !s.table)
              problems.error(place, "'length' is of a moment that is not given", "give 'yaw' or 'table' too");
          });
  return r;
}

namespace {

WindArea::Data data_of(const WindAreaSpec& s) {
  WindArea::Data data;
  const double half = 0.5 * s.density;
  data.drag = half * s.coefficients.cwiseProduct(s.areas);
  data.areas = half * Vec3(s.areas.x(), s.areas.y(), s.areas.y() * s.length.value_or(0));
  if (s.yaw) data.coefficients.emplace(0, 0, *s.yaw);
  if (s.table) {
    data.coefficients.emplace(coefficients_of(*s.table));
    data.measured = true;
  }
  return data;
}

}  // namespace

void WindAreaSpec::build(const std::string& name, Assembly& assembly) const {
  const auto frame = assembly.frame(on);
  if (!frame) return;
  if (!assembly.shared<sea::WindField>()) {
    assembly.problems().error(where, "there is no wind", "give environment.wind, e.g. {speed: 10 m/s}");
    return;
  }
  const double height = position(assembly.start_kinematics(), *frame).z();
  const auto wind = assembly.in_environment<WindArea::Wind>([height](const auto& around) {
    const auto field = around->template find<sea::WindField>();
    return std::make_shared<const WindArea::Wind>(WindArea::Wind{field, field->at(height)});
  });
  const auto force = std::make_shared<WindArea>(name, *frame, data_of(*this), wind, weather_signals(assembly));
  assembly.add(force);
  add_element_channel(assembly, "wind area", name, "force", "N", "force of the wind", true,
                      [force](const State&, const Workspace& w) { return force->wrench<double>(w.kin).force.norm(); });
  if (length)
    add_element_channel(assembly, "wind area", name, "moment", "N m", "moment of the wind about the z axis of the body",
                        true,
                        [force](const State&, const Workspace& w) { return force->wrench<double>(w.kin).about_z; });
}

}  // namespace davit::vessel
