#include "davit/html/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "davit/html/html.hpp"

namespace davit::html {
namespace {

// The script draws the same picture: it takes this geometry from the data that goes along.
constexpr double width = 920;
constexpr double height = 250;
constexpr double left = 74;
constexpr double right = 16;
constexpr double top = 10;
constexpr double bottom = 38;
constexpr std::size_t colours = 8, dash_patterns = 4;
constexpr std::size_t points_per_curve = 2000;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void cover(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
};

// A flat or empty curve needs an axis too.
Range widened(Range range, double by) {
  if (range.empty()) return {0, 1};
  double margin = by * (range.high - range.low);
  if (range.high - range.low <= 1e-12 * std::max(std::abs(range.low), std::abs(range.high))) {
    margin = range.high == 0 ? 1 : 0.1 * std::abs(range.high);
  }
  return {range.low - margin, range.high + margin};
}

Range value_range(const Plot& plot) {
  Range range;
  for (const Curve& curve : plot.curves) {
    for (const double value : curve.series.values) range.cover(value);
  }
  // A limit is worth showing unless it would press the curve flat.
  const Range data = range;
  for (const LimitLine& limit : plot.limits) {
    const double span = data.high - data.low;
    if (!data.empty() && limit.value > data.low - span && limit.value < data.high + span) range.cover(limit.value);
  }
  return widened(range, 0.06);
}

Range time_range(const Plot& plot) {
  Range range;
  for (const Curve& curve : plot.curves) {
    for (const double time : curve.series.times) range.cover(time);
  }
  return range.empty() || range.low == range.high ? widened(range, 0) : range;
}

std::string curve_class(const Plot& plot, std::size_t index) {
  if (plot.dashes) return fmt::format("curve c{} d{}", index % colours, index % dash_patterns);
  return fmt::format("curve c{}{}", index % colours, index / colours % 2 ? " dashed" : "");
}

// Lines at one height are one line, with all their names.
std::vector<LimitLine> merged(const std::vector<LimitLine>& limits) {
  std::vector<LimitLine> out;
  for (const LimitLine& limit : limits) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const LimitLine& other) {
      return other.value == limit.value && other.lower == limit.lower;
    });
    if (same == out.end())
      out.push_back(limit);
    else if (same->name != limit.name)
      same->name += "; " + limit.name;
  }
  return out;
}

std::string path_of(const Series& series, const Range& times, const Range& values) {
  std::string path;
  bool pen_down = false;
  const double x_scale = (width - left - right) / (times.high - times.low);
  const double y_scale = (height - top - bottom) / (values.high - values.low);
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    if (!std::isfinite(series.values[i])) {
      pen_down = false;
      continue;
    }
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", pen_down ? 'L' : 'M',
                   left + (series.times[i] - times.low) * x_scale,
                   height - bottom - (series.values[i] - values.low) * y_scale);
    pen_down = true;
  }
  return path;
}

std::string tick_text(const Ticks& ticks, int index) {
  const double value = ticks.first + index * ticks.step;
  return number(std::abs(value) < 1e-9 * ticks.step ? 0 : value);
}

std::string axes(const Range& times, const Range& values, const Plot& plot) {
  std::string out;
  const auto add = std::back_inserter(out);
  const Ticks y = choose_ticks(values.low, values.high, 5);
  for (int i = 0; i < y.count; ++i) {
    const double at =
        height - bottom - (y.first + i * y.step - values.low) / (values.high - values.low) * (height - top - bottom);
    fmt::format_to(add, R"(<path class="grid" d="M{} {:.1f}H{}"/><text class="tick y" x="{}" y="{:.1f}">{}</text>)",
                   left, at, width - right, left - 7, at + 4, tick_text(y, i));
  }
  const Ticks x = choose_ticks(times.low, times.high, 10);
  for (int i = 0; i < x.count; ++i) {
    const double at = left + (x.first + i * x.step - times.low) / (times.high - times.low) * (width - left - right);
    fmt::format_to(add, R"(<path class="grid" d="M{:.1f} {}V{}"/><text class="tick x" x="{:.1f}" y="{}">{}</text>)", at,
                   top, height - bottom, at, height - bottom + 16, tick_text(x, i));
  }
  fmt::format_to(add, R"(<path class="frame" d="M{0} {1}H{2}V{3}H{0}Z"/>)", left, top, width - right, height - bottom);
  fmt::format_to(add, R"(<text class="axis" x="{}" y="{}">{} [{}]</text>)", (left + width - right) / 2, height - 5,
                 escape(plot.over), escape(plot.over_unit));
  fmt::format_to(add, R"svg(<text class="axis" transform="translate(14 {}) rotate(-90)">{}</text>)svg",
                 (top + height - bottom) / 2, escape(plot.unit.empty() ? "[-]" : "[" + plot.unit + "]"));
  return out;
}

std::string numbers(const std::vector<double>& values, int digits) {
  std::string out = "[";
  for (const double value : values) {
    if (out.size() > 1) out += ',';
    out += json_number(value, digits);
  }
  return out + "]";
}

std::string data_of(const Plot& plot) {
  std::string out =
      fmt::format(R"({{"unit":{},"over":{},"over_unit":{},"box":[{},{},{},{},{},{}],"limits":[)", json_text(plot.unit),
                  json_text(plot.over), json_text(plot.over_unit), width, height, left, right, top, bottom);
  const std::vector<LimitLine> limits = merged(plot.limits);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    fmt::format_to(std::back_inserter(out), R"({}{{"name":{},"lower":{},"value":{}}})", i ? "," : "",
                   json_text(limits[i].name), limits[i].lower, json_number(limits[i].value, 9));
  }
  out += "],\"curves\":[";
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    fmt::format_to(std::back_inserter(out), R"({}{{"name":{},"class":"{}","t":{},"v":{}}})", i ? "," : "",
                   json_text(curve.name), curve_class(plot, i), numbers(curve.series.times, 8),
                   numbers(curve.series.values, 6));
  }
  return out + "]}";
}

}  // namespace

Series decimate(std::span<const double> times, std::span<const double> values, std::size_t most) {
  const std::size_t count = std::min(times.size(), values.size());
  if (count <= most || most < 5) return {{times.begin(), times.end()}, {values.begin(), values.end()}};

  const auto finite = [](double value) { return std::isfinite(value); };
  const bool gaps = !std::all_of(values.begin(), values.end(), finite);
  const std::size_t stretches = (most - 2) / (gaps ? 3 : 2);
  Series out;
  const auto keep = [&](std::size_t i) {
    out.times.push_back(times[i]);
    out.values.push_back(values[i]);
  };
  keep(0);
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = 1 + s * (count - 2) / stretches;
    const std::size_t end = 1 + (s + 1) * (count - 2) / stretches;
    std::size_t least = end;
    std::size_t greatest = end;
    std::size_t gap = end;
    for (std::size_t i = begin; i < end; ++i) {
      if (!finite(values[i])) {
        gap = i;
        continue;
      }
      if (least == end || values[i] < values[least]) least = i;
      if (greatest == end || values[i] > values[greatest]) greatest = i;
    }
    std::array<std::size_t, 3> chosen{least, greatest, gap};
    std::sort(chosen.begin(), chosen.end());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (chosen[k] != end && (k == 0 || chosen[k] != chosen[k - 1])) keep(chosen[k]);
    }
  }
  keep(count - 1);
  return out;
}

Ticks choose_ticks(double low, double high, int wanted) {
  const double rough = (high - low) / wanted;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double ratio = rough / power;
  const double step = power * (ratio <= 1.5 ? 1 : ratio <= 3.5 ? 2 : ratio <= 7.5 ? 5 : 10);
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  return {first * step, step, static_cast<int>(last - first) + 1};
}

std::string plot_figure(const Plot& plot) {
  const Range times = time_range(plot);
  const Range values = value_range(plot);
  Plot thinned = plot;
  for (Curve& curve : thinned.curves) {
    curve.series = decimate(curve.series.times, curve.series.values, points_per_curve);
  }

  std::string out = fmt::format("<figure class=\"plot\"><figcaption><b>{}</b>", escape(plot.title));
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    fmt::format_to(std::back_inserter(out),
                   R"(<button type="button" class="key" title="{}"><svg class="swatch" viewBox="0 0 22 8">)"
                   R"(<path class="{}" d="M1 4H21"/></svg>{}</button>)",
                   escape(plot.curves[i].description), curve_class(plot, i), escape(plot.curves[i].name));
  }
  fmt::format_to(std::back_inserter(out), R"(</figcaption><svg class="chart" viewBox="0 0 {} {}" role="img">)", width,
                 height);
  out += axes(times, values, plot);
  std::string limit_names;
  for (const LimitLine& limit : merged(plot.limits)) {
    if (limit.value < values.low || limit.value > values.high) continue;
    const double at =
        height - bottom - (limit.value - values.low) / (values.high - values.low) * (height - top - bottom);
    fmt::format_to(std::back_inserter(out), R"(<path class="limit" d="M{} {:.1f}H{}"/>)", left, at, width - right);
    fmt::format_to(std::back_inserter(limit_names), R"(<text class="limit-name" x="{}" y="{:.1f}">{}</text>)",
                   width - right - 6, limit.lower || at < top + 16 ? at + 13 : at - 5, escape(limit.name));
  }
  for (std::size_t i = 0; i < thinned.curves.size(); ++i) {
    fmt::format_to(std::back_inserter(out), R"(<path class="{}" d="{}"/>)", curve_class(plot, i),
                   path_of(thinned.curves[i].series, times, values));
  }
  out += limit_names + "</svg><div class=\"tip\" hidden></div>";
  out += "<script type=\"application/json\">" + data_of(thinned) + "</script></figure>\n";
  return out;
}

}  // namespace davit::html
