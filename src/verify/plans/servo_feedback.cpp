// Feedback that tracks a plan: poles of the closed loop are the designed ones, errors of the nonlinear cranes decay as
// they say, linear-quadratic gains cost what they should, and passivity-based control loses the energy that it says.
#include "davit/inverse_dynamics/servo_feedback.hpp"

#include <algorithm>
#include <cmath>

#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/inverse_dynamics/closed_loop.hpp"
#include "davit/inverse_dynamics/linearising_feedback.hpp"
#include "davit/inverse_dynamics/quadratic_feedback.hpp"
#include "davit/inverse_dynamics/set_point_feedback.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/solve/methods.hpp"
#include "verify/plans/servo_cranes.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using namespace inverse_dynamics;

// A crane with its plan; with only the end of the plan, where it rests, for what is designed there.
struct PlannedCrane {
  ServoCrane crane;
  Plan plan;
  double scale = 1;

  explicit PlannedCrane(ServoCrane of) : crane(std::move(of)) {
    PlanOptions options;
    options.time_scale = scale = time_scale_of(crane.problem);
    plan = make_plan(crane.problem, options);
  }
  void keep_only_the_end() {
    const Instant end = plan.points.back();
    plan = {};
    plan.points = {end};
    plan.points[0].u.setZero();
    plan.points[0].a.setZero();
    crane.problem.start.t = end.t;
    crane.problem.start.q = end.q;
    crane.problem.start.u.setZero();
  }
  State shifted(const Vec3& by) const { return moved_start(crane.problem, crane.problem.start, crane.load, by); }
  LoopResult run(const PlanTrack& track, FeedbackLaw* law, const State& start, LoopOptions options) const {
    const auto stepper = davit::method("rk4").make(*crane.model, {});
    if (options.end == 0) options.end = track.end();
    options.step = std::min(options.sample_time, 0.01);
    return run_loop(crane.problem, start, crane.signals, track, law, options, *stepper);
  }
};

Poles in_order(Poles poles) {
  std::sort(poles.begin(), poles.end(), [](const auto& a, const auto& b) {
    return std::abs(a.real() - b.real()) > 1e-7 * (1 + std::abs(a)) ? a.real() < b.real() : a.imag() < b.imag();
  });
  return poles;
}
double furthest_apart(const Poles& a, const Poles& b) {
  const Poles x = in_order(a), y = in_order(b);
  double most = x.size() == y.size() ? 0 : std::nan("");
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    most = std::max(most, std::abs(x[i] - y[i]) / std::abs(y[i]));
  return most;
}

void designed_poles(Checker& check, const std::string& name, const PlannedCrane& c) {
  const PlanTrack track(*c.crane.model, c.plan);
  const auto orders = linearising_orders(c.crane.problem, track.at(track.begin()), c.scale);
  for (const bool integral : {false, true}) {
    double off = std::nan("");
    if (orders) {
      LinearisingFeedback law(c.crane.problem, track, *orders, {-1.0, -1.3, -1.7, -2.2, -2.8}, integral, c.scale);
      off = furthest_apart(linear_loop(c.crane.problem, track, law, track.end()).poles(), law.designed_poles());
    }
    check.at_most(name,
                  std::string("poles of the linearised closed loop beside the designed ones") +
                      (integral ? ", with integral action" : ""),
                  "1", "exact: poles by design", off, 1e-6);
  }
}

// The overhead crane from rest, its load to one side: the rope gives the load's acceleration along itself, so that all
// derivatives of the errors at the start are known, and both go as linear equations say however far it swings.
void overhead_decay(Checker& check) {
  const PlannedCrane c(overhead_crane_minimal());
  const PlanTrack track(*c.crane.model, c.plan);
  const Poles poles{-1.0, -1.3, -1.7, -2.2};
  const State start = c.shifted(Vec3(1, 0, 0));
  const auto orders = linearising_orders(c.crane.problem, track.at(track.begin()), c.scale);
  // Rows: x of order four, z of order two.
  const VecX two = polynomial_of({poles[0], poles[1]}), four = polynomial_of(poles);
  const double l = c.crane.coordinate(start.q, "l");
  std::vector<LoopResult> runs;
  for (const double h : {0.002, 0.001}) {
    LinearisingFeedback law(c.crane.problem, track, *orders, poles, false, c.scale);
    runs.push_back(c.run(track, &law, start, {.sample_time = h}));
  }
  const VecX first = runs[0].errors[0];
  const double phi = std::asin(first[0] / l), ez = first[1];
  const double z2 = -two[0] * ez, z3 = -two[1] * z2;
  VecX ex(4), errors_z(2);
  ex << first[0], 0, -(z2 + 9.81) * std::tan(phi), -z3 * std::tan(phi);
  errors_z << ez, 0;
  MatX of_x = MatX::Zero(4, 4), of_z = MatX::Zero(2, 2);
  of_x.topRightCorner(3, 3).setIdentity();
  of_x.row(3) = -four.head(4).transpose();
  of_z << 0, 1, -two[0], -two[1];
  double coarse = 0, fine = 0, extrapolated = 0;
  for (size_t k = 0; k < runs[0].times.size(); k += 50) {
    const double t = runs[0].times[k];
    const Vec2 exact((exponential_of(of_x * t) * ex)[0], (exponential_of(of_z * t) * errors_z)[0]);
    const Vec2 a = runs[0].errors[k], b = runs[1].errors[2 * k];
    coarse = std::max(coarse, (a - exact).norm());
    fine = std::max(fine, (b - exact).norm());
    extrapolated = std::max(extrapolated, (2 * b - a - exact).norm());
  }
  const char* name = "overhead crane, load 1 m to the side, linearising";
  const char* source = "exact: linear error dynamics from the derivatives at the start";
  check.order(name, "order of the errors in the sample time", 1, "exact: inputs are held", std::log2(coarse / fine),
              0.1);
  check.at_most(name, "errors beside the designed decay, extrapolated to no sample time", "m", source, extrapolated,
                2e-5);
}

// (110) by steps of backward Euler: poles go to the designed ones as the horizon gets shorter.
void servo_poles(Checker& check, const std::string& name, const PlannedCrane& c) {
  const PlanTrack track(*c.crane.model, c.plan);
  const Poles designed{-1.0, -2.0};
  const auto off = [&](double horizon) {
    ServoFeedback law(c.crane.problem, track, ServoGains::of_poles(designed), horizon);
    // The slow half of each output's poles; the others belong to the drives.
    Poles slow;
    for (const auto& pole : in_order(linear_loop(c.crane.problem, track, law, track.end()).poles()))
      if (pole.real() > -5) slow.push_back(pole);
    double most = 0;
    for (const auto& pole : slow)
      most = std::max(most, std::min(std::abs(pole - designed[0]), std::abs(pole - designed[1])));
    return slow.size() == 2 * static_cast<size_t>(c.crane.problem.rows()) ? most : std::nan("");
  };
  const double far = off(0.02), near = off(0.01);
  check.order(name, "order of the poles of the servo law in its horizon", 1, "exact: backward Euler",
              std::log2(far / near), 0.25);
  check.at_most(name, "poles of the servo law beside those of (110), extrapolated to no horizon", "1/s",
                "exact: roots of (110)", std::abs(2 * near - far), 0.01);
}

// Closed loop after a perturbation, by the law of the document with its samples.
void servo_decay(Checker& check, const std::string& name, const PlannedCrane& c) {
  const PlanTrack track(*c.crane.model, c.plan);
  ServoFeedback law(c.crane.problem, track, ServoGains::of_poles({-1.0, -1.3, -1.7}), 0.1);
  const auto loop = linear_loop(c.crane.problem, track, law, track.end());
  double slowest = -1e300;
  for (const auto& pole : loop.poles()) slowest = std::max(slowest, pole.real());
  const LoopResult run = c.run(track, &law, c.shifted(Vec3(0.3, 0, 0)), {});
  check.trend(name, "slowest pole of the servo law, horizon 0.1 s", "1/s", Checker::Side::below, 0,
              "exact: a stable loop", slowest);
  const double start = run.errors.front().norm(), then = run.complete ? run.errors[600].norm() : std::nan("");
  check.at_most(name, "error 12 s after a start 0.3 m aside, over ten times what the slowest pole leaves of it", "1",
                "exact: linear closed loop", then / (10 * start * std::exp(slowest * 12)), 1);
}

void quadratic(Checker& check, const std::string& name, PlannedCrane c) {
  c.keep_only_the_end();
  const PlanTrack track(*c.crane.model, c.plan);
  QuadraticWeights weights{.error = 0.1, .rate = 0.2, .integral = 0, .inputs = {}};
  weights.inputs = (0.5 * c.plan.points[0].w.cwiseAbs()).cwiseMax(5);
  ServoEquations equations(c.crane.problem);
  const auto design = QuadraticFeedback::design(equations, c.plan.points[0], weights);
  const VecXc closed = complex_eigenvalues(design.A - design.B * design.regulator.K);
  check.at_most(name, "poles of A - B K beside the stable half of the Hamiltonian matrix", "1", "exact: the same",
                furthest_apart({closed.begin(), closed.end()}, design.regulator.poles), 1e-9);
  const State start = c.shifted(Vec3(1e-3, 0, 0));
  VecX off(2 * start.u.size());
  off << difference_of(*c.crane.model, c.plan.points[0].q, start.q), start.u;
  const VecX x0 = design.part.transpose() * design.tangent.T.transpose() * off;
  const double expected = x0.dot(design.regulator.P * x0);
  const auto cost = [&](double h) {
    QuadraticFeedback law(c.crane.problem, track, weights, 2);
    LoopOptions options{.sample_time = h};
    options.end = start.t + 12;
    const LoopResult run = c.run(track, &law, start, options);
    double sum = 0;
    for (size_t k = 0; k < run.states.size(); ++k) {
      VecX x(2 * start.u.size());
      x << difference_of(*c.crane.model, c.plan.points[0].q, run.states[k].q), run.states[k].u;
      const VecX zeta = design.part.transpose() * design.tangent.T.transpose() * x;
      const bool last = k + 1 == run.states.size();
      sum += h * (k == 0 || last ? 0.5 : 1) * zeta.dot(design.Q * zeta);
      if (last) sum += zeta.dot(design.regulator.P * zeta);  // what is still to come
      if (k < run.inputs.size())
        sum += h * (run.inputs[k] - c.plan.points[0].w).cwiseQuotient(weights.inputs).squaredNorm();
    }
    return sum;
  };
  const double coarse = cost(2e-3), fine = cost(1e-3);
  check.relative(name, "cost of linear-quadratic feedback from 1 mm beside, extrapolated to no sample time", "1",
                 rounded(expected), "exact: xᵀPx", 2 * fine - coarse, 2e-3);
}

// Tracking with 40 ms of delay and noise of 2 mm and 2 mm/s (mrad, mrad/s) on every coordinate at each of 50 samples/s.
void delay_and_noise(Checker& check) {
  const PlannedCrane c(rotary_crane_dependent(RotarySet::B));
  const PlanTrack track(*c.crane.model, c.plan);
  const auto orders = linearising_orders(c.crane.problem, track.at(track.begin()), c.scale);
  LoopOptions options;
  options.sensor = {.delay = 2, .place_noise = 2e-3, .speed_noise = 2e-3, .seed = 1};
  LinearisingFeedback linearising(c.crane.problem, track, *orders, {-0.8, -1.0, -1.2, -1.4}, false, c.scale);
  ServoFeedback servo(c.crane.problem, track, ServoGains::of_poles({-0.8, -1.0}), 0.2);
  QuadraticWeights weights{.error = 0.2, .rate = 0.4, .integral = 0, .inputs = VecX::Constant(3, 50)};
  QuadraticFeedback quadratic(c.crane.problem, track, weights);
  const std::pair<const char*, FeedbackLaw*> laws[] = {
      {"linearising", &linearising}, {"servo", &servo}, {"linear-quadratic", &quadratic}};
  for (const auto& [law_name, law] : laws) {
    const std::string name = std::string("rotary crane, 40 ms late, noise 2 mm and 2 mm/s, ") + law_name;
    const double z = linear_loop(c.crane.problem, track, *law, track.end()).largest_multiplier(0.02, 2);
    check.trend(name, "largest multiplier of the sampled loop with its delay", "1", Checker::Side::below, 1,
                "exact: a stable loop", z);
    const LoopResult run = c.run(track, law, c.crane.problem.start, options);
    check.at_most(name, "largest error of the load in 20 s", "m",
                  "exact: bounded by a stable loop; the plan goes 8.1 m",
                  run.complete ? run.largest.maxCoeff() : std::nan(""), 0.02);
  }
}

void set_point(Checker& check) {
  PlannedCrane c(overhead_crane_minimal());
  c.keep_only_the_end();
  const PlanTrack track(*c.crane.model, c.plan);
  for (const SetPointGains& gains : {SetPointGains{}, SetPointGains{.inertia = 0.2, .energy = 1e-3}}) {
    const std::string name = std::string("overhead crane, load 0.5 m aside, passivity-based") +
                             (gains.energy > 0 ? ", with shaped inertia and energy" : "");
    const auto lost = [&](double h) {
      SetPointFeedback law(c.crane.problem, track, gains);
      LoopOptions options{.sample_time = h};
      options.end = c.crane.problem.start.t + 60;
      const LoopResult run = c.run(track, &law, c.shifted(Vec3(0.5, 0, 0)), options);
      double loss = 0, rise = 0, last = 1e300, first = 0, V = 0;
      for (size_t k = 0; k < run.states.size(); ++k) {
        const inverse_dynamics::Measurement at{run.states[k].t, run.states[k].q, run.states[k].u, {}};
        loss += h * (k == 0 || k + 1 == run.states.size() ? 0.5 : 1) * law.loss(at);
        if (k % 50 != 0 && k + 1 != run.states.size()) continue;
        V = law.storage(at);
        if (k == 0) first = V;
        rise = std::max(rise, V - last);
        last = V;
      }
      return std::array<double, 4>{(first - V - loss) / first, std::max(0.0, rise) / first, V / first,
                                   run.last.cwiseAbs().maxCoeff()};
    };
    const auto coarse = lost(2e-3), fine = lost(1e-3);
    check.at_most(name, "storage that went where damping does not say, over all of it, extrapolated to no sample time",
                  "1", "exact: V' = -θ'ᵀ K_d θ'", std::abs(2 * fine[0] - coarse[0]), 1e-3);
    check.at_most(name, "largest rise of the storage in 0.05 s, over all of it", "1", "exact: it does not rise",
                  fine[1], 1e-6);
    check.at_most(name, "storage after 60 s, over that at the start", "1", "exact: it goes to zero", fine[2], 1e-3);
  }
}

// A limit that is met at first: integrals that go on meanwhile carry the load past where it should be.
void windup(Checker& check) {
  PlannedCrane c(overhead_crane_minimal());
  c.keep_only_the_end();
  const PlanTrack track(*c.crane.model, c.plan);
  const auto orders = linearising_orders(c.crane.problem, track.at(track.begin()), c.scale);
  const auto overshoot = [&](bool anti_windup) {
    LinearisingFeedback law(c.crane.problem, track, *orders, {-1.0, -1.3, -1.7, -2.2, -2.8}, true, c.scale);
    LoopOptions options;
    options.end = c.crane.problem.start.t + 20;
    options.anti_windup = anti_windup;
    options.most = c.plan.points[0].w.cwiseAbs() * 1.05 + Vec2(30, 0);
    options.least = -options.most;
    const LoopResult run = c.run(track, &law, c.shifted(Vec3(0.5, 0, 0)), options);
    double most = 0;
    for (const VecX& e : run.errors) most = std::max(most, -e[0]);
    return run.complete && run.saturated > 0 ? most : std::nan("");
  };
  check.trend("overhead crane with limited inputs", "overshoot with anti-windup beside that without", "m",
              Checker::Side::below, 0, "published: Åström & Hägglund, conditional integration",
              overshoot(true) - overshoot(false));
}

}  // namespace

void servo_feedback(Checker& check) {
  const PlannedCrane minimal(overhead_crane_minimal()), dependent(overhead_crane_dependent());
  const PlannedCrane rotary(rotary_crane_dependent(RotarySet::B)), platform(cablev());
  designed_poles(check, "overhead crane, minimal coordinates", minimal);
  designed_poles(check, "overhead crane, dependent coordinates", dependent);
  designed_poles(check, "rotary crane", rotary);
  designed_poles(check, "CABLEV", platform);
  overhead_decay(check);
  servo_poles(check, "overhead crane", minimal);
  servo_poles(check, "CABLEV", platform);
  servo_decay(check, "rotary crane", rotary);
  servo_decay(check, "CABLEV", platform);
  quadratic(check, "overhead crane", PlannedCrane(overhead_crane_minimal()));
  quadratic(check, "rotary crane", PlannedCrane(rotary_crane_dependent(RotarySet::B)));
  quadratic(check, "CABLEV", PlannedCrane(cablev()));
  delay_and_noise(check);
  set_point(check);
  windup(check);
}

}  // namespace davit::verify
