// Bodies that touch: an incline at the angle of friction, bouncing, a stack at rest; and a line that goes slack and
// taut a thousand times.
#include <fmt/format.h>

#include <cmath>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/solve/stepper.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.81, box_mass = 100, half = 0.5;

// Boxes of one metre on each other on a plane through the origin that is tilted about y: four contacts each.
struct BoxOptions {
  int count = 1;
  double tilt = 0, friction = 0, restitution = 0, height = 0;
  double offset = 0;  // of every second box, along x
  double x(int box) const { return box % 2 == 1 ? offset : 0; }
};
struct Boxes {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
};
Boxes make_boxes(const BoxOptions& o) {
  const Mat3 R = axis_rotation(1, o.tilt);
  const auto name = [](int i) { return i < 0 ? std::string("world") : "box" + std::to_string(i); };
  std::vector<Body> bodies;
  for (int i = 0; i < o.count; ++i) {
    Body b;
    b.name = name(i);
    b.joint.kind = JointKind::free;
    b.at = {R, R * Vec3(o.x(i), 0, half + 2 * half * i + o.height)};
    b.mass = box_mass;
    b.inertia = Sym3::scaled_identity(box_mass / 6);
    bodies.push_back(b);
  }
  Boxes out;
  out.tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {out.tree};
  parts.body_names = out.tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : out.tree->bodies_of_tree()) weights.push_back({b.last_segment, b.body.mass, b.frame.p});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};
  for (int i = 0; i < o.count; ++i) {
    const Pose top = i == 0 ? Pose{R, Vec3::Zero()} : Pose{Mat3::Identity(), Vec3(0, 0, half)};
    for (double x : {-half, half})
      for (double y : {-half, half}) {
        const Frame corner = out.tree->frame(name(i), Pose{Mat3::Identity(), Vec3(x, y, -half)});
        parts.contacts.push_back({name(i) + " corner",
                                  std::make_shared<FrameConstraint>(out.tree->frame(name(i - 1), top), corner,
                                                                    FrameConstraint::Held{{true, true, true}, {}}),
                                  o.friction, o.restitution});
      }
  }
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

// Steps until `going` says no; false when a step fails.
template <class Going>
bool advance(const Model& model, Stepper& stepper, State& s, double h, Going&& going) {
  System system(model);
  while (going())
    if (!stepper.step(system, s, h).ok) return false;
  return true;
}
State after_time(const Model& model, ImplicitMethod method, double end, double h) {
  State s = model.initial_state();
  const auto stepper = make_implicit(method, model);
  if (!advance(model, *stepper, s, h, [&] { return s.t < end - h / 2; })) s.q.setConstant(NAN), s.u.setConstant(NAN);
  return s;
}

struct Named {
  const char* name;
  ImplicitMethod method;
};
constexpr Named contact_methods[] = {{"conserving", ImplicitMethod::conserving},
                                     {"midpoint", ImplicitMethod::midpoint},
                                     {"implicit_euler", ImplicitMethod::implicit_euler},
                                     {"dele", ImplicitMethod::dele},
                                     {"spook", ImplicitMethod::spook}};

// tan θ = μ within 0.1 %: below it the box stays, above it slides at g (sin θ - μ cos θ).
void incline(Checker& check) {
  const double tilt = 0.4, end = 2, h = 0.01;
  for (const Named& m : contact_methods) {
    const BoxOptions rough{.tilt = tilt, .friction = 1.001 * std::tan(tilt)};
    const BoxOptions smooth{.tilt = tilt, .friction = 0.999 * std::tan(tilt)};
    const Boxes stuck = make_boxes(rough), slipping = make_boxes(smooth);
    const State a = after_time(*stuck.model, m.method, end, h), b = after_time(*slipping.model, m.method, end, h);
    const double exact = gravity * (std::sin(tilt) - smooth.friction * std::cos(tilt)) * end;
    check.at_most(fmt::format("box on an incline, friction 0.1 % above its tangent, {}", m.name), "moved in 2 s", "m",
                  "exact: rest", (a.q - stuck.model->initial_state().q).norm(), 1e-9);
    check.relative(fmt::format("box on an incline, friction 0.1 % below its tangent, {}", m.name), "speed after 2 s",
                   "m/s", exact, "exact: g (sin θ - μ cos θ) t", b.u.norm(), 1e-9);
  }
}

// A box dropped flat rises to e² of its height every time. Impacts are met within half a step, v h/2 of height.
void bouncing(Checker& check) {
  const double e = 0.6, height = 1, h = 1e-4;
  const Boxes box = make_boxes({.friction = 0.3, .restitution = e, .height = height});
  for (const Named& m : contact_methods) {
    State s = box.model->initial_state();
    const auto stepper = make_implicit(m.method, *box.model);
    double before = 0, worst = 0, exact = height;
    int tops = 0;
    advance(*box.model, *stepper, s, h, [&] {
      if (before > 0 && s.u[5] <= 0) {
        ++tops;
        exact *= e * e;
        worst = std::max(worst, std::abs(s.q[6] + height - exact));
      }
      before = s.u[5];
      return tops < 4 && s.t < 5;
    });
    check.at_most(fmt::format("box that bounces, {}, 1e-4 s", m.name), "largest error of the first four heights", "m",
                  "exact: e^2n", tops == 4 ? worst : NAN, h / 2 * std::sqrt(2 * gravity * height));
  }
}

// Ten boxes at rest, every second one set off by 0.2 m: every level carries the weight above it, the pairs of corners
// share it by its moment, and nothing pulls sideways.
void stack(Checker& check) {
  const BoxOptions options{.count = 10, .friction = 0.3, .offset = 0.2};
  const Boxes boxes = make_boxes(options);
  for (const Named& m : contact_methods) {
    const State s = after_time(*boxes.model, m.method, 1, 0.01);
    double level = 0, corner = 0, sideways = 0;
    for (int i = 0; i < options.count; ++i) {
      const double weight = (options.count - i) * box_mass * gravity;
      double moment = 0, carried = 0;
      for (int above = i; above < options.count; ++above)
        moment += box_mass * gravity * (options.x(above) - options.x(i));
      for (int k = 0; k < 4; ++k) {
        const Vec3 force = s.lambda.segment<3>(3 * (4 * i + k));
        const double exact = weight / 4 + (k < 2 ? -1 : 1) * moment / (4 * half);  // the first two are at -x
        carried += force.z();
        corner = std::max(corner, std::abs(force.z() - exact) / weight);
        sideways = std::max(sideways, force.head<2>().norm() / weight);
      }
      level = std::max(level, std::abs(carried / weight - 1));
    }
    const std::string name = fmt::format("stack of ten boxes, 1 s, {}", m.name);
    check.at_most(name, "force of a level over the weight above it, largest error", "", "exact: statics", level, 1e-9);
    check.at_most(name, "force of a corner over that weight, largest error", "", "exact: statics", corner, 1e-9);
    check.at_most(name, "sideways force over the weight, largest", "", "exact: zero", sideways, 1e-9);
    check.at_most(name, "moved, largest: contacts neither open nor enter", "m", "exact: rest",
                  (s.q - boxes.model->initial_state().q).cwiseAbs().maxCoeff(), 1e-8);
  }
}

// A hundred boxes on each other: as ten, and without a search that climbs from box to box.
void tall_stack(Checker& check) {
  const BoxOptions options{.count = 100, .friction = 0.3};
  const Boxes boxes = make_boxes(options);
  for (const Named& m : contact_methods) {
    const State s = after_time(*boxes.model, m.method, 0.2, 0.01);
    double level = 0;
    for (int i = 0; i < options.count; ++i) {
      double carried = 0;
      for (int k = 0; k < 4; ++k) carried += s.lambda[3 * (4 * i + k) + 2];
      level = std::max(level, std::abs(carried / ((options.count - i) * box_mass * gravity) - 1));
    }
    const std::string name = fmt::format("stack of a hundred boxes, 0.2 s, {}", m.name);
    check.at_most(name, "force of a level over the weight above it, largest error", "", "exact: statics", level, 1e-9);
    check.at_most(name, "moved, largest: contacts neither open nor enter", "m", "exact: rest",
                  (s.q - boxes.model->initial_state().q).cwiseAbs().maxCoeff(), 1e-8);
  }
}

// Thirty-two boxes that fall together: the ground stops all of them in one step, and they stay on each other.
void dropped_stack(Checker& check) {
  const double height = 0.05, h = 0.005;
  const BoxOptions options{.count = 32, .friction = 0.3, .height = height};
  const Boxes boxes = make_boxes(options);
  const State s = after_time(*boxes.model, ImplicitMethod::conserving, 0.5, h);
  double off = s.q.allFinite() ? 0 : NAN;
  for (int i = 0; s.q.allFinite() && i < options.count; ++i) off = std::max(off, std::abs(s.q[7 * i + 6] + height));
  check.at_most("stack of 32 boxes dropped by 50 mm, 0.4 s later", "off from standing on the ground, largest", "m",
                "exact: rest", off, 1e-6);
  check.at_most("stack of 32 boxes dropped by 50 mm, 0.4 s later", "speed, largest", "m/s", "exact: rest",
                s.u.cwiseAbs().maxCoeff(), 1e-6);
}

// A weight on a line falls one metre, is caught, and rises again: slack and taut, at steps from a tenth of 1/ω to ten.
void slack_and_taut(Checker& check) {
  const double mass = 1000, length = 10, free_fall = 1, h = 0.01;
  const auto drift = [&](double wh) {
    const double stiffness = mass * std::pow(wh / h, 2);
    const auto tree = std::make_shared<Tree>(std::vector<Body>{});
    const auto weight = std::make_shared<Particles>(
        after(*tree), std::vector<Particle>{{"weight", mass, Vec3(0, 0, free_fall - length), Vec3::Zero()}});
    ModelParts parts;
    parts.blocks = {tree, weight};
    parts.body_names = {"world", "weight"};
    parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity),
                                              std::vector<Gravity::Weight>{{weight->body(0), mass, Vec3::Zero()}}),
                    std::make_shared<CompliantConstraint>(
                        "line", elastic_row(std::make_shared<PointDistance>(Frame{}, weight->frame(0)),
                                            {stiffness, 0, length, true}))};
    const Model model(std::move(parts));
    System system(model);
    State s = model.initial_state();
    const auto energy = [&] {
      system.apply_forces<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete);
      return system.energy(s).total() + mass * gravity * length;
    };
    const double energy0 = energy();
    const auto stepper = make_implicit(ImplicitMethod::conserving, model);
    double worst = 0;
    int changes = 0;
    bool taut = false;
    const bool done = advance(model, *stepper, s, h, [&] {
      worst = std::max(worst, std::abs(energy() / energy0 - 1));
      const bool now = s.q.norm() > length;
      if (now != taut) ++changes;
      taut = now;
      return changes < 1000 && s.t < 2000;
    });
    return done && changes == 1000 ? worst : NAN;
  };
  for (const double wh : {0.1, 0.3, 1.0, 3.0, 10.0})
    check.at_most(fmt::format("weight on a line, slack and taut 1000 times, ωh = {}, conserving", wh),
                  "drift of the energy over its start", "", "invariant: energy", drift(wh), 1e-9);
}

}  // namespace

void stacks(Checker& check) {
  incline(check);
  bouncing(check);
  stack(check);
  tall_stack(check);
  dropped_stack(check);
  slack_and_taut(check);
}

}  // namespace davit::verify
