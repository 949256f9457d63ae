// How a rope goes round the corners of a surface.
#include <algorithm>

#include "davit/rope/tracker.hpp"

namespace davit::rope {

int Tracker::corner(const PathNode& n, double reach) const {
  if (!n.on_edge()) return -1;
  if (n.s <= reach) return layout_.edge(n).from;
  return n.s >= layout_.edge_length(n) - reach ? layout_.edge(n).to : -1;
}

bool Tracker::pass_corner(const Poses& poses) {
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
      leave(passes_, {surface, at});
      return true;
    }
    i = last;
  }
  return false;
}

bool Tracker::may_pass(int surface, int corner_index) const {
  return std::count(passes_.begin(), passes_.end(), Listed{surface, corner_index}) < 4;
}

bool Tracker::pulled_beyond(size_t i, int corner_index, const Poses& poses) const {
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

Tracker::Turn Tracker::turn(const PathNode& n, const FeatureVertex& vertex, int corner_index) const {
  const bool begins = layout_.edge(n).from == corner_index;
  const int item = begins ? n.edge : ~n.edge;
  return {static_cast<int>(std::find(vertex.edges.begin(), vertex.edges.end(), item) - vertex.edges.begin()),
          begins ? -n.direction : n.direction};
}

void Tracker::nodes_between(int surface, const FeatureVertex& vertex, int from, int to, int sense, Path& nodes) const {
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

bool Tracker::go_round(size_t first, size_t last, int corner_index, const Poses& poses) {
  const FeatureVertex& vertex =
      layout_.surfaces[static_cast<size_t>(path_[first].surface)].features->vertices[static_cast<size_t>(corner_index)];
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

bool Tracker::lead_round(size_t first, size_t last, int corner_index, int from, int to, int sense, const Poses& poses) {
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
    const double square = (b - a).squaredNorm();
    node.at = square > 0 ? Vec3(a + (b - a) * std::clamp((vertex.at - a).dot(b - a) / square, 0.0, 1.0)) : a;
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

bool Tracker::is_free(const Path& way, const TouchedSurface& surface, const Poses& poses) const {
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

void Tracker::replace(size_t first, size_t last, const Path& by) {
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

double Tracker::thin_out(Path& trial, const Poses& poses) {
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

}  // namespace davit::rope
