// Mooring lines at rest: exact catenaries, and lines of bars beside them and beside published numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "davit/cable/catenary.hpp"
#include "verify/embedded.hpp"
#include "verify/moorings/bent_lines.hpp"
#include "verify/moorings/mooring_lines.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, chain_weight = 203.9 * gravity;

// Table 3-3: 1026 m of 2000 N/m over a chord of 1000 m at four slopes and seven stiffnesses.
struct HangingCase {
  double slope, EA, H, T_upper, sag;
  double span() const { return 1000 * std::cos(slope); }
  double height() const { return 1000 * std::sin(slope); }
};
std::vector<HangingCase> hanging_cases(double slope_degrees) {
  const NumberTable table("mooring_table33.csv");
  std::vector<HangingCase> out;
  for (size_t i = 0; i < table.rows(); ++i)
    if (table.at(i, "slope_deg") == slope_degrees)
      out.push_back({slope_degrees * std::numbers::pi / 180, 2000 * 1026 * table.at(i, "EA_over_W"), table.at(i, "H_N"),
                     table.at(i, "T_upper_N"), table.at(i, "sag_vertical_max_m")});
  return out;
}
// Largest height of the chord above the line.
template <class Points>
double largest_sag(const Points& points, double slope) {
  double sag = 0;
  for (const auto& p : points) sag = std::max(sag, p.x() * std::tan(slope) - p.y());
  return sag;
}

void hanging(Checker& check) {
  for (const double slope : {0.0, 15.0, 30.0, 45.0}) {
    double exact_H = 0, exact_T = 0, exact_sag = 0, T = 0, sag = 0, distance = 0;
    for (const HangingCase& c : hanging_cases(slope)) {
      const auto curve = cable::hanging_catenary({1026, 2000, c.EA}, c.span(), c.height());
      std::vector<Vec2> points;
      for (int i = 0; curve && i <= 10000; ++i) points.push_back(curve->at(1026 * i / 10000.0));
      exact_H = std::max(exact_H, std::abs((curve ? curve->H : NAN) / c.H - 1));
      exact_T = std::max(exact_T, std::abs((curve ? curve->tension_upper() : NAN) / c.T_upper - 1));
      exact_sag = std::max(exact_sag, std::abs(largest_sag(points, c.slope) / c.sag - 1));

      cable::Section section;
      section.length = 1026, section.elements = 100, section.mass = 2000 / gravity;
      section.EA = std::min(c.EA, 1e6 * 2000 * 1026);  // one that does not stretch
      MooredLine line(cable::Line({section}, {}, {}, {}));
      line.settle(Vec3(0, 0, -2000), Vec3(c.span(), 0, -2000 + c.height()));
      const cable::LineView view = line.view();
      T = std::max(T, std::abs(view.tension_b / c.T_upper - 1));
      // The lowest point lies inside a bar, so that bars are seen at their nodes through the exact curve's eyes: every
      // node against the curve's point of the same unstretched length.
      std::vector<Vec2> nodes;
      for (int i = 0; curve && i < line.line.nodes(); ++i) {
        const Vec3& p = view.positions[static_cast<size_t>(i)];
        nodes.emplace_back(p.x(), p.z() + 2000);
        distance = std::max(distance, (nodes.back() - curve->at(line.line.unstretched(i))).norm() / 1000);
      }
      sag = std::max(sag, std::abs(largest_sag(nodes, c.slope) / c.sag - 1));
    }
    const std::string exact = fmt::format("exact catenary, slope {}°, EA/W 1 to 300 and infinite", slope);
    const std::string source = "oracle: elastic catenaries of Table 3-3 by another code";
    check.at_most(exact, "horizontal tension, largest relative error", "", source, exact_H, 1e-8);
    check.at_most(exact, "tension of the upper end, largest relative error", "", source, exact_T, 1e-8);
    check.at_most(exact, "sag, largest relative error", "", source, exact_sag, 1e-6);
    const std::string bars = fmt::format("100 bars, slope {}°, EA/W 1 to 300 and infinite", slope);
    check.at_most(bars, "tension of the upper end, largest relative error", "", source, T, 1e-3);
    check.at_most(bars, "sag, largest relative error", "", source, sag, 1e-3);
    check.at_most(bars, "distance from the exact profile over the chord, largest", "", "exact: elastic catenary",
                  distance, 1e-3);
  }
}

// The same in beams: nodes against the exact curve.
void hanging_beams(Checker& check) {
  const auto distance = [](const HangingCase& c, int elements, double* tension) {
    const auto curve = cable::hanging_catenary({1026, 2000, c.EA}, c.span(), c.height());
    cable::Section section;
    section.length = 1026, section.elements = elements, section.mass = 2000 / gravity;
    section.EA = std::min(c.EA, 1e6 * 2000 * 1026);
    BentLine line(cable::Beam({section}, {}, {}, {}));
    line.settle({Vec3(0, 0, -2000), Vec3(c.span(), 0, -2000 + c.height())});
    double away = curve ? 0 : NAN;
    for (int i = 0; curve && i <= elements; ++i) {
      const Vec3 p = line.position(i);
      away = std::max(away, (Vec2(p.x(), p.z() + 2000) - curve->at(line.line.unstretched(i))).norm() / 1000);
    }
    *tension = std::abs(line.view().tension_b / c.T_upper - 1);
    return away;
  };
  double away = 0, tension = 0, one = 0;
  for (const double slope : {0.0, 15.0, 30.0, 45.0})
    for (const HangingCase& c : hanging_cases(slope)) {
      away = std::max(away, distance(c, 20, &one));
      tension = std::max(tension, one);
    }
  const std::string name = "20 beams, all slopes and stiffnesses of Table 3-3";
  check.at_most(name, "tension of the upper end, largest relative error", "",
                "oracle: elastic catenaries of Table 3-3 by another code", tension, 1e-4);
  check.at_most(name, "distance from the exact profile over the chord, largest", "", "exact: elastic catenary", away,
                1e-4);
  const HangingCase flat = hanging_cases(0)[3];
  // Cubic elements by themselves would be of order 4; the bending stiffness that no beam is without falls with L³.
  check.order("Table 3-3, slope 0°, 10 to 40 beams", "order of the distance from the exact profile", 3,
              "exact: least bending stiffness",
              std::log(distance(flat, 10, &one) / distance(flat, 40, &one)) / std::log(4.0), 0.5);
}

struct BedCase {
  const char* name;
  double depth, length;
  double tension, horizontal, grounded;  // t, t, m
  double thesis_tension, orcaflex_tension, thesis_grounded, orcaflex_grounded;
};
constexpr BedCase bed_cases[] = {{"Table 3-4, case 1", 25.8, 111, 10.2479, 4.9511, 70.187, 10.35, 10.26, 69.72, 69.22},
                                 {"Table 3-4, case 2", 50, 126.8, 15.2316, 5.0105, 59.467, 15.20, 15.10, 59.41, 59.52}};

MooredLine on_bed(double depth, double length, int elements) {
  MooredLine line(cable::Line({thesis_chain(length, elements)}, {}, thesis_bed(-10 - depth), {}));
  line.settle(Vec3(0, 0, -10 - depth), Vec3(100, 0, -10));
  return line;
}
double deepest(const cable::LineView& view, double bed) {
  double out = 0;
  for (const Vec3& p : view.positions) out = std::max(out, bed - p.z());
  return out;
}

void over_a_bed(Checker& check) {
  for (const BedCase& c : bed_cases) {
    const std::string name = c.name, oracle = "oracle: Winkler solution by another code";
    const auto exact = cable::winkler_catenary({c.length, chain_weight, 61.56e6}, 4785, 100, c.depth);
    const double bed = -10 - c.depth;
    check.relative(name + ", exact Winkler catenary", "tension of the fairlead", "t", c.tension, oracle,
                   (exact ? exact->tension_upper : NAN) / tonne_force, 1e-5);
    check.relative(name + ", exact Winkler catenary", "horizontal tension", "t", c.horizontal, oracle,
                   (exact ? exact->H : NAN) / tonne_force, 1e-5);
    check.absolute(name + ", exact Winkler catenary", "length on the bed", "m", c.grounded, oracle,
                   exact ? exact->grounded : NAN, 1e-3);
    const cable::LineView view = on_bed(c.depth, c.length, 100).view();
    const double tension = view.tension_b / tonne_force;
    check.relative(name + ", 100 bars", "tension of the fairlead", "t", c.tension, oracle, tension, 2e-3);
    check.relative(name + ", 100 bars", "length on the bed", "m", c.grounded, oracle, view.grounded_length, 2e-3);
    check.relative(name + ", 100 bars", "embedment", "m", 0.418, "exact: weight over stiffness", deepest(view, bed),
                   2e-3);
    check.relative(name + ", 100 bars", "tension of the fairlead", "t", c.thesis_tension, "published: thesis", tension,
                   0.011);
    check.relative(name + ", 100 bars", "tension of the fairlead", "t", c.orcaflex_tension,
                   "published: OrcaFlex in the thesis", tension, 0.011);
    check.absolute(name + ", 100 bars", "length on the bed", "m", c.thesis_grounded, "published: thesis",
                   view.grounded_length, 1);
    check.absolute(name + ", 100 bars", "length on the bed", "m", c.orcaflex_grounded,
                   "published: OrcaFlex in the thesis", view.grounded_length, 1);
  }
}

// Table 3-2: 111 m, 100 m wide and 26 m high. The error falls with the square of the length of the bars.
void convergence(Checker& check) {
  const double tension = 10.423, grounded = 69.614;
  const auto exact = cable::winkler_catenary({111, chain_weight, 61.56e6}, 4785, 100, 26);
  const double reference = exact ? exact->tension_upper : NAN;
  check.relative("Table 3-2, exact Winkler catenary", "tension of the fairlead", "t", tension,
                 "oracle: Winkler solution by another code", reference / tonne_force, 1e-4);
  check.absolute("Table 3-2, exact Winkler catenary", "length on the bed", "m", grounded,
                 "oracle: Winkler solution by another code", exact ? exact->grounded : NAN, 1e-3);
  const auto error = [&](int elements) { return std::abs(on_bed(26, 111, elements).view().tension_b / reference - 1); };
  const double coarse = error(20);
  check.at_most("Table 3-2, 20 bars", "tension of the fairlead, relative error", "", "exact: Winkler catenary", coarse,
                0.01);
  check.at_most("Table 3-2, 60 bars", "tension of the fairlead, relative error", "", "exact: Winkler catenary",
                error(60), 0.002);
  check.order("Table 3-2, 40 to 320 bars", "order of the fairlead's tension", 2, "exact: bars of two nodes",
              std::log(error(40) / error(320)) / std::log(8.0), 0.5);
  const auto of_beams = [&](int elements) {
    BentLine line(cable::Beam({thesis_chain(111, elements)}, {}, thesis_bed(-36), {}));
    line.settle({Vec3(0, 0, -36), Vec3(100, 0, -10)});
    return std::abs(line.view().tension_b / reference - 1);
  };
  check.at_most("Table 3-2, 20 beams", "tension of the fairlead, relative error", "", "exact: Winkler catenary",
                of_beams(20), 0.002);
  check.at_most("Table 3-2, 60 beams", "tension of the fairlead, relative error", "", "exact: Winkler catenary",
                of_beams(60), 2e-4);
  // Where the line leaves the bed its load has a kink, which no element follows better than by its length squared.
  check.order("Table 3-2, 20 to 320 beams", "order of the fairlead's tension", 2, "exact: load with a kink",
              std::log(of_beams(20) / of_beams(320)) / std::log(16.0), 0.5);
}

}  // namespace

void mooring_static(Checker& check) {
  hanging(check);
  hanging_beams(check);
  over_a_bed(check);
  convergence(check);
}

}  // namespace davit::verify
