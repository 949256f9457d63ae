// A rope as a force: its path solved for a state and kept at a commit; what ends a run: a rope that would leave its
// sheave, went through a body or is two-blocked.
#include "davit/rope/rope_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "davit/model/measuring.hpp"
#include "davit/rope/rope_work.hpp"

namespace davit::rope {

std::unique_ptr<ElementWork> RopeForce::make_work(double) const { return std::make_unique<Work<double>>(); }
std::unique_ptr<ElementWork> RopeForce::make_work(Dual8) const { return std::make_unique<Work<Dual8>>(); }

std::string RopeForce::summary() const {
  const Layout& layout = setup_.rope.layout;
  std::string text = "rope from " + layout.waypoints.front().name + " to " + layout.waypoints.back().name;
  if (!layout.surfaces.empty()) text += ", may touch " + std::to_string(layout.surfaces.size()) + " surface(s)";
  if (setup_.rope.friction) text += ", with friction";
  return text;
}

std::vector<Coupling> RopeForce::couplings() const {
  std::vector<int> speeds;
  for (const Waypoint& s : setup_.rope.layout.waypoints)
    if (s.spin) speeds.push_back(s.spin->u);
  for (const auto& reel : {setup_.first_reel, setup_.last_reel})
    if (reel && reel->speed()) speeds.push_back(*reel->speed());
  return {{.bodies = setup_.rope.layout.bodies, .speeds = speeds}};
}

// The path and its tensions where the bodies are.
template <class S>
RopeForce::Work<S>& RopeForce::solve(const ContextT<S>& c) const {
  Work<S>& w = committed(c);
  w.see(is_loose(c.kin));
  const bool anew = advance_path(setup_, name(), w.committed, c.kin, w.question, w.here, *w.track);
  if (std::is_same_v<S, double> && !anew) return w;
  w.rates_known = false;
  w.paid = paid_out_since(setup_, w.committed, c.kin);
  w.first = S(w.committed.first_paid) + w.paid.first;
  w.last = S(w.committed.last_paid) + w.paid.last;
  w.material = S(w.committed.material) + w.paid.first + w.paid.last;
  take_poses(setup_.rope.layout, c.kin, w.poses);
  take_over(setup_.rope.layout, c.kin, w.here.state.path, w.committed.poses, w.over);
  evaluate<S>(setup_.rope, w.poses, w.supply(), w.here.state.path, w.t, w.s, *w.track->balance);
  if (w.loose) let_go(w.t);
  return w;
}
template RopeForce::Work<double>& RopeForce::solve(const ContextT<double>&) const;
template RopeForce::Work<Dual8>& RopeForce::solve(const ContextT<Dual8>&) const;

namespace {

void take_numbers(const MotionT<double>& motion, std::vector<double>& out) {
  out.assign({motion.paid.first, motion.paid.last, motion.paid.first_travel, motion.paid.last_travel});
  for (const Pose& pose : motion.poses) {
    out.insert(out.end(), pose.R.data(), pose.R.data() + 9);
    out.insert(out.end(), pose.p.data(), pose.p.data() + 3);
  }
  out.insert(out.end(), motion.over.begin(), motion.over.end());
}

}  // namespace

// How the path goes on with the motion of the bodies, where every leg has its own rope.
template <class S>
const RatesT<S>& RopeForce::find_rates(const ContextT<S>& c, Work<S>& w) const {
  take_motion(setup_, c.kin, w.here.state.path, w.motion);
  if constexpr (std::is_same_v<S, double>) {
    take_numbers(w.motion, w.question);
    if (w.rates_known && same_bits(w.question, w.rates_question)) return w.rates;
    w.rates_question.swap(w.question);
    w.rates_known = true;
  }
  rope::find_rates<S>(setup_.rope, w.poses, w.motion, w.supply(), w.here.state.path, w.rates, *w.track->balance);
  return w.rates;
}
template const RatesT<double>& RopeForce::find_rates(const ContextT<double>&, Work<double>&) const;
template const RatesT<Dual8>& RopeForce::find_rates(const ContextT<Dual8>&, Work<Dual8>&) const;

const RatesT<double>& RopeForce::rates(const ContextT<double>& c) const { return find_rates(c, solve(c)); }

RopeForce::View RopeForce::view(const ContextT<double>& c) const {
  Work<double>& w = solve(c);
  if (setup_.rope.elasticity.damping() == 0) return {w.here.state, w.t, w.t, w.s, w.here.outcome};
  w.acting = w.t;
  w.acting.tension = find_acting(c, w);
  return {w.here.state, w.t, w.acting, w.s, w.here.outcome};
}

double RopeForce::carried(const ContextT<double>& c) const {
  return is_loose(c.kin) ? 0 : largest_tension(setup_.rope, view(c).acting);
}

namespace {

// A taut rope that has unwrapped from a sheave would leave it. Up to a few degrees the difference is of third order.
void check_wraps(const Layout& layout, const std::string& name, const TensionsT<double>& t, const Path& path) {
  constexpr double most = 0.1;  // rad
  for (size_t i = 1; i + 1 < path.size(); ++i)
    if (layout.radius(path[i]) > 0 && path[i].s < -most && t.tension[i] > 0)
      throw Breakdown(name, "the rope has unwrapped from the sheave at '" + layout.waypoint(path[i]).name +
                                "' and would leave it: turn its axis around, or let it pass an eye");
}

// Ends, eyes and sheaves that go through what the rope touches take it along to the other side, where it has no way.
void check_passages(const Layout& layout, const std::string& name, const Poses& from, const PathState& to, double t) {
  const auto found = find_passage(layout, from, to.poses, to.path);
  if (!found) return;
  const Vec3& at = found->at;
  throw Breakdown(
      name,
      fmt::format("'{}' on the rope went through the surface '{}' that the rope touches, at {:.6g} s and [{:.4g}, "
                  "{:.4g}, {:.4g}] m: keep it clear of the surface, or leave that out of 'touches'",
                  layout.waypoint(to.path[found->node]).name, layout.surfaces[static_cast<size_t>(found->surface)].name,
                  t, at.x(), at.y(), at.z()));
}

}  // namespace

bool RopeForce::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  Work<double>& w = solve(c);
  PathState& end = w.kept;
  end = w.here.state;
  const PaidOut paid = paid_out_between(setup_, w.committed, end);
  keep_wraps(setup_.rope.layout, w.t, end.path);
  check_wraps(setup_.rope.layout, name(), w.t, end.path);
  check_passages(setup_.rope.layout, name(), w.committed.poses, end, c.kin.t);
  if (const std::string why = two_block_.found(setup_.rope.layout, end, w.t, c.kin.t); !why.empty())
    throw Breakdown(name(), why);
  for (size_t i = 0; i < end.path.size(); ++i) {
    const PathNode& n = end.path[i];
    if (!setup_.rope.friction || i == 0 || i + 1 == end.path.size() || setup_.rope.layout.spins(n)) continue;
    // What the rope gives up as it goes over: the jump of T, and of the energy that strained rope carries with it.
    const auto carried = [&](size_t j) {
      return material_pull(setup_.rope.elasticity, w.t.tension[j], w.t.strain[j]) - w.t.tension[j];
    };
    end.friction_work += (drive_over(setup_.rope, w.t, i) + carried(i) - carried(i - 1)) * n.slip;
    if (n.on_edge()) end.friction_work += force_on(setup_.rope, w.t, i).dot(w.t.along[i]) * (n.s - n.s_before);
  }
  begin_step(setup_.rope, paid, end.path);
  keep_gauges(setup_.rope.layout, w.t.strain, end.path);
  write(end, discrete, c.first_slot);
  return w.here.outcome.changed;
}

}  // namespace davit::rope

namespace davit {
template class ForceOf<rope::RopeForce>;
}  // namespace davit
