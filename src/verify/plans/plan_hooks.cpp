// Hooks of their own weight between hoist and sling: the load's motion gives the sling's force and direction, that the
// hook's motion, that the hoist's, and with it trolley and winch. Closed formulas in series, beside plans of files,
// from the laboratory to the yard.
#include <fmt/format.h>

#include "davit/math/taylor.hpp"
#include "davit/scenario/lift_plan.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using Series = Taylor<10>;
constexpr double g = 9.80665;

struct Crane {
  const char* name;
  double trolley, hook, load;   // kg
  double height, hoist, sling;  // m
  double radius, inertia;       // of the drum
  double travel, lift, over;    // m, m, s
};

struct Vec {
  Series x, z;
};
Vec force_of(const Vec& p, double mass) {
  return {Series(mass) * p.x.rate().rate(), Series(mass) * (Series(g) + p.z.rate().rate())};
}
Series length_of(const Vec& f) { return sqrt(f.x * f.x + f.z * f.z); }

// Force of the trolley, torque of the winch, and the places of trolley and drum.
struct Planned {
  double force, torque, travel, angle;
};
Planned planned(const Crane& c, double t) {
  const Series part = Series::time(t) / Series(c.over);
  Series way(0.0), power(1.0);
  for (const double coefficient : smooth_step(6)) {
    way += Series(coefficient) * power;
    power *= part;
  }
  const Vec load{Series(c.travel) * way, Series(c.height - c.hoist - c.sling) + Series(c.lift) * way};
  const Vec of_sling = force_of(load, c.load);
  const Series sling = length_of(of_sling);
  const Vec hook{load.x + Series(c.sling) * of_sling.x / sling, load.z + Series(c.sling) * of_sling.z / sling};
  const Vec of_hook = force_of(hook, c.hook);
  const Vec of_hoist{of_hook.x + of_sling.x, of_hook.z + of_sling.z};
  const Series hoist = length_of(of_hoist), drop = Series(c.height) - hook.z;
  const Series trolley = hook.x + drop * of_hoist.x / of_hoist.z, rope = drop * hoist / of_hoist.z;
  return {c.trolley * 2 * trolley.c[2] + of_hoist.x.c[0], c.inertia * 2 * rope.c[2] / c.radius - c.radius * hoist.c[0],
          trolley.c[0], (rope.c[0] - c.hoist) / c.radius};
}

std::string text_of(const Crane& c) {
  return fmt::format(
      "davit: 1\n"
      "title: a hook between hoist and sling\n"
      "bodies:\n"
      "  trolley: {{at: [0, 0, {} m], joint: {{prismatic: x}}, mass: {} kg}}\n"
      "  swing: {{on: trolley, joint: {{revolute: y}}, mass: 0 kg}}\n"
      "  hook: {{on: swing, at: [0, 0, {} m], joint: {{prismatic: z}}, mass: {} kg}}\n"
      "  sling: {{on: hook, joint: {{revolute: y}}, mass: 0 kg}}\n"
      "  load: {{on: sling, at: [0, 0, {} m], joint: fixed, mass: {} kg}}\n"
      "ropes: {{hoist: {{from: trolley, to: hook, EA: 1e10 N, tension: {} N}}}}\n"
      "winches: {{winch: {{rope: hoist, drum: {{radius: {} m, inertia: {} kg m^2}}}}}}\n"
      "constraints: {{rails: {{motion: {{joint: trolley}}}}}}\n"
      "plan:\n"
      "  inputs: [trolley, winch]\n"
      "  outputs: {{load: {{point: load, along: xz, by: [{} m, 0, {} m]}}}}\n"
      "  over: {} s\n"
      "  step: {} s\n"
      "run: {{duration: {} s, step: 10 ms}}\n",
      c.height, c.trolley, -c.hoist, c.hook, -c.sling, c.load, (c.hook + c.load) * g, c.radius, c.inertia, c.travel,
      c.lift, c.over, c.over / 200, c.over);
}

void hook(Checker& check, const Crane& c) {
  input::Problems problems;
  const auto plan = plan_lift(scenario_of(text_of(c)), problems);
  if (!plan || !plan->plan.complete) throw std::runtime_error("no plan of " + std::string(c.name) + problems.to_text());
  const std::string source = "exact: closed formulas of the flat system";
  check.absolute(c.name, "differentiation index", "1", 7, "published: double-pendulum crane",
                 plan->analysis.index.value_or(0), 0);
  double forces = 0, torques = 0, places = 0, most_force = 0, most_torque = 0;
  for (const auto& at : plan->plan.points) {
    const Planned exact = planned(c, at.t);
    most_force = std::max(most_force, std::abs(exact.force));
    most_torque = std::max(most_torque, std::abs(exact.torque));
    forces = std::max(forces, std::abs(at.w[0] - exact.force));
    torques = std::max(torques, std::abs(at.w[1] - exact.torque));
    places = std::max({places, std::abs(at.q[plan->model.inputs[0].at.q] - exact.travel) / c.travel,
                       std::abs(at.q[plan->model.inputs[1].at.q] - exact.angle) * c.radius / c.travel});
  }
  check.at_most(c.name, "trolley and drum, of the way", "1", source, places, 1e-9);
  check.at_most(c.name, "force of the trolley, of the largest", "1", source, forces / most_force, 1e-8);
  check.at_most(c.name, "torque of the winch, of the largest", "1", source, torques / most_torque, 1e-9);
}

}  // namespace

void plan_hooks(Checker& check) {
  for (const Crane& c : {Crane{"laboratory, 1 kg below 0.2 kg", 3, 0.2, 1, 2, 1, 0.4, 0.03, 1e-3, 0.8, 0.2, 5},
                         Crane{"yard, 300 t below a hook of 20 t", 2e5, 2e4, 3e5, 30, 15, 8, 0.8, 8000, 10, 3, 60},
                         Crane{"heavy hook, 10 t below 30 t", 8e4, 3e4, 1e4, 60, 40, 6, 1, 2e4, 20, -5, 70}})
    hook(check, c);
}

}  // namespace davit::verify
