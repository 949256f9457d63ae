#include "davit/control/drive.hpp"

namespace davit::control {

double drive_limit(const std::optional<input::Quantity>& given, const JointCoordinate& at, Assembly& assembly) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (!given) return none;
  const size_t errors = assembly.problems().error_count();
  const double value = assembly.joint_quantity(given, at, "N m", "N");
  if (value > 0) return value;
  if (assembly.problems().error_count() == errors)
    assembly.problems().error(
        given->where, "the limit must be above zero",
        at.angle ? "give the largest torque, e.g. 50 kN m" : "give the largest force, e.g. 50 kN");
  return none;
}

std::string drive_name(const std::string& controller, const JointCoordinate& at, const Assembly& assembly) {
  const std::string body = at.name.substr(0, at.name.find('.'));
  const bool one = assembly.tree().body(body).body.joint.type().coordinates.size() == 1;
  return controller + "." + (one ? body : at.name);
}

int add_drive(const std::string& controller, const JointCoordinate& at, const std::optional<input::Quantity>& limit,
              Assembly& assembly) {
  Input input{controller + "." + at.name, at.angle ? "N m" : "N"};
  input.upper = drive_limit(limit, at, assembly);
  input.lower = -input.upper;
  const int port = assembly.add_input(std::move(input));
  assembly.observables().add_scalar(
      {drive_name(controller, at, assembly) + (at.angle ? ".torque" : ".force"), at.angle ? "N m" : "N",
       "commanded on " + at.name, "controller " + controller, at.angle ? "actuator torques" : "actuator forces", true},
      [port](const State&, const Workspace& w) { return w.w[static_cast<size_t>(port)]; });
  return port;
}

}  // namespace davit::control
