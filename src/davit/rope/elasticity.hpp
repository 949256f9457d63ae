// The elastic law of a rope: tension T(e) and energy W(e) per unstretched length, with e = (l - N)/N for a stretched
// length l of N metres of rope; T = dW/de, and nothing when it is slack. Linear, T = EA e, or a table of points through
// (0, 0). Damping is a time c: T = EA (e + c ė) while it is taut.
#pragma once

#include <algorithm>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::rope {

class Elasticity {
 public:
  struct Point {
    double strain, tension;
  };
  Elasticity(double stiffness, double damping) : stiffness_(stiffness), damping_(damping) {}
  // Points of growing strain and tension, the first above zero; linear between, and beyond as in the last piece.
  Elasticity(const std::vector<Point>& table, double damping) : damping_(damping) {
    points_.push_back({0, 0});
    energies_.push_back(0);
    for (const Point& p : table) {
      const Point last = points_.back();
      energies_.push_back(energies_.back() + 0.5 * (p.strain - last.strain) * (p.tension + last.tension));
      points_.push_back(p);
      stiffness_ = std::max(stiffness_, (p.tension - last.tension) / (p.strain - last.strain));
    }
  }

  double stiffness() const { return stiffness_; }  // the largest dT/de (N)
  double damping() const { return damping_; }      // s

  template <class S>
  S tension(const S& e) const {
    if (value_of(e) <= 0) return S(0);
    if (points_.empty()) return S(stiffness_) * e;
    const size_t i = piece(value_of(e));
    return S(points_[i].tension) + S(slope(i)) * (e - S(points_[i].strain));
  }
  template <class S>
  S energy(const S& e) const {
    if (value_of(e) <= 0) return S(0);
    if (points_.empty()) return S(0.5 * stiffness_) * e * e;
    const size_t i = piece(value_of(e));
    const S x = e - S(points_[i].strain);
    return S(energies_[i]) + x * (S(points_[i].tension) + S(0.5 * slope(i)) * x);
  }
  // The tension that acts over a step from strain e0 to e1: (W(e1) - W(e0))/(e1 - e0), so that the work done is the
  // energy stored.
  template <class S>
  S step_tension(const S& e0, const S& e1) const {
    const double a = value_of(e0), b = value_of(e1);
    if (a <= 0 && b <= 0) return S(0);
    if (points_.empty() && a >= 0 && b >= 0) return S(0.5 * stiffness_) * (e0 + e1);
    const S change = e1 - e0;
    if (std::abs(b - a) < 1e-7 * (std::abs(a) + std::abs(b))) return tension(S(S(0.5) * (e0 + e1)));
    return (energy(e1) - energy(e0)) / change;
  }
  // What damping adds at a strain rate; a rope does not push.
  template <class S>
  S damped(const S& elastic, const S& rate) const {
    if (damping_ == 0 || value_of(elastic) <= 0) return elastic;
    const S sum = elastic + S(stiffness_ * damping_) * rate;
    return value_of(sum) > 0 ? sum : S(0);
  }

 private:
  size_t piece(double e) const {
    size_t i = 0;
    while (i + 2 < points_.size() && points_[i + 1].strain < e) ++i;
    return i;
  }
  double slope(size_t i) const {
    return (points_[i + 1].tension - points_[i].tension) / (points_[i + 1].strain - points_[i].strain);
  }
  double stiffness_ = 0, damping_ = 0;
  std::vector<Point> points_;
  std::vector<double> energies_;
};

}  // namespace davit::rope
