// Servos in the equations of a step: rows S u̇ = s at the point, and the forces of drives that meet them.
#include <algorithm>

#include "davit/solve/step_scratch.hpp"

namespace davit {

// Sampled drives keep what they hold; a mere displacement knows no drives.
void StepEquations::prepare_drives() {
  for (DrivenRows& rows : driven_) {
    const size_t count = rows.servo->element->speeds().size();
    rows.given.clear();
    if (stage_.purpose == Stage::Purpose::displacement) rows.given.assign(count, 0.0);
    const auto context = rows.servo->context(scratch_->point, scratch_->z.data(), start_.discrete);
    if (const double* held = rows.servo->element->held(context)) rows.given.assign(held, held + count);
  }
}

// As rates of speed over the step.
template <class S>
void StepEquations::driven_rows(Scratch<S>& s, const DrivenRows& rows, const double* lambda, S* out) const {
  const auto nu = static_cast<size_t>(nu_), count = rows.servo->element->speeds().size();
  if (!rows.given.empty()) {
    for (size_t k = 0; k < count; ++k) out[k] = S(lambda[rows.first + static_cast<int>(k)] - rows.given[k]);
    return;
  }
  s.set_jacobian.clear();
  s.drive_rows.assign(nu * count, S(0));
  s.drive_right.assign(count, S(0));
  s.drive_error.assign(count, S(0));
  rows.servo->element->desired_accelerations(rows.servo->context(s.point, s.z.data(), start_.discrete), s.set_jacobian,
                                             s.drive_right.data(), s.drive_error.data());
  model_.add_generalised(s.point.kin, s.set_jacobian, S(1),
                         [&](int row) { return s.drive_rows.data() + nu * static_cast<size_t>(row); });
  for (size_t k = 0; k < count; ++k) {
    S sum = -s.drive_right[k];
    for (int speed : rows.speeds)
      sum += s.drive_rows[nu * k + static_cast<size_t>(speed)] * s.a[static_cast<size_t>(speed)];
    out[k] = S(stage_.h) * sum;
  }
}
template void StepEquations::driven_rows(Scratch<double>&, const DrivenRows&, const double*, double*) const;
template void StepEquations::driven_rows(Scratch<Dual8>&, const DrivenRows&, const double*, Dual8*) const;

// What exceeds the limit of a drive is cut, and then its servo's rows are missed. Whether anything was.
bool StepEquations::cut_drives(const Unknowns& at) {
  bool cut = false;
  for (DrivenRows& rows : driven_) {
    if (!rows.given.empty()) continue;
    const Servo& servo = *rows.servo->element;
    const auto limited = [&](size_t k) {
      const Input& input = model_.inputs()[static_cast<size_t>(servo.inputs()[k])];
      return std::clamp(at.lambda[rows.first + static_cast<int>(k)], input.lower, input.upper);
    };
    bool beyond = false;
    for (size_t k = 0; k < servo.speeds().size(); ++k)
      beyond = beyond || limited(k) != at.lambda[rows.first + static_cast<int>(k)];
    if (!beyond) continue;
    for (size_t k = 0; k < servo.speeds().size(); ++k) rows.given.push_back(limited(k));
    cut = true;
  }
  return cut;
}

}  // namespace davit
