// A mooring line between two given ends: 2-node bars with engineering strain that cannot push; mass, drag and bed at
// two Gauss points of each. Its inside is found for the positions of its ends, in equilibrium (`settle`) or at the end
// of an implicit step (`step`), by Newton's method on a symmetric matrix of 3×3 blocks on three diagonals, eliminated
// from end A to end B: what is left are the forces on both ends and their derivatives.
//
// Steps are BDF2 of variable length in the positions of all nodes, the ends among them:
//   v = (α₀ r + α₁ r₋₁ + α₂ r₋₂)/h,  v̇ = (α₀ v + α₁ v₋₁ + α₂ v₋₂)/h;
// the velocities of the ends follow from their positions at this step and before, so that forces depend on positions
// alone. The first step is backward Euler. (Steps below 1e-7 s feel the round-off of the ends' positions.)
//
// A Line never changes. Its state is `state_size()` doubles of the caller's; `LineWork` is scratch, and `step` takes
// nothing from the heap.
#pragma once

#include "davit/cable/divided_line.hpp"

namespace davit::cable {

class Line final : public DividedLine {
 public:
  // Throws std::invalid_argument with what is wrong.
  Line(const std::vector<Section>& sections, std::vector<Attachment> attachments, Bed bed, Surroundings around,
       Numerics numerics = {}, Winch winch = {})
      : DividedLine(sections, std::move(attachments), bed, std::move(around), numerics, winch) {}
  LineWork make_work() const;

  // At rest with its ends at a and b: from the elastic catenary over the bed, or from the positions in `state`. Waves
  // and friction take no part, the current does.
  Outcome settle(const Vec3& a, const Vec3& b, double* state, LineWork&, Start = Start::catenary,
                 double paid_out = 0) const;
  // The same for lines that lie slack, where that finds nothing (flow_to_rest.hpp).
  Outcome settle_slack(const Vec3& a, const Vec3& b, double* state, LineWork&, double paid_out = 0) const;
  // From `before` at `time` to `after` at time + h, with the ends at a and b then.
  Outcome step(const double* before, double time, double h, const Vec3& a, const Vec3& b, double* after, EndForces&,
               LineWork&, Guess = Guess::prediction, const PaidOut& = {}, const MetWaves& = {}) const;
  // The derivatives of the forces of a step that came to `after`.
  void differentiate(const double* before, double time, double h, const LineEnds&, const double* after, EndForces&,
                     LineWork&) const;
  // Parts the last element if it has become long, and joins it to the one before if it has become short.
  void remesh(double* state) const;
  // Forces of a state at rest and their derivatives by slow motions of the ends.
  void static_forces(const double* state, EndForces&, LineWork&) const;
  // The same for the state that was settled last with this work.
  void forces_of_work(EndForces&, LineWork&) const;

  Line piece(const Parting& at, Piece which) const {
    Line out = *this;
    out.become_piece(at, which, true);
    return out;
  }
  LineEnds ends(const double* state) const { return {position(state, 0), position(state, elements(state))}; }
  LineEnergy energy(const double* state) const;

 private:
  friend class LineEquations;
  void keep_at_rest(const Extent&, const Vec3& hold_a, const Vec3& hold_b, const LineWork&, double* state) const;
  double tension(const double* state, int element) const override;
  void gauss_points(const double* coordinates, int stride, int elements, Vec3* out) const override;
  Vec3 material_velocity(const double* state, int element) const;  // of its second node
  // Backward Euler: q = (q₀ + (EA_dynamic − EA)(ε − ε₀))/(1 + h/t_r).
  void begin_branches(const double* before, double h, LineWork&) const;
  void keep_branches(double* after, const LineWork&) const;
  double strain(const double* state, int element) const;
  void part_last(double* state) const;
  void join_last(double* state) const;
};

// At rest, with forces and their derivatives: from a state near by if there is one, else from the catenary, and from a
// straight line where that leads nowhere.
Outcome settle_near(const Line&, const double* near, const LineEnds&, double* state, EndForces&, LineWork&);

}  // namespace davit::cable
