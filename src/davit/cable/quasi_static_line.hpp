// A line of bars that is in equilibrium at every instant: weight, stretch, bed and current as they are, without
// inertia, drag by its own motion, damping and friction. For motions that are slow beside the line's own.
#pragma once

#include "davit/cable/line.hpp"

namespace davit::cable {

class QuasiStaticLine final : public LineModel {
 public:
  explicit QuasiStaticLine(Line line) : line_(std::move(line)) {}

  std::string describe() const override;
  double length() const override { return line_.length(); }
  int state_size() const override { return line_.state_size(); }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<LineScratch>(line_.make_work()); }
  Outcome settle(const LineEnds&, double* state, EndForces&, Scratch&, const double* near = nullptr) const override;
  // From where it was; from anywhere if that leads nowhere.
  Outcome step(const double* before, double time, double h, const LineEnds&, double* after, EndForces&,
               Scratch&) const override;
  void commit(double* state) const override { line_.remesh(state); }
  LineEnds ends(const double* state) const override { return line_.ends(state); }
  void look(const double* state, LineView& view) const override { line_.look(state, view); }
  LineEnergy energy(const double* state) const override { return line_.energy(state); }

 private:
  Line line_;
};

}  // namespace davit::cable
