// A log-log plot as an SVG file: lines with markers, grid at powers of ten, legend at the right. No library.
#pragma once

#include <string>
#include <vector>

namespace davit::bench {

enum class Marker { circle, square, diamond, triangle };

struct Series {
  std::string name;
  std::string colour;
  Marker marker = Marker::circle;
  bool filled = true;   // markers
  bool dashed = false;  // the line
  bool broad = false;   // line and markers, to be seen under another one that is the same
  struct Point {
    double x, y;
  };
  std::vector<Point> points;  // in the order of the line; all above zero
};

struct LogPlot {
  std::string title, x_label, y_label;
  double least_y = 1e-12, most_y = 1e3;  // what is outside is not drawn
  std::vector<Series> series;

  std::string svg() const;
};

}  // namespace davit::bench
