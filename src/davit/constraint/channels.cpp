#include "davit/constraint/channels.hpp"

namespace davit::constraint {

void add_reaction_channels(const std::string& name, const std::vector<HeldRows>& held, const Frame& to,
                           const char* where, Assembly& assembly) {
  static const char* const parts[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  for (int i = 0; i < 6; ++i) {
    Channel c;
    c.name = name + ".reaction." + parts[i];
    c.unit = i < 3 ? "N" : "N m";
    c.description = std::string(i < 3 ? "force" : "moment") + " on the " + where + ", in world axes";
    c.source = "multipliers of constraint " + name;
    c.group = name + (i < 3 ? " forces" : " moments");
    c.main = i < 3;
    c.value = [held, to, i](const State& s, const Workspace& w) {
      Wrench sum;
      for (const HeldRows& rows : held) rows.add_wrench(to.body, s, w, sum);
      const Wrench at_point = sum.about(w.kin.body[static_cast<size_t>(to.body)].R * to.offset.p);
      return i < 3 ? at_point.f[i] : at_point.n[i - 3];
    };
    assembly.add_channel(std::move(c));
  }
}

void add_joint_channel(const std::string& channel, const std::string& constraint, const JointCoordinate& at,
                       double coefficient, const HeldRows& rows, Assembly& assembly) {
  Channel c;
  c.name = channel;
  c.unit = at.angle ? "N m" : "N";
  c.description = "exerted on " + at.name;
  c.source = "multiplier of constraint " + constraint;
  c.group = at.angle ? "constraint torques" : "constraint forces";
  c.main = true;
  c.value = [rows, coefficient](const State& s, const Workspace& w) { return coefficient * rows.multiplier(s, w, 0); };
  assembly.add_channel(std::move(c));
}

}  // namespace davit::constraint
