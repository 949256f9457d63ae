// The contact that a file can name: a point of a body against a plane of another.
#pragma once

#include "davit/assembly/axis.hpp"
#include "davit/assembly/registry.hpp"

namespace davit::constraint {

struct DAVIT_API ContactSpec {
  input::Reference surface, point;
  AxisSpec normal;
  double friction = 0, restitution = 0;

  static const input::Record<ContactSpec>& record();
  void build(const std::string& name, Assembly&) const;
};

}  // namespace davit::constraint
