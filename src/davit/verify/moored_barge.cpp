// A barge on four chains, one model and one step: its slow motions against exact catenaries over a rigid bed, which
// know nothing of elements and steps.
#include <fmt/format.h>

#include "davit/cable/catenary.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/mooring/catalogue.hpp"
#include "davit/verify/scenario_run.hpp"
#include "davit/verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double depth = 50, length = 400, diameter = 0.076;
constexpr double fairlead_x = 55, fairlead_y = 20, fairlead_z = 1, anchor_x = 390, anchor_y = 220;
constexpr double water = 1025, gravity = 9.80665;

ScenarioRun moored(const std::string& more, double step) {
  std::string points, lines;
  for (const int end : {1, -1})
    for (const int side : {1, -1}) {
      const std::string name = fmt::format("{}_{}", end > 0 ? "bow" : "stern", side > 0 ? "port" : "starboard");
      points += fmt::format("{}: [{}, {}, {}], ", name, end * fairlead_x, side * fairlead_y, fairlead_z);
      lines += fmt::format(
          "  {}: {{mooring_line: {{anchor: [{}, {}, {}], to: barge.{}, seabed: {{stiffness: 1e6 N/m^2}}, sections: "
          "[{{type: studless_chain, diameter: {}, length: {} m, elements: 80}}]}}}}\n",
          name, end * anchor_x, side * anchor_y, -depth, name, diameter, length);
    }
  return ScenarioRun(
      fmt::format("davit: 1\ntitle: moored\nenvironment: {{water_depth: {} m}}\nvessels: {{barge: {{hydrodynamics: {}, "
                  "points: {{{}}}}}}}\nforces:\n{}{}run: {{duration: 5000 s, step: {} s}}\n",
                  depth, DAVIT_VESSELS "/barge_110x46_18851t.h5", points, lines, more, step));
}

// Surge force of all lines on the barge that is moved along by x.
double pull(double x) {
  const cable::Section chain =
      mooring::typical_section(mooring::LineKind::studless_chain, diameter, mooring::ChainGrade::R3);
  const cable::UniformLine line{length, (chain.mass - water * chain.displacement) * gravity, chain.EA};
  double sum = 0;
  for (const int end : {1, -1}) {
    const Vec2 way(end * anchor_x - end * fairlead_x - x, anchor_y - fairlead_y);
    const auto curve = cable::grounded_catenary(line, way.norm(), depth + fairlead_z);
    if (!curve) throw std::runtime_error("there is no catenary");
    sum += 2 * curve->H * way.x() / way.norm();
  }
  return sum;
}

}  // namespace

void moored_barge(Checker& check) {
  hydro::Database db = hydro::read_database(DAVIT_VESSELS "/barge_110x46_18851t.h5");
  hydro::move_reference(db, 0, Vec3::Zero());
  const double mass = db.bodies[0].loading->mass + (*db.added_mass_zero)(0, 0);

  // Let go 1 m off: half periods between the crossings of its place at rest.
  constexpr double step = 0.2, offset = 1;
  ScenarioRun free = moored("", step);
  free.state().q.tail<3>()[0] += offset;
  free.begin();
  std::vector<double> crossings;
  double before = offset;
  while (crossings.size() < 3 && free.state().t < 1000) {
    free.step(step);
    const double now = position(free.look(), free.first()).x();
    if (before * now < 0) crossings.push_back(free.state().t - step * now / (now - before));
    before = now;
  }
  const double stiffness = -(pull(0.1) - pull(-0.1)) / 0.2;
  const double period = crossings.size() == 3 ? crossings[2] - crossings[0] : 0;
  check.relative("barge of 110 m on four chains, let go 1 m off", "period of surge", "s",
                 rounded(2 * pi * std::sqrt(mass / stiffness)),
                 "exact: elastic catenaries over a rigid bed, mass and added mass of slow motion", period, 0.01);

  // Pushed by a steady force it comes to rest where the lines balance it.
  constexpr double push = 3e5;
  ScenarioRun pushed =
      moored(fmt::format("  push: {{wrench: {{on: barge, force: [{} N, 0, 0], ramp: 100 s}}}}\n", push), step);
  double low = 0, high = 30;
  for (int i = 0; i < 60; ++i) (pull(0.5 * (low + high)) + push > 0 ? low : high) = 0.5 * (low + high);
  while (pushed.state().t < 600) pushed.step(step);
  double mean = 0;
  const int seen = static_cast<int>(std::round(6 * period / step));
  for (int n = 0; n < seen; ++n) {
    pushed.step(step);
    mean += position(pushed.look(), pushed.first()).x() / seen;
  }
  check.relative("barge of 110 m on four chains, pushed by 300 kN", "mean offset", "m", rounded(low),
                 "exact: elastic catenaries over a rigid bed", mean, 0.01);
}

}  // namespace davit::verify
