// A beam line at rest and in motion.
#include <algorithm>
#include <cmath>

#include "davit/cable/beam_elimination.hpp"
#include "davit/cable/beam_equations.hpp"
#include "davit/cable/flow_to_rest.hpp"
#include "davit/cable/implicit_step.hpp"

namespace davit::cable {

namespace {

Vec3 slope_in(const NodeWork& work, int node) {
  const double* p = work.position.data() + 3 * work.stride + node;
  return {p[0], p[work.stride], p[2 * work.stride]};
}

// One solution of Newton's system: what it leaves of the ends.
struct Solved {
  GivenEnd a, b;
  Vec6 hold_a, hold_b;
  double residual;
  Solved(const Beam& line, const LineEnds& ends, BeamWork& work)
      : a(line.options().a, ends.a, ends.direction_a, work.node(0), slope_in(work, 0)),
        b(line.options().b, ends.b, ends.direction_b, work.node(line.elements()), slope_in(work, line.elements())) {
    residual = eliminate(line.nodes(), work, a, b, hold_a, hold_b);
  }
};

// Forces on the holders, and the moment λ d × g of the force g on a slope λ d; derivatives by directions.
void fill(const Solved& s, const LineEnds& ends, const Beam& line, const BeamWork& work, EndForces& out) {
  const Mat12 K = schur_complement(line.nodes(), work, s.a, s.b, !out.anchored);
  out.a = -s.hold_a.head<3>();
  out.b = -s.hold_b.head<3>();
  struct Part {
    Hold hold;
    Vec3 direction, force;  // on the slope
    double stretch;
  };
  const Part parts[2] = {
      {line.options().a, ends.direction_a, -(s.a.given * s.hold_a).tail<3>(), slope_in(work, 0).norm()},
      {line.options().b, ends.direction_b, -(s.b.given * s.hold_b).tail<3>(), slope_in(work, line.elements()).norm()}};
  out.moment_a = parts[0].stretch * parts[0].direction.cross(parts[0].force);
  out.moment_b = parts[1].stretch * parts[1].direction.cross(parts[1].force);
  const auto cross = [](const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
  };
  // From (position, slope) of a and of b to (a, b, direction a, direction b).
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column) {
      const auto part = [&](int i, int j) { return K.block<3, 3>(6 * row + 3 * i, 6 * column + 3 * j); };
      const Mat3 lever = parts[row].stretch * cross(parts[row].direction);
      const double turn = parts[column].stretch;
      out.bending.block<3, 3>(3 * row, 3 * column) = -part(0, 0);
      out.bending.block<3, 3>(3 * row, 6 + 3 * column) = -turn * part(0, 1);
      out.bending.block<3, 3>(6 + 3 * row, 3 * column) = -lever * part(1, 0);
      out.bending.block<3, 3>(6 + 3 * row, 6 + 3 * column) = -turn * lever * part(1, 1);
      if (row == column && parts[row].hold == Hold::clamped)
        out.bending.block<3, 3>(6 + 3 * row, 6 + 3 * row) -= turn * cross(parts[row].force);
    }
  out.tangent = out.bending.topLeftCorner<6, 6>();
}

// The largest change of a position, and that of a slope.
std::pair<double, double> largest(const std::vector<Vec6>& change) {
  double position = 0, slope = 0;
  for (const Vec6& d : change) {
    position = std::max(position, d.head<3>().norm());
    slope = std::max(slope, d.tail<3>().norm());
  }
  return {position, slope};
}

void shift(BeamWork& work, double part) {
  for (size_t i = 0; i < work.change.size(); ++i)
    for (int axis = 0; axis < 6; ++axis)
      work.position[static_cast<size_t>(axis * work.stride) + i] += part * work.change[i][axis];
}

// What the forces that must be held would do on the way of the changes; negative where these go with the forces.
double power_of(const BeamWork& work) {
  double sum = 0;
  const int elements = static_cast<int>(work.change.size()) - 1;
  for (int e = 0; e < elements; ++e) {
    const BeamEquationPack& p = work.equations[static_cast<size_t>(e / lanes)];
    for (int i = 0; i < 4; ++i)
      for (int r = 0; r < 3; ++r)
        sum += p.residual[i][r][e % lanes] * work.change[static_cast<size_t>(e + i / 2)][3 * (i % 2) + r];
  }
  return sum;
}

// Beams that flow to rest (flow_to_rest.hpp).
class BeamsAtRest : public FlowingNodes<BeamEquations, BeamWork> {
 public:
  BeamsAtRest(const Beam& line, BeamEquations& equations, BeamWork& work, const LineEnds& ends, double longest)
      : FlowingNodes(equations, work), line_(line), ends_(ends), longest_(longest) {}
  double solve() { return Solved(line_, ends_, work_).residual; }
  double change() const { return largest(work_.change).first; }
  double most() const {
    constexpr double most_turn = 0.5;
    const auto [change, turn] = largest(work_.change);
    return std::min(longest_ / std::max(change, 1e-300), most_turn / std::max(turn, 1e-300));
  }
  void move(double part) { shift(work_, part); }
  double power() const { return power_of(work_); }

 private:
  const Beam& line_;
  const LineEnds& ends_;
  double longest_;
};

}  // namespace

// From node to node, and as the ends are clamped.
void Beam::lay_slopes(const LineEnds& ends, double* state) const {
  for (int i = 0; i <= elements_; ++i) {
    const int from = std::max(0, i - 1), to = std::min(elements_, i + 1);
    Vec3 slope = (position(state, to) - position(state, from)) / (unstretched(to) - unstretched(from));
    if (i == 0 && options_.a == Hold::clamped) slope = ends.direction_a;
    if (i == elements_ && options_.b == Hold::clamped) slope = ends.direction_b;
    for (int axis = 0; axis < 3; ++axis) state[layout_.position(3 + axis) + i] = slope[axis];
  }
}

void Beam::keep_forces(const EndForces& forces, double* state) const {
  state[StateLayout::active] = elements_;
  state[StateLayout::last_length] = rest_length_.back();
  state[StateLayout::pay_rate] = 0;
  Eigen::Map<Vec3>(state + StateLayout::force_a) = forces.a;
  Eigen::Map<Vec3>(state + StateLayout::force_b) = forces.b;
  Eigen::Map<Vec3>(state + layout_.moment_a()) = forces.moment_a;
  Eigen::Map<Vec3>(state + layout_.moment_b()) = forces.moment_b;
}

// As for bars: Newton's method on K + σM, σ following the residual down.
Outcome Beam::settle(const LineEnds& ends, double* state, BeamWork& work, Start start) const {
  if (start != Start::state) {
    lay(ends.a, ends.b, start, extent(0, elements_), state);
    lay_slopes(ends, state);
  }
  work.take_at_rest(layout_, state);
  work.relax();
  BeamEquations equations(*this, work);
  Outcome outcome;
  const int most = numerics_.max_static_iterations + 5 * elements_;
  const double tolerable = tolerable_force(), longest = 0.05 * length_;
  constexpr double least = 1e-4, most_turn = 0.5;
  const int most_tries = start == Start::straight ? 0 : 8;
  double last = 0;
  double sigma = std::max(least, surroundings_.water.gravity / (start == Start::straight ? 0.1 : 1.0));
  equations.sample();
  equations.evaluate({0, sigma}, nullptr);
  while (!outcome.converged && outcome.iterations < most) {
    ++outcome.iterations;
    const Solved solved(*this, ends, work);
    outcome.residual = solved.residual;
    const auto [change, turn] = largest(work.change);
    outcome.change = change;
    if (!std::isfinite(change) || !std::isfinite(turn)) return outcome;
    double part = std::min({1.0, longest / std::max(change, 1e-300), most_turn / std::max(turn, 1e-300)});
    // On the way the forces must not turn round and grow: then it goes less far. (From a straight line that would only
    // take longer.)
    const double downhill = power_of(work);
    bool whole = part == 1;
    shift(work, part);
    for (int tries = 0;; ++tries) {
      if (work.open || bed_.uneven()) equations.sample();
      equations.evaluate({0, sigma}, nullptr);
      const double after = power_of(work);
      if (tries == most_tries || after <= 0.9 * std::abs(downhill)) break;
      const double less = part * std::clamp(downhill / (downhill - after), 0.1, 0.5);
      shift(work, less - part);
      part = less;
      whole = false;
    }
    if (last > 0) sigma *= std::clamp(outcome.residual / last, 0.1, 4.0);
    sigma = std::clamp(sigma * (whole ? 0.5 : 2.0), least, 1e4);
    last = outcome.residual;
    outcome.converged = outcome.residual < tolerable && change < 1e-6 && turn < 1e-6;
  }
  keep_at_rest(ends, work, state, firm);
  return outcome;
}

Outcome Beam::settle_slack(const LineEnds& ends, double* state, BeamWork& work) const {
  lay(ends.a, ends.b, Start::slack, extent(0, elements_), state);
  lay_slopes(ends, state);
  work.take_at_rest(layout_, state);
  work.relax();
  BeamEquations equations(*this, work);
  BeamsAtRest beams(*this, equations, work, ends, 0.05 * length_);
  const Outcome outcome = flow_to_rest(beams, 0.05 * tolerable_force());
  keep_at_rest(ends, work, state, loose);
  return outcome;
}

void Beam::keep_at_rest(const LineEnds& ends, BeamWork& work, double* state, double hold) const {
  std::fill_n(state, layout_.size(), 0.0);
  for (int axis = 0; axis < layout_.axes; ++axis)
    std::copy_n(work.position.data() + axis * work.stride, nodes(), state + layout_.position(axis));
  EndForces forces;
  forces.anchored = true;
  static_forces(state, ends, forces, work, hold);
  keep_forces(forces, state);
}

void Beam::static_forces(const double* state, const LineEnds& ends, EndForces& forces, BeamWork& work,
                         double hold) const {
  work.take_at_rest(layout_, state);
  work.relax();
  BeamEquations equations(*this, work);
  equations.sample();
  equations.evaluate({0, hold}, nullptr);
  const Solved solved(*this, ends, work);
  fill(solved, ends, *this, work, forces);
}

Outcome Beam::step(const double* before, double time, double h, const LineEnds& ends, double* after, EndForces& forces,
                   BeamWork& work, Guess guess) const {
  if (relaxes_) begin_branches(before, h, work);
  ImplicitStep step(layout_, work, before, h);
  BeamEquations equations(*this, work);
  if (guess == Guess::prediction) {
    step.predict();
    step.place();
    const StepSpan span{before, time, h, ends.waves};
    equations.sample(&span);
  } else {
    step.take_up(after);
    step.place();
  }
  Patience patience;
  Outcome outcome;
  while (!outcome.converged && outcome.iterations < numerics_.max_iterations) {
    ++outcome.iterations;
    equations.evaluate(step.rates(), before);
    const Solved solved(*this, ends, work);
    outcome.residual = solved.residual;
    const double last = outcome.change;
    outcome.change = step.move(work.change, patience.part(outcome.iterations, last));
    step.place();
    if (!std::isfinite(outcome.change)) break;
    const double next = outcome.iterations > 1 ? outcome.change * outcome.change / last : outcome.change;
    outcome.converged = std::min(outcome.change, next) < Patience::tolerance(numerics_, outcome.iterations);
    if (outcome.converged || outcome.iterations == numerics_.max_iterations) fill(solved, ends, *this, work, forces);
  }
  step.keep(after);
  if (relaxes_) keep_branches(after, work);
  keep_forces(forces, after);
  return outcome;
}

void Beam::differentiate(const double* before, double time, double h, const LineEnds& ends, const double* after,
                         EndForces& forces, BeamWork& work) const {
  if (relaxes_) begin_branches(before, h, work);
  ImplicitStep step(layout_, work, before, h);
  step.take_up_places(after);
  step.place();
  BeamEquations equations(*this, work);
  const StepSpan span{before, time, h, ends.waves};
  equations.sample(&span);
  equations.evaluate(step.rates(), before);
  EndForces there = forces;
  fill(Solved(*this, ends, work), ends, *this, work, there);
  forces.tangent = there.tangent;
  forces.bending = there.bending;
}

}  // namespace davit::cable
