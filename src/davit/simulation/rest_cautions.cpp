#include "davit/simulation/rest_cautions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/math/constants.hpp"
#include "davit/simulation/body_names.hpp"

namespace davit {

namespace {

// A part of the distance between the bodies that are farthest apart, and an angle: a lift that was described near its
// rest moves by less.
constexpr double far_of_size = 0.25, far_turned = pi / 6;

struct BodyPlace {
  Vec3 centre;
  Mat3 attitude;
};
std::vector<BodyPlace> places_of(const Scenario& scenario, System& system, const State& state) {
  system.place_bodies<double>(system.workspace(), state.t, state.q.data(), state.u.data(), state.discrete);
  const Kin& kin = system.workspace().kin;
  std::vector<BodyPlace> out;
  for (size_t i = 0; i < scenario.body_frames.size(); ++i) {
    const Mat3 R = rotation(kin, scenario.body_frames[i]);
    out.push_back({position(kin, scenario.body_frames[i]) + R * scenario.bodies[i].second.centre, R});
  }
  return out;
}

double size_of(const std::vector<BodyPlace>& bodies) {
  double out = 0;
  for (size_t i = 0; i < bodies.size(); ++i)
    for (size_t j = 0; j < i; ++j) out = std::max(out, (bodies[i].centre - bodies[j].centre).norm());
  return out;
}

double angle_between(const Mat3& a, const Mat3& b) {
  return std::acos(std::clamp(0.5 * ((a.transpose() * b).trace() - 1), -1.0, 1.0));
}

// The body that is farthest from where the file has it, beside what would be far.
std::optional<std::string> far_from_start(const Equilibrium& rest, const State& given, const Scenario& scenario,
                                          System& system) {
  const auto before = places_of(scenario, system, given), after = places_of(scenario, system, rest.state);
  const double size = size_of(before);
  double worst = 1;
  std::optional<std::string> out;
  for (size_t i = 0; i < before.size(); ++i) {
    const auto& [name, body] = scenario.bodies[i];
    const double moved = (after[i].centre - before[i].centre).norm();
    // Wheels and drums turn as far as their ropes need.
    const double turned = is_free(body) ? angle_between(before[i].attitude, after[i].attitude) : 0;
    const double measure = std::max(size > 0 ? moved / (far_of_size * size) : 0, turned / far_turned);
    if (measure <= worst) continue;
    worst = measure;
    out = fmt::format(
        "the equilibrium is far from where the file begins: '{}' is {:.3g} m away and turned by {:.0f} deg; is it the "
        "one that is meant? A load whose centre of gravity is above its lugs turns over, slack ropes let it fall",
        name, moved, turned * 180 / pi);
  }
  return out;
}

}  // namespace

std::vector<std::string> cautions_on(const Equilibrium& rest, const State& given, const Scenario& scenario,
                                     System& system) {
  std::vector<std::string> out;
  if (!rest.converged) return out;
  if (!rest.stable)
    out.push_back("the equilibrium is not stable: a small push and it leaves it; hold what falls, or begin elsewhere");
  if (auto far = far_from_start(rest, given, scenario, system)) out.push_back(*std::move(far));
  return out;
}

}  // namespace davit
