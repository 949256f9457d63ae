// The force of a flow of air or water on a hull,
//
//   ½ρV² (C_x A_f, C_y A_s, C_N A_s L) in surge, sway and yaw,
//
// by the velocity V of the flow relative to the moving hull and the angle γ of the direction in which it goes, seen
// from the bow towards port: 0 from astern, 90° from starboard, 180° from ahead (the angles of OCIMF, 1994). Forces are
// in axes that follow the heading, and act at a point of the hull, whose height makes it heel and trim. What turning in
// yaw does is not in it.
//
// Measured coefficients of water have in C_N that a hull across a flow is turned broadside on also in potential flow
// (Munk). The added mass of the hull does that too, and for its motion over ground: that is taken off here.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "davit/hull_load/hull_frame.hpp"
#include "davit/model/element.hpp"
#include "davit/model/weather.hpp"

namespace davit::hull_load {

// C_x, C_y and C_N over γ: closed shapes, or a table.
class FlowCoefficients {
 public:
  // C_x = surge cos γ, C_y = sway sin γ, C_N = −yaw sin 2γ: with a positive yaw the force acts towards the end of the
  // hull that the flow comes from, and turns it broadside on.
  FlowCoefficients(double surge, double sway, double yaw) : shape_(surge, sway, yaw) {}
  // Straight lines between angles that ascend from −π to π, or from 0 to π for a hull that is its own mirror image.
  struct Knot {
    double angle;
    Vec3 value;
  };
  explicit FlowCoefficients(const std::vector<Knot>& table);

  // (C_x, C_y, C_N) V² for a flow of velocity (u, v) along the hull and to port.
  template <class S>
  Vec3T<S> times_square(const S& u, const S& v) const {
    using std::atan2;
    using std::sqrt;
    const S square = u * u + v * v;
    if (!(value_of(square) > 0)) return Vec3T<S>::Zero();
    if (table_.empty()) {
      const S speed = sqrt(square);
      return {S(shape_[0]) * speed * u, S(shape_[1]) * speed * v, S(-2 * shape_[2]) * u * v};
    }
    const S angle = atan2(v, u);
    const auto above = std::upper_bound(table_.begin() + 1, table_.end() - 1, value_of(angle),
                                        [](double a, const Knot& knot) { return a < knot.angle; });
    const Knot &low = *(above - 1), &high = *above;
    const S part = (angle - S(low.angle)) / S(high.angle - low.angle);
    return square * (as<S>(low.value) + part * as<S>(Vec3(high.value - low.value)));
  }

 private:
  Vec3 shape_ = Vec3::Zero();
  std::vector<Knot> table_;  // from −π to π
};

class FlowLoad final : public ForceOf<FlowLoad> {
 public:
  struct Data {
    double density = 0, frontal_area = 0, lateral_area = 0, length = 0;
    Vec3 centre = Vec3::Zero();  // where it acts, in the frame of the hull
    FlowCoefficients coefficients;
    Eigen::Matrix2d added_mass = Eigen::Matrix2d::Zero();  // in surge and sway, whose moment is part of C_N
  };
  using Flow = std::function<Vec3(double time)>;  // velocity of the flow, in world axes
  // `weather`: what changes a wind.
  FlowLoad(std::string name, const Frame& frame, Data data, InEnvironment<Flow> flow, std::string of,
           WeatherSignals weather = {})
      : ForceOf(std::move(name)),
        frame_(frame),
        data_(std::move(data)),
        flow_(std::move(flow)),
        of_(std::move(of)),
        weather_(weather) {}
  std::string summary() const override { return of_ + " on the hull"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }

  // Surge, sway and yaw, in axes that follow the heading, about the point where it acts.
  template <class S>
  Vec3T<S> load(const KinT<S>& kin, const HullStateT<S>& hull) const {
    const Vec3T<S> flow = as<S>(weather_.wind(flow_.of(kin)(value_of(kin.t)), kin));
    const Vec3T<S> relative = hull.level_axes().into(flow - hull.v);
    const Vec3T<S> velocity = hull.level_axes().into(hull.v);
    return load<S>(data_, relative.x(), relative.y(), velocity.x(), velocity.y());
  }
  // Of a flow (u, v) past a hull that moves over ground with (x, y).
  template <class S>
  static Vec3T<S> load(const Data& data, const S& u, const S& v, const S& x, const S& y) {
    const Vec3T<S> C = data.coefficients.times_square<S>(u, v);
    const double half = 0.5 * data.density;
    const Eigen::Matrix2d& A = data.added_mass;
    const S munk = x * (A(1, 0) * x + A(1, 1) * y) - y * (A(0, 0) * x + A(0, 1) * y);
    return {S(half * data.frontal_area) * C.x(), S(half * data.lateral_area) * C.y(),
            S(half * data.lateral_area * data.length) * C.z() + munk};
  }
  Vec3 load(const Kin& kin) const { return load<double>(kin, hull_state(kin, frame_)); }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const Vec3T<S> F = load<S>(c.kin, hull), arm = hull.R * as<S>(data_.centre);
    const Vec3T<S> force = hull.level_axes().out_of({F.x(), F.y(), S(0)});
    add_hull_load<S>(loads, frame_, hull, force, arm.cross(force) + Vec3T<S>(S(0), S(0), F.z()));
  }

 private:
  Frame frame_;
  Data data_;
  InEnvironment<Flow> flow_;
  std::string of_;
  WeatherSignals weather_;
};

}  // namespace davit::hull_load

namespace davit {
extern template class ForceOf<hull_load::FlowLoad>;
}  // namespace davit
