// Forces of first order have no mean, whatever holds the hull: a barge and a ship in regular waves on stiff lines,
// whose pull has no mean then beyond that of the drift. A hull on stiff lines moves otherwise than a free one; with the
// motion of a free one taken off the place at which it meets the waves, what is left of its motion would make a mean of
// their force.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double moored_amplitude = 0.1;  // m
constexpr std::array moored_motions = {0, 1, 5};
using MeanPull = std::array<double, 3>;  // surge, sway, yaw

struct MooredHull {
  std::string name;
  double half_length, half_beam;
  double stiffness, tension;  // of each of four lines at 45 deg, N/m and N
  std::string file = in_source("vessels/") + name + ".h5";
  hydro::Database database = hydro::read_database(file);

  double largest_drift(int motion) const {
    double out = 0;
    for (const MatX& D : database.drift) out = std::max(out, D.row(motion).cwiseAbs().maxCoeff());
    return out;
  }
};

// Critical damping of a motion on the lines, near enough.
double critical_damping(const MooredHull& hull, int motion) {
  const double arm = motion == 5 ? std::pow(hull.half_length + hull.half_beam, 2) / 2 : 1;
  const Mat6 mass = hydro::mass_matrix(*hull.database.bodies[0].loading, Vec3::Zero()) + *hull.database.added_mass_zero;
  return 2 * std::sqrt(2 * hull.stiffness * arm * mass(motion, motion));
}

struct LineOut {
  const char* name;
  double x, y;  // signs
};
constexpr LineOut lines_out[] = {{"bp", 1, 1}, {"bs", 1, -1}, {"sp", -1, 1}, {"ss", -1, -1}};
constexpr double line_reach = 200;  // m, of a line

Vec2 anchor_of(const MooredHull& hull, const LineOut& c) {
  const double out = line_reach / std::sqrt(2.0);
  return {c.x * (hull.half_length + out), c.y * (hull.half_beam + out)};
}

// What the lines pull on average, per squared amplitude. A line pulls through its anchor: its moment is that of its
// force there.
MeanPull mean_pull(const MooredHull& hull, double period, int heading, const std::string& drift) {
  constexpr int steps_in_period = 120;
  const double step = period / steps_in_period;
  std::string points, lines;
  for (const LineOut& c : lines_out) {
    const Vec2 a = anchor_of(hull, c);
    points += fmt::format("{}: [{} m, {} m, 0], ", c.name, c.x * hull.half_length, c.y * hull.half_beam);
    lines += fmt::format(
        "  {0}: {{mooring_line: {{anchor: [{1:.9g} m, {2:.9g} m, 0], to: ship.{0}, model: spring, spring: {{stiffness: "
        "{3} N/m}}, tension: {4} N}}}}\n",
        c.name, a.x(), a.y(), hull.stiffness, hull.tension);
  }
  constexpr double damped = 0.02;  // of critical_damping
  ScenarioRun run(fmt::format(
      "davit: 1\ntitle: moored\nenvironment: {{waves: {{spectrum: regular, height: {} m, period: {} s, heading: {} "
      "deg}}}}\n"
      "vessels: {{ship: {{hydrodynamics: {}, roll_damping: 0.05, wave_ramp: 150 s, drift: {}, linear_damping: [{:.6g}, "
      "{:.6g}, 0, 0, 0, {:.6g}], points: {{{}}}}}}}\nforces:\n{}run: {{duration: 2000 s, step: {:.17g} s}}\n",
      2 * moored_amplitude, period, heading, hull.file, drift, damped * critical_damping(hull, 0),
      damped * critical_damping(hull, 1), damped * critical_damping(hull, 5), points.substr(0, points.size() - 2),
      lines, step));
  const int settling = static_cast<int>(600 / period), seen = static_cast<int>(120 / period);
  for (int n = 0; n < settling * steps_in_period; ++n) run.step(step);
  MeanPull out = {};
  for (int n = 0; n < seen * steps_in_period; ++n) {
    run.step(step);
    run.look();
    for (const LineOut& c : lines_out) {
      const Vec2 a = anchor_of(hull, c);
      const double x = run.channel(std::string(c.name) + ".fairlead_force_x"),
                   y = run.channel(std::string(c.name) + ".fairlead_force_y");
      const double per = seen * steps_in_period * moored_amplitude * moored_amplitude;
      out[0] += x / per, out[1] += y / per, out[2] += (a.x() * y - a.y() * x) / per;
    }
  }
  return out;
}

// The largest of all periods and headings, of the largest drift in the database.
void check_mean_pull(Checker& check, const MooredHull& hull) {
  constexpr double bound = 0.02;
  const char* const names[] = {"surge", "sway", "yaw"};
  MeanPull worst = {};
  for (const double period : {5, 6, 7, 9})  // surge on the lines has its resonance near 9 s
    for (const int heading : {30, 90, 135}) {
      const MeanPull found = mean_pull(hull, period, heading, "none");
      for (size_t i = 0; i < 3; ++i)
        worst[i] = std::max(worst[i], std::abs(found[i]) / hull.largest_drift(moored_motions[i]));
    }
  for (size_t i = 0; i < 3; ++i)
    check.at_most(
        fmt::format("{} on four lines of 1 MN/m, without drift", hull.name),
        fmt::format("mean pull in {}, 4 periods x 3 headings, of the largest drift in the database", names[i]), "",
        "exact: theory of first order has no mean", worst[i], bound);
}

}  // namespace

void mean_forces_moored(Checker& check) {
  for (const MooredHull& hull : {MooredHull{"barge_59x22", 29.5, 11, 1e6, 1e6}, {"supply_ship", 40, 9, 1e6, 1e6}})
    check_mean_pull(check, hull);
}

}  // namespace davit::verify
