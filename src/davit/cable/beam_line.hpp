// A line of beams (beam.hpp) behind the interface of all models of lines.
#pragma once

#include "davit/cable/beam.hpp"
#include "davit/cable/parted_model.hpp"

namespace davit::cable {

class BeamLine final : public PartedModel {
 public:
  explicit BeamLine(Beam line) : line_(std::move(line)) {}
  const Beam& line() const { return line_; }

  std::string describe() const override;
  double length() const override { return line_.length(); }
  int state_size() const override { return line_.state_size(); }
  bool bends() const override { return true; }
  Clamps clamps() const override { return {line_.options().a == Hold::clamped, line_.options().b == Hold::clamped}; }
  std::unique_ptr<Scratch> make_scratch() const override;
  // From a state near by if there is one, else from the catenary, and from a straight line where that leads nowhere.
  Outcome settle(const LineEnds&, double* state, EndForces&, Scratch&, const double* near = nullptr) const override;
  std::unique_ptr<const LineModel> piece(const Parting&, Piece) const override;
  void part(const Parting& at, Piece which, const double* state, double* of_piece) const override {
    line_.part(at, which, state, line_.piece(at, which), of_piece);
  }
  LineEnds ends(const double* state) const override;
  void look(const double* state, LineView& view) const override { line_.look(state, view); }
  LineEnergy energy(const double* state) const override { return line_.energy(state); }

 private:
  Outcome step_at_once(const double* before, double time, double h, const LineEnds&, double* after, EndForces&,
                       Scratch&) const override;
  void differentiate(const double* before, double time, double h, const LineEnds&, const double* after, EndForces&,
                     Scratch&) const override;
  const DividedLine& divided() const override { return line_; }
  struct Beams;
  static BeamWork& work_of(Scratch&);
  Beam line_;
};

}  // namespace davit::cable
