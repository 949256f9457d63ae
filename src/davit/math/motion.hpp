// Reference motions: a scalar function of time in phases, each a polynomial, with derivatives to any order. Crane
// paths, joint moves and, later, servo constraints (an index-7 crane needs six derivatives) are made of these. Not
// here: motions in space (three of these) and anything that is not known before the run.
#pragma once

#include <span>
#include <vector>

#include "davit/math/dual.hpp"
#include "davit/math/export.hpp"

namespace davit {

// How a move goes from rest to rest.
struct Profile {
  // Derivatives up to this order are continuous (zero at both ends): 0 is a straight line, 1 a cubic, 2 the
  // minimum-jerk quintic, 4 the 5-6-7-8-9 polynomial of the servo-constraint thesis (4.87).
  int smoothness = 2;
  // Time of the acceleration and deceleration phases with constant speed between them, (4.126)-(4.128) with
  // smoothness 4; zero for a single polynomial.
  double ramp = 0;
};

class DAVIT_API Motion {
 public:
  explicit Motion(double start = 0) : start_(start), end_(start) {}

  // Appends a move that begins at time `at`, takes `over` and ends at rest at `to`. Moves follow each other in time
  // (std::invalid_argument otherwise); between and after them the motion holds its value.
  Motion& move(double at, double over, double to, const Profile& profile = {});

  // out[k] = k-th derivative at t; at a phase join the value of the later phase.
  void derivatives(double t, std::span<double> out) const;
  double value(double t) const;
  double end_value() const { return end_; }

  template <int N>
  Dual<N> value(const Dual<N>& t) const {
    double x[2];
    derivatives(t.value, x);
    return t.chain(x[0], x[1]);
  }

  // The k-th derivative, k up to six, for any scalar.
  double derivative(int k, double t) const;
  template <int N>
  Dual<N> derivative(int k, const Dual<N>& t) const {
    return t.chain(derivative(k, t.value), derivative(k + 1, t.value));
  }

  // Times at which some derivative jumps: an adaptive stepper must not step over them.
  const std::vector<double>& breakpoints() const { return breakpoints_; }

 private:
  // x = Σ c_k s^k with s = (t - origin)/length. The half of a phase that comes to rest is expanded about its end
  // (length negative), where powers of a small s lose no digits.
  struct Piece {
    double begin, end, origin, length;
    std::vector<double> c;
  };
  void add_join(double t);

  double start_, end_;
  std::vector<Piece> pieces_;
  std::vector<double> breakpoints_;
};

// Coefficients (ascending) of the polynomial from (0, 0) to (1, 1) of degree 2k+1 with k zero derivatives at both ends.
std::vector<double> smooth_step(int k);

}  // namespace davit
