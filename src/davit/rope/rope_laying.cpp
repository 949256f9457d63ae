// A rope is laid at the start: over its waypoints, pulled tight, with the rope that its tension asks for.
#include <numbers>

#include "davit/rope/rope_work.hpp"

namespace davit::rope {

namespace {

// The rope of a path of some length: N with T(L/N - 1) = tension, by bisection, because the law may be a table.
double unstretched_length(const RopeSetup& setup, double length) {
  if (setup.length) return *setup.length;
  if (!(setup.tension > 0)) return length;
  double low = 0, high = 1;
  while (setup.rope.elasticity.tension(high) < setup.tension) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (setup.rope.elasticity.tension(middle) < setup.tension ? low : high) = middle;
  }
  return length / (1 + 0.5 * (low + high));
}

}  // namespace

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
  start_.first_paid = start_.first_by_angle = paid_out(setup_.first_reel, start);
  start_.last_paid = start_.last_by_angle = paid_out(setup_.last_reel, start);
  for (size_t i = 0; i < layout.waypoints.size(); ++i) {
    PathNode node;
    if (layout.waypoints[i].passing) node.waypoint = static_cast<int>(i);
    node.carrier = layout.waypoints[i].place;
    node.at = layout.waypoints[i].frame.offset.p;
    node.s = layout.waypoints[i].radius > 0 ? std::numbers::pi : 0;  // wraps are taken between 0 and 2π at the start
    start_.path.push_back(node);
  }
  laid_through_ = find_piercing(layout, start_.poses, start_.path);
  // Pulled tight; then every leg has rope as its share of the length, one tension.
  const auto work = make_track_work();
  laying_ = rope::pull_tight(setup_.rope, start_.poses, setup_.most_nodes, start_.path, *work);
  Rope free = setup_.rope;
  free.friction = false;
  TensionsT<double> t;
  std::vector<double> s;
  evaluate<double>(free, start_.poses, {1, {}}, start_.path, t, s, *work->balance);
  keep_wraps(layout, t, start_.path);
  for (size_t i = 0; i < start_.path.size(); ++i) {
    PathNode& n = start_.path[i];
    if (layout.radius(n) == 0) continue;
    const bool end = i == 0 || i + 1 == start_.path.size();
    n.mark = end ? n.s : t.legs[i - 1].angle_to + 0.5 * n.s;
    if (layout.spins(n)) n.turned = layout.radius(n) * start.q[layout.waypoint(n).spin->q];
  }
  evaluate<double>(free, start_.poses, {1, {}}, start_.path, t, s, *work->balance);
  const double length = t.total_length, material = unstretched_length(setup_, length);
  start_.material = material;
  for (size_t j = 0; j < t.length.size(); ++j) start_.path[j].material = material * t.length[j] / length;
  two_block_ = TwoBlock(setup_, start_, t);
  begin_step(setup_.rope, {}, start_.path);
  keep_gauges(layout, std::vector<double>(t.length.size(), length / material - 1), start_.path);
}

}  // namespace davit::rope
