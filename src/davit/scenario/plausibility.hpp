// What a file may say and nobody means: 120 kg for a block of 200 m³, a hull in millimetres, waves that nothing meets,
// a rope whose own weight counts. Each is a warning with what was probably meant.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/input/node.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

struct Workspace;

// Of the specification alone; `root` is the tree it was read from, which knows whether a unit was written.
void check_sizes(const input::Node& root, const Specification&, const input::Named<BodySpec>& bodies, input::Problems&);
// Of surfaces, once they are made.
void check_surface_sizes(const Scenario&, Assembly&);
// Of ropes, from where they lie at the start.
void check_rope_weights(const Specification&, const Observables&, const State& start, const Workspace&,
                        input::Problems&);
// Of the step beside the waves, of a method with fixed steps.
void check_step_in_waves(const Specification&, input::Problems&);

}  // namespace davit
