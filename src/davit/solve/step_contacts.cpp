// Contacts in the equations of a step: which may carry, their rows, and the search for the bounds of friction.
#include <algorithm>
#include <cstdio>

#include "davit/solve/step_scratch.hpp"

namespace davit {

namespace {

// Of a contact's row, as a part of the largest: a lever of a thousandth has 1e-6 of it, and round-off 1e-16.
constexpr double least_response = 1e-10;

}  // namespace

// Whether a contact may carry in this step, and with which speed of parting. Fast approaches are impacts, by Newton's
// law where the gap is closed half a step ahead (Moreau). All others may carry if they carried in the last step, or if
// the gap would close in this one, at the acceleration of the last: then the solution opens them. Speeds of parting of
// -gap/h close what has opened meanwhile: a plane that turns at ω under a point sliding at v opens ω v h² in every
// step.
void StepEquations::meet(Touch& touch, const RowSet& set, double speed, std::optional<double> acceleration) {
  touch.rebound = 0;
  touch.bound = -1;
  touch.closed = true;
  // A displacement that frees one contact may close another, so there all may carry.
  if (stage_.purpose != Stage::Purpose::motion) return;
  const double h = stage_.h, gap = g0_[set.first + 2], halfway = gap + h / 2 * speed;
  // What fell for less than two steps is taken as rest: bouncing must end. Without gravity nothing falls back, and
  // every approach is an impact; what another force presses together then trembles by what it gains in two steps.
  const double restitution = set.contact->restitution;
  if (restitution > 0 && speed < -2 * free_fall_ * h) {
    touch.closed = halfway <= 0;
    touch.rebound = -restitution * speed;
    return;
  }
  const bool carried = start_.lambda[set.first + 2] > 0;
  touch.closed = carried || halfway <= 0 || (acceleration && gap + h * (speed + h / 2 * *acceleration) <= 0);
  if (halfway > 0) touch.rebound = -halfway / h;
}

// rᵀ M⁻¹ r of a generalised force in column_ that a contact exerts, which is taken away again.
double StepEquations::take_response(System& system, const RowSet& set, const Touch& touch) {
  Workspace& work = system.workspace();
  for (const auto& [k, bodies] : touch.chains) {
    const auto& b = model_.blocks()[k];
    b.block->solve_mass_along(work.kin, *work.block[k], bodies, column_.data() + b.first_u, work.a.data() + b.first_u);
  }
  double response = 0;
  for (int u : set.speeds) {
    response += column_[u] * work.a[u];
    column_[u] = 0;
  }
  return response;
}

// Which contacts may carry. The response of a row is h G M⁻¹ Gᵀ.
void StepEquations::prepare_contacts(System& system) {
  const bool motion = stage_.purpose == Stage::Purpose::motion;
  system.factor_mass(start_);
  JacobianT<double>& jacobian = scratch_->set_jacobian;
  size_t contact = 0;
  for (const RowSet& set : row_sets_) {
    if (!set.contact) continue;
    Touch& touch = touches_[contact++];
    jacobian.clear();
    set.geometry->jacobian(scratch_->start, jacobian);
    double speed[3] = {0, 0, 0}, bias[3], response[3];
    model_.add_rates(scratch_->start, jacobian, speed);
    set.geometry->rate_bias(scratch_->start, bias);
    const bool remembers = start_.integrator_history.size() == nu_ + 1;
    // Of the gap in the last step; what begins on the ground would fall.
    std::optional<double> acceleration;
    if (remembers) acceleration = bias[2];
    if (start_.step == 0) acceleration = -free_fall_;
    for (int i = 0; i < 3; ++i) {
      model_.add_generalised(scratch_->start, jacobian, 1.0,
                             [&](int row) { return row == i ? column_.data() : nullptr; });
      if (i == 2 && remembers && start_.step > 0)
        for (int u : set.speeds) *acceleration += column_[u] * start_.integrator_history[u];
      response[i] = (motion ? stage_.h : 1) * take_response(system, set, touch);
    }
    meet(touch, set, speed[2], acceleration);
    // Nothing moves across the plane of a planar mechanism, or along the normal where a pendulum hangs: such a row has
    // no response of its own to be scaled by, and none to give. A contact without any is not there.
    const double along = std::max(response[0], response[1]), largest = std::max(along, response[2]);
    touch.closed = touch.closed && largest > 0;
    const double least = largest > 0 ? least_response * largest : 1;
    touch.response = {std::max(along, least), std::max(response[2], least)};
  }
}

// Contacts that may carry and did not in the last step are first taken to carry what falls on them in this one: found
// by their speeds, those of a stack would close one after the other from the ground up.
void StepEquations::guess_contacts(Unknowns& unknowns) const {
  if (stage_.purpose != Stage::Purpose::motion) return;
  const double falling = stage_.h * (free_fall_ > 0 ? free_fall_ : 1);
  size_t contact = 0;
  for (const RowSet& set : row_sets_) {
    if (!set.contact) continue;
    const Touch& touch = touches_[contact++];
    double& normal = unknowns.lambda[set.first + 2];
    if (touch.closed && !(normal > 0)) normal = falling / touch.response.normal;
  }
}

double StepEquations::penetration() const {
  double deepest = 0;
  for (const RowSet& set : row_sets_)
    if (set.contact) deepest = std::max(deepest, -g0_[set.first + 2]);
  return deepest;
}

// Those that are half as deep as the deepest, or more.
Failure StepEquations::entered_contacts() const {
  const double deepest = penetration();
  Failure out;
  for (const RowSet& set : row_sets_)
    if (set.contact && -g0_[set.first + 2] >= 0.5 * deepest)
      out.element += (out.element.empty() ? "" : ", ") + set.name;
  char depth[32];
  std::snprintf(depth, sizeof depth, "%.2g", deepest);
  out.why = std::string("the contact is entered by ") + depth +
            " m and nothing gives way: what a motion or a constraint drives there has no room, or the step is too long";
  return out;
}

double StepEquations::contact_residual(System& system, const Unknowns& at) {
  compute_residual(system, at);
  double worst = 0;
  for (const RowSet& set : row_sets_)
    if (set.contact) worst = std::max(worst, residual_.segment(nu_ + nz_ + set.first, 3).cwiseAbs().maxCoeff());
  return worst;
}

template <class S>
void StepEquations::contact_rows(Scratch<S>& s, const RowSet& set, const double* lambda, S* out) const {
  const Touch& touch = touches_[static_cast<size_t>((set.first - model_.rows()) / 3)];
  S after[3] = {S(0), S(0), S(0)}, force[3];
  for (int i = 0; i < 3; ++i) force[i] = S(lambda[set.first + i]);
  if (!touch.closed) {
    for (int i = 0; i < 3; ++i) out[i] = S(touch.response_of(i)) * force[i];
    return;
  }
  if (stage_.purpose == Stage::Purpose::displacement) {
    set.geometry->rows(s.end, after);
    contact_law(after, force, 0.0, touch.response, 0.0, -1, out);
    return;
  }
  JacobianT<S>& jacobian = s.set_jacobian;
  jacobian.clear();
  set.geometry->jacobian(s.parting, jacobian);
  model_.add_rates(s.parting, jacobian, after);
  after[2] -= S(touch.rebound);
  contact_law(after, force, start_.lambda[set.first + 2], touch.response, set.contact->friction, touch.bound, out);
}

template void StepEquations::contact_rows(Scratch<double>&, const RowSet&, const double*, double*) const;
template void StepEquations::contact_rows(Scratch<Dual8>&, const RowSet&, const double*, Dual8*) const;

// ∂(rows)/∂λ of the contacts, at the speeds of the last residual.
void StepEquations::find_contact_slopes(const Unknowns& at) {
  size_t contact = 0;
  for (const RowSet& set : row_sets_) {
    if (!set.contact) continue;
    const Touch& touch = touches_[contact];
    Mat3& slope = contact_slopes_[contact++];
    slope.setZero();
    if (!touch.closed) {
      for (int i = 0; i < 3; ++i) slope(i, i) = touch.response_of(i);
      continue;
    }
    double speed[3] = {0, 0, 0};
    double friction = set.contact->friction, last_normal = start_.lambda[set.first + 2];
    if (stage_.purpose == Stage::Purpose::displacement) {
      set.geometry->rows(scratch_->end, speed);
      friction = last_normal = 0;
    } else {
      JacobianT<double>& jacobian = slope_jacobian_;
      jacobian.clear();
      set.geometry->jacobian(scratch_->parting, jacobian);
      model_.add_rates(scratch_->parting, jacobian, speed);
      speed[2] -= touch.rebound;
    }
    Dual8 after[3], force[3], out[3];
    for (int i = 0; i < 3; ++i) {
      after[i] = Dual8(speed[i]);
      force[i] = Dual8(at.lambda[set.first + i]);
      force[i].d[static_cast<size_t>(i)] = 1;
    }
    contact_law(after, force, last_normal, touch.response, friction, touch.bound, out);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) slope(i, j) = out[i].d[static_cast<size_t>(j)];
  }
}

// With the bounds of friction held fixed the contacts are those of a convex problem; the bounds then follow the normal
// forces until both agree.
NewtonOutcome StepEquations::solve_by_bounds(System& system, Unknowns& unknowns, const NewtonOptions& options) {
  NewtonOutcome sum;
  for (Touch& touch : touches_) touch.bound = 0;
  for (int outer = 0; outer < 100; ++outer) {
    const NewtonOutcome inner = iterate(system, unknowns, options);
    sum.iterations += inner.iterations;
    sum.matrices += inner.matrices;
    sum.change = inner.change;
    sum.why = inner.why;
    if (!inner.converged) break;
    double change = 0, largest = 0;
    size_t contact = 0;
    for (const RowSet& set : row_sets_) {
      if (!set.contact) continue;
      Touch& touch = touches_[contact++];
      const double bound = touch.closed ? set.contact->friction * std::max(0.0, unknowns.lambda[set.first + 2]) : 0;
      change = std::max(change, std::abs(bound - touch.bound));
      largest = std::max(largest, bound);
      touch.bound = bound;
    }
    sum.converged = change <= 1e-8 * largest;
    if (sum.converged) break;
  }
  for (Touch& touch : touches_) touch.bound = -1;
  return sum;
}

}  // namespace davit
