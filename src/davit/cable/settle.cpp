// A line at rest.
#include <algorithm>
#include <cmath>

#include "davit/cable/elimination.hpp"
#include "davit/cable/equations.hpp"
#include "davit/cable/flow_to_rest.hpp"

namespace davit::cable {

namespace {

void shift(LineWork& work, double part) {
  for (size_t i = 0; i < work.change.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      work.position[static_cast<size_t>(axis * work.stride) + i] += part * work.change[i][axis];
}

// Bars that flow to rest (flow_to_rest.hpp).
class BarsAtRest : public FlowingNodes<LineEquations, LineWork> {
 public:
  BarsAtRest(LineEquations& equations, LineWork& work, const Vec3& a, const Vec3& b, double longest)
      : FlowingNodes(equations, work), a_(a), b_(b), longest_(longest) {}
  double solve() {
    work_.change.front() = a_ - work_.node(0);
    work_.change[static_cast<size_t>(work_.elements)] = b_ - work_.node(work_.elements);
    return eliminate(work_.elements + 1, work_, hold_a, hold_b);
  }
  double change() const {
    double largest = 0;
    for (int i = 0; i <= work_.elements; ++i) largest = std::max(largest, work_.change[static_cast<size_t>(i)].norm());
    return largest;
  }
  double most() const { return longest_ / std::max(change(), 1e-300); }
  void move(double part) { shift(work_, part); }
  double power() const {
    double sum = 0;
    for (int e = 0; e < work_.elements; ++e) {
      const EquationPack& p = work_.equations[static_cast<size_t>(e / lanes)];
      for (int axis = 0; axis < 3; ++axis)
        sum += p.first[axis][e % lanes] * work_.change[static_cast<size_t>(e)][axis] +
               p.second[axis][e % lanes] * work_.change[static_cast<size_t>(e) + 1][axis];
    }
    return sum;
  }
  Vec3 hold_a = Vec3::Zero(), hold_b = Vec3::Zero();

 private:
  Vec3 a_, b_;
  double longest_;
};

}  // namespace

// Newton's method on K + σM; σ follows the residual down, and no node moves by more than a part of the line at once
// and no bar by more than its length. (The energy of bars that cannot push, of weight and bed is convex, but a search
// along each change that makes it fall took several times as many iterations.)
Outcome Line::settle(const Vec3& a, const Vec3& b, double* state, LineWork& work, Start start, double paid_out) const {
  const Extent out = extent(paid_out, start == Start::state ? elements(state) : elements_for(paid_out));
  take(out, work);
  if (start != Start::state) lay(a, b, start, out, state);
  work.take_at_rest(layout_, state);
  work.relax();  // at rest Maxwell branches have no force
  LineEquations equations(*this, work);
  Outcome outcome;
  Vec3 hold_a, hold_b;
  const size_t last_node = static_cast<size_t>(out.elements);
  const int most = numerics_.max_static_iterations + 5 * out.elements;  // a straight line turns its bars one by one
  const double tolerable = tolerable_force(), longest = 0.05 * out.length;
  constexpr double least = 1e-4;  // slack bars on a bed have no stiffness, and would flutter
  double last = 0;
  // A line that was at rest near by is almost there.
  const double first = start == Start::straight ? 10 : start == Start::catenary ? 1 : 0;
  double sigma = std::max(least, first * surroundings_.water.gravity);
  equations.sample();
  equations.evaluate({0, sigma}, nullptr);
  while (!outcome.converged && outcome.iterations < most) {
    ++outcome.iterations;
    work.change.front() = a - work.node(0);
    work.change[last_node] = b - work.node(out.elements);
    outcome.residual = eliminate(work.elements + 1, work, hold_a, hold_b);
    const double change_before = outcome.change;
    outcome.change = 0;
    for (size_t i = 0; i <= last_node; ++i) outcome.change = std::max(outcome.change, work.change[i].norm());
    if (!std::isfinite(outcome.change)) return outcome;

    double turn = 0;
    for (size_t i = 1; i <= last_node; ++i)
      turn = std::max(turn,
                      (work.change[i] - work.change[i - 1]).norm() / (i == last_node ? out.last : rest_length_[i - 1]));
    const double part = std::min({1.0, longest / std::max(outcome.change, 1e-300), 1 / std::max(turn, 1e-300)});
    shift(work, part);
    if (last > 0) sigma *= std::clamp(outcome.residual / last, 0.1, 4.0);
    sigma = std::clamp(sigma * (part < 1 ? 2.0 : 0.5), least, 1e4);
    last = outcome.residual;
    if (work.open || bed_.uneven()) equations.sample();
    equations.evaluate({0, sigma}, nullptr);
    // Near its place Newton's method squares the error: what would come next is foreseen.
    const bool foreseen = start == Start::state && part == 1 && outcome.iterations > 1 && outcome.change < 1e-3 &&
                          outcome.change * outcome.change < 1e-7 * change_before;
    outcome.converged = foreseen || (outcome.residual < tolerable && outcome.change < 1e-6);
  }
  keep_at_rest(out, hold_a, hold_b, work, state);
  return outcome;
}

Outcome Line::settle_slack(const Vec3& a, const Vec3& b, double* state, LineWork& work, double paid_out) const {
  const Extent out = extent(paid_out, elements_for(paid_out));
  take(out, work);
  lay(a, b, Start::slack, out, state);
  work.take_at_rest(layout_, state);
  work.relax();  // at rest Maxwell branches have no force
  LineEquations equations(*this, work);
  BarsAtRest bars(equations, work, a, b, 0.05 * out.length);
  const Outcome outcome = flow_to_rest(bars, 0.05 * tolerable_force());
  keep_at_rest(out, bars.hold_a, bars.hold_b, work, state);
  return outcome;
}

void Line::keep_at_rest(const Extent& out, const Vec3& hold_a, const Vec3& hold_b, const LineWork& work,
                        double* state) const {
  std::fill_n(state, layout_.size(), 0.0);
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(work.position.data() + axis * work.stride, out.elements + 1, state + layout_.position(axis));
  state[StateLayout::active] = out.elements;
  state[StateLayout::last_length] = out.last;
  Eigen::Map<Vec3>(state + StateLayout::force_a) = -hold_a;
  Eigen::Map<Vec3>(state + StateLayout::force_b) = -hold_b;
}

void Line::static_forces(const double* state, EndForces& forces, LineWork& work) const {
  take({elements(state), state[StateLayout::last_length], 0, 0}, work);
  work.take_at_rest(layout_, state);
  work.relax();  // at rest Maxwell branches have no force
  LineEquations equations(*this, work);
  equations.sample();
  equations.evaluate({0, 1e-9}, nullptr);
  forces_of_work(forces, work);
}

// The mass that settles a line is no part of its stiffness.
void Line::forces_of_work(EndForces& forces, LineWork& work) const {
  work.change.front().setZero();
  work.change[static_cast<size_t>(work.elements)].setZero();
  Vec3 hold_a, hold_b;
  eliminate(work.elements + 1, work, hold_a, hold_b);
  forces.a = -hold_a;
  forces.b = -hold_b;
  std::fill(work.acceleration.begin(), work.acceleration.end(), 0.0);
  LineEquations(*this, work).evaluate({0, 1e-9}, nullptr);
  forces.tangent = -exact_schur_complement(work.elements + 1, work, !forces.anchored);
}

Outcome settle_near(const Line& line, const double* near, const LineEnds& ends, double* state, EndForces& forces,
                    LineWork& work) {
  const double out = ends.paid_out.length;
  Outcome outcome;
  if (near) {
    std::copy_n(near, line.state_size(), state);
    outcome = line.settle(ends.a, ends.b, state, work, Line::Start::state, out);
  }
  for (const auto start : {Line::Start::catenary, Line::Start::straight})
    if (!outcome.converged) outcome = line.settle(ends.a, ends.b, state, work, start, out);
  if (!outcome.converged) outcome = line.settle_slack(ends.a, ends.b, state, work, out);
  line.forces_of_work(forces, work);
  return outcome;
}

}  // namespace davit::cable
