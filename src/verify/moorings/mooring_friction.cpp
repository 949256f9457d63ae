// Friction on the bed: a chain that lies straight is pulled by its end. Springs of stiffness k = μw/δ hold it (δ = 1
// cm) until they slip at μw, so that with κ² = k/EA
//   stuck:  u = d e^{−κx},  F = EA κ d;
//   slipping over a length ℓ from the end:  d = δ + κδ ℓ + μw ℓ²/(2 EA),  F = EA κδ + μw ℓ.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/moorings/mooring_lines.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double friction = 0.74, weight = 203.9 * 9.80665, EA = 61.56e6, stick = 0.01, length = 400;

cable::Bed rough_bed(double height) {
  cable::Bed bed = thesis_bed(height);
  bed.friction_along = friction, bed.friction_across = 0.98;
  return bed;
}
// Straight on the bed, as deep as its weight presses it, with a little tension all along (bars that are just slack
// flutter), which adds to what is found.
constexpr double tension_before = 1e-5 * EA;
struct Pulled {
  explicit Pulled(int elements)
      : moored(cable::Line({thesis_chain(length, elements)}, {}, rough_bed(-50), {}, {.tolerance = 1e-6})) {
    moored.settle(anchor, anchor + Vec3(stretched, 0, 0));
  }
  // Moves the end in slow steps; the force along the line.
  double pull_to(double displacement) {
    const double from = at;
    for (int i = 1; i <= 50; ++i) {
      at = from + (displacement - from) * i / 50;
      good = moored.step(time, 1, anchor, anchor + Vec3(stretched + at, 0, 0)) && good;
      time += 1;
    }
    return good ? -moored.forces.b.x() - tension_before : NAN;
  }
  Vec3 anchor = Vec3(0, 0, -50 - weight / 4785);
  double stretched = length * (1 + 1e-5);
  MooredLine moored;
  double at = 0, time = 0;
  bool good = true;
};

void pulled_by_its_end(Checker& check) {
  const double k = friction * weight / stick, kappa = std::sqrt(k / EA);
  const std::string name = "chain that lies straight, pulled by its end, 400 bars";
  Pulled chain(400);
  check.relative(name, "force at 5 mm, all stuck", "N", rounded(EA * kappa * 0.005), "exact: EA κ d",
                 chain.pull_to(0.005), 2e-3);
  const double inside = 20;
  const int node = static_cast<int>(length - inside);
  const double u = chain.moored.line.position(chain.moored.state.data(), node).x() -
                   chain.moored.line.unstretched(node) * (1 + 1e-5);
  check.relative(name, "displacement 20 m from the end", "m", rounded(0.005 * std::exp(-kappa * inside)),
                 "exact: d exp(-κx)", u, 5e-3);
  const double slip = 100, d = stick + kappa * stick * slip + friction * weight * slip * slip / (2 * EA);
  check.relative(name, "force when 100 m slip", "N", rounded(EA * kappa * stick + friction * weight * slip),
                 "exact: EA κδ + μw ℓ", chain.pull_to(d), 2e-3);

  // Held for a minute, in which it comes to rest, and for ten more.
  const auto hold = [&](double minutes) {
    for (int i = 0; i < 120 * minutes; ++i) {
      chain.good = chain.moored.step(chain.time, 0.5, chain.anchor, chain.anchor + Vec3(chain.stretched + d, 0, 0)) &&
                   chain.good;
      chain.time += 0.5;
    }
  };
  hold(1);
  const std::vector<double> before = chain.moored.state;
  hold(10);
  double creep = chain.good ? 0 : NAN;
  for (int i = 0; i < chain.moored.line.nodes(); ++i)
    creep = std::max(
        creep, (chain.moored.line.position(chain.moored.state.data(), i) - chain.moored.line.position(before.data(), i))
                   .norm());
  check.at_most(name, "creep in 10 min", "m", "exact: rest", creep, 1e-5);
}

// A fairlead that is pulled away by 3 m and held: what moves then only loses energy.
void energy_is_lost(Checker& check) {
  const ForcedLine g = forced_g1(7.6);
  MooredLine moored(cable::Line({thesis_chain(170, 80)}, {}, rough_bed(-10 - g.depth), {}, {.tolerance = 1e-8}));
  moored.settle(g.anchor(), g.fairlead(0));
  const double h = 0.01, reach = 2;
  double gained = 0, first = 0, last = 0;
  bool good = true;
  for (int i = 1; i <= 3000; ++i) {
    const double t = i * h, part = std::min(1.0, t / reach);
    good = moored.step(t - h, h, g.anchor(),
                       g.fairlead(0) + 3 * (1 - std::cos(std::numbers::pi * part)) / 2 * Vec3::UnitX()) &&
           good;
    const double energy = moored.line.energy(moored.state.data()).total();
    if (t <= reach + 3 * h) {
      first = last = energy;
      continue;
    }
    gained = std::max(gained, energy - last);
    last = energy;
  }
  const std::string name = "line on a rough bed, fairlead pulled by 3 m in 2 s and held for 28 s";
  check.at_most(name, "largest gain of energy in a step over what is lost in all", "", "invariant: energy",
                good ? gained / (first - last) : NAN, 1e-3);
}

// Thesis 2.4.3 (1): a current across the line that is 2 m/s at the surface.
struct Crosswise {
  double grounded_motion, deflection, tension_before, tension;
};
Crosswise in_a_current(double rough) {
  const double depth = 50;
  cable::Surroundings around;
  around.waves = true;
  const cable::Sea sea{[depth](double time, const Vec3* points, int count, cable::WaterSample* samples) {
    const double speed = 2 * std::min(1.0, time / 20);
    for (int i = 0; i < count; ++i)
      samples[i].velocity = Vec3(0, speed * std::pow(std::max(0.0, 1 + points[i].z() / depth), 1.0 / 7), 0);
  }};
  cable::Bed bed = rough_bed(-depth);
  bed.friction_along *= rough, bed.friction_across *= rough;
  MooredLine moored(cable::Line({thesis_chain(170, 100)}, {}, bed, around));
  moored.sea = &sea;
  const Vec3 a(0, 0, -depth), b(150, 0, -2);
  moored.settle(a, b);
  const cable::LineView before = moored.view();
  bool good = true;
  for (int i = 0; i < 3000; ++i) good = moored.step(0.1 * i, 0.1, a, b) && good;
  const cable::LineView after = moored.view();
  Crosswise out{0, 0, before.tension_b, good ? after.tension_b : NAN};
  for (size_t i = 0; i < after.positions.size(); ++i) {
    out.deflection = std::max(out.deflection, after.positions[i].y());
    // The half of what lay on the bed that is farther from the touchdown.
    if (moored.line.unstretched(static_cast<int>(i)) < 0.5 * before.touchdown)
      out.grounded_motion = std::max(out.grounded_motion, (after.positions[i] - before.positions[i]).norm());
  }
  return out;
}
void in_a_crosswise_current(Checker& check) {
  const Crosswise smooth = in_a_current(0), rough = in_a_current(1);
  const std::string name = "current of 2 m/s across a line, friction 0.74 and 0.98";
  check.at_most(name, "motion of the inner half of the grounded part", "m", "exact: less than it gives before it slips",
                rough.grounded_motion, stick);
  check.trend(name, "tension over that without a current", "", Checker::Side::above, 1, "published: thesis 2.4.3",
              rough.tension / rough.tension_before);
  check.trend(name, "the same without friction", "", Checker::Side::above, 1, "published: thesis 2.4.3",
              smooth.tension / smooth.tension_before);
  check.trend(name, "deflection over that without friction", "", Checker::Side::below, 1, "published: thesis 2.4.3",
              rough.deflection / smooth.deflection);
}

}  // namespace

void mooring_friction(Checker& check) {
  pulled_by_its_end(check);
  energy_is_lost(check);
  in_a_crosswise_current(check);
}

}  // namespace davit::verify
