#include "models.hpp"

#include <map>
#include <stdexcept>

namespace davit::bench {

namespace {

Triple triple(const Vec3& a) { return {a.x(), a.y(), a.z()}; }

Quadruple quadruple(const Quaternion& e) { return {e.w, e.v.x(), e.v.y(), e.v.z()}; }

}  // namespace

std::vector<Body> chain_bodies(int count) {
  std::vector<Body> bodies(static_cast<size_t>(count));
  for (size_t i = 0; i < bodies.size(); ++i) {
    Body& b = bodies[i];
    b.name = "link" + std::to_string(i + 1);
    if (i > 0) {
      b.on = bodies[i - 1].name;
      b.at.p = Vec3(0, 0, 0.5);
    }
    b.joint.kind = JointKind::revolute;
    b.joint.axis = i % 2 == 0 ? Vec3::UnitX() : Vec3::UnitY();
    b.mass = 10;
    b.centre = Vec3(0, 0, 0.25);
    b.inertia = Sym3::diagonal(0.25, 0.25, 0.05);
  }
  return bodies;
}

Links links_of(const std::vector<Body>& bodies) {
  Links links;
  std::map<std::string, int> index{{"world", -1}};
  for (const Body& b : bodies) {
    // Davit's body frame may stand off the joint; the peers' frame keeps its axes and moves its origin to the joint.
    const Pose parent_offset = b.on == "world" ? Pose{} : [&] {
      const Body& on = bodies[static_cast<size_t>(index.at(b.on))];
      return Pose{Mat3::Identity(), on.frame.R.transpose() * on.frame.p};
    }();
    const Pose at = parent_offset * b.at * Pose{b.frame.R, Vec3::Zero()};
    Link l;
    l.name = b.name;
    l.parent = index.at(b.on);
    switch (b.joint.kind) {
      case JointKind::free:
        l.joint = Joint::free;
        break;
      case JointKind::revolute:
        l.joint = Joint::revolute;
        break;
      case JointKind::universal:
        l.joint = Joint::universal;
        break;
      default:
        throw std::invalid_argument("the benchmark has no such joint");
    }
    l.position = triple(at.p);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) l.rotation[static_cast<size_t>(3 * r + c)] = at.R(r, c);
    l.quaternion = quadruple(quaternion_of(at.R));
    l.axis = triple(b.frame.R.transpose() * b.joint.axis);
    l.second_axis = triple(b.frame.R.transpose() * b.joint.second_axis);
    l.mass = b.mass;
    l.centre = triple(b.frame.R.transpose() * b.frame.p + b.centre);
    l.inertia = {b.inertia.xx, b.inertia.yy, b.inertia.zz};
    l.weight = !b.weightless;
    index[b.name] = static_cast<int>(links.size());
    links.push_back(l);
  }
  return links;
}

std::vector<CraneState> crane_states(size_t count, unsigned seed) {
  Dice dice(seed);
  std::vector<CraneState> states(count);
  for (CraneState& s : states) {
    s.position = {dice(5), dice(5), dice(1)};
    const Vec3 rpy(dice(0.3), dice(0.15), dice(1));
    s.quaternion = quadruple(quaternion_of(rotation_of_rpy(rpy)));
    for (size_t i = 0; i < 3; ++i)
      s.v[i] = dice(1), s.w[i] = dice(0.2), s.force[i] = dice(1e6), s.moment[i] = dice(1e7);
    for (size_t i = 0; i < 5; ++i) s.q[i] = dice(1), s.qd[i] = dice(0.6), s.tau[i] = dice(i < 3 ? 3e6 : 1e5);
  }
  return states;
}

std::vector<ChainState> chain_states(size_t count, int bodies, unsigned seed) {
  Dice dice(seed);
  std::vector<ChainState> states(count);
  for (ChainState& s : states) {
    s.q.resize(static_cast<size_t>(bodies));
    s.qd.resize(static_cast<size_t>(bodies));
    for (double& q : s.q) q = dice(0.3);
    for (double& qd : s.qd) qd = dice(0.3);
  }
  return states;
}

CraneState run_start() {
  CraneState s;
  s.quaternion = quadruple(quaternion_of(rotation_of_rpy(Vec3(0.05, 0.01, 0))));
  s.q = {0.5, 0.8, -0.5, -0.1, 0.15};
  return s;
}

RunEnd run_end_of(const CraneState& s) {
  const auto& e = s.quaternion;
  const Vec3 rpy = rpy_of_rotation(Quaternion{e[0], Vec3(e[1], e[2], e[3])}.normalized().matrix());
  return {s.position[2], rpy.x(), rpy.z(), s.q[3]};
}

double largest_difference(const RunEnd& a, const RunEnd& b) {
  return std::max({std::abs(a.z - b.z), std::abs(a.roll - b.roll), std::abs(a.yaw - b.yaw), std::abs(a.q4 - b.q4)});
}

}  // namespace davit::bench
