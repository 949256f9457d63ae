// The constraints on joint coordinates that a file can name.
#pragma once

#include "davit/assembly/registry.hpp"
#include "davit/constraint/held_rows.hpp"

namespace davit::constraint {

// Keys of those that may yield, whose units depend on the joint.
struct JointSoftKeys {
  std::optional<input::Quantity> compliance, damping;

  // Nothing after a mistake, which is reported.
  std::optional<Softness> softness(const JointCoordinate& at, Assembly& assembly) const;
};

struct DAVIT_API GearSpec : JointSoftKeys {
  std::vector<input::Reference> joints;
  input::Quantity ratio;
  input::Where where;

  static const input::Record<GearSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API MotionSpec : JointSoftKeys {
  input::Reference joint;

  static const input::Record<MotionSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API SpeedSpec {
  input::Reference joint;
  input::Quantity speed;

  static const input::Record<SpeedSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::constraint
