// Holds a vessel about a place and a heading by thrusters, with forces in the horizontal plane that make its slow
// motion in surge, sway and yaw one of the period and damping asked for:
//
//   F = −m (ω² x + 2ζω v + b),
//
// x and v of the slow motion against the wanted place, in the axes of the wanted heading, m the mass of vessel and
// water in slow motion, b the steady load per unit of mass, if it is to be balanced. With a wave filter x, v and b are
// those that it finds (wave_filter.hpp), so thrusters do not work against waves; without one x and v are those of the
// hull, and b follows from b = z + r v, ż = −r (f + b), which finds a steady load at the rate r. Filter and load are
// told the thrust that is really given: at the limits of the thrusters nothing winds up. With exact m the poles of the
// closed loop are the pair asked for and those of filter and load.
//
// Far away, x is shortened so that the vessel comes back no faster than half of the largest thrust can stop it:
// v = √(f(|x| − x₁/2)) beyond x₁ = 2ζ²f/ω², f the largest thrust per unit of mass, which joins ωx/2ζ smoothly.
#pragma once

#include <limits>
#include <optional>

#include "davit/hull_load/hull_frame.hpp"
#include "davit/model/element.hpp"
#include "davit/vessel/wave_filter.hpp"

namespace davit::vessel {

class PositionKeeping final : public ForceOf<PositionKeeping> {
 public:
  struct Data {
    Vec2 place = Vec2::Zero();
    double heading = 0;
    Vec3 mass = Vec3::Zero();  // surge, sway, yaw
    double frequency = 0;      // ω, rad/s
    double damping = 0;        // ζ
    double load_rate = 0;      // 1/s, without a filter; 0: steady loads are not looked for
    std::optional<InEnvironment<WaveFilter>> filter;
    bool balances_load = false;
    double force_limit = std::numeric_limits<double>::infinity(), moment_limit = force_limit;
  };
  PositionKeeping(std::string name, const Frame& frame, const Data& data, std::string summary)
      : ForceOf(std::move(name)), frame_(frame), data_(data), summary_(std::move(summary)) {}
  std::string summary() const override { return summary_; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  int auxiliary_states() const override { return 3 * states_per_motion(); }

  // Surge, sway and yaw of the thrust, in the axes of the wanted heading; rates of the auxiliary states if asked for.
  template <class S>
  Vec3T<S> thrust(const KinT<S>& kin, const S* z, S* zdot = nullptr) const {
    using std::atan2;
    using std::sqrt;
    const hull_load::HullStateT<S> hull = hull_load::hull_state(kin, frame_);
    const double cosine = std::cos(data_.heading), sine = std::sin(data_.heading);
    const S dx = hull.p.x() - S(data_.place.x()), dy = hull.p.y() - S(data_.place.y());
    // The angle from the wanted heading is in (−π, π].
    const Vec3T<S> away(
        cosine * dx + sine * dy, cosine * dy - sine * dx,
        atan2(cosine * hull.R(1, 0) - sine * hull.R(0, 0), cosine * hull.R(0, 0) + sine * hull.R(1, 0)));
    const Vec3T<S> rate(cosine * hull.v.x() + sine * hull.v.y(), cosine * hull.v.y() - sine * hull.v.x(), hull.w.z());
    const int n = states_per_motion();
    Vec3T<S> force;
    for (int i = 0; i < 3; ++i) {
      const S* own = z + i * n;
      const S x = data_.filter ? own[2] : away[i], v = data_.filter ? own[3] : rate[i];
      const S load = !data_.balances_load ? S(0) : data_.filter ? own[4] : steady_load(own, rate[i]);
      const double strength = (i < 2 ? data_.force_limit : data_.moment_limit) / data_.mass[i];
      force[i] = -data_.mass[i] * (data_.frequency * data_.frequency * shortened(x, strength) +
                                   2 * data_.damping * data_.frequency * v + load);
    }
    const S force2 = force.x() * force.x() + force.y() * force.y();
    if (value_of(force2) > data_.force_limit * data_.force_limit) {
      const S scale = S(data_.force_limit) / sqrt(force2);
      force.x() *= scale;
      force.y() *= scale;
    }
    if (std::abs(value_of(force.z())) > data_.moment_limit)
      force.z() = S(value_of(force.z()) > 0 ? data_.moment_limit : -data_.moment_limit);
    if (zdot)
      for (int i = 0; i < 3; ++i) {
        const S given = force[i] / data_.mass[i];
        if (data_.filter)
          data_.filter->of(kin).template rates<S>(z + i * n, away[i], given, zdot + i * n);
        else if (n > 0)
          zdot[i] = -data_.load_rate * (given + steady_load(z + i, rate[i]));
      }
    return force;
  }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const hull_load::HullStateT<S> hull = hull_load::hull_state(c.kin, frame_);
    const double cosine = std::cos(data_.heading), sine = std::sin(data_.heading);
    const Vec3T<S> F = thrust<S>(c.kin, c.z, zdot);
    hull_load::add_hull_load<S>(loads, frame_, hull,
                                Vec3T<S>(cosine * F.x() - sine * F.y(), sine * F.x() + cosine * F.y(), S(0)),
                                Vec3T<S>(S(0), S(0), F.z()));
  }

 private:
  int states_per_motion() const { return data_.filter ? WaveFilter::states : data_.load_rate > 0 ? 1 : 0; }
  template <class S>
  S shortened(const S& x, double strength) const {
    const double slope = 2 * data_.damping / data_.frequency, from = 0.5 * slope * slope * strength;
    if (!(std::abs(value_of(x)) > from)) return x;
    using std::sqrt;
    const double side = value_of(x) > 0 ? 1 : -1;
    return side * slope * sqrt(strength * (side * x - S(0.5 * from)));
  }
  // Without a filter.
  template <class S>
  S steady_load(const S* z, const S& rate) const {
    return data_.load_rate > 0 ? *z + data_.load_rate * rate : S(0);
  }

  Frame frame_;
  Data data_;
  std::string summary_;
};

}  // namespace davit::vessel

namespace davit {
extern template class ForceOf<vessel::PositionKeeping>;
}  // namespace davit
