#include "verify/moorings/moored_barge_case.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "davit/cable/catenary.hpp"
#include "davit/math/constants.hpp"
#include "davit/mooring/catalogue.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::verify {

namespace {

constexpr int ends[4] = {1, 1, -1, -1}, sides[4] = {1, -1, 1, -1};
const char* const names[4] = {"bow_port", "bow_starboard", "stern_port", "stern_starboard"};

}  // namespace

std::string MooredBarge::text() const {
  std::string points, lines;
  for (int i = 0; i < 4; ++i) {
    points += fmt::format("{}: [{}, {}, {}], ", names[i], ends[i] * fairlead_x, sides[i] * fairlead_y, fairlead_z);
    lines += fmt::format(
        "  {}: {{mooring_line: {{anchor: [{}, {}, {}], to: barge.{}, seabed: {{stiffness: 1e6 N/m^2}}, sections: "
        "[{{type: studless_chain, diameter: {}, length: {} m, elements: {}}}]{}{}}}}}\n",
        names[i], ends[i] * anchor_x, sides[i] * anchor_y, -depth, names[i], diameter, length, elements, line,
        i == 0 ? bow_port : "");
  }
  return fmt::format(
      "davit: 1\ntitle: moored\nenvironment: {{water_depth: {} m{}}}\nvessels: {{barge: {{hydrodynamics: {}, "
      "points: {{{}}}{}}}}}\nforces:\n{}{}{}run: {{duration: 5000 s, step: {} s}}\n",
      depth, environment, in_source("vessels/barge_110x46_18851t.h5"), points, vessel, lines, forces, top, step);
}

Vec3 MooredBarge::pull(double x, double y, double yaw, const std::vector<int>& lines) {
  const cable::Section chain =
      mooring::typical_section(mooring::LineKind::studless_chain, diameter, mooring::ChainGrade::R3);
  const cable::UniformLine line{length, (chain.mass - water * chain.displacement) * gravity, chain.EA};
  Vec3 sum = Vec3::Zero();
  for (const int i : lines) {
    const double fx = ends[i] * fairlead_x, fy = sides[i] * fairlead_y;
    const Vec2 arm(fx * std::cos(yaw) - fy * std::sin(yaw), fx * std::sin(yaw) + fy * std::cos(yaw));
    const Vec2 way = Vec2(ends[i] * anchor_x - x, sides[i] * anchor_y - y) - arm;
    // The chain lies on its links, and its axis above the bed.
    const auto curve = cable::grounded_catenary(line, way.norm(), depth + fairlead_z - chain.axis_height);
    if (!curve) throw std::runtime_error("there is no catenary");
    const Vec2 force = curve->H / way.norm() * way;
    sum += Vec3(force.x(), force.y(), arm.x() * force.y() - arm.y() * force.x());
  }
  return sum;
}

Mat3 MooredBarge::stiffness() {
  constexpr double d = 0.05, turn = 1e-3;
  Mat3 out;
  out << (pull(d, 0, 0) - pull(-d, 0, 0)) / (2 * d), (pull(0, d, 0) - pull(0, -d, 0)) / (2 * d),
      (pull(0, 0, turn) - pull(0, 0, -turn)) / (2 * turn);
  return -out;
}

Vec3 MooredBarge::offset(const Vec3& force, const std::vector<int>& lines) {
  Vec3 at = Vec3::Zero();
  for (int i = 0; i < 100; ++i) {
    constexpr double d = 1e-4;
    const Vec3 left = pull(at.x(), at.y(), at.z(), lines) + force;
    Mat3 slope;
    for (int k = 0; k < 3; ++k) {
      Vec3 p = at;
      p[k] += d;
      slope.col(k) = (pull(p.x(), p.y(), p.z(), lines) + force - left) / d;
    }
    Vec3 change = -slope.inverse() * left;
    // No more than a metre at a time, and a hundredth of it in the angle.
    change *= std::min({1.0, 1 / change.head<2>().norm(), 0.01 / std::abs(change.z())});
    at += change;
    if (change.norm() < 1e-10) break;
  }
  return at;
}

std::string barge_in_waves(int lines, int elements, double step) {
  std::string points, text;
  for (int i = 0; i < lines; ++i) {
    const double angle = 2 * pi * (i + 0.5) / lines, c = std::cos(angle), s = std::sin(angle);
    points += fmt::format("p{}: [{}, {}, 1], ", i, 55 * c, 20 * s);
    text += fmt::format(
        "  line{0}: {{mooring_line: {{anchor: [{1}, {2}, -50], to: barge.p{0}, sections: [{{type: studless_chain, "
        "diameter: 0.076, length: 400 m, elements: {3}}}]}}}}\n",
        i, 55 * c + 388 * c, 20 * s + 388 * s, elements);
  }
  return fmt::format(
      "davit: 1\ntitle: moored\nenvironment: {{water_depth: 50 m, waves: {{spectrum: jonswap, hs: 2 m, tp: 8 s, "
      "heading: "
      "150 deg, frequencies: 60, seed: 3}}}}\nvessels: {{barge: {{hydrodynamics: {}, points: "
      "{{{}}}}}}}\nforces:\n{}run: "
      "{{duration: 1000 s, step: {} s}}\n",
      in_source("vessels/barge_110x46_18851t.h5"), points, text, step);
}

double measured_period(ScenarioRun& run, const std::string& channel, double step, int periods, double longest) {
  std::vector<double> crossings;
  run.look();
  double before = run.channel(channel);
  while (crossings.size() < static_cast<size_t>(2 * periods + 1) && run.state().t < longest) {
    run.step(step);
    run.look();
    const double now = run.channel(channel);
    if (before * now < 0) crossings.push_back(run.state().t - step * now / (now - before));
    before = now;
  }
  return crossings.size() == static_cast<size_t>(2 * periods + 1) ? (crossings.back() - crossings.front()) / periods
                                                                  : NAN;
}

}  // namespace davit::verify
