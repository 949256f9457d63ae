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
void Line::lay(const Vec3& a, const Vec3& b, Start start, double* state) const {
  std::fill_n(state, state_size(), 0.0);
  const auto put = [&](int node, const Vec3& p) {
    // Nothing starts under the bed but the ends.
    const double buried = node > 0 && node < elements_ && start == Start::catenary ? bed_.embedment(p) : 0;
    const Vec3 q = buried > 0 ? Vec3(p + buried * bed_.normal) : p;
    for (int axis = 0; axis < 3; ++axis) state[layout_.position(axis) + node] = q[axis];
  };
  const bool a_lower = a.z() <= b.z();
  const Vec3 &low = a_lower ? a : b, &high = a_lower ? b : a;
  const Vec3 flat(high.x() - low.x(), high.y() - low.y(), 0);
  const double span = std::max(flat.norm(), 1e-3 * length_), height = high.z() - low.z();
  const Vec3 across = flat.norm() > 0 ? Vec3(flat.normalized()) : Vec3::UnitX();

  double compliance = 0;
  for (int i = 0; i < elements_; ++i)
    compliance += rest_length_[static_cast<size_t>(i)] / packs_[static_cast<size_t>(i / lanes)].EA[i % lanes];
  const UniformLine uniform{length_, weight_ / length_, length_ / compliance};
  const bool lies = bed_.present && bed_.embedment(low) > -0.5;
  std::optional<Catenary> curve;
  if (start == Start::catenary && uniform.weight > 0)
    curve = lies ? grounded_catenary(uniform, span, height) : hanging_catenary(uniform, span, height);
  const bool slack = lies && start == Start::catenary && span + height < length_;

  Path straight({a, b});
  const Vec3 foot(high.x(), high.y(), low.z());
  if (slack) straight = a_lower ? Path({a, foot, b}) : Path({a, foot, b});
  for (int i = 0; i <= elements_; ++i) {
    const double s = arc_[static_cast<size_t>(i)];
    if (curve && !slack) {
      const Vec2 p = curve->at(a_lower ? s : length_ - s);
      put(i, low + p.x() * across * (flat.norm() / span) + Vec3(0, 0, p.y()));
    } else {
      put(i, straight.at(s / length_));
    }
  }
  put(0, a);
  put(elements_, b);
}

Outcome Line::settle(const Vec3& a, const Vec3& b, double* state, LineWork& work, Start start) const {
  if (start != Start::state) lay(a, b, start, state);
  const int n = nodes();
  const size_t bytes = work.position.size();
  work.velocity.assign(bytes, 0);
  work.acceleration.assign(bytes, 0);
  work.increment.assign(bytes, 0);
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(state + layout_.position(axis), n, work.position.data() + axis * work.stride);
  const auto place = [&](int node, int axis) -> double& {
    return work.position[static_cast<size_t>(axis * work.stride + node)];
  };

  // Newton's method on K + σM: σ falls as the residual does, and steps are no longer than a part of the line.
  LineEquations equations(*this, work);
  Outcome outcome;
  Vec3 hold_a, hold_b;
  const double force_scale = std::max(std::abs(weight_), 1.0), gravity = surroundings_.water.gravity;
  const double longest = 0.05 * length_, least = 1e-9;
  double sigma = gravity / (start == Start::straight ? 0.1 : 1.0), last = -1;
  while (outcome.iterations < numerics_.max_static_iterations) {
    ++outcome.iterations;
    equations.sample_water(0, false);
    equations.evaluate({0, sigma}, nullptr);
    for (int axis = 0; axis < 3; ++axis) {
      work.change.front()[axis] = a[axis] - place(0, axis);
      work.change.back()[axis] = b[axis] - place(n - 1, axis);
    }
    outcome.residual = eliminate(n, work, hold_a, hold_b);
    outcome.change = 0;
    for (const Vec3& d : work.change) outcome.change = std::max(outcome.change, d.norm());
    if (!std::isfinite(outcome.change)) return outcome;
    const double part = std::min(1.0, longest / std::max(outcome.change, 1e-300));
    for (int i = 0; i < n; ++i)
      for (int axis = 0; axis < 3; ++axis) place(i, axis) += part * work.change[static_cast<size_t>(i)][axis];
    outcome.converged = outcome.residual < 1e-7 * force_scale && outcome.change < 1e-6;
    if (outcome.converged) break;
    if (last > 0) sigma *= std::clamp(outcome.residual / last, 0.1, 4.0);
    sigma = std::clamp(sigma * (part < 1 ? 2.0 : 0.7), least, 1e4);
    last = outcome.residual;
  }
  std::fill_n(state, layout_.size(), 0.0);
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(work.position.data() + axis * work.stride, n, state + layout_.position(axis));
  Eigen::Map<Vec3>(state + StateLayout::force_a) = -hold_a;
  Eigen::Map<Vec3>(state + StateLayout::force_b) = -hold_b;
  return outcome;
}

void Line::static_forces(const double* state, EndForces& forces, LineWork& work) const {
  const size_t size = work.position.size();
  work.velocity.assign(size, 0);
  work.acceleration.assign(size, 0);
  work.increment.assign(size, 0);
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(state + layout_.position(axis), nodes(), work.position.data() + axis * work.stride);
  LineEquations equations(*this, work);
  equations.sample_water(0, false);
  equations.evaluate({0, 1e-9}, nullptr);
  work.change.front().setZero();
  work.change.back().setZero();
  Vec3 hold_a, hold_b;
  eliminate(nodes(), work, hold_a, hold_b);
  forces.a = -hold_a;
  forces.b = -hold_b;
  forces.tangent = -schur_complement(nodes(), work, !forces.anchored);
}

}  // namespace davit::cable
