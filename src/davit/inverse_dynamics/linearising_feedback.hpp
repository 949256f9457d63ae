// Exact linearisation of a servo problem by feedback of its state, through the derivative array.
//
// Each output i has error dynamics of an order κ_i by design, Σ_k c_k s^(k) = 0 for k ≤ κ_i (with integral action from
// k = -1, the integral). An output whose acceleration inputs move at once has κ = 2; one that they move through others,
// as a trolley moves a load by the direction of its rope, has the order at which they appear, 4 for cranes of index 5.
// At a measured state the unknowns are all later Taylor coefficients of motion, multipliers and inputs; the equations
// are those of motion and constraints with their derivatives, and the error dynamics with theirs up to the order of the
// array. The inputs that solve them are a function of the state alone (quasi-static feedback, Delaleau & Rudolph 1998:
// derivatives of outputs of lower order are known from their own error dynamics), and the closed loop has the designed
// poles, exactly and wherever it is. What outputs do not show (internal dynamics) goes its own way.
#pragma once

#include <map>
#include <memory>

#include "davit/inverse_dynamics/derivative_array.hpp"
#include "davit/inverse_dynamics/error_dynamics.hpp"
#include "davit/inverse_dynamics/feedback_law.hpp"

namespace davit::inverse_dynamics {

// The orders κ of a problem's outputs, and the order of the array that determines its inputs from them.
struct LinearisingOrders {
  std::vector<int> of_outputs;
  int array = 0;
  int states() const;
};
// Nothing where inputs do not follow from a state and error dynamics of any order up to seven.
std::optional<LinearisingOrders> linearising_orders(const ServoProblem&, const Instant& about, double time_scale);

class LinearisingFeedback final : public FeedbackLaw {
 public:
  // An output of order κ takes the first κ poles, or κ + 1 with integral action.
  LinearisingFeedback(const ServoProblem&, const PlanTrack&, const LinearisingOrders&, const Poles&, bool integral,
                      double time_scale);
  std::string summary() const override { return "exact linearisation through the derivative array"; }
  bool integrates() const override { return integral_; }
  bool correct(const Measurement&, VecX& correction) override;
  void forget() override { forgetful_ = true; }
  FeedbackGains gains(double t, const MatX& T, int outputs) override;
  // All poles of the error dynamics.
  Poles designed_poles() const;

 private:
  friend class OrderSearch;
  int unknowns() const { return array_.unknowns() - 2 * n_; }
  int equations() const;
  // The equations out of those of the array: rows of motion, of constraints from their second rate on, and the error
  // dynamics with their derivatives. `columns` of the array's matrix, or its residual as one.
  MatX combine(const MatX& of_array) const;
  VecX row_units() const;
  VecX integral_part(const VecX& integral) const;
  void begin(const Instant&);
  bool solve(const Measurement&);
  void begin_from_plan(double t);
  bool iterate(const VecX& given, bool anew);
  void factor();
  double weight(int order) const;  // of derivatives, by Taylor coefficients

  DerivativeArray array_;
  LinearisingOrders orders_;
  Poles poles_;
  bool integral_;
  int n_, m_, p_, rows_;
  std::vector<VecX> coefficients_;  // of each output: c_(-1), c_0 … c_κ
  DerivativeArray::Point at_;
  struct Factored {
    VecX rows, columns;  // scales
    ShortestLeastSquares factor;
  };
  MatX matrix_;
  std::shared_ptr<const Factored> factored_;  // null: not yet, or no longer
  bool begun_ = false;
  bool forgetful_ = false;                               // begins every sample from the plan, and iterates with …
  std::map<int, std::shared_ptr<const Factored>> kept_;  // … the factors of the nearest of so many points of it
};

}  // namespace davit::inverse_dynamics
