// Wind on a body that shows it three areas, across its x, y and z axes: F = ½ρ |v| (C A v)ᵢ for each axis i of the
// body, v the velocity of the wind relative to the body. The mean wind is that of the height where the body is, gusts
// are those of its height at the start.
#pragma once

#include "davit/model/element.hpp"
#include "davit/sea/wind.hpp"

namespace davit::vessel {

class WindArea final : public ForceOf<WindArea> {
 public:
  // `drag`: ½ρ C A across each axis.
  WindArea(std::string name, const Frame& frame, const Vec3& drag, std::shared_ptr<const sea::WindField> wind,
           double start_height)
      : ForceOf(std::move(name)), frame_(frame), drag_(drag), wind_(std::move(wind)), gusts_(wind_->at(start_height)) {}
  std::string summary() const override { return "wind on a body"; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }

  // In world axes.
  template <class S>
  Vec3T<S> force(const KinT<S>& kin) const {
    using std::sqrt;
    const Mat3T<S> R = rotation(kin, frame_);
    const double height = value_of(position(kin, frame_).z());
    const Vec3 wind = (wind_->mean(height) + gusts_.gust(value_of(kin.t))) * wind_->direction();
    const Vec3T<S> v = R.transpose() * (as<S>(wind) - velocity(kin, frame_));
    const S square = v.squaredNorm();
    if (!(value_of(square) > 0)) return Vec3T<S>::Zero();
    return R * (sqrt(square) * as<S>(drag_).cwiseProduct(v)).eval();
  }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const Vec3T<S> arm = c.kin.body[static_cast<size_t>(frame_.body)].R * as<S>(frame_.offset.p);
    loads.add_force(frame_.body, arm, force<S>(c.kin));
  }

 private:
  Frame frame_;
  Vec3 drag_;
  std::shared_ptr<const sea::WindField> wind_;
  sea::WindAtHeight gusts_;
};

}  // namespace davit::vessel

namespace davit {
extern template class ForceOf<vessel::WindArea>;
}  // namespace davit
