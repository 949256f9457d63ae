// Newton's method with a line search for minima of the potential, and steps of growing length with it.
#include "davit/solve/static_steps.hpp"

#include <algorithm>
#include <cmath>

#include "davit/solve/rest.hpp"
#include "davit/solve/step_equations.hpp"

namespace davit {

namespace {

// Newton's method with a line search for minima: the force along the change, which is minus the slope of the potential,
// shall be half gone where it stops. Lines that go slack and taut make the plain method jump to and fro. Every
// iteration lowers the potential: one that is not at its minimum yet is a step downhill all the same, unless there are
// constraints that it does not meet.
class DampedNewton {
 public:
  bool solve(System& system, StepEquations& equations, StepEquations::Unknowns& at) {
    const Eigen::Index nu = at.x.size(), nz = at.z.size();
    const int most_iterations = at.lambda.size() ? 60 : 15;
    constexpr double tolerance = 1e-13;
    finished_ = false;
    for (iterations_ = 1; iterations_ <= most_iterations; ++iterations_) {
      if (!equations.factor_at(system, at)) return false;
      residual_ = equations.last_residual();
      change_ = equations.correction();
      const double size = change_.head(nu + nz).cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) return false;
      const double place = 1 + at.x.cwiseAbs().maxCoeff();
      // Changes that no longer shrink but are tiny are round-off.
      const bool stalled = iterations_ > 3 && size < 1e-9 * place && size > 0.3 * last_;
      last_ = size;
      if (size <= tolerance * place || stalled) {
        add(1, at, at);
        return finished_ = true;
      }
      if (!search(system, equations, at)) return false;
      std::swap(at, trial_);
    }
    return at.lambda.size() == 0;
  }
  int iterations() const { return iterations_; }
  bool finished() const { return finished_; }

 private:
  // Leaves the new point in trial_.
  bool search(System& system, StepEquations& equations, const StepEquations::Unknowns& at) {
    const Eigen::Index nu = at.x.size();
    const auto slope = [&] { return residual_.head(nu).dot(change_.head(nu)); };
    const double first = -std::abs(slope());
    double low = 0, high = 1, share = 1;
    for (int trial = 0; trial < 30; ++trial) {
      add(share, at, trial_);
      equations.residual(system, trial_, residual_);
      const double here = slope();
      if (!std::isfinite(here)) return false;
      if (here <= 0.5 * -first && (here >= 0.5 * first || share == 1)) return true;
      (here > 0 ? high : low) = share;
      share = low == 0 ? high * std::clamp(-first / (here - first), 0.02, 0.5) : 0.5 * (low + high);
    }
    return true;
  }
  void add(double share, const StepEquations::Unknowns& at, StepEquations::Unknowns& to) const {
    const Eigen::Index nu = at.x.size(), nz = at.z.size();
    to.x = at.x + share * change_.head(nu);
    to.z = at.z + share * change_.segment(nu, nz);
    to.lambda = at.lambda + share * change_.tail(at.lambda.size());
  }
  VecX change_, residual_;
  StepEquations::Unknowns trial_;
  double last_ = 0;
  int iterations_ = 0;
  bool finished_ = false;
};

// m, rad: gentle steps do not pass by what a body comes to rest on.
constexpr double longest_way = 0.2;

class StaticSteps {
 public:
  StaticSteps(const Model& model, StaticGrowth growth)
      : equations_(model, 0), unknowns_(equations_.make_unknowns()), gentle_(growth == StaticGrowth::gentle) {}

  // One step from the state, which is moved if Newton's method converges. Gentle ones end at the minimum of the
  // potential and are not too long.
  bool take(System& system, State& s, double h) {
    Stage& stage = equations_.stage();
    stage.clear(s.u.size());
    stage.h = h;
    stage.t_point = stage.t_end = s.t;
    stage.d_point.factor = stage.d_end.factor = 1;
    stage.a_point.factor = 1 / (h * h);
    stage.laws = Stage::Laws::as_forces;
    equations_.begin(system, s);
    last_ = unknowns_.lambda;
    unknowns_.x.setZero();
    unknowns_.z = s.z;
    const bool solved = newton_.solve(system, equations_, unknowns_);
    length_ = unknowns_.x.cwiseAbs().maxCoeff();
    taken_ = solved && (!gentle_ || (newton_.finished() && length_ <= longest_way));
    if (!taken_) {
      unknowns_.lambda = last_;
      return false;
    }
    moved_.resizeLike(s.q);
    system.retract(s.q, unknowns_.x, moved_);
    s.q = moved_;
    acceleration_ = length_ / (h * h);
    if (s.z.size()) acceleration_ = std::max(acceleration_, (unknowns_.z - s.z).cwiseAbs().maxCoeff() / h);
    s.z = unknowns_.z;
    meet_what_touches(system, s);
    return true;
  }
  // By how much the next step is longer than the one that was tried. The way of a step grows with its square.
  double growth() const {
    if (gentle_ && newton_.finished()) return std::clamp(std::sqrt(0.9 * longest_way / length_), 0.25, 1.5);
    if (!taken_) return 0.25;
    return newton_.iterations() <= 4 ? 10 : newton_.iterations() <= 8 ? 3 : 1.5;
  }
  int iterations() const { return newton_.iterations(); }
  bool finished() const { return newton_.finished(); }
  double length() const { return length_; }
  double acceleration() const { return acceleration_; }
  bool stable() const { return equations_.unstable_directions() == 0; }

 private:
  StepEquations equations_;
  StepEquations::Unknowns unknowns_;
  DampedNewton newton_;
  bool gentle_, taken_ = false;
  VecX moved_, last_;
  double length_ = 0, acceleration_ = 0;
};

}  // namespace

Equilibrium find_equilibrium_by_steps(System& system, const State& start, StaticGrowth growth) {
  constexpr double shortest = 1e-5, longest = 1e5;  // s
  const bool gentle = growth == StaticGrowth::gentle;
  const int most_steps = gentle ? 1500 : 300;
  Equilibrium out;
  out.state = start;
  out.state.u.setZero();
  StaticSteps steps(system.model(), growth);
  State s = out.state;
  double h = gentle ? 0.02 : 1, scale = 1;
  for (int step = 0; step < most_steps; ++step) {
    if (!steps.take(system, s, h)) {
      h *= steps.growth();
      if (h < shortest) break;
      continue;
    }
    out.iterations += steps.iterations();
    out.residual = steps.acceleration();
    if (step == 0) scale = std::max(1.0, out.residual);
    // At the longest step nothing holds it back: what it does not move any more is at rest.
    if (steps.finished() && out.residual <= 1e-9 * scale && (h == longest || steps.length() < 1e-10)) {
      out.converged = true;
      out.stable = steps.stable();
      out.state = s;
      return out;
    }
    if (steps.length() > 1e6) break;
    h = std::min(longest, h * steps.growth());
  }
  out.why = no_equilibrium(out.residual);
  return out;
}

}  // namespace davit
