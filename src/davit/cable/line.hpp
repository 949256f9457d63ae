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

#include <vector>

#include "davit/cable/line_model.hpp"
#include "davit/cable/properties.hpp"
#include "davit/cable/work.hpp"

namespace davit::cable {

struct Numerics {
  double tolerance = 1e-4;  // m, of the next change in a step, as it is foreseen
  int max_iterations = 60, max_static_iterations = 500;
};

// What a step begins its iteration with: motion as it was, or `after` and the work as they were left by the last call,
// which was about the same step with other ends.
enum class Guess { prediction, last_trial };

// What a winch at B will have paid out at least and at most; both zero: there is none.
struct Winch {
  double least = 0, most = 0;  // m
  bool present() const { return least < 0 || most > 0; }
};

class Line {
 public:
  // Throws std::invalid_argument with what is wrong.
  Line(const std::vector<Section>&, std::vector<Attachment>, Bed, Surroundings, Numerics = {}, Winch = {});

  // At the start.
  int nodes() const { return elements_ + 1; }
  int elements() const { return elements_; }
  double length() const { return length_; }  // unstretched
  double weight() const { return weight_; }  // N, submerged, with attachments
  int state_size() const { return layout_.size(); }
  // Elements that are out, and the length of one of them.
  int elements(const double* state) const { return static_cast<int>(state[StateLayout::active]); }
  double rest_length(const double* state, int element) const {
    return element + 1 == elements(state) ? state[StateLayout::last_length]
                                          : rest_length_[static_cast<size_t>(element)];
  }
  LineWork make_work() const;

  // At rest with its ends at a and b: from the elastic catenary over the bed, or from the positions in `state`.
  enum class Start { catenary, straight, state };
  // Waves and friction take no part, the current does.
  Outcome settle(const Vec3& a, const Vec3& b, double* state, LineWork&, Start = Start::catenary,
                 double paid_out = 0) const;
  // From `before` at `time` to `after` at time + h, with the ends at a and b then.
  Outcome step(const double* before, double time, double h, const Vec3& a, const Vec3& b, double* after, EndForces&,
               LineWork&, Guess = Guess::prediction, const PaidOut& = {}) const;
  // Parts the last element if it has become long, and joins it to the one before if it has become short.
  void remesh(double* state) const;
  // Forces of a state at rest and their derivatives by slow motions of the ends.
  void static_forces(const double* state, EndForces&, LineWork&) const;
  // The same for the state that was settled last with this work.
  void forces_of_work(EndForces&, LineWork&) const;

  LineEnds ends(const double* state) const { return {position(state, 0), position(state, elements(state))}; }
  void look(const double* state, LineView&) const;
  LineEnergy energy(const double* state) const;
  Vec3 position(const double* state, int node) const;
  Vec3 velocity(const double* state, int node) const;
  double unstretched(int node) const { return arc_[static_cast<size_t>(node)]; }  // m from A

 private:
  friend class LineEquations;
  // The elements that are out when so much line is paid out.
  struct Extent {
    int elements;
    double last;    // m, unstretched, of the last element
    double length;  // m, of all
    double weight;  // N
  };
  Extent extent(double paid_out, int elements) const;
  int elements_for(double paid_out) const;
  void take(const Extent&, LineWork&) const;
  void lay(const Vec3& a, const Vec3& b, Start, const Extent&, double* state) const;
  double tension(const double* state, int element) const;
  Vec3 material_velocity(const double* state, int element) const;  // of its second node
  // Backward Euler: q = (q₀ + (EA_dynamic − EA)(ε − ε₀))/(1 + h/t_r).
  void begin_branches(const double* before, double h, LineWork&) const;
  void keep_branches(double* after, const LineWork&) const;
  double strain(const double* state, int element) const;
  void part_last(double* state) const;
  void join_last(double* state) const;

  int elements_ = 0;         // at the start
  int first_wound_ = 0;      // the first element that the winch may take in
  double wound_weight_ = 0;  // N/m of those
  StateLayout layout_;
  std::vector<ElementPack> packs_;
  std::vector<double> arc_, rest_length_, breaking_load_;
  std::vector<NodeLoad> loads_;
  BedOfLine bed_;
  Surroundings surroundings_;
  Numerics numerics_;
  double length_ = 0, weight_ = 0;
  bool relaxes_ = false;  // some section has a Maxwell branch
};

// The scratch of models that are made of a Line.
struct LineScratch final : LineModel::Scratch {
  explicit LineScratch(LineWork made) : work(std::move(made)) {}
  LineWork work;
};
inline LineWork& line_work(LineModel::Scratch& scratch) { return static_cast<LineScratch&>(scratch).work; }

// At rest, with forces and their derivatives: from a state near by if there is one, else from the catenary, and from a
// straight line where that leads nowhere.
Outcome settle_near(const Line&, const double* near, const LineEnds&, double* state, EndForces&, LineWork&);

}  // namespace davit::cable
