#include "davit/rope/rope_force.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <span>
#include <stdexcept>

namespace davit::rope {

namespace {

// Indices in the discrete state of a node, and of the rope as a whole.
enum NodeField {
  f_station,
  f_surface,
  f_edge,
  f_direction,
  f_s,
  f_material,
  f_mark,
  f_turned,
  f_slips,
  f_over,
  f_along,
  f_count
};
enum RopeField { r_material, r_first, r_last, r_time, r_work, r_count };
enum Slot { slot_nodes, slot_poses, slot_rope, slot_count };

Pose value_of_pose(const BodyKinT<double>& b) { return {b.R, b.p}; }
Pose value_of_pose(const BodyKinT<Dual8>& b) {
  Pose pose;
  for (int i = 0; i < 3; ++i) {
    pose.p[i] = b.p[i].value;
    for (int j = 0; j < 3; ++j) pose.R(i, j) = b.R(i, j).value;
  }
  return pose;
}

template <class S>
void take_values(const Layout& layout, const KinT<S>& kin, Poses& out) {
  out.resize(layout.bodies.size());
  for (size_t i = 0; i < layout.bodies.size(); ++i)
    out[i] = value_of_pose(kin.body[static_cast<size_t>(layout.bodies[i])]);
}

template <class S>
S paid_out(const std::shared_ptr<const Reel>& reel, const KinT<S>& kin) {
  return reel ? reel->paid_out(kin) : S(0);
}

// The rope that went over nodes in a step becomes part of the legs, and the next step begins.
void begin_step(const Rope& rope, const PaidOut& paid, Path& path) {
  for (size_t j = 0; j + 1 < path.size(); ++j) path[j].material += path[j].slip - path[j + 1].slip;
  path.front().material += paid.first;
  path[path.size() - 2].material += paid.last;
  for (PathNode& n : path) {
    n.slips = rope.friction && n.slipping;
    if (rope.layout.spins(n)) n.turned += n.slip;
    n.slip = 0;
    n.s_before = n.s;
  }
}

// Wrapped angles of the sheaves, which tell whole turns apart.
void keep_wraps(const Layout& layout, const TensionsT<double>& t, Path& path) {
  for (size_t i = 1; i + 1 < path.size(); ++i)
    if (layout.radius(path[i]) > 0) path[i].s = wrap_angle(path[i], t.legs[i - 1], t.legs[i]);
  if (layout.radius(path.front()) > 0) path.front().s = unwrapped(t.legs.front().angle_from, path.front().s);
  if (layout.radius(path.back()) > 0) path.back().s = unwrapped(t.legs.back().angle_to, path.back().s);
}

// Rope that the angle of each sheave with inertia has carried over it since a path's step began.
template <class S>
void take_over(const Layout& layout, const KinT<S>& kin, const Path& path, std::vector<S>& out) {
  out.resize(layout.waypoints.size());
  for (const PathNode& n : path)
    if (layout.spins(n))
      out[static_cast<size_t>(n.waypoint)] = S(layout.radius(n)) * kin.q[layout.waypoint(n).spin->q] - S(n.turned);
}

// All that a path depends on beside the path that it comes from: where bodies are, what reels have given out and how
// sheaves have turned.
template <class S>
void take_question(const RopeSetup& setup, const KinT<S>& kin, std::vector<double>& out) {
  const Layout& layout = setup.rope.layout;
  out.clear();
  for (const int body : layout.bodies) {
    const Pose pose = value_of_pose(kin.body[static_cast<size_t>(body)]);
    out.insert(out.end(), pose.R.data(), pose.R.data() + 9);
    out.insert(out.end(), pose.p.data(), pose.p.data() + 3);
  }
  out.push_back(value_of(paid_out(setup.first_reel, kin)));
  out.push_back(value_of(paid_out(setup.last_reel, kin)));
  for (const Waypoint& waypoint : layout.waypoints)
    if (waypoint.spin) out.push_back(value_of(kin.q[waypoint.spin->q]));
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// A path that was followed from another, and what was asked.
struct FollowedPath {
  bool known = false;
  std::vector<double> question;
  PathState state;
  TrackOutcome outcome;
};

}  // namespace

template <class S>
struct RopeForce::Work final : ElementWork {
  std::unique_ptr<TrackWork> track = make_track_work();
  std::vector<double> question;

  // As committed, with the records of the discrete state that say so.
  std::vector<double> records, records_now;
  PathState committed;

  // Where the bodies are.
  FollowedPath here;
  PosesT<S> poses;
  std::vector<S> s, over, tension, weight;
  TensionsT<S> t;
  S first = S(0), last = S(0), material = S(0);  // given out by the reels, and of the whole rope
  PathState kept;

  // Over a step: where it begins, also as the path that the step goes on from, and where it ends.
  FollowedPath begin, end;
  PathState start;
  TensionsT<double> t_start;
  std::vector<double> s_start;
  PosesT<S> point_poses;
  std::vector<S> s_point;
  TensionsT<S> point;
};
std::unique_ptr<ElementWork> RopeForce::make_work(double) const { return std::make_unique<Work<double>>(); }
std::unique_ptr<ElementWork> RopeForce::make_work(Dual8) const { return std::make_unique<Work<Dual8>>(); }

RopeForce::RopeForce(std::string name, RopeSetup setup, const Kin& start)
    : ForceOf(std::move(name)), setup_(std::move(setup)) {
  Layout& layout = setup_.rope.layout;
  layout.number_bodies();
  for (const Waypoint& s : layout.waypoints)
    setup_.rope.friction |= s.static_friction > 0 || s.kinetic_friction > 0 || s.spin;
  for (const TouchedSurface& s : layout.surfaces)
    setup_.rope.friction |= s.static_friction > 0 || s.kinetic_friction > 0;
  // Heavy rope has another tension on either side of all that it passes.
  setup_.rope.friction |= setup_.rope.weight > 0 && (layout.waypoints.size() > 2 || !layout.surfaces.empty());
  take_values(layout, start, start_.poses);
  start_.t = start.t;
  start_.first_paid = paid_out(setup_.first_reel, start);
  start_.last_paid = paid_out(setup_.last_reel, start);
  for (size_t i = 0; i < layout.waypoints.size(); ++i) {
    PathNode node;
    if (layout.waypoints[i].passing) node.waypoint = static_cast<int>(i);
    node.carrier = layout.waypoints[i].place;
    node.at = layout.waypoints[i].frame.offset.p;
    node.s = layout.waypoints[i].radius > 0 ? std::numbers::pi : 0;  // wraps are taken between 0 and 2π at the start
    start_.path.push_back(node);
  }
  // Pulled tight; then every leg has rope as its share of the length, one tension.
  const auto work = make_track_work();
  laying_ = rope::pull_tight(setup_.rope, start_.poses, setup_.most_nodes, start_.path, *work);
  Rope free = setup_.rope;
  free.friction = false;
  TensionsT<double> t;
  std::vector<double> s;
  evaluate<double>(free, start_.poses, {1, 0, 0}, start_.path, t, s, *work->balance);
  keep_wraps(layout, t, start_.path);
  for (size_t i = 0; i < start_.path.size(); ++i) {
    PathNode& n = start_.path[i];
    if (layout.radius(n) == 0) continue;
    const bool end = i == 0 || i + 1 == start_.path.size();
    n.mark = end ? n.s : t.legs[i - 1].angle_to + 0.5 * n.s;
    if (layout.spins(n)) n.turned = layout.radius(n) * start.q[layout.waypoint(n).spin->q];
  }
  evaluate<double>(free, start_.poses, {1, 0, 0}, start_.path, t, s, *work->balance);
  // N with T(L/N - 1) = tension: by bisection, the law may be a table.
  const double length = t.total_length;
  double material = length;
  if (setup_.length) {
    material = *setup_.length;
  } else if (setup_.tension > 0) {
    double low = 0, high = 1;
    while (setup_.rope.elasticity.tension(high) < setup_.tension) high *= 2;
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (low + high);
      (setup_.rope.elasticity.tension(middle) < setup_.tension ? low : high) = middle;
    }
    material = length / (1 + 0.5 * (low + high));
  }
  start_.material = material;
  for (size_t j = 0; j < t.length.size(); ++j) start_.path[j].material = material * t.length[j] / length;
  begin_step(setup_.rope, {}, start_.path);
}

std::string RopeForce::summary() const {
  const Layout& layout = setup_.rope.layout;
  std::string text = "rope from " + layout.waypoints.front().name + " to " + layout.waypoints.back().name;
  if (!layout.surfaces.empty()) text += ", may touch " + std::to_string(layout.surfaces.size()) + " surface(s)";
  if (setup_.rope.friction) text += ", with friction";
  return text;
}

std::vector<DiscreteSlot> RopeForce::discrete_slots() const {
  return {{name(), f_count, static_cast<int>(setup_.most_nodes)},
          {name(), 12, static_cast<int>(setup_.rope.layout.bodies.size()) + 1},
          {name(), r_count, 1}};
}

std::vector<double> RopeForce::breakpoints() const {
  std::vector<double> all;
  for (const auto& reel : {setup_.first_reel, setup_.last_reel})
    if (reel)
      for (double t : reel->breakpoints()) all.push_back(t);
  return all;
}

std::vector<Coupling> RopeForce::couplings() const {
  std::vector<int> speeds;
  for (const Waypoint& s : setup_.rope.layout.waypoints)
    if (s.spin) speeds.push_back(s.spin->u);
  for (const auto& reel : {setup_.first_reel, setup_.last_reel})
    if (reel && reel->speed()) speeds.push_back(*reel->speed());
  return {{.bodies = setup_.rope.layout.bodies, .speeds = speeds}};
}

void RopeForce::read(const DiscreteState& discrete, int first_slot, PathState& out) const {
  const int count = discrete.size(first_slot + slot_nodes);
  if (count == 0) {
    out = start_;
    return;
  }
  out.path.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto r = discrete.record(first_slot + slot_nodes, i);
    PathNode& n = out.path[static_cast<size_t>(i)];
    n = PathNode{};
    n.waypoint = static_cast<int>(r[f_station]);
    n.surface = static_cast<int>(r[f_surface]);
    n.edge = static_cast<int>(r[f_edge]);
    n.direction = static_cast<int>(r[f_direction]);
    n.s = n.s_before = r[f_s];
    n.material = r[f_material];
    n.mark = r[f_mark];
    n.turned = r[f_turned];
    n.slips = r[f_slips] != 0;
    n.over_speed = r[f_over];
    n.along_speed = r[f_along];
  }
  out.poses.resize(setup_.rope.layout.bodies.size());
  for (size_t i = 0; i < out.poses.size(); ++i) {
    const auto r = discrete.record(first_slot + slot_poses, static_cast<int>(i));
    out.poses[i].R = Eigen::Map<const Mat3>(r.data());
    out.poses[i].p = Eigen::Map<const Vec3>(r.data() + 9);
  }
  const auto r = discrete.record(first_slot + slot_rope, 0);
  out.material = r[r_material];
  out.first_paid = r[r_first];
  out.last_paid = r[r_last];
  out.t = r[r_time];
  out.friction_work = r[r_work];
}

void RopeForce::write(const PathState& in, DiscreteState& discrete, int first_slot) const {
  const auto fit = [&](int slot, size_t count) {
    for (int i = discrete.size(slot); i < static_cast<int>(count); ++i) discrete.insert(slot, i);
    for (int i = discrete.size(slot); i > static_cast<int>(count); --i) discrete.erase(slot, i - 1);
  };
  fit(first_slot + slot_nodes, in.path.size());
  fit(first_slot + slot_poses, in.poses.size());
  for (size_t i = 0; i < in.path.size(); ++i) {
    const PathNode& n = in.path[i];
    const auto r = discrete.record(first_slot + slot_nodes, static_cast<int>(i));
    r[f_station] = n.waypoint;
    r[f_surface] = n.surface;
    r[f_edge] = n.edge;
    r[f_direction] = n.direction;
    r[f_s] = n.s;
    r[f_material] = n.material;
    r[f_mark] = n.mark;
    r[f_turned] = n.turned;
    r[f_slips] = n.slips;
    r[f_over] = n.over_speed;
    r[f_along] = n.along_speed;
  }
  for (size_t i = 0; i < in.poses.size(); ++i) {
    const auto r = discrete.record(first_slot + slot_poses, static_cast<int>(i));
    Eigen::Map<Mat3>(r.data()) = in.poses[i].R;
    Eigen::Map<Vec3>(r.data() + 9) = in.poses[i].p;
  }
  const auto r = discrete.record(first_slot + slot_rope, 0);
  r[r_material] = in.material;
  r[r_first] = in.first_paid;
  r[r_last] = in.last_paid;
  r[r_time] = in.t;
  r[r_work] = in.friction_work;
}

namespace {

// The path of `from` where bodies have gone to new poses and reels given out rope. False: it is known already.
template <class S>
bool advance_path(const RopeSetup& setup, const std::string& name, const PathState& from, const KinT<S>& kin,
                  std::vector<double>& question, FollowedPath& out, TrackWork& work) {
  take_question(setup, kin, question);
  if (out.known && same_bits(question, out.question)) return false;
  out.known = false;
  const Layout& layout = setup.rope.layout;
  PathState& to = out.state;
  to = from;
  take_values(layout, kin, to.poses);
  const double first_paid = value_of(paid_out(setup.first_reel, kin)),
               last_paid = value_of(paid_out(setup.last_reel, kin));
  for (PathNode& n : to.path)
    if (layout.spins(n)) n.slip = layout.radius(n) * value_of(kin.q[layout.waypoint(n).spin->q]) - n.turned;
  const PaidOut paid{first_paid - from.first_paid, last_paid - from.last_paid};
  to.material += paid.first + paid.last;
  to.first_paid = first_paid;
  to.last_paid = last_paid;
  out.outcome = follow(setup.rope, from.poses, to.poses, paid, setup.most_nodes, to.path, work);
  if (out.outcome.too_many)
    throw std::runtime_error("rope '" + name + "' touches at more than " + std::to_string(setup.most_nodes) +
                             " nodes: give a larger 'most_nodes', or a coarser surface");
  out.question.swap(question);
  out.known = true;
  return true;
}

// A taut rope that has unwrapped from a sheave would leave it. Up to a few degrees the difference is of third order.
void check_wraps(const Layout& layout, const std::string& name, const TensionsT<double>& t, const Path& path) {
  constexpr double most = 0.1;  // rad
  for (size_t i = 1; i + 1 < path.size(); ++i)
    if (layout.radius(path[i]) > 0 && path[i].s < -most && t.tension[i] > 0)
      throw std::runtime_error("rope '" + name + "' has unwrapped from the sheave at '" +
                               layout.waypoint(path[i]).name +
                               "' and would leave it: turn its axis around, or let it pass an eye");
}

}  // namespace

// The work with the path as committed; what was found for another is forgotten.
template <class S>
RopeForce::Work<S>& RopeForce::committed(const ContextT<S>& c) const {
  auto& w = static_cast<Work<S>&>(*c.work);
  w.records_now.clear();
  for (int slot = c.first_slot; slot < c.first_slot + slot_count; ++slot) {
    w.records_now.push_back(c.discrete.size(slot));
    for (int i = 0; i < c.discrete.size(slot); ++i) {
      const auto record = c.discrete.record(slot, i);
      w.records_now.insert(w.records_now.end(), record.begin(), record.end());
    }
  }
  if (same_bits(w.records_now, w.records)) return w;
  w.here.known = w.begin.known = w.end.known = false;
  w.records.swap(w.records_now);
  read(c.discrete, c.first_slot, w.committed);
  return w;
}

// The path and its tensions where the bodies are.
template <class S>
RopeForce::Work<S>& RopeForce::solve(const ContextT<S>& c) const {
  Work<S>& w = committed(c);
  const bool anew = advance_path(setup_, name(), w.committed, c.kin, w.question, w.here, *w.track);
  if (std::is_same_v<S, double> && !anew) return w;
  w.first = paid_out(setup_.first_reel, c.kin);
  w.last = paid_out(setup_.last_reel, c.kin);
  const S paid_first = w.first - S(w.committed.first_paid), paid_last = w.last - S(w.committed.last_paid);
  w.material = S(w.committed.material) + paid_first + paid_last;
  take_poses(setup_.rope.layout, c.kin, w.poses);
  take_over(setup_.rope.layout, c.kin, w.here.state.path, w.over);
  evaluate<S>(setup_.rope, w.poses, {w.material, paid_first, paid_last, &w.over}, w.here.state.path, w.t, w.s,
              *w.track->balance);
  return w;
}

RopeForce::View RopeForce::view(const ContextT<double>& c) const {
  const Work<double>& w = solve(c);
  return {w.here.state, w.t, w.s, w.here.outcome};
}

bool RopeForce::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  Work<double>& w = solve(c);
  PathState& end = w.kept;
  end = w.here.state;
  const PaidOut paid{end.first_paid - w.committed.first_paid, end.last_paid - w.committed.last_paid};
  keep_wraps(setup_.rope.layout, w.t, end.path);
  check_wraps(setup_.rope.layout, name(), w.t, end.path);
  const double h = c.kin.t - w.committed.t;
  for (size_t i = 0; i < end.path.size(); ++i) {
    PathNode& n = end.path[i];
    n.over_speed = h > 0 ? n.slip / h : 0;
    n.along_speed = h > 0 && n.on_edge() ? (n.s - n.s_before) / h : 0;
    if (!setup_.rope.friction || i == 0 || i + 1 == end.path.size() || setup_.rope.layout.spins(n)) continue;
    // What the rope gives up as it goes over: the jump of T, and of the energy that strained rope carries with it.
    const auto carried = [&](size_t j) {
      return material_pull(setup_.rope.elasticity, w.t.tension[j], w.t.strain[j]) - w.t.tension[j];
    };
    end.friction_work += (drive_over(setup_.rope, w.t, i) + carried(i) - carried(i - 1)) * n.slip;
    if (n.on_edge()) end.friction_work += force_on(setup_.rope, w.t, i).dot(w.t.along[i]) * (n.s - n.s_before);
  }
  begin_step(setup_.rope, paid, end.path);
  end.t = c.kin.t;
  write(end, discrete, c.first_slot);
  return w.here.outcome.changed;
}

namespace {

bool is_point(const Layout& layout, const PathNode& n) { return n.waypoint >= 0 && layout.radius(n) == 0; }

// Adds T times the pulls of each leg.
template <class S>
void add_pulls(const Layout& layout, const Path& path, const KinT<S>& kin, const TensionsT<S>& at,
               const std::vector<S>& tension, LoadsT<S>& loads) {
  const auto add = [&](const PathNode& n, const Vec3T<S>& point, const Vec3T<S>& force, const Vec3T<S>& moment) {
    const int body = layout.bodies[static_cast<size_t>(layout.place(n))];
    if (body == 0) return;
    loads.add_force(body, Vec3T<S>(point - kin.body[static_cast<size_t>(body)].p), force);
    loads.add_moment(body, moment);
  };
  for (size_t j = 0; j + 1 < path.size(); ++j) {
    if (value_of(tension[j]) == 0) continue;
    const LegT<S>& leg = at.legs[j];
    add(path[j], leg.from, Vec3T<S>(tension[j] * leg.pull_from), Vec3T<S>(tension[j] * leg.moment_from));
    add(path[j + 1], leg.to, Vec3T<S>(tension[j] * leg.pull_to), Vec3T<S>(tension[j] * leg.moment_to));
  }
}

// Half of each leg's weight at either end; what the reels have given out no longer weighs on them.
template <class S>
void add_weights(const Rope& rope, const Path& path, const KinT<S>& kin, const std::vector<Vec3T<S>>& at,
                 const std::vector<S>& weight, const S& first, const S& last, LoadsT<S>& loads) {
  const auto add = [&](size_t i, const S& down) {
    const int body = rope.layout.bodies[static_cast<size_t>(rope.layout.place(path[i]))];
    if (body == 0) return;
    loads.add_force(body, Vec3T<S>(at[i] - kin.body[static_cast<size_t>(body)].p), Vec3T<S>(S(0), S(0), -down));
  };
  for (size_t j = 0; j + 1 < path.size(); ++j) {
    add(j, S(0.5) * weight[j]);
    add(j + 1, S(0.5) * weight[j]);
  }
  add(0, S(-rope.weight) * first);
  add(path.size() - 1, S(-rope.weight) * last);
}

// Rate of each leg's measure with the motion of the bodies.
template <class S>
S rate_of_leg(const Layout& layout, const Path& path, const KinT<S>& kin, const LegT<S>& leg, size_t j) {
  const auto rate = [&](const PathNode& n, const Vec3T<S>& point, const Vec3T<S>& force, const Vec3T<S>& moment) {
    const auto& b = kin.body[static_cast<size_t>(layout.bodies[static_cast<size_t>(layout.place(n))])];
    return force.dot(Vec3T<S>(b.v + b.w.cross(Vec3T<S>(point - b.p)))) + moment.dot(b.w);
  };
  return -(rate(path[j], leg.from, leg.pull_from, leg.moment_from) +
           rate(path[j + 1], leg.to, leg.pull_to, leg.moment_to));
}

// Rate at which rope goes over a node: by the angle of a sheave, or as it slipped in the last step.
template <class S>
S over_rate(const Layout& layout, const PathNode& n, const KinT<S>& kin) {
  return layout.spins(n) ? S(layout.radius(n)) * kin.u[layout.waypoint(n).spin->u] : S(n.over_speed);
}

// What unstretched rope does where it is given out or carried over: to reels, and to sheaves with inertia, over which
// it goes from the leg before to the leg after. `strained(j)`: the pull of strained rope of leg j; heights are those of
// `at`.
template <class S, class Strained>
void add_material_pulls(const RopeSetup& setup, const Path& path, const KinT<S>& kin, const TensionsT<S>& at,
                        const Strained& strained, LoadsT<S>& loads) {
  const Layout& layout = setup.rope.layout;
  const S weight(setup.rope.weight);
  const auto pull = [&](size_t j) { return strained(j) - weight * height_of_leg(at, j); };
  for (size_t i = 1; i + 1 < path.size(); ++i)
    if (layout.spins(path[i]))
      loads.tau[static_cast<size_t>(layout.waypoint(path[i]).spin->u)] +=
          S(layout.radius(path[i])) * (pull(i) - pull(i - 1));
  if (setup.first_reel) setup.first_reel->add_pull(kin, pull(0) + weight * at.at.front().z(), loads);
  if (setup.last_reel) setup.last_reel->add_pull(kin, pull(path.size() - 2) + weight * at.at.back().z(), loads);
}

}  // namespace

template <class S>
void RopeForce::add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
  Work<S>& w = solve(c);
  const Rope& rope = setup_.rope;
  const Path& path = w.here.state.path;
  w.tension = w.t.tension;
  if (rope.elasticity.damping() > 0) {
    // ė = (l̇ - (1 + e) Ṅ)/N, of every leg or of the whole rope.
    const auto damp = [&](size_t j, const S& length_rate, const S& material_rate, const S& material) {
      const S rate = (length_rate - (S(1) + w.t.strain[j]) * material_rate) / material;
      w.tension[j] = rope.elasticity.damped(w.t.tension[j], rate);
    };
    const size_t legs = w.t.legs.size();
    const S first_rate = setup_.first_reel ? setup_.first_reel->rate(c.kin) : S(0);
    const S last_rate = setup_.last_reel ? setup_.last_reel->rate(c.kin) : S(0);
    S total(0);
    for (size_t j = 0; j < legs; ++j) {
      const S rate = rate_of_leg(rope.layout, path, c.kin, w.t.legs[j], j);
      total += rate;
      if (!rope.friction) continue;
      const S given = (j == 0 ? first_rate : S(0)) + (j + 1 == legs ? last_rate : S(0));
      damp(j, rate, given + over_rate(rope.layout, path[j], c.kin) - over_rate(rope.layout, path[j + 1], c.kin),
           w.t.material[j]);
    }
    if (!rope.friction)
      for (size_t j = 0; j < legs; ++j) damp(j, total, first_rate + last_rate, w.material);
  }
  add_pulls(rope.layout, path, c.kin, w.t, w.tension, loads);
  if (rope.weight > 0) {
    w.weight.resize(w.t.legs.size());
    for (size_t j = 0; j < w.weight.size(); ++j) w.weight[j] = S(rope.weight) * w.t.material[j];
    add_weights(rope, path, c.kin, w.t.at, w.weight, w.first, w.last, loads);
  }
  add_material_pulls(
      setup_, path, c.kin, w.t, [&](size_t j) { return material_pull(rope.elasticity, w.tension[j], w.t.strain[j]); },
      loads);
}

template <class S>
void RopeForce::add_step_loads(const StepContextT<S>& c, LoadsT<S>& loads) const {
  Work<S>& w = committed(c.point);
  const Rope& rope = setup_.rope;
  // Where the step begins: as committed, unless the step is a part of one.
  if (advance_path(setup_, name(), w.committed, c.start, w.question, w.begin, *w.track)) {
    w.start = w.begin.state;
    const PaidOut before{w.start.first_paid - w.committed.first_paid, w.start.last_paid - w.committed.last_paid};
    evaluate<double>(rope, w.start.poses, {w.start.material, before.first, before.last}, w.start.path, w.t_start,
                     w.s_start, *w.track->balance);
    begin_step(rope, before, w.start.path);
    for (size_t j = 0; j + 1 < w.start.path.size(); ++j) w.start.path[j].strain_before = w.t_start.strain[j];
    w.end.known = false;
  }
  // Where it ends. From here on w.t and w.s are of that path, no longer of the one where the bodies are.
  w.here.known = false;
  const S first = paid_out(setup_.first_reel, c.end), last = paid_out(setup_.last_reel, c.end);
  advance_path(setup_, name(), w.start, c.end, w.question, w.end, *w.track);
  const Path& path = w.end.state.path;
  take_poses(rope.layout, c.end, w.poses);
  take_over(rope.layout, c.end, path, w.over);
  const S paid_first = first - S(w.start.first_paid), paid_last = last - S(w.start.last_paid);
  evaluate<S>(rope, w.poses, {S(w.start.material) + paid_first + paid_last, paid_first, paid_last, &w.over}, path, w.t,
              w.s, *w.track->balance);
  // What acts between them.
  const size_t nodes = path.size();
  w.s_point.resize(nodes);
  for (size_t i = 0; i < nodes; ++i)
    w.s_point[i] = path[i].on_edge() ? S(0.5) * (S(path[i].s_before) + w.s[i]) : w.s[i];
  take_poses(rope.layout, c.point.kin, w.point_poses);
  evaluate_legs(rope, w.point_poses, path, w.s_point, w.point, *w.track->balance);
  // Between points (l₁² - l₀²) = 2 d·Δd: along d = (d₀ + d₁)/2 over the mean length the work is T (l₁ - l₀), exactly.
  for (size_t j = 0; j + 1 < nodes; ++j) {
    if (w.end.outcome.changed || !is_point(rope.layout, path[j]) || !is_point(rope.layout, path[j + 1])) continue;
    LegT<S>& leg = w.point.legs[j];
    const S mean = S(0.5) * (S(w.t_start.legs[j].length) + w.t.legs[j].length);
    if (value_of(mean) > 0) leg.pull_from *= leg.length / mean;
    leg.pull_to = -leg.pull_from;
  }
  const auto reel_pull = [&](size_t j) {
    const S e0(path[j].strain_before), &e1 = w.t.strain[j];
    return w.t.tension[j] * (S(1) + S(0.5) * (e0 + e1)) -
           S(0.5) * (rope.elasticity.energy(e0) + rope.elasticity.energy(e1));
  };
  for (size_t j = 0; j + 1 < nodes; ++j) {
    const S e0(path[j].strain_before);
    const S elastic = rope.elasticity.step_tension(e0, w.t.strain[j]);
    w.t.tension[j] = rope.elasticity.damped(elastic, S((w.t.strain[j] - e0) / S(c.h)));
  }
  add_pulls(rope.layout, path, c.point.kin, w.point, w.t.tension, loads);
  if (rope.weight > 0) {
    w.weight.resize(nodes - 1);
    for (size_t j = 0; j + 1 < nodes; ++j) w.weight[j] = S(0.5 * rope.weight) * (S(path[j].material) + w.t.material[j]);
    add_weights(rope, path, c.point.kin, w.point.at, w.weight, S(S(0.5) * (S(w.start.first_paid) + first)),
                S(S(0.5) * (S(w.start.last_paid) + last)), loads);
  }
  add_material_pulls(setup_, path, c.point.kin, w.point, reel_pull, loads);
}

template <class S>
S RopeForce::potential_energy(const ContextT<S>& c) const {
  const Work<S>& w = solve(c);
  const Rope& rope = setup_.rope;
  S sum(0);
  if (rope.weight > 0) {
    for (size_t j = 0; j < w.t.legs.size(); ++j) sum += S(rope.weight) * w.t.material[j] * height_of_leg(w.t, j);
    sum -= S(rope.weight) * (w.first * w.t.at.front().z() + w.last * w.t.at.back().z());
  }
  if (!rope.friction) return sum + w.material * rope.elasticity.energy(w.t.strain.front());
  for (size_t j = 0; j < w.t.strain.size(); ++j) sum += w.t.material[j] * rope.elasticity.energy(w.t.strain[j]);
  return sum;
}

double RopeForce::potential_rate(const ContextT<double>& c) const {
  const View v = view(c);
  const Rope& rope = setup_.rope;
  double sum = 0;
  for (size_t j = 0; j < v.tensions.legs.size(); ++j)
    sum += v.tensions.tension[j] * rate_of_leg(rope.layout, v.state.path, c.kin, v.tensions.legs[j], j);
  const auto pull = [&](size_t j) {
    return material_pull(rope.elasticity, v.tensions.tension[j], v.tensions.strain[j]) -
           rope.weight * height_of_leg(v.tensions, j);
  };
  const auto& at = v.tensions.at;
  if (setup_.first_reel) sum -= (pull(0) + rope.weight * at.front().z()) * setup_.first_reel->rate(c.kin);
  if (setup_.last_reel)
    sum -= (pull(v.tensions.legs.size() - 1) + rope.weight * at.back().z()) * setup_.last_reel->rate(c.kin);
  if (rope.weight > 0) {
    const auto rise = [&](size_t i) {
      const int body = rope.layout.bodies[static_cast<size_t>(rope.layout.place(v.state.path[i]))];
      const auto& b = c.kin.body[static_cast<size_t>(body)];
      return (b.v + b.w.cross(Vec3(at[i] - b.p))).z();
    };
    for (size_t j = 0; j < v.tensions.legs.size(); ++j)
      sum += 0.5 * rope.weight * v.tensions.material[j] * (rise(j) + rise(j + 1));
    sum -= rope.weight * (v.state.first_paid * rise(0) + v.state.last_paid * rise(at.size() - 1));
  }
  if (!rope.friction) return sum;
  for (size_t i = 1; i + 1 < v.state.path.size(); ++i) {
    const PathNode& n = v.state.path[i];
    sum -= (pull(i) - pull(i - 1)) * over_rate(rope.layout, n, c.kin);
    if (n.on_edge()) sum -= force_on(rope, v.tensions, i).dot(v.tensions.along[i]) * n.along_speed;
  }
  return sum;
}

template void RopeForce::add_loads(const ContextT<double>&, LoadsT<double>&, double*) const;
template void RopeForce::add_loads(const ContextT<Dual8>&, LoadsT<Dual8>&, Dual8*) const;
template void RopeForce::add_step_loads(const StepContextT<double>&, LoadsT<double>&) const;
template void RopeForce::add_step_loads(const StepContextT<Dual8>&, LoadsT<Dual8>&) const;
template double RopeForce::potential_energy(const ContextT<double>&) const;
template Dual8 RopeForce::potential_energy(const ContextT<Dual8>&) const;

}  // namespace davit::rope

namespace davit {
template class ForceOf<rope::RopeForce>;
}  // namespace davit
