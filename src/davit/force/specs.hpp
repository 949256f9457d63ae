// The forces that a file can name.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/force/applied_wrench.hpp"
#include "davit/input/record.hpp"

namespace davit::force {

struct DAVIT_API JointSpringSpec {
  input::Reference joint;
  std::optional<input::Quantity> stiffness, cubic, rest;

  static const input::Record<JointSpringSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API JointDamperSpec {
  input::Reference joint;
  std::optional<input::Quantity> damping, cubic, coulomb, creep_speed;

  static const input::Record<JointDamperSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API BearingFrictionSpec {
  input::Reference joint;
  double coefficient = 0;
  std::optional<double> radius;
  std::optional<input::Quantity> creep_speed;
  input::Where where;

  static const input::Record<BearingFrictionSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API WrenchSpec {
  input::Reference on;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  AppliedWrench::Axes axes = AppliedWrench::Axes::world;
  double from = 0;
  std::optional<double> until, period;
  double ramp = 0;

  static const input::Record<WrenchSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API LineSpec {
  input::Reference from, to;
  double length = 0, stiffness = 0, damping = 0;
  bool tension_only = true;

  static const input::Record<LineSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::force
