// PD and PID control of joints as a file describes it.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/input/record.hpp"

namespace davit::control {

struct DAVIT_API PidSpec {
  std::vector<input::Reference> joints;
  input::Quantity kp;
  std::optional<input::Quantity> ki, kd, limit, integral_limit;
  bool derivative_of_error = true;
  std::optional<double> sample_time;
  input::Where where;

  static const input::Record<PidSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::control
