// A sea as one hull meets it, made once for a run: the force of incident and diffracted wave together, Tysse & Egeland
// (71),
//
//   F = Re Σ aₙ Xₙ(βₙ − ψ) exp(i(ωₙt − kₙ·p + εₙ)),
//
// what the hull moves in these waves by linear theory,
//
//   ξ = Re Σ aₙ Hₙ Xₙ(βₙ − ψ) exp(i(ωₙt − kₙ·p + εₙ)),   H the receptance in surge, sway and yaw,
//
// and slow loads from the mean drift D(ω, β) in regular waves (Newman 1974): a pair of waves has ½(D + D') at the
// difference of their frequencies. With the arithmetic mean the double sum
//
//   S = Σₙ Σₘ aₙ aₘ ½(Dₙ + Dₘ) cos(θₙ − θₘ) = Re[ conj(Σ aₙ exp(iθₙ)) · Σ aₘ Dₘ exp(iθₘ) ]
//
// is a product of two sums. There are no sums of frequencies in it: what oscillates fast has no part in drift. Loads of
// the same form take away what the other forces on the hull have on average (linear_response.hpp), so that the mean is
// that of the database.
//
// All are met at the hull's mean place p and heading ψ, in level axes of that heading.
#pragma once

#include <optional>

#include "davit/wave_load/wave_sums.hpp"
#include "davit/wave_load/wave_window.hpp"

namespace davit::wave_load {

class WavesOnHull {
 public:
  using Place = wave_window::Way::Place;

  // `receptance`: of each component; none: the hull is met at its own place.
  // `slow`: WaveForceTable::of_drift or of_mean_loads for these components.
  struct Answers {
    WaveForceTable forces;
    std::vector<HorizontalReceptance> receptance = {};
    std::optional<WaveForceTable> slow = {};
  };
  // `step`: of the run, 0 where it changes. `ramp`: seconds over which the waves come up at the start.
  WavesOnHull(const std::vector<sea::Component>& components, Answers answers, double step, double ramp);

  // Of the waves met at a mean place: force, and motion ξ in world axes, with slopes by its x, y and heading; slow
  // drift and what takes the mean of other forces away.
  struct Sum {
    Vec6 force = Vec6::Zero();
    Eigen::Matrix<double, 6, 3> slope = Eigen::Matrix<double, 6, 3>::Zero();
    Vec3 motion = Vec3::Zero();
    Mat3 motion_slope = Mat3::Zero();
    Vec6 drift = Vec6::Zero(), correction = Vec6::Zero();
    Eigen::Matrix<double, 6, 3> drift_slope = Eigen::Matrix<double, 6, 3>::Zero(), correction_slope = drift_slope;
  };
  // By cosines, at any time and mean place, of waves so many times as high: slow loads go with the square.
  Sum sum(double t, const Place& mean, double times = 1) const;
  Sum full_sum(double t, const Place& mean) const;  // without the ramp
  // A full sum as it is at a time.
  Sum scaled(Sum full, double t, double times) const;

  bool move_the_hull() const { return moves_; }
  double ramp_at(double t) const;

  // With steps of one size, sums are formed for a window of some steps when it begins.
  bool in_windows() const { return most_steps_ > 0; }
  double step() const { return step_; }
  int steps_for(const wave_window::Way& way) const { return wave_window::steps_for(most_steps_, step_, limits_, way); }
  // Whether a mean place is as near to one on the way of a window as its slopes are trusted.
  bool near(const Place& here, const Place& on_the_way) const;
  // Between beginnings of two windows, for which phases are carried on.
  double far() const { return wave_window::largest_step / limits_.shortest; }
  // Numbers in which a window and the phases at its beginning are kept.
  static constexpr int window_width =
      static_cast<int>(wave_window::nodes * 21 + wave_window::slope_nodes * 27 + wave_window::slow_slope_nodes * 36);
  int phases_width() const { return 2 * static_cast<int>(train_.room()); }
  // What carries the phases at the beginning of the last window on to now.
  struct Since {
    int steps;
    Vec2 moved;
  };
  // Forms the sums of a window of so many steps that begins at a time, on a way, and keeps its phases: carried on, or
  // made anew. `held`: the hull does not leave the way, no slopes.
  void form_window(double t, const wave_window::Way& way, int steps, const std::optional<Since>& since, bool held,
                   double* phases, double* kept) const;
  // A full sum, at a part of the window.
  Sum in_window(const double* kept, double part) const;
  // Rate of the motion ξ, at a part of a window of so many seconds.
  Vec3 motion_rate(const double* kept, double part, double window) const;

 private:
  void lay_out_receptance(const std::vector<HorizontalReceptance>& receptance,
                          const std::vector<sea::Component>& components);
  wave_window::Limits limits_of(const std::vector<sea::Component>& components) const;
  double largest_motion(const HorizontalReceptance& receptance, size_t component) const;
  const wave_sums::ComplexRow* receptance_of(size_t first) const;
  void forces_of(size_t first, const WaveForceTable::Cell& cell, const WaveForceTable::Cell& slow_cell,
                 wave_sums::BlockOfForces& out) const;

  WaveTrain train_;
  WaveForceTable table_;
  std::optional<WaveForceTable> slow_;
  double step_, ramp_;  // s
  wave_window::Limits limits_;
  int most_steps_ = 0;
  bool moves_ = false;
  std::vector<wave_sums::ComplexRow> receptance_;  // 18 rows for each block that moves the hull
  std::vector<int> receptance_at_;                 // of each block; −1: it does not
};

}  // namespace davit::wave_load
