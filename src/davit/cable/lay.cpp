// The shape that equilibrium is looked for from.
#include <algorithm>
#include <cmath>

#include "davit/cable/catenary.hpp"
#include "davit/cable/divided_line.hpp"
#include "davit/cable/root.hpp"
#include "davit/math/constants.hpp"

namespace davit::cable {

namespace {

// Points of a path at given parts of its length.
class Path {
 public:
  explicit Path(std::vector<Vec3> corners) : corners_(std::move(corners)) {
    for (size_t i = 1; i < corners_.size(); ++i) length_ += (corners_[i] - corners_[i - 1]).norm();
  }
  Vec3 at(double part) const {
    double left = part * length_;
    for (size_t i = 1; i < corners_.size(); ++i) {
      const Vec3 leg = corners_[i] - corners_[i - 1];
      if (left <= leg.norm() || i + 1 == corners_.size())
        return corners_[i - 1] + leg * std::min(1.0, left / std::max(1e-12, leg.norm()));
      left -= leg.norm();
    }
    return corners_.back();
  }

 private:
  std::vector<Vec3> corners_;
  double length_ = 0;
};

// What is slack, in an arc of a circle on the level from a to b, so that nothing is compressed.
void add_arc(const Vec3& a, const Vec3& b, double length, std::vector<Vec3>& corners) {
  const Vec3 way = b - a;
  const double chord = std::max(way.norm(), 1e-3 * length);
  const Vec3 along = way.norm() > 0 ? Vec3(way.normalized()) : Vec3::UnitX();
  const Vec3 side = Vec3::UnitZ().cross(along).stableNormalized();
  if (length <= 1.0001 * chord) {
    corners.push_back(b);
    return;
  }
  // sin(φ)/φ = chord/length, φ half of the angle of the arc.
  const double half = root_between(1e-3, pi, [&](double x) { return std::sin(x) / x - chord / length; });
  const double radius = 0.5 * length / half;
  constexpr int pieces = 200;
  for (int i = 1; i <= pieces; ++i) {
    const double angle = half * (2.0 * i / pieces - 1);
    const double x = 0.5 * way.norm() + radius * std::sin(angle), y = radius * (std::cos(angle) - std::cos(half));
    corners.push_back(a + x * along + y * side);
  }
}

}  // namespace

// The catenary of a uniform line with the mean weight and stiffness, over a flat bed where its lower end lies on one.
void DividedLine::lay(const Vec3& a, const Vec3& b, Start start, const Extent& extent, double* state) const {
  const int elements = extent.elements;
  const double length = extent.length;
  std::fill_n(state, state_size(), 0.0);
  const auto put = [&](int node, const Vec3& p) {
    // Nothing starts under the bed but the ends.
    const bool inside = node > 0 && node < elements && start != Start::straight;
    const double buried = inside ? embedment(static_cast<size_t>(node), p) : 0;
    const Vec3 q = buried > 0 ? Vec3(p + buried * bed_.at(p).normal) : p;
    for (int axis = 0; axis < 3; ++axis) state[layout_.position(axis) + node] = q[axis];
  };
  const bool a_lower = a.z() <= b.z();
  const Vec3 &low = a_lower ? a : b, &high = a_lower ? b : a;
  const Vec3 flat(high.x() - low.x(), high.y() - low.y(), 0);
  const double span = std::max(flat.norm(), 1e-3 * length), height = high.z() - low.z();
  const Vec3 across = flat.norm() > 0 ? Vec3(flat.normalized()) : Vec3::UnitX();

  double compliance = 0;
  for (int i = 0; i < elements; ++i)
    compliance += rest_length_[static_cast<size_t>(i)] / packs_[static_cast<size_t>(i / lanes)].EA[i % lanes];
  const UniformLine uniform{length, extent.weight / length, length / compliance};
  const bool lies = bed_.present && bed_.embedment(low) > -0.5;
  std::optional<Catenary> curve;
  if (start != Start::straight && uniform.weight > 0)
    curve = lies ? grounded_catenary(uniform, span, height) : hanging_catenary(uniform, span, height);
  const bool slack = lies && start != Start::straight && span + height < length;

  Path straight({a, b});
  const Vec3 foot(high.x(), high.y(), low.z());
  if (slack) straight = Path({a, foot, b});
  if (slack && start == Start::slack) {
    std::vector<Vec3> corners{low};
    add_arc(low, foot, length - height, corners);
    if (height > 0) corners.push_back(high);
    if (!a_lower) std::reverse(corners.begin(), corners.end());
    straight = Path(std::move(corners));
  }
  for (int i = 0; i <= elements; ++i) {
    const double s = arc_[static_cast<size_t>(i)];
    if (curve && !slack) {
      const Vec2 p = curve->at(a_lower ? s : length - s);
      put(i, low + p.x() * across * (flat.norm() / span) + Vec3(0, 0, p.y()));
    } else {
      put(i, straight.at(s / length));
    }
  }
  put(0, a);
  put(elements, b);
}

}  // namespace davit::cable
