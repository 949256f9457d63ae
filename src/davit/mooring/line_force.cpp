#include "davit/mooring/line_force.hpp"

#include <limits>

namespace davit::mooring {

std::string LineForce::summary() const {
  return "mooring line, " + line_->describe() + (choice_.empty() ? "" : " " + choice_);
}

std::vector<DiscreteSlot> LineForce::discrete_slots() const {
  return {{name() + ": mooring line", Kept::state + line_->state_size(), 1}};
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
  w.found = true;
  w.from = from;
  w.time = time;
  w.ends = ends;
  w.forces.anchored = a_.body == 0;
  cable::Outcome outcome;
  if (begun && time > from) {
    outcome = line_->step(kept.data() + Kept::state, from, time - from, ends, w.after.data(), w.forces, *w.scratch);
  } else if (begun && holds(kept, ends)) {
    // Where a step begins.
    std::copy(kept.begin() + Kept::state, kept.end(), w.after.begin());
    w.forces.a = Eigen::Map<const Vec3>(kept.data() + Kept::force);
    w.forces.b = Eigen::Map<const Vec3>(kept.data() + Kept::force + 3);
    w.forces.moment_a = Eigen::Map<const Vec3>(kept.data() + Kept::force + 6);
    w.forces.moment_b = Eigen::Map<const Vec3>(kept.data() + Kept::force + 9);
    w.forces.tangent.setZero();
    w.forces.bending.setZero();
    return w.forces;
  } else {
    outcome = line_->settle(ends, w.after.data(), w.forces, *w.scratch);
  }
  if (!outcome.converged) w.forces.a = w.forces.b = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  return w.forces;
}

bool LineForce::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  auto kept = discrete.record(c.first_slot, 0);
  Work& w = work(c.work);
  const cable::EndForces& found = solve(kept, c.kin.t, ends_at(c.kin), w);
  std::copy(w.after.begin(), w.after.end(), kept.begin() + Kept::state);
  Ends<double>::Map(kept.data() + Kept::force) = all(found);
  kept[Kept::begun] = 1;
  kept[Kept::time] = c.kin.t;
  w.found = false;
  return false;
}

const cable::LineView& LineForce::view(const ContextT<double>& c) const {
  const auto kept = c.discrete.record(c.first_slot, 0);
  Work& w = work(c.work);
  if (kept[Kept::begun] > 0) {
    line_->look(kept.data() + Kept::state, w.view);
  } else {
    solve(kept, c.kin.t, ends_at(c.kin), w);
    line_->look(w.after.data(), w.view);
  }
  return w.view;
}

}  // namespace davit::mooring

namespace davit {
template class ForceOf<mooring::LineForce>;
}  // namespace davit
