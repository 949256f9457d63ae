// A lift in code, without a file: bodies with joints, points, constraints, forces, ropes and winches, vessels,
// controllers and what happens when. Each is given by the struct that a file is read into, in SI units, so that the two
// have one path: the same checks, the same words for mistakes, and the same bits.
//
//   davit::ModelBuilder crane("A crane in code");
//   davit::BodySpec column;
//   column.joint = davit::joint::revolute(davit::Vec3::UnitZ());
//   column.mass = 40e3;
//   const davit::input::Reference king = crane.add("king", column);
//   …
//   const davit::Lift lift = crane.build();
//
// What `add` returns is for others to refer to. The fields of every struct are those of docs/scenario_reference.md.
#pragma once

#include "davit/api/lift.hpp"
#include "davit/constraint/frame_specs.hpp"
#include "davit/constraint/joint_specs.hpp"
#include "davit/contact/rigid_contact_spec.hpp"
#include "davit/control/library_spec.hpp"
#include "davit/control/pid_spec.hpp"
#include "davit/control/tip_spec.hpp"
#include "davit/force/specs.hpp"
#include "davit/operation/verbs.hpp"
#include "davit/rope/stiffness_specs.hpp"
#include "davit/scenario/specification.hpp"
#include "davit/vessel/wind_area_spec.hpp"

namespace davit {

// A number of which only the model knows what unit is due, such as the angle or the travel of a joint: quantity(30,
// "deg"). Throws std::logic_error when the unit is not one.
DAVIT_API input::Quantity quantity(double number, std::string_view unit);

// How a body moves against the one it is on: king.joint = joint::revolute(Vec3::UnitZ()). Without a joint it is welded
// on.
namespace joint {
DAVIT_API JointSpec revolute(const Vec3& axis);
DAVIT_API JointSpec prismatic(const Vec3& axis);
DAVIT_API JointSpec cylindrical(const Vec3& axis);
DAVIT_API JointSpec planar(const Vec3& normal);
DAVIT_API JointSpec universal(const Vec3& first_axis, const Vec3& second_axis);
DAVIT_API JointSpec spherical();
DAVIT_API JointSpec roll_pitch_yaw();
DAVIT_API JointSpec free();
}  // namespace joint

class DAVIT_API ModelBuilder {
 public:
  explicit ModelBuilder(const std::string& title);

  input::Reference add(const std::string& name, const BodySpec& body);
  // A vessel, surface, rope, winch, constraint, force, controller and so on: of a kind that Davit has or that was
  // registered (davit/api/extension.hpp). Throws std::logic_error when it was not.
  template <class Spec>
  requires requires { Spec::record(); }
  input::Reference add(const std::string& name, const Spec& element) {
    return add_element(name, typeid(Spec), Spec::record().write(element));
  }
  // Whatever a program makes itself, with the frames and coordinates that the assembly knows by name. It is not part of
  // to_yaml.
  input::Reference add(const std::string& name, std::function<void(const std::string& name, Assembly&)> build);
  // A point of a body or vessel that was added, in its axes. Throws std::logic_error when there is none, or when
  // it has a point of that name.
  input::Reference add_point(const input::Reference& body, const std::string& name, const Vec3& at);

  void add(const PhaseSpec& phase);
  void add(const LimitSpec& limit);
  void set(const EnvironmentSpec& environment);
  void set(const RiggingSpec& rigging);
  void set(const RunSpec& run);

  // Checks and assembles it; hydrodynamics of a hull are solved if they have not been before. Throws InputError. May be
  // called again, also after more was added.
  Lift build() const;
  // The scenario that says the same.
  std::string to_yaml() const;

 private:
  input::Reference add_to(const std::string& section, const std::string& name, input::Node value);
  input::Reference add_element(const std::string& name, std::type_index type, input::Node value);

  input::Node root_;
  input::Named<BuiltByProgram> own_;
};

}  // namespace davit
