// What is seen of a tree: coordinates, rates, accelerations, poses, and the reaction wrench of every joint.
#include <algorithm>
#include <cmath>

#include "davit/dynamics/plain_observables.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/model/workspace.hpp"

namespace davit {

namespace {

constexpr const char* wrench_names[] = {"Mx", "My", "Mz", "Fx", "Fy", "Fz"};

bool all_angles(const std::vector<Coordinate>& list) {
  return std::all_of(list.begin(), list.end(), [](const Coordinate& c) { return c.angle; });
}

// Coordinates that are numbers of q as they stand, with their rates and accelerations.
void add_coordinates(const TreeBody& b, Observables& out) {
  const std::string& name = b.body.name;
  const JointKind kind = b.body.joint.kind;
  const auto& list = type_of(kind).coordinates;
  const bool quaternion = type_of(kind).quaternion;
  const std::string source = std::string("joint of ") + name + ", " + type_of(kind).name;
  // A joint of several coordinates (a vessel) is drawn by itself: its angles are of another size than those of a crane.
  const auto own_group = [&](const char* shared) {
    return list.size() > 1 ? name + (all_angles(list) ? " angles" : " coordinates") : std::string(shared);
  };
  static const char* const body_rates[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  std::vector<ScalarInfo> infos;
  for (size_t i = 0; i < list.size(); ++i) {
    const Coordinate& c = list[i];
    const std::string rate = quaternion ? body_rates[i] : c.name + "_rate";
    const std::string acceleration = quaternion ? std::string(body_rates[i]) + "_dot" : c.name + "_acceleration";
    if (!quaternion)
      infos.push_back({name + "." + c.name, c.angle ? "rad" : "m", c.name + " of the joint", source,
                       own_group(c.angle ? "joint angles" : "joint travels"), true});
    const std::string axes = quaternion ? ", in the axes of the body" : "";
    infos.push_back({name + "." + rate, c.angle ? "rad/s" : "m/s", "rate of " + c.name + axes, source,
                     c.angle ? "joint rates" : "joint speeds"});
    infos.push_back(
        {name + "." + acceleration, c.angle ? "rad/s^2" : "m/s^2", "rate of " + rate, source, "accelerations"});
  }
  if (infos.empty()) return;
  out.add_scalars(std::move(infos), [q = b.q, u = b.u, n = static_cast<int>(list.size()), quaternion](
                                        const State& s, const Workspace& w, double* values) {
    for (int i = 0; i < n; ++i) {
      if (!quaternion) *values++ = s.q[q + i];
      *values++ = s.u[u + i];
      *values++ = w.a[u + i];
    }
  });
}

// How far a load swings, Tysse & Egeland (119)-(120), from the line between its joint and its centre of gravity: about
// x, and then out of the plane of y and z. Positive as turns about the world's x and −y axes are (their y and z point
// the other way).
void add_swing(const TreeBody& b, Observables& out) {
  const JointKind kind = b.body.joint.kind;
  if (kind != JointKind::universal && kind != JointKind::spherical) return;
  const Vec3 centre = b.frame * b.body.centre;
  if (centre.norm() == 0) return;
  const char* const source = "kinematics, Tysse & Egeland (119)-(120)";
  const std::string &name = b.body.name, group = name + " swing";
  out.add_scalars(
      {{name + ".swing_x", "rad", "swing from the vertical about x, seen along x", source, group, true},
       {name + ".swing_y", "rad", "swing towards x out of the plane of y and z", source, group, true}},
      [segment = static_cast<size_t>(b.last_segment), centre](const State&, const Workspace& w, double* values) {
        const Vec3 n = w.kin.body[segment].R * centre;
        values[0] = std::atan2(n.y(), -n.z());
        values[1] = std::atan2(n.x(), std::hypot(n.y(), n.z()));
      });
}

void add_pose(const TreeBody& b, const Frame& frame, Observables& out) {
  const std::string& name = b.body.name;
  out.poses.push_back({name, frame});
  std::vector<ScalarInfo> infos;
  // A planar joint has its own x and y; the position of its body is then called position_x.
  for (const char* axis : {"x", "y", "z"})
    infos.push_back({name + ".position_" + axis, "m", std::string("position of the body's origin along world ") + axis,
                     "kinematics", "positions"});
  out.add_scalars(std::move(infos), [frame](const State&, const Workspace& w, double* values) {
    Vec3::Map(values) = position(w.kin, frame);
  });
  if (!b.body.joint.type().quaternion) return;
  add_attitude_scalars(name, frame, out);
}

}  // namespace

void Tree::add_observables(Observables& out) const {
  for (size_t index = 0; index < bodies_.size(); ++index) {
    const TreeBody& b = bodies_[index];
    add_coordinates(b, out);
    add_pose(b, {b.last_segment, b.frame}, out);
    add_swing(b, out);
    if (b.body.joint.kind == JointKind::free) continue;  // a free joint transmits nothing
    const std::string& name = b.body.name;
    for (const auto& [axes, suffix, words] :
         {std::tuple{Axes::body, "reaction", "in its own axes"},
          std::tuple{Axes::parent, "reaction_parent", "in the axes of the body it is on"}}) {
      std::vector<ScalarInfo> infos;
      for (int i = 0; i < 6; ++i)
        infos.push_back(
            {name + "." + suffix + "." + wrench_names[i], i < 3 ? "N m" : "N",
             std::string(i < 3 ? "moment" : "force") + " of the joint on " + name + ", about the joint, " + words,
             "auxiliary generalised speeds, Cibicik & Egeland (50)",
             name + (i < 3 ? " reaction moments" : " reaction forces"), axes == Axes::body});
      out.add_scalars(std::move(infos), [this, index, axes = axes](const State&, const Workspace& w, double* values) {
        Vec6::Map(values) = reaction(w.kin, w.transmitted, static_cast<int>(index), axes).vector();
      });
    }
  }
}

}  // namespace davit
