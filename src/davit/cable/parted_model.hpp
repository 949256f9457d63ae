// A model of a line whose steps are made in parts where one finds no solution at once: a line that comes taut at
// several metres a second may have none near where it was predicted to be. The ends go from where they were to where
// they are to be along cubics; parts are twice as many each time, up to `most_parts`.
//
// What comes out depends on the step and its ends alone, not on what was tried before. What lies inside a step is
// solved again for every trial of the ends, so that the derivative of its forces would need that of every part. That of
// one step of the whole length, at the place that was found, is near enough for Newton's method around it.
#pragma once

#include <vector>

#include "davit/cable/divided_line.hpp"

namespace davit::cable {

class PartedModel : public LineModel {
 public:
  static constexpr int most_parts = 64;
  Outcome step(const double* before, double time, double h, const LineEnds&, double* after, EndForces&,
               Scratch&) const override;
  std::optional<Parting> parting(const double* state, std::optional<double> length) const override {
    return divided().parting(state, length);
  }
  int size_of_pieces() const override { return divided().size_of_pieces(); }

 protected:
  struct PartedScratch : Scratch {
    explicit PartedScratch(int state_size) {
      for (std::vector<double>& each : between) each.assign(static_cast<size_t>(state_size), 0.0);
    }
    std::vector<double> between[2];  // states inside a step
  };
  virtual Outcome step_at_once(const double* before, double time, double h, const LineEnds&, double* after, EndForces&,
                               Scratch&) const = 0;
  // The derivatives of the forces of a step from `before` that came to `after`, the forces as they are.
  virtual void differentiate(const double* before, double time, double h, const LineEnds&, const double* after,
                             EndForces&, Scratch&) const = 0;
  virtual const DividedLine& divided() const = 0;

 private:
  Outcome step_in_parts(int parts, const double* before, double time, double h, const LineEnds&, double* after,
                        EndForces&, PartedScratch&) const;
};

}  // namespace davit::cable
