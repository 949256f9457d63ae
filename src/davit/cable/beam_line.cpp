#include "davit/cable/beam_line.hpp"

#include <fmt/format.h>

namespace davit::cable {

namespace {

struct BeamScratch final : LineModel::Scratch {
  explicit BeamScratch(BeamWork made) : work(std::move(made)) {}
  BeamWork work;
};
BeamWork& beam_work(LineModel::Scratch& scratch) { return static_cast<BeamScratch&>(scratch).work; }

}  // namespace

std::string BeamLine::describe() const { return fmt::format("{} beams (ANCF)", line_.elements()); }

std::unique_ptr<LineModel::Scratch> BeamLine::make_scratch() const {
  return std::make_unique<BeamScratch>(line_.make_work());
}

Outcome BeamLine::settle(const LineEnds& ends, double* state, EndForces& forces, Scratch& scratch,
                         const double* near) const {
  BeamWork& work = beam_work(scratch);
  Outcome outcome;
  if (near) {
    std::copy_n(near, line_.state_size(), state);
    outcome = line_.settle(ends, state, work, Beam::Start::state);
  }
  for (const auto start : {Beam::Start::catenary, Beam::Start::straight})
    if (!outcome.converged) outcome = line_.settle(ends, state, work, start);
  line_.static_forces(state, ends, forces, work);
  return outcome;
}

Outcome BeamLine::step(const double* before, double time, double h, const LineEnds& ends, double* after,
                       EndForces& forces, Scratch& scratch) const {
  return line_.step(before, time, h, ends, after, forces, beam_work(scratch));
}

LineEnds BeamLine::ends(const double* state) const {
  const int last = line_.elements();
  return {line_.position(state, 0), line_.position(state, last), line_.slope(state, 0).normalized(),
          line_.slope(state, last).normalized()};
}

}  // namespace davit::cable
