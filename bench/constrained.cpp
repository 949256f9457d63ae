// Chains of free bodies held together by ball constraints: time per step and per error against the number of bodies,
// beside Simbody with the same bodies and constraints (a module that is loaded when its package is there). The
// reference is the same chain on tree joints, integrated to 1e-12 per step. Errors are distances of the last link's end
// after the whole time.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "allocations.hpp"
#include "constrained_chain.hpp"
#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/solve/run_loop.hpp"
#include "processor_time.hpp"
#include "simbody_chain.hpp"
#include "smoke.hpp"

using namespace davit;
using davit::bench::link_chain;
using davit::bench::LinkChain;
using davit::bench::processor_seconds;

namespace {

const FrameConstraint::Held all_directions{{true, true, true}, {}};

Vec3 place(const LinkChain& c, System& system, const State& s) {
  Kin& kin = system.workspace().kin;
  for (const auto& b : c.model->blocks()) b.block->kinematics(s.q.data() + b.first_q, s.u.data() + b.first_u, kin);
  return position(kin, c.end);
}

void advance(Stepper& stepper, System& system, State& s, double h) {
  const StepOutcome out = stepper.step(system, s, h);
  if (out.ok) return;
  fmt::print(stderr, "{} broke at {} s: {}, {}\n", stepper.name(), s.t, out.why.element, out.why.why);
  std::exit(1);
}

Vec3 reference(int links, double duration) {
  const LinkChain c = link_chain(links, false);
  System system(*c.model);
  State s = c.model->initial_state();
  const auto stepper = make_dormand_prince(*c.model, {.tolerance = 1e-12});
  while (s.t < duration) advance(*stepper, system, s, duration - s.t);
  return place(c, system, s);
}

struct Run {
  double error = 0, seconds = 0, step = 0, allocations = 0;
  StepCounts counts;
};
// The least time of the explicit method on the same constraints whose error is at most the given one.
Run run_explicit(const LinkChain& c, double duration, double error, const Vec3& exact) {
  Run out;
  for (double tolerance = 1e-3; tolerance > 1e-12; tolerance /= 3) {
    System system(*c.model);
    State s = c.model->initial_state();
    const auto stepper = make_dormand_prince(*c.model, {.tolerance = tolerance, .first_step = 1e-2});
    const double begin = processor_seconds();
    while (s.t < duration) advance(*stepper, system, s, duration - s.t);
    out.seconds = processor_seconds() - begin;
    out.error = (place(c, system, s) - exact).norm();
    out.step = duration / static_cast<double>(stepper->counts().steps);
    if (out.error <= error) break;
  }
  return out;
}

Run run(const LinkChain& c, ImplicitMethod method, double duration, double h, const Vec3& exact) {
  System system(*c.model);
  State s = c.model->initial_state();
  const auto stepper = make_implicit(method, *c.model, {.newton_tolerance = 1e-9});
  advance(*stepper, system, s, h);  // finds the structure
  s = c.model->initial_state();
  const long steps = std::lround(duration / h);
  const bench::Allocations allocations;
  const double begin = processor_seconds();
  for (long i = 0; i < steps; ++i) advance(*stepper, system, s, duration / static_cast<double>(steps));
  Run out{0, processor_seconds() - begin, h, static_cast<double>(allocations.so_far()) / static_cast<double>(steps),
          stepper->counts()};
  out.error = (place(c, system, s) - exact).norm();
  return out;
}

// 200 bodies in chains, 300 constraints and 50 elastic lines between them, 10 ms steps.
void big_model() {
  std::vector<Body> bodies;
  const int columns = 20, rows = 10;
  const auto name = [&](int c, int r) { return "b" + std::to_string(c) + "_" + std::to_string(r); };
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) {
      Body b;
      b.name = name(c, r);
      b.mass = 100;
      b.inertia = Sym3::diagonal(10, 10, 10);
      b.at.p = Vec3(2.0 * c, 0, -1.0 * r);
      b.joint.kind = JointKind::free;
      b.joint.rate = {0, 0, 0, 0.1, 0.05, 0};
      bodies.push_back(b);
    }
  const auto tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree->bodies_of_tree()) weights.push_back({b.last_segment, b.body.mass, b.frame.p});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights)};
  const auto at = [&](const std::string& body, const Vec3& p) { return tree->frame(body, Pose{Mat3::Identity(), p}); };
  int constraints = 0, ropes = 0;
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) {
      const Frame below = at(name(c, r), Vec3(0, 0, 0.5));
      const Frame above = r == 0 ? at("world", Vec3(2.0 * c, 0, 0.5)) : at(name(c, r - 1), Vec3(0, 0, -0.5));
      parts.constraints.push_back(
          {"ball" + std::to_string(constraints++), std::make_shared<FrameConstraint>(above, below, all_directions)});
      // Every second body is also held to its neighbour column by a rod.
      if (c + 1 < columns && (r + c) % 2 == 0)
        parts.constraints.push_back(
            {"rod" + std::to_string(constraints++),
             std::make_shared<PointDistance>(at(name(c, r), Vec3::Zero()), at(name(c + 1, r), Vec3::Zero()), 2.0)});
      if (ropes < 50 && c + 1 < columns && r + 1 < rows && (r + c) % 2 == 1) {
        const double diagonal = std::hypot(2.0, 1.0);
        parts.forces.push_back(std::make_shared<CompliantConstraint>(
            "rope" + std::to_string(ropes++),
            elastic_row(
                std::make_shared<PointDistance>(at(name(c, r), Vec3::Zero()), at(name(c + 1, r + 1), Vec3::Zero())),
                {1e6, 100, diagonal, true})));
      }
    }
  const Model model(std::move(parts));
  System system(model);
  State s = model.initial_state();
  if (!system.satisfy_constraints(s)) std::abort();
  const auto stepper = make_implicit(ImplicitMethod::conserving, model);
  advance(*stepper, system, s, 0.01);
  const int steps = bench::repetitions(100);
  const double begin = processor_seconds();
  for (int i = 0; i < steps; ++i) advance(*stepper, system, s, 0.01);
  const double seconds = processor_seconds() - begin;
  fmt::print(
      "\n{} bodies, {} constraints, {} elastic lines, conserving at 10 ms: {:.2f} ms per step, {:.1f} times real "
      "time\n",
      columns * rows, constraints, ropes, 1e3 * seconds / steps, 0.01 * steps / seconds);
}

}  // namespace

int main() {
  const double duration = 10;
  fmt::print(
      "conserving, ball constraints between free bodies\n  bodies  step ms  error m    us per step  us/body  "
      "iterations  matrices  allocations\n");
  for (int links : bench::cases({10, 30, 100, 300})) {
    const LinkChain c = link_chain(links, true);
    const Run r = run(c, ImplicitMethod::conserving, 1, 0.01, reference(links, 1));
    const double steps = static_cast<double>(r.counts.steps - 1);
    fmt::print("  {:6} {:8.3g} {:9.2e} {:13.1f} {:8.2f} {:11.1f} {:9.2f} {:12.1f}\n", links, 1e3 * r.step, r.error,
               1e6 * r.seconds / steps, 1e6 * r.seconds / steps / links,
               static_cast<double>(r.counts.iterations) / steps, static_cast<double>(r.counts.matrices) / steps,
               r.allocations);
  }
  big_model();

  if (bench::smoke()) return 0;
  void* module = dlopen(DAVIT_SIMBODY_CHAIN, RTLD_NOW);
  if (!module) {
    fmt::print("\nSimbody is not here: {}\n", dlerror());
    return 0;
  }
  const auto simbody = reinterpret_cast<SimbodyChain*>(dlsym(module, "simbody_chain"));
  fmt::print(
      "\nat equal error after {} s (free bodies and ball constraints in all three)\n"
      "  bodies   Simbody: error m   step ms      s   conserving: error m  step ms      s  ratio   dopri5: error m  "
      "step ms      s  ratio\n",
      duration);
  for (int links : {10, 20, 40}) {
    const Vec3 exact = reference(links, duration);
    const SimbodyRun theirs = simbody(links, bench::link_length, bench::chain_tilt, duration, 1e-4);
    const double error = (Vec3(theirs.end[0], theirs.end[1], theirs.end[2]) - exact).norm();
    const LinkChain c = link_chain(links, true);
    Run ours;
    for (double h = 0.02; h > 1e-4; h /= 1.2) {
      ours = run(c, ImplicitMethod::conserving, duration, h, exact);
      if (ours.error <= error) break;
    }
    const Run own_explicit = run_explicit(c, duration, error, exact);
    fmt::print("  {:6} {:18.2e} {:9.2f} {:6.2f} {:21.2e} {:8.2f} {:6.2f} {:6.1f} {:17.2e} {:8.2f} {:6.2f} {:6.1f}\n",
               links, error, 1e3 * duration / static_cast<double>(theirs.steps), theirs.seconds, ours.error,
               1e3 * ours.step, ours.seconds, theirs.seconds / ours.seconds, own_explicit.error,
               1e3 * own_explicit.step, own_explicit.seconds, theirs.seconds / own_explicit.seconds);
  }
}
