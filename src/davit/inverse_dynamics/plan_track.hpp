// A plan at any time: between its points coordinates go by cubic pieces through places and speeds, speeds by those
// through speeds and accelerations; after its end it stays where it is.
#pragma once

#include "davit/inverse_dynamics/plan.hpp"

namespace davit::inverse_dynamics {

class PlanTrack {
 public:
  PlanTrack(const Model&, const Plan&);
  Instant at(double t) const;
  double begin() const { return plan_.points.front().t; }
  double end() const { return plan_.points.back().t; }
  const Model& model() const { return model_; }

 private:
  const Model& model_;
  const Plan& plan_;
};

// q0 ⊕ d and the d between two places.
VecX moved_by(const Model&, const VecX& q0, const VecX& d);
VecX difference_of(const Model&, const VecX& q0, const VecX& q1);

}  // namespace davit::inverse_dynamics
