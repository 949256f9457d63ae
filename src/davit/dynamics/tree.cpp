// Bodies on joints made into segments of a tree: order, chains of primitives, groups; coordinates and their increments.
// The recursions are in tree_kernels.hpp.
#include "davit/dynamics/tree.hpp"

#include <functional>
#include <map>

#include "davit/model/workspace.hpp"

namespace davit {

namespace {

[[noreturn]] void refuse(const Body& body, const std::string& what) {
  throw std::invalid_argument("body '" + body.name + "': " + what);
}

// Parents before children, otherwise in the order given; throws on cycles and missing parents.
std::vector<Body> sorted(std::vector<Body> bodies) {
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].name == "world") refuse(bodies[i], "'world' is the name of the ground");
    if (!index.emplace(bodies[i].name, i).second) refuse(bodies[i], "the name is used twice");
  }
  std::vector<Body> out;
  enum class Mark { none, open, done };
  std::vector<Mark> mark(bodies.size(), Mark::none);
  for (size_t start = 0; start < bodies.size(); ++start) {
    // Walk towards the root, then place the chain root first: no recursion, chains may be long.
    std::vector<size_t> chain;
    for (size_t i = start; mark[i] == Mark::none;) {
      mark[i] = Mark::open;
      chain.push_back(i);
      if (bodies[i].on == "world") break;
      const auto parent = index.find(bodies[i].on);
      if (parent == index.end()) refuse(bodies[i], "there is no body '" + bodies[i].on + "' for it to be on");
      i = parent->second;
      if (mark[i] == Mark::open) refuse(bodies[i], "it is on itself, by way of '" + bodies[chain.back()].name + "'");
    }
    for (auto i = chain.rbegin(); i != chain.rend(); ++i) {
      mark[*i] = Mark::done;
      out.push_back(std::move(bodies[*i]));
    }
  }
  return out;
}

Mat3 axis_frame(const Body& body, const Vec3& axis) {
  if (!(axis.norm() > 1e-9)) refuse(body, "the axis of its joint has no direction");
  return rotation_from_z(axis);
}

}  // namespace

int speeds_of(Primitive kind) {
  switch (kind) {
    case Primitive::fixed:
      return 0;
    case Primitive::revolute:
    case Primitive::prismatic:
      return 1;
    case Primitive::ball:
      return 3;
    case Primitive::free:
      break;
  }
  return 6;
}

Tree::Tree(std::vector<Body> bodies) {
  segments_.emplace_back();
  std::map<std::string, int> index;
  for (Body& body : sorted(std::move(bodies))) {
    TreeBody entry;
    entry.body = std::move(body);
    int parent_segment = 0;
    Pose parent_frame;
    if (entry.body.on != "world") {
      entry.parent_body = index.at(entry.body.on);
      const TreeBody& parent = bodies_[static_cast<size_t>(entry.parent_body)];
      parent_segment = parent.last_segment;
      parent_frame = parent.frame;
    }
    entry.last_segment = add_joint(entry, parent_segment, parent_frame);
    Segment& s = segments_[static_cast<size_t>(entry.last_segment)];
    s.mass = entry.body.mass;
    const Vec3 centre = entry.frame * entry.body.centre;
    const auto inertia = SpatialInertia::rigid(s.mass, centre, congruence(entry.frame.R, entry.body.inertia));
    s.moment = s.mass * centre;
    s.J = inertia.J;
    s.inertial = s.mass != 0 || s.J.matrix().norm() != 0;
    index[entry.body.name] = static_cast<int>(bodies_.size());
    bodies_.push_back(std::move(entry));
  }
}

int Tree::add_segment(int parent, Primitive kind, const Pose& before, int q, int u) {
  Segment s;
  s.parent = parent;
  s.kind = kind;
  s.before = before;
  s.q = q;
  s.u = u;
  s.offset = !before.p.isZero(0);
  s.turned = before.R != Mat3::Identity();
  segments_.push_back(s);
  return static_cast<int>(segments_.size()) - 1;
}

int Tree::add_joint(TreeBody& entry, int parent_segment, const Pose& parent_frame) {
  const Body& body = entry.body;
  const Joint& joint = body.joint;
  const size_t n = joint.type().coordinates.size();
  if (!joint.position.empty() && joint.position.size() != n)
    refuse(body, "its joint has " + std::to_string(n) + " start coordinates");
  if (!joint.rate.empty() && joint.rate.size() != n)
    refuse(body, "its joint has " + std::to_string(n) + " start rates");

  entry.q = nq_;
  entry.u = nu_;
  int last = parent_segment;
  Pose here = parent_frame * body.at;  // the joint's frame seen from the segment before
  // Appends a one-axis primitive about an axis of the joint's frame; `coordinate` is its place among the joint's own.
  const auto one_axis = [&](Primitive kind, const Vec3& axis, int coordinate) {
    const Pose turn{axis_frame(body, axis), Vec3::Zero()};
    last = add_segment(last, kind, here * turn, entry.q + coordinate, entry.u + coordinate);
    here = turn.inverse();
  };
  const auto whole = [&](Primitive kind) {
    last = add_segment(last, kind, here, entry.q, entry.u);
    here = Pose{};
  };
  for (const JointPrimitive& part : joint.type().chain)
    if (part.kind == Primitive::revolute || part.kind == Primitive::prismatic)
      one_axis(part.kind, joint.direction(part.axis), part.coordinate);
    else
      whole(part.kind);
  entry.first_segment = parent_segment;
  for (int i = last; i != parent_segment; i = segments_[static_cast<size_t>(i)].parent) entry.first_segment = i;
  entry.frame = here * body.frame;
  nu_ += static_cast<int>(n);
  nq_ += static_cast<int>(n) + (joint.type().quaternion ? 1 : 0);
  return last;
}

std::optional<int> Tree::find(const std::string& name) const {
  for (size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i].body.name == name) return static_cast<int>(i);
  return std::nullopt;
}

const TreeBody& Tree::body(const std::string& name) const {
  const auto i = find(name);
  if (!i) throw std::invalid_argument("there is no body '" + name + "'");
  return bodies_[static_cast<size_t>(*i)];
}

std::vector<std::string> Tree::segment_names() const {
  std::vector<std::string> names(segments_.size(), "world");
  for (const TreeBody& b : bodies_)
    for (int i = b.last_segment;; i = segments_[static_cast<size_t>(i)].parent) {
      names[static_cast<size_t>(i)] = b.body.name;
      if (i == b.first_segment) break;
    }
  return names;
}

Frame Tree::frame(const std::string& name, const Pose& offset) const {
  if (name == "world") return {0, offset};
  const TreeBody& b = body(name);
  return {b.last_segment, b.frame * offset};
}

Wrench Tree::reaction(const Kin& kin, const std::vector<Wrench>& transmitted, int index, Axes axes) const {
  const TreeBody& b = bodies_[static_cast<size_t>(index)];
  // The links inside a joint are massless, so the same wrench passes through all its segments; the last one's origin is
  // the body's own point at the joint.
  const Wrench& at_joint = transmitted[static_cast<size_t>(b.last_segment)];
  Mat3 R = kin.body[static_cast<size_t>(b.last_segment)].R * b.frame.R;
  if (axes == Axes::parent) {
    R.setIdentity();
    if (b.parent_body >= 0) {
      const TreeBody& parent = bodies_[static_cast<size_t>(b.parent_body)];
      R = kin.body[static_cast<size_t>(parent.last_segment)].R * parent.frame.R;
    }
  }
  return rotated(Mat3(R.transpose()), at_joint);
}

std::vector<std::vector<int>> Tree::groups() const {
  std::vector<std::vector<int>> groups;
  std::vector<int> group_of(segments_.size(), -1);
  for (size_t i = 1; i < segments_.size(); ++i) {
    const Segment& s = segments_[i];
    int& group = group_of[i];
    group = s.parent > 0 ? group_of[static_cast<size_t>(s.parent)] : static_cast<int>(groups.size());
    if (s.parent == 0) groups.emplace_back();
    for (int k = 0; k < speeds_of(s.kind); ++k) groups[static_cast<size_t>(group)].push_back(s.u + k);
  }
  std::erase_if(groups, [](const auto& g) { return g.empty(); });
  return groups;
}

std::vector<int> Tree::speeds_moving(int body) const {
  std::vector<int> speeds;
  for (int i = body; i > 0; i = segments_[static_cast<size_t>(i)].parent) {
    const Segment& s = segments_[static_cast<size_t>(i)];
    for (int k = 0; k < speeds_of(s.kind); ++k) speeds.push_back(s.u + k);
  }
  return speeds;
}

std::vector<int> Tree::chain_to(int body) const {
  std::vector<int> chain;
  for (int i = body; i > 0; i = segments_[static_cast<size_t>(i)].parent) chain.push_back(i);
  return {chain.rbegin(), chain.rend()};
}

void Tree::initial_state(double* q, double* u) const {
  for (const TreeBody& b : bodies_) {
    const Joint& joint = b.body.joint;
    const auto start = [](const std::vector<double>& values, size_t i) { return values.empty() ? 0.0 : values[i]; };
    const size_t n = joint.type().coordinates.size();
    for (size_t i = 0; i < n; ++i) u[b.u + static_cast<int>(i)] = start(joint.rate, i);
    if (!joint.type().quaternion) {
      for (size_t i = 0; i < n; ++i) q[b.q + static_cast<int>(i)] = start(joint.position, i);
      continue;
    }
    const Vec3 rpy(start(joint.position, 0), start(joint.position, 1), start(joint.position, 2));
    const Quaternion turn = quaternion_of(rotation_of_rpy(rpy));
    q[b.q] = turn.w;
    for (int i = 0; i < 3; ++i) q[b.q + 1 + i] = turn.v[i];
    for (size_t i = 3; i < n; ++i) q[b.q + 1 + static_cast<int>(i)] = start(joint.position, i);
  }
}

namespace {
Vec3 vec(const double* x) { return {x[0], x[1], x[2]}; }
Quaternion quat(const double* x) { return {x[0], vec(x + 1)}; }
}  // namespace

void Tree::difference(const double* q0, const double* q1, double* d) const {
  for (const Segment& s : segments_) {
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
      case Primitive::prismatic:
        d[s.u] = q1[s.q] - q0[s.q];
        break;
      case Primitive::ball:
      case Primitive::free: {
        const Quaternion from = quat(q0 + s.q);
        const Vec3 theta = log_quaternion(from.conjugate() * quat(q1 + s.q));
        Eigen::Map<Vec3>(d + s.u) = theta;
        if (s.kind == Primitive::free)
          Eigen::Map<Vec3>(d + s.u + 3) =
              (from * exp_quaternion(Vec3(0.5 * theta))).matrix().transpose() * (vec(q1 + s.q + 4) - vec(q0 + s.q + 4));
        break;
      }
    }
  }
}

void Tree::increment_rate(const double* d, const double* u, double* rate) const {
  for (const Segment& s : segments_) {
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
      case Primitive::prismatic:
        rate[s.u] = u[s.u];
        break;
      case Primitive::ball:
      case Primitive::free: {
        const Vec3 theta = vec(d + s.u);
        const Vec3 theta_rate = exp_derivative_solve(theta, vec(u + s.u));
        Eigen::Map<Vec3>(rate + s.u) = theta_rate;
        // p = p₀ + R₀ exp(θ/2) ρ and ṗ = R₀ exp(θ) v: ρ̇ = exp(θ/2) v - ω½ × ρ, with ω½ the rate of exp(θ/2)
        if (s.kind == Primitive::free) {
          const Vec3 half = 0.5 * theta, half_rate = exp_derivative(half) * (0.5 * theta_rate);
          Eigen::Map<Vec3>(rate + s.u + 3) = exp_rotation(half) * vec(u + s.u + 3) - half_rate.cross(vec(d + s.u + 3));
        }
        break;
      }
    }
  }
}

std::vector<std::string> Tree::speed_names() const {
  std::vector<std::string> names(static_cast<size_t>(nu_));
  for (const TreeBody& b : bodies_) {
    size_t i = static_cast<size_t>(b.u);
    for (const Coordinate& c : b.body.joint.type().coordinates) names[i++] = b.body.name + "." + c.name;
  }
  return names;
}

}  // namespace davit
