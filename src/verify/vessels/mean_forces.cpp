// Forces of first order have no mean: a vessel in regular waves, held softly and free, with and without drift and
// current, has the mean forces of its database's drift and no others, and lies level.
#include <fmt/format.h>

#include <map>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"
#include "verify/vessels/between_frequencies.hpp"

namespace davit::verify {

namespace {

constexpr double amplitude = 0.15;  // m
constexpr std::array periods = {5.0, 6.0, 7.0, 9.0, 12.0};
// Headings of the databases, in degrees.
constexpr std::array headings = {30, 60, 90, 135};
constexpr std::array horizontal = {0, 1, 5};
using Horizontal = std::array<double, 3>;  // surge, sway, yaw

struct Vessel {
  std::string name, file = in_source("vessels/") + name + ".h5";
  hydro::Database database = hydro::read_database(file);

  explicit Vessel(std::string given) : name(std::move(given)) { hydro::move_reference(database, 0, Vec3::Zero()); }
  size_t heading(int degrees) const {
    for (size_t h = 0; h < database.headings.size(); ++h)
      if (std::abs(database.headings[h] - degrees * pi / 180) < 1e-6) return h;
    throw std::runtime_error(fmt::format("{} has no heading of {} deg", name, degrees));
  }
  double drift(int motion, int degrees, double period) const {
    const MatX& D = database.drift[heading(degrees)];
    return between_frequencies(database.frequencies, 2 * pi / period,
                               [&](size_t f) -> double { return D(motion, static_cast<Eigen::Index>(f)); });
  }
  double largest_drift(int motion) const {
    double out = 0;
    for (const MatX& D : database.drift) out = std::max(out, D.row(motion).cwiseAbs().maxCoeff());
    return out;
  }
};

ScenarioRun in_waves(const Vessel& vessel, double period, int heading, double step, const std::string& keys,
                     const std::string& environment = "") {
  return ScenarioRun(fmt::format(
      "davit: 1\ntitle: regular waves\nenvironment: {{waves: {{spectrum: regular, height: {} m, period: {} s, heading: "
      "{} deg}}{}}}\nvessels: {{ship: {{hydrodynamics: {}, roll_damping: 0.05, {}}}}}\n"
      "run: {{duration: 2000 s, step: {:.17g} s}}\n",
      2 * amplitude, period, heading, environment, vessel.file, keys, step));
}

constexpr int steps_in_period = 60;

// Held by a soft station keeping: what its thrusters give on average, with the other sign, per squared amplitude.
Horizontal held_mean(const Vessel& vessel, double period, int heading, const std::string& keys,
                     const std::string& environment = "", const std::string& ramp = "60 s") {
  const double step = period / steps_in_period;
  ScenarioRun run = in_waves(
      vessel, period, heading, step,
      "position_keeping: {period: 150 s, damping: 1, integral: 0 s}, wave_ramp: " + ramp + ", " + keys, environment);
  const int settling = static_cast<int>(800 / period), seen = static_cast<int>(200 / period);
  for (int n = 0; n < settling * steps_in_period; ++n) run.step(step);
  Horizontal out = {};
  const char* const names[] = {"ship.thrust_surge", "ship.thrust_sway", "ship.thrust_yaw"};
  for (int n = 0; n < seen * steps_in_period; ++n) {
    run.step(step);
    run.look();
    for (size_t i = 0; i < 3; ++i) out[i] -= run.channel(names[i]) / (seen * steps_in_period * amplitude * amplitude);
  }
  return out;
}

// Free: the slow acceleration, times the mass of vessel and water in slow motion, per squared amplitude.
Horizontal free_mean(const Vessel& vessel, double period, int heading) {
  const double step = period / steps_in_period;
  ScenarioRun run = in_waves(vessel, period, heading, step, "wave_ramp: 60 s, drift: none");
  const int settling = static_cast<int>(200 / period), between = static_cast<int>(150 / period), seen = 5;
  for (int n = 0; n < settling * steps_in_period; ++n) run.step(step);
  std::array<Vec3, 3> mean;
  for (Vec3& at : mean) {
    at.setZero();
    for (int n = 0; n < seen * steps_in_period; ++n) {
      run.step(step);
      const Kin& kin = run.look();
      const Vec3 place = position(kin, run.first());
      const Mat3 R = rotation(kin, run.first());
      at += Vec3(place.x(), place.y(), std::atan2(R(1, 0), R(0, 0))) / (seen * steps_in_period);
    }
    if (&at != &mean.back())
      for (int n = 0; n < (between - seen) * steps_in_period; ++n) run.step(step);
  }
  const double apart = between * period;
  const Vec3 acceleration = (mean[2] - 2 * mean[1] + mean[0]) / (apart * apart);
  const hydro::Database& db = vessel.database;
  const Mat6 slow = hydro::mass_matrix(*db.bodies[0].loading, Vec3::Zero()) + *db.added_mass_zero;
  Horizontal out;
  for (size_t i = 0; i < 3; ++i)
    out[i] = acceleration[static_cast<Eigen::Index>(i)] * slow(horizontal[i], horizontal[i]) / (amplitude * amplitude);
  return out;
}

// The largest difference of a mean from what it should be, over all waves, of the largest drift in that motion.
template <class Mean, class Expected>
Horizontal worst_share(const Vessel& vessel, const Mean& mean, const Expected& expected) {
  Horizontal worst = {};
  for (const double period : periods)
    for (const int heading : headings) {
      const Horizontal found = mean(period, heading);
      for (size_t i = 0; i < 3; ++i)
        worst[i] = std::max(worst[i], std::abs(found[i] - expected(horizontal[i], heading, period)) /
                                          vessel.largest_drift(horizontal[i]));
    }
  return worst;
}

void report(Checker& check, const std::string& case_name, const Horizontal& worst, const std::string& source,
            double bound) {
  const char* const names[] = {"surge", "sway", "yaw"};
  for (size_t i = 0; i < 3; ++i)
    check.at_most(case_name,
                  fmt::format("mean in {}, 5 periods x 4 headings, of the largest drift in the database", names[i]), "",
                  source, worst[i], bound);
}

void regular_waves(Checker& check) {
  const auto nothing = [](int, int, double) { return 0.0; };
  for (const char* name : {"supply_ship", "barge_110x46_18851t", "barge_59x22"}) {
    const Vessel vessel(name);
    const auto held = [&](const std::string& keys) {
      return [&vessel, keys](double period, int heading) { return held_mean(vessel, period, heading, keys); };
    };
    report(check, vessel.name + " held softly, without drift", worst_share(vessel, held("drift: none"), nothing),
           "exact: theory of first order has no mean", 0.005);
    report(check, vessel.name + " free, without drift",
           worst_share(
               vessel, [&](double period, int heading) { return free_mean(vessel, period, heading); }, nothing),
           "exact: theory of first order has no mean", 0.01);
    report(check, vessel.name + " held softly, with drift",
           worst_share(vessel, held("drift: newman"),
                       [&](int motion, int heading, double period) { return vessel.drift(motion, heading, period); }),
           "exact: that of the database; drift turns the vessel a little, out of the heading it is looked up for",
           0.05);
    // Linear drag, so that waves and current do not act on each other through it.
    const std::string drag = "drift: none, linear_damping: [1e5, 2e5, 2e6, 0, 0, 0]";
    const std::string current = ", current: {speed: 0.8 m/s, heading: 40 deg}";
    // Waves that hardly come up: the same at the same times.
    std::map<double, Horizontal> without;
    for (const double period : periods) without[period] = held_mean(vessel, period, 0, drag, current, "1e6 s");
    report(check, vessel.name + " held softly in a current of 0.8 m/s, without drift: beside that without waves",
           worst_share(
               vessel, [&](double period, int heading) { return held_mean(vessel, period, heading, drag, current); },
               [&](int motion, int, double period) {
                 return without[period][motion < 2 ? static_cast<size_t>(motion) : 2];
               }),
           "exact: theory of first order has no mean", 0.02);
  }
}

// A ship alone in a severe sea lies level on average.
void level(Checker& check) {
  const Vessel ship("supply_ship");
  for (const int heading : {45, 90}) {
    constexpr double step = 0.1;
    ScenarioRun run(fmt::format(
        "davit: 1\ntitle: severe sea\nenvironment: {{waves: {{spectrum: jonswap, hs: 4 m, tp: 8 s, heading: {} deg, "
        "frequencies: 60, spreading: {{directions: 9, exponent: 2}}, seed: 5}}}}\n"
        "vessels: {{ship: {{hydrodynamics: {}, roll_damping: 0.05, position_keeping: {{period: 100 s}}}}}}\n"
        "run: {{duration: 4000 s, step: {} s}}\n",
        heading, ship.file, step));
    double roll = 0, pitch = 0;
    const int settling = 4000, seen = 36000;
    for (int n = 0; n < settling + seen; ++n) {
      run.step(step);
      if (n < settling) continue;
      const Mat3 R = rotation(run.look(), run.first());
      roll += std::atan2(R(2, 1), R(2, 2)) / seen;
      pitch -= std::asin(R(2, 0)) / seen;
    }
    const std::string name = fmt::format("supply ship, Hs 4 m, short-crested, {} deg", heading);
    check.at_most(name, "mean roll in an hour", "deg", "exact: theory of first order has no mean",
                  std::abs(roll) * 180 / pi, 0.02);
    check.at_most(name, "mean pitch in an hour", "deg", "exact: theory of first order has no mean",
                  std::abs(pitch) * 180 / pi, 0.02);
  }
}

}  // namespace

void mean_forces(Checker& check) {
  regular_waves(check);
  level(check);
}

}  // namespace davit::verify
