#include "davit/cable/beam_line.hpp"

#include <fmt/format.h>

namespace davit::cable {

struct BeamLine::Beams final : PartedScratch {
  explicit Beams(const Beam& line) : PartedScratch(line.state_size()), work(line.make_work()) {}
  BeamWork work;
};
BeamWork& BeamLine::work_of(Scratch& scratch) { return static_cast<Beams&>(scratch).work; }

std::string BeamLine::describe() const { return fmt::format("{} beams (ANCF)", line_.elements()); }

std::unique_ptr<LineModel::Scratch> BeamLine::make_scratch() const { return std::make_unique<Beams>(line_); }

Outcome BeamLine::settle(const LineEnds& ends, double* state, EndForces& forces, Scratch& scratch,
                         const double* near) const {
  BeamWork& work = work_of(scratch);
  Outcome outcome;
  if (near) {
    std::copy_n(near, line_.state_size(), state);
    outcome = line_.settle(ends, state, work, Beam::Start::state);
  }
  for (const auto start : {Beam::Start::catenary, Beam::Start::straight})
    if (!outcome.converged) outcome = line_.settle(ends, state, work, start);
  const bool firm = outcome.converged;
  if (!firm) outcome = line_.settle_slack(ends, state, work);
  line_.static_forces(state, ends, forces, work, firm ? Beam::firm : Beam::loose);
  return outcome;
}

Outcome BeamLine::step_at_once(const double* before, double time, double h, const LineEnds& ends, double* after,
                               EndForces& forces, Scratch& scratch) const {
  return line_.step(before, time, h, ends, after, forces, work_of(scratch));
}

void BeamLine::differentiate(const double* before, double time, double h, const LineEnds& ends, const double* after,
                             EndForces& forces, Scratch& scratch) const {
  line_.differentiate(before, time, h, ends, after, forces, work_of(scratch));
}

LineEnds BeamLine::ends(const double* state) const {
  const int last = line_.elements();
  return {line_.position(state, 0), line_.position(state, last), line_.slope(state, 0).normalized(),
          line_.slope(state, last).normalized()};
}

std::unique_ptr<const LineModel> BeamLine::piece(const Parting& at, Piece which) const {
  if (at.node == (which == Piece::first ? 0 : at.elements)) return nullptr;
  return std::make_unique<BeamLine>(line_.piece(at, which));
}

}  // namespace davit::cable
