// A chain of 140 mm in 50 m of water that OrcaFlex computed: 410 m to an anchor 400 m away, heave of the fairlead.
//
// Mass, stiffness and diameter of the data are those that OrcaFlex gives to studless chain of D = 0.14 m (19.9 D² t/m,
// 0.854e8 D² kN, 1.8 D). Such a chain touches the bed with the width of its links, 3.35 D, so that its axis lies half
// of that above it, on the bed's 100 kN/m³ over that width. The data do not say so: it is what OrcaFlex documents for
// such chain. With its axis on the bed the tension at rest is 1.4 % too high. Their coefficient of drag along, 0.64 on
// 1.8 D, is the 1.15 of chain on D. In motion the end is found 36 mm below the motion it is given (third column of the
// result); at rest it is taken to be at z = 0, 36 mm lower would make 0.2 % less.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "verify/moorings/mooring_lines.hpp"
#include "verify/third_party_data.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double bar = 0.14, link_width = 3.35 * bar, end_offset = -0.036;

std::vector<std::vector<double>> read_rows(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (double x; cells >> x;) row.push_back(x);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

cable::Line chain_of_others(int elements, bool as_it_lies) {
  cable::Section s;
  s.length = 410, s.elements = elements;
  s.EA = 1.674e9, s.mass = 390;
  s.diameter = 0.252, s.displacement = std::numbers::pi / 4 * s.diameter * s.diameter;
  s.drag_normal = 1.37, s.drag_tangential = 0.64;
  s.added_mass_normal = 1, s.added_mass_tangential = 0;
  if (as_it_lies) s.axis_height = link_width / 2;
  cable::Bed bed;
  bed.height = -50;
  bed.stiffness = 1e5 * (as_it_lies ? link_width : s.diameter);
  bed.friction_along = bed.friction_across = 0.5;
  return cable::Line({s}, {}, bed, {});
}

void at_rest(Checker& check) {
  const Vec3 anchor(0, 0, -50), fairlead(400, 0, 0);
  for (const bool as_it_lies : {true, false}) {
    MooredLine chain(chain_of_others(410, as_it_lies));
    chain.settle(anchor, fairlead);
    const std::string name = as_it_lies ? "chain at rest, on its links" : "chain at rest, its axis on the bed";
    check.relative(name, "tension of the fairlead", "kN", 991.6, "oracle: OrcaFlex", chain.view().tension_b / 1e3,
                   as_it_lies ? 0.01 : 0.02);
    check.relative(name, "tension of the anchor", "kN", 826.2, "oracle: OrcaFlex", chain.view().tension_a / 1e3,
                   as_it_lies ? 0.01 : 0.02);
  }
}

void in_heave(Checker& check, const std::filesystem::path& folder) {
  const auto motion = read_rows(folder / "A1_fairlead_motion.txt"),
             result = read_rows(folder / "WD0050_A1_orcaflex.txt");
  if (motion.size() < 2 || result.size() < 2) throw std::runtime_error("the chain's tables are empty");
  // The motion is a sine of 10 s; its table has three decimals, which would be shocks of 0.1 m/s² every step.
  double amplitude = 0;
  for (const auto& row : motion) amplitude = std::max(amplitude, row[3]);
  const auto heave = [&](double t) { return amplitude * std::sin(2 * std::numbers::pi * t / 10); };
  double misread = 0;
  for (const auto& row : motion) misread = std::max(misread, std::abs(heave(row[0]) - row[3]));
  check.at_most("chain in heave", "motion as a sine, largest difference", "m", "oracle: table of the motion", misread,
                2e-3);

  MooredLine chain(chain_of_others(205, true));
  const Vec3 anchor(0, 0, -50);
  const auto fairlead = [&](double t) {
    const double ramp = t < -40 ? 0.5 * (1 - std::cos(std::numbers::pi * (t + 60) / 20)) : 1;
    return Vec3(400, 0, end_offset + ramp * heave(t));
  };
  chain.settle(anchor, fairlead(-60));
  const double h = 0.02;
  double square = 0, largest = 0, least = INFINITY, own_largest = 0, own_least = INFINITY;
  size_t next = 0;
  bool good = true;
  for (int i = 1; next < result.size() && i < 10000; ++i) {
    const double t = -60 + i * h;
    good = chain.step(t - h, h, anchor, fairlead(t)) && good;
    if (t < result[next][0] - h / 2) continue;
    const double own = chain.forces.b.norm() / 1e3, others = result[next][3];
    square += std::pow(own - others, 2);
    largest = std::max(largest, others), least = std::min(least, others);
    own_largest = std::max(own_largest, own), own_least = std::min(own_least, own);
    ++next;
  }
  const double range = largest - least;
  const std::string name = "chain in heave, 205 bars, 20 ms";
  check.at_most(name, "rms difference of the fairlead's tension over its range", "", "oracle: OrcaFlex",
                good ? std::sqrt(square / static_cast<double>(next)) / range : NAN, 0.03);
  check.relative(name, "largest tension", "kN", largest, "oracle: OrcaFlex", own_largest, 0.02);
  check.relative(name, "least tension", "kN", least, "oracle: OrcaFlex", own_least, 0.02);
}

}  // namespace

void mooring_others(Checker& check) {
  const auto folder = third_party_data("chain-orcaflex");
  if (!folder) return;
  at_rest(check);
  in_heave(check, *folder);
}

}  // namespace davit::verify
