// Wind on a body of a lift as a file describes it.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/input/record.hpp"
#include "davit/vessel/specification.hpp"

namespace davit::vessel {

struct DAVIT_API WindAreaSpec {
  input::Reference on;
  Vec3 areas = Vec3::Zero();
  Vec3 coefficients = Vec3::Constant(1.05);
  std::optional<double> yaw, length;
  std::optional<FlowTableSpec> table;
  double density = air_density;
  input::Where where;

  static const input::Record<WindAreaSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::vessel
