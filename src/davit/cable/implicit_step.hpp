// A step of BDF2 for the coordinates of a line's nodes.
#pragma once

#include <algorithm>
#include <cmath>

#include "davit/cable/divided_line.hpp"
#include "davit/cable/point_laws.hpp"

namespace davit::cable {

// BDF2 with steps h after h₋₁, ω = h/h₋₁: α₀ = (1 + 2ω)/(1 + ω), α₂ = ω²/(1 + ω), α₁ = −α₀ − α₂. In increments
//   v = α₀ (r − r₋₁)/h − α₂ (r₋₁ − r₋₂)/h.
// Without history, or after a step so much shorter that the formula would amplify, backward Euler.
struct Bdf2 {
  double now, last;  // α₀/h, −α₂/h
  Bdf2(double h, double h_before) {
    constexpr double largest_growth = 1 + 1.4142135623730951;
    const double w = h_before > 0 ? h / h_before : 0;
    const bool plain = h_before <= 0 || w >= largest_growth;
    now = (plain ? 1 : (1 + 2 * w) / (1 + w)) / h;
    last = plain ? 0 : -w * w / (1 + w) / h;
  }
};

// What goes to and fro between slack and taut, or in and out of the bed, is met half way, and then more and more
// slowly; in full again when changes are small and shrink as they do where half of the error is left each time.
class Patience {
 public:
  // `last`: the change of the iteration before.
  double part(int iteration, double last) {
    constexpr double small = 1e-4;  // m
    const bool shrinks = last < small && last <= 0.6 * before_;
    before_ = last;
    if (shrinks || iteration <= 8) return 1;
    return iteration <= 20 ? 0.5 : iteration <= 40 ? 0.25 : 0.1;
  }
  // What still flutters at the edge of the bed stops at ten times as much, 1 mm, which sufficed in the experiment that
  // preceded this code.
  static double tolerance(const Numerics& numerics, int iteration) {
    return numerics.tolerance * (iteration > 30 ? 10 : 1);
  }

 private:
  double before_ = 0;
};

class ImplicitStep {
 public:
  ImplicitStep(const StateLayout& layout, NodeWork& work, const double* before, double h)
      : layout_(layout), work_(work), before_(before), h_(h), scheme_(h, before[StateLayout::last_step]) {
    for (int axis = 0; axis < layout_.axes; ++axis)
      for (int i = 0; i < layout_.nodes; ++i) {
        const int k = axis * work_.stride + i;
        const double vb = scheme_.last * before_[layout_.position_change(axis) + i];
        const double ab = scheme_.last * before_[layout_.velocity_change(axis) + i];
        work_.velocity_base[static_cast<size_t>(k)] = vb;
        work_.acceleration_base[static_cast<size_t>(k)] = scheme_.now * (vb - before_[layout_.velocity(axis) + i]) + ab;
      }
  }
  Rates rates() const { return {scheme_.now, scheme_.now * scheme_.now}; }

  // As it moved before, with its last mean acceleration.
  void predict() {
    const double last = before_[StateLayout::last_step], growth = last > 0 ? h_ / last : 0;
    const double bend = growth < 2.5 ? 0.5 * h_ * growth : 0;
    for (int axis = 0; axis < layout_.axes; ++axis)
      for (int i = 0; i < layout_.nodes; ++i)
        increment(axis, i) =
            h_ * before_[layout_.velocity(axis) + i] + bend * before_[layout_.velocity_change(axis) + i];
  }
  void take_up(const double* after) {
    for (int axis = 0; axis < layout_.axes; ++axis)
      for (int i = 0; i < layout_.nodes; ++i) increment(axis, i) = after[layout_.position_change(axis) + i];
  }
  // Of another step from `before` to there.
  void take_up_places(const double* after) {
    for (int axis = 0; axis < layout_.axes; ++axis)
      for (int i = 0; i < layout_.nodes; ++i)
        increment(axis, i) = after[layout_.position(axis) + i] - before_[layout_.position(axis) + i];
  }
  void place() {
    const double cv = scheme_.now, ca = cv * cv;
    for (int axis = 0; axis < layout_.axes; ++axis) {
      const double* u = work_.increment.data() + axis * work_.stride;
      const double* start = before_ + layout_.position(axis);
      const double* vb = work_.velocity_base.data() + axis * work_.stride;
      const double* ab = work_.acceleration_base.data() + axis * work_.stride;
      double* r = work_.position.data() + axis * work_.stride;
      double* v = work_.velocity.data() + axis * work_.stride;
      double* a = work_.acceleration.data() + axis * work_.stride;
      for (int i = 0; i < layout_.nodes; ++i) {
        r[i] = start[i] + u[i];
        v[i] = cv * u[i] + vb[i];
        a[i] = ca * u[i] + ab[i];
      }
    }
  }
  // Adds a part of the change of all nodes; gives the largest change of a position.
  template <class Changes>
  double move(const Changes& change, double part) {
    double largest = 0;
    for (int axis = 0; axis < layout_.axes; ++axis)
      for (int i = 0; i <= work_.elements; ++i) {
        const double d = change[static_cast<size_t>(i)][axis];
        increment(axis, i) += part * d;
        if (axis < 3) largest = std::max(largest, std::abs(d));
      }
    return largest;
  }
  void keep(double* after) const {
    after[StateLayout::last_step] = h_;
    for (int axis = 0; axis < layout_.axes; ++axis)
      for (int i = 0; i < layout_.nodes; ++i) {
        const size_t k = static_cast<size_t>(axis * work_.stride + i);
        after[layout_.position(axis) + i] = work_.position[k];
        // Not that of the work: on a winch the line has another velocity than the fairlead.
        const double velocity = scheme_.now * work_.increment[k] + work_.velocity_base[k];
        after[layout_.velocity(axis) + i] = velocity;
        after[layout_.position_change(axis) + i] = work_.increment[k];
        after[layout_.velocity_change(axis) + i] = velocity - before_[layout_.velocity(axis) + i];
      }
    std::copy(work_.way.begin(), work_.way.end(), after + layout_.way());
    std::copy_n(work_.friction.begin(), layout_.friction_stride() * (layout_.nodes - 1), after + layout_.friction());
  }

 private:
  double& increment(int axis, int i) { return work_.increment[static_cast<size_t>(axis * work_.stride + i)]; }
  const StateLayout& layout_;
  NodeWork& work_;
  const double* before_;
  double h_;
  Bdf2 scheme_;
};

}  // namespace davit::cable
