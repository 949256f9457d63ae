// A force and moment given by the user at a point of a body: constant, switched on and off smoothly, or oscillating.
#pragma once

#include <numbers>

#include "davit/math/motion.hpp"
#include "davit/model/element.hpp"

namespace davit {

class AppliedWrench final : public ForceOf<AppliedWrench> {
 public:
  enum class Axes { world, body };
  struct Data {
    Vec3 force = Vec3::Zero();
    Vec3 moment = Vec3::Zero();
    Axes axes = Axes::world;
    double from = 0;    // acts from here …
    double until = -1;  // … to here, where it is gone; negative: to the end
    double ramp = 0;    // time to come and go, within these times, with zero speed at both ends
    double period = 0;  // zero: constant; else it is multiplied by sin(2π (t - from)/period)
  };
  AppliedWrench(std::string name, Frame at, const Data& data)
      : ForceOf(std::move(name)), at_(std::move(at)), data_(data) {
    // Without a ramp the wrench jumps; a millisecond keeps the model a function that adaptive steppers can follow.
    const double ramp = data.ramp > 0 ? data.ramp : 1e-3;
    if (data.from > 0 || data.ramp > 0) {
      shape_.move(data.from, ramp, 1, {.smoothness = 1});
    } else {
      shape_ = Motion(1);
    }
    if (data.until >= 0) shape_.move(data.until - ramp, ramp, 0, {.smoothness = 1});
  }

  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {at_.body}}}; }
  std::vector<double> breakpoints() const override { return shape_.breakpoints(); }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    using std::sin;
    S size = shape_.value(c.kin.t);
    if (data_.period > 0) size = size * sin(S(2 * std::numbers::pi / data_.period) * (c.kin.t - S(data_.from)));
    Vec3T<S> force = size * as<S>(data_.force), moment = size * as<S>(data_.moment);
    if (data_.axes == Axes::body) {
      const Mat3T<S> R = rotation(c.kin, at_);
      force = (R * force).eval();
      moment = (R * moment).eval();
    }
    const auto& body = c.kin.body[static_cast<size_t>(at_.body)];
    loads.add_force(at_.body, body.R * as<S>(at_.offset.p), force);
    loads.add_moment(at_.body, moment);
  }

 private:
  Frame at_;
  Data data_;
  Motion shape_;
};

extern template class ForceOf<AppliedWrench>;

}  // namespace davit
