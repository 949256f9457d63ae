// The engine as a user meets it: models of every kind by processor time, beside what they took before
// elements had derivatives, scratch and observables of their own, and the goals that were set then.
//   davit_bench_engine [part of a name]...
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "constrained_chain.hpp"
#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/run/run.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/test/source_tree.hpp"
#include "davit_peer.hpp"
#include "lifts.hpp"
#include "models.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"

namespace davit::bench {
namespace {

// One row of the table. A goal of a speed is a least value, all others are largest ones.
enum class Unit { nanoseconds, microseconds, milliseconds, seconds, real_time };
struct Goal {
  std::string work, before;
  Unit unit;
  double value;
};

std::string text(double value, Unit unit) {
  constexpr const char* names[] = {"ns", "µs", "ms", "s", "x"};
  return (value < 100 ? fmt::format("{:.3g} ", value) : fmt::format("{:.0f} ", value)) +
         names[static_cast<size_t>(unit)];
}
double in(Unit unit, double seconds) {
  constexpr double per_second[] = {1e9, 1e6, 1e3, 1, 1};
  return seconds * per_second[static_cast<size_t>(unit)];
}

void row(const Goal& goal, double now) {
  const bool more = goal.unit == Unit::real_time, reached = more ? now >= goal.value : now <= goal.value;
  fmt::print("| {:<69} | {:>9} | {:>13} | {} {:>7} | {:<3} |\n", goal.work, text(now, goal.unit), goal.before,
             more ? "≥" : "≤", text(goal.value, goal.unit), reached ? "yes" : "no");
  std::fflush(stdout);
}

[[noreturn]] void fail(const std::string& why) {
  fmt::print(stderr, "{}\n", why);
  std::exit(1);
}

// The least of some repetitions, in seconds.
template <class Task>
double least(int times, const Task& task) {
  double best = INFINITY;
  for (int i = 0; i < repetitions(times); ++i) {
    const double begin = processor_seconds();
    task();
    best = std::min(best, processor_seconds() - begin);
  }
  return best;
}

Scenario parsed(const std::string& yaml) {
  input::Problems problems;
  auto scenario = parse_scenario(yaml, "bench.yaml", problems);
  if (!scenario) fail(problems.to_text());
  return *std::move(scenario);
}
Scenario loaded(const std::string& name) {
  input::Problems problems;
  auto scenario = load_scenario(in_source("scenarios/") + name, {}, problems);
  if (!scenario) fail(problems.to_text());
  return *std::move(scenario);
}

// All that a user waits for: reading, equilibrium, modes, steps, recording of all channels, report. Fits of radiation
// memories are found in the cache from the second time on.
template <class Read>
double whole_run(int times, const Read& read) {
  std::string folder = std::filesystem::temp_directory_path() / "davit-bench-XXXXXX";
  if (!mkdtemp(folder.data())) fail("no folder for results");
  const auto once = [&] {
    const Scenario scenario = read();
    const RunReport report = run_scenario(
        scenario, {.directory = std::filesystem::path(folder) / "run", .created = {}, .warnings = {}, .proceed = {}});
    if (report.outcome.status != RunStatus::complete) fail("a run broke: " + report.outcome.why);
  };
  once();
  const double seconds = least(times, once);
  std::filesystem::remove_all(folder);
  return seconds;
}

void advance(Stepper& stepper, System& system, State& s, double h) {
  const StepOutcome outcome = stepper.step(system, s, h);
  if (!outcome.ok) fail(fmt::format("a run broke at {} s: {}, {}", s.t, outcome.why.element, outcome.why.why));
  system.commit(s);
}

// Seconds per step of a scenario from its start, after one that finds the structure; the least of some stretches.
double seconds_per_step(const Scenario& scenario, State state, int stretches, int steps) {
  System system(*scenario.model);
  const auto stepper = scenario.make_stepper();
  system.commit(state);
  advance(*stepper, system, state, scenario.options.step);
  return least(stretches,
               [&] {
                 for (int i = 0; i < steps; ++i) advance(*stepper, system, state, scenario.options.step);
               }) /
         steps;
}

void lift_by_barge() {
  const Scenario scenario = parsed(barge_lift());
  System system(*scenario.model);
  const double step = seconds_per_step(scenario, find_start(scenario, system).state, 5, 500);
  row({"barge_lift, 20 DOF, 5 ropes, 60 waves: a step of 20 ms", "573 µs", Unit::microseconds, 100},
      in(Unit::microseconds, step));
  row({"barge_lift, whole run, all channels", "33 x", Unit::real_time, 180},
      60 / whole_run(2, [] { return parsed(barge_lift()); }));
}

void hook_block() {
  row({"hook_block, whole run, all channels", "2.4 s", Unit::seconds, 0.3},
      whole_run(2, [] { return loaded("hook_block.yaml"); }));
}

// A chain of particles between two points of the world, 100 m of it over a span of 80 m, on springs that only pull.
std::unique_ptr<Model> hanging_chain(int count, const std::function<Vec3(double)>& start) {
  std::vector<Particle> list;
  for (int i = 0; i < count; ++i)
    list.push_back({"p" + std::to_string(i), 5, start((i + 1.0) / (count + 1)), Vec3::Zero()});
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  const auto particles = std::make_shared<Particles>(after(*tree), list);
  ModelParts parts;
  parts.blocks = {tree, particles};
  parts.body_names = {"world"};
  std::vector<Gravity::Weight> weights;
  for (int i = 0; i < count; ++i) {
    parts.body_names.push_back(list[static_cast<size_t>(i)].name);
    weights.push_back({particles->body(i), 5, Vec3::Zero()});
  }
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights)};
  for (int i = 0; i <= count; ++i) {
    const Frame a = i == 0 ? Frame{} : particles->frame(i - 1);
    const Frame b = i == count ? Frame{0, {Mat3::Identity(), Vec3(80, 0, 0)}} : particles->frame(i);
    parts.forces.push_back(std::make_shared<CompliantConstraint>(
        "line" + std::to_string(i),
        elastic_row(std::make_shared<PointDistance>(a, b), {1e6, 0, 100.0 / (count + 1), true})));
  }
  return std::make_unique<Model>(std::move(parts));
}

// Seconds to the equilibrium; infinite when it is not found.
double statics(const Model& model, int times) {
  bool found = true;
  const double seconds = least(times, [&] {
    System system(model);
    found = find_equilibrium(system, model.initial_state()).converged && found;
  });
  return found ? seconds : INFINITY;
}

void statics_of_chains() {
  struct Start {
    const char *name, *before;
    std::function<Vec3(double)> place;
  };
  for (const Start& start :
       {Start{"a parabola", "40 s", [](double x) { return Vec3(80 * x, 0, -100 * x * (1 - x)); }},
        Start{"a slack heap", "fails",
              [](double x) { return Vec3(80 * x, 0.3 * std::sin(40 * x), 0.2 * std::cos(31 * x)); }},
        Start{"a V", "fails", [](double x) { return Vec3(80 * x, 0, -60 * std::min(x, 1 - x)); }}})
    row({fmt::format("statics, chain of 133 particles (399 DOF), from {}", start.name), start.before, Unit::seconds,
         0.1},
        statics(*hanging_chain(133, start.place), 3));
}

void mooring() {
  const Scenario scenario = parsed(moored_barge(full_or(100, 5)));
  const std::string size = fmt::format("a barge on 4 lines of 100 particles ({} speeds)", scenario.model->nu());
  row({"statics, " + size, "25 min", Unit::seconds, 2}, statics(*scenario.model, 1));
  System system(*scenario.model);
  State state = find_equilibrium(system, scenario.initial_state()).state;
  row({"modes of it, the 40 slowest", "", Unit::seconds, 2}, least(1, [&] { vibration_modes(system, state); }));
  for (const double surge : {0.0, 0.5}) {
    state.u[3] = surge;
    row({surge > 0 ? "the same, while the barge surges at 0.5 m/s" : "the same, a step of 20 ms at rest, conserving",
         "8 ms", Unit::milliseconds, 2},
        in(Unit::milliseconds, seconds_per_step(scenario, state, 5, 20)));
  }
}

void chains_on_constraints() {
  constexpr double h = 0.01;
  for (const bool redundant : {false, true})
    for (const int links : cases({10, 30, 100, 200, 300, 500})) {
      const LinkChain c = link_chain(links, true, redundant);
      System system(*c.model);
      State s = c.model->initial_state();
      const auto stepper = make_implicit(ImplicitMethod::conserving, *c.model, {.newton_tolerance = 1e-9});
      const double first = least(1, [&] { advance(*stepper, system, s, h); });
      const int steps = std::max(5, 1000 / links);
      const double step = least(3,
                                [&] {
                                  for (int i = 0; i < steps; ++i) advance(*stepper, system, s, h);
                                }) /
                          steps;
      row({fmt::format("chain on constraints, {} bodies{}: per body and step", links,
                       redundant ? ", a redundant row" : ""),
           redundant ? "420 µs at 200" : "20-50 µs", Unit::microseconds, 12},
          in(Unit::microseconds, step / links));
      if (links == 500)
        row({fmt::format("the same{}, its first step", redundant ? ", a redundant row" : ""), redundant ? "" : "4.2 s",
             Unit::seconds, 0.1},
            first);
    }
}

// Boxes of one metre that lie beside each other on a plane, on four corners each.
std::unique_ptr<Model> boxes_on_a_plane(int count) {
  const auto name = [](int i) { return fmt::format("box{}", i); };
  constexpr int per_row = 40;
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) {
    Body b;
    b.name = name(i);
    b.joint.kind = JointKind::free;
    b.at.p = Vec3(1.5 * (i % per_row), 1.5 * (i / per_row), 0.5);
    b.mass = 100;
    b.inertia = Sym3::scaled_identity(100 / 6.);
    bodies.push_back(b);
  }
  const auto tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree->bodies_of_tree()) weights.push_back({b.last_segment, b.body.mass, b.frame.p});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -9.81), weights)};
  for (int i = 0; i < count; ++i)
    for (double x : {-0.5, 0.5})
      for (double y : {-0.5, 0.5})
        parts.contacts.push_back(
            {name(i) + " corner",
             std::make_shared<FrameConstraint>(tree->frame("world", Pose{}),
                                               tree->frame(name(i), Pose{Mat3::Identity(), Vec3(x, y, -0.5)}),
                                               FrameConstraint::Held{{true, true, true}, {}}),
             0.3, 0.0});
  return std::make_unique<Model>(std::move(parts));
}

void boxes_in_contact() {
  constexpr double h = 0.01;
  const int count = full_or(1000, 20);
  const std::unique_ptr<Model> model = boxes_on_a_plane(count);
  System system(*model);
  State s = model->initial_state();
  const auto stepper = make_implicit(ImplicitMethod::conserving, *model);
  advance(*stepper, system, s, h);
  const int steps = 5;
  const double step = least(3,
                            [&] {
                              for (int i = 0; i < steps; ++i) advance(*stepper, system, s, h);
                            }) /
                      steps;
  row({fmt::format("{} boxes at rest on rigid contacts with a plane, a step", count), "2.4 s", Unit::milliseconds, 20},
      in(Unit::milliseconds, step));
}

void ship_crane_lift() {
  row({"ship_crane/lift, whole run", "0.41 s", Unit::seconds, 0.15},
      whole_run(3, [] { return loaded("ship_crane/lift.yaml"); }));
  row({"ship_crane/lift, check", "0.27 s", Unit::seconds, 0.05}, least(5, [] { loaded("ship_crane/lift.yaml"); }));
}

void vessels_on_a_hinge() {
  row({"two hinged vessels in 60 waves, 20 ms, whole run", "6-8 x", Unit::real_time, 100},
      60 / whole_run(1, [] { return parsed(hinged_barges()); }));
}

void three_hours() {
  const double hours = full_or(3.0, 0.002);
  const Scenario scenario = parsed(ship_and_crane(hours));
  const double step = seconds_per_step(scenario, scenario.initial_state(), 1, static_cast<int>(hours * 3600 * 100));
  row({"3 h ship and crane in 780 waves, rk4 at 10 ms", "820-1085 x", Unit::real_time, 1300},
      scenario.options.step / step);
}

void forward_dynamics() {
  const auto states = crane_states(64, 1);
  DavitCrane crane;
  row({"forward dynamics, ship crane of 11 DOF", "700 ns", Unit::nanoseconds, 600},
      in(Unit::nanoseconds, least(50, [&] {
                              for (int i = 0; i < 20; ++i)
                                for (const CraneState& s : states) crane.compute(s);
                            }) / (20.0 * 64)));
  const auto chains = chain_states(8, 300, 1);
  DavitChain chain(300);
  row({"forward dynamics, chain of 300", "35 µs", Unit::microseconds, 30},
      in(Unit::microseconds, least(50, [&] {
                               for (const ChainState& s : chains) chain.compute(s.q, s.qd);
                             }) / 8));
}

struct Task {
  const char* name;
  void (*run)();
};
constexpr Task tasks[] = {{"barge_lift", lift_by_barge},
                          {"hook_block", hook_block},
                          {"statics", statics_of_chains},
                          {"mooring", mooring},
                          {"constraints", chains_on_constraints},
                          {"contacts", boxes_in_contact},
                          {"ship_crane", ship_crane_lift},
                          {"hinged", vessels_on_a_hinge},
                          {"3h", three_hours},
                          {"forward", forward_dynamics}};

}  // namespace
}  // namespace davit::bench

int main(int count, char** arguments) {
  using namespace davit::bench;
  double load[1] = {0};
  if (getloadavg(load, 1) == 1) fmt::print("load of the machine at the start {:.1f}\n\n", load[0]);
  fmt::print("| {:<69} | {:>9} | {:>13} | {:>9} | {} |\n|---|---|---|---|---|\n", "work", "now", "before", "goal",
             "reached");
  for (const Task& task : tasks)
    if (count == 1 || std::any_of(arguments + 1, arguments + count, [&](const char* part) {
          return std::string_view(task.name).find(part) != std::string_view::npos;
        }))
      task.run();
}
