// A spring that acts one way only: a rope pulls where it is stretched, a contact pushes where it is pressed in. Force
// F(x) and energy V(x), F = dV/dx, and nothing where x ≤ 0. Linear, F = k x, or a table of points through (0, 0).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "davit/math/types.hpp"

namespace davit {

class OneSidedSpring {
 public:
  struct Point {
    double stretch, force;
  };
  explicit OneSidedSpring(double stiffness) : stiffness_(stiffness) {}
  // Points of growing stretch and force, the first above zero; linear between, and beyond as in the last piece.
  explicit OneSidedSpring(const std::vector<Point>& table) {
    points_.push_back({0, 0});
    energies_.push_back(0);
    for (const Point& p : table) {
      const Point last = points_.back();
      energies_.push_back(energies_.back() + 0.5 * (p.stretch - last.stretch) * (p.force + last.force));
      points_.push_back(p);
      stiffness_ = std::max(stiffness_, (p.force - last.force) / (p.stretch - last.stretch));
    }
  }

  double stiffness() const { return stiffness_; }  // the largest dF/dx
  // dF/dx at x, and at the onset where x is below it.
  double slope(double x) const { return points_.empty() ? stiffness_ : piece_slope(piece(x)); }

  template <class S>
  S force(const S& x) const {
    if (value_of(x) <= 0) return S(0);
    if (points_.empty()) return S(stiffness_) * x;
    const size_t i = piece(value_of(x));
    return S(points_[i].force) + S(piece_slope(i)) * (x - S(points_[i].stretch));
  }
  template <class S>
  S energy(const S& x) const {
    if (value_of(x) <= 0) return S(0);
    if (points_.empty()) return S(0.5 * stiffness_) * x * x;
    const size_t i = piece(value_of(x));
    const S beyond = x - S(points_[i].stretch);
    return S(energies_[i]) + beyond * (S(points_[i].force) + S(0.5 * piece_slope(i)) * beyond);
  }
  // The force that acts over a step from x0 to x1: (V(x1) - V(x0))/(x1 - x0), so that the work done is the energy
  // stored.
  template <class S>
  S step_force(const S& x0, const S& x1) const {
    const double a = value_of(x0), b = value_of(x1);
    if (a <= 0 && b <= 0) return S(0);
    if (points_.empty() && a >= 0 && b >= 0) return S(0.5 * stiffness_) * (x0 + x1);
    const S change = x1 - x0;
    if (std::abs(b - a) < 1e-7 * (std::abs(a) + std::abs(b))) return force(S(S(0.5) * (x0 + x1)));
    return (energy(x1) - energy(x0)) / change;
  }

 private:
  size_t piece(double x) const {
    size_t i = 0;
    while (i + 2 < points_.size() && points_[i + 1].stretch < x) ++i;
    return i;
  }
  double piece_slope(size_t i) const {
    return (points_[i + 1].force - points_[i].force) / (points_[i + 1].stretch - points_[i].stretch);
  }
  double stiffness_ = 0;
  std::vector<Point> points_;
  std::vector<double> energies_;
};

}  // namespace davit
