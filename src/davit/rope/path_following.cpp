// How the path of a rope is followed from one state of the bodies to another.
#include "davit/model/measuring.hpp"
#include "davit/rope/rope_work.hpp"

namespace davit::rope {

void begin_step(const Rope& rope, const PaidOut& paid, Path& path) {
  for (size_t j = 0; j + 1 < path.size(); ++j) path[j].material += path[j].slip - path[j + 1].slip;
  path.front().material += paid.first;
  path[path.size() - 2].material += paid.last;
  for (PathNode& n : path) {
    n.slips = rope.friction && n.slipping;
    if (rope.layout.spins(n)) n.turned += n.gauge * n.slip + n.held;
    n.slip = n.held = 0;
    n.s_before = n.s;
  }
}

void keep_gauges(const Layout& layout, const std::vector<double>& strain, Path& path) {
  for (size_t i = 1; i + 1 < path.size(); ++i)
    if (layout.spins(path[i])) path[i].gauge = stretch_on_sheave(strain, i);
}

void keep_wraps(const Layout& layout, const TensionsT<double>& t, Path& path) {
  for (size_t i = 1; i + 1 < path.size(); ++i)
    if (layout.radius(path[i]) > 0) path[i].s = wrap_angle(path[i], t.legs[i - 1], t.legs[i]);
  if (layout.radius(path.front()) > 0) path.front().s = unwrapped(t.legs.front().angle_from, path.front().s);
  if (layout.radius(path.back()) > 0) path.back().s = unwrapped(t.legs.back().angle_to, path.back().s);
}

namespace {

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

}  // namespace

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
  const PaidOut paid = values_of(paid_out_since(setup, from, kin));
  for (PathNode& n : to.path) {
    if (!layout.spins(n)) continue;
    const Waypoint& sheave = layout.waypoint(n);
    n.held = value_of(held_turn(sheave, from.poses, kin));
    n.slip = (sheave.radius * value_of(kin.q[sheave.spin->q]) - n.turned - n.held) / n.gauge;
  }
  to.material += paid.first + paid.last;
  to.first_paid += paid.first;
  to.last_paid += paid.last;
  to.first_by_angle = value_of(paid_out(setup.first_reel, kin));
  to.last_by_angle = value_of(paid_out(setup.last_reel, kin));
  out.outcome = follow(setup.rope, from.poses, to.poses, paid, setup.most_nodes, to.path, work);
  if (out.outcome.too_many)
    throw Breakdown(name, "the rope touches at more than " + std::to_string(setup.most_nodes) +
                              " nodes: give a larger 'most_nodes', or a coarser surface");
  out.question.swap(question);
  out.known = true;
  return true;
}

template bool advance_path(const RopeSetup&, const std::string&, const PathState&, const KinT<double>&,
                           std::vector<double>&, FollowedPath&, TrackWork&);
template bool advance_path(const RopeSetup&, const std::string&, const PathState&, const KinT<Dual8>&,
                           std::vector<double>&, FollowedPath&, TrackWork&);

}  // namespace davit::rope
