// Beams at rest: exact bending at small and large rotation, patch tests, motions without strain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/moorings/bent_lines.hpp"
#include "verify/moorings/cable_groups.hpp"

namespace davit::verify {

namespace {

using cable::Beam;
using cable::BeamOptions;
using cable::Hold;
using cable::LineEnds;

constexpr double pi = std::numbers::pi;
constexpr double length = 10, EI = 1000, EA = 1e7, mass = 1e-3;

// Loaded in so many parts of its load, each from the shape before.
BentLine bent(int elements, BeamOptions options, const LineEnds& ends, int parts) {
  const cable::EndLoad full = options.load_b;
  std::vector<double> shape;
  for (int part = 1;; ++part) {
    const double share = static_cast<double>(part) / parts;
    options.load_b = {share * full.force, share * full.moment};
    BentLine out(Beam({rod(length, elements, EA, EI, mass)}, {}, {}, space(0), options));
    if (part > 1) out.state = shape;
    out.settle(ends, part > 1 ? Beam::Start::state : Beam::Start::straight);
    if (part == parts) return out;
    shape = out.state;
  }
}
const LineEnds straight{Vec3::Zero(), Vec3(length, 0, 0), Vec3::UnitX(), Vec3::UnitX()};

// A cantilever with a force across at its end that turns it there by φ: with p² = (1 + sin φ)/2, p sin ψ = 1/√2,
//   P L²/EI = (K − F(ψ))² = α,  deflection/L = 1 − 2 (E − E(ψ))/√α,  reach/L = √(2 sin φ/α)
// (Bisshopp and Drucker 1945), for a rod that does not stretch.
void cantilever(Checker& check) {
  for (const double degrees : {20.0, 60.0, 80.0}) {
    const double phi = degrees * pi / 180, p = std::sqrt(0.5 * (1 + std::sin(phi)));
    const double psi = std::asin(1 / (p * std::sqrt(2.0)));
    const double root = std::comp_ellint_1(p) - std::ellint_1(p, psi);
    const double drop = 1 - 2 * (std::comp_ellint_2(p) - std::ellint_2(p, psi)) / root;
    const double reach = std::sqrt(2 * std::sin(phi)) / root;
    BeamOptions options{.a = Hold::clamped, .b = Hold::free};
    options.load_b.force = Vec3(0, 0, -root * root * EI / (length * length));
    const BentLine beam = bent(20, options, straight, 10);
    const Vec3 tip = beam.position(20), slope = beam.line.slope(beam.state.data(), 20);
    const std::string name = fmt::format("cantilever with a force that turns its end by {}°, 20 beams", degrees);
    const std::string source = "exact: elastica (Bisshopp and Drucker)";
    check.relative(name, "deflection of the end", "m", rounded(drop * length), source, -tip.z(), 2e-4);
    check.relative(name, "reach of the end", "m", rounded(reach * length), source, tip.x(), 2e-4);
    check.relative(name, "turn of the end", "deg", degrees, source, std::atan2(-slope.z(), slope.x()) * 180 / pi, 1e-3);
    check.relative(name, "moment of the clamp", "N m", rounded(root * root * EI / length * reach), source,
                   beam.view().moment_a.norm(), 1e-3);
  }
}

// Rolled up by a moment 2π EI/L.
double ring_error(int elements) {
  BeamOptions options{.a = Hold::clamped, .b = Hold::free};
  options.load_b.moment = Vec3(0, -2 * pi * EI / length, 0);
  const BentLine ring = bent(elements, options, straight, 20);
  double worst = 0;
  for (int i = 0; i <= elements; ++i) {
    const double turn = 2 * pi * i / elements, radius = length / (2 * pi);
    worst = std::max(worst, (ring.position(i) - radius * Vec3(std::sin(turn), 0, 1 - std::cos(turn))).norm());
  }
  return worst / length;
}
void rolled_up(Checker& check) {
  const std::string source = "exact: circle";
  const double coarse = ring_error(16), fine = ring_error(32);
  check.at_most("cantilever rolled up into a ring by a moment, 16 beams",
                "largest distance of a node from the circle over the length", "", source, coarse, 1e-3);
  check.at_most("cantilever rolled up into a ring by a moment, 32 beams",
                "largest distance of a node from the circle over the length", "", source, fine, 1e-4);
  check.order("cantilever rolled up into a ring, 16 to 32 beams", "order of the distance", 4, "exact: cubic elements",
              std::log2(coarse / fine), 1);
}

// Small deflections under its own weight; what it stretches by is of second order.
void under_its_weight(Checker& check) {
  const double w = 0.05, small_EA = 1e3 * EI / (length * length);
  const auto beam = [&](Hold hold) {
    BentLine out(Beam({rod(length, 10, small_EA, EI, w / 9.80665)}, {}, {}, space(9.80665), {.a = hold, .b = hold}));
    out.settle({Vec3(0, 0, -50), Vec3(length, 0, -50)}, Beam::Start::straight);
    return out;
  };
  const BentLine free = beam(Hold::ball), held = beam(Hold::clamped);
  const std::string supported = "simply supported beam under its weight, 10 beams", exact = "exact: small deflections";
  check.relative(supported, "deflection in the middle", "m", rounded(5 * w * std::pow(length, 4) / (384 * EI)), exact,
                 -50 - free.position(5).z(), 1e-3);
  check.relative(supported, "slope of the end", "", rounded(w * std::pow(length, 3) / (24 * EI)), exact,
                 -free.line.slope(free.state.data(), 0).z(), 1e-3);
  const std::string clamped = "beam clamped at both ends under its weight, 10 beams";
  check.relative(clamped, "deflection in the middle", "m", rounded(w * std::pow(length, 4) / (384 * EI)), exact,
                 -50 - held.position(5).z(), 1e-3);
  check.relative(clamped, "moment of the clamp", "N m", rounded(w * length * length / 12), exact,
                 held.view().moment_a.norm(), 1e-3);
}

// A taut line whose clamp is turned by θ bends over ℓ = √(EI/T): M = θ √(EI T)/(1 − ℓ/L), its other end on the axis.
void taut_at_a_clamp(Checker& check) {
  const double tension = 1e5, turn = 0.01, EA_stiff = 1e9, strain = tension / EA_stiff;
  const double exact = turn * std::sqrt(EI * tension) / (1 - std::sqrt(EI / tension) / length);
  BentLine line(
      Beam({rod(2, 40, EA_stiff, EI, mass), rod(8, 16, EA_stiff, EI, mass)}, {}, {}, space(0), {.a = Hold::clamped}));
  line.settle({Vec3::Zero(), Vec3(length * (1 + strain), 0, 0), Vec3(std::cos(turn), 0, std::sin(turn))},
              Beam::Start::straight);
  check.relative("taut line at a clamp that is turned by 0.01, beams of √(EI/T)/2", "moment of the clamp", "N m",
                 rounded(exact), "exact: θ √(EI T)/(1 - ℓ/L)", line.view().moment_a.norm(), 2e-3);
}

// Unequal elements, stretched and bent as a whole.
void patches(Checker& check) {
  const std::vector<cable::Section> pieces = {rod(2, 1, EA, EI, mass), rod(3, 2, EA, EI, mass),
                                              rod(5, 7, EA, EI, mass)};
  const Vec3 d = Vec3(1, 2, -2) / 3;
  for (const cable::Strain strain : {cable::Strain::engineering, cable::Strain::green}) {
    const bool green = strain == cable::Strain::green;
    const double stretch = 0.01,
                 exact = green ? EA * (stretch + 0.5 * stretch * stretch) * (1 + stretch) : EA * stretch;
    BentLine line(Beam(pieces, {}, {}, space(0), {.strain = strain}));
    line.settle({Vec3::Zero(), length * (1 + stretch) * d}, Beam::Start::straight);
    double away = 0;
    for (int i = 0; i < line.line.nodes(); ++i)
      away = std::max(away, (line.position(i) - (1 + stretch) * line.line.unstretched(i) * d).norm());
    const std::string name =
        fmt::format("unequal beams stretched by 1 %, {} strain", green ? "Green and Lagrange's" : "engineering");
    check.relative(name, "tension", "N", rounded(exact), "exact: patch test", line.view().tension_b, 1e-9);
    check.at_most(name, "distance of a node from where it belongs", "m", "exact: patch test", away, 1e-9);
  }
  const double turn = 1e-3;
  BentLine line(Beam(pieces, {}, {}, space(0), {.a = Hold::clamped, .b = Hold::clamped}));
  line.settle({Vec3::Zero(), Vec3(length * std::sin(turn / 2) / (turn / 2), 0, 0),
               Vec3(std::cos(turn / 2), 0, std::sin(turn / 2)), Vec3(std::cos(turn / 2), 0, -std::sin(turn / 2))},
              Beam::Start::straight);
  check.relative("unequal beams bent by clamps turned by 1e-3", "moment", "N m", rounded(EI * turn / length),
                 "exact: patch test", line.view().moment_b.norm(), 1e-5);
}

// Turned and moved as a whole it has no energy and no forces.
void moved_as_a_whole(Checker& check) {
  BentLine line(Beam({rod(length, 10, EA, EI, mass)}, {}, {}, space(0)));
  double energy = 0, force = 0;
  for (const Vec3& d : {Vec3(1, 0, 0), Vec3(0, 0, -1), Vec3(-0.6, 0.64, 0.48)}) {
    const Vec3 from(100, -20, 7);
    for (int i = 0; i < line.line.nodes(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const cable::StateLayout layout{line.line.nodes(), 6, 3};
        line.state[static_cast<size_t>(layout.position(axis) + i)] = from[axis] + line.line.unstretched(i) * d[axis];
        line.state[static_cast<size_t>(layout.position(3 + axis) + i)] = d[axis];
      }
    line.line.static_forces(line.state.data(), {from, from + length * d}, line.forces, line.work);
    force = std::max({force, line.forces.a.norm(), line.forces.b.norm()});
    energy = std::max(energy, line.line.energy(line.state.data()).elastic);
  }
  check.at_most("straight line moved and turned as a whole", "force over EA", "", "invariant: rigid motion", force / EA,
                1e-12);
  check.at_most("straight line moved and turned as a whole", "elastic energy over EA L", "", "invariant: rigid motion",
                energy / (EA * length), 1e-20);
}

}  // namespace

void cable_bending(Checker& check) {
  cantilever(check);
  rolled_up(check);
  under_its_weight(check);
  taut_at_a_clamp(check);
  patches(check);
  moved_as_a_whole(check);
}

}  // namespace davit::verify
