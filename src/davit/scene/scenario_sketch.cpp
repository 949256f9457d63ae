#include "davit/scene/scenario_sketch.hpp"

#include <cmath>
#include <numbers>

#include "davit/scene/description.hpp"

namespace davit {

namespace {

using result::Point;

Point point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

// A picture of more bodies than this shows nothing but labels, and placing them takes long.
constexpr size_t most_drawn = 300;

// Edges of a solid in the body's frame.
std::vector<std::vector<Vec3>> outline(const BodySpec& spec) {
  std::vector<std::vector<Vec3>> lines;
  if (spec.box) {
    const Vec3 h = spec.box->size / 2;
    for (double z : {-1.0, 1.0}) {
      std::vector<Vec3> ring;
      for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}})
        ring.push_back(spec.centre + Vec3(x * h.x(), y * h.y(), z * h.z()));
      lines.push_back(ring);
    }
    for (size_t i = 0; i < 4; ++i) lines.push_back({lines[0][i], lines[1][i]});
  }
  const auto circle = [&](const Mat3& R, const Vec3& centre, double radius) {
    std::vector<Vec3> ring;
    for (int i = 0; i <= 24; ++i) {
      const double angle = 2 * std::numbers::pi * i / 24;
      ring.push_back(centre + R * Vec3(radius * std::cos(angle), radius * std::sin(angle), 0));
    }
    lines.push_back(ring);
  };
  if (spec.cylinder) {
    const Mat3 R = rotation_from_z(spec.cylinder->axis.direction);
    const Vec3 half = R.col(2) * spec.cylinder->length / 2;
    circle(R, spec.centre - half, spec.cylinder->radius);
    circle(R, spec.centre + half, spec.cylinder->radius);
    for (size_t i : {0u, 6u, 12u, 18u}) lines.push_back({lines[0][i], lines[1][i]});
  }
  if (spec.sphere)
    for (int axis = 0; axis < 3; ++axis) circle(rotation_from_z(Vec3::Unit(axis)), spec.centre, spec.sphere->radius);
  return lines;
}

}  // namespace

ModelSketch sketch_of(const Scenario& scenario, const State& start) {
  ModelSketch sketch;
  System system(*scenario.model);
  system.evaluate(start);
  const Kin& kin = system.workspace().kin;
  const Tree& tree = *scenario.tree;
  std::vector<const TreeBody*> on_joint(kin.body.size());  // by index in Kin; nothing for bodies beside the tree
  for (const TreeBody& b : tree.bodies_of_tree()) on_joint[static_cast<size_t>(b.last_segment)] = &b;
  const auto& bodies = scenario.bodies;
  const bool drawn = bodies.size() <= most_drawn;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto& [name, spec] = bodies[i];
    const Frame& frame = scenario.body_frames[i];
    const TreeBody* b = on_joint[static_cast<size_t>(frame.body)];
    sketch.tables.bodies.push_back(
        {name, spec.mass, point(spec.centre), spec.on.name, b ? b->body.joint.type().name : name_of(spec.coordinates)});
    if (!drawn) continue;
    const Mat3 R = rotation(kin, frame);
    const Vec3 p = position(kin, frame);
    const Vec3 joint = b ? kin.body[static_cast<size_t>(b->first_segment)].p : p;
    result::SketchBody drawing{name, {}};
    // From its joint to whatever hangs on it or is marked on it, and to its centre of mass.
    const auto line_to = [&](const Vec3& end) {
      if ((end - joint).norm() > 1e-9) drawing.polylines.push_back({point(joint), point(end)});
    };
    for (const TreeBody& child : tree.bodies_of_tree())
      if (child.body.on == name) line_to(kin.body[static_cast<size_t>(child.first_segment)].p);
    for (const auto& [label, at] : spec.points) line_to(p + R * at);
    if (drawing.polylines.empty()) line_to(p + R * spec.centre);
    for (const auto& line : outline(spec)) {
      std::vector<Point> world;
      for (const Vec3& x : line) world.push_back(point(p + R * x));
      drawing.polylines.push_back(std::move(world));
    }
    if (drawing.polylines.empty()) drawing.polylines.push_back({point(joint)});
    sketch.drawing.push_back(std::move(drawing));
  }
  const auto add = [&](auto& list, const Named& element) {
    list.push_back({element.name(), description(element, scenario.specification.run.units)});
  };
  for (const auto& f : scenario.model->forces()) add(sketch.tables.forces, *f.element);
  for (const auto& f : scenario.model->reaction_forces()) add(sketch.tables.forces, *f);
  for (const auto& c : scenario.model->controllers()) add(sketch.tables.controllers, *c.element);
  for (const auto& c : scenario.model->servos()) add(sketch.tables.controllers, *c.element);
  return sketch;
}

}  // namespace davit
