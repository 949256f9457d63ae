// The controller that tracks a plan, as a file describes it:
//
//   control:
//     crane:
//       track: {law: lqr, sample_time: 20 ms, weights: {error: 0.2, rate: 0.4, integral: 1}, sensor: {delay: 20 ms}}
#pragma once

#include "davit/control/sensor_spec.hpp"
#include "davit/input/file_path.hpp"
#include "davit/inverse_dynamics/feedback_specification.hpp"

namespace davit::tracking {

// The state is not measured but estimated from channels.
struct ObserverSpec {
  std::vector<input::Reference> measure;
  control::SensorSpecs sensors;
  double disturbance = 0.05;
  input::Where where;
  static const input::Record<ObserverSpec>& record();
};

struct DAVIT_API TrackSpec : inverse_dynamics::FeedbackSpec {
  TrackSpec() { law = inverse_dynamics::Law::lqr; }
  std::optional<input::FilePath> plan;  // none: that of the same file
  double from = 0;
  std::optional<ObserverSpec> observer;

  static const input::Record<TrackSpec>& record();
  void declare(const std::string& name, Assembly& assembly) const;
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::tracking
