// The flow of a sea at many points at once: as `flow` of kinematics.hpp with Wheeler's stretching, from components in
// packs of four and without those that do not reach down to a point. It comes up at the start of a run as forces of
// waves on vessels do (ramp.hpp).
#pragma once

#include <vector>

#include "davit/math/types.hpp"
#include "davit/sea/realisation.hpp"

namespace davit::sea {

class WaveField {
 public:
  // `ramp`: s, over which it comes up.
  WaveField(std::vector<Component> components, const Water& water, double ramp);

  struct Sample {
    Vec3 velocity = Vec3::Zero(), acceleration = Vec3::Zero();  // ∂v/∂t at the place
    double elevation = 0;
  };
  Sample at(double time, const Vec3& point) const;

  // Time over which a cubic through four instants follows it: 0.6 rad between two of them at the frequency below which
  // 98 % of its energy are. (In a JONSWAP sea the error is 0.002 of the deviation of velocities, 0.004 of
  // accelerations.)
  double window() const { return window_; }
  double ramp() const { return ramp_; }
  // Of the waves that carry the energy, Σ a² ω/Σ a².
  double mean_frequency() const { return mean_frequency_; }

 private:
  // By wave number, from the longest wave on; the last pack is filled up with nothing.
  static constexpr int lanes = 4;
  struct Pack {
    double turns_per_second[lanes], turns_per_x[lanes], turns_per_y[lanes], phase[lanes];  // in turns
    double k[lanes], amplitude[lanes];
    double along[lanes], x[lanes], y[lanes];  // g a k/ω, cos β, sin β
    double frequency[lanes];
    double fade[lanes];  // 1/(1 + e^{−2kh})
  };
  int reaching(double z) const;

  std::vector<Pack> packs_;
  Water water_;
  double ramp_, highest_ = 0, window_ = 0, mean_frequency_ = 0;
};

}  // namespace davit::sea
