// What a tree records: coordinates, rates, accelerations, positions, and the reaction wrench of every joint.
#include <algorithm>
#include <cmath>

#include "davit/dynamics/plain_channels.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/model/workspace.hpp"

namespace davit {

namespace {

constexpr const char* wrench_names[] = {"Mx", "My", "Mz", "Fx", "Fy", "Fz"};

Channel channel(const std::string& name, const char* unit, std::string description, std::string source,
                std::string group) {
  Channel c;
  c.name = name;
  c.unit = unit;
  c.description = std::move(description);
  c.source = std::move(source);
  c.group = std::move(group);
  return c;
}

bool all_angles(const std::vector<Coordinate>& list) {
  return std::all_of(list.begin(), list.end(), [](const Coordinate& c) { return c.angle; });
}

// Coordinates that are numbers of q as they stand, with their rates and accelerations.
void add_coordinates(const TreeBody& b, std::vector<Channel>& out) {
  const std::string& name = b.body.name;
  const JointKind kind = b.body.joint.kind;
  const auto& list = coordinates(kind);
  const bool quaternion = kind == JointKind::spherical || kind == JointKind::free;
  const std::string source = std::string("joint of ") + name + ", " + name_of(kind);
  // A joint of several coordinates (a vessel) is drawn by itself: its angles are of another size than those of a crane.
  const auto own_group = [&](const char* shared) {
    return list.size() > 1 ? name + (all_angles(list) ? " angles" : " coordinates") : std::string(shared);
  };
  static const char* const body_rates[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  for (size_t i = 0; i < list.size(); ++i) {
    const Coordinate& c = list[i];
    const int u = b.u + static_cast<int>(i);
    const std::string rate = quaternion ? body_rates[i] : c.name + "_rate";
    const std::string acceleration = quaternion ? std::string(body_rates[i]) + "_dot" : c.name + "_acceleration";
    if (!quaternion) {
      auto x = channel(name + "." + c.name, c.angle ? "rad" : "m", c.name + " of the joint", source,
                       own_group(c.angle ? "joint angles" : "joint travels"));
      const int q = b.q + static_cast<int>(i);
      x.value = [q](const State& s, const Workspace&) { return s.q[q]; };
      x.main = true;
      out.push_back(std::move(x));
    }
    const std::string axes = quaternion ? ", in the axes of the body" : "";
    auto v = channel(name + "." + rate, c.angle ? "rad/s" : "m/s", "rate of " + c.name + axes, source,
                     c.angle ? "joint rates" : "joint speeds");
    v.value = [u](const State& s, const Workspace&) { return s.u[u]; };
    out.push_back(std::move(v));
    auto a =
        channel(name + "." + acceleration, c.angle ? "rad/s^2" : "m/s^2", "rate of " + rate, source, "accelerations");
    a.value = [u](const State&, const Workspace& w) { return w.a[u]; };
    out.push_back(std::move(a));
  }
}

// How far a load swings, Tysse & Egeland (119)-(120), from the line between its joint and its centre of gravity: about
// x, and then out of the plane of y and z. Positive as turns about the world's x and −y axes are (their y and z point
// the other way).
void add_swing(const TreeBody& b, std::vector<Channel>& out) {
  const JointKind kind = b.body.joint.kind;
  if (kind != JointKind::universal && kind != JointKind::spherical) return;
  const Vec3 centre = b.frame * b.body.centre;
  if (centre.norm() == 0) return;
  const auto line = [segment = static_cast<size_t>(b.last_segment), centre](const Workspace& w) {
    return Vec3(w.kin.body[segment].R * centre);
  };
  const auto add = [&](const char* what, const char* description, auto value) {
    auto c = channel(b.body.name + "." + what, "rad", description, "kinematics, Tysse & Egeland (119)-(120)",
                     b.body.name + " swing");
    c.main = true;
    c.value = [line, value](const State&, const Workspace& w) { return value(line(w)); };
    out.push_back(std::move(c));
  };
  add("swing_x", "swing from the vertical about x, seen along x",
      [](const Vec3& n) { return std::atan2(n.y(), -n.z()); });
  add("swing_y", "swing towards x out of the plane of y and z",
      [](const Vec3& n) { return std::atan2(n.x(), std::hypot(n.y(), n.z())); });
}

void add_pose(const TreeBody& b, const Frame& frame, std::vector<Channel>& out) {
  static const char* const axis[] = {"x", "y", "z"};
  const std::string& name = b.body.name;
  for (int i = 0; i < 3; ++i) {
    // A planar joint has its own x and y; the position of its body is then called position_x.
    auto p = channel(name + ".position_" + axis[i], "m",
                     std::string("position of the body's origin along world ") + axis[i], "kinematics", "positions");
    p.value = [frame, i](const State&, const Workspace& w) { return position(w.kin, frame)[i]; };
    out.push_back(std::move(p));
  }
  if (b.body.joint.kind != JointKind::free && b.body.joint.kind != JointKind::spherical) return;
  add_attitude_channels(name, frame, out);
}

}  // namespace

void Tree::add_channels(std::vector<Channel>& out) const {
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
      for (int i = 0; i < 6; ++i) {
        auto r = channel(
            name + "." + suffix + "." + wrench_names[i], i < 3 ? "N m" : "N",
            std::string(i < 3 ? "moment" : "force") + " of the joint on " + name + ", about the joint, " + words,
            "auxiliary generalised speeds, Cibicik & Egeland (50)",
            name + (i < 3 ? " reaction moments" : " reaction forces"));
        r.main = axes == Axes::body;
        r.value = [this, index, i, axes = axes](const State&, const Workspace& w) {
          return reaction(w.kin, w.transmitted, static_cast<int>(index), axes).vector()[i];
        };
        out.push_back(std::move(r));
      }
    }
  }
}

}  // namespace davit
