#include "davit/scenario/wave_probes.hpp"

#include "davit/assembly/element_channel.hpp"
#include "davit/assembly/weather_signals.hpp"
#include "davit/model/workspace.hpp"
#include "davit/sea/kinematics.hpp"
#include "davit/sea/waves.hpp"

namespace davit {

void add_wave_probes(const EnvironmentSpec& environment, Assembly& assembly) {
  const std::vector<input::Reference>& points = environment.wave_probes;
  if (points.empty()) return;
  if (!environment.waves)
    assembly.problems().error(points.front().where, "there are no waves for 'wave_probes'",
                              "give environment.waves, or leave the probes out");
  if (!assembly.shared<sea::Waves>()) return;
  const auto sea =
      assembly.in_environment<sea::Waves>([](const auto& around) { return around->template find<sea::Waves>(); });
  for (const input::Reference& point : points) {
    const auto frame = assembly.frame(point);
    if (!frame) continue;
    const auto info = [&](const char* what, const char* unit, const char* words, bool main) {
      return element_scalar("probe", point.name, what, unit, words, main);
    };
    assembly.observables().add_scalars(
        {info("wave_elevation", "m", "of the undisturbed sea above or below the point", false),
         info("air_gap", "m", "height of the point above the undisturbed sea; negative under water", true),
         info("wave_velocity_x", "m/s", "of the water at the point, or at the surface below it", false),
         info("wave_velocity_y", "m/s", "of the water at the point, or at the surface below it", false),
         info("wave_velocity_z", "m/s", "of the water at the point, or at the surface below it", false),
         info("wave_pressure", "Pa", "of the waves at the point, without the hydrostatic part", false)},
        [frame = *frame, sea, water = environment.water(), weather = weather_signals(assembly)](
            const State& s, const Workspace& w, double* values) {
          const Vec3 place = position(w.kin, frame);
          sea::Flow flow = sea::flow(sea.of(w.kin).components, water, place, s.t);
          const double times = weather.waves(w.kin);
          flow.elevation *= times;
          flow.velocity *= times;
          flow.pressure *= times;
          values[0] = flow.elevation;
          values[1] = place.z() - flow.elevation;
          Vec3::Map(values + 2) = flow.velocity;
          values[5] = flow.pressure;
        });
  }
}

}  // namespace davit
