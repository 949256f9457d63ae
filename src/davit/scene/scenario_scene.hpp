// What there is to see of a scenario (result/scene.hpp, docs/results.md): its bodies with their shapes, ropes, sheaves,
// the sea of this very run, and where to look from.
#pragma once

#include <optional>

#include "davit/result/scene.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/simulation/sink.hpp"

namespace davit {

struct RecordedScene {
  result::Scene scene;
  double interval = 0.1;       // of frames (s)
  std::uint64_t vertices = 0;  // that lines have at the start, all together
};

// Nothing where the scenario wants none.
std::optional<RecordedScene> scene_of(const Scenario&, const State& start);

// A snapshot with shapes, in the order of the scene.
void fill_frame(const Snapshot&, result::Frame&);

}  // namespace davit
