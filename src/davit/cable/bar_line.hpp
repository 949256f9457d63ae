// A line of bars (line.hpp) behind the interface of all models of lines.
#pragma once

#include "davit/cable/line.hpp"

namespace davit::cable {

class BarLine : public LineModel {
 public:
  explicit BarLine(Line line) : line_(std::move(line)) {}
  const Line& line() const { return line_; }

  std::string describe() const override;
  double length() const override { return line_.length(); }
  int state_size() const override { return line_.state_size(); }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<LineScratch>(line_.make_work()); }
  Outcome settle(const LineEnds&, double* state, EndForces&, Scratch&, const double* near = nullptr) const override;
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
