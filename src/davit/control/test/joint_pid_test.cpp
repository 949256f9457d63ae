// PD and PID control of one inertia, against closed forms and against a recurrence computed here.
#include "davit/control/joint_pid.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <complex>

#include "davit/dynamics/tree.hpp"
#include "davit/solve/run_loop.hpp"

namespace davit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A constant torque from the first instant on.
class Push final : public ForceOf<Push> {
 public:
  explicit Push(double torque) : ForceOf("push"), torque_(torque) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    loads.tau[0] += S(torque_);
  }

 private:
  double torque_;
};

struct Loop {
  JointPid::Gains gains{};
  Motion target = Motion(0);
  double sample_time = 0, limit = infinity, push = 0;
  double inertia = 2, angle = 0, rate = 0;
};

// I q̈ = τ + push.
struct Plant {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;

  explicit Plant(const Loop& s) {
    Body wheel;
    wheel.name = "wheel";
    wheel.joint.kind = JointKind::revolute;
    wheel.joint.position = {s.angle};
    wheel.joint.rate = {s.rate};
    wheel.mass = 1;
    wheel.inertia = Sym3::diagonal(s.inertia, s.inertia, s.inertia);
    tree = std::make_shared<Tree>(std::vector{wheel});
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    const JointCoordinate at{"wheel.angle", 0, 0, 1, true};
    parts.inputs = {{"torque", "N m", -s.limit, s.limit}};
    const Signal target = parts.add(SignalInfo{at.name, "rad", s.target});
    parts.controllers = {
        std::make_shared<JointPid>("pid", std::vector<JointPid::Axis>{{at, target, 0}}, s.gains, s.sample_time)};
    parts.forces = {std::make_shared<JointActuator>("motor", at, 0)};
    if (s.push != 0) parts.forces.push_back(std::make_shared<Push>(s.push));
    model = std::make_unique<Model>(std::move(parts));
  }
};

struct Sample {
  double t, q, u, torque;
};

class Trace final : public Observer {
 public:
  void record(const State& s, System& system) override {
    samples.push_back({s.t, s.q[0], s.u[0], system.workspace().w[0]});
  }
  bool proceed(const State& s) override {
    steps.push_back(s.t);
    return true;
  }
  std::vector<Sample> samples;
  std::vector<double> steps;
};

std::vector<Sample> simulated(const Loop& setup, double end, double step, bool adaptive = false,
                              std::vector<double>* steps = nullptr) {
  const Plant plant(setup);
  System system(*plant.model);
  State state = plant.model->initial_state();
  AdaptiveOptions options;
  options.tolerance = 1e-11;
  const auto stepper = adaptive ? make_dormand_prince(*plant.model, options) : make_rk4(*plant.model);
  Trace trace;
  const RunOutcome out = simulate(system, *stepper, state, {end, step, step}, trace);
  EXPECT_EQ(out.status, RunStatus::complete) << out.why;
  if (steps) *steps = trace.steps;
  return trace.samples;
}

TEST(JointPid, continuous_pd_is_a_damped_oscillator) {
  // Under-, critically and overdamped.
  for (const double kd : {1.5, 8.0, 20.0}) {
    Loop s;
    s.gains.kp = 8;
    s.gains.kd = kd;
    s.target = Motion(0.4);
    s.angle = 1.1;
    s.rate = -0.3;
    // x'' = -2 a x' - b x for x = q - r, by its two roots; the critical case by its limit.
    const double a = kd / s.inertia / 2, b = s.gains.kp / s.inertia, x0 = s.angle - 0.4, v0 = s.rate;
    const auto exact = [&](double t) -> double {
      const std::complex<double> root = std::sqrt(std::complex<double>(a * a - b));
      if (std::abs(root) < 1e-9) return std::exp(-a * t) * (x0 + (v0 + a * x0) * t);
      return (std::exp(-a * t) * (x0 * std::cosh(root * t) + (v0 + a * x0) / root * std::sinh(root * t))).real();
    };
    for (const bool adaptive : {false, true})
      for (const Sample& p : simulated(s, 4, 0.005, adaptive)) {
        EXPECT_NEAR(p.q - 0.4, exact(p.t), 2e-9) << "kd " << kd << " at " << p.t;
        EXPECT_NEAR(p.torque, -8 * (p.q - 0.4) - kd * p.u, 1e-12);
      }
  }
}

TEST(JointPid, derivative_acts_on_the_error_or_on_the_speed) {
  Loop s;
  s.gains.kp = 10;
  s.gains.kd = 3;
  s.target = Motion(0).move(0, 2, 1, {0, 0});  // half a radian per second
  for (const bool of_error : {true, false}) {
    s.gains.derivative_of_error = of_error;
    bool moving = false;
    for (const Sample& p : simulated(s, 3, 0.01)) {
      const double r = s.target.value(p.t), target_rate = p.t < 2 - 1e-9 ? 0.5 : 0;
      if (std::abs(p.t - 2) < 1e-9) continue;  // the join belongs to either side
      EXPECT_NEAR(p.torque, -10 * (p.q - r) - 3 * (p.u - (of_error ? target_rate : 0)), 1e-12) << p.t;
      moving = moving || target_rate != 0;
    }
    EXPECT_TRUE(moving);
  }
}

TEST(JointPid, integral_action_removes_the_error_of_a_constant_disturbance) {
  Loop s;
  s.gains.kp = 20;
  s.gains.kd = 12;
  s.push = 5;
  const double with_pd = simulated(s, 30, 0.01).back().q;
  EXPECT_NEAR(with_pd, 5.0 / 20, 1e-6);
  s.gains.ki = 10;
  const Sample end = simulated(s, 30, 0.01).back();
  EXPECT_NEAR(end.q, 0, 1e-6);
  EXPECT_NEAR(end.torque, -5, 1e-6);
  s.sample_time = 0.05;
  EXPECT_NEAR(simulated(s, 30, 0.01).back().q, 0, 1e-6);
}

TEST(JointPid, commands_are_clamped_to_the_limit) {
  Loop s;
  s.gains.kp = 100;
  s.gains.kd = 20;
  s.angle = 3;
  s.limit = 4;
  for (const double sample_time : {0.0, 0.02}) {
    s.sample_time = sample_time;
    double least = infinity, most = -infinity;
    const auto samples = simulated(s, 6, 0.01);
    for (const Sample& p : samples) {
      least = std::min(least, p.torque);
      most = std::max(most, p.torque);
    }
    EXPECT_EQ(least, -4);
    EXPECT_EQ(most, 4);
    // While it is clamped the wheel speeds up evenly.
    EXPECT_NEAR(samples[50].u, -4.0 / 2 * 0.5, 1e-12);
  }
}

TEST(JointPid, integral_limit_stops_wind_up) {
  // A push that the integral part may not overcome: it stops at its limit, and so does the equilibrium.
  Loop s;
  s.gains = {.kp = 20, .ki = 30, .kd = 12, .integral_limit = 3};
  s.push = 8;
  for (const double sample_time : {0.0, 0.01}) {
    s.sample_time = sample_time;
    const double step = 0.01;
    EXPECT_NEAR(simulated(s, 30, step).back().q, (8.0 - 3.0) / 20, 5e-3) << sample_time;
  }
  // The other way round too.
  s.push = -8;
  s.sample_time = 0;
  EXPECT_NEAR(simulated(s, 30, 0.01).back().q, -(8.0 - 3.0) / 20, 5e-3);
}

TEST(JointPid, a_wound_up_integral_comes_back) {
  // Far from its target for long, then released: with a limit it does not overshoot by much, without it does.
  Loop s;
  s.gains = {.kp = 5, .ki = 5, .kd = 8, .integral_limit = infinity};
  s.limit = 1;
  s.angle = -6;
  const auto overshoot = [&] {
    double most = 0;
    for (const Sample& p : simulated(s, 40, 0.01)) most = std::max(most, p.q);
    return most;
  };
  const double without = overshoot();
  s.gains.integral_limit = 0.2;
  const double with = overshoot();
  EXPECT_GT(without, 2 * with);
}

// A sampled PD on a pure inertia: between samples the torque is constant, so the motion is a parabola.
void expect_recurrence(const Loop& s, int sub_steps, int samples, bool adaptive, double tolerance) {
  const double h = s.sample_time, step = h / sub_steps;
  double q = s.angle, u = s.rate, sum = 0;
  const auto trace = simulated(s, samples * h, step, adaptive);
  ASSERT_EQ(trace.size(), static_cast<size_t>(samples * sub_steps + 1));
  for (int k = 0; k < samples; ++k) {
    const double r = s.target.value(k * h);
    sum += (q - r) * h;
    double torque = -s.gains.kp * (q - r) - s.gains.ki * sum - s.gains.kd * u;
    torque = std::clamp(torque, -s.limit, s.limit);
    const double a = (torque + s.push) / s.inertia;
    for (int i = 0; i < sub_steps; ++i) {
      const Sample& p = trace[static_cast<size_t>(k * sub_steps + i)];
      const double tau = i * step;
      ASSERT_NEAR(p.q, q + u * tau + a * tau * tau / 2, tolerance) << "sample " << k << " sub step " << i;
      ASSERT_NEAR(p.u, u + a * tau, tolerance);
      ASSERT_NEAR(p.torque, torque, 100 * tolerance);  // held from the sample on, the first at t = 0
    }
    q += u * h + a * h * h / 2;
    u += a * h;
  }
}

TEST(JointPid, sampled_equals_the_recurrence) {
  Loop s;
  s.gains = {.kp = 12, .ki = 3, .kd = 6, .derivative_of_error = false};
  s.target = Motion(0.2).move(0.5, 1, 1);
  s.sample_time = 0.1;
  s.angle = 0.7;
  s.rate = -0.4;
  s.push = 1.5;
  for (const int sub_steps : {1, 4}) expect_recurrence(s, sub_steps, 40, false, 1e-11);
  expect_recurrence(s, 4, 40, true, 1e-10);
  s.limit = 2;
  expect_recurrence(s, 4, 40, false, 1e-11);
}

TEST(JointPid, sampled_equals_the_recurrence_for_any_gains) {
  EXPECT_TRUE(rc::check([] {
    Loop s;
    const auto number = [](int low, int high, double scale) { return *rc::gen::inRange(low, high) * scale; };
    s.inertia = number(1, 50, 0.2);
    s.sample_time = number(1, 40, 0.01);
    // Gains with a stable loop.
    s.gains.kp = number(0, 100, 0.005) * s.inertia / (s.sample_time * s.sample_time);
    s.gains.kd = number(50, 100, 0.01) * s.inertia / s.sample_time;
    s.gains.derivative_of_error = false;
    s.angle = number(-20, 20, 0.1);
    s.rate = number(-20, 20, 0.1);
    s.target = Motion(number(-10, 10, 0.1));
    expect_recurrence(s, *rc::gen::inRange(1, 5), 12, *rc::gen::arbitrary<bool>(), 1e-8);
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

TEST(JointPid, a_snapshot_goes_on_with_the_same_bits) {
  Loop s;
  s.gains = {.kp = 12, .ki = 3, .kd = 6};
  s.target = Motion(0).move(0.15, 1, 1);
  s.push = 1;
  s.angle = 0.3;
  for (const double sample_time : {0.0, 0.1}) {
    s.sample_time = sample_time;
    const Plant plant(s);
    System system(*plant.model);
    State state = plant.model->initial_state();
    const auto stepper = make_rk4(*plant.model);
    system.commit(state);
    const auto advance = [](System& with, Stepper& by, State& what, int steps) {
      for (int i = 0; i < steps; ++i) {
        ASSERT_TRUE(by.step(with, what, 0.025).ok);
        if (with.commit(what)) by.restart(what);
      }
    };
    advance(system, *stepper, state, 7);  // between samples: the held command is part of the state
    State snapshot = state;
    advance(system, *stepper, state, 30);
    System other(*plant.model);
    const auto fresh = make_rk4(*plant.model);
    advance(other, *fresh, snapshot, 30);
    EXPECT_EQ(state.hash(), snapshot.hash()) << sample_time;
    EXPECT_EQ(state.q[0], snapshot.q[0]);
    // The hash covers the discrete state of the controller.
    if (sample_time > 0) {
      snapshot.discrete.record(0, 0)[0] += 1e-12;
      EXPECT_NE(state.hash(), snapshot.hash());
    }
  }
}

TEST(JointPid, fixed_steps_must_divide_the_sample_time) {
  Loop s;
  s.gains.kp = 1;
  s.sample_time = 0.1;
  const Plant plant(s);
  const auto rk4 = make_rk4(*plant.model);
  EXPECT_FALSE(unsupported_reason(*rk4, *plant.model, 0.1));
  EXPECT_FALSE(unsupported_reason(*rk4, *plant.model, 0.1 / 3));
  EXPECT_FALSE(unsupported_reason(*rk4, *plant.model, 0.025));
  for (const double step : {0.03, 0.07, 0.2}) {
    const auto why = unsupported_reason(*rk4, *plant.model, step);
    ASSERT_TRUE(why) << step;
    EXPECT_NE(why->find("'pid' samples every 0.1"), std::string::npos) << *why;
    EXPECT_NE(why->find("choose a step that divides it"), std::string::npos) << *why;
  }
  EXPECT_FALSE(unsupported_reason(*make_dormand_prince(*plant.model), *plant.model, 0.03));
}

TEST(JointPid, adaptive_steps_land_on_the_samples) {
  Loop s;
  s.gains = {.kp = 4, .ki = 0, .kd = 3};
  s.angle = 1;
  s.sample_time = 0.07;
  std::vector<double> steps;
  simulated(s, 1.4, 0.5, true, &steps);
  for (int k = 1; k <= 20; ++k)
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [&](double t) { return std::abs(t - k * 0.07) < 1e-12; })) << k;
}

TEST(JointPid, steps_land_where_the_target_bends) {
  Loop s;
  s.gains.kp = 1;
  s.target = Motion(0).move(0.15, 1, 1).move(2, 0.5, 0);
  std::vector<double> steps;
  simulated(s, 3, 0.5, true, &steps);
  for (const double t : {0.15, 1.15, 2.0, 2.5})
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [&](double x) { return std::abs(x - t) < 1e-12; })) << t;
}

TEST(JointPid, says_what_it_is) {
  Loop s;
  s.gains = {.kp = 12, .ki = 3, .kd = 6};
  s.sample_time = 0.05;
  const auto said = [&] {
    const Plant plant(s);
    const Element& pid = *plant.model->controllers()[0].element;
    std::string text = pid.summary();
    for (const Figure& f : pid.figures())
      if (f.value != 0) text += ", " + f.what + " " + std::to_string(static_cast<int>(f.value)) + " " + f.unit;
    return text;
  };
  EXPECT_EQ(said(),
            "PID control of wheel.angle, sampled every 0.05 s, kp 12 N m/rad, ki 3 N m/(rad s), kd 6 N m s/rad");
  s.gains.ki = 0;
  s.sample_time = 0;
  EXPECT_EQ(said(), "PD control of wheel.angle, kp 12 N m/rad, kd 6 N m s/rad");
}

}  // namespace
}  // namespace davit
