#include "davit/rope/balance.hpp"

#include <cmath>
#include <numbers>

namespace davit::rope {

namespace {

// A node with its place in the world taken apart: on an edge it is `end.at + s along`.
template <class S>
struct PlacedNode {
  LegEndT<S> end;
  Vec3T<S> along = Vec3T<S>::Zero();
};

template <class S>
PlacedNode<S> place(const Layout& layout, const PathNode& n, const PosesT<S>& poses) {
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

template <class S>
Vec3T<S> direction(const LegT<S>& leg) {
  return (leg.to - leg.from) / leg.length;
}

// Legs and their lengths with arcs: those over a sheave are told apart at the mark on it.
template <class S>
void make_legs(const Layout& layout, const Path& path, const std::vector<PlacedNode<S>>& placed,
               const std::vector<S>& s, TensionsT<S>& out) {
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

struct Coefficients {
  double sticking = 0, slipping = 0;
};
Coefficients coefficients(const Layout& layout, const PathNode& n) {
  if (n.on_edge()) {
    const TouchedSurface& s = layout.surfaces[static_cast<size_t>(n.surface)];
    return {s.static_friction, s.kinetic_friction};
  }
  const Waypoint& s = layout.waypoint(n);
  return {s.static_friction, s.kinetic_friction};
}

bool on_same_body(const Layout& layout, const PathNode& a, const PathNode& b) {
  return a.on_edge() && b.on_edge() && layout.place(a) == layout.place(b);
}

// Forces at a node and what friction can bear.
template <class S>
struct NodeForces {
  S jump, jump_bound;  // T_after - T_before
  S pull, pull_bound;  // along the edge
};

template <class S>
NodeForces<S> forces_at(const Rope& rope, const Path& path, const TensionsT<S>& t, size_t i, double mu) {
  using std::exp;
  using std::sqrt;
  const LegT<S>&before = t.legs[i - 1], &after = t.legs[i];
  const S &tb = t.tension[i - 1], &ta = t.tension[i];
  NodeForces<S> f{drive_over(rope, t, i), S(0), S(0), S(0)};
  const Vec3T<S> force = force_on(rope, t, i);
  if (path[i].on_edge()) f.pull = force.dot(t.along[i]);
  if (mu == 0) return f;
  const S lower = value_of(ta) < 0 || value_of(tb) < 0 ? S(0) : value_of(ta) < value_of(tb) ? ta : tb;
  if (rope.layout.radius(path[i]) > 0) {
    const S load2 = force.squaredNorm();
    if (rope.layout.waypoint(path[i]).post)
      f.jump_bound = (exp(S(mu) * wrap_angle(path[i], before, after)) - S(1)) * lower;
    else if (value_of(load2) > 0)
      f.jump_bound = S(mu) * sqrt(load2);
    return f;
  }
  const S width2 = (direction(after) - direction(before)).squaredNorm();  // (2 sin θ/2)²
  const S width = value_of(width2) > 1e-20 ? sqrt(width2) : S(0);
  switch (rope.law) {
    case FrictionLaw::coulomb: {
      const bool inside_before = on_same_body(rope.layout, path[i - 1], path[i]);
      const bool inside_after = on_same_body(rope.layout, path[i], path[i + 1]);
      const double share = inside_before == inside_after ? 0.5 : inside_before ? 1 : 0;
      f.jump_bound = S(mu) * width * (S(share) * tb + S(1 - share) * ta);
      break;
    }
    case FrictionLaw::capstan: {
      using std::asin;
      const S half = value_of(width) < 2 ? S(0.5) * width : S(1);
      const S angle = value_of(half) < 1 ? S(2) * asin(half) : S(std::numbers::pi);
      f.jump_bound = (exp(S(mu) * angle) - S(1)) * lower;
      break;
    }
    case FrictionLaw::sharp: {
      const S cosine2 = S(1) - S(0.25) * width2;
      const S cosine = value_of(cosine2) > 1e-12 ? sqrt(cosine2) : S(1e-6);
      f.jump_bound = S(0.5 * mu) * width / cosine * (ta + tb);
      break;
    }
  }
  if (value_of(f.jump_bound) < 0) f.jump_bound = S(0);
  if (path[i].on_edge()) {
    const S across2 = force.squaredNorm() - f.pull * f.pull;
    f.pull_bound = value_of(across2) > 0 ? S(mu) * sqrt(across2) : S(0);
  }
  return f;
}

// Rope and tension of each leg, with the slip over nodes.
template <class S>
void fill_tensions(const Rope& rope, const Path& path, const std::vector<S>& slip, const S& first, const S& last,
                   TensionsT<S>& out) {
  const size_t legs = out.legs.size();
  out.material.resize(legs);
  out.strain.resize(legs);
  out.tension.resize(legs);
  for (size_t j = 0; j < legs; ++j) {
    S material = S(path[j].material) + slip[j] - slip[j + 1];
    if (j == 0) material += first;
    if (j + 1 == legs) material += last;
    out.material[j] = material;
    out.strain[j] = (out.length[j] - material) / material;
    out.tension[j] = rope.elasticity.tension(out.strain[j]);
  }
}

// Scratch that lives as long as its thread, so that the step loop allocates nothing.
template <class S>
struct Scratch {
  std::vector<PlacedNode<S>> placed;
  std::vector<S> s, slip;
  std::vector<S> over;  // per node: slip that the angle of a sheave gives
  TensionsT<S> t;

  void place_all(const Layout& layout, const Path& path, const PosesT<S>& poses) {
    placed.resize(path.size());
    for (size_t i = 0; i < path.size(); ++i) placed[i] = place(layout, path[i], poses);
  }
};

// The shortest path over the edges: Newton's method on the total length, which is convex in the places of the nodes.
// Neighbours of neighbours share a derivative's direction.
using Dual3 = Dual<3>;

struct ShortestWork {
  std::vector<PlacedNode<double>> placed;
  std::vector<PlacedNode<Dual3>> placed_dual;
  std::vector<double> s, trial;
  std::vector<Dual3> s_dual;
  TensionsT<double> t;
  TensionsT<Dual3> t_dual;
  BlockTridiagonal<1> matrix;
  std::vector<Eigen::Matrix<double, 1, 1>> step;
  std::vector<char> held;
};

template <class From, class To>
PlacedNode<To> constant(const PlacedNode<From>& n) {
  PlacedNode<To> out;
  out.end.radius = n.end.radius;
  out.end.at = n.end.at.template cast<To>();
  out.end.axis = n.end.axis.template cast<To>();
  out.end.reference = n.end.reference.template cast<To>();
  out.along = n.along.template cast<To>();
  return out;
}

PlacedNode<double> values(const PlacedNode<Dual8>& n) {
  const auto value = [](const Vec3T<Dual8>& v) { return Vec3(v[0].value, v[1].value, v[2].value); };
  PlacedNode<double> out;
  out.end.radius = n.end.radius;
  out.end.at = value(n.end.at);
  out.end.axis = value(n.end.axis);
  out.end.reference = value(n.end.reference);
  out.along = value(n.along);
  return out;
}

// ∂L/∂s of a node: minus the pull along its edge of unit tension.
template <class S>
S slope_of_length(const TensionsT<S>& t, size_t i) {
  return -t.along[i].dot(Vec3T<S>(t.legs[i - 1].pull_to + t.legs[i].pull_from));
}

// Nodes on edges slide; the two ends are held.
bool movable(const Path& path, size_t i) { return i > 0 && i + 1 < path.size() && path[i].on_edge(); }

// The matrix of second derivatives of the length, at work.s; rows of nodes that do not move are those of the identity.
void second_derivatives(const Rope& rope, const Path& path, ShortestWork& work) {
  const size_t n = path.size();
  work.placed_dual.resize(n);
  work.s_dual.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.placed_dual[i] = constant<double, Dual3>(work.placed[i]);
    work.s_dual[i] = movable(path, i) ? Dual3::variable(work.s[i], static_cast<int>(i % 3)) : Dual3(work.s[i]);
  }
  make_legs(rope.layout, path, work.placed_dual, work.s_dual, work.t_dual);
  work.matrix.resize(n);
  work.step.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.step[i].setZero();
    work.matrix.diagonal(i)(0, 0) = 1;
    if (!movable(path, i) || work.held[i]) continue;
    const Dual3 slope = slope_of_length(work.t_dual, i);
    work.step[i](0, 0) = -slope.value;
    // A rope along its own edge has no curvature there.
    work.matrix.diagonal(i)(0, 0) =
        slope.d[i % 3] + 1e-9 / rope.layout.surfaces[static_cast<size_t>(path[i].surface)].size;
    work.matrix.lower(i)(0, 0) = slope.d[(i + 2) % 3];
    work.matrix.upper(i)(0, 0) = slope.d[(i + 1) % 3];
    if (!movable(path, i - 1)) work.matrix.lower(i)(0, 0) = 0;
    if (!movable(path, i + 1)) work.matrix.upper(i)(0, 0) = 0;
  }
}

ShortestWork& shortest_work(BalanceWork&);

}  // namespace

BalanceOutcome shorten(const Rope& rope, const Poses& poses, Path& path, BalanceWork& scratch) {
  ShortestWork& work = shortest_work(scratch);
  const size_t n = path.size();
  BalanceOutcome out;
  work.placed.resize(n);
  work.s.resize(n);
  work.trial.resize(n);
  work.held.assign(n, 0);
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    work.placed[i] = place(rope.layout, path[i], poses);
    work.s[i] = path[i].s;
    any = any || movable(path, i);
  }
  if (!any) return out;
  make_legs(rope.layout, path, work.placed, work.s, work.t);
  for (out.iterations = 0; out.iterations < 100; ++out.iterations) {
    const double before = work.t.total_length;
    // The directions of legs, and so the slopes, have the round-off of places over their lengths.
    bool at_rest = true;
    for (size_t i = 0; i < n; ++i) {
      if (!movable(path, i)) continue;
      const double slope = slope_of_length(work.t, i);
      work.held[i] = (work.s[i] <= rope.layout.lowest(path[i]) && slope > 0) ||
                     (work.s[i] >= rope.layout.highest(path[i]) && slope < 0);
      const double shortest = std::min(work.t.legs[i - 1].length, work.t.legs[i].length);
      const double round_off = 4e-16 * (1 + work.t.legs[i].from.cwiseAbs().maxCoeff() / shortest);
      at_rest = at_rest && (work.held[i] || std::abs(slope) <= round_off);
    }
    if (at_rest) break;
    second_derivatives(rope, path, work);
    work.matrix.factor();
    work.matrix.solve<1>(work.step);
    double share = 1, change = 0;
    for (int halving = 0;; ++halving) {
      change = 0;
      for (size_t i = 0; i < n; ++i) {
        work.trial[i] = work.s[i];
        if (!movable(path, i)) continue;
        const double to = work.s[i] + share * work.step[i](0, 0);
        work.trial[i] = std::clamp(to, rope.layout.lowest(path[i]), rope.layout.highest(path[i]));
        change = std::max(change, std::abs(work.trial[i] - work.s[i]));
      }
      make_legs(rope.layout, path, work.placed, work.trial, work.t);
      if (work.t.total_length <= before + 1e-14 * before || halving > 20) break;
      share /= 2;
    }
    work.s = work.trial;
    if (change <= 1e-13 * before) break;
  }
  out.converged = out.iterations < 100;
  for (size_t i = 0; i < n; ++i)
    if (movable(path, i)) path[i].s = work.s[i];
  return out;
}

namespace {

// With friction: unknowns s and σ of every node between the ends. Sticking and slipping are one projection (Alart &
// Curnier 1991): with p = (A + ρσ, E a/b + ρ Δs) a node sticks while |p| ≤ a, and else (A/a, E/b) = p/|p|; Newton's
// method on it is a search for the set of nodes that slip.
using Dual6 = Dual<6>;

// `breaks`: it has come loose in this step, kinetic friction acts from here on; `at_end`: of its edge, pulled beyond.
struct Holding {
  bool breaks = false, slips = false, at_end = false;
};

// Friction in the search for a balance. While bounds are held, the balance is the lowest point of a convex function,
//   Σ N W(l/N - 1) - Σ c σ + Σ √(k (a σ² + b Δs² + m creep²)),
// of all places and slips: the energy of legs, a linear term and the work of friction, smooth at the scale of `creep`.
// Its slopes are the law of friction if c is what the derivative of energy by rope differs from the jump of tension,
// and k = (a σ² + b Δs²)/(σ² + Δs²), which makes up for slip that is not at right angles to the cone where a ≠ b.
struct SoftBound {
  double jump = 0, pull = 0;                           // a, b (N)
  double scale = 0;                                    // k (N)
  double offset = 0;                                   // c (N)
  double mean() const { return 0.5 * (jump + pull); }  // m
};
struct Softened {
  double creep = 0;  // m; 0: not softened
  std::vector<SoftBound> bound;
};

struct FrictionWork {
  Softened softened;
  std::vector<double> s_start, slip_start;
  Scratch<double> plain;
  Scratch<Dual6> dual;
  BlockTridiagonal<2> matrix;
  std::vector<Eigen::Matrix<double, 2, 1>> step;
  std::vector<Holding> holding, found;
};

struct AllWork final : BalanceWork {
  ShortestWork shortest;
  FrictionWork friction;
  std::vector<Eigen::Matrix<double, 1, 8>> right_of_shortest;
  std::vector<Eigen::Matrix<double, 2, 8>> right_of_friction;
  Scratch<double> plain;
  Scratch<Dual8> dual;

  Scratch<double>& scratch(double) { return plain; }
  Scratch<Dual8>& scratch(Dual8) { return dual; }
};
AllWork& all_work(BalanceWork& work) { return static_cast<AllWork&>(work); }
ShortestWork& shortest_work(BalanceWork& work) { return all_work(work).shortest; }

// Minus the derivative of the energy by the slip over node i. Legs that push (friction_tensions) have W = T e/2.
template <class S>
S energy_drive(const Rope& rope, const TensionsT<S>& t, size_t i) {
  const auto pull = [&](size_t j) {
    const S& e = t.strain[j];
    const S stored = value_of(e) < 0 ? S(S(0.5) * t.tension[j] * e) : rope.elasticity.energy(e);
    return t.tension[j] * (S(1) + e) - stored - S(rope.weight) * height_of_leg(t, j);
  };
  return pull(i) - pull(i - 1);
}

// Forces at node i that are only round-off: places are known to the last digit of their coordinates, the strain of a
// leg to that over its length.
template <class S>
double force_round_off(const Rope& rope, const TensionsT<S>& t, size_t i) {
  const auto reach = [&](size_t k) {
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) most = std::max(most, std::abs(value_of(t.at[k][axis])));
    return most;
  };
  double sum = 0;
  for (size_t j = i - 1; j <= i; ++j) {
    const double length = value_of(t.length[j]), place = 1e-15 * (reach(j) + reach(j + 1) + length);
    sum += rope.elasticity.stiffness() * place / std::min(value_of(t.material[j]), length);
  }
  return sum;
}

// Whether p is beyond the bound, and its direction.
template <class S>
bool slips_at(const NodeForces<S>& f, const S& slip, const S& moved, const S& stiffness, bool on_edge, double round_off,
              S* heading) {
  using std::sqrt;
  const S weight = value_of(f.pull_bound) > 0 ? S(f.jump_bound / f.pull_bound) : S(1);
  const S over = f.jump + stiffness * slip;
  const S along = on_edge ? S(weight * f.pull + stiffness * moved) : S(0);
  const S square = over * over + along * along;
  const double bound = value_of(f.jump_bound) * (1 + 1e-9) + round_off;
  if (value_of(square) <= bound * bound) return false;
  const S size = sqrt(square);
  heading[0] = over / size;
  heading[1] = along / size;
  return true;
}

// The two equations of a node, in newtons where it slips and metres where it sticks; says whether it slips.
template <class S>
bool node_equations(const Rope& rope, const Path& path, const Scratch<S>& w, size_t i, const Holding& holding,
                    const Softened& softened, S* out) {
  const PathNode& n = path[i];
  if (rope.layout.spins(n)) {
    out[0] = w.s[i] - S(value_of(w.s[i]));
    out[1] = w.slip[i] - w.over[i];
    return false;
  }
  if (softened.creep > 0) {
    using std::sqrt;
    const SoftBound& bound = softened.bound[i];
    const NodeForces<S> f = forces_at(rope, path, w.t, i, 0);
    const S way = n.on_edge() ? S(w.s[i] - S(n.s_before)) : S(0);
    const S square = S(bound.jump) * w.slip[i] * w.slip[i] + S(bound.pull) * way * way +
                     S(bound.mean() * softened.creep * softened.creep);
    const S factor = bound.scale > 0 ? S(sqrt(S(bound.scale) / square)) : S(0);
    const bool slides = n.on_edge() && !holding.at_end;
    out[0] = slides ? S(f.pull - factor * S(bound.pull) * way) : S(w.s[i] - S(value_of(w.s[i])));
    out[1] = energy_drive(rope, w.t, i) - S(bound.offset) - factor * S(bound.jump) * w.slip[i];
    return true;
  }
  const Coefficients c = coefficients(rope.layout, n);
  const bool kinetic = n.slips || holding.breaks || c.sticking <= c.slipping;
  const NodeForces<S> f = forces_at(rope, path, w.t, i, kinetic ? c.slipping : c.sticking);
  const S moved = n.on_edge() ? S(w.s[i] - S(n.s_before)) : S(0);
  // How fast the jump falls as rope goes over the node.
  const S stiffness = S(rope.elasticity.stiffness()) * (S(1) / w.t.material[i - 1] + S(1) / w.t.material[i]);
  S heading[2] = {S(0), S(0)};
  const bool no_friction = c.slipping == 0 && kinetic;
  const double round_off = 1e-14 * rope.elasticity.stiffness() + force_round_off(rope, w.t, i);
  if (!no_friction && !slips_at(f, w.slip[i], moved, stiffness, n.on_edge(), round_off, heading)) {
    out[0] = n.on_edge() ? moved : S(w.s[i] - S(value_of(w.s[i])));
    out[1] = w.slip[i];
    return false;
  }
  const NodeForces<S> bound = kinetic ? f : forces_at(rope, path, w.t, i, c.slipping);
  out[1] = f.jump - heading[0] * bound.jump_bound;
  if (!n.on_edge() || holding.at_end)
    out[0] = w.s[i] - S(value_of(w.s[i]));
  else
    out[0] = f.pull - heading[1] * bound.pull_bound;
  return true;
}

// While the balance is sought, a slack leg between two waypoints pushes: rope that goes over a waypoint then always
// changes the jump of tension, and Newton's method does not run to and fro over a kink. In balance the legs of a
// waypoint that slips are both taut or both slack, and of slack ones only that counts.
template <class S>
void friction_tensions(const Rope& rope, const Path& path, const S& first, const S& last, bool softened,
                       Scratch<S>& w) {
  make_legs(rope.layout, path, w.placed, w.s, w.t);
  fill_tensions(rope, path, w.slip, first, last, w.t);
  for (size_t j = 0; j < w.t.legs.size(); ++j) {
    if (value_of(w.t.strain[j]) >= 0) continue;
    const bool between_stations = !path[j].on_edge() && !path[j + 1].on_edge();
    if (between_stations || softened)
      w.t.tension[j] = S((between_stations ? 1 : 1e-4) * rope.elasticity.stiffness()) * w.t.strain[j];
  }
}

void fill_matrix(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work) {
  const size_t n = path.size();
  Scratch<Dual6>& d = work.dual;
  d.placed.resize(n);
  d.s.resize(n);
  d.slip.resize(n);
  d.over.resize(n);
  for (size_t i = 0; i < n; ++i) {
    d.over[i] = Dual6(work.plain.over[i]);
    d.placed[i] = constant<double, Dual6>(work.plain.placed[i]);
    const bool inside = i > 0 && i + 1 < n;
    const int first = 2 * static_cast<int>(i % 3);
    d.s[i] = inside ? Dual6::variable(work.plain.s[i], first) : Dual6(work.plain.s[i]);
    d.slip[i] = inside ? Dual6::variable(work.plain.slip[i], first + 1) : Dual6(0);
  }
  // Slack legs answer a little, so that nothing runs away; the residual itself knows nothing of that.
  friction_tensions(rope, path, Dual6(paid.first), Dual6(paid.last), work.softened.creep == 0, d);
  work.matrix.resize(n);
  work.step.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.step[i].setZero();
    work.matrix.diagonal(i).setIdentity();
    if (i == 0 || i + 1 == n) continue;
    Dual6 r[2];
    double residual[2];
    node_equations(rope, path, d, i, work.holding[i], work.softened, r);
    node_equations(rope, path, work.plain, i, work.holding[i], work.softened, residual);
    for (int row = 0; row < 2; ++row) {
      work.step[i][row] = -residual[row];
      for (int column = 0; column < 2; ++column) {
        const auto at = [&](size_t node) { return r[row].d[2 * (node % 3) + static_cast<size_t>(column)]; };
        work.matrix.diagonal(i)(row, column) = at(i);
        work.matrix.lower(i)(row, column) = i > 1 ? at(i + 2) : 0;
        work.matrix.upper(i)(row, column) = i + 2 < n ? at(i + 1) : 0;
      }
    }
    if (work.softened.creep > 0) continue;
    // What does not answer at all (a slack leg, a rope along its edge) stays where it is.
    for (int k = 0; k < 2; ++k)
      if (work.matrix.diagonal(i)(k, k) == 0 && work.step[i][k] == 0) work.matrix.diagonal(i)(k, k) = 1;
    if (std::abs(work.matrix.diagonal(i).determinant()) == 0) work.matrix.diagonal(i).setIdentity();
  }
}

// Whether a node slips where the work stands, and whether it is pulled beyond the end of its edge; true if that
// changed.
bool reconsider(const Rope& rope, const Path& path, FrictionWork& work, size_t i) {
  const PathNode& n = path[i];
  if (rope.layout.spins(n)) return false;
  Holding& holding = work.holding[i];
  const Holding old = holding;
  double unused[2];
  holding.slips = node_equations(rope, path, work.plain, i, holding, work.softened, unused);
  holding.breaks = holding.breaks || holding.slips;
  holding.at_end = false;
  if (holding.slips && n.on_edge()) {
    const double s = work.plain.s[i];
    const double pull = forces_at(rope, path, work.plain.t, i, coefficients(rope.layout, n).slipping).pull;
    holding.at_end = (s <= rope.layout.lowest(n) && pull < 0) || (s >= rope.layout.highest(n) && pull > 0);
  }
  return holding.slips != old.slips || holding.at_end != old.at_end;
}

// One step of Newton's method, as far as legs keep rope and nodes stay near; gives the largest change.
double step_on(const Rope& rope, const Path& path, FrictionWork& work, double share) {
  Scratch<double>& w = work.plain;
  const size_t n = path.size();
  const double full = share;
  for (size_t i = 1; i + 1 < n; ++i)
    if (!work.step[i].allFinite()) work.step[i].setZero();
  for (size_t j = 0; j + 1 < n; ++j) {
    const Vec3 stretch = work.step[j + 1][0] * w.t.along[j + 1] - work.step[j][0] * w.t.along[j];
    share = std::min(share, 0.7 * w.t.legs[j].length / std::max(stretch.norm(), 1e-300));
    const double gain = work.step[j][1] - work.step[j + 1][1];
    if (gain < 0) share = std::min(share, -0.7 * w.t.material[j] / gain);
  }
  double change = 0;
  for (size_t i = 1; i + 1 < n; ++i) {
    if (path[i].on_edge()) {
      const double to =
          std::clamp(w.s[i] + share * work.step[i][0], rope.layout.lowest(path[i]), rope.layout.highest(path[i]));
      change = std::max(change, std::abs(to - w.s[i]));
      w.s[i] = to;
    }
    w.slip[i] += share * work.step[i][1];
    change = std::max(change, std::abs(share * work.step[i][1]));
  }
  // A step that was cut short has not arrived, however short it was.
  return share < full ? std::max(change, 1.0) : change;
}

// Rope that is strained by less than this is slack to all intents.
constexpr double slack_strain = 2e-10;

// Forces at node i that count as none: a part of the largest tension, what slack rope may pull with, and round-off.
double small_force(const Rope& rope, const TensionsT<double>& t, size_t i, double precision) {
  double most = 0;
  for (const double tension : t.tension) most = std::max(most, std::abs(tension));
  return precision * most + slack_strain * rope.elasticity.stiffness() + force_round_off(rope, t, i);
}

// Whether all legs have rope and all nodes obey the law but for round-off.
bool in_balance(const Rope& rope, const Path& path, const FrictionWork& work) {
  const TensionsT<double>& t = work.plain.t;
  for (const double material : t.material)
    if (!(material > 0)) return false;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    double r[2];
    const bool slips = node_equations(rope, path, work.plain, i, work.holding[i], work.softened, r);
    const double small = slips ? small_force(rope, t, i, 1e-11) : 1e-13 * (1 + t.total_length);
    if (slips != work.holding[i].slips || !(std::abs(r[0]) <= small) || !(std::abs(r[1]) <= small)) return false;
  }
  return true;
}

bool solve_friction(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work, int most,
                    BalanceOutcome& out) {
  Scratch<double>& w = work.plain;
  for (int iteration = 0; iteration < most; ++iteration, ++out.iterations) {
    bool changed = false;
    for (size_t i = 1; i + 1 < path.size(); ++i) changed = reconsider(rope, path, work, i) || changed;
    fill_matrix(rope, path, paid, work);
    work.matrix.factor();
    work.matrix.solve<1>(work.step);
    const double change = step_on(rope, path, work, 1);
    friction_tensions(rope, path, paid.first, paid.last, false, w);
    // Where legs are very short, round-off of their tensions moves nodes to and fro for ever.
    const bool arrived = change <= 1e-13 * (1 + w.t.total_length) || iteration > 20;
    if (!changed && arrived && in_balance(rope, path, work)) return true;
  }
  return false;
}

// Brings the bounds of friction, and all else that is held while the energy is lowered, nearer to what they are at the
// present tensions, by a share of the difference; true if that is nothing to speak of.
bool follow_bounds(const Rope& rope, const Path& path, double share, FrictionWork& work) {
  const TensionsT<double>& t = work.plain.t;
  bool settled = true;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const PathNode& n = path[i];
    if (rope.layout.spins(n)) continue;
    const Coefficients c = coefficients(rope.layout, n);
    const bool kinetic = n.slips || work.holding[i].breaks || c.sticking <= c.slipping;
    const NodeForces<double> f = forces_at(rope, path, t, i, kinetic ? c.slipping : c.sticking);
    const SoftBound old = work.softened.bound[i];
    SoftBound& bound = work.softened.bound[i];
    bound = {std::max(0.0, f.jump_bound), n.on_edge() ? f.pull_bound : 0, 0, energy_drive(rope, t, i) - f.jump};
    const double slip = work.plain.slip[i], way = n.on_edge() ? work.plain.s[i] - n.s_before : 0;
    const double square = slip * slip + way * way;
    bound.scale = square > 0 ? (bound.jump * slip * slip + bound.pull * way * way) / square : bound.mean();
    const double change = std::max({std::abs(bound.jump - old.jump), std::abs(bound.pull - old.pull),
                                    std::abs(bound.offset - old.offset), std::abs(bound.scale - old.scale)});
    bound = {old.jump + share * (bound.jump - old.jump), old.pull + share * (bound.pull - old.pull),
             old.scale + share * (bound.scale - old.scale), old.offset + share * (bound.offset - old.offset)};
    settled = settled && change <= small_force(rope, t, i, 1e-11);
  }
  return settled;
}

// Holds nodes at the ends of their edges that are pulled beyond, lets go of the others; true if no force is left but
// `precision` of the tension and round-off.
bool hold_at_ends(const Rope& rope, const Path& path, double precision, FrictionWork& work) {
  bool still = true;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const PathNode& n = path[i];
    if (rope.layout.spins(n)) continue;
    bool& at_end = work.holding[i].at_end;
    at_end = false;
    double r[2];
    node_equations(rope, path, work.plain, i, work.holding[i], work.softened, r);
    if (n.on_edge()) {
      const double s = work.plain.s[i];
      at_end = (s <= rope.layout.lowest(n) && r[0] < 0) || (s >= rope.layout.highest(n) && r[0] > 0);
    }
    // Softened friction tells creep from the last digit of places.
    const double creep =
        4e-16 * std::max(n.s_before, work.plain.s[i]) * work.softened.bound[i].pull / work.softened.creep;
    const double small = small_force(rope, work.plain.t, i, precision) + creep;
    still = still && (at_end || std::abs(r[0]) <= small) && std::abs(r[1]) <= small;
  }
  return still;
}

// Newton's direction of the softened energy, in which no node at the end of its edge leaves it.
void downhill(const Rope& rope, const Path& path, const PaidOut& paid, double damping, FrictionWork& work) {
  const size_t n = path.size();
  const double least = damping * rope.elasticity.stiffness() / work.plain.t.total_length;
  for (bool again = true; again;) {
    fill_matrix(rope, path, paid, work);
    for (size_t i = 1; i + 1 < n; ++i) {
      if (rope.layout.spins(path[i])) continue;
      if (path[i].on_edge() && !work.holding[i].at_end) work.matrix.diagonal(i)(0, 0) -= least;
      work.matrix.diagonal(i)(1, 1) -= least;
    }
    work.matrix.factor();
    work.matrix.solve<1>(work.step);
    again = false;
    for (size_t i = 1; i + 1 < n; ++i) {
      if (!path[i].on_edge() || work.holding[i].at_end) continue;
      const double s = work.plain.s[i], way = work.step[i][0];
      work.holding[i].at_end =
          (s <= rope.layout.lowest(path[i]) && way < 0) || (s >= rope.layout.highest(path[i]) && way > 0);
      again = again || work.holding[i].at_end;
    }
  }
}

// Minus the slope of the softened energy along the step.
double descent(const Rope& rope, const Path& path, FrictionWork& work) {
  double sum = 0;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    if (rope.layout.spins(path[i])) continue;
    double r[2];
    node_equations(rope, path, work.plain, i, work.holding[i], work.softened, r);
    sum += r[1] * work.step[i][1];
    if (path[i].on_edge() && !work.holding[i].at_end) sum += r[0] * work.step[i][0];
  }
  return sum;
}

// How far along the step legs keep rope and nodes stay on their edges.
double longest_share(const Rope& rope, const Path& path, const FrictionWork& work) {
  double share = 1;
  for (size_t j = 0; j + 1 < path.size(); ++j) {
    const double gain = work.step[j][1] - work.step[j + 1][1];
    if (gain < 0) share = std::min(share, -0.9 * work.plain.t.material[j] / gain);
  }
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const double way = work.step[i][0], s = work.plain.s[i];
    if (!path[i].on_edge() || way == 0) continue;
    share = std::min(share, ((way < 0 ? rope.layout.lowest(path[i]) : rope.layout.highest(path[i])) - s) / way);
  }
  return share;
}

// Lowers the softened energy to its lowest point by Newton's method. A convex function falls along a line as long as
// its slope is negative: the line search looks at slopes alone, which round-off spoils much later than energies.
bool descend(const Rope& rope, const Path& path, const PaidOut& paid, double precision, FrictionWork& work) {
  Scratch<double>& w = work.plain;
  const auto go = [&](double share) {
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      w.slip[i] = work.slip_start[i] + share * work.step[i][1];
      if (path[i].on_edge())
        w.s[i] = std::clamp(work.s_start[i] + share * work.step[i][0], rope.layout.lowest(path[i]),
                            rope.layout.highest(path[i]));
    }
    friction_tensions(rope, path, paid.first, paid.last, false, w);
    return descent(rope, path, work);
  };
  constexpr double least_damping = 1e-9;
  double damping = least_damping;
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (hold_at_ends(rope, path, precision, work)) return true;
    downhill(rope, path, paid, damping, work);
    const double steep = descent(rope, path, work);
    if (!(steep > 0 && std::isfinite(steep))) {
      // Round-off of a very short leg has hidden the way down; a shorter step is nearer to the steepest one.
      if (damping >= 1e4) return false;
      damping = std::max(100 * damping, 1e-4);
      continue;
    }
    work.s_start = w.s;
    work.slip_start = w.slip;
    double low = 0, at_low = steep, high = longest_share(rope, path, work);
    double at_high = go(high);
    double share = high;
    for (int k = 0; k < 60 && at_high < -0.3 * steep; ++k) {
      share = low + std::clamp(at_low / (at_low - at_high), 0.1, 0.9) * (high - low);
      const double there = go(share);
      if (std::abs(there) <= 0.3 * steep) break;
      (there > 0 ? low : high) = share;
      (there > 0 ? at_low : at_high) = there;
    }
    // Where legs turn slack and taut along the way, shorter steps fare better.
    damping = share < high ? std::clamp(3 * damping, 1e-4, 1e4) : std::max(0.3 * damping, least_damping);
  }
  return false;
}

// Friction lets no tension jump from something to nothing: between two nodes where rope is held, all legs are taut or
// all are slack. Where there is rope enough for all, every leg gets its share; so it does where one has so little that
// nothing can be told from its tension.
void share_rope(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work) {
  Scratch<double>& w = work.plain;
  const size_t n = path.size();
  for (size_t first = 0, last; first + 1 < n; first = last) {
    double material = 0, length = 0;
    bool starved = false;
    for (last = first; last == first || (last + 1 < n && !rope.layout.spins(path[last])); ++last) {
      material += w.t.material[last];
      length += w.t.length[last];
      starved = starved || !(w.t.material[last] > 0.1 * w.t.length[last]);
    }
    const bool slack = rope.weight == 0 && length <= material * (1 + slack_strain);
    if (!slack && !starved) continue;
    for (size_t j = first; j + 1 < last; ++j)
      w.slip[j + 1] = w.slip[j] + path[j].material + (j == 0 ? paid.first : 0) - material * w.t.length[j] / length;
  }
  friction_tensions(rope, path, paid.first, paid.last, false, w);
}

// Brings the rope close to its balance from anywhere: friction is smooth at first and less and less so, its bounds
// follow the tensions. Nodes that are found to slip come loose. False if it was not found; what is found is a balance
// in which nodes that stick have crept by at most the last `creep` or so.
bool search(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work) {
  constexpr double first = 1e-2, last = 1e-10, again = 1e-5;
  Scratch<double>& w = work.plain;
  Softened& soft = work.softened;
  soft.bound.assign(path.size(), SoftBound{});
  const double length = w.t.total_length;
  double creep = first;
  share_rope(rope, path, paid, work);
  follow_bounds(rope, path, 1, work);
  for (int round = 0; round < 200; ++round) {
    soft.creep = creep * length;
    const bool coarse = creep > 1.5 * last;
    const bool lowest = descend(rope, path, paid, coarse ? 1e-4 : 1e-11, work);
    share_rope(rope, path, paid, work);
    const bool settled = follow_bounds(rope, path, round < 30 ? 1 : 0.5, work);
    if (coarse) {
      creep *= 0.1;
      continue;
    }
    if (!settled || !lowest) continue;
    bool more = false;
    for (size_t i = 1; i + 1 < path.size(); ++i) {
      Holding& holding = work.holding[i];
      const double way = path[i].on_edge() ? w.s[i] - path[i].s_before : 0;
      holding.slips = !rope.layout.spins(path[i]) && std::hypot(w.slip[i], way) > 100 * soft.creep;
      more = more || (holding.slips && !holding.breaks);
      holding.breaks = holding.breaks || holding.slips;
    }
    if (!more) return true;
    creep = again;
  }
  return false;
}

// From what the search found to the sharp law, if Newton's method goes there at once.
void polish(const Rope& rope, const Path& path, const PaidOut& paid, FrictionWork& work, BalanceOutcome& out) {
  Scratch<double>& w = work.plain;
  work.found = work.holding;
  work.s_start = w.s;
  work.slip_start = w.slip;
  work.softened.creep = 0;
  if (solve_friction(rope, path, paid, work, 30, out)) {
    out.converged = true;
    return;
  }
  work.holding = work.found;
  w.s = work.s_start;
  w.slip = work.slip_start;
}

BalanceOutcome hold(const Rope& rope, const Poses& poses, const PaidOut& paid, Path& path, FrictionWork& work) {
  const size_t n = path.size();
  BalanceOutcome out;
  if (n < 3) return out;
  Scratch<double>& w = work.plain;
  w.place_all(rope.layout, path, poses);
  work.softened.creep = 0;
  const auto begin = [&] {
    w.s.resize(n);
    w.slip.assign(n, 0);
    w.over.resize(n);
    work.holding.assign(n, Holding{});
    for (size_t i = 0; i < n; ++i) {
      w.s[i] = path[i].on_edge() ? path[i].s_before : path[i].s;
      w.over[i] = path[i].slip;
      if (rope.layout.spins(path[i])) w.slip[i] = path[i].slip;
    }
    friction_tensions(rope, path, paid.first, paid.last, false, w);
  };
  begin();
  out.converged = solve_friction(rope, path, paid, work, 40, out);
  if (!out.converged) {
    begin();
    out.converged = search(rope, path, paid, work);
    polish(rope, path, paid, work, out);
  }
  for (size_t i = 1; i + 1 < n; ++i) {
    if (path[i].on_edge()) path[i].s = w.s[i];
    path[i].slip = w.slip[i];
    path[i].slipping = work.holding[i].slips;
    path[i].at_end = work.holding[i].at_end;
  }
  return out;
}

// ds (and dσ) by the implicit function theorem: the equations of all nodes at the balanced values with poses that vary.
void differentiate_shortest(const Rope& rope, const Path& path, Scratch<Dual8>& w, AllWork& all) {
  const size_t n = path.size();
  ShortestWork& work = all.shortest;
  auto& right = all.right_of_shortest;
  work.placed.resize(n);
  work.s.resize(n);
  work.held.assign(n, 0);
  right.resize(n);
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    any = any || movable(path, i);
    work.placed[i] = values(w.placed[i]);
    work.s[i] = path[i].s;
    work.held[i] =
        path[i].on_edge() && (path[i].s <= rope.layout.lowest(path[i]) || path[i].s >= rope.layout.highest(path[i]));
  }
  if (!any) return;
  second_derivatives(rope, path, work);
  work.matrix.factor();
  for (size_t i = 0; i < n; ++i) {
    right[i].setZero();
    if (!movable(path, i) || work.held[i]) continue;
    const Dual8 slope = slope_of_length(w.t, i);
    for (int k = 0; k < 8; ++k) right[i][k] = -slope.d[static_cast<size_t>(k)];
  }
  work.matrix.solve<8>(right);
  for (size_t i = 0; i < n; ++i)
    if (path[i].on_edge())
      for (int k = 0; k < 8; ++k) w.s[i].d[static_cast<size_t>(k)] = right[i][k];
}

void differentiate_friction(const Rope& rope, const SupplyT<Dual8>& supply, const Path& path, Scratch<Dual8>& w,
                            AllWork& all) {
  const size_t n = path.size();
  FrictionWork& work = all.friction;
  auto& right = all.right_of_friction;
  work.plain.placed.resize(n);
  work.plain.s.resize(n);
  work.plain.slip.resize(n);
  work.plain.over.resize(n);
  work.softened.creep = 0;
  work.holding.resize(n);
  right.resize(n);
  for (size_t i = 0; i < n; ++i) {
    work.plain.placed[i] = values(w.placed[i]);
    work.plain.s[i] = path[i].s;
    work.plain.slip[i] = path[i].slip;
    work.plain.over[i] = value_of(w.over[i]);
    work.holding[i] = {path[i].slipping, path[i].slipping, path[i].at_end};
  }
  const PaidOut paid{value_of(supply.first), value_of(supply.last)};
  friction_tensions(rope, path, paid.first, paid.last, false, work.plain);
  fill_matrix(rope, path, paid, work);
  work.matrix.factor();
  for (size_t i = 0; i < n; ++i) {
    right[i].setZero();
    if (i == 0 || i + 1 == n) continue;
    Dual8 r[2];
    node_equations(rope, path, w, i, work.holding[i], work.softened, r);
    for (int row = 0; row < 2; ++row)
      for (int k = 0; k < 8; ++k) right[i](row, k) = -r[row].d[static_cast<size_t>(k)];
  }
  work.matrix.solve<8>(right);
  for (size_t i = 1; i + 1 < n; ++i)
    for (int k = 0; k < 8; ++k) {
      w.s[i].d[static_cast<size_t>(k)] = path[i].on_edge() ? right[i](0, k) : 0;
      w.slip[i].d[static_cast<size_t>(k)] = right[i](1, k);
    }
}

}  // namespace

std::unique_ptr<BalanceWork> make_balance_work() { return std::make_unique<AllWork>(); }

BalanceOutcome balance(const Rope& rope, const Poses& poses, const PaidOut& paid, Path& path, BalanceWork& work) {
  return rope.friction ? hold(rope, poses, paid, path, all_work(work).friction) : shorten(rope, poses, path, work);
}

template <class S>
void evaluate(const Rope& rope, const PosesT<S>& poses, const SupplyT<S>& supply, const Path& path, TensionsT<S>& out,
              std::vector<S>& s_of_nodes, BalanceWork& work) {
  Scratch<S>& w = all_work(work).scratch(S(0));
  const size_t n = path.size();
  w.place_all(rope.layout, path, poses);
  w.s.resize(n);
  w.slip.resize(n);
  w.over.resize(n);
  for (size_t i = 0; i < n; ++i) {
    w.s[i] = S(path[i].s);
    w.slip[i] = S(path[i].slip);
    const bool given = supply.over && rope.layout.spins(path[i]);
    w.over[i] = given ? (*supply.over)[static_cast<size_t>(path[i].waypoint)] : S(path[i].slip);
  }
  const auto fill = [&] {
    make_legs(rope.layout, path, w.placed, w.s, w.t);
    if (rope.friction) {
      fill_tensions(rope, path, w.slip, supply.first, supply.last, w.t);
      return;
    }
    const size_t legs = n - 1;
    w.t.material.resize(legs);
    const S strain = (w.t.total_length - supply.material) / supply.material;
    w.t.strain.assign(legs, strain);
    w.t.tension.assign(legs, rope.elasticity.tension(strain));
    for (size_t j = 0; j < legs; ++j) w.t.material[j] = supply.material * w.t.length[j] / w.t.total_length;
  };
  const auto finish = [&] {
    out = w.t;
    s_of_nodes = w.s;
  };
  fill();
  if constexpr (!std::is_same_v<S, double>) {
    if (n < 3) return finish();
    if (rope.friction)
      differentiate_friction(rope, supply, path, w, all_work(work));
    else
      differentiate_shortest(rope, path, w, all_work(work));
    fill();
  }
  finish();
}

template <class S>
void evaluate_legs(const Rope& rope, const PosesT<S>& poses, const Path& path, const std::vector<S>& s_of_nodes,
                   TensionsT<S>& out, BalanceWork& work) {
  Scratch<S>& w = all_work(work).scratch(S(0));
  w.place_all(rope.layout, path, poses);
  make_legs(rope.layout, path, w.placed, s_of_nodes, out);
}

double friction_misfit(const Rope& rope, const Poses& poses, const PaidOut& paid, const Path& path) {
  if (!rope.friction) return 0;
  TensionsT<double> t;
  std::vector<double> s;
  evaluate<double>(rope, poses, {0, paid.first, paid.last}, path, t, s, *make_balance_work());
  double worst = 0;
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    if (path[i].at_end || rope.layout.spins(path[i])) continue;
    const Coefficients c = coefficients(rope.layout, path[i]);
    const auto f = forces_at(rope, path, t, i, path[i].slipping || path[i].slips ? c.slipping : c.sticking);
    const double least = 1e-9 * rope.elasticity.stiffness() + force_round_off(rope, t, i);
    const double a = f.jump / (f.jump_bound + least), b = path[i].on_edge() ? f.pull / (f.pull_bound + least) : 0;
    worst = std::max(worst, std::hypot(a, b) - 1);
  }
  return std::max(worst, 0.0);
}

template void evaluate(const Rope&, const PosesT<double>&, const SupplyT<double>&, const Path&, TensionsT<double>&,
                       std::vector<double>&, BalanceWork&);
template void evaluate(const Rope&, const PosesT<Dual8>&, const SupplyT<Dual8>&, const Path&, TensionsT<Dual8>&,
                       std::vector<Dual8>&, BalanceWork&);
template void evaluate_legs(const Rope&, const PosesT<double>&, const Path&, const std::vector<double>&,
                            TensionsT<double>&, BalanceWork&);
template void evaluate_legs(const Rope&, const PosesT<Dual8>&, const Path&, const std::vector<Dual8>&,
                            TensionsT<Dual8>&, BalanceWork&);

}  // namespace davit::rope
