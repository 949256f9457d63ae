// A scene at one moment as a drawing for the report.
#pragma once

#include "davit/result/reader.hpp"
#include "davit/result/sketch.hpp"

namespace davit::result {

// The scene of a result at the last frame that is not later; nothing where it has none.
std::vector<SketchBody> sketch_at(const Result& result, double time);

}  // namespace davit::result
