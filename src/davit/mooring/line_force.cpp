// When the inside of a mooring line is solved, and what of it is kept: step, breaking, snaps, what is shown.
#include "davit/mooring/line_force.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/cable/snap.hpp"
#include "davit/html/display_unit.hpp"

namespace davit::mooring {

std::string LineForce::summary() const {
  return "mooring line, " + line_->describe() + (choice_.empty() ? "" : " " + choice_);
}

void LineForce::draw(const ContextT<double>& c, Polyline& out) const {
  const cable::LineView& v = view(c);
  out.vertices.resize(v.positions.size());
  for (size_t i = 0; i < v.positions.size(); ++i)
    out.vertices[i] = {
        .at = v.positions[i], .tension = i < v.tension.size() ? v.tension[i] : 0, .gap_after = v.gap > 0 && i == v.gap};
}

MooringStrand::Loads LineForce::loads(const ContextT<double>& c) const {
  const cable::LineView& v = view(c);
  return {v.tension_b,    v.tension_a,       std::atan2(-v.force_b.z(), v.force_b.head<2>().norm()),
          v.uplift_angle, v.grounded_length, v.safety_factor};
}

std::vector<DiscreteSlot> LineForce::discrete_slots() const {
  const int whole = Kept::state + line_->state_size(), pieces = Kept::pieces + line_->size_of_pieces();
  return {{name() + ": mooring line", may_break() ? std::max(whole, pieces) : whole, 1}};
}

// Whether its ends are where the line was left; bodies may be put elsewhere before a run goes on.
bool LineForce::holds(std::span<const double> kept, const cable::LineEnds& ends) const {
  constexpr double near = 1e-9;  // m
  const cable::LineEnds left = line_->ends(kept.data() + Kept::state);
  const auto same = [](const Vec3& x, const Vec3& y) { return (x - y).norm() < near; };
  return same(left.a, ends.a) && same(left.b, ends.b) && (!clamps_.a || same(left.direction_a, ends.direction_a)) &&
         (!clamps_.b || same(left.direction_b, ends.direction_b));
}

const cable::EndForces& LineForce::solve(std::span<const double> kept, double time, const cable::LineEnds& ends,
                                         Work& w) const {
  const bool begun = kept[Kept::begun] > 0;
  const double from = begun ? kept[Kept::time] : -std::numeric_limits<double>::infinity();
  if (w.found && w.from == from && w.time == time && w.ends == ends) return w.forces;
  w.found = w.solved = true;
  w.from = from;
  w.time = time;
  w.ends = ends;
  w.forces.anchored = a_.body == 0;
  const cable::Outcome outcome = is_broken(kept) ? solve_pieces(kept, time, ends, w) : solve_whole(kept, time, ends, w);
  w.solved = outcome.converged;
  w.residual = outcome.residual;
  if (!outcome.converged) w.forces.a = w.forces.b = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  return w.forces;
}

cable::Outcome LineForce::solve_whole(std::span<const double> kept, double time, const cable::LineEnds& ends,
                                      Work& w) const {
  const bool begun = kept[Kept::begun] > 0;
  const double* state = kept.data() + Kept::state;
  if (begun && time > kept[Kept::time])
    return line_->step(state, kept[Kept::time], time - kept[Kept::time], ends, w.after.data(), w.forces, *w.scratch);
  if (kept[Kept::moved] <= 0 || !holds(kept, ends))
    return line_->settle(ends, w.after.data(), w.forces, *w.scratch, begun ? state : nullptr);
  // Where a step begins.
  std::copy_n(state, line_->state_size(), w.after.begin());
  forces_kept(kept, w.forces);
  return {.converged = true};
}

void LineForce::forces_kept(std::span<const double> kept, cable::EndForces& forces) {
  forces.a = Eigen::Map<const Vec3>(kept.data() + Kept::force);
  forces.b = Eigen::Map<const Vec3>(kept.data() + Kept::force + 3);
  forces.moment_a = Eigen::Map<const Vec3>(kept.data() + Kept::force + 6);
  forces.moment_b = Eigen::Map<const Vec3>(kept.data() + Kept::force + 9);
  forces.tangent.setZero();
  forces.bending.setZero();
}

std::string LineForce::unsolved(const ElementWork& of) const {
  const Work& w = static_cast<const Work&>(of);
  if (w.solved) return {};
  return fmt::format(
      "the mooring line finds no shape between its ends{}: its bed may be too hard for its elements, or its ends may "
      "move too suddenly; give it a softer bed (seabed: {{stiffness: ...}}), shorter elements or a shorter step",
      std::isfinite(w.residual) && w.residual > 0 ? " (" + html::with_unit(w.residual, "N") + " are left)" : "");
}

std::vector<double> LineForce::breakpoints() const {
  return std::isinf(breaks_.at) ? std::vector<double>() : std::vector<double>{breaks_.at};
}

void LineForce::count_snaps(double tension, std::span<double> kept) const {
  if (kept[Kept::moved] <= 0) kept[Kept::rest_tension] = tension;
  if (cable::snaps(tension, kept[Kept::rest_tension], kept[Kept::slack])) kept[Kept::snap_count] += 1;
}

bool LineForce::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  auto kept = discrete.record(c.first_slot, 0);
  Work& w = work(c.work);
  const cable::EndForces& found = solve(kept, c.kin.t, ends_at(c.kin), w);
  const bool whole = !is_broken(kept);
  if (whole) {
    std::copy(w.after.begin(), w.after.end(), kept.begin() + Kept::state);
    line_->commit(kept.data() + Kept::state);
  } else {
    keep_pieces(kept, w);
  }
  Ends<double>::Map(kept.data() + Kept::force) = all(found);
  if (kept[Kept::begun] > 0 && c.kin.t > kept[Kept::time]) kept[Kept::moved] = 1;
  if (whole) count_snaps(found.b.norm(), kept);
  kept[Kept::begun] = 1;
  kept[Kept::time] = c.kin.t;
  w.found = false;
  const Fate fate = whole ? fate_now(c, kept, w) : Fate::holds;
  if (fate != Fate::holds) break_now(kept, fate == Fate::let_go, w);
  return fate != Fate::holds;
}

// Of a whole line. The search for an equilibrium before the first step breaks nothing.
LineForce::Fate LineForce::fate_now(const ContextT<double>& c, std::span<const double> kept, Work& w) const {
  const bool let_go = connected_ && connected_->value(c.kin) < 0.5;
  if ((breaks_.never() && !let_go) || kept[Kept::moved] <= 0) return Fate::holds;
  if (let_go) return Fate::let_go;
  line_->look(kept.data() + Kept::state, w.view);
  // A time at which steps end is met to their round-off.
  return c.kin.t >= breaks_.at - 1e-9 || w.view.greatest_tension() > breaks_.above ? Fate::breaks : Fate::holds;
}

bool LineForce::instant_has_come(const ContextT<double>& c) const {
  const auto kept = kept_of(c);
  return !is_broken(kept) && kept[Kept::begun] > 0 && view(c).greatest_tension() > breaks_.above;
}

const cable::LineView& LineForce::view(const ContextT<double>& c) const {
  const auto kept = kept_of(c);
  Work& w = work(c.work);
  // A row between two steps is that of its own time.
  const bool begun = kept[Kept::begun] > 0, further_on = c.kin.t > kept[Kept::time];
  const bool found = (!begun || further_on) && std::isfinite(solve(kept, c.kin.t, ends_at(c.kin), w).b.x());
  if (is_broken(kept))
    look_at_pieces(kept, found, w);
  else
    line_->look(begun && !found ? kept.data() + Kept::state : w.after.data(), w.view);
  return w.view;
}

}  // namespace davit::mooring

namespace davit {
template class ForceOf<mooring::LineForce>;
}  // namespace davit
