#include "davit/cable/catenary.hpp"

#include <algorithm>
#include <cmath>

#include "davit/cable/root.hpp"

namespace davit::cable {

namespace {

// A piece of line that hangs: H and the vertical pull V at its lower end give, at s from there,
//   x = H s/EA + (H/w)(asinh((V + w s)/H) − asinh(V/H)),
//   z = (V s + w s²/2)/EA + (T(s) − T(0))/w.
Vec2 hanging_at(const UniformLine& line, double H, double V, double s) {
  const double w = line.weight, top = V + w * s;
  const double T0 = std::hypot(H, V), T1 = std::hypot(H, top);
  const double x = H * s / line.EA + H / w * (std::asinh(top / H) - std::asinh(V / H));
  // T1 − T0 = w s (top + V)/(T1 + T0) without cancellation
  return {x, (V * s + 0.5 * w * s * s) / line.EA + s * (top + V) / (T1 + T0)};
}

// The vertical pull at the lower end with which the upper end is at a height; z grows with V.
double pull_for_height(const UniformLine& line, double H, double height) {
  const double weight = line.weight * line.length;
  const auto miss = [&](double V) { return hanging_at(line, H, V, line.length).y() - height; };
  double low = -0.5 * weight, high = -0.5 * weight;  // height zero at −W/2
  for (double step = weight; miss(high) < 0; step *= 4) {
    high += step;
    if (high > 1e12 * weight) return NAN;
  }
  return root_between(low, high, miss);
}

// H for which `reach`, which grows with H, equals the span; H is bracketed from a scale of forces.
template <class Reach>
std::optional<double> horizontal_for_span(double scale, double span, Reach&& reach) {
  const auto miss = [&](double log_H) { return reach(std::exp(log_H)) - span; };
  double low = std::log(scale), high = low;
  for (int i = 0; !(miss(low) <= 0); ++i, low -= 2)
    if (i > 40) return std::nullopt;
  for (int i = 0; !(miss(high) >= 0); ++i, high += 2)
    if (i > 40) return std::nullopt;
  return std::exp(low < high ? root_between(low, high, miss) : low);
}

// Length that hangs above a rigid bed with H, its lower end horizontal: with c = T/H
//   (H/w)(c − 1) + (H²/2 w EA)(c² − 1) = height.
double hanging_length(const UniformLine& line, double H, double height) {
  const double a = H * H / (2 * line.weight * line.EA), b = H / line.weight;
  // c − 1 = e: a e² + (2a + b) e − height = 0
  const double B = 2 * a + b, e = 2 * height / (B + std::sqrt(B * B + 4 * a * height));
  return H / line.weight * std::sqrt(e * (e + 2));
}

// Length that hangs straight down.
double straight_down(const UniformLine& line, double height) {
  return hanging_length(line, 1e-12 * line.weight * height, height);
}

}  // namespace

double Catenary::tension_lower() const { return std::hypot(H, V_lower); }
double Catenary::tension_upper() const { return std::hypot(H, V_upper); }
double Catenary::tension(double s) const { return std::hypot(H, V_lower + line.weight * std::max(0.0, s - grounded)); }
Vec2 Catenary::at(double s) const {
  const double flat = std::min(s, grounded) * (1 + H / line.EA);
  if (s <= grounded) return {flat, 0};
  const Vec2 up = hanging_at(line, H, V_lower, s - grounded);
  return {flat + up.x(), up.y()};
}

std::optional<Catenary> hanging_catenary(const UniformLine& line, double span, double height) {
  if (std::isinf(line.EA) && std::hypot(span, height) >= line.length) return std::nullopt;
  const auto H = horizontal_for_span(line.weight * line.length, span, [&](double h) {
    const double V = pull_for_height(line, h, height);
    return hanging_at(line, h, V, line.length).x();
  });
  if (!H) return std::nullopt;
  const double V = pull_for_height(line, *H, height);
  return Catenary{line, *H, V, V + line.weight * line.length, 0};
}

std::optional<Catenary> grounded_catenary(const UniformLine& line, double span, double height) {
  const auto reach = [&](double H) {
    const double up = hanging_length(line, H, height);
    return (line.length - up) * (1 + H / line.EA) + hanging_at(line, H, 0, up).x();
  };
  const auto H = horizontal_for_span(line.weight * std::max(height, 0.01 * line.length), span, reach);
  const double up = H ? hanging_length(line, *H, height) : 2 * line.length;
  if (up > line.length) return hanging_catenary(line, span, height);
  return Catenary{line, *H, 0, line.weight * up, line.length - up};
}

namespace {

constexpr double branch_start = 1e-9;  // m above the flat part

// Out of the flat part of a line on an elastic bed: position and vertical pull along s,
//   x' = (1 + T/EA) H/T,  z' = (1 + T/EA) V/T,  V' = w − k max(0, −z),
// which leaves z = −w/k by the growing exponential of √(k/H), up to a given height.
class WinklerBranch {
 public:
  WinklerBranch(const UniformLine& line, double stiffness, double H) : line_(line), k_(stiffness), H_(H) {}

  struct Point {
    double s, x, z, V;
  };
  // Steps of Runge and Kutta of fourth order; the last one ends at the height, and one ends at bed level.
  std::vector<Point> up_to(double height) const {
    const double rate = std::sqrt(k_ / H_);
    std::vector<Point> points = {{0, 0, -line_.weight / k_ + branch_start, branch_start * H_ * rate}};
    for (const double level : {0.0, height}) {
      if (points.back().z >= level) continue;
      while (points.back().z < level && points.back().s < line_.length * 2) {
        const double h = 0.01 / rate;
        Point next = step(points.back(), h);
        if (next.z > level) {
          const Point from = points.back();
          const double part = root_between(0, h, [&](double f) { return step(from, f).z - level; });
          next = step(from, part);
          next.z = level;
        }
        points.push_back(next);
      }
    }
    return points;
  }

 private:
  Point rate_at(const Point& p) const {
    const double T = std::hypot(H_, p.V), stretch = 1 + T / line_.EA;
    return {1, stretch * H_ / T, stretch * p.V / T, line_.weight - k_ * std::max(0.0, -p.z)};
  }
  static Point ahead(const Point& p, const Point& d, double h) {
    return {p.s + h * d.s, p.x + h * d.x, p.z + h * d.z, p.V + h * d.V};
  }
  Point step(const Point& p, double h) const {
    const Point a = rate_at(p), b = rate_at(ahead(p, a, h / 2)), c = rate_at(ahead(p, b, h / 2)),
                d = rate_at(ahead(p, c, h));
    return ahead(ahead(ahead(ahead(p, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
  }
  UniformLine line_;
  double k_, H_;
};

}  // namespace

std::optional<WinklerCatenary> winkler_catenary(const UniformLine& line, double bed_stiffness, double span,
                                                double height) {
  const auto rigid = grounded_catenary(line, span, height);
  if (!rigid || rigid->grounded <= 0) return std::nullopt;
  struct Branches {
    std::vector<WinklerBranch::Point> anchor, fairlead;
    double flat = 0, span = 0;
  };
  const auto shape = [&](double H) {
    const WinklerBranch branch(line, bed_stiffness, H);
    Branches b{branch.up_to(0), branch.up_to(height), 0, 0};
    b.flat = line.length - b.anchor.back().s - b.fairlead.back().s;
    b.span = b.anchor.back().x + b.fairlead.back().x + b.flat * (1 + H / line.EA);
    return b;
  };
  const double H = root_between(
      0.5 * rigid->H, 2 * rigid->H, [&](double h) { return shape(h).span - span; }, 1e-12 * rigid->H);
  const Branches b = shape(H);
  // Both branches leave the flat shape by what is less than a nanometre at their start; where they overlap, what each
  // has left of it adds up. It must be little in the middle.
  const double in_middle = branch_start * std::exp(-0.5 * b.flat * std::sqrt(bed_stiffness / H));
  if (in_middle > 1e-3 * line.weight / bed_stiffness) return std::nullopt;
  WinklerCatenary out;
  out.H = H;
  out.tension_upper = std::hypot(H, b.fairlead.back().V);
  out.tension_lower = std::hypot(H, b.anchor.back().V);
  out.embedment = line.weight / bed_stiffness;
  const auto& low = b.anchor.back();
  for (auto p = b.anchor.rbegin(); p != b.anchor.rend(); ++p) out.shape.push_back({low.s - p->s, low.x - p->x, p->z});
  const double s0 = low.s + b.flat, x0 = low.x + b.flat * (1 + H / line.EA), middle = low.s + 0.5 * b.flat;
  std::erase_if(out.shape, [&](const Vec3& p) { return p.x() > middle; });
  for (const auto& p : b.fairlead)
    if (s0 + p.s > middle) out.shape.push_back({s0 + p.s, x0 + p.x, p.z});
  for (size_t i = 1; i < out.shape.size() && out.shape[i].z() <= 0; ++i) out.grounded = out.shape[i].x();
  return out;
}

std::optional<double> length_for_tension(const UniformLine& line, double span, double height, double tension) {
  const double chord = std::hypot(span, height);
  const auto miss = [&](double length) {
    const auto c = grounded_catenary({length, line.weight, line.EA}, span, height);
    return c ? c->tension_upper() - tension : 1e300;
  };
  // Shorter is tauter, until a line lies on the bed and hangs down from the end.
  double shortest = std::isinf(line.EA) ? chord * (1 + 1e-12) : chord / (1 + tension / line.EA) * (1 - 1e-9);
  const double longest = (span + straight_down(line, height)) * (1 - 1e-9);
  if (miss(shortest) < 0 || miss(longest) > 0) return std::nullopt;
  return root_between(shortest, longest, miss);
}

std::optional<double> span_for_tension(const UniformLine& line, double height, double tension) {
  const auto miss = [&](double span) {
    const auto c = grounded_catenary(line, span, height);
    return c ? c->tension_upper() - tension : 1e300;
  };
  const double straight = std::sqrt(std::max(0.0, line.length * line.length - height * height));
  const double slackest = std::max(1e-6 * line.length, (line.length - straight_down(line, height)) * (1 + 1e-9));
  double widest = std::isinf(line.EA) ? straight * (1 - 1e-12) : line.length * (1 + tension / line.EA);
  if (widest <= slackest || miss(slackest) > 0 || miss(widest) < 0) return std::nullopt;
  return root_between(slackest, widest, miss);
}

}  // namespace davit::cable
