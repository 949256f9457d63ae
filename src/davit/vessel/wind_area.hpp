// Wind on a body that shows it three areas, across its x, y and z axes: F = ½ρ |v| (C A v)ᵢ for each axis i of the
// body, v the velocity of the wind relative to the body. With measured coefficients over the angle γ of the wind in the
// body's plane of x and y it is ½ρV² (C_x A_x, C_y A_y) there, V the speed in that plane, and in either case
// N = ½ρV² C_N A_y L about z (hull_load/flow_load.hpp has the angles). The mean wind is that of the height where the
// body is, gusts are those of its height at the start.
#pragma once

#include <optional>

#include "davit/hull_load/flow_load.hpp"
#include "davit/model/element.hpp"
#include "davit/model/weather.hpp"
#include "davit/sea/wind.hpp"

namespace davit::vessel {

class WindArea final : public ForceOf<WindArea> {
 public:
  struct Data {
    Vec3 drag = Vec3::Zero();   // ½ρ C A across each axis
    Vec3 areas = Vec3::Zero();  // ½ρ A_x, ½ρ A_y, ½ρ A_y L: what C_x, C_y and C_N are of
    std::optional<hull_load::FlowCoefficients> coefficients;
    bool measured = false;  // C_x and C_y too, in place of drag
  };
  struct Wind {
    std::shared_ptr<const sea::WindField> field;
    sea::WindAtHeight gusts;
  };
  WindArea(std::string name, const Frame& frame, Data data, InEnvironment<Wind> wind, WeatherSignals weather = {})
      : ForceOf(std::move(name)), frame_(frame), data_(std::move(data)), wind_(std::move(wind)), weather_(weather) {}
  std::string summary() const override { return "wind on a body"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }

  // In axes of the body.
  template <class S>
  struct Wrench {
    Vec3T<S> force = Vec3T<S>::Zero();
    S about_z = S(0);
  };
  template <class S>
  Wrench<S> wrench(const KinT<S>& kin) const {
    using std::sqrt;
    const double height = value_of(position(kin, frame_).z());
    const auto& [field, gusts] = wind_.of(kin);
    const Vec3 wind = weather_.wind((field->mean(height) + gusts.gust(value_of(kin.t))) * field->direction(), kin);
    const Vec3T<S> v = rotation(kin, frame_).transpose() * (as<S>(wind) - velocity(kin, frame_));
    const S square = v.squaredNorm();
    Wrench<S> out;
    if (!(value_of(square) > 0)) return out;
    out.force = sqrt(square) * as<S>(data_.drag).cwiseProduct(v);
    if (!data_.coefficients) return out;
    const Vec3T<S> C = data_.coefficients->times_square<S>(v.x(), v.y());
    if (data_.measured)
      for (int i = 0; i < 2; ++i) out.force[i] = S(data_.areas[i]) * C[i];
    out.about_z = S(data_.areas[2]) * C.z();
    return out;
  }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const Mat3T<S> R = rotation(c.kin, frame_);
    const Wrench<S> w = wrench<S>(c.kin);
    const Vec3T<S> arm = c.kin.body[static_cast<size_t>(frame_.body)].R * as<S>(frame_.offset.p);
    loads.add_force(frame_.body, arm, Vec3T<S>(R * w.force));
    if (data_.coefficients) loads.add_moment(frame_.body, Vec3T<S>(R.col(2) * w.about_z));
  }

 private:
  Frame frame_;
  Data data_;
  InEnvironment<Wind> wind_;
  WeatherSignals weather_;
};

}  // namespace davit::vessel

namespace davit {
extern template class ForceOf<vessel::WindArea>;
}  // namespace davit
