// Bodies that fall on ropes and slide on them (thesis on block erection, 2.3.4). The thesis shows pictures, without
// numbers: what must be seen in them is checked, with the self-checks of all ropes at every step.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "davit/mesh/shapes.hpp"
#include "verify/ropes/rope_lab.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, step = 0.01;
const char* published = "published: thesis on block erection, 2.3.4, in words and pictures";

struct Course {
  bool ok = true;
  std::string fault;
  Vec3 last = Vec3::Zero(), speed = Vec3::Zero();
  double lowest = 1e9, farthest = 0, turned = 0;
  size_t most_nodes = 0, nodes = 0;
  double touching = 0, released = 0;  // first and last time that a rope touches
  double height_at_release = 0;
  double drift = 0;  // along the ropes in the last two seconds
};

Course follow(RopeLab& lab, const std::string& body, double until, size_t ropes) {
  Course out;
  const Vec3 start = lab.position(body);
  const Mat3 R0 = lab.rotation(body);
  std::optional<double> before;
  out.ok = lab.run(until, step, [&] {
    const Vec3 at = lab.position(body);
    out.lowest = std::min(out.lowest, at.z());
    if (lab.t() > until - 2) {
      if (!before) before = at.x();
      out.drift = std::max(out.drift, std::abs(at.x() - *before));
    }
    out.farthest = std::max(out.farthest, (at - start).head<2>().norm());
    out.turned = std::max(out.turned, log_rotation(Mat3(R0.transpose() * lab.rotation(body))).norm());
    out.nodes = 0;
    for (size_t i = 0; i < ropes; ++i) out.nodes += lab.rope(i).state.path.size() - 2;
    out.most_nodes = std::max(out.most_nodes, out.nodes);
    if (out.nodes > 0) {
      if (out.touching == 0) out.touching = lab.t();
      out.released = lab.t();
      out.height_at_release = at.z();
    }
    if (out.fault.empty()) out.fault = lab.self_check();
  });
  out.last = lab.position(body);
  out.speed = lab.velocity(body);
  return out;
}

void healthy(Checker& check, const std::string& name, const Course& c) {
  check.at_most(name, "steps or self-checks of a rope that fail", "1", "invariant", c.ok && c.fault.empty() ? 0 : 1, 0);
  if (!c.fault.empty()) fmt::print(stderr, "{}: {}\n", name, c.fault);
}

LabRope spanned(const Vec3& from, const Vec3& to, double stiffness, double damping) {
  LabRope rope{"rope", {{"world", from}, {"world", to}}};
  const double length = (to - from).norm();
  rope.EA = stiffness * length;
  rope.damping = damping;
  rope.length = length;
  return rope;
}

// A box of 2 m, tilted about the horizontal across the rope, falls half a metre on it.
Course tilted_body(const TriangleMesh& mesh, double mass, double friction, double until) {
  const LabBody box{
      "body", {exp_rotation(Vec3(0, 0.35, 0)), Vec3(0, 0, 2.2)}, true, mass, box_inertia(mass, Vec3::Constant(2))};
  LabRope rope = spanned(Vec3(-15, 0, 0), Vec3(15, 0, 0), 2e5, friction > 0 ? 0.02 : 0);
  rope.surfaces = {{"body", mesh, friction, friction}};
  RopeLab lab({box}, {rope}, gravity);
  return follow(lab, "body", until, 1);
}

// A box on a rope that falls by 10° along x.
Course on_slope(double friction, double speed, double until) {
  const double slope = 10 * std::numbers::pi / 180, mass = 1000;
  const Mat3 R = axis_rotation(1, slope);
  const LabBody box{"body", {R, R * Vec3(-8, 0, 1.02)},       true,
                    mass,   box_inertia(mass, Vec3(4, 2, 2)), Vec3(speed, 0, 0)};
  std::vector<LabRope> ropes;
  for (const double y : {-0.8, 0.8}) {
    LabRope rope = spanned(R * Vec3(-20, y, 0), R * Vec3(20, y, 0), 1e6, 0.02);
    rope.surfaces = {{"body", box_mesh(Vec3(4, 2, 2)), friction, friction}};
    ropes.push_back(rope);
  }
  RopeLab lab({box}, ropes, gravity);
  return follow(lab, "body", until, 2);
}

// A body falls between two ropes that are closer than it is wide.
Course between(const TriangleMesh& mesh, double gap, double height, double until) {
  const double mass = 500;
  const LabBody body{
      "body", {Mat3::Identity(), Vec3(0, 0, height)}, true, mass, box_inertia(mass, Vec3::Constant(1.5))};
  std::vector<LabRope> ropes;
  for (const double y : {-gap / 2, gap / 2}) {
    LabRope rope = spanned(Vec3(-10, y, 0), Vec3(10, y, 0), 2e4, 0.02);
    rope.surfaces = {{"body", mesh}};
    ropes.push_back(rope);
  }
  RopeLab lab({body}, ropes, gravity);
  return follow(lab, "body", until, 2);
}

}  // namespace

void rope_cases(Checker& check) {
  const TriangleMesh box = box_mesh(Vec3::Constant(2)), eared = eared_mesh(2, 2);
  {
    const Course free = tilted_body(box, 500, 0, 3);
    const std::string name = "tilted box on a rope without friction";
    check.trend(name, "turned", "rad", Checker::Side::above, 0.5, published, free.turned);
    check.at_most(name, "moved aside", "m", "exact: no force along the rope but what its stretch gives", free.farthest,
                  0.5);
    healthy(check, name, free);
    const Course held = tilted_body(box, 500, 0.5, 40);
    const std::string rough = "tilted box on a rope with static friction";
    check.trend(rough, "moved aside", "m", Checker::Side::above, 0.05, published, held.farthest);
    check.at_most(rough, "drift in the last 2 s", "m", published, held.drift, 0.1);
    healthy(check, rough, held);
    const Course rabbit = tilted_body(eared, 500, 0.5, 4);
    const std::string ears = "tilted body with ears on a rope with static friction";
    check.trend(ears, "most nodes at once", "1", Checker::Side::above, 1.5, published,
                static_cast<double>(rabbit.most_nodes));
    healthy(check, ears, rabbit);
  }
  {
    const Course slides = on_slope(0, 0, 5), stops = on_slope(0.3, 3, 16);
    check.trend("box on a tilted rope without friction", "way, to the end of the rope", "m", Checker::Side::above, 18,
                published, slides.farthest);
    healthy(check, "box on a tilted rope without friction", slides);
    check.trend("box on a tilted rope with friction", "way", "m", Checker::Side::below, 10, published, stops.farthest);
    check.trend("box on a tilted rope with friction", "way", "m", Checker::Side::above, 1, published, stops.farthest);
    check.at_most("box on a tilted rope with friction", "drift in the last 2 s", "m", published, stops.drift, 0.1);
    healthy(check, "box on a tilted rope with friction", stops);
  }
  {
    const Course sphere = between(sphere_mesh(1, 3), 1.6, 2, 6);
    const std::string name = "sphere between two ropes";
    check.trend(name, "height at the end", "m", Checker::Side::below, -10, published, sphere.last.z());
    check.trend(name, "time on the ropes", "s", Checker::Side::above, 0.05, published,
                sphere.released - sphere.touching);
    // Without friction a rope is pushed straight out from the centre of a round body, and is straight again when it is
    // its radius away: the centre is then √(r² - (gap/2)²) below. The sphere has facets, and falls some way in a step.
    const double fallen = std::sqrt(2 * gravity * 2.6) * step, facets = 0.03;
    check.absolute(name, "height when the ropes leave it", "m", -0.6, "exact: √(1 - 0.8²) of a smooth sphere",
                   sphere.height_at_release, fallen + facets);
    healthy(check, name, sphere);
    const Course rabbit = between(eared, 1.2, 2, 8);
    const double round = -bounds(eared).low.z();
    const std::string ears = "body with ears between two ropes";
    check.trend(ears, "height at the end", "m", Checker::Side::below, -10, published, rabbit.last.z());
    check.absolute(ears, "height of the body when the ropes leave it, beside its ears", "m",
                   -std::sqrt(round * round - 0.6 * 0.6), "exact: √(r² - 0.6²) of its round part",
                   rabbit.height_at_release, fallen + facets);
    healthy(check, ears, rabbit);
  }
}

}  // namespace davit::verify
