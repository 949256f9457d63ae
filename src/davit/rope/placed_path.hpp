// A path placed in the world: its nodes, the legs between them and their tensions, in one scalar. For those who balance
// it (balance.hpp).
#pragma once

#include "davit/rope/balance.hpp"

namespace davit::rope {

// A node with its place in the world taken apart: on an edge it is `end.at + s along`.
template <class S>
struct PlacedNode {
  LegEndT<S> end;
  Vec3T<S> along = Vec3T<S>::Zero();
};

template <class S>
PlacedNode<S> place_node(const Layout& layout, const PathNode& n, const PosesT<S>& poses) {
  const PoseT<S>& pose = poses[static_cast<size_t>(layout.place(n))];
  PlacedNode<S> placed;
  if (n.on_edge()) {
    const FeatureEdge& e = layout.edge(n);
    placed.end.at = pose * Vec3T<S>(as<S>(e.a));
    placed.along = pose.R * as<S>(Vec3((e.b - e.a).normalized()));
    return placed;
  }
  if (n.let_go()) {
    placed.end.at = pose * Vec3T<S>(as<S>(n.at));
    return placed;
  }
  const Waypoint& waypoint = layout.waypoint(n);
  placed.end.at = pose * Vec3T<S>(as<S>(waypoint.frame.offset.p));
  placed.end.radius = waypoint.radius;
  if (waypoint.radius > 0) {
    placed.end.axis = pose.R * as<S>(Vec3(waypoint.frame.offset.R.col(2)));
    placed.end.reference = pose.R * as<S>(Vec3(waypoint.frame.offset.R.col(0)));
  }
  return placed;
}

template <class S>
LegEndT<S> shifted(const PlacedNode<S>& node, const S& s) {
  LegEndT<S> end = node.end;
  end.at += s * node.along;
  return end;
}

// Which legs are found anew: what nodes on edges have for s moves only those that end there.
enum class Legs { all, at_edges };
inline bool ends_at_edge(const Path& path, size_t leg) { return path[leg].on_edge() || path[leg + 1].on_edge(); }

// Legs and their lengths with arcs: those over a sheave are told apart at the mark on it.
template <class S>
void make_legs(const Layout& layout, const Path& path, const std::vector<PlacedNode<S>>& placed,
               const std::vector<S>& s, TensionsT<S>& out, Legs which = Legs::all) {
  const size_t n = path.size();
  out.legs.resize(n - 1);
  out.length.resize(n - 1);
  out.along.resize(n);
  out.at.resize(n);
  for (size_t i = 0; i < n; ++i) out.along[i] = placed[i].along;
  const auto end = [&](size_t i) { return path[i].on_edge() ? shifted(placed[i], s[i]) : placed[i].end; };
  LegEndT<S> from = end(0);
  out.at[0] = from.at;
  for (size_t j = 0; j + 1 < n; ++j) {
    const LegEndT<S> to = end(j + 1);
    out.at[j + 1] = to.at;
    if (which == Legs::all || ends_at_edge(path, j))
      out.legs[j] = layout.gap_after(path[j]) ? no_leg(from, to) : leg(from, to);
    out.length[j] = out.legs[j].measure;
    from = to;
  }
  // What an angle is off its branch, and the mark.
  const auto shift = [](const PathNode& node, const S& angle) {
    return value_of(unwrapped(angle, node.s)) - value_of(angle) - node.mark;
  };
  for (size_t i = 1; i + 1 < n; ++i) {
    const double radius = layout.radius(path[i]);
    if (radius == 0) continue;
    out.length[i] += S(radius * shift(path[i], S(out.legs[i].angle_from - out.legs[i - 1].angle_to)));
    out.length[i - 1] += S(radius * path[i].mark);
  }
  out.length.front() += S(layout.radius(path.front()) * shift(path.front(), out.legs.front().angle_from));
  out.length.back() -= S(layout.radius(path.back()) * shift(path.back(), out.legs.back().angle_to));
  out.total_length = S(0);
  for (const S& l : out.length) out.total_length += l;
}

// Rope and tension of each leg, with the slip over nodes.
template <class S>
void fill_tensions(const Rope& rope, const Path& path, const std::vector<S>& slip, const PaidOutT<S>& paid,
                   TensionsT<S>& out) {
  const size_t legs = out.legs.size();
  out.material.resize(legs);
  out.stretching.resize(legs);
  out.strain.resize(legs);
  out.tension.resize(legs);
  for (size_t j = 0; j < legs; ++j) {
    S material = S(path[j].material) + slip[j] - slip[j + 1], travel(0);
    if (j == 0) material += paid.first, travel += paid.first_travel;
    if (j + 1 == legs) material += paid.last, travel += paid.last_travel;
    out.material[j] = material;
    out.stretching[j] = material - travel;
    out.strain[j] = (out.length[j] - material) / out.stretching[j];
    out.tension[j] = rope.elasticity.tension(out.strain[j]);
  }
}

template <class To>
PlacedNode<To> as_constant(const PlacedNode<double>& n) {
  PlacedNode<To> out;
  out.end.radius = n.end.radius;
  out.end.at = n.end.at.template cast<To>();
  out.end.axis = n.end.axis.template cast<To>();
  out.end.reference = n.end.reference.template cast<To>();
  out.along = n.along.template cast<To>();
  return out;
}

template <int N>
PlacedNode<double> values_of(const PlacedNode<Dual<N>>& n) {
  const auto value = [](const Vec3T<Dual<N>>& v) { return Vec3(v[0].value, v[1].value, v[2].value); };
  PlacedNode<double> out;
  out.end.radius = n.end.radius;
  out.end.at = value(n.end.at);
  out.end.axis = value(n.end.axis);
  out.end.reference = value(n.end.reference);
  out.along = value(n.along);
  return out;
}

// A path in one scalar; kept, so that the step loop allocates nothing.
template <class S>
struct PlacedPath {
  std::vector<PlacedNode<S>> placed;
  std::vector<S> s, slip;
  std::vector<S> over;  // per node: slip that the angle of a sheave gives
  TensionsT<S> t;

  void place_all(const Layout& layout, const Path& path, const PosesT<S>& poses) {
    placed.resize(path.size());
    for (size_t i = 0; i < path.size(); ++i) placed[i] = place_node(layout, path[i], poses);
  }
};

}  // namespace davit::rope
