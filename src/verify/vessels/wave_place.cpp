// Waves are met where the hull is: the phase of the wave force on a hull that glides, turns or swings slowly, against
// the elevation at its mean place, which is taken from its path afterwards.
#include <fmt/format.h>

#include <complex>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using Complex = std::complex<double>;

constexpr double amplitude = 0.2, period = 8;
constexpr int heading = 60, steps_in_period = 80;  // deg
constexpr double step = period / steps_in_period;

struct SlowMotion {
  std::string name, keys;
  Vec2 offset = Vec2::Zero(), speed = Vec2::Zero();  // at the start
  double turning = 0;                                // rad/s
};

// Heave force and place at every step.
struct Path {
  std::vector<Vec2> place;
  std::vector<double> heading, force, time;
};

Path sail(const SlowMotion& motion) {
  ScenarioRun run(fmt::format(
      "davit: 1\ntitle: slow motion\nenvironment: {{waves: {{spectrum: regular, height: {} m, period: {} s, heading: "
      "{} "
      "deg}}}}\nvessels: {{ship: {{hydrodynamics: {}, drift: none, roll_damping: 0.05, wave_ramp: 40 s{}}}}}\n"
      "run: {{duration: 400 s, step: {:.17g} s}}\n",
      2 * amplitude, period, heading, in_source("vessels/barge_59x22.h5"), motion.keys, step));
  State& state = run.state();
  state.u[2] = motion.turning;
  state.u.segment<2>(3) = motion.speed;
  state.q.tail<3>().head<2>() += motion.offset;
  run.begin();
  Path out;
  for (int n = 0; n < 40 * steps_in_period; ++n) {
    run.step(step);
    const Kin& kin = run.look();
    const Mat3 R = rotation(kin, run.first());
    out.place.push_back(position(kin, run.first()).head<2>());
    out.heading.push_back(std::atan2(R(1, 0), R(0, 0)));
    out.force.push_back(run.channel("ship.wave_heave"));
    out.time.push_back(run.state().t);
  }
  return out;
}

// The largest error of the phase of the force in any two periods, in degrees: they are cut out of the path by a smooth
// window (Hann's) over four, because a hull that moves meets no whole number of waves in a whole number of periods.
double phase_error(const Path& path, const hydro::Database& db) {
  const double w = 2 * pi / period, k = w * w / db.gravity, b = heading * pi / 180;
  const Vec2 wave_vector(k * std::cos(b), k * std::sin(b));
  const auto frequency = static_cast<Eigen::Index>(std::lower_bound(db.frequencies.begin(), db.frequencies.end(), w) -
                                                   db.frequencies.begin());
  // Heave force on a hull of that heading: straight lines, which the phase of so small a hull in so long a wave allows.
  const auto unit_force = [&](double hull_heading) {
    const double relative = std::remainder(b - hull_heading, 2 * pi);
    size_t after = 1;
    while (after + 1 < db.headings.size() && db.headings[after] < relative) ++after;
    const double part = (relative - db.headings[after - 1]) / (db.headings[after] - db.headings[after - 1]);
    const double along =
        (w - db.frequencies[static_cast<size_t>(frequency - 1)]) /
        (db.frequencies[static_cast<size_t>(frequency)] - db.frequencies[static_cast<size_t>(frequency - 1)]);
    const auto at = [&](size_t h) {
      return (1 - along) * db.excitation[h](2, frequency - 1) + along * db.excitation[h](2, frequency);
    };
    return (1 - part) * at(after - 1) + part * at(after);
  };
  double worst = 0;
  const int half = steps_in_period / 2, size = static_cast<int>(path.time.size());
  const int window = 4 * steps_in_period;
  for (int begin = 8 * steps_in_period; begin + window + half < size; begin += steps_in_period) {
    Complex sum = 0;
    for (int n = begin; n < begin + window; ++n) {
      // The mean over a wave's period about this time.
      Vec2 mean = Vec2::Zero();
      double turned = 0;
      for (int j = -half; j < half; ++j) {
        mean += path.place[static_cast<size_t>(n + j)] / (2 * half);
        turned += path.heading[static_cast<size_t>(n + j)] / (2 * half);
      }
      const Complex wave = std::polar(1.0, w * path.time[static_cast<size_t>(n)] - wave_vector.dot(mean));
      const double weight = 1 - std::cos(2 * pi * (n - begin) / window);
      sum += weight * path.force[static_cast<size_t>(n)] * std::conj(wave * unit_force(turned));
    }
    worst = std::max(worst, std::abs(std::arg(sum)) * 180 / pi);
  }
  return worst;
}

}  // namespace

void wave_place(Checker& check) {
  hydro::Database db = hydro::read_database(in_source("vessels/barge_59x22.h5"));
  hydro::move_reference(db, 0, Vec3::Zero());
  hydro::expand_headings(db);
  const auto keeping = [](int seconds) {
    return fmt::format(", position_keeping: {{period: {} s, damping: 0.02, integral: 0 s, wave_filter: 0 s}}", seconds);
  };
  const std::vector<SlowMotion> motions = {
      {"at rest", ""},
      {"gliding at 0.5 m/s along", "", Vec2::Zero(), Vec2(0.5, 0)},
      {"gliding at 1.0 m/s across", "", Vec2::Zero(), Vec2(0, 1)},
      {"gliding at 1.5 m/s along", "", Vec2::Zero(), Vec2(1.5, 0)},
      {"turning at 0.5 deg/s", "", Vec2::Zero(), Vec2::Zero(), 0.5 * pi / 180},
      {"surging 5 m in 100 s", keeping(100), Vec2(5, 0)},
      {"swaying 3 m in 60 s", keeping(60), Vec2(0, 3)},
  };
  for (const SlowMotion& motion : motions)
    check.at_most("barge of 59 m " + motion.name + ", waves of 8 s from the quarter",
                  "phase of the wave force in heave, in any two periods", "deg",
                  "exact: the elevation at its mean place on its path", phase_error(sail(motion), db), 1);
}

}  // namespace davit::verify
