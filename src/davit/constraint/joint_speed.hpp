// A joint coordinate whose speed is held, wherever it is: u = value. One row on speeds.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

class JointSpeed final : public GeometryOf<JointSpeed> {
 public:
  JointSpeed(int speed, double value, bool angle) : speed_(speed), value_(value), angle_(angle) {}
  int size() const override { return 1; }
  std::string summary() const override { return "a joint keeps its speed"; }
  std::string unit() const override { return angle_ ? "rad/s" : "m/s"; }
  bool holonomic() const override { return false; }
  bool moves_with_time() const override { return value_ != 0; }

  template <class S>
  void measure(const KinT<S>&, S* g) const {
    g[0] = S(0);
  }
  template <class S>
  void gradient(const KinT<S>&, JacobianT<S>& out) const {
    out.add_speed(0, speed_, S(1));
  }
  template <class S>
  void drift(const KinT<S>&, S* rate) const {
    rate[0] = S(-value_);
  }
  template <class S>
  void products(const KinT<S>&, S* bias) const {
    bias[0] = S(0);
  }

 private:
  int speed_;
  double value_;
  bool angle_;
};

extern template class GeometryOf<JointSpeed>;

}  // namespace davit
