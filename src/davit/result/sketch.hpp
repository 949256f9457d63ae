// A drawing of the model for the report: three views in one scale.
//
// Solves: a reader sees at a glance what was lifted and how it is put together.
// Does not: shade: the caller gives convex solids and polylines, in world coordinates; what is nearer covers the rest.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace davit::result {

using Point = std::array<double, 3>;  // [m], x forward, y to port, z up, still water at z = 0

struct SketchBody {
  std::string label{};
  std::vector<std::vector<Point>> polylines{};
  std::vector<std::vector<Point>> solids{};  // points whose convex hull is what one sees
  std::string kind = "body";                 // body, hull, plate, guess, rope or mooring: how it is drawn
};

// All at one time, with the words above it.
struct SketchMoment {
  std::string caption{};
  std::vector<SketchBody> bodies{};
};

// Side, front and top view of each as SVG, all in one scale; nothing when there is nothing to draw. Mooring lines reach
// out of the picture.
std::string sketch_figures(const std::vector<SketchMoment>& moments);

}  // namespace davit::result
