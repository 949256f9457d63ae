#include "davit/scenario/under_water.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {

namespace {

bool has_water(const Specification& spec) {
  const EnvironmentSpec& around = spec.environment;
  return !spec.elements.of<vessel::VesselSpec>().empty() || around.waves || around.current || around.water_depth ||
         around.seabed;
}

// How far the body reaches from its origin along a direction in its own axes.
double reach(const BodySpec& body, const Vec3& along) {
  double most = body.centre.dot(along);
  for (const auto& [name, at] : body.points) most = std::max(most, at.dot(along));
  double of_shape = 0;
  if (body.box) of_shape = 0.5 * body.box->size.dot(along.cwiseAbs());
  if (body.cylinder) {
    const double with_axis = std::min(1.0, std::abs(along.dot(body.cylinder->axis.direction.normalized())));
    of_shape = 0.5 * body.cylinder->length * with_axis + body.cylinder->radius * std::sqrt(1 - with_axis * with_axis);
  }
  if (body.sphere) of_shape = body.sphere->radius;
  return std::max(most, body.centre.dot(along) + of_shape);
}

}  // namespace

DryBodies::DryBodies(const Scenario& scenario) {
  const Model& model = *scenario.model;
  if (!has_water(scenario.specification)) return;
  // Bodies of vessels come first, in their order.
  std::vector<std::vector<int>> of_vessels;
  for (size_t v = 0; v < scenario.forms.size(); ++v) {
    hulls_.push_back({scenario.body_frames[v], scenario.forms[v]});
    of_vessels.push_back(model.speeds_moving(scenario.body_frames[v].body));
  }
  for (size_t i = scenario.forms.size(); i < scenario.bodies.size(); ++i) {
    const auto& [name, body] = scenario.bodies[i];
    const std::vector<int> speeds = model.speeds_moving(scenario.body_frames[i].body);
    const bool part_of_vessel = std::find(of_vessels.begin(), of_vessels.end(), speeds) != of_vessels.end();
    if (body.mass > 0 && !body.weightless && !speeds.empty() && !part_of_vessel)
      bodies_.push_back({name, &body, scenario.body_frames[i]});
  }
}

bool DryBodies::inside_a_hull(const Vec3& place, const Kin& kin) const {
  return std::any_of(hulls_.begin(), hulls_.end(), [&](const Hull& hull) {
    const Vec3 at = rotation(kin, hull.frame).transpose() * (place - position(kin, hull.frame));
    return std::abs(at.x()) < 0.5 * hull.form.length && std::abs(at.y()) < 0.5 * hull.form.beam &&
           at.z() > -hull.form.draft;
  });
}

double DryBodies::depth(size_t i, const Kin& kin) const {
  const Dry& dry = bodies_[i];
  const Mat3 R = rotation(kin, dry.frame);
  const Vec3 origin = position(kin, dry.frame);
  const Vec3 up = R.row(2).transpose();
  const double below = reach(*dry.spec, -up), depth = below - origin.z();
  // The foot of a long boom, whose shape here is a plain box, is not worth a word.
  constexpr double noticed_share = 0.05;
  if (depth < noticed_share * (below + reach(*dry.spec, up))) return -std::numeric_limits<double>::infinity();
  if (depth <= 0 || !inside_a_hull(origin + R * dry.spec->centre, kin)) return depth;
  return -std::numeric_limits<double>::infinity();
}

void check_under_water(const Scenario& scenario, input::Problems& problems) {
  const DryBodies dry(scenario);
  if (dry.size() == 0) return;
  System system(*scenario.model);
  const State start = scenario.initial_state();
  system.evaluate(start, System::Want::unconstrained);
  for (size_t i = 0; i < dry.size(); ++i) {
    const double depth = dry.depth(i, system.workspace().kin);
    if (!(depth > noticed_depth)) continue;
    problems.warning(
        dry.where(i),
        fmt::format("'{}' is {:.3g} m under water at the start; {}", dry.name(i), depth, no_water_on_bodies),
        "give it its submerged mass while it is there, or make a vessel of it if it floats");
  }
}

}  // namespace davit
