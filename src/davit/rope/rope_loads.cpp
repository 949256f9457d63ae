// What a rope does to the model, at an instant and over a step, and its energy.
#include "davit/rope/rope_work.hpp"

namespace davit::rope {

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

// A rotor that turns at φ̇ about its axis n, while its holder turns at Ω, has the momentum I φ̇ n; to turn it takes the
// moment I φ̇ Ω × n, and the holder feels the opposite. It does no work.
template <class S>
void add_gyroscopic_moments(const RopeSetup& setup, const KinT<S>& kin, LoadsT<S>& loads) {
  const auto add = [&](const Waypoint& at, const S& speed) {
    if (at.inertia == 0 || at.frame.body == 0) return;
    const Vec3T<S>& turns = kin.body[static_cast<size_t>(at.frame.body)].w;
    loads.add_moment(at.frame.body, Vec3T<S>(axis_of(at, kin).cross(turns) * (S(at.inertia) * speed)));
  };
  for (const Waypoint& sheave : setup.rope.layout.waypoints)
    if (sheave.rotor) add(sheave, S(kin.u[sheave.spin->u]));
  for (const int end : {0, 1})
    if (on_rotor(setup, end))
      add(waypoint_of(setup, end), S(S(giving_out(end)) * kin.u[*reel_of(setup, end)->speed()]));
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

// What unstretched rope does where it is given out or carried over: to reels, and to sheaves with inertia, over which
// it goes from the leg before to the leg after. `strained(j)`: the pull of strained rope of leg j; a piston, which
// winds nothing, feels the tension. Heights are those of `at`.
template <class S, class Strained>
void add_material_pulls(const RopeSetup& setup, const Path& path, const KinT<S>& kin, const TensionsT<S>& at,
                        const std::vector<S>& tension, const Strained& strained, LoadsT<S>& loads) {
  const Layout& layout = setup.rope.layout;
  const S weight(setup.rope.weight);
  const auto pull = [&](size_t j) { return strained(j) - weight * height_of_leg(at, j); };
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    if (!layout.spins(path[i])) continue;
    const Waypoint& sheave = layout.waypoint(path[i]);
    const S moment = S(sheave.radius / path[i].gauge) * (pull(i) - pull(i - 1));
    loads.tau[static_cast<size_t>(sheave.spin->u)] += moment;
    if (sheave.rotor && sheave.frame.body != 0)
      loads.add_moment(sheave.frame.body, Vec3T<S>(axis_of(sheave, kin) * S(-moment)));
  }
  for (const int end : {0, 1}) {
    const auto& reel = reel_of(setup, end);
    if (!reel) continue;
    const size_t leg = end == 0 ? 0 : path.size() - 2;
    const S height = (end == 0 ? at.at.front() : at.at.back()).z() - height_of_leg(at, leg);
    const S given = (on_piston(setup, end) ? tension[leg] : strained(leg)) + weight * height;
    reel->add_pull(kin, given, loads);
    react_on_holder(setup, end, kin, S(reel->radius(kin) * given), loads);
  }
}

}  // namespace

template <class S>
const std::vector<S>& RopeForce::find_acting(const ContextT<S>& c, Work<S>& w) const {
  const Rope& rope = setup_.rope;
  const Path& path = w.here.state.path;
  w.tension = w.t.tension;
  if (rope.elasticity.damping() == 0) return w.tension;
  const size_t legs = w.t.legs.size();
  const auto damp = [&](size_t j, const S& rate) {
    w.tension[j] = rope.elasticity.damped(w.t.tension[j], value_of(w.t.strain[j]), rate);
  };
  if (rope.friction) {
    const RatesT<S>& rates = find_rates(c, w);
    for (size_t j = 0; j < legs; ++j) damp(j, rates.strain[j]);
    return w.tension;
  }
  // ė = (l̇ - ẋ - (1 + e) Ṅ)/N of the whole rope, of which pistons give out x and reels wind off the rest.
  S rate(0), stretching(0);
  for (size_t j = 0; j < legs; ++j) rate += rate_of_leg(rope.layout, path, c.kin, w.t.legs[j], j);
  for (size_t j = 0; j < legs; ++j) stretching += w.t.stretching[j];
  for (const int end : {0, 1})
    rate -= rate_of_giving_out(setup_, end, c.kin) * (S(1) + (on_piston(setup_, end) ? S(0) : w.t.strain.front()));
  for (size_t j = 0; j < legs; ++j) damp(j, S(rate / stretching));
  return w.tension;
}

template <class S>
void RopeForce::add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
  Work<S>& w = solve(c);
  const Rope& rope = setup_.rope;
  const Path& path = w.here.state.path;
  find_acting(c, w);
  add_gyroscopic_moments(setup_, c.kin, loads);
  add_pulls(rope.layout, path, c.kin, w.t, w.tension, loads);
  if (rope.weight > 0) {
    w.weight.resize(w.t.legs.size());
    for (size_t j = 0; j < w.weight.size(); ++j) w.weight[j] = S(rope.weight) * w.t.material[j];
    add_weights(rope, path, c.kin, w.t.at, w.weight, w.first, w.last, loads);
  }
  add_material_pulls(
      setup_, path, c.kin, w.t, w.tension,
      [&](size_t j) { return material_pull(rope.elasticity, w.tension[j], w.t.strain[j]); }, loads);
}

template <class S>
void RopeForce::add_step_loads(const StepContextT<S>& c, LoadsT<S>& loads) const {
  Work<S>& w = committed(c.point);
  const Rope& rope = setup_.rope;
  w.see(is_loose(c.start));
  // Where the step begins: as committed, unless the step is a part of one.
  if (advance_path(setup_, name(), w.committed, c.start, w.question, w.begin, *w.track)) {
    w.start = w.begin.state;
    const PaidOut before = paid_out_between(setup_, w.committed, w.start);
    evaluate<double>(rope, w.start.poses, {w.start.material, before}, w.start.path, w.t_start, w.s_start,
                     *w.track->balance);
    if (w.loose) let_go(w.t_start);
    begin_step(rope, before, w.start.path);
    for (size_t j = 0; j + 1 < w.start.path.size(); ++j) w.start.path[j].strain_before = w.t_start.strain[j];
    w.end.known = false;
  }
  // Where it ends. From here on w.t and w.s are of that path, no longer of the one where the bodies are.
  w.here.known = false;
  const PaidOutT<S> paid = paid_out_since(setup_, w.start, c.end);
  advance_path(setup_, name(), w.start, c.end, w.question, w.end, *w.track);
  const Path& path = w.end.state.path;
  take_poses(rope.layout, c.end, w.poses);
  take_over(rope.layout, c.end, path, w.start.poses, w.over);
  evaluate<S>(rope, w.poses, {S(w.start.material) + paid.first + paid.last, paid, &w.over}, path, w.t, w.s,
              *w.track->balance);
  if (w.loose) let_go(w.t);
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
    const double halfway = 0.5 * (path[j].strain_before + value_of(w.t.strain[j]));
    w.t.tension[j] = rope.elasticity.damped(elastic, halfway, S((w.t.strain[j] - e0) / S(c.h)));
  }
  add_gyroscopic_moments(setup_, c.point.kin, loads);
  add_pulls(rope.layout, path, c.point.kin, w.point, w.t.tension, loads);
  if (rope.weight > 0) {
    w.weight.resize(nodes - 1);
    for (size_t j = 0; j + 1 < nodes; ++j) w.weight[j] = S(0.5 * rope.weight) * (S(path[j].material) + w.t.material[j]);
    add_weights(rope, path, c.point.kin, w.point.at, w.weight, S(S(w.start.first_paid) + S(0.5) * paid.first),
                S(S(w.start.last_paid) + S(0.5) * paid.last), loads);
  }
  add_material_pulls(setup_, path, c.point.kin, w.point, w.t.tension, reel_pull, loads);
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
  for (size_t j = 0; j < w.t.strain.size(); ++j) sum += w.t.stretching[j] * rope.elasticity.energy(w.t.strain[j]);
  return sum;
}

double RopeForce::potential_rate(const ContextT<double>& c) const {
  const View v = view(c);
  const Rope& rope = setup_.rope;
  double sum = 0;
  for (size_t j = 0; j < v.tensions.legs.size(); ++j)
    sum += v.tensions.tension[j] * rate_of_leg(rope.layout, v.state.path, c.kin, v.tensions.legs[j], j);
  const auto strained = [&](size_t j) {
    return material_pull(rope.elasticity, v.tensions.tension[j], v.tensions.strain[j]);
  };
  const auto pull = [&](size_t j) { return strained(j) - rope.weight * height_of_leg(v.tensions, j); };
  const auto& at = v.tensions.at;
  for (const int end : {0, 1}) {
    const size_t leg = end == 0 ? 0 : v.tensions.legs.size() - 1;
    const double height = (end == 0 ? at.front() : at.back()).z() - height_of_leg(v.tensions, leg);
    sum -= ((on_piston(setup_, end) ? v.tensions.tension[leg] : strained(leg)) + rope.weight * height) *
           rate_of_giving_out(setup_, end, c.kin);
  }
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
  const RatesT<double>& go = rates(c);
  for (size_t i = 1; i + 1 < v.state.path.size(); ++i) {
    sum -= (pull(i) - pull(i - 1)) * go.over[i];
    if (v.state.path[i].on_edge()) sum -= force_on(rope, v.tensions, i).dot(v.tensions.along[i]) * go.along[i];
  }
  return sum;
}

template const std::vector<double>& RopeForce::find_acting(const ContextT<double>&, Work<double>&) const;
template void RopeForce::add_loads(const ContextT<double>&, LoadsT<double>&, double*) const;
template void RopeForce::add_loads(const ContextT<Dual8>&, LoadsT<Dual8>&, Dual8*) const;
template void RopeForce::add_step_loads(const StepContextT<double>&, LoadsT<double>&) const;
template void RopeForce::add_step_loads(const StepContextT<Dual8>&, LoadsT<Dual8>&) const;
template double RopeForce::potential_energy(const ContextT<double>&) const;
template Dual8 RopeForce::potential_energy(const ContextT<Dual8>&) const;

}  // namespace davit::rope
