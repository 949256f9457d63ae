#include "davit/dynamics/plain_channels.hpp"

#include "davit/math/rotation.hpp"
#include "davit/model/workspace.hpp"

namespace davit {

namespace {

constexpr const char* axis[] = {"x", "y", "z"};
constexpr const char* angle[] = {"roll", "pitch", "yaw"};

void add(std::vector<Channel>& out, std::string name, std::string unit, std::string description, std::string source,
         std::string group, bool main, std::function<double(const State&, const Workspace&)> value) {
  out.push_back({std::move(name), std::move(unit), std::move(description), std::move(source), std::move(group), main,
                 std::move(value)});
}

// Speed and acceleration number `u`; `rate` and `acceleration` are what they are called.
void add_rates(std::vector<Channel>& out, const std::string& rate, const std::string& acceleration,
               const std::string& unit, const std::string& of, const std::string& source, int u) {
  add(out, rate, unit + "/s", "rate of " + of, source, "rates in " + unit + "/s", false,
      [u](const State& s, const Workspace&) { return s.u[u]; });
  add(out, acceleration, unit + "/s^2", "rate of " + rate, source, "accelerations", false,
      [u](const State&, const Workspace& w) { return w.a[u]; });
}

}  // namespace

void add_coordinate_channels(const std::string& name, const std::string& unit, const std::string& source,
                             const std::string& group, int q, int u, std::vector<Channel>& out) {
  add(out, name, unit, name, source, group, true, [q](const State& s, const Workspace&) { return s.q[q]; });
  add_rates(out, name + "_rate", name + "_acceleration", unit, name, source, u);
}

void add_position_channels(const std::string& name, const std::string& what, const Frame& frame, int u,
                           std::vector<Channel>& out) {
  for (int i = 0; i < 3; ++i) {
    add(out, name + ".position_" + axis[i], "m", std::string("position along world ") + axis[i], "kinematics",
        "positions", true, [frame, i](const State&, const Workspace& w) { return position(w.kin, frame)[i]; });
    add_rates(out, name + ".velocity_" + axis[i], name + ".acceleration_" + axis[i], "m",
              std::string("the place of ") + what + " along world " + axis[i], "kinematics", u + i);
  }
}

void add_attitude_channels(const std::string& name, const Frame& frame, std::vector<Channel>& out) {
  for (int i = 0; i < 3; ++i)
    add(out, name + "." + angle[i], "rad", std::string(angle[i]) + " of the body against the world", "kinematics",
        "attitude", true,
        [frame, i](const State&, const Workspace& w) { return rpy_of_rotation(rotation(w.kin, frame))[i]; });
}

void add_spin_channels(const std::string& name, const Frame& frame, std::vector<Channel>& out) {
  for (int i = 0; i < 3; ++i)
    add(out, name + ".w" + axis[i], "rad/s", "angular velocity, in the axes of the body", "kinematics",
        "rates in rad/s", false, [frame, i](const State&, const Workspace& w) {
          return rotation(w.kin, frame).col(i).dot(w.kin.body[static_cast<size_t>(frame.body)].w);
        });
}

}  // namespace davit
