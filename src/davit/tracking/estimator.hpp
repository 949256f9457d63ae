// What is known of a crane's state from some channels of it: a Kalman filter on the exact linearisation about the plan,
//   x⁺ = F x + Γ δw + noise,   y = C x + noise,
// from sample to sample, with x how far coordinates and speeds are off the plan, and gains of its stationary covariance
// at points of the plan, interpolated between them. What is estimated for a sample follows from the measurements up to
// the one before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "davit/dynamics/system.hpp"
#include "davit/tracking/tracked_plan.hpp"

namespace davit::tracking {

struct EstimatorNoise {
  double disturbance = 0;     // of accelerations that nobody knows, m/s² or rad/s², as if anew each second
  std::vector<double> noise;  // standard deviations of the channels, anew each sample
};

class Estimator {
 public:
  // Channels are those of the plan's model.
  Estimator(const TrackedPlan&, const std::vector<std::string>& channels, const EstimatorNoise&, double sample_time,
            int points = 25);
  // Why there is none: channels from which the motion does not follow.
  const std::optional<std::string>& why_not() const { return why_not_; }

  // x a sample later. `off`: how far channels are from the planned ones; `correction`: δw.
  void advance(double t, const VecX& off, const VecX& correction, VecX& x) const;

 private:
  struct Node {
    MatX state, input, measurement;  // on x, δw and y
  };
  void add_node(double t, const MatX& C, const EstimatorNoise&, double sample_time, const MatX& A, const MatX& B,
                const MatX& T);
  std::vector<double> times_;
  std::vector<Node> nodes_;
  std::optional<std::string> why_not_;
};

// Channels of the plan's model on its way: what an estimator compares with what is measured.
class PlannedChannels {
 public:
  // Names that the plan's model does not have are in missing().
  PlannedChannels(const TrackedPlan&, const std::vector<std::string>& names);
  const std::vector<std::string>& missing() const { return missing_; }
  VecX at(const inverse_dynamics::Instant&);

 private:
  const TrackedPlan& plan_;
  std::vector<std::string> missing_;
  System system_;
  State state_;
  std::optional<ChannelReader> reader_;
};

}  // namespace davit::tracking
