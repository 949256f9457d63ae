#include "davit/inverse_dynamics/linearising_feedback.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "davit/inverse_dynamics/scaling.hpp"

namespace davit::inverse_dynamics {

namespace {

constexpr double array_rank = 1e-10, smallest_part = 1e-6;
constexpr int most_corrections = 25;

// P = S M⁻¹ Bᵀ among the motions that the constraints allow, with inputs scaled to the largest they do.
MatX coupling_of(ServoEquations& equations, const Instant& at) {
  const MotionTangent tangent = linearise_motion(equations, at);
  MatX P = tangent.C_rate * tangent.B;
  const double most = P.cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < P.cols(); ++j)
    if (const double size = P.col(j).cwiseAbs().maxCoeff(); size > 1e-9 * most) P.col(j) /= size;
  return P;
}

}  // namespace

int LinearisingOrders::states() const { return std::accumulate(of_outputs.begin(), of_outputs.end(), 0); }

LinearisingFeedback::LinearisingFeedback(const ServoProblem& problem, const PlanTrack& track,
                                         const LinearisingOrders& orders, const Poles& poles, bool integral,
                                         double time_scale)
    : FeedbackLaw(track),
      array_(problem, orders.array, time_scale),
      orders_(orders),
      poles_(poles),
      integral_(integral),
      n_(problem.model->nu()),
      m_(problem.model->rows()),
      p_(static_cast<int>(problem.inputs.size())),
      rows_(problem.rows()) {
  for (const int order : orders_.of_outputs) {
    const Poles mine(poles.begin(), poles.begin() + order + (integral ? 1 : 0));
    VecX c = VecX::Zero(order + 2);
    c.tail(static_cast<Eigen::Index>(mine.size()) + 1) = polynomial_of(mine);
    coefficients_.push_back(c);
  }
}

Poles LinearisingFeedback::designed_poles() const {
  Poles out;
  for (const int order : orders_.of_outputs)
    out.insert(out.end(), poles_.begin(), poles_.begin() + order + (integral_ ? 1 : 0));
  return out;
}

double LinearisingFeedback::weight(int order) const {
  return std::tgamma(order + 1.0) / std::pow(array_.time_scale(), order);
}

int LinearisingFeedback::equations() const {
  const int K = orders_.array;
  int rows = (n_ + m_) * (K - 1);
  for (const int order : orders_.of_outputs) rows += K - order + 1;
  return rows;
}

MatX LinearisingFeedback::combine(const MatX& of_array) const {
  const int K = orders_.array;
  MatX out = MatX::Zero(equations(), of_array.cols());
  out.topRows(n_ * (K - 1)) = of_array.middleRows(array_.motion(0), n_ * (K - 1));
  out.middleRows(n_ * (K - 1), m_ * (K - 1)) = of_array.middleRows(array_.constraints(2), m_ * (K - 1));
  int row = (n_ + m_) * (K - 1);
  for (int i = 0; i < rows_; ++i) {
    const int order = orders_.of_outputs[static_cast<size_t>(i)];
    const VecX& c = coefficients_[static_cast<size_t>(i)];
    for (int j = 0; j <= K - order; ++j, ++row)
      for (int k = -1; k <= order; ++k)
        if (j + k >= 0)
          out.row(row) += c[k + 1] * weight(j + k) / weight(order + j) * of_array.row(array_.outputs(j + k) + i);
  }
  return out;
}

VecX LinearisingFeedback::row_units() const {
  const Units& units = array_.units();
  VecX out(equations());
  out.head((n_ + m_) * (orders_.array - 1)) << units.motion.replicate(orders_.array - 1, 1),
      units.constraints.replicate(orders_.array - 1, 1);
  int row = (n_ + m_) * (orders_.array - 1);
  for (int i = 0; i < rows_; ++i)
    for (int j = orders_.of_outputs[static_cast<size_t>(i)]; j <= orders_.array; ++j) out[row++] = units.outputs[i];
  return out;
}

VecX LinearisingFeedback::integral_part(const VecX& integral) const {
  VecX out = VecX::Zero(equations());
  int row = (n_ + m_) * (orders_.array - 1);
  for (int i = 0; i < rows_; ++i) {
    const int order = orders_.of_outputs[static_cast<size_t>(i)];
    out[row] = coefficients_[static_cast<size_t>(i)][0] / weight(order) * integral[i];
    row += orders_.array - order + 1;
  }
  return out;
}

void LinearisingFeedback::begin(const Instant& near) {
  const double T = array_.time_scale();
  at_.t = near.t;
  at_.q = near.q;
  at_.x.setZero(array_.unknowns());
  at_.x.segment(array_.d(1), n_) = T * near.u;
  at_.x.segment(array_.d(2), n_) = 0.5 * T * T * near.a;
  at_.x.segment(array_.lambda(0), m_) = near.lambda;
  at_.x.segment(array_.w(0), p_) = near.w;
  factored_.reset();
  begun_ = true;
}

void LinearisingFeedback::factor() {
  MatX of_array;
  array_.matrix(at_, of_array);
  matrix_ = combine(of_array.rightCols(unknowns()));
  auto factored = std::make_shared<Factored>();
  equilibrate(matrix_, row_units(), array_.column_units().tail(unknowns()), factored->rows, factored->columns);
  factored->factor.compute(matrix_, array_rank);
  factored_ = std::move(factored);
}

// Newton's method by the kept factors, or with new ones.
bool LinearisingFeedback::iterate(const VecX& given, bool anew) {
  double last = std::numeric_limits<double>::infinity();
  const Eigen::Index w = array_.w(0) - 2 * n_;
  VecX residual;
  for (int i = 0; i < most_corrections; ++i) {
    array_.residual(at_, residual);
    if (!residual.allFinite()) return false;
    if (anew && (i == 0 || last > 1e-4)) factor();
    const VecX left = combine(residual) + given;
    const VecX change =
        -factored_->columns.cwiseProduct(factored_->factor.solve(VecX(factored_->rows.cwiseProduct(left))));
    at_.x.tail(unknowns()) += change;
    const double size = std::max(
        change.segment(w, p_).cwiseAbs().maxCoeff() / (1 + at_.x.segment(array_.w(0), p_).cwiseAbs().maxCoeff()),
        change.head(n_).cwiseAbs().maxCoeff());
    if (!(size < 1e6)) return false;
    const bool stalled = size > 0.3 * last;
    last = size;
    if (size < 1e-12 || (stalled && size < 1e-8)) return true;
    if (stalled && !anew) return false;
  }
  return false;
}

// What is kept depends on the plan alone.
void LinearisingFeedback::begin_from_plan(double t) {
  constexpr int points = 100;
  const double length = track_.end() - track_.begin();
  const double part = length > 0 ? std::clamp((t - track_.begin()) / length, 0.0, 1.0) : 0;
  const int nearest = static_cast<int>(std::lround(part * points));
  auto& kept = kept_[nearest];
  if (!kept) {
    begin(track_.at(track_.begin() + length * nearest / points));
    factor();
    kept = factored_;
  }
  begin(track_.at(t));
  factored_ = kept;
}

bool LinearisingFeedback::solve(const Measurement& m) {
  if (forgetful_)
    begin_from_plan(m.t);
  else if (!begun_)
    begin(track_.at(m.t));
  const VecX given = integral_part(m.integral);
  at_.t = m.t;
  at_.q = m.q;
  at_.x.segment(array_.d(0), n_).setZero();
  at_.x.segment(array_.d(1), n_) = array_.time_scale() * m.u;
  const VecX before = at_.x;
  if (factored_ && iterate(given, false)) return true;
  at_.x = before;
  if (iterate(given, true)) return true;
  // From the plan instead.
  begin(track_.at(m.t));
  at_.q = m.q;
  at_.x.segment(array_.d(1), n_) = array_.time_scale() * m.u;
  if (iterate(given, true)) return true;
  begun_ = false;
  return false;
}

bool LinearisingFeedback::correct(const Measurement& m, VecX& correction) {
  if (!solve(m)) return false;
  correction = at_.x.segment(array_.w(0), p_) - track_.at(m.t).w;
  return true;
}

// By the equations' own derivatives: J δx = -J_(d₀, d₁) (δd, T δu).
FeedbackGains LinearisingFeedback::gains(double t, const MatX& T, int outputs) {
  const Instant planned = track_.at(t);
  begin(planned);
  solve({t, planned.q, planned.u, VecX::Zero(outputs)});
  MatX of_array;
  array_.matrix(at_, of_array);
  factor();
  MatX state = combine(of_array.leftCols(2 * n_));
  state.rightCols(n_) *= array_.time_scale();
  const MatX along = state * T;
  const auto answer = [&](const VecX& given) {
    const VecX x = -factored_->columns.cwiseProduct(factored_->factor.solve(VecX(factored_->rows.cwiseProduct(given))));
    return VecX(x.segment(array_.w(0) - 2 * n_, p_));
  };
  FeedbackGains out{MatX(p_, T.cols()), MatX::Zero(p_, outputs)};
  for (Eigen::Index j = 0; j < T.cols(); ++j) out.state.col(j) = answer(along.col(j));
  if (integral_)
    for (int j = 0; j < outputs; ++j) out.integral.col(j) = answer(integral_part(VecX::Unit(outputs, j)));
  return out;
}

// Whether error dynamics of given orders can be had, and determine the inputs.
class OrderSearch {
 public:
  OrderSearch(const ServoProblem& problem, const Instant& about, double time_scale)
      : problem_(problem), about_(about), time_scale_(time_scale), track_(*problem.model, plan_) {
    plan_.points = {about};
  }
  bool determined(const LinearisingOrders& orders) {
    Poles poles;
    for (int i = 0; i < orders.array; ++i) poles.emplace_back(-1 / time_scale_);
    LinearisingFeedback law(problem_, track_, orders, poles, false, time_scale_);
    law.begin(about_);
    law.factor();
    PivotedQr qr;
    MatX Q;
    qr.compute_transposed(law.matrix_, array_rank, Q);
    // Error dynamics must ask for what can be chosen, so their rows are independent of all others.
    const Eigen::Index given = (law.n_ + law.m_) * (orders.array - 1), rank = qr.rank();
    const MatX open = Q.rightCols(Q.cols() - rank);
    PivotedQr of_motion;
    of_motion.compute_transposed(law.matrix_.topRows(given), array_rank, Q);
    if (rank < of_motion.rank() + law.equations() - given) return false;
    const Eigen::Index w = law.array_.w(0) - 2 * law.n_;
    return open.cols() == 0 || open.middleRows(w, law.p_).rowwise().norm().maxCoeff() < smallest_part;
  }

 private:
  const ServoProblem& problem_;
  const Instant& about_;
  double time_scale_;
  Plan plan_;
  PlanTrack track_;
};

std::optional<LinearisingOrders> linearising_orders(const ServoProblem& problem, const Instant& about,
                                                    double time_scale) {
  ServoEquations equations(problem);
  const MatX P = coupling_of(equations, about);
  const VecX values = singular_values(P);
  const auto rank = (values.array() > 1e-6 * values[0]).count();
  const std::vector<int> most_moved = pivot_columns(MatX(P.transpose()));
  LinearisingOrders orders;
  orders.of_outputs.assign(static_cast<size_t>(problem.rows()), 2);
  OrderSearch search(problem, about, time_scale);
  for (int order = rank == P.rows() ? 2 : 3; order <= 6; ++order) {
    for (auto i = static_cast<size_t>(rank); i < most_moved.size(); ++i)
      orders.of_outputs[static_cast<size_t>(most_moved[i])] = order;
    for (orders.array = order; orders.array <= std::min(7, order + 1); ++orders.array)
      if (search.determined(orders)) return orders;
    if (rank == P.rows()) break;
  }
  return std::nullopt;
}

}  // namespace davit::inverse_dynamics
