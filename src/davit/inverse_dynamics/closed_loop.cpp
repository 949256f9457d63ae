#include "davit/inverse_dynamics/closed_loop.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/math/linear_algebra.hpp"

namespace davit::inverse_dynamics {

namespace {

// Box and Muller's, because the library's own normal distribution differs from one library to another.
class Noise {
 public:
  explicit Noise(unsigned seed) : random_(seed) {}
  double operator()() {
    const double u = uniform(), v = uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  double uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }
  std::mt19937_64 random_;
};

// What the sensor tells of a state, as one of the law's model.
State measured(const Model& model, const State& state, const StateSensor& sensor, Noise& noise) {
  State out = model.initial_state();
  out.t = state.t;
  out.q = state.q;
  out.u = state.u;
  if (sensor.place_noise == 0 && sensor.speed_noise == 0) return out;
  VecX d(state.u.size());
  for (double& x : d) x = sensor.place_noise * noise();
  for (double& x : out.u) x += sensor.speed_noise * noise();
  out.q = moved_by(model, state.q, d);
  return out;
}

}  // namespace

LoopResult run_loop(const ServoProblem& plant, const State& start, const std::vector<Signal>& signals,
                    const PlanTrack& track, FeedbackLaw* law, const LoopOptions& options, Stepper& stepper) {
  constexpr long most_unsolved = 25;  // one after the other
  System system(*plant.model), sensing(track.model());
  Noise noise(options.sensor.seed);
  LoopResult out;
  State state = start;
  const double h = options.sample_time;
  const auto samples = std::lround((options.end - start.t) / h);
  VecX integral = VecX::Zero(plant.rows()), correction = VecX::Zero(static_cast<Eigen::Index>(signals.size()));
  VecX squares = VecX::Zero(plant.rows());
  std::deque<Measurement> waiting;
  long unsolved = 0;
  system.commit(state);
  for (long k = 0; k <= samples; ++k) {
    const VecX error = errors_at(system, plant, state);
    out.times.push_back(state.t);
    out.errors.push_back(error);
    out.states.push_back(state);
    squares += error.cwiseAbs2();
    if (k == samples) break;
    VecX w = track.at(state.t + 0.5 * h).w;
    if (law) {
      State seen = measured(track.model(), state, options.sensor, noise);
      const VecX seen_error = errors_at(sensing, plant, seen);
      sensing.satisfy_constraints(seen);
      waiting.push_back({seen.t, seen.q, seen.u, integral});
      if (static_cast<int>(waiting.size()) > options.sensor.delay) {
        const bool solved = law->correct(waiting.front(), correction);
        waiting.pop_front();
        unsolved = solved ? 0 : unsolved + 1;
        out.unsolved += solved ? 0 : 1;
        if (unsolved > most_unsolved) {
          out.why = "the feedback finds no inputs from t = " + std::to_string(state.t) + " s on";
          return out;
        }
      }
      w += correction;
      bool held = false;
      for (Eigen::Index i = 0; i < options.most.size(); ++i) {
        const double asked = w[i];
        w[i] = std::clamp(asked, options.least[i], options.most[i]);
        held = held || w[i] != asked;
      }
      out.saturated += held ? 1 : 0;
      if (law->integrates() && !(held && options.anti_windup)) integral += h * seen_error;
    }
    out.inputs.push_back(w);
    const VecX told = options.signal_factors.size() > 0 ? VecX(options.signal_factors.cwiseProduct(w)) : w;
    for (size_t i = 0; i < signals.size(); ++i)
      state.discrete.signals.set(signals[i].index(), Motion(told[static_cast<Eigen::Index>(i)]));
    stepper.restart(state);
    const double from = state.t;
    const auto steps = std::max(1L, std::lround(h / options.step));
    for (long i = 1; i <= steps; ++i) {
      const double next =
          start.t + static_cast<double>(k) * h + h * static_cast<double>(i) / static_cast<double>(steps);
      const Failure failure = go_on(system, stepper, state, next);
      if (!failure.why.empty() || !(state.u.cwiseAbs().maxCoeff() < 1e6)) {
        out.why = "the motion runs away at t = " + std::to_string(from) + " s" +
                  (failure.why.empty() ? "" : ": " + failure.element + ": " + failure.why);
        return out;
      }
    }
  }
  out.last = out.errors.back();
  out.largest = VecX::Zero(plant.rows());
  for (const VecX& e : out.errors) out.largest = out.largest.cwiseMax(e.cwiseAbs());
  out.rms = (squares / static_cast<double>(out.errors.size())).cwiseSqrt();
  out.complete = true;
  return out;
}

Poles LinearLoop::poles() const {
  const Eigen::Index states = A.rows(), integrals = integrates ? C.rows() : 0;
  MatX closed = MatX::Zero(states + integrals, states + integrals);
  closed.topLeftCorner(states, states) = A + B * gains.state;
  closed.topRightCorner(states, integrals) = (B * gains.integral).leftCols(integrals);
  closed.bottomLeftCorner(integrals, states) = C.topRows(integrals);
  const VecXc values = complex_eigenvalues(closed);
  return {values.begin(), values.end()};
}

// x_(k+1) = Φ x_k + Γ w_k, I_(k+1) = I_k + h C x_k, w_k = F (x, I)_(k-delay).
double LinearLoop::largest_multiplier(double h, int delay) const {
  const Eigen::Index states = A.rows(), inputs = B.cols(), integrals = integrates ? C.rows() : 0;
  MatX held = MatX::Zero(states + inputs, states + inputs);
  held.topRows(states) << A, B;
  const MatX step = exponential_of(h * held);
  const Eigen::Index part = states + integrals, all = part * (1 + delay);
  MatX Z = MatX::Zero(all, all), F(inputs, part);
  F << gains.state, gains.integral.leftCols(integrals);
  Z.topLeftCorner(states, states) = step.topLeftCorner(states, states);
  Z.block(states, 0, integrals, states) = h * C.topRows(integrals);
  Z.block(states, states, integrals, integrals).setIdentity();
  Z.block(0, all - part, states, part) += step.topRightCorner(states, inputs) * F;
  for (int d = 1; d <= delay; ++d) Z.block(d * part, (d - 1) * part, part, part).setIdentity();
  return complex_eigenvalues(Z).cwiseAbs().maxCoeff();
}

LinearLoop linear_loop(const ServoProblem& problem, const PlanTrack& track, FeedbackLaw& law, double t) {
  ServoEquations equations(problem);
  const MotionTangent tangent = linearise_motion(equations, track.at(t));
  return {tangent.A, tangent.B, tangent.C, law.gains(t, tangent.T, problem.rows()), law.integrates()};
}

// Newton's method: constraints hold, drives stay, the point comes as near as it can.
State moved_start(const ServoProblem& problem, const State& start, const Frame& point, const Vec3& by) {
  const Model& model = *problem.model;
  System system(model);
  system.place_bodies<double>(system.workspace(), start.t, start.q.data(), start.u.data(), start.discrete);
  const Vec3 to = position(system.workspace().kin, point) + by;
  ServoProblem placing = problem;
  placing.outputs = {
      {"place",
       std::make_shared<PlaceServo>(point, std::vector<PlaceServo::Along>{{Vec3::UnitX(), Motion(to.x())},
                                                                          {Vec3::UnitY(), Motion(to.y())},
                                                                          {Vec3::UnitZ(), Motion(to.z())}}),
       1000}};
  ServoEquations equations(placing);
  const int n = equations.speeds(), m = equations.constraints(), p = equations.inputs();
  Instant at{start.t, start.q, start.u, VecX::Zero(n), VecX::Zero(m), VecX::Zero(p)};
  for (int i = 0; i < 30; ++i) {
    equations.evaluate(at);
    equations.linearise(at);
    MatX held(m + p, n);
    held << equations.constraint_tangent.gradient, equations.B.transpose();
    VecX missing = VecX::Zero(m + p);
    missing.head(m) = -equations.constraint.value;
    VecX d = shortest_least_squares(held, missing, 1e-10);
    const MatX free = kernel(held, 1e-10);
    const MatX seen = equations.output_tangent.gradient * free;
    d += free *
         shortest_least_squares(seen, VecX(-equations.output.value - equations.output_tangent.gradient * d), 1e-8);
    at.q = moved_by(model, at.q, d);
    if (d.cwiseAbs().maxCoeff() < 1e-12) break;
  }
  State out = start;
  out.q = at.q;
  system.satisfy_constraints(out);
  return out;
}

}  // namespace davit::inverse_dynamics
