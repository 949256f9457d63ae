// The equations of a servo problem at one instant, in plain numbers and with exact derivatives by dual numbers: the
// motion R = M a + c - f - Gᵀλ - Bᵀw, and constraints and outputs with their first two rates. What methods by time
// steps are made of.
#pragma once

#include "davit/dynamics/system.hpp"
#include "davit/inverse_dynamics/servo_problem.hpp"

namespace davit::inverse_dynamics {

// Coordinates, speeds, accelerations, multipliers and inputs at a time.
struct Instant {
  double t = 0;
  VecX q, u, a, lambda, w;
};

// Rows with their rates, and the derivatives of these by increments and speeds; by accelerations the second rate has
// the same gradient as the row itself.
struct RowRates {
  VecX value, rate, second;
};
struct RowTangent {
  MatX gradient, rate_q, second_q, second_u;
};

class ServoEquations {
 public:
  explicit ServoEquations(const ServoProblem&);

  const ServoProblem& problem() const { return problem_; }
  int speeds() const { return n_; }
  int constraints() const { return m_; }
  int inputs() const { return p_; }
  int outputs() const { return outputs_; }

  // R at an instant, and R of other accelerations there.
  void evaluate(const Instant&);
  void motion(const VecX& a, VecX& R);
  VecX R;
  RowRates constraint, output;
  // Gradients of the rows at the instant that was evaluated last: rows × speeds.
  using Gradient = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  Gradient constraint_gradient() const { return {plain_.constraint.gradient.data(), m_, n_}; }
  Gradient output_gradient() const { return {plain_.output.gradient.data(), outputs_, n_}; }

  // Errors that outputs shall have, with their rates: a feedback lets them decay. Empty: none.
  RowRates allowed;

  // ∂R/∂(d, u, a) and -∂R/∂w, and those of the rows.
  void linearise(const Instant&);
  MatX K, D, M, B;
  RowTangent constraint_tangent, output_tangent;

 private:
  template <class S>
  struct Evaluation {
    EvaluationT<S> e;
    JacobianT<S> jacobian;
    std::vector<S> q, u, a, w, F;
    struct Rows {
      std::vector<S> value, rate, second, gradient;
    } constraint, output;
  };
  // For the q, u, a and w that are there.
  template <class S>
  void place(Evaluation<S>&, const S& t, const VecX& lambda);
  template <class S>
  void rows(Evaluation<S>&, const std::vector<const Geometry*>&, typename Evaluation<S>::Rows&) const;

  const ServoProblem& problem_;
  const Model& model_;
  System system_;
  ActingElements acting_;
  int n_, m_, p_, outputs_;
  std::vector<const Geometry*> constraint_rows_, output_rows_;
  Evaluation<double> plain_;
  Evaluation<Dual8> dual_;
  std::vector<Dual8> dual_start_, dual_moved_;
};

// Accelerations of the model at coordinates and speeds, with the inputs given.
VecX accelerations_at(ServoEquations&, Instant);

// A state without accelerations, with the multipliers and inputs that come nearest to keeping it as it is.
Instant held_at(ServoEquations&, const State&);

}  // namespace davit::inverse_dynamics
