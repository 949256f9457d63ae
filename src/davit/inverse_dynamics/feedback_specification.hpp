// Feedback of a plan, and what disturbs it, as a file describes them.
#pragma once

#include "davit/input/quantity.hpp"
#include "davit/input/record.hpp"
#include "davit/math/types.hpp"

namespace davit::inverse_dynamics {

enum class Law { none, servo, linearising, lqr, set_point };  // none: a plan that is tracked in a run, without feedback

// Deviations that weigh the same.
struct WeightsSpec {
  double error = 0.1, rate = 0.2;
  std::optional<double> integral;
  input::Named<input::Quantity> inputs;
  static const input::Record<WeightsSpec>& record();
};

struct StateSensorSpec {
  double delay = 0;
  double place_noise = 0, speed_noise = 0;
  int seed = 1;
  static const input::Record<StateSensorSpec>& record();
};

struct FeedbackSpec {
  Law law = Law::linearising;
  double sample_time = 0.02;
  std::vector<double> poles;
  std::optional<double> a, b, c, horizon;
  bool integral = false;
  WeightsSpec weights;
  double frequency = 1, damping = 1, inertia = 0, energy = 0;
  input::Named<input::Quantity> limits;
  bool anti_windup = true;
  StateSensorSpec sensor;
  input::Where where;
  static const input::Record<FeedbackSpec>& record();
};

// Mistakes that one field alone does not show.
void check_feedback(const FeedbackSpec&, const input::Where& place, input::Problems&);

struct ShiftSpec {
  input::Reference of;
  Vec3 by = Vec3::Zero();
  static const input::Record<ShiftSpec>& record();
};
struct PushSpec {
  input::Reference on;
  Vec3 force = Vec3::Zero();
  double from = 0;
  std::optional<double> until;
  static const input::Record<PushSpec>& record();
};
// How the crane differs from the one that was planned for.
struct DisturbSpec {
  std::optional<ShiftSpec> shift;
  input::Named<double> mass;
  std::optional<PushSpec> push;
  input::Where where;
  static const input::Record<DisturbSpec>& record();
};

}  // namespace davit::inverse_dynamics
