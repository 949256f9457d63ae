// A mooring line whose ends are on two bodies that are moved by hand, or on an anchor and the second of them.
#pragma once

#include "davit/mooring/line_force.hpp"

namespace davit::mooring::test {

struct Placed {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
};

template <class S>
KinT<S> kinematics(const Placed& bodies, double t, const SignalMotions* signals = nullptr) {
  KinT<S> kin;
  kin.t = S(t);
  kin.signals = signals;
  kin.body.resize(3);
  kin.body[1].p = as<S>(bodies.a);
  kin.body[2].p = as<S>(bodies.b);
  return kin;
}

inline Frame anchor_at(const Vec3& place) { return {0, Pose{Mat3::Identity(), place}}; }
inline Frame on_body(int body, const Vec3& at = Vec3::Zero()) { return {body, Pose{Mat3::Identity(), at}}; }

// What a line does to its bodies, and what is remembered of it.
struct HeldLine {
  LineForce force;
  DiscreteState discrete{force.discrete_slots()};
  std::unique_ptr<ElementWork> work = force.make_work(0.0);

  template <class... Args>
  explicit HeldLine(Args&&... args) : force("line", std::forward<Args>(args)...) {}

  ContextT<double> context(const Kin& kin) const { return {kin, nullptr, nullptr, discrete, 0, work.get()}; }
  std::vector<Wrench> loads(const Kin& kin) const {
    Loads loads;
    loads.resize(3, 0, false);
    force.apply(context(kin), loads, nullptr);
    return loads.wrench;
  }
  std::vector<Wrench> loads(const Placed& bodies, double t = 0) const { return loads(kinematics<double>(bodies, t)); }
  std::vector<Wrench> step_loads(const Placed& from, const Placed& to, double t, double h) const {
    const Placed middle{0.5 * (from.a + to.a), 0.5 * (from.b + to.b)};
    const Kin start = kinematics<double>(from, t), point = kinematics<double>(middle, t + h / 2),
              end = kinematics<double>(to, t + h);
    Loads loads;
    loads.resize(3, 0, false);
    force.apply_over_step({start, context(point), end, h}, loads);
    return loads.wrench;
  }
  bool commit(const Kin& kin) { return force.commit(context(kin), discrete); }
  bool commit(const Placed& bodies, double t) { return commit(kinematics<double>(bodies, t)); }
};

}  // namespace davit::mooring::test
