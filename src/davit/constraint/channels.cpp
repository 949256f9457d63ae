#include "davit/constraint/channels.hpp"

namespace davit::constraint {

void add_reaction_channels(const std::string& name, const std::vector<HeldRows>& held, const Frame& to,
                           const char* where, Assembly& assembly) {
  static const char* const parts[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  std::vector<ScalarInfo> infos;
  for (int i = 0; i < 6; ++i)
    infos.push_back({name + ".reaction." + parts[i], i < 3 ? "N" : "N m",
                     std::string(i < 3 ? "force" : "moment") + " on the " + where + ", in world axes",
                     "multipliers of constraint " + name, name + (i < 3 ? " forces" : " moments"), i < 3});
  assembly.observables().add_scalars(std::move(infos), [held, to](const State& s, const Workspace& w, double* values) {
    Wrench sum;
    for (const HeldRows& rows : held) rows.add_wrench(to.body, s, w, sum);
    const Wrench at_point = sum.about(w.kin.body[static_cast<size_t>(to.body)].R * to.offset.p);
    Vec3::Map(values) = at_point.f;
    Vec3::Map(values + 3) = at_point.n;
  });
}

void add_joint_channel(const std::string& channel, const std::string& constraint, const JointCoordinate& at,
                       double coefficient, const HeldRows& rows, Assembly& assembly) {
  assembly.observables().add_scalar(
      {channel, at.angle ? "N m" : "N", "exerted on " + at.name, "multiplier of constraint " + constraint,
       at.angle ? "constraint torques" : "constraint forces", true},
      [rows, coefficient](const State& s, const Workspace& w) { return coefficient * rows.multiplier(s, w, 0); });
}

}  // namespace davit::constraint
