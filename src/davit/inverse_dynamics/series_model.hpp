// A servo problem evaluated on Taylor series: where the motion is known as a series in time, so are the residuals of
// motion, constraints and outputs. Only elements whose kernels are templates in headers take part; `unsupported` names
// the others, and methods by time steps take the problem over.
#pragma once

#include "davit/inverse_dynamics/series.hpp"
#include "davit/inverse_dynamics/servo_problem.hpp"

namespace davit::inverse_dynamics {

// What the model needs of its parts, in one scalar.
template <class S>
class SeriesBlock {
 public:
  virtual ~SeriesBlock() = default;
  // q ⊕ d, and the speeds of that motion: the inverse of Block::increment_rate.
  virtual void retract(const S* q, const S* d, S* q1) const = 0;
  virtual void speeds(const S* d, const S* rate, S* u) const = 0;
  virtual void kinematics(const S* q, const S* u, KinT<S>&) const = 0;
  virtual void momentum_rate(const KinT<S>&, const S* a, const LoadsT<S>&, S* residual) const = 0;
  virtual void apply(const KinT<S>&, const typename JacobianT<S>::Entry&, const S& factor, LoadsT<S>&,
                     S* tau) const = 0;
};
template <class S>
class SeriesForce {
 public:
  virtual ~SeriesForce() = default;
  virtual void add_loads(const ContextT<S>&, LoadsT<S>&) const = 0;
};
template <class S>
class SeriesRows {
 public:
  virtual ~SeriesRows() = default;
  virtual void measure(const KinT<S>&, S* g) const = 0;
  virtual void gradient(const KinT<S>&, JacobianT<S>&) const = 0;
};

// Null: it has no such kernel.
template <class S>
std::unique_ptr<SeriesBlock<S>> series_block(const Block&);
template <class S>
std::unique_ptr<SeriesForce<S>> series_force(const Force&);
template <class S>
std::unique_ptr<SeriesRows<S>> series_rows(const Geometry&);

// What of a problem has no kernel for series, by name.
std::vector<std::string> without_series(const ServoProblem&);

template <class S>
class SeriesModel {
 public:
  // All parts must have kernels.
  explicit SeriesModel(const ServoProblem&);

  // Increments from q₀ (d), multipliers and inputs of the problem as series in τ, t = t₀ + T τ.
  struct Motion {
    std::vector<S> d, lambda, w;
  };
  Motion make_motion() const;
  // Places the model: q, u and a of the series. The last coefficient of u and the last two of a are not known.
  void place(double t0, double time_scale, const VecX& q0, const std::vector<S>& d);
  // The residuals of what was placed, or of changed q, u, a.
  void evaluate(const std::vector<S>& lambda, const std::vector<S>& w);

  std::vector<S> q, u, a;
  std::vector<S> F, g, s;

 private:
  const ServoProblem& problem_;
  const Model& model_;
  struct PlacedRows {
    std::unique_ptr<SeriesRows<S>> rows;
    int first;
  };
  std::vector<std::unique_ptr<SeriesBlock<S>>> blocks_;
  std::vector<std::unique_ptr<SeriesForce<S>>> forces_;
  std::vector<PlacedRows> constraints_, outputs_;
  KinT<S> kin_;
  LoadsT<S> loads_;
  JacobianT<S> jacobian_;
  std::vector<S> start_, rate_, w_;
  S t_;
};

extern template class SeriesModel<Series>;
extern template class SeriesModel<LongSeries>;

}  // namespace davit::inverse_dynamics
