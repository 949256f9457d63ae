#include "davit/math/quadratic_programme.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

constexpr int most_iterations = 100;
constexpr double all_met = 1e-10, nearly_met = 1e-9;
constexpr double regular = 1e-12;  // on the diagonal, beside rows of about one

// All rows and the objective scaled to about one.
struct Scaled {
  QuadraticProgramme p;
  double objective = 1;
  VecX equation, inequality;

  explicit Scaled(const QuadraticProgramme& given) : p(given) {
    if (p.H.size() == 0) p.H.setZero(p.c.size(), p.c.size());
    if (p.E.rows() == 0) p.E.resize(0, p.c.size()), p.e.resize(0);
    if (p.A.rows() == 0) p.A.resize(0, p.c.size()), p.b.resize(0);
    objective = 1 / std::max({p.H.cwiseAbs().maxCoeff(), p.c.cwiseAbs().maxCoeff(), 1e-300});
    p.H *= objective, p.c *= objective;
    scale_rows(p.E, p.e, equation);
    scale_rows(p.A, p.b, inequality);
  }
  static void scale_rows(MatX& M, VecX& right, VecX& scale) {
    scale.setOnes(M.rows());
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      if (const double most = M.row(i).cwiseAbs().maxCoeff(); most > 0) scale[i] = 1 / most;
    M = scale.asDiagonal() * M;
    right = scale.cwiseProduct(right);
  }
};

class InteriorPoint {
 public:
  explicit InteriorPoint(const QuadraticProgramme& p)
      : p_(&p),
        n_(p.c.size()),
        m_(p.b.size()),
        k_(p.e.size()),
        size_of_b_(1 + (m_ > 0 ? p.b.cwiseAbs().maxCoeff() : 0) + (k_ > 0 ? p.e.cwiseAbs().maxCoeff() : 0)) {
    x_.setZero(n_), y_.setZero(k_), z_.setOnes(m_), s_.setOnes(m_);
    if (m_ > 0) s_ = (p.b - p.A * x_).cwiseMax(1.0);
  }

  bool run() {
    for (int i = 0; i < most_iterations; ++i) {
      residuals();
      if (error() < all_met) return true;
      if (!step()) break;
    }
    residuals();
    return error() < nearly_met;
  }

  // Equations in place of the inequalities that hold with equality, kept where they satisfy all conditions better.
  void polish() {
    std::vector<Eigen::Index> active;
    for (Eigen::Index i = 0; i < m_; ++i)
      if (z_[i] > s_[i]) active.push_back(i);
    const auto held = static_cast<Eigen::Index>(active.size());
    MatX K = MatX::Zero(n_ + k_ + held, n_ + k_ + held);
    VecX right(K.rows());
    K.topLeftCorner(n_, n_) = p_->H;
    K.block(n_, 0, k_, n_) = p_->E;
    right << -p_->c, p_->e, VecX::Zero(held);
    for (Eigen::Index j = 0; j < held; ++j) {
      K.row(n_ + k_ + j).head(n_) = p_->A.row(active[static_cast<size_t>(j)]);
      right[n_ + k_ + j] = p_->b[active[static_cast<size_t>(j)]];
    }
    K.topRightCorner(n_, k_ + held) = K.bottomLeftCorner(k_ + held, n_).transpose();
    const VecX all = shortest_least_squares(K, right, 1e-12);
    InteriorPoint other = *this;
    other.x_ = all.head(n_), other.y_ = all.segment(n_, k_), other.z_.setZero();
    for (Eigen::Index j = 0; j < held; ++j) other.z_[active[static_cast<size_t>(j)]] = all[n_ + k_ + j];
    if (m_ > 0) other.s_ = p_->b - p_->A * other.x_;
    for (Eigen::Index j = 0; j < held; ++j) other.s_[active[static_cast<size_t>(j)]] = 0;
    if (m_ > 0 && (other.z_.minCoeff() < -1e-12 || other.s_.minCoeff() < -1e-12)) return;
    residuals();
    other.residuals();
    if (other.error() < error()) *this = other;
  }

  const VecX& x() const { return x_; }
  const VecX& y() const { return y_; }
  const VecX& z() const { return z_; }

 private:
  void residuals() {
    dual_ = p_->H * x_ + p_->c;
    if (k_ > 0) dual_ += p_->E.transpose() * y_;
    if (m_ > 0) dual_ += p_->A.transpose() * z_;
    equation_ = p_->E * x_ - p_->e;
    inequality_ = p_->A * x_ + s_ - p_->b;
  }
  static double most(const VecX& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }
  double misfit() const { return std::max({most(dual_), most(equation_), most(inequality_)}); }
  double error() const {
    const double complementary = m_ > 0 ? s_.cwiseProduct(z_).cwiseAbs().maxCoeff() : 0;
    return std::max({most(dual_) / (1 + most(p_->c)), most(equation_) / size_of_b_, most(inequality_) / size_of_b_,
                     complementary / size_of_b_});
  }
  // With δs and δz eliminated: [H + AᵀDA, Eᵀ; E, 0], D = z/s.
  void factor() {
    D_ = z_.cwiseQuotient(s_);
    K_.setZero(n_ + k_, n_ + k_);
    K_.topLeftCorner(n_, n_) = p_->H;
    if (m_ > 0) K_.topLeftCorner(n_, n_).noalias() += p_->A.transpose() * (D_.asDiagonal() * p_->A);
    K_.diagonal().head(n_).array() += regular;
    K_.diagonal().tail(k_).array() -= regular;
    K_.bottomLeftCorner(k_, n_) = p_->E;
    K_.topRightCorner(n_, k_) = p_->E.transpose();
    lu_.compute(K_);
  }
  // z∘δs + s∘δz = -product.
  void direction(const VecX& product) {
    VecX right(n_ + k_), out(n_ + k_);
    right << -dual_, -equation_;
    if (m_ > 0) right.head(n_) += p_->A.transpose() * (product.cwiseQuotient(s_) - D_.cwiseProduct(inequality_));
    lu_.solve(right, out);
    dx_ = out.head(n_), dy_ = out.tail(k_);
    ds_ = -inequality_ - p_->A * dx_;
    dz_ = -(product + z_.cwiseProduct(ds_)).cwiseQuotient(s_);
  }
  static double longest(const VecX& v, const VecX& dv) {
    double length = 1;
    for (Eigen::Index i = 0; i < v.size(); ++i)
      if (dv[i] < 0) length = std::min(length, -v[i] / dv[i]);
    return length;
  }
  // As far as nothing comes to a boundary, nor far nearer to it than the rest; the same for both where a curvature
  // couples them.
  void lengths(double& primal, double& dual) const {
    primal = std::min(1.0, 0.995 * longest(s_, ds_)), dual = std::min(1.0, 0.995 * longest(z_, dz_));
    if (p_->H.cwiseAbs().maxCoeff() > 0) primal = dual = std::min(primal, dual);
    for (int i = 0; i < 50; ++i, primal *= 0.9, dual *= 0.9) {
      const VecX products = (s_ + primal * ds_).cwiseProduct(z_ + dual * dz_);
      if (products.minCoeff() > 1e-4 * products.mean()) return;
    }
  }
  bool step() {
    factor();
    VecX product = s_.cwiseProduct(z_);
    direction(product);
    if (!dx_.allFinite() || !dz_.allFinite()) return false;
    if (m_ > 0) {
      const double mean = s_.dot(z_) / static_cast<double>(m_);
      const double primal = longest(s_, ds_), dual = longest(z_, dz_);
      const double after = (s_ + primal * ds_).dot(z_ + dual * dz_) / static_cast<double>(m_);
      const double centring = std::pow(after / mean, 3);
      // What the predictor's length is short of says how little its second order can be trusted.
      product += primal * dual * ds_.cwiseProduct(dz_);
      // Products that vanish before the residuals do leave no way to go.
      product.array() -= std::max(centring * mean, 1e-3 * misfit());
      direction(product);
      if (!dx_.allFinite() || !dz_.allFinite()) return false;
    }
    double primal = 1, dual = 1;
    if (m_ > 0) lengths(primal, dual);
    x_ += primal * dx_, s_ += primal * ds_;
    y_ += dual * dy_, z_ += dual * dz_;
    return true;
  }

  const QuadraticProgramme* p_;
  Eigen::Index n_, m_, k_;
  double size_of_b_;
  VecX x_, y_, z_, s_, dual_, equation_, inequality_, D_, dx_, dy_, dz_, ds_;
  MatX K_;
  PartialPivotLu lu_;
};

}  // namespace

QuadraticOptimum solve(const QuadraticProgramme& given) {
  const Scaled scaled(given);
  InteriorPoint method(scaled.p);
  QuadraticOptimum out;
  out.found = method.run();
  if (out.found && given.c.size() <= 60) method.polish();
  out.x = method.x();
  out.y = scaled.equation.cwiseProduct(method.y()) / scaled.objective;
  out.z = scaled.inequality.cwiseProduct(method.z()) / scaled.objective;
  return out;
}

}  // namespace davit
