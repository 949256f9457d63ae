// A basket hitch that is pulled until it slips: how much more one leg carries than the other, by each law of friction,
// with legs that hang free and legs that touch a further edge lightly. A touch of no force changes nothing.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/mesh/shapes.hpp"
#include "davit/rope/self_check.hpp"
#include "verify/ropes/rope_pull.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double half = 1, reach = 2, mu = 0.15, right_angle = std::numbers::pi / 2;

// Tension at the last end over that at the first while rope slips over a box, half of it on either side of the origin,
// from one end to the other.
double slipping_ratio(Checker& check, const std::string& name, rope::FrictionLaw law, const Vec3& first,
                      const std::vector<Vec3>& around, const Vec3& last, int nodes) {
  rope::RopeSetup setup;
  setup.rope.elasticity = rope::Elasticity(1e7, 0);
  setup.rope.law = law;
  setup.tension = 1e4;
  setup.rope.layout.surfaces = {standing_surface("box", box_mesh(Vec3(2 * half, 4, 2 * half)), mu)};
  std::vector<Vec3> waypoints{first};
  waypoints.insert(waypoints.end(), around.begin(), around.end());
  waypoints.push_back(last);
  PulledRope rope = pulled_rope(std::move(setup), waypoints);
  const auto along = [&] {
    const auto leg = rope.view().tensions.legs.back();
    return Vec3((leg.to - leg.from).normalized());
  };
  const Vec3 way = 5e-4 * along();
  for (int i = 0; i < 60; ++i) rope.pull(way);
  const auto& v = rope.view();
  const std::string fault = rope::self_check(*rope.rope, v);
  const auto touching = static_cast<double>(v.state.path.size()) - 2;
  check.absolute(name, "edges that it touches", "1", nodes, "exact: geometry", touching, 0);
  check.at_most(name, "self-checks of the rope that fail", "1", "invariant", fault.empty() ? 0 : 1, 0);
  if (!fault.empty()) fmt::print(stderr, "{}: {}\n", name, fault);
  return v.tensions.tension.back() / v.tensions.tension.front();
}

struct Law {
  rope::FrictionLaw law;
  const char *name, *formula;
  // Of an edge that turns the rope by θ: the first that the rope comes to, the last, and one between others.
  double (*first)(double), (*last)(double), (*between)(double);
};
double chord(double turn) { return 2 * mu * std::sin(turn / 2); }
double of_mean(double share) { return (1 + share) / (1 - share); }
double by_capstan(double turn) { return std::exp(mu * turn); }
double by_sharp(double turn) { return of_mean(mu * std::tan(turn / 2)); }
const Law laws[] = {
    {rope::FrictionLaw::coulomb, "coulomb",
     "exact: jumps 2μ T sin θ/2 with T of the rope on the box: (1 + √2 μ)/(1 - √2 μ), legs free",
     [](double turn) { return 1 / (1 - chord(turn)); }, [](double turn) { return 1 + chord(turn); },
     [](double turn) { return of_mean(0.5 * chord(turn)); }},
    {rope::FrictionLaw::capstan, "capstan", "exact: exp(μ Σ θ)", by_capstan, by_capstan, by_capstan},
    {rope::FrictionLaw::sharp, "sharp", "exact: Π (1 + μ tan θ/2)/(1 - μ tan θ/2)", by_sharp, by_sharp, by_sharp},
};

// The rope lies over the top of the box; its legs hang down and lean away from the box, or towards it by `lean`: then
// they touch its lower edges.
void hitch(Checker& check, const Law& law, const std::string& name, double first_lean, double last_lean) {
  const auto end = [](double side, double lean) {
    return lean > 0 ? Vec3(side * (half - reach * std::tan(lean)), 0, -half - reach)
                    : Vec3(side * (half + (2 * half + reach) * std::tan(-lean)), 0, -half - reach);
  };
  const int nodes = 2 + (first_lean > 0) + (last_lean > 0);
  const std::vector<Vec3> around{
      {-half - 0.5, 0, -half}, {-half - 0.5, 0, 2}, {half + 0.5, 0, 2}, {half + 0.5, 0, -half}};
  const std::string full = fmt::format("basket hitch, {}, {}", law.name, name);
  const double ratio = slipping_ratio(check, full, law.law, end(-1, first_lean), around, end(1, last_lean), nodes);
  // A light touch leaves the corner beside it the first or last that counts.
  const auto side = [&](double (*outer)(double), double lean) {
    if (lean <= 0) return outer(right_angle + lean);
    return outer(lean) * (lean < 0.01 ? outer : law.between)(right_angle);
  };
  const double exact = side(law.first, first_lean) * side(law.last, last_lean);
  check.relative(full, "T₂/T₁ as it slips", "1", exact, law.formula, ratio, 2e-5);
}

}  // namespace

void rope_hitch(Checker& check) {
  const double light = 2e-5;
  for (const Law& law : laws) {
    hitch(check, law, "legs free", -light, -light);
    hitch(check, law, "the loaded leg touches a further edge", -light, light);
    hitch(check, law, "the other leg touches a further edge", light, -light);
    hitch(check, law, "both legs touch further edges", light, light);
    hitch(check, law, "both legs turn by 30° at further edges", std::numbers::pi / 6, std::numbers::pi / 6);
  }
  // One edge, and then a second one that the rope lies on without a force.
  for (const bool touches : {false, true}) {
    const std::string name = touches ? "one edge, and a second one lightly" : "one edge";
    const double ratio = slipping_ratio(check, name, rope::FrictionLaw::coulomb,
                                        Vec3(-half - reach, 0, half + (touches ? -light * reach : light * reach)),
                                        {{-half - reach, 0, 2}, {half + 0.5, 0, 2}, {half + 0.5, 0, -half}},
                                        Vec3(half + light, 0, -half - reach), touches ? 2 : 1);
    const double share = 0.5 * chord(right_angle);
    check.relative(name, "T₂/T₁ as it slips", "1", (1 + share) / (1 - share),
                   "exact: T₂ - T₁ = 2μ sin(θ/2) (T₁ + T₂)/2", ratio, 1e-4);
  }
}

}  // namespace davit::verify
