// Times that steps must land on: breakpoints of elements and of the motions that signals follow, samples of
// controllers, and the end of the run.
#pragma once

#include <vector>

#include "davit/model/model.hpp"

namespace davit {

class EventSchedule {
 public:
  EventSchedule(const Model& model, double end);
  void set_end(double end) { end_ = end; }
  // The first after a state.
  double after(const State& state) const;
  // Nearer than this two times are the same.
  static double slack(double t);

 private:
  double end_;
  const std::vector<double>& breakpoints_;
  std::vector<double> samples_;
};

}  // namespace davit
