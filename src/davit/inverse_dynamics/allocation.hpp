// More inputs than outputs. Where those that are too many only add forces that balance each other, the motion follows
// from the outputs alone, and at every instant
//   Gᵀλ + B w = M a + c - f
// has as many free unknowns as there are inputs too many. They are shared by weighted least norm within limits: the
// least Σ w_i²/s_i, so that inputs side by side share in proportion to their s_i.
#pragma once

#include "davit/inverse_dynamics/plan.hpp"
#include "davit/math/quadratic_programme.hpp"

namespace davit::inverse_dynamics {

struct Redundancy {
  int internal = 0;       // independent forces of inputs that balance each other
  std::vector<int> base;  // inputs of the problem, by their places, that do without the others all that these can
};
Redundancy redundancy_of(const ServoProblem&);

// The problem with these of its inputs.
ServoProblem with_inputs(const ServoProblem&, const std::vector<int>& places);

// What forces may be: λ of a row of the model, or an input.
struct ForceLimit {
  std::string what;
  int row = -1, input = -1;  // one of them
  double least, most;        // either may be infinite
  double scale = 0;          // by which what is exceeded is measured; 0: the largest force of the instant
};
struct AllocationOptions {
  VecX shares;  // s_i, for each input
  std::vector<ForceLimit> limits;
};

class Allocation {
 public:
  Allocation(const ServoProblem&, AllocationOptions);

  struct Miss {
    double t = 0;
    int limit = -1;  // that cannot be kept with the others
    double by = 0;   // parts of its scale
  };
  // λ and w of an instant, of which motion and time are given, from any that balance. Where no sharing keeps all
  // limits, the one that exceeds them least, and what it exceeds most.
  std::optional<Miss> share(Instant&);
  // All points of a plan of the problem with fewer inputs; the first that cannot be.
  std::optional<Miss> share(Plan&);
  const std::vector<ForceLimit>& limits() const { return options_.limits; }

 private:
  // One side of a limit.
  struct Side {
    int limit;
    double sign;  // 1: the most, -1: the least
  };
  void find_forces(const Instant&);
  void find_balanced();
  QuadraticProgramme programme() const;
  VecX least_excess(const QuadraticProgramme&) const;
  std::optional<Miss> worst_miss(const Instant&) const;
  double scale_of(const ForceLimit& limit) const { return limit.scale > 0 ? limit.scale : largest_; }

  ServoEquations equations_;
  AllocationOptions options_;
  std::vector<Side> sides_;
  MatX forces_;         // [Gᵀ B]
  VecX needed_;         // M a + c - f
  VecX some_;           // x₀, λ and w that do
  MatX balanced_;       // Z, what balances itself
  double largest_ = 1;  // of x₀
};

}  // namespace davit::inverse_dynamics
