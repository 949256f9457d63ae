// Every method on every kind of model that it accepts: order of convergence, constraints, energy, momentum, dense
// output, determinism, allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/solve/methods.hpp"
#include "davit/solve/run_loop.hpp"
#include "davit/solve/test/count_allocations.hpp"
#include "verify/methods/method_problems.hpp"

namespace davit::verify {
namespace {

struct Pair {
  const MethodInfo* method;
  const MethodProblem* problem;
  bool reduced = false;  // Newton's method in the independent speeds
};
std::ostream& operator<<(std::ostream& out, const Pair& p) {
  return out << p.method->name << (p.reduced ? ", reduced, on " : " on ") << p.problem->name;
}

std::unique_ptr<Stepper> make(const Pair& p, double step, double tolerance = 1e-9) {
  MethodOptions options;
  options.step = step;
  options.tolerance = tolerance;
  options.implicit.reduced = p.reduced;
  return p.method->make(*p.problem->model, options);
}

std::vector<Pair> accepted() {
  std::vector<Pair> pairs;
  for (const MethodInfo& m : methods())
    for (const MethodProblem& p : method_problems())
      for (const bool reduced : {false, true}) {
        if (reduced && m.name != "conserving" && m.name != "energy_momentum" && m.name != "midpoint") continue;
        const Pair pair{&m, &p, reduced};
        if (!unsupported_reason(*make(pair, 0.01), *p.model, 0.01)) pairs.push_back(pair);
      }
  return pairs;
}

// Of the massless there are no accelerations, but kinematics.
Vec3 where(System& system, const State& s, const Frame& frame) {
  system.evaluate(s);
  return position(system.workspace().kin, frame);
}
double energy(System& system, const State& s) {
  system.evaluate(s);
  return system.energy(s).total();
}
double gap(System& system, const State& s) {
  double worst = 0;
  for (size_t i = 0; i < system.model().constraints().size(); ++i)
    worst = std::max(worst, system.violation(s, static_cast<int>(i)));
  return worst;
}

// Where the watched point ends by Runge-Kutta with a tolerance near round-off.
Vec3 exact_end(const MethodProblem& p) {
  static std::map<std::string, Vec3> known;
  const auto found = known.find(p.name);
  if (found != known.end()) return found->second;
  System system(*p.equivalent);
  State s = p.equivalent->initial_state();
  EXPECT_TRUE(system.satisfy_constraints(s));
  const auto stepper = make_dormand_prince(*p.equivalent, {.tolerance = 1e-13});
  while (s.t < p.end - 1e-12) EXPECT_TRUE(stepper->step(system, s, p.end - s.t).ok);
  return known[p.name] = where(system, s, p.equivalent_watched);
}

class EveryMethod : public ::testing::TestWithParam<Pair> {
 protected:
  const MethodProblem& problem = *GetParam().problem;
  const std::string& method = GetParam().method->name;
  const Model& model = *problem.model;
  System system{model};

  // A run of equal steps (or of the method's own); `each` sees every state.
  template <class Each>
  State run(int steps, Each each, double tolerance = 1e-9) {
    const double h = problem.end / steps;
    State s = model.initial_state();
    const auto stepper = make(GetParam(), h, tolerance);
    while (s.t < problem.end - 1e-9) {
      const StepOutcome out = stepper->step(system, s, std::min(h, problem.end - s.t));
      EXPECT_TRUE(out.ok) << s.t << " " << out.why.element << ": " << out.why.why;
      if (!out.ok) break;
      each(s);
    }
    return s;
  }
  State run(int steps) {
    return run(steps, [](const State&) {});
  }
  bool one_of(std::initializer_list<const char*> names) const {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return method == name; });
  }
  bool constant_mass() const {
    return std::all_of(model.blocks().begin(), model.blocks().end(),
                       [](const auto& b) { return b.block->nu() == 0 || b.block->constant_mass(); });
  }
};

TEST_P(EveryMethod, HasItsOrder) {
  if (!problem.smooth) {
    run(problem.steps);  // gets through, at least
    return;
  }
  const Vec3 exact = exact_end(problem);
  const auto stepper = make(GetParam(), 0.01);
  if (stepper->adaptive()) {
    for (const double tolerance : {1e-5, 1e-8}) {
      const State s = run(
          1, [](const State&) {}, tolerance);
      EXPECT_LT((where(system, s, problem.watched) - exact).norm(), 100 * tolerance);
    }
    return;
  }
  const auto error = [&](int steps) { return (where(system, run(steps), problem.watched) - exact).norm(); };
  const double coarse = error(problem.steps), fine = error(2 * problem.steps);
  EXPECT_GT(std::log2(coarse / fine), stepper->order() - 0.25) << coarse << " " << fine;
  EXPECT_GT(coarse, 1e-13);
}

TEST_P(EveryMethod, HoldsTheConstraints) {
  if (std::none_of(model.constraints().begin(), model.constraints().end(),
                   [](const auto& c) { return c.constraint.geometry->holonomic(); }))
    return;
  const auto worst = [&](int steps) {
    double most = 0;
    run(steps, [&](const State& s) { most = std::max(most, gap(system, s)); });
    return most;
  };
  const double coarse = worst(problem.steps);
  if (!one_of({"dele", "spook"})) {
    EXPECT_LT(coarse, 1e-10);
    return;
  }
  // They correct in the next step what one step leaves, which is of order h².
  EXPECT_LT(coarse, 5e-3);
  EXPECT_GT(coarse / worst(2 * problem.steps), 3);
}

TEST_P(EveryMethod, KeepsTheEnergyAsItPromises) {
  const double start = energy(system, model.initial_state());
  if (!problem.keeps_energy) return;
  double scale = 0, last = start;
  bool falls = true;
  const auto worst = [&](int steps) {
    double most = 0;
    last = start;
    run(steps, [&](const State& s) {
      system.evaluate(s);
      const Energy e = system.energy(s);
      most = std::max(most, std::abs(e.total() - start));
      scale = std::max(scale, e.kinetic);
      falls = falls && e.total() < last + 1e-9 * (1 + scale);
      last = e.total();
    });
    return most;
  };
  const double coarse = worst(problem.steps);
  if (one_of({"energy_momentum"}) || (method == "conserving" && constant_mass())) {
    EXPECT_LT(coarse, 1e-10 * scale);
    return;
  }
  if (method == "implicit_euler") {
    EXPECT_TRUE(falls);
    EXPECT_LT(last, start - 1e-5 * scale);
  }
  if (!problem.smooth) return;
  const auto stepper = make(GetParam(), 0.01);
  if (stepper->adaptive()) {
    EXPECT_LT(coarse, 1e-7 * scale);
    return;
  }
  // Over two halvings: a method that chooses its coordinates on the way makes single ratios jump.
  const double fine = worst(4 * problem.steps);
  EXPECT_TRUE(fine < 1e-12 * scale || std::log2(coarse / fine) / 2 > stepper->order() - 0.4) << coarse << " " << fine;
}

// A drum without inertia, recorded: at every instant of a step the rope's pull on it is the spring's. The rows of a run
// show the pull in the middle of the step before them.
TEST(Solution, AModelWithoutMassSomewhereIsRecordedWithTheForcesOfItsSteps) {
  const auto problems = method_problems();
  const auto found = std::find_if(problems.begin(), problems.end(),
                                  [](const MethodProblem& p) { return p.name == "coordinates without mass"; });
  ASSERT_NE(found, problems.end());
  const Model& model = *found->model;
  constexpr double radius = 0.2, stiffness = 4, h = 0.01;
  struct Rows final : Observer {
    std::vector<double> angle, pull;
    void record(const State& s, System& system) override {
      angle.push_back(s.q[s.q.size() - 1]);
      pull.push_back(system.workspace().rows.lambda[0]);
    }
  } rows;
  System system(model);
  State state = model.initial_state();
  const auto stepper = make_implicit(ImplicitMethod::conserving, model);
  const RunOutcome outcome = simulate(system, *stepper, state, {.end = 1, .step = h, .output = h}, rows);
  ASSERT_EQ(outcome.status, RunStatus::complete) << outcome.element << ": " << outcome.why;
  ASSERT_EQ(rows.pull.size(), 101u);
  double most = 0;
  for (size_t i = 1; i < rows.pull.size(); ++i) {
    most = std::max(most, std::abs(rows.pull[i]));
    EXPECT_NEAR(std::abs(rows.pull[i]) * radius, std::abs(stiffness * (rows.angle[i] + rows.angle[i - 1]) / 2), 1e-9);
  }
  EXPECT_GT(most, 1);
}

// Where the mass is constant, symmetric methods make an error of the energy that comes and goes, and does not add up.
// On tree coordinates it does, slowly: nothing is promised there.
TEST_P(EveryMethod, KeepsTheEnergyBoundedInLongRuns) {
  if (!problem.keeps_energy || !problem.smooth || !constant_mass()) return;
  if (!one_of({"conserving", "energy_momentum", "midpoint", "variational_midpoint", "stoermer_verlet"})) return;
  const double start = energy(system, model.initial_state()), h = problem.end / problem.steps;
  const int quarter = 10 * problem.steps;
  State s = model.initial_state();
  const auto stepper = make(GetParam(), h);
  double early = 0, late = 0, scale = 0;  // largest of the first quarter, mean of the last
  for (int i = 0; i < 4 * quarter; ++i) {
    ASSERT_TRUE(stepper->step(system, s, h).ok);
    system.evaluate(s);
    const Energy e = system.energy(s);
    scale = std::max(scale, e.kinetic);
    if (i < quarter) early = std::max(early, std::abs(e.total() - start));
    if (i >= 3 * quarter) late += (e.total() - start) / quarter;
  }
  EXPECT_LT(std::abs(late), 1.5 * early + 1e-10 * scale);
}

TEST_P(EveryMethod, NothingEntersTheGround) {
  if (model.contacts().empty()) return;
  const double start = energy(system, model.initial_state());
  double deepest = 0, highest = start;
  std::vector<double> g(3);
  run(2 * problem.steps, [&](const State& s) {
    highest = std::max(highest, energy(system, s));
    for (const Contact& c : model.contacts()) {
      c.geometry->rows(system.workspace().kin, g.data());
      deepest = std::max(deepest, -g[2]);
    }
  });
  EXPECT_LT(deepest, 1e-9);
  EXPECT_LT(highest, start + 0.01 * 100 * 9.81 * 0.1);
}

TEST_P(EveryMethod, KeepsTheMomentum) {
  if (!problem.momentum) return;
  const Eigen::Matrix<double, 6, 1> start = problem.momentum(model.initial_state());
  struct Worst {
    double linear = 0, angular = 0;
  };
  const auto worst = [&](int steps) {
    Worst most;
    run(steps, [&](const State& s) {
      const Eigen::Matrix<double, 6, 1> change = problem.momentum(s) - start;
      most.linear = std::max(most.linear, change.head<3>().norm());
      most.angular = std::max(most.angular, change.tail<3>().norm());
    });
    return most;
  };
  const Worst coarse = worst(problem.steps);
  if (method == "minimal_extension") {
    // The independent coordinates follow the rule, which is not that of the sum.
    EXPECT_GT(std::log2(coarse.linear / worst(2 * problem.steps).linear), 1.6);
    return;
  }
  EXPECT_LT(coarse.linear, 1e-11);
  if (one_of({"conserving", "energy_momentum", "midpoint", "variational_midpoint", "stoermer_verlet"}))
    EXPECT_LT(coarse.angular, 1e-10);
}

TEST_P(EveryMethod, AStepAllocatesNothing) {
  const double h = problem.end / problem.steps;
  const auto stepper = make(GetParam(), h);
  State s = model.initial_state();
  for (int i = 0; i < problem.steps; ++i) stepper->step(system, s, h);
  s = model.initial_state();
  stepper->restart(s);
  for (int i = 0; i < 2; ++i) stepper->step(system, s, h);
  const long before = allocations;
  for (int i = 2; i < problem.steps; ++i) stepper->step(system, s, h);
  EXPECT_EQ(allocations - before, 0);
}

TEST_P(EveryMethod, AFreshWorkspaceEveryStepGivesTheSameBits) {
  const double h = problem.end / problem.steps;
  State a = model.initial_state(), b = a;
  const auto one = make(GetParam(), h), other = make(GetParam(), h);
  for (int i = 0; i < problem.steps; ++i) {
    one->step(system, a, h);
    System fresh(model);
    other->step(fresh, b, h);
    ASSERT_EQ(a.hash(), b.hash()) << "step " << i;
  }
}

TEST_P(EveryMethod, ASnapshotContinuesBitForBit) {
  const double h = problem.end / problem.steps;
  State a = model.initial_state();
  const auto stepper = make(GetParam(), h);
  const int before = snapshot_interval * std::max(1, problem.steps / 2 / snapshot_interval);
  for (int i = 0; i < before; ++i) ASSERT_TRUE(stepper->step(system, a, h).ok);
  State b = a;
  const auto later = make(GetParam(), h);
  for (int i = 0; i < problem.steps / 2; ++i) {
    stepper->step(system, a, h);
    later->step(system, b, h);
    ASSERT_EQ(a.hash(), b.hash()) << "step " << i;
  }
}

TEST_P(EveryMethod, TheStateInsideAStepIsContinuous) {
  const double h = problem.end / problem.steps;
  State s = model.initial_state(), inside = s;
  const auto stepper = make(GetParam(), h);
  for (int i = 0; i < 5; ++i) {
    const State start = s;
    ASSERT_TRUE(stepper->step(system, s, h).ok);
    constexpr int parts = 16;
    const double taken = s.t - start.t, most = 2 * (1 + std::max(start.u.norm(), s.u.norm())) * taken / parts;
    Vec3 last = where(system, start, problem.watched);
    for (int k = 0; k <= parts; ++k) {
      stepper->interpolate(system, start.t + taken * k / parts, inside);
      const Vec3 here = where(system, inside, problem.watched);
      ASSERT_LT((here - last).norm(), k == 0 ? 1e-9 : most) << "part " << k;
      if (k == 0) EXPECT_LT((inside.z - start.z).norm(), 1e-9);
      ASSERT_TRUE(inside.u.allFinite());
      last = here;
    }
    EXPECT_LT((last - where(system, s, problem.watched)).norm(), 1e-9);
    EXPECT_LT((inside.z - s.z).norm(), 1e-9);
  }
}

std::string test_name(const ::testing::TestParamInfo<Pair>& info) {
  std::string name =
      info.param.method->name + (info.param.reduced ? "_reduced_on_" : "_on_") + info.param.problem->name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Suite, EveryMethod, ::testing::ValuesIn(accepted()), test_name);

TEST(Refusals, NameTheMethodAndARemedy) {
  for (const MethodInfo& m : methods())
    for (const MethodProblem& p : method_problems())
      if (const auto why = unsupported_reason(*make({&m, &p}, 0.01), *p.model, 0.01)) {
        EXPECT_EQ(why->find("method " + m.name), 0u) << *why;
        EXPECT_NE(why->find(": use "), std::string::npos) << *why;
      }
}

}  // namespace
}  // namespace davit::verify
