#include "davit/inverse_dynamics/projection.hpp"

#include <cmath>

namespace davit::inverse_dynamics {

Projection::Projection(ServoEquations& equations, bool along_constraints)
    : equations_(equations),
      units_(units_of(equations.problem(), time_scale_of(equations.problem()))),
      constraints_(along_constraints),
      n_(equations.speeds()),
      m_(equations.constraints()),
      p_(equations.outputs()),
      rows_(p_ + (along_constraints ? m_ : 0)),
      size_(2 * n_ + rows_ + m_ + equations.inputs()) {}

void Projection::spread(const VecX& x) {
  const Model& model = *equations_.problem().model;
  at_.t = start_.t + h_;
  at_.q.resize(model.nq());
  for (const auto& b : model.blocks())
    b.block->retract(start_.q.data() + b.first_q, x.data() + b.first_u, at_.q.data() + b.first_q);
  at_.u = x.head(n_) / h_;
  at_.a = x.segment(a(), n_);
  at_.lambda = x.segment(lambda(), m_);
  at_.w = x.segment(w(), equations_.inputs());
  euler_ = (at_.u - start_.u) / h_;
}

void Projection::residual(const VecX& x, VecX& r) {
  spread(x);
  equations_.evaluate(at_);
  VecX projected;
  equations_.motion(euler_, projected);
  projected += equations_.output_gradient().transpose() * x.segment(mu(), p_);
  if (constraints_) projected += equations_.constraint_gradient().transpose() * x.segment(mu() + p_, m_);
  r.resize(size_);
  r.head(2 * n_) << equations_.R, projected;
  r.segment(2 * n_, p_) = equations_.output.second;
  if (constraints_) r.segment(2 * n_ + p_, m_) = equations_.constraint.second;
  r.segment(2 * n_ + rows_, m_) = equations_.constraint.value;
  r.tail(p_) = equations_.output.value;
}

void Projection::matrix(const VecX& x, MatX& J) {
  spread(x);
  equations_.linearise(at_);
  const RowTangent G = equations_.constraint_tangent, S = equations_.output_tangent;
  const MatX K = equations_.K, D = equations_.D, M = equations_.M;
  J.setZero(size_, size_);
  J.block(0, 0, n_, n_) = K + D / h_;
  J.block(0, a(), n_, n_) = M;
  // R(a_h) = R(a) + M (a_h - a); how Aᵀμ turns with the motion is left out, and costs Newton's method some speed.
  Instant euler = at_;
  euler.a = euler_;
  equations_.linearise(euler);
  J.block(n_, 0, n_, n_) = equations_.K + equations_.D / h_ + M / (h_ * h_);
  J.block(n_, mu(), n_, p_) = S.gradient.transpose();
  for (const int first : {0, n_}) {
    J.block(first, lambda(), n_, m_) = -G.gradient.transpose();
    J.block(first, w(), n_, equations_.inputs()) = -equations_.B;
  }
  J.block(2 * n_, 0, p_, n_) = S.second_q + S.second_u / h_;
  J.block(2 * n_, a(), p_, n_) = S.gradient;
  if (constraints_) {
    J.block(n_, mu() + p_, n_, m_) = G.gradient.transpose();
    J.block(2 * n_ + p_, 0, m_, n_) = G.second_q + G.second_u / h_;
    J.block(2 * n_ + p_, a(), m_, n_) = G.gradient;
  }
  J.block(2 * n_ + rows_, 0, m_, n_) = G.gradient;
  J.block(size_ - p_, 0, p_, n_) = S.gradient;
}

void Projection::units(VecX& rows, VecX& columns) const {
  const double T = units_.time;
  const VecX of_mu = units_.energy * units_.outputs.cwiseInverse();
  rows.resize(size_);
  columns.resize(size_);
  rows.head(2 * n_) << units_.motion, units_.motion;
  columns.head(2 * n_ + p_) << units_.coordinates, units_.coordinates / (T * T), of_mu;
  rows.segment(2 * n_, p_) = units_.outputs / (T * T);
  if (constraints_) {
    rows.segment(2 * n_ + p_, m_) = units_.constraints / (T * T);
    columns.segment(mu() + p_, m_) = units_.multipliers;
  }
  rows.tail(m_ + p_) << units_.constraints, units_.outputs;
  columns.tail(m_ + equations_.inputs()) << units_.multipliers, units_.inputs;
}

double Projection::size(const VecX& change, const VecX& x) const {
  const auto part = [&](int first, const VecX& unit) {
    return relative_size(change.segment(first, unit.size()), x.segment(first, unit.size()), unit);
  };
  return std::max({part(0, units_.coordinates), part(a(), units_.coordinates / (units_.time * units_.time)),
                   part(lambda(), units_.multipliers), part(w(), units_.inputs)});
}

bool Projection::step(Instant& now, double t) {
  if (std::abs(t - now.t - h_) > 1e-9 * h_) newton_.forget();
  h_ = t - now.t;
  start_ = now;
  VecX x = VecX::Zero(size_);
  x.head(n_) = h_ * now.u + h_ * h_ * now.a;
  x.segment(a(), n_) = now.a;
  x.segment(lambda(), m_) = now.lambda;
  x.segment(w(), equations_.inputs()) = now.w;
  if (!newton_.solve(*this, x)) return false;
  spread(x);
  now = at_;
  return true;
}

}  // namespace davit::inverse_dynamics
