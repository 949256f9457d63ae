// The state inside a step of a method that knows both its ends: cubic Hermite for positions, a straight line for speeds
// and auxiliary states. Methods that hold constraints bring it onto them then; a model with massless coordinates has no
// metric to do so and stays on the cubic, which is off by the fourth power of the step.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit {

class InsideStep {
 public:
  explicit InsideStep(const Model& model)
      : d_(VecX::Zero(model.nu())), end_(VecX::Zero(model.nu())), rate_(VecX::Zero(model.nu())) {}

  void at(const System& system, const State& start, const State& last, double t, State& out) {
    const double h = last.t - start.t, s = (t - start.t) / h, s2 = s * s, s3 = s2 * s;
    system.difference(start.q, last.q, end_);
    system.increment_rate(end_, last.u, rate_);
    d_ = (3 * s2 - 2 * s3) * end_ + h * (s - 2 * s2 + s3) * start.u + h * (s3 - s2) * rate_;
    out = last;
    system.retract(start.q, d_, out.q);
    out.u = (1 - s) * start.u + s * last.u;
    out.z = (1 - s) * start.z + s * last.z;
    out.t = t;
  }

 private:
  VecX d_, end_, rate_;
};

}  // namespace davit
