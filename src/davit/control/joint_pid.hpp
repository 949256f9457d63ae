// PD and PID control of joint coordinates about reference motions, Cibicik & Egeland (63) with a set point:
//   τ = -kp (q - q_d) - ki ∫(q - q_d) dt - kd q̇     (or kd on q̇ - q̇_d)
// continuous, or sampled with a zero-order hold as a real controller is.
#pragma once

#include "davit/force/joint_forces.hpp"
#include "davit/model/element.hpp"

namespace davit {

class JointPid final : public ControllerOf<JointPid> {
 public:
  struct Gains {
    double kp = 0, ki = 0, kd = 0;
    bool derivative_of_error = true;                                  // false: kd acts on q̇ alone
    double integral_limit = std::numeric_limits<double>::infinity();  // of ki ∫, against wind-up
  };
  struct Axis {
    JointCoordinate coordinate;
    Signal target;
    int input = 0;
  };
  // sample_time zero: continuous.
  JointPid(std::string name, std::vector<Axis> axes, const Gains& gains, double sample_time = 0);

  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override;
  int auxiliary_states() const override { return continuous_integral() ? static_cast<int>(axes_.size()) : 0; }
  std::vector<DiscreteSlot> discrete_slots() const override;
  double sample_time() const override { return sample_time_; }
  bool commit(const ContextT<double>&, DiscreteState&) const override;
  const std::vector<Axis>& axes() const { return axes_; }

  template <class S>
  void control(const ContextT<S>& c, S* w, S* zdot) const {
    for (size_t i = 0; i < axes_.size(); ++i) {
      const Axis& axis = axes_[i];
      if (sample_time_ > 0) {
        w[axis.input] = S(c.discrete.record(c.first_slot, 0)[i]);
        continue;
      }
      const S error = c.kin.q[axis.coordinate.q] - axis.target.value(c.kin);
      S integral(0);
      if (continuous_integral()) {
        integral = c.z[i];
        const bool wound_up = std::abs(gains_.ki * value_of(integral)) >= gains_.integral_limit &&
                              value_of(integral) * value_of(error) > 0;
        zdot[i] = wound_up ? S(0) : error;
      }
      w[axis.input] = command(axis, c.kin, error, integral);
    }
  }

 private:
  bool continuous_integral() const { return gains_.ki != 0 && sample_time_ == 0; }
  template <class S>
  S command(const Axis& axis, const KinT<S>& kin, const S& error, const S& integral) const {
    S rate = kin.u[axis.coordinate.u];
    if (gains_.derivative_of_error) rate -= axis.target.rate(kin);
    return -(S(gains_.kp) * error + S(gains_.ki) * integral + S(gains_.kd) * rate);
  }
  std::vector<Axis> axes_;
  Gains gains_;
  double sample_time_;
};

extern template class ControllerOf<JointPid>;

}  // namespace davit
