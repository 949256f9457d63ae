#include "log_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace davit::bench {

namespace {

constexpr double width = 940, height = 560, left = 84, right = 256, top = 52, bottom = 64;

// One axis: whole powers of ten around the values, mapped to pixels.
struct Axis {
  int first, last;
  double from, to;

  double pixel(double value) const { return from + (to - from) * (std::log10(value) - first) / (last - first); }
};

const char* superscript(char c) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return c == '-' ? "⁻" : digits[c - '0'];
}
std::string power_of_ten(int exponent) {
  if (exponent >= -2 && exponent <= 3) return fmt::format("{:g}", std::pow(10.0, exponent));
  std::string text = "10";
  for (char c : std::to_string(exponent)) text += superscript(c);
  return text;
}

std::string marker(const Series& s, double x, double y) {
  const double size = s.broad ? 6 : 4.2;  // half of it
  const std::string paint =
      fmt::format(R"(fill="{}" stroke="{}" stroke-width="1.6")", s.filled ? s.colour : "#ffffff", s.colour);
  const auto polygon = [&](std::initializer_list<std::pair<double, double>> corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) points += fmt::format("{:.1f},{:.1f} ", x + size * dx, y + size * dy);
    return fmt::format("<polygon points=\"{}\" {}/>\n", points, paint);
  };
  switch (s.marker) {
    case Marker::square:
      return polygon({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case Marker::diamond:
      return polygon({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
    case Marker::triangle:
      return polygon({{0, -1.2}, {1.2, 1}, {-1.2, 1}});
    default:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}/>\n", x, y, size, paint);
  }
}

std::string stroke(const Series& s) {
  return fmt::format(R"(stroke="{}"{}{})", s.colour,
                     s.broad ? R"( stroke-width="5" stroke-opacity="0.4")" : R"( stroke-width="2")",
                     s.dashed ? R"( stroke-dasharray="6 4")" : "");
}

}  // namespace

std::string LogPlot::svg() const {
  std::vector<Series> shown = series;
  double x0 = INFINITY, x1 = 0, y0 = INFINITY, y1 = 0;
  for (Series& s : shown) {
    std::erase_if(s.points, [&](const Series::Point& p) { return !(p.y >= least_y && p.y <= most_y); });
    for (const Series::Point& p : s.points) {
      x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
      y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
  }
  const auto axis = [](double least, double most, double from, double to) {
    const int first = static_cast<int>(std::floor(std::log10(least)));
    return Axis{first, std::max(first + 1, static_cast<int>(std::ceil(std::log10(most)))), from, to};
  };
  const Axis x = axis(x0, x1, left, width - right), y = axis(y0, y1, height - bottom, top);

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#222222\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"{2}\" y=\"30\" font-size=\"17\" font-weight=\"bold\">{3}</text>\n",
      width, height, left, title);
  const auto add = [&out](const char* form, const auto&... values) {
    fmt::format_to(std::back_inserter(out), fmt::runtime(form), values...);
  };
  const auto line = [&](double xa, double ya, double xb, double yb, const char* colour) {
    add("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", xa, ya, xb, yb, colour);
  };

  for (int k = x.first; k < x.last; ++k)
    for (int digit = 2; digit < 10; ++digit) {
      const double at = x.pixel(digit * std::pow(10.0, k));
      line(at, y.from, at, y.to, "#f3f3f3");
    }
  for (int k = x.first; k <= x.last; ++k) {
    const double at = x.pixel(std::pow(10.0, k));
    line(at, y.from, at, y.to, "#d5d5d5");
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at, y.from + 20, power_of_ten(k));
  }
  for (int k = y.first; k <= y.last; ++k) {
    const double at = y.pixel(std::pow(10.0, k));
    line(x.from, at, x.to, at, "#d5d5d5");
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x.from - 9, at + 4.5, power_of_ten(k));
  }
  add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#777777\"/>\n", x.from, y.to,
      x.to - x.from, y.from - y.to);
  add("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n", (x.from + x.to) / 2,
      height - 18, x_label);
  add("<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n",
      (y.from + y.to) / 2, y_label);

  double row = top + 12;
  for (const Series& s : shown) {
    if (s.points.empty()) continue;
    add("<polyline fill=\"none\" {} points=\"", stroke(s));
    for (const Series::Point& p : s.points) add("{:.1f},{:.1f} ", x.pixel(p.x), y.pixel(p.y));
    add("\"/>\n");
    for (const Series::Point& p : s.points) out += marker(s, x.pixel(p.x), y.pixel(p.y));
    const double from = x.to + 18;
    add("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", from, row, from + 34, row, stroke(s));
    out += marker(s, from + 17, row);
    add("<text x=\"{}\" y=\"{}\">{}</text>\n", from + 42, row + 4.5, s.name);
    row += 25;
  }
  return out + "</svg>\n";
}

}  // namespace davit::bench
