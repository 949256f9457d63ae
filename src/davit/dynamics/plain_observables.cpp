#include "davit/dynamics/plain_observables.hpp"

#include "davit/math/rotation.hpp"
#include "davit/model/workspace.hpp"

namespace davit {

namespace {

constexpr const char* axis[] = {"x", "y", "z"};
constexpr const char* angle[] = {"roll", "pitch", "yaw"};

// A speed and its acceleration; `rate` and `acceleration` are what they are called.
void describe_rates(std::vector<ScalarInfo>& infos, const std::string& rate, const std::string& acceleration,
                    const std::string& unit, const std::string& of, const std::string& source) {
  infos.push_back({rate, unit + "/s", "rate of " + of, source, "rates in " + unit + "/s"});
  infos.push_back({acceleration, unit + "/s^2", "rate of " + rate, source, "accelerations"});
}

}  // namespace

void add_coordinate_scalars(const std::string& name, const std::string& unit, const std::string& source,
                            const std::string& group, int q, int u, Observables& out) {
  std::vector<ScalarInfo> infos{{name, unit, name, source, group, true}};
  describe_rates(infos, name + "_rate", name + "_acceleration", unit, name, source);
  out.add_scalars(std::move(infos), [q, u](const State& s, const Workspace& w, double* values) {
    values[0] = s.q[q];
    values[1] = s.u[u];
    values[2] = w.a[u];
  });
}

void add_position_scalars(const std::string& name, const std::string& what, const Frame& frame, int u,
                          Observables& out) {
  std::vector<ScalarInfo> infos;
  for (const char* x : axis) {
    infos.push_back(
        {name + ".position_" + x, "m", std::string("position along world ") + x, "kinematics", "positions", true});
    describe_rates(infos, name + ".velocity_" + x, name + ".acceleration_" + x, "m",
                   "the place of " + what + " along world " + x, "kinematics");
  }
  out.add_scalars(std::move(infos), [frame, u](const State& s, const Workspace& w, double* values) {
    const Vec3 p = position(w.kin, frame);
    for (int i = 0; i < 3; ++i) {
      *values++ = p[i];
      *values++ = s.u[u + i];
      *values++ = w.a[u + i];
    }
  });
}

void add_attitude_scalars(const std::string& name, const Frame& frame, Observables& out) {
  std::vector<ScalarInfo> infos;
  for (const char* a : angle)
    infos.push_back(
        {name + "." + a, "rad", std::string(a) + " of the body against the world", "kinematics", "attitude", true});
  out.add_scalars(std::move(infos), [frame](const State&, const Workspace& w, double* values) {
    Vec3::Map(values) = rpy_of_rotation(rotation(w.kin, frame));
  });
}

void add_spin_scalars(const std::string& name, const Frame& frame, Observables& out) {
  std::vector<ScalarInfo> infos;
  for (const char* x : axis)
    infos.push_back(
        {name + ".w" + x, "rad/s", "angular velocity, in the axes of the body", "kinematics", "rates in rad/s"});
  out.add_scalars(std::move(infos), [frame](const State&, const Workspace& w, double* values) {
    const Mat3 R = rotation(w.kin, frame);
    for (int i = 0; i < 3; ++i) values[i] = R.col(i).dot(w.kin.body[static_cast<size_t>(frame.body)].w);
  });
}

}  // namespace davit
