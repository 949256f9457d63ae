// A line at rest.
#include <algorithm>
#include <cmath>

#include "davit/cable/catenary.hpp"
#include "davit/cable/elimination.hpp"
#include "davit/cable/equations.hpp"

namespace davit::cable {

namespace {

// Points of a path at given parts of its length.
class Path {
 public:
  explicit Path(std::vector<Vec3> corners) : corners_(std::move(corners)) {
    for (size_t i = 1; i < corners_.size(); ++i) length_ += (corners_[i] - corners_[i - 1]).norm();
  }
  Vec3 at(double part) const {
    double left = part * length_;
    for (size_t i = 1; i < corners_.size(); ++i) {
      const Vec3 leg = corners_[i] - corners_[i - 1];
      if (left <= leg.norm() || i + 1 == corners_.size())
        return corners_[i - 1] + leg * std::min(1.0, left / std::max(1e-12, leg.norm()));
      left -= leg.norm();
    }
    return corners_.back();
  }

 private:
  std::vector<Vec3> corners_;
  double length_ = 0;
};

}  // namespace

// The catenary of a uniform line with the mean weight and stiffness, over a flat bed where its lower end lies on one.
void Line::lay(const Vec3& a, const Vec3& b, Start start, const Extent& extent, double* state) const {
  const int elements = extent.elements;
  const double length = extent.length;
  std::fill_n(state, state_size(), 0.0);
  const auto put = [&](int node, const Vec3& p) {
    // Nothing starts under the bed but the ends.
    const double buried = node > 0 && node < elements && start == Start::catenary ? bed_.embedment(p) : 0;
    const Vec3 q = buried > 0 ? Vec3(p + buried * bed_.at(p).normal) : p;
    for (int axis = 0; axis < 3; ++axis) state[layout_.position(axis) + node] = q[axis];
  };
  const bool a_lower = a.z() <= b.z();
  const Vec3 &low = a_lower ? a : b, &high = a_lower ? b : a;
  const Vec3 flat(high.x() - low.x(), high.y() - low.y(), 0);
  const double span = std::max(flat.norm(), 1e-3 * length), height = high.z() - low.z();
  const Vec3 across = flat.norm() > 0 ? Vec3(flat.normalized()) : Vec3::UnitX();

  double compliance = 0;
  for (int i = 0; i < elements; ++i)
    compliance += rest_length_[static_cast<size_t>(i)] / packs_[static_cast<size_t>(i / lanes)].EA[i % lanes];
  const UniformLine uniform{length, extent.weight / length, length / compliance};
  const bool lies = bed_.present && bed_.embedment(low) > -0.5;
  std::optional<Catenary> curve;
  if (start == Start::catenary && uniform.weight > 0)
    curve = lies ? grounded_catenary(uniform, span, height) : hanging_catenary(uniform, span, height);
  const bool slack = lies && start == Start::catenary && span + height < length;

  Path straight({a, b});
  const Vec3 foot(high.x(), high.y(), low.z());
  if (slack) straight = Path({a, foot, b});
  for (int i = 0; i <= elements; ++i) {
    const double s = arc_[static_cast<size_t>(i)];
    if (curve && !slack) {
      const Vec2 p = curve->at(a_lower ? s : length - s);
      put(i, low + p.x() * across * (flat.norm() / span) + Vec3(0, 0, p.y()));
    } else {
      put(i, straight.at(s / length));
    }
  }
  put(0, a);
  put(elements, b);
}

namespace {

// Positions in the work, at rest.
void take_positions(const StateLayout& layout, const double* state, LineWork& work) {
  for (auto* array : {&work.velocity, &work.acceleration, &work.increment})
    std::fill(array->begin(), array->end(), 0.0);
  for (auto* branches : {&work.branch_base, &work.branch_slope})
    std::fill(branches->begin(), branches->end(), Pack::Zero());
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(state + layout.position(axis), layout.nodes, work.position.data() + axis * work.stride);
}
Vec3 position_in(const LineWork& work, int node) {
  const double* p = work.position.data() + node;
  return {p[0], p[work.stride], p[2 * work.stride]};
}
void shift(LineWork& work, double part) {
  for (size_t i = 0; i < work.change.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      work.position[static_cast<size_t>(axis * work.stride) + i] += part * work.change[i][axis];
}

}  // namespace

// Newton's method on K + σM; σ follows the residual down, and no node moves by more than a part of the line at once
// and no bar by more than its length. (The energy of bars that cannot push, of weight and bed is convex, but a search
// along each change that makes it fall took several times as many iterations.)
Outcome Line::settle(const Vec3& a, const Vec3& b, double* state, LineWork& work, Start start, double paid_out) const {
  const Extent out = extent(paid_out, start == Start::state ? elements(state) : elements_for(paid_out));
  take(out, work);
  if (start != Start::state) lay(a, b, start, out, state);
  take_positions(layout_, state, work);
  LineEquations equations(*this, work);
  Outcome outcome;
  Vec3 hold_a, hold_b;
  const size_t last_node = static_cast<size_t>(out.elements);
  const int most = numerics_.max_static_iterations + 5 * out.elements;  // a straight line turns its bars one by one
  const double tolerable = 1e-7 * std::max(std::abs(out.weight), 1.0), longest = 0.05 * out.length;
  constexpr double least = 1e-4;  // slack bars on a bed have no stiffness, and would flutter
  double last = 0;
  // A line that was at rest near by is almost there.
  const double first = start == Start::straight ? 10 : start == Start::catenary ? 1 : 0;
  double sigma = std::max(least, first * surroundings_.water.gravity);
  equations.sample(0, false);
  equations.evaluate({0, sigma}, nullptr);
  while (!outcome.converged && outcome.iterations < most) {
    ++outcome.iterations;
    work.change.front() = a - position_in(work, 0);
    work.change[last_node] = b - position_in(work, out.elements);
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
    if (work.open || bed_.uneven()) equations.sample(0, false);
    equations.evaluate({0, sigma}, nullptr);
    // Near its place Newton's method squares the error: what would come next is foreseen.
    const bool foreseen = start == Start::state && part == 1 && outcome.iterations > 1 && outcome.change < 1e-3 &&
                          outcome.change * outcome.change < 1e-7 * change_before;
    outcome.converged = foreseen || (outcome.residual < tolerable && outcome.change < 1e-6);
  }
  std::fill_n(state, layout_.size(), 0.0);
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(work.position.data() + axis * work.stride, last_node + 1, state + layout_.position(axis));
  state[StateLayout::active] = out.elements;
  state[StateLayout::last_length] = out.last;
  Eigen::Map<Vec3>(state + StateLayout::force_a) = -hold_a;
  Eigen::Map<Vec3>(state + StateLayout::force_b) = -hold_b;
  return outcome;
}

void Line::static_forces(const double* state, EndForces& forces, LineWork& work) const {
  take({elements(state), state[StateLayout::last_length], 0, 0}, work);
  take_positions(layout_, state, work);
  LineEquations equations(*this, work);
  equations.sample(0, false);
  equations.evaluate({0, 1e-9}, nullptr);
  forces_of_work(forces, work);
}

void Line::forces_of_work(EndForces& forces, LineWork& work) const {
  work.change.front().setZero();
  work.change[static_cast<size_t>(work.elements)].setZero();
  Vec3 hold_a, hold_b;
  eliminate(work.elements + 1, work, hold_a, hold_b);
  forces.a = -hold_a;
  forces.b = -hold_b;
  forces.tangent = -schur_complement(work.elements + 1, work, !forces.anchored);
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
  line.forces_of_work(forces, work);
  return outcome;
}

}  // namespace davit::cable
