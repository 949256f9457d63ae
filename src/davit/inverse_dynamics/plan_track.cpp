#include "davit/inverse_dynamics/plan_track.hpp"

#include <algorithm>

namespace davit::inverse_dynamics {

namespace {

// The cubic from 0 to 1 through values with slopes per unit.
VecX cubic(double s, const VecX& x0, const VecX& v0, const VecX& x1, const VecX& v1) {
  const double s2 = s * s, s3 = s2 * s;
  return (1 - 3 * s2 + 2 * s3) * x0 + (s - 2 * s2 + s3) * v0 + (3 * s2 - 2 * s3) * x1 + (s3 - s2) * v1;
}

}  // namespace

VecX moved_by(const Model& model, const VecX& q0, const VecX& d) {
  VecX q1(model.nq());
  for (const auto& b : model.blocks())
    b.block->retract(q0.data() + b.first_q, d.data() + b.first_u, q1.data() + b.first_q);
  return q1;
}

VecX difference_of(const Model& model, const VecX& q0, const VecX& q1) {
  VecX d(model.nu());
  for (const auto& b : model.blocks())
    b.block->difference(q0.data() + b.first_q, q1.data() + b.first_q, d.data() + b.first_u);
  return d;
}

PlanTrack::PlanTrack(const Model& model, const Plan& plan) : model_(model), plan_(plan) {}

Instant PlanTrack::at(double t) const {
  const auto& points = plan_.points;
  // Of a time that comes twice, the second is after it.
  const auto after =
      std::upper_bound(points.begin(), points.end(), t, [](double x, const Instant& p) { return x < p.t; });
  if (after == points.begin() || after == points.end()) {
    Instant out = after == points.begin() ? points.front() : points.back();
    out.t = t;
    return out;
  }
  const Instant &a = *std::prev(after), &b = *after;
  const double h = b.t - a.t, s = (t - a.t) / h;
  Instant out;
  out.t = t;
  const VecX d = difference_of(model_, a.q, b.q);
  VecX rate(model_.nu());
  for (const auto& block : model_.blocks())
    block.block->increment_rate(d.data() + block.first_u, b.u.data() + block.first_u, rate.data() + block.first_u);
  out.q = moved_by(model_, a.q, cubic(s, VecX::Zero(d.size()), h * a.u, d, h * rate));
  out.u = cubic(s, a.u, h * a.a, b.u, h * b.a);
  out.a = (1 - s) * a.a + s * b.a;
  out.lambda = (1 - s) * a.lambda + s * b.lambda;
  if (plan_.input_rates.empty()) {
    out.w = (1 - s) * a.w + s * b.w;
  } else {
    const auto i = static_cast<size_t>(after - points.begin());
    out.w = cubic(s, a.w, h * plan_.input_rates[i - 1], b.w, h * plan_.input_rates[i]);
  }
  return out;
}

}  // namespace davit::inverse_dynamics
