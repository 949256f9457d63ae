// The sweep of a path from pose to pose: crossings become nodes, nodes slide, merge and are let go. Corners are in
// corners.cpp.
#include <algorithm>
#include <limits>

#include "davit/rope/tracker.hpp"

namespace davit::rope {

namespace {

// Depth at which a crossing counts, as part of the size of the surface: above round-off, below all that matters.
constexpr double crossing_depth = 1e-9;
// Depth that a rope may rest at where nodes keep off corners, and to which rope that came to be inside is looked for.
constexpr double resting_depth = 3e-7, search_depth = 1;

// Inside a closed body, deeper than rope may rest there. Most places that are asked for lie on its surface.
bool is_inside(const TouchedSurface& surface, const Vec3& at) {
  return surface.solid->closest(at).distance > resting_depth * surface.size && surface.solid->inside(at);
}

}  // namespace

void Tracker::follow(const Poses& from, const Poses& to, const PaidOut& paid) {
  paid_ = paid;
  sweep_.from = &from;
  sweep_.to = &to;
  all_rest();
  run_sweep();
  settle(to);
}

void Tracker::settle(const Poses& poses, bool sliding) {
  sweep_.from = sweep_.to = &poses;
  const size_t most_rounds = 100 + 6 * path_.size();
  passes_.clear();
  gone_.clear();
  came_back_ = false;
  size_t round = 0;
  for (; round < most_rounds; ++round) {
    if (2 * round < most_rounds) merge();
    if (pull_one(poses)) continue;
    if (sliding && slide(poses)) continue;
    if (sliding && pass_corner(poses)) continue;
    if (let_one_go(poses)) continue;
    if (sliding && raise_one(poses)) continue;
    break;
  }
  out.settled = round < most_rounds;
}

void Tracker::all_rest() {
  sweep_.local.resize(path_.size());
  for (size_t i = 0; i < path_.size(); ++i) {
    const Vec3 at = layout_.local(path_[i]);
    sweep_.local[i] = {at, at};
  }
}

MovingPoint Tracker::seen(size_t i, const TouchedSurface& surface) const {
  const size_t own = static_cast<size_t>(layout_.place(path_[i])), other = static_cast<size_t>(surface.place);
  const MovingPoint& p = sweep_.local[i];
  if (own == other) return p;
  const auto at = [&](const Poses& poses, const Vec3& local) {
    const Vec3 world = poses[own] * local;
    return Vec3(poses[other].R.transpose() * (world - poses[other].p));
  };
  return {at(*sweep_.from, p.start), at(*sweep_.to, p.end)};
}

Event Tracker::first_event(size_t leg) const {
  Event best;
  if (work_.nearby.size() < (leg + 1) * layout_.surfaces.size())
    work_.nearby.resize((leg + 1) * layout_.surfaces.size());
  for (size_t k = 0; k < layout_.surfaces.size(); ++k) {
    const TouchedSurface& surface = layout_.surfaces[k];
    const MovingPoint a = seen(leg, surface), b = seen(leg + 1, surface);
    const double margin = crossing_depth * surface.size;
    const Vec3 reach =
        (0.5 * (a.end - a.start)).cwiseAbs().cwiseMax((0.5 * (b.end - b.start)).cwiseAbs()).array() + 20 * margin;
    const int surface_index = static_cast<int>(k);
    EdgeTree::Nearby& nearby = work_.nearby[leg * layout_.surfaces.size() + k];
    nearby.near_segment(*surface.edges, 0.5 * (a.start + a.end), 0.5 * (b.start + b.end), reach, [&](int e) {
      if (touches(leg, surface_index, e) || touches(leg + 1, surface_index, e) || passed(surface_index, e)) return;
      const auto crossing =
          first_crossing(a, b, surface.features->edges[static_cast<size_t>(e)], sweep_.since[leg], margin);
      if (!crossing) return;
      const Event event{*crossing, leg, surface_index, e};
      if (!best.found() || event.before(best)) best = event;
    });
  }
  return best;
}

bool Tracker::passed(int surface, int edge) const {
  if (surface != passed_surface_) return false;
  const FeatureEdge& e = layout_.surfaces[static_cast<size_t>(surface)].features->edges[static_cast<size_t>(edge)];
  return e.from == passed_corner_ || e.to == passed_corner_;
}

bool Tracker::touches(size_t node, int surface, int edge) const {
  return path_[node].surface == surface && path_[node].edge == edge;
}

bool Tracker::run_sweep() {
  sweep_.since.assign(path_.size() - 1, 0.0);
  sweep_.first.resize(path_.size() - 1);
  for (size_t j = 0; j + 1 < path_.size(); ++j) sweep_.first[j] = first_event(j);
  bool any = false;
  while (true) {
    const Event* next = nullptr;
    for (const Event& e : sweep_.first)
      if (e.found() && (!next || e.before(*next))) next = &e;
    if (!next) return any;
    if (path_.size() >= most_) {
      out.too_many = true;
      return any;
    }
    any = true;
    insert(Event(*next));
  }
}

PathNode Tracker::node_of(const Event& event) const {
  PathNode node;
  node.surface = event.surface;
  node.edge = event.edge;
  node.direction = event.crossing.direction;
  node.s = node.s_before = std::clamp(event.crossing.s, layout_.lowest(node), layout_.highest(node));
  return node;
}

void Tracker::insert(const Event& event) {
  const size_t leg = event.leg;
  const PathNode node = node_of(event);
  add_node(leg, node);
  const auto at = static_cast<std::ptrdiff_t>(leg);
  const Vec3 local = layout_.local(node);
  sweep_.local.insert(sweep_.local.begin() + at + 1, {local, local});
  sweep_.since.insert(sweep_.since.begin() + at + 1, event.crossing.tau);
  sweep_.since[leg] = event.crossing.tau;
  sweep_.first.insert(sweep_.first.begin() + at + 1, Event{});
  for (size_t j = leg + 2; j < sweep_.first.size(); ++j) ++sweep_.first[j].leg;
  sweep_.first[leg] = first_event(leg);
  sweep_.first[leg + 1] = first_event(leg + 1);
}

void Tracker::add_node(size_t leg, PathNode node) {
  out.changed = true;
  PathNode& before = path_[leg];
  const Poses& poses = *sweep_.to;
  const Vec3 at = in_world(layout_, node, poses);
  const double a = (at - in_world(layout_, before, poses)).norm() + 1e-9,
               b = (in_world(layout_, path_[leg + 1], poses) - at).norm() + 1e-9;
  // Both parts are strained alike, less what pistons have carried beyond the ends.
  const bool first = leg == 0, last = leg + 2 == path_.size();
  const double before_first = first ? paid_.first_travel : 0, behind_last = last ? paid_.last_travel : 0;
  const double paid_last = last ? paid_.last : 0;
  const double all = before.material + (first ? paid_.first : 0) + paid_last;
  const double share = (b - behind_last) / (a + b - before_first - behind_last);
  node.material = share * (all - before_first - behind_last) + behind_last - paid_last;
  before.material -= node.material;
  node.strain_before = before.strain_before;
  path_.insert(path_.begin() + static_cast<std::ptrdiff_t>(leg) + 1, node);
}

void Tracker::erase_node(size_t i) {
  out.changed = true;
  PathNode& before = path_[i - 1];
  const double sum = before.material + path_[i].material;
  if (sum > 0)
    before.strain_before = (before.material * before.strain_before + path_[i].material * path_[i].strain_before) / sum;
  before.material = sum;
  path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(i));
}

bool Tracker::slide(const Poses& poses) {
  sweep_.local.resize(path_.size());
  for (size_t i = 0; i < path_.size(); ++i) sweep_.local[i].start = layout_.local(path_[i]);
  const BalanceOutcome outcome =
      balance(rope_, poses, paid_, path_, *work_.balance, came_back_ ? BalanceFrom::here : BalanceFrom::step_begin);
  out.balanced = outcome.converged;
  bool moved = false;
  for (size_t i = 0; i < path_.size(); ++i) {
    sweep_.local[i].end = layout_.local(path_[i]);
    moved = moved || (sweep_.local[i].end != sweep_.local[i].start);
  }
  return moved && run_sweep();
}

void Tracker::leave(std::vector<Listed>& list, const Listed& left) {
  came_back_ = came_back_ || std::find(list.begin(), list.end(), left) != list.end();
  list.push_back(left);
}

bool Tracker::let_one_go(const Poses& poses) {
  const size_t highest = highest_above(path_, poses, [&](const PathNode& n) { return may_go(n); });
  if (highest == 0) return false;
  leave(gone_, {path_[highest].surface, path_[highest].edge});
  let_go(highest);
  return true;
}

bool Tracker::may_go(const PathNode& n) const {
  return !rope_.friction || std::count(gone_.begin(), gone_.end(), Listed{n.surface, n.edge}) < 3;
}

void Tracker::merge() {
  for (size_t i = 1; i + 2 < path_.size(); ++i) {
    const PathNode &n = path_[i], &next = path_[i + 1];
    if (!n.on_edge() || !touches(i + 1, n.surface, n.edge)) continue;
    if (std::abs(next.s - n.s) > layout_.clearance(n)) continue;
    const bool and_back = n.direction != next.direction;
    erase_node(i + 1);
    if (and_back)
      let_go(i);
    else
      --i;  // there may be a third
  }
}

// Between two places where it meets the surface a piece is inside or outside: one place of each stretch tells.
bool Tracker::dips(const TouchedSurface& surface, const Vec3& a, const Vec3& b) const {
  std::vector<double>& met = work_.met;
  met.assign({0.0, 1.0});
  surface.solid->all_hits(a, b, [&](const SegmentHit& hit) { met.push_back(hit.at); });
  std::sort(met.begin(), met.end());
  const double least = resting_depth * surface.size / (b - a).norm();
  for (size_t k = 0; k + 1 < met.size(); ++k)
    if (met[k + 1] - met[k] > least && is_inside(surface, a + 0.5 * (met[k] + met[k + 1]) * (b - a))) return true;
  return false;
}

bool Tracker::raise_one(const Poses& poses) {
  double least = std::numeric_limits<double>::infinity();
  size_t leg = 0;
  PathNode found;
  for (size_t k = 0; k < layout_.surfaces.size(); ++k) {
    const TouchedSurface& surface = layout_.surfaces[k];
    if (!surface.solid) continue;
    const int index = static_cast<int>(k);
    const double reach = search_depth * surface.size;
    const auto inside = [&](const Vec3& at) { return is_inside(surface, at); };
    for (size_t j = 0; j + 1 < path_.size(); ++j) {
      if (layout_.gap_after(path_[j])) continue;
      const Vec3 a = seen_from(layout_, surface.place, path_[j], poses),
                 b = seen_from(layout_, surface.place, path_[j + 1], poses);
      if (!dips(surface, a, b)) continue;
      surface.edges->near_segment(a, b, Vec3::Constant(reach), [&](int e) {
        if (touches(j, index, e) || touches(j + 1, index, e)) return;
        const auto below = passes_below(a, b, surface.features->edges[static_cast<size_t>(e)]);
        if (!below || below->depth > std::min(least, reach) || !inside(below->at) || inside(a) || inside(b)) return;
        least = below->depth;
        leg = j;
        found = node_of({{0, below->s, below->direction}, j, index, e});
      });
    }
  }
  if (!found.on_edge()) return false;
  if (path_.size() >= most_) {
    out.too_many = true;
    return false;
  }
  add_node(leg, found);
  return true;
}

void Tracker::let_go(size_t i) {
  PathNode& n = path_[i];
  n.carrier = layout_.place(n);
  n.at = layout_.local(n);
  n.surface = n.edge = -1;
}

bool Tracker::pull_one(const Poses& poses) {
  const auto found = std::find_if(path_.begin(), path_.end(), [](const PathNode& n) { return n.let_go(); });
  if (found == path_.end()) return false;
  const size_t i = static_cast<size_t>(found - path_.begin());
  const int place = found->carrier;
  all_rest();
  const Vec3 a = seen_from(layout_, place, path_[i - 1], poses), b = seen_from(layout_, place, path_[i + 1], poses);
  const double square = (b - a).squaredNorm();
  const double r = square > 0 ? std::clamp((found->at - a).dot(b - a) / square, 0.0, 1.0) : 0.0;
  sweep_.local[i].end = a + r * (b - a);
  sweep_.since.assign(path_.size() - 1, 0.0);
  Event event = first_event(i - 1);
  const Event other = first_event(i);
  if (other.found() && (!event.found() || other.before(event))) event = other;
  if (!event.found()) {
    erase_node(i);
    return true;
  }
  if (path_.size() >= most_) {
    out.too_many = true;
    erase_node(i);
    return true;
  }
  // A little earlier, so that what the other leg meets at the same time still lies ahead.
  found->at = sweep_.local[i].at(event.crossing.tau * (1 - 1e-9));
  add_node(event.leg, node_of(event));
  return true;
}

std::unique_ptr<TrackWork> make_track_work() { return std::make_unique<TrackerWork>(); }

TrackOutcome follow(const Rope& rope, const Poses& from, const Poses& to, const PaidOut& paid, size_t most, Path& path,
                    TrackWork& work) {
  Tracker tracker(rope, most, path, work);
  tracker.follow(from, to, paid);
  return tracker.out;
}

TrackOutcome pull_tight(const Rope& rope, const Poses& poses, size_t most, Path& path, TrackWork& work) {
  Tracker tracker(rope, most, path, work);
  tracker.settle(poses, !rope.friction);
  return tracker.out;
}

double deepest_penetration(const Rope& rope, const Poses& poses, const Path& path) {
  double deepest = 0;
  const Layout& layout = rope.layout;
  for (const TouchedSurface& surface : layout.surfaces) {
    if (!surface.solid) continue;
    for (size_t j = 0; j + 1 < path.size(); ++j) {
      const Vec3 a = seen_from(layout, surface.place, path[j], poses),
                 b = seen_from(layout, surface.place, path[j + 1], poses);
      for (const double share : {0.003, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 0.99, 0.997}) {
        const Vec3 at = a + share * (b - a);
        if (surface.solid->inside(at)) deepest = std::max(deepest, surface.solid->closest(at).distance);
      }
    }
  }
  return deepest;
}

}  // namespace davit::rope
