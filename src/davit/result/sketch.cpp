#include "davit/result/sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "davit/html/html.hpp"

namespace davit::result {
namespace {

struct View {
  const char* title;
  std::size_t across;
  std::size_t up;
  std::size_t depth;
  double nearer;  // which end of that axis is
  const char* across_name;
  const char* up_name;
};

constexpr std::array views{View{"Side view, from starboard", 0, 2, 1, -1, "x", "z"},
                           View{"Front view, from ahead", 1, 2, 0, 1, "y", "z"},
                           View{"Top view", 0, 1, 2, 1, "x", "y"}};

constexpr double widest = 800;  // of side and front view together, in pixels
constexpr double tallest = 300;
constexpr double margin = 30;
constexpr double foot = 34;  // room for the scale bar
constexpr double letter = 6.4;
constexpr double plate_lies_on = 1;  // m: a plate is seen, not the deck that it lies on, however that heels

struct Box {
  Point low{};
  Point high{};
  bool empty = true;

  double extent(std::size_t axis) const { return high[axis] - low[axis]; }
};

Box bounds(const std::vector<SketchMoment>& moments) {
  Box box;
  box.low.fill(std::numeric_limits<double>::infinity());
  box.high.fill(-std::numeric_limits<double>::infinity());
  const auto see = [&](const std::vector<Point>& points) {
    for (const Point& point : points) {
      if (!std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); })) continue;
      box.empty = false;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min(box.low[axis], point[axis]);
        box.high[axis] = std::max(box.high[axis], point[axis]);
      }
    }
  };
  for (const SketchMoment& moment : moments)
    for (const SketchBody& body : moment.bodies) {
      if (body.kind == "mooring") continue;
      for (const auto& line : body.polylines) see(line);
      for (const auto& solid : body.solids) see(solid);
    }
  return box;
}

using Flat = std::array<double, 2>;

// Counter-clockwise (Andrew's monotone chain).
std::vector<Flat> convex_hull(std::vector<Flat> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  const auto turn = [](const Flat& o, const Flat& a, const Flat& b) {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  };
  std::vector<Flat> hull;
  const auto half = [&](auto begin, auto end) {
    const std::size_t base = hull.size();
    for (auto p = begin; p != end; ++p) {
      while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), *p) <= 0) hull.pop_back();
      hull.push_back(*p);
    }
    hull.pop_back();
  };
  half(points.begin(), points.end());
  half(points.rbegin(), points.rend());
  return hull;
}

// The greatest of 1, 2, 5 times a power of ten that is not longer than `longest`.
double round_length(double longest) {
  const double power = std::pow(10, std::floor(std::log10(longest)));
  return longest >= 5 * power ? 5 * power : longest >= 2 * power ? 2 * power : power;
}

class Drawing {
 public:
  Drawing(const View& view, const Box& box, double scale)
      : view_(view),
        scale_(scale),
        width_(std::max(box.extent(view.across) * scale, 120.0) + 2 * margin),
        height_(std::max(box.extent(view.up) * scale, 40.0) + 2 * margin + foot),
        // What is narrower than the drawing stands in its middle.
        left_((width_ - box.extent(view.across) * scale) / 2 - box.low[view.across] * scale),
        base_(height_ - foot - margin + box.low[view.up] * scale) {}

  double x(const Point& point) const { return left_ + scale_ * point[view_.across]; }
  double y(const Point& point) const { return base_ - scale_ * point[view_.up]; }

  void water() {
    if (view_.up != 2 || base_ < 4 || base_ > height_ - foot) return;
    add(R"(<rect class="sea" x="0" y="{0:.1f}" width="{1:.1f}" height="{2:.1f}"/><path class="water" d="M0 {0:.1f}H{1:.1f}"/>)",
        base_, width_, height_ - foot - base_);
  }

  // What is farther away first.
  void solids(const std::vector<SketchBody>& bodies) {
    struct Outline {
      double near;
      std::string path;
    };
    std::vector<Outline> outlines;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (const auto& solid : bodies[i].solids) {
        std::vector<Flat> seen;
        double near = -std::numeric_limits<double>::infinity();
        for (const Point& point : solid) {
          if (!std::isfinite(x(point)) || !std::isfinite(y(point))) continue;
          seen.push_back({x(point), y(point)});
          near = std::max(near, view_.nearer * point[view_.depth]);
        }
        if (solid.size() <= 4) near += plate_lies_on;
        std::string path;
        for (const Flat& corner : convex_hull(std::move(seen)))
          fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', corner[0], corner[1]);
        if (path.empty()) continue;
        outlines.push_back({near, fmt::format(R"(<path class="solid {} f{}" d="{}Z"/>)", bodies[i].kind, i % 8, path)});
      }
    std::stable_sort(outlines.begin(), outlines.end(),
                     [](const Outline& a, const Outline& b) { return a.near < b.near; });
    for (const Outline& outline : outlines) out_ += outline.path;
  }

  void lines(const SketchBody& body, std::size_t index) {
    std::string path;
    for (const auto& line : body.polylines) {
      char pen = 'M';
      for (const Point& point : line) {
        if (!std::isfinite(x(point)) || !std::isfinite(y(point))) continue;
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", pen, x(point), y(point));
        pen = 'L';
      }
    }
    if (path.empty()) return;
    add(R"(<path class="{}" d="{}"/>)", body.kind == "body" ? fmt::format("body c{}", index % 8) : body.kind, path);
  }

  // Beside the middle of the body's first line or solid, moved down until it covers no other label.
  void label(const SketchBody& body) {
    const auto& shapes = body.solids.empty() ? body.polylines : body.solids;
    if (body.label.empty() || shapes.empty() || shapes.front().empty()) return;
    Point middle{};
    const auto& line = shapes.front();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const Point& point : line) middle[axis] += point[axis] / static_cast<double>(line.size());
    }
    const double length = letter * static_cast<double>(body.label.size());
    const double at = std::clamp(x(middle) + 5, 2.0, std::max(2.0, width_ - length - 2));
    double down = std::clamp(y(middle) - 3, 12.0, height_ - foot);
    const auto covers = [&](const Label& other) {
      return std::abs(other.y - down) < 12 && at < other.x + other.length && other.x < at + length;
    };
    while (std::any_of(labels_.begin(), labels_.end(), covers)) down += 3;
    height_ = std::max(height_, down + foot);
    labels_.push_back({at, down, length});
    add(R"(<text class="label" x="{:.1f}" y="{:.1f}">{}</text>)", at, down, html::escape(body.label));
  }

  std::string finish() {
    const double length = round_length(std::max(90 / scale_, 1e-9));
    const double y0 = height_ - 10;
    add(R"(<path class="bar" d="M10 {0:.1f}v-6m0 3h{1:.1f}m0 -3v6"/><text class="label" x="{2:.1f}" y="{3:.1f}">{4} m</text>)",
        y0, length * scale_, 16 + length * scale_, y0 + 1, html::number(length));
    const double x0 = width_ - 44;
    add(R"(<path class="bar" d="M{0:.1f} {1:.1f}v-20m-3 5l3 -5l3 5M{0:.1f} {1:.1f}h20m-5 -3l5 3l-5 3"/>)", x0, y0);
    add(R"(<text class="label" x="{:.1f}" y="{:.1f}">{}</text>)", x0 + 24, y0 + 3, view_.across_name);
    add(R"(<text class="label" x="{:.1f}" y="{:.1f}">{}</text>)", x0 - 3, y0 - 23, view_.up_name);
    return fmt::format(
        R"(<figure class="view"><figcaption>{0}</figcaption><svg viewBox="0 0 {1:.0f} {2:.0f}" width="{1:.0f}" role="img">{3}</svg></figure>)",
        view_.title, width_, height_, out_);
  }

 private:
  struct Label {
    double x;
    double y;
    double length;
  };

  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  const View& view_;
  double scale_;
  double width_;
  double height_;
  double left_;
  double base_;
  std::vector<Label> labels_;
  std::string out_;
};

}  // namespace

std::string sketch_figures(const std::vector<SketchMoment>& moments) {
  const Box box = bounds(moments);
  if (box.empty) return {};
  const double length = std::max(box.extent(0), 1e-3), width = std::max(box.extent(1), 1e-3);
  const double scale =
      std::min({widest / (length + width), tallest / std::max(box.extent(2), 1e-3), 1.5 * tallest / width});
  std::string out;
  for (const SketchMoment& moment : moments) {
    if (!moment.caption.empty()) out += "<h3>" + html::escape(moment.caption) + "</h3>";
    out += "<div class=\"views\">";
    for (const View& view : views) {
      Drawing drawing(view, box, scale);
      drawing.solids(moment.bodies);
      for (std::size_t i = 0; i < moment.bodies.size(); ++i) drawing.lines(moment.bodies[i], i);
      drawing.water();
      for (const SketchBody& body : moment.bodies) drawing.label(body);
      out += drawing.finish();
    }
    out += "</div>\n";
  }
  return out;
}

}  // namespace davit::result
