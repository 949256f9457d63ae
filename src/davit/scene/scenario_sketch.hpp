// A picture and tables of a scenario's model at its start, for the report.
#pragma once

#include "davit/result/sketch.hpp"
#include "davit/result/summary.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

struct ModelSketch {
  std::vector<result::SketchBody> drawing;
  result::ModelTables tables;
};
ModelSketch sketch_of(const Scenario&, const State& start);

}  // namespace davit
