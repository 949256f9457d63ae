// Curves over time, or over another quantity, as SVG, for every module that makes a page.
//
// Solves: the curve is in the page itself, so it prints and shows without scripts; the same numbers go along as data
// for the script that adds hovering and zooming. A curve of a million samples becomes two thousand points that keep
// every peak. Does not: know channels or files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace davit::html {

struct Series {
  std::vector<double> times{};  // or what else the plot is over
  std::vector<double> values{};
};

// At most `most` points: of each stretch of samples its least and its greatest, in the order they came; the first and
// the last sample. A stretch with a value that is not finite leaves a gap.
Series decimate(std::span<const double> times, std::span<const double> values, std::size_t most);

// Round steps (1, 2 or 5 times a power of ten) that cover the range with about `wanted` intervals.
struct Ticks {
  double first = 0;
  double step = 1;
  int count = 0;
};
Ticks choose_ticks(double low, double high, int wanted);

struct Curve {
  std::string name{};
  std::string description{};
  Series series{};
};

struct LimitLine {
  std::string name{};
  double value = 0;
  bool lower = false;  // a lower bound: its name stands below the line
};

struct Plot {
  std::string title{};
  std::string unit{};
  std::vector<Curve> curves{};
  std::vector<LimitLine> limits{};
  std::string over = "time";
  std::string over_unit = "s";
  bool dashes = false;  // curves differ by their dashes too: few curves that must be told apart without colours
};

std::string plot_figure(const Plot& plot);

}  // namespace davit::html
