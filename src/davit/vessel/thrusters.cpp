// Station keeping of a vessel: gains from period, damping and the added mass of slow motion.
#include <fmt/format.h>

#include "davit/assembly/element_channel.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/math/constants.hpp"
#include "davit/model/workspace.hpp"
#include "davit/sea/waves.hpp"
#include "davit/vessel/position_keeping.hpp"
#include "davit/vessel/vessel_loads.hpp"

namespace davit::vessel {

namespace {

// Added mass of slow motions: at the lowest frequency that is known, or without memory the one at all frequencies.
Mat6 slow_added_mass(const hydro::Database& db, Memory memory, const Mat6& infinite) {
  if (memory == Memory::none) return infinite;
  if (db.added_mass_zero && db.added_mass_zero->allFinite()) return *db.added_mass_zero;
  return db.added_mass.front();
}

// Whether thrusters leave waves alone: of the period given, or of whatever sea there is.
bool filters_waves(const PositionKeepingSpec& spec, Assembly& assembly) {
  return spec.wave_filter ? *spec.wave_filter > 0 : assembly.shared<sea::Waves>() != nullptr;
}

// Period of those.
double filtered_period(const PositionKeepingSpec& spec, const Environment& around) {
  return spec.wave_filter ? *spec.wave_filter : 2 * pi / around.find<sea::Waves>()->peak_frequency;
}

double damping_of(const PositionKeepingSpec& spec) { return spec.damping > 0 ? spec.damping : 0.7; }

// Surge, sway and yaw of vessel and water in slow motion.
Vec3 slow_mass(const Hull& hull, const Mat6& infinite) {
  const Mat6 total =
      hydro::mass_matrix(hull.loading, Vec3::Zero()) + slow_added_mass(hull.database, hull.spec.memory, infinite);
  return {total(0, 0), total(1, 1), total(5, 5)};
}

}  // namespace

Hold hold_of(const Hull& hull, const Mat6& infinite, Assembly& assembly) {
  Hold out;
  const Vec3 mass = slow_mass(hull, infinite);
  for (int i = 0; i < 3; ++i) {
    const int motion = i < 2 ? i : 5;
    if (hull.spec.held) {
      constexpr double fast = 100;  // rad/s: no wave moves it
      out.stiffness[motion] = fast * fast * mass[i];
    } else if (hull.spec.position_keeping && !filters_waves(*hull.spec.position_keeping, assembly)) {
      const double rate = 2 * pi / hull.spec.position_keeping->period;
      out.stiffness[motion] = rate * rate * mass[i];
      out.damping[motion] = 2 * damping_of(*hull.spec.position_keeping) * rate * mass[i];
    }
  }
  return out;
}

void add_thrusters(const Hull& hull, const Mat6& infinite, Assembly& assembly) {
  if (!hull.spec.position_keeping) return;
  const PositionKeepingSpec& spec = *hull.spec.position_keeping;
  PositionKeeping::Data data;
  data.place = hull.spec.at;
  data.heading = hull.spec.heading;
  data.mass = slow_mass(hull, infinite);
  data.frequency = 2 * pi / spec.period;
  data.damping = damping_of(spec);
  const double integral = spec.integral.value_or(3 * spec.period);
  data.balances_load = integral > 0;
  if (integral > 0) data.load_rate = 1 / integral;
  if (filters_waves(spec, assembly)) {
    assembly.check_in_environment([spec](const Environment& around, input::Problems& problems) {
      if (const double waves = filtered_period(spec, around); spec.period < 2 * waves)
        problems.error(
            spec.where,
            fmt::format("a slow motion of {:.3g} s cannot be told from waves of {:.3g} s", spec.period, waves),
            "give position keeping a period of at least twice that of the waves, or no filter: "
            "wave_filter: 0 s");
    });
    // It looks for steady loads in any case: its place would be wrong without.
    const double load_rate = 1 / (integral > 0 ? integral : 3 * spec.period);
    data.filter = assembly.in_environment<WaveFilter>([spec, slow = data.frequency, load_rate](const auto& around) {
      const double w0 = 2 * pi / filtered_period(spec, *around);
      return std::make_shared<const WaveFilter>(w0, std::sqrt(w0 * slow), load_rate);
    });
  }
  if (spec.force_limit) data.force_limit = *spec.force_limit;
  if (spec.moment_limit) data.moment_limit = *spec.moment_limit;
  const std::string summary =
      fmt::format("position keeping, {:.3g} s and {:.2g} of critical damping, {}, {}", spec.period, data.damping,
                  integral > 0 ? fmt::format("steady loads found in {:.3g} s", integral) : "no integral",
                  !data.filter       ? "no wave filter"
                  : spec.wave_filter ? fmt::format("waves of {:.3g} s filtered", *spec.wave_filter)
                                     : "waves at the peak of the sea filtered");
  const auto force = std::make_shared<PositionKeeping>(hull.name + ".position_keeping", hull.frame, data, summary);
  const ElementPlace place = assembly.add(force);
  const char* const names[] = {"thrust_surge", "thrust_sway", "thrust_yaw"};
  std::vector<ScalarInfo> infos;
  for (int i = 0; i < 3; ++i)
    infos.push_back(element_scalar("vessel", hull.name, names[i], i < 2 ? "N" : "N m",
                                   "of the thrusters, in axes of the wanted heading", false));
  assembly.observables().add_scalars(std::move(infos),
                                     [force, place](const State& s, const Workspace& w, double* values) {
                                       Vec3::Map(values) = force->thrust<double>(w.kin, s.z.data() + place.first_z);
                                     });
}

}  // namespace davit::vessel
