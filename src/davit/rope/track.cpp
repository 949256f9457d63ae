#include "davit/rope/track.hpp"

#include <algorithm>

#include "davit/rope/crossing.hpp"

namespace davit::rope {

namespace {

// Depth at which a crossing counts, as part of the size of the surface: above round-off, below all that matters.
constexpr double crossing_depth = 1e-9;

Vec3 in_world(const Layout& layout, const PathNode& n, const Poses& poses) {
  return poses[static_cast<size_t>(layout.place(n))] * layout.local(n);
}
// A node in the axes of the body at a place.
Vec3 seen_from(const Layout& layout, int place, const PathNode& n, const Poses& poses) {
  if (layout.place(n) == place) return layout.local(n);
  const Pose& pose = poses[static_cast<size_t>(place)];
  return pose.R.transpose() * (in_world(layout, n, poses) - pose.p);
}

struct Event {
  Crossing crossing;
  size_t leg = 0;
  int surface = -1, edge = -1;
  bool found() const { return surface >= 0; }
  // The earlier one; at the same time the one on the earlier leg, surface and edge.
  bool before(const Event& other) const {
    if (crossing.tau != other.crossing.tau) return crossing.tau < other.crossing.tau;
    if (leg != other.leg) return leg < other.leg;
    return surface != other.surface ? surface < other.surface : edge < other.edge;
  }
};

// The motion of a path: where each node is at the beginning and at the end, in the axes of its body, and the bodies.
struct Sweep {
  const Poses* from;
  const Poses* to;
  std::vector<MovingPoint> local;
  std::vector<double> since;  // per leg: τ from which it is looked at
  std::vector<Event> first;   // per leg
};

// A corner or an edge of a surface.
struct Listed {
  int surface, index;
};

struct TrackerWork final : TrackWork {
  Sweep sweep;
  std::vector<Listed> passes, gone;
  Path way;
};

class Tracker {
 public:
  Tracker(const Rope& rope, size_t most, Path& path, TrackWork& work)
      : rope_(rope), layout_(rope.layout), most_(most), path_(path), work_(static_cast<TrackerWork&>(work)) {}
  TrackOutcome out;

  void follow(const Poses& from, const Poses& to, const PaidOut& paid) {
    sweep_.from = &from;
    sweep_.to = &to;
    all_rest();
    run_sweep();
    settle(to, paid);
  }

  // `sliding`: false where nodes stay where the rope first met their edges.
  void settle(const Poses& poses, const PaidOut& paid, bool sliding = true) {
    sweep_.from = sweep_.to = &poses;
    const size_t most_rounds = 100 + 6 * path_.size();
    passes_.clear();
    gone_.clear();
    size_t round = 0;
    for (; round < most_rounds; ++round) {
      if (pull_one(poses)) continue;
      if (sliding && slide(poses, paid)) continue;
      if (sliding && pass_corner(poses)) continue;
      if (let_one_go(poses)) continue;
      break;
    }
    out.settled = round < most_rounds;
  }

 private:
  // A motion in which no node moves in its body.
  void all_rest() {
    sweep_.local.resize(path_.size());
    for (size_t i = 0; i < path_.size(); ++i) {
      const Vec3 at = layout_.local(path_[i]);
      sweep_.local[i] = {at, at};
    }
  }
  // A node seen from the axes of a surface, at the two ends of the motion.
  MovingPoint seen(size_t i, const TouchedSurface& surface) const {
    const size_t own = static_cast<size_t>(layout_.place(path_[i])), other = static_cast<size_t>(surface.place);
    const MovingPoint& p = sweep_.local[i];
    if (own == other) return p;
    const auto at = [&](const Poses& poses, const Vec3& local) {
      const Vec3 world = poses[own] * local;
      return Vec3(poses[other].R.transpose() * (world - poses[other].p));
    };
    return {at(*sweep_.from, p.start), at(*sweep_.to, p.end)};
  }

  Event first_event(size_t leg) const {
    Event best;
    for (size_t k = 0; k < layout_.surfaces.size(); ++k) {
      const TouchedSurface& surface = layout_.surfaces[k];
      const MovingPoint a = seen(leg, surface), b = seen(leg + 1, surface);
      const double margin = crossing_depth * surface.size;
      const Vec3 reach =
          (0.5 * (a.end - a.start)).cwiseAbs().cwiseMax((0.5 * (b.end - b.start)).cwiseAbs()).array() + 20 * margin;
      const int surface_index = static_cast<int>(k);
      surface.edges->near_segment(0.5 * (a.start + a.end), 0.5 * (b.start + b.end), reach, [&](int e) {
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
  // Edges at a corner that is being passed are not looked at: which of them the rope crosses is known.
  bool passed(int surface, int edge) const {
    if (surface != passed_surface_) return false;
    const FeatureEdge& e = layout_.surfaces[static_cast<size_t>(surface)].features->edges[static_cast<size_t>(edge)];
    return e.from == passed_corner_ || e.to == passed_corner_;
  }
  bool touches(size_t node, int surface, int edge) const {
    return path_[node].surface == surface && path_[node].edge == edge;
  }

  // Makes nodes of all crossings of the motion in sweep_; true if there were any.
  bool run_sweep() {
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

  PathNode node_of(const Event& event) const {
    PathNode node;
    node.surface = event.surface;
    node.edge = event.edge;
    node.direction = event.crossing.direction;
    node.s = node.s_before = std::clamp(event.crossing.s, layout_.lowest(node), layout_.highest(node));
    return node;
  }

  void insert(const Event& event) {
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

  // Puts a node into a leg; its rope is shared by the lengths on both sides.
  void add_node(size_t leg, PathNode node) {
    out.changed = true;
    PathNode& before = path_[leg];
    const Poses& poses = *sweep_.to;
    const Vec3 at = in_world(layout_, node, poses);
    const double a = (at - in_world(layout_, before, poses)).norm() + 1e-9,
                 b = (in_world(layout_, path_[leg + 1], poses) - at).norm() + 1e-9;
    const double share = b / (a + b);
    node.material = share * before.material;
    before.material -= node.material;
    node.strain_before = before.strain_before;
    path_.insert(path_.begin() + static_cast<std::ptrdiff_t>(leg) + 1, node);
  }
  void erase_node(size_t i) {
    out.changed = true;
    PathNode& before = path_[i - 1];
    const double sum = before.material + path_[i].material;
    if (sum > 0)
      before.strain_before =
          (before.material * before.strain_before + path_[i].material * path_[i].strain_before) / sum;
    before.material = sum;
    path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  // Balances the path; true if nodes came as it slid.
  bool slide(const Poses& poses, const PaidOut& paid) {
    sweep_.local.resize(path_.size());
    for (size_t i = 0; i < path_.size(); ++i) sweep_.local[i].start = layout_.local(path_[i]);
    const BalanceOutcome outcome = balance(rope_, poses, paid, path_, *work_.balance);
    out.balanced = outcome.converged;
    bool moved = false;
    for (size_t i = 0; i < path_.size(); ++i) {
      sweep_.local[i].end = layout_.local(path_[i]);
      moved = moved || (sweep_.local[i].end != sweep_.local[i].start);
    }
    return moved && run_sweep();
  }

  // The node that is highest above what its neighbours see, of those that may go; 0 if all press.
  template <class MayGo>
  size_t highest_above(const Path& path, const Poses& poses, MayGo&& may) const {
    size_t highest = 0;
    double most = 0;
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      if (!path[i].on_edge()) continue;
      const int place = layout_.place(path[i]);
      const double h = height(seen_from(layout_, place, path[i - 1], poses),
                              seen_from(layout_, place, path[i + 1], poses), layout_.edge(path[i]), path[i].direction);
      if (h > most && may(path[i])) {
        most = h;
        highest = i;
      }
    }
    return highest;
  }

  // Lets one node go that does not press; true if there is one.
  bool let_one_go(const Poses& poses) {
    const size_t highest = highest_above(path_, poses, [&](const PathNode& n) { return may_go(n); });
    if (highest == 0) return false;
    gone_.push_back({path_[highest].surface, path_[highest].edge});
    let_go(highest);
    return true;
  }
  // With friction a path may need a node that does not press once it is there; then it stays for this time.
  bool may_go(const PathNode& n) const {
    return !rope_.friction || std::count_if(gone_.begin(), gone_.end(), [&](const Listed& l) {
                                return l.surface == n.surface && l.index == n.edge;
                              }) < 3;
  }
  void let_go(size_t i) {
    PathNode& n = path_[i];
    n.carrier = layout_.place(n);
    n.at = layout_.local(n);
    n.surface = n.edge = -1;
  }

  // Pulls the rope tight where a node was let go: the node moves towards the line between its neighbours and is gone
  // there, or as far as the rope meets an edge, which gets a node of its own. True if there was one.
  bool pull_one(const Poses& poses) {
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

  // The corner that a node is within reach of, or -1.
  int corner(const PathNode& n, double reach) const {
    if (!n.on_edge()) return -1;
    if (n.s <= reach) return layout_.edge(n).from;
    return n.s >= layout_.edge_length(n) - reach ? layout_.edge(n).to : -1;
  }

  // Nodes at a corner: the rope may go round it on the other side, or stay. True if it did.
  bool pass_corner(const Poses& poses) {
    for (size_t i = 1; i + 1 < path_.size(); ++i) {
      const int at = path_[i].on_edge() ? corner(path_[i], 1.001 * layout_.clearance(path_[i])) : -1;
      if (at < 0) continue;
      const int surface = path_[i].surface;
      // What is close is held there by it: a node that is held at the corner holds its neighbours beside it.
      const auto belongs = [&](size_t k) {
        return k > 0 && k + 1 < path_.size() && path_[k].surface == surface &&
               corner(path_[k], std::max(20 * layout_.clearance(path_[k]), 1e-4 * layout_.edge_length(path_[k]))) == at;
      };
      size_t first = i, last = i;
      while (belongs(first - 1)) --first;
      while (belongs(last + 1)) ++last;
      if ((first < last || pulled_beyond(i, at, poses)) && may_pass(surface, at) && go_round(first, last, at, poses)) {
        passes_.push_back({surface, at});
        return true;
      }
      i = last;
    }
    return false;
  }
  // A corner that the rope comes back to again and again is where it rests: friction, or a saddle, holds it there.
  bool may_pass(int surface, int corner_index) const {
    return std::count_if(passes_.begin(), passes_.end(),
                         [&](const Listed& l) { return l.surface == surface && l.index == corner_index; }) < 4;
  }
  bool pulled_beyond(size_t i, int corner_index, const Poses& poses) const {
    const PathNode& n = path_[i];
    if (rope_.friction) return n.at_end;
    const FeatureEdge& e = layout_.edge(n);
    const Vec3 at = layout_.local(n), along = (e.b - e.a).normalized();
    const auto towards = [&](const PathNode& neighbour) {
      return (seen_from(layout_, layout_.place(n), neighbour, poses) - at).normalized();
    };
    const double pull = along.dot(towards(path_[i - 1]) + towards(path_[i + 1]));
    return corner_index == e.from ? pull < 0 : pull > 0;
  }

  // How a node turns about a corner: the place of its edge in the corner's list, and the sense in which the rope
  // crosses it, +1 counter-clockwise seen from outside. Counter-clockwise after an edge that begins here comes its left
  // face, so a rope from left to right turns clockwise.
  struct Turn {
    int place, sense;
  };
  Turn turn(const PathNode& n, const FeatureVertex& vertex, int corner_index) const {
    const bool begins = layout_.edge(n).from == corner_index;
    const int item = begins ? n.edge : ~n.edge;
    return {static_cast<int>(std::find(vertex.edges.begin(), vertex.edges.end(), item) - vertex.edges.begin()),
            begins ? -n.direction : n.direction};
  }

  // Nodes on the convex edges from the face after place `from` in the list to the face after place `to`, in one sense.
  void nodes_between(int surface, const FeatureVertex& vertex, int from, int to, int sense, Path& nodes) const {
    const int count = static_cast<int>(vertex.edges.size());
    for (int face = from; face != to; face = (face + sense + count) % count) {
      const int item = vertex.edges[static_cast<size_t>(sense > 0 ? (face + 1) % count : face)];
      const bool begins = item >= 0;
      PathNode node;
      node.surface = surface;
      node.edge = begins ? item : ~item;
      if (!layout_.edge(node).convex) continue;
      node.direction = begins ? -sense : sense;
      node.s = node.s_before = begins ? layout_.lowest(node) : layout_.highest(node);
      nodes.push_back(node);
    }
  }

  // The nodes first..last are at a corner. Tries to lead the rope round it the other way, or the same way without what
  // is crossed back and forth.
  bool go_round(size_t first, size_t last, int corner_index, const Poses& poses) {
    const FeatureVertex& vertex = layout_.surfaces[static_cast<size_t>(path_[first].surface)]
                                      .features->vertices[static_cast<size_t>(corner_index)];
    const int count = static_cast<int>(vertex.edges.size());
    if (path_.size() + vertex.edges.size() > most_) {
      out.too_many = true;
      return false;
    }
    int sum = 0;
    for (size_t k = first; k <= last; ++k) sum += turn(path_[k], vertex, corner_index).sense;
    const Turn begin = turn(path_[first], vertex, corner_index), end = turn(path_[last], vertex, corner_index);
    const int from = begin.sense > 0 ? (begin.place - 1 + count) % count : begin.place;
    const int to = end.sense > 0 ? end.place : (end.place - 1 + count) % count;
    const int sense = sum < 0 ? -1 : 1;
    const bool straight_on = std::abs(sum) == static_cast<int>(last - first) + 1;
    return lead_round(first, last, corner_index, from, to, -sense, poses) ||
           (!straight_on && lead_round(first, last, corner_index, from, to, sense, poses));
  }

  // A way round a corner, found close to it, between two points on the rope to both sides of it, over those edges that
  // press. It is taken if it is shorter and outside the body.
  bool lead_round(size_t first, size_t last, int corner_index, int from, int to, int sense, const Poses& poses) {
    Path& way = work_.way;
    const int surface = path_[first].surface;
    const TouchedSurface& touched = layout_.surfaces[static_cast<size_t>(surface)];
    const FeatureVertex& vertex = touched.features->vertices[static_cast<size_t>(corner_index)];
    // All that is at the corner, and nothing else, is within this distance of it.
    double near = touched.size;
    for (const int item : vertex.edges) {
      const FeatureEdge& e = touched.features->edges[static_cast<size_t>(item >= 0 ? item : ~item)];
      near = std::min(near, 1e-3 * (e.b - e.a).norm());
    }
    const auto beside = [&](const PathNode& neighbour) {
      const Vec3 way_there = seen_from(layout_, touched.place, neighbour, poses) - vertex.at;
      PathNode node;
      node.carrier = touched.place;
      node.at = vertex.at + std::min(1.0, near / way_there.norm()) * way_there;
      return node;
    };
    way.assign(1, beside(path_[first - 1]));
    nodes_between(surface, vertex, from, to, sense, way);
    way.push_back(beside(path_[last + 1]));
    const Vec3 a = way.front().at, b = way.back().at;
    const double old = (a - vertex.at).norm() + (b - vertex.at).norm();
    if (!(thin_out(way, poses) < old * (1 - 1e-9)) || !is_free(way, touched, poses)) return false;
    if (way.size() == 2) {
      // Nothing presses: the rope is let go on the straight line past the corner.
      PathNode node;
      node.carrier = touched.place;
      node.at = a + (b - a) * std::clamp((vertex.at - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
      way.insert(way.begin() + 1, node);
    }
    replace(first, last, way);
    // From the corner to there is a motion like any other, but for the edges at the corner itself.
    all_rest();
    for (size_t k = first; k + 2 < first + way.size(); ++k) sweep_.local[k].start = vertex.at;
    passed_surface_ = surface;
    passed_corner_ = corner_index;
    run_sweep();
    passed_surface_ = -1;
    return true;
  }

  // Whether a path close to a corner is outside its body, or lies in its faces. Where concave edges meet, it need not.
  bool is_free(const Path& way, const TouchedSurface& surface, const Poses& poses) const {
    if (!surface.solid) return true;
    for (size_t k = 0; k + 1 < way.size(); ++k) {
      const Vec3 a = seen_from(layout_, surface.place, way[k], poses),
                 b = seen_from(layout_, surface.place, way[k + 1], poses);
      for (int i = 1; i < 20; ++i) {
        const Vec3 at = a + 0.05 * i * (b - a);
        if (surface.solid->inside(at) && surface.solid->closest(at).distance > 1e-4 * (b - a).norm()) return false;
      }
    }
    return true;
  }

  // Puts the inner nodes of a small path in the place of some of this one.
  void replace(size_t first, size_t last, const Path& by) {
    bool slipped = false;
    for (size_t k = first; k <= last; ++k) slipped = slipped || path_[k].slips;
    for (size_t k = first; k <= last; ++k) erase_node(first);
    for (size_t k = 1; k + 1 < by.size(); ++k) {
      PathNode node = by[k];
      node.slips = slipped;
      node.s_before = node.s;
      node.slip = 0;
      add_node(first - 1 + (k - 1), node);
    }
  }

  // Shortest length of a small path between two fixed ends, over those of its nodes that press.
  double thin_out(Path& trial, const Poses& poses) {
    while (true) {
      shorten(rope_, poses, trial, *work_.balance);
      const size_t highest = highest_above(trial, poses, [](const PathNode&) { return true; });
      if (highest == 0) break;
      trial.erase(trial.begin() + static_cast<std::ptrdiff_t>(highest));
    }
    double length = 0;
    for (size_t k = 0; k + 1 < trial.size(); ++k)
      length += (in_world(layout_, trial[k + 1], poses) - in_world(layout_, trial[k], poses)).norm();
    return length;
  }

  const Rope& rope_;
  const Layout& layout_;
  size_t most_;
  Path& path_;
  TrackerWork& work_;
  Sweep& sweep_ = work_.sweep;
  int passed_surface_ = -1, passed_corner_ = -1;
  // Corners passed and edges let go since the path was last settled.
  std::vector<Listed>&passes_ = work_.passes, &gone_ = work_.gone;
};

}  // namespace

std::unique_ptr<TrackWork> make_track_work() { return std::make_unique<TrackerWork>(); }

TrackOutcome follow(const Rope& rope, const Poses& from, const Poses& to, const PaidOut& paid, size_t most, Path& path,
                    TrackWork& work) {
  Tracker tracker(rope, most, path, work);
  tracker.follow(from, to, paid);
  return tracker.out;
}

TrackOutcome pull_tight(const Rope& rope, const Poses& poses, size_t most, Path& path, TrackWork& work) {
  Tracker tracker(rope, most, path, work);
  tracker.settle(poses, {}, !rope.friction);
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
