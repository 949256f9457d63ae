// A drawing of the model for the report: three views in one scale.
//
// Solves: a reader sees at a glance what was lifted and how it is put together.
// Does not: hide lines or shade: the caller gives a few polylines per body, in world coordinates at the start.
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
};

struct BodyRow {
  std::string name{};
  double mass = 0;  // [kg]
  Point centre{};   // of mass, in the body's own frame [m]
  std::string parent{};
  std::string joint{};
};

struct ElementRow {
  std::string name{};
  std::string description{};
};

struct ModelSketch {
  std::vector<SketchBody> drawing{};
  std::vector<BodyRow> bodies{};
  std::vector<ElementRow> forces{};
  std::vector<ElementRow> controllers{};
};

// Side, front and top view as SVG; nothing when there is nothing to draw.
std::string sketch_figures(const std::vector<SketchBody>& bodies);

}  // namespace davit::result
