#include "davit/cable/parted_model.hpp"

#include <algorithm>

namespace davit::cable {

namespace {

// From x₀ with the rate v₀ to x₁ with the rate v₁ in the time h: value, rate and its change at the share s of it.
template <class Value>
struct Cubic {
  Value value, rate, bend;
  Cubic(const Value& x0, const Value& v0, const Value& x1, const Value& v1, double h, double s) {
    const Value way = x1 - x0, a = h * v0, b = h * v1, square = 3 * way - 2 * a - b, cube = a + b - 2 * way;
    value = x0 + s * a + s * s * square + s * s * s * cube;
    rate = (a + 2 * s * square + 3 * s * s * cube) / h;
    bend = (2 * square + 6 * s * cube) / (h * h);
  }
};

// Ends between those of a state and those a time h later. The rates at the end are those of BDF2 with equal steps,
// which does not let a jump of them go on from step to step.
class WayOfEnds {
 public:
  WayOfEnds(const DividedLine& line, const LineEnds& from, const double* before, const LineEnds& to, double h)
      : from_(from), to_(to), paid_out_(line.paid_out(before)), h_(h) {
    a_ = line.velocity(before, 0);
    b_ = line.velocity(before, line.elements(before));
  }
  LineEnds at(double share) const {
    LineEnds out = to_;
    out.a = place(from_.a, a_, to_.a, share);
    out.b = place(from_.b, b_, to_.b, share);
    out.direction_a = (from_.direction_a + share * (to_.direction_a - from_.direction_a)).normalized();
    out.direction_b = (from_.direction_b + share * (to_.direction_b - from_.direction_b)).normalized();
    const Cubic<double> length(paid_out_.length, paid_out_.rate, to_.paid_out.length, to_.paid_out.rate, h_, share);
    if (paid_out_ != to_.paid_out) out.paid_out = {length.value, length.rate, length.bend};
    return out;
  }

 private:
  Vec3 place(const Vec3& from, const Vec3& velocity, const Vec3& to, double share) const {
    const Vec3 last = (1.5 / h_) * (to - from) - 0.5 * velocity;
    return Cubic<Vec3>(from, velocity, to, last, h_, share).value;
  }
  LineEnds from_, to_;
  PaidOut paid_out_;
  Vec3 a_, b_;
  double h_;
};

}  // namespace

Outcome PartedModel::step(const double* before, double time, double h, const LineEnds& ends, double* after,
                          EndForces& forces, Scratch& given) const {
  auto& scratch = static_cast<PartedScratch&>(given);
  Outcome outcome = step_at_once(before, time, h, ends, after, forces, scratch);
  for (int parts = 2; !outcome.converged && parts <= most_parts; parts *= 2)
    outcome = step_in_parts(parts, before, time, h, ends, after, forces, scratch);
  return outcome;
}

Outcome PartedModel::step_in_parts(int parts, const double* before, double time, double h, const LineEnds& ends,
                                   double* after, EndForces& forces, PartedScratch& scratch) const {
  const WayOfEnds way(divided(), this->ends(before), before, ends, h);
  const double part = h / parts;
  const double* from = before;
  Outcome all;
  for (int i = 1; i <= parts; ++i) {
    double* to = i == parts ? after : scratch.between[i % 2].data();
    const LineEnds there = i == parts ? ends : way.at(static_cast<double>(i) / parts);
    const Outcome outcome = step_at_once(from, time + (i - 1) * part, part, there, to, forces, scratch);
    all = {outcome.converged, all.iterations + outcome.iterations, outcome.change, outcome.residual};
    if (!outcome.converged) return all;
    from = to;
  }
  differentiate(before, time, h, ends, after, forces, scratch);
  return all;
}

}  // namespace davit::cable
