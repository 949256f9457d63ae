// Explicit Runge-Kutta methods in the tangent space (Munthe-Kaas): stages are increments d from the step's start, whose
// rate is ḋ = dexp⁻¹(d) u, so a method keeps its order on rotations.
#include <algorithm>
#include <array>
#include <cmath>

#include "davit/solve/stepper.hpp"

namespace davit {

namespace {

// (ḋ, u̇, ż) of a point that the workspace was evaluated at.
void rates_of(const System& system, const TangentPoint& at, TangentPoint& out) {
  system.increment_rate(at.d, at.u, out.d);
  out.u = system.workspace().a;
  for (Eigen::Index i = 0; i < out.z.size(); ++i) out.z[i] = system.workspace().zdot[static_cast<size_t>(i)];
}

// Under constraints accelerations that come with wrenches differ in their last bits from those without: a run would
// depend on who looks at it.
bool may_be_taken(const System& system) { return system.model().rows() == 0; }

}  // namespace

bool StageEvaluator::rates(System& system, const State& start, double t, const TangentPoint& at, TangentPoint& out) {
  // No increment must mean the very same bits: normalising a quaternion again may change its last one.
  if ((at.d.array() == 0).all())
    q_ = start.q;
  else
    system.retract(start.q, at.d, q_);
  if (!system.evaluate(t, q_.data(), at.u.data(), at.z.data(), start.discrete, System::Want::accelerations))
    return false;
  rates_of(system, at, out);
  return true;
}

namespace {

// Moves the state to the end of the increment and back onto the constraints.
bool finish(System& system, State& state, const TangentPoint& end, double t, VecX& q) {
  system.retract(state.q, end.d, q);
  std::swap(state.q, q);
  state.u = end.u;
  state.z = end.z;
  state.t = t;
  ++state.step;
  state.lambda = system.workspace().rows.lambda;
  return system.satisfy_constraints(state, System::Side::before);
}

class RungeKutta4 final : public Stepper {
 public:
  explicit RungeKutta4(const Model& model) : start_(model.initial_state()), q_(start_.q) {
    stage_.resize(model);
    end_.resize(model);
    for (auto& k : k_) k.resize(model);
    first_.resize(model);
    end_rate_.resize(model);
    evaluator_.resize(model);
  }
  std::string name() const override { return "rk4"; }
  std::string summary() const override { return "Runge-Kutta, order 4, fixed step"; }
  int order() const override { return 4; }
  bool adaptive() const override { return false; }
  bool is_explicit() const override { return true; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override { return make_rk4(model); }

  void restart(State&) override { first_known_ = false; }
  void forget() override { first_known_ = false; }
  void take_evaluation(const System& system, const State& state) override {
    if (!may_be_taken(system)) return;
    stage_.assign_start(state);
    rates_of(system, stage_, first_);
    first_known_ = true;
  }

  StepOutcome step(System& system, State& state, double h) override {
    static constexpr double node[] = {0, 0.5, 0.5, 1};
    static constexpr double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    start_ = state;
    end_.assign_start(state);
    for (size_t i = 0; i < 4; ++i) {
      if (i == 0 && first_known_) {
        k_[0] = first_;
      } else {
        stage_.assign_start(state);
        if (i > 0) stage_.add(node[i] * h, k_[i - 1]);
        ++counts_.evaluations;
        if (!evaluator_.rates(system, start_, state.t + node[i] * h, stage_, k_[i]))
          return {false, 0, system.failure()};
      }
      end_.add(weight[i] * h, k_[i]);
    }
    first_known_ = false;
    h_ = h;
    end_rate_known_ = false;
    if (!finish(system, state, end_, state.t + h, q_)) return {false, 0, system.failure()};
    counts_.accept(h);
    return {true, h, {}};
  }

  // Cubic Hermite between the ends; the rate at the end is evaluated only when asked for.
  void interpolate(System& system, double t, State& out) override {
    if (!end_rate_known_) {
      ++counts_.evaluations;
      evaluator_.rates(system, start_, start_.t + h_, end_, end_rate_);
      end_rate_known_ = true;
    }
    const double s = (t - start_.t) / h_, s2 = s * s, s3 = s2 * s;
    const double end = 3 * s2 - 2 * s3, rate0 = h_ * (s - 2 * s2 + s3), rate1 = h_ * (s3 - s2);
    stage_.d = end * end_.d + rate0 * k_[0].d + rate1 * end_rate_.d;
    stage_.u = (1 - end) * start_.u + end * end_.u + rate0 * k_[0].u + rate1 * end_rate_.u;
    stage_.z = (1 - end) * start_.z + end * end_.z + rate0 * k_[0].z + rate1 * end_rate_.z;
    out = start_;
    finish(system, out, stage_, t, q_);
  }

 private:
  StageEvaluator evaluator_;
  State start_;
  VecX q_;
  TangentPoint stage_, first_, end_, end_rate_;
  std::array<TangentPoint, 4> k_;
  double h_ = 0;
  bool first_known_ = false, end_rate_known_ = false;
};

// Dormand & Prince (1980); dense output of Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.6.
class DormandPrince final : public Stepper {
 public:
  DormandPrince(const Model& model, const AdaptiveOptions& options)
      : options_(options), start_(model.initial_state()), q_(start_.q) {
    stage_.resize(model);
    error_.resize(model);
    for (auto& k : k_) k.resize(model);
    for (auto& r : dense_) r.resize(model);
    first_.resize(model);
    evaluator_.resize(model);
  }
  std::string name() const override { return "dopri5"; }
  std::string summary() const override { return "Dormand-Prince, order 5(4), adaptive"; }
  int order() const override { return 5; }
  bool adaptive() const override { return true; }
  bool is_explicit() const override { return true; }
  std::unique_ptr<Stepper> clone_without_history(const Model& model) const override {
    return make_dormand_prince(model, options_);
  }
  void restart(State&) override { first_known_ = false; }
  void forget() override { first_known_ = false; }
  void go_back() override { first_known_ = false; }
  void take_evaluation(const System& system, const State& state) override {
    if (first_known_ || !may_be_taken(system)) return;
    stage_.assign_start(state);
    rates_of(system, stage_, first_);
    first_known_ = true;
  }

  StepOutcome step(System& system, State& state, double limit) override {
    start_ = state;
    if (!first_known_) {
      stage_.assign_start(state);
      ++counts_.evaluations;
      if (!evaluator_.rates(system, start_, state.t, stage_, first_)) return {false, 0, system.failure()};
    }
    k_[0] = first_;
    k_[0].d = state.u;
    const double wanted = state.next_step > 0 ? state.next_step : options_.first_step;
    double h = std::min({wanted, limit, options_.longest});
    // A last sliver would be lost in round-off of t: take it with this step.
    if (limit - h < 1e-9 * limit) h = limit;
    bool rejected = false;
    while (true) {
      bool evaluated = true;
      for (size_t i = 1; i < 7 && evaluated; ++i) {
        stage_.assign_start(state);
        for (size_t j = 0; j < i; ++j)
          if (a_[i][j] != 0) stage_.add(h * a_[i][j], k_[j]);
        ++counts_.evaluations;
        evaluated = evaluator_.rates(system, start_, state.t + c_[i] * h, stage_, k_[i]);
      }
      const double error = evaluated ? error_norm(h) : 2e10;
      if (error <= 1) {
        // PI control (Gustafsson); after a rejection the step may not grow at once.
        double factor = 0.9 * std::pow(std::max(error, 1e-10), -0.7 / 5) * std::pow(state.step_error, 0.4 / 5);
        factor = std::clamp(factor, 0.2, rejected ? 1.0 : 5.0);
        state.step_error = std::max(error, 1e-4);
        prepare_dense(h);
        h_taken_ = h;
        // A step cut short by the limit says little about the next one.
        if (h >= wanted || factor < 1 || rejected) state.next_step = factor * h;
        first_ = k_[6];
        // Projection moves the end a little: the last stage is then not the first of the next step.
        first_known_ = system.model().rows() == 0;
        if (!finish(system, state, stage_, state.t + h, q_)) return {false, 0, system.failure()};
        counts_.accept(h);
        return {true, h, {}};
      }
      ++counts_.rejected;
      rejected = true;
      h *= std::isfinite(error) ? std::clamp(0.9 * std::pow(error, -0.2), 0.1, 0.9) : 0.1;
      if (h < 1e-14 * std::max(1.0, std::abs(state.t))) {
        Failure why = system.failure();
        if (why.why.empty())
          why = {worst_coordinate(system.model()),
                 "the step shrank to nothing: the motion is not smooth here or grows without bound"};
        return {false, 0, why};
      }
    }
  }

  void interpolate(System& system, double t, State& out) override {
    const double s = (t - start_.t) / h_taken_, r = 1 - s;
    const auto blend = [&](auto member) {
      auto& y = stage_.*member;
      y = dense_[0].*member +
          s * (dense_[1].*member + r * (dense_[2].*member + s * (dense_[3].*member + r * (dense_[4].*member))));
    };
    blend(&TangentPoint::d);
    blend(&TangentPoint::u);
    blend(&TangentPoint::z);
    out = start_;
    finish(system, out, stage_, t, q_);
  }

 private:
  double error_norm(double h) {
    error_.d.setZero();
    error_.u.setZero();
    error_.z.setZero();
    for (size_t j = 0; j < 7; ++j) error_.add(h * e_[j], k_[j]);
    double sum = 0;
    for (Eigen::Index i = 0; i < error_.d.size(); ++i) {
      const double d = error_.d[i], u = error_.u[i] / (1 + std::max(std::abs(start_.u[i]), std::abs(stage_.u[i])));
      sum += d * d + u * u;
    }
    for (Eigen::Index i = 0; i < error_.z.size(); ++i) {
      const double z = error_.z[i] / (1 + std::max(std::abs(start_.z[i]), std::abs(stage_.z[i])));
      sum += z * z;
    }
    const double count = static_cast<double>(2 * error_.d.size() + error_.z.size());
    return std::sqrt(sum / std::max(count, 1.0)) / options_.tolerance;
  }

  // Where the error of the last try was largest.
  std::string worst_coordinate(const Model& model) const {
    const VecX size = error_.d.cwiseAbs() + error_.u.cwiseAbs();
    Eigen::Index worst = 0;
    for (Eigen::Index i = 0; i < size.size(); ++i)
      if (!(size[i] <= size[worst])) worst = i;
    return size.size() ? model.speed_names()[static_cast<size_t>(worst)] : std::string();
  }

  void prepare_dense(double h) {
    const auto fill = [&](auto member, const VecX* start) {
      auto part = [&](TangentPoint& p) -> VecX& { return p.*member; };
      VecX& y0 = part(dense_[0]);
      VecX& delta = part(dense_[1]);
      if (start) {
        y0 = *start;
        delta = part(stage_) - *start;
      } else {
        y0.setZero();
        delta = part(stage_);
      }
      part(dense_[2]) = h * part(k_[0]) - delta;
      part(dense_[3]) = delta - h * part(k_[6]) - part(dense_[2]);
      part(dense_[4]).setZero();
      for (size_t j = 0; j < 7; ++j) part(dense_[4]).noalias() += h * d_[j] * part(k_[j]);
    };
    fill(&TangentPoint::d, nullptr);
    fill(&TangentPoint::u, &start_.u);
    fill(&TangentPoint::z, &start_.z);
  }

  static constexpr double c_[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  static constexpr double a_[7][6] = {{},
                                      {1.0 / 5},
                                      {3.0 / 40, 9.0 / 40},
                                      {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static constexpr double e_[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  static constexpr double d_[7] = {-12715105075.0 / 11282082432.0,  0,
                                   87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                   701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                   69997945.0 / 29380423.0};

  AdaptiveOptions options_;
  double h_taken_ = 0;
  StageEvaluator evaluator_;
  State start_;
  VecX q_;
  TangentPoint stage_, error_, first_;
  std::array<TangentPoint, 7> k_;
  std::array<TangentPoint, 5> dense_;
  bool first_known_ = false;
};

}  // namespace

std::unique_ptr<Stepper> make_rk4(const Model& model) { return std::make_unique<RungeKutta4>(model); }
std::unique_ptr<Stepper> make_dormand_prince(const Model& model, const AdaptiveOptions& options) {
  return std::make_unique<DormandPrince>(model, options);
}

std::optional<std::string> needs_mass(const Model& model, const std::string& method) {
  System system(model);
  system.factor_mass(model.initial_state());
  for (size_t i = 0; i < model.blocks().size(); ++i)
    if (const MassFailure m = model.blocks()[i].block->mass_failure(*system.workspace().block[i]))
      return "method " + method + " needs mass on every coordinate, and '" + m.element +
             "' has none: use conserving, midpoint, implicit_euler, dele or spook";
  return std::nullopt;
}

std::optional<std::string> unsupported_reason(const Stepper& stepper, const Model& model, double step) {
  if (auto why = stepper.unsupported_reason(model)) return why;
  if (stepper.is_explicit() && !model.contacts().empty())
    return "method " + stepper.name() + " is for smooth motion, and contact '" + model.contacts()[0].name +
           "' is not: use conserving";
  if (stepper.is_explicit())
    if (auto why = needs_mass(model, stepper.name())) return why;
  if (stepper.adaptive()) return std::nullopt;
  for (const auto& e : model.elements()) {
    const double sample = e.element->sample_time(), steps = sample / step;
    if (sample > 0 && (steps < 1 - 1e-9 || std::abs(steps - std::round(steps)) > 1e-6))
      return "'" + e.element->name() + "' samples every " + std::to_string(sample) +
             " s, which is not a whole number of steps: choose a step that divides it, or method dopri5";
  }
  return std::nullopt;
}

}  // namespace davit
