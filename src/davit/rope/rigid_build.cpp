#include "davit/rope/rigid_build.hpp"

#include "davit/force/joint_forces.hpp"
#include "davit/rope/waypoints.hpp"

namespace davit::rope {

namespace {

// One that gives out rope: its coordinate with the inertia of the drum, and an actuator on it.
RigidWinch add_winch(const std::string& name, const WinchSpec& spec, Assembly& assembly) {
  RigidWinch winch;
  winch.name = name;
  const bool drum = spec.drum.has_value();
  winch.ratio = drum ? spec.drum->radius : 1;
  winch.unit = drum ? "N m" : "N";
  winch.at = assembly.add_scalar(
      {name + (drum ? ".angle" : ".paid_out"), drum ? "rad" : "m", drum ? drum_inertia(*spec.drum) : 0, 0, 0});
  winch.input = assembly.add_input({name, winch.unit});
  assembly.add(
      std::make_shared<JointActuator>(name, JointCoordinate{name, winch.at.q, winch.at.u, 0, drum}, winch.input));
  return winch;
}

std::vector<Waypoint> waypoints_of(const std::string& name, const RopeSpec& spec, RigidRopes& out, Assembly& assembly) {
  std::vector<Waypoint> waypoints;
  const auto from = assembly.frame(spec.from), to = assembly.frame(spec.to);
  if (!from || !to) return {};
  waypoints.push_back(point(spec.from.name, *from));
  for (size_t i = 0; i < spec.path.size(); ++i) {
    if (spec.path[i].around) continue;
    auto pass = spec.path[i];
    if (pass.inertia) {
      out.notes.push_back("the inertia of the sheave on '" + (pass.sheave ? pass.sheave->name : name) + "' of '" +
                          name + "' is left out");
      pass.inertia.reset();
    }
    auto waypoint = station_of(pass, name, assembly);
    if (!waypoint) return {};
    if (waypoint->spin)
      out.notes.push_back("'" + name + "' does not turn the joint of its sheave on '" + waypoint->name + "' in a plan");
    if (waypoint->post || waypoint->static_friction > 0)
      out.notes.push_back("friction of '" + name + "' at '" + waypoint->name + "' is left out");
    waypoint->spin.reset();
    waypoints.push_back(*waypoint);
  }
  waypoints.push_back(point(spec.to.name, *to));
  if (!spec.touches.empty())
    out.notes.push_back("'" + name + "' touches nothing in a plan: it is taken to be clear of '" +
                        spec.touches[0].name + "'");
  if (spec.mass > 0) out.notes.push_back("the weight of '" + name + "' is left out");
  return waypoints;
}

}  // namespace

RigidRopes build_rigid(const ElementSpecs& specs, const std::set<std::string>& inputs, Assembly& assembly) {
  RigidRopes out;
  const auto winches = specs.of<WinchSpec>();
  std::map<std::string, std::vector<RigidRope::Reel>> reels;
  for (const auto& [name, winch] : winches) {
    if (!inputs.count(name)) continue;
    out.winches.push_back(add_winch(name, winch, assembly));
    const RigidWinch& built = out.winches.back();
    reels[winch.rope.name].push_back({built.at, built.ratio});
    if (winch.drum && winch.drum->layers)
      out.notes.push_back("layers on the drum of '" + name + "' are left out: its radius is that of the start");
  }
  const auto add = [&](const std::string& name, std::vector<Waypoint> waypoints) {
    const VecX q = assembly.start_coordinates();
    Kin kin = assembly.start_kinematics();
    kin.q = q.data();
    const size_t last = waypoints.size() - 1;
    BuiltRope built{name, 0, nullptr, waypoints[last].frame, waypoints[last - 1].frame};
    built.geometry = std::make_shared<RigidRope>(std::move(waypoints), reels[name], kin);
    built.row = assembly.add(Constraint{name, built.geometry});
    out.ropes.push_back(std::move(built));
  };
  for (const auto& [name, spec] : specs.of<RopeSpec>()) {
    auto waypoints = waypoints_of(name, spec, out, assembly);
    if (waypoints.empty()) continue;
    for (const auto& [winch_name, winch] : winches) {
      if (winch.rope.name != name || !winch.drum || !winch.drum->axis) continue;
      make_round(winch.end == 0 ? waypoints.front() : waypoints.back(), winch.drum->radius, *winch.drum->axis);
    }
    add(name, std::move(waypoints));
  }
  for (const auto& [name, spec] : specs.of<SlingsSpec>()) {
    const auto hook = assembly.frame(spec.from);
    if (!hook) continue;
    // As elastic ones: lug, hook, lug, then a gap.
    std::vector<Waypoint> waypoints;
    for (size_t i = 0; i < spec.to.size(); ++i) {
      const auto lug = assembly.frame(spec.to[i]);
      if (!lug) return out;
      if (i % 2 == 0 && !waypoints.empty()) waypoints.back().gap_after = true;
      waypoints.push_back(point(spec.to[i].name, *lug));
      if (i % 2 == 0) waypoints.push_back(point(spec.from.name, *hook));
    }
    if (waypoints.size() > 1) add(name, std::move(waypoints));
  }
  return out;
}

}  // namespace davit::rope
