// Lines without an inside. `SpringLine` pulls along the straight line between its ends by their distance; `LinearLine`
// has the forces of some line at one place of its ends, and changes them in proportion to motions of the ends.
#pragma once

#include <vector>

#include "davit/cable/line_model.hpp"

namespace davit::cable {

// What both have in common: the state is where the ends are.
class InstantLine : public LineModel {
 public:
  int state_size() const override { return 6; }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  Outcome settle(const LineEnds&, double* state, EndForces&, Scratch&, const double* near = nullptr) const override;
  Outcome step(const double* before, double time, double h, const LineEnds&, double* after, EndForces&,
               Scratch&) const override;
  LineEnds ends(const double* state) const override;
  void look(const double* state, LineView&) const override;

 protected:
  virtual EndForces forces(const LineEnds&) const = 0;
  double breaking_load = 0;  // N, zero where it is not known
};

class SpringLine final : public InstantLine {
 public:
  struct Point {
    double distance, tension;
  };
  // Straight between the points; the tension of the first one below it, and the last slope beyond the last. Distances
  // grow, tensions do not fall and are not negative: std::invalid_argument otherwise.
  SpringLine(std::vector<Point> curve, double breaking_load);
  // T = T₀ + k (d − d₀), never less than zero.
  static std::vector<Point> linear(double stiffness, double distance, double tension);

  std::string describe() const override;
  double length() const override { return curve_.front().distance; }
  LineEnergy energy(const double* state) const override;

 private:
  struct Pull {
    double tension, slope, energy;
  };
  Pull pull(double distance) const;
  EndForces forces(const LineEnds&) const override;
  std::vector<Point> curve_;
};

class LinearLine final : public InstantLine {
 public:
  // `at`: the forces and their derivatives, both ends free to move, where the ends are at `ends`.
  LinearLine(const LineEnds& ends, const EndForces& at, double length, double breaking_load);
  std::string describe() const override { return "linear about its place at the start"; }
  double length() const override { return length_; }
  LineEnergy energy(const double* state) const override;

 private:
  EndForces forces(const LineEnds&) const override;
  Vec6 away(const LineEnds&) const;
  LineEnds ends_;
  EndForces at_;
  double length_;
};

}  // namespace davit::cable
