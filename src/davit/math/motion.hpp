// Reference motions: a scalar function of time in phases, each a polynomial, with derivatives to any order. Crane
// paths, joint moves and, later, servo constraints (an index-7 crane needs six derivatives) are made of these. Not
// here: motions in space (three of these), and who decides in a run what a motion shall be (operation).
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "davit/math/archive.hpp"
#include "davit/math/dual.hpp"
#include "davit/math/export.hpp"
#include "davit/math/taylor.hpp"

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

// What a drive can do.
struct DriveLimits {
  double speed = std::numeric_limits<double>::infinity();
  double acceleration = std::numeric_limits<double>::infinity();
};

// A time, and a profile that keeps the limits in it.
struct Travel {
  double over = 0;
  Profile profile;
};
// The shortest of its smoothness for a distance, of any sign: speed rises and falls smoothly, with constant speed
// between where the distance is long enough. At least one limit must be finite.
DAVIT_API Travel fastest_travel(double distance, const DriveLimits& limits, int smoothness = 2);

class DAVIT_API Motion {
 public:
  explicit Motion(double start = 0) : start_(start), end_(start) {}

  // Appends a move that begins at time `at`, takes `over` and ends at rest at `to`. Moves follow each other in time
  // (std::invalid_argument otherwise); between and after them the motion holds its value.
  Motion& move(double at, double over, double to, const Profile& profile = {});
  // Appends a jump at rest.
  Motion& jump(double at, double to);
  // Forgets what comes after `at` and comes to rest within `over` from there, value, speed and acceleration continuous;
  // the speed only falls if it was not gaining.
  Motion& stop(double at, double over);

  // From a value with speed and acceleration to another speed within `over`, and with that for ever: what a lever does.
  static Motion to_speed(double at, std::span<const double, 3> from, double over, double speed);

  // The same, so much later.
  Motion shifted(double later) const;

  // How a motion goes through given points.
  enum class Interpolation {
    hold,    // each value until the next
    linear,  // straight between points
    smooth   // a cubic spline: speed and acceleration are continuous
  };
  // The speeds with which a smooth motion through points begins and ends. Where none is given it is the one that the
  // points show, if they resolve it (speed_at_end), and else the motion is at rest there.
  struct EndSpeeds {
    std::optional<double> first, last;
  };
  // Times must rise (std::invalid_argument otherwise). Before the first point and after the last it holds their values.
  static Motion through(std::span<const double> times, std::span<const double> values, Interpolation interpolation,
                        const EndSpeeds& ends);
  static Motion through(std::span<const double> times, std::span<const double> values, Interpolation interpolation) {
    return through(times, values, interpolation, EndSpeeds());
  }
  // Cubics through given values with given rates. A time may come twice: rates then differ before it and after.
  static Motion through(std::span<const double> times, std::span<const double> values, std::span<const double> rates);

  // One polynomial after another, between times that rise: each by its derivatives at its end, the value first. After
  // the last it is at rest.
  static Motion in_pieces(double start, std::span<const double> times,
                          const std::vector<std::vector<double>>& derivatives_at_end);

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
  // Along t = t₀ + T τ, which is all that time is.
  template <int N>
  Taylor<N> derivative(int k, const Taylor<N>& t) const {
    std::vector<double> x(static_cast<size_t>(N + k));
    derivatives(t.c[0], x);
    Taylor<N> out;
    double scale = 1;
    for (int i = 0; i < N; ++i) {
      out.c[i] = scale * x[static_cast<size_t>(k + i)];
      scale *= t.c[1] / (i + 1);
    }
    return out;
  }
  template <int N>
  Taylor<N> value(const Taylor<N>& t) const {
    return derivative(0, t);
  }

  // By how much value and speed jump, and when.
  struct Jump {
    double t = 0, value = 0, speed = 0;
  };
  // All that are more than round-off.
  std::vector<Jump> jumps() const;

  // Times at which some derivative jumps: an adaptive stepper must not step over them.
  const std::vector<double>& breakpoints() const { return breakpoints_; }
  // All that it is made of, one after the other: equal where motions are.
  std::vector<double> numbers() const;
  // When it is at rest for good.
  double ends() const { return pieces_.empty() ? -std::numeric_limits<double>::infinity() : pieces_.back().end; }

  friend bool operator==(const Motion&, const Motion&) = default;
  template <class A>
  void archive(A& a) {
    a(start_, end_, pieces_, breakpoints_);
    for (const Piece& piece : pieces_)
      if (piece.c.empty()) throw BadArchive("a motion has a piece of nothing");
  }

 private:
  // x = Σ c_k s^k with s = (t - origin)/length. The half of a phase that comes to rest is expanded about its end
  // (length negative), where powers of a small s lose no digits.
  struct Piece {
    double begin, end, origin, length;
    std::vector<double> c;
    friend bool operator==(const Piece&, const Piece&) = default;
    template <class A>
    void archive(A& a) {
      a(begin, end, origin, length, c);
    }
  };
  const Piece* piece_at(double t) const;  // the last that has begun
  // At rest at its end once that has come.
  static void evaluate(const Piece&, double t, std::span<double> out);
  void add_join(double t);
  void add_piece_from_end(double begin, double end, std::vector<double> c);
  void add_change_of_speed(double at, std::span<const double, 3> from, double over, double speed);

  double start_, end_;
  std::vector<Piece> pieces_;
  std::vector<double> breakpoints_;
};

// The speed of points at the first of the times, if they resolve it: the parabola through three points and the cubic
// through four must agree on it to a fifth, and it must be more than a thousandth of the steepest slope. A record of a
// motion that is under way does; points that somebody set far apart, or that come from rest, do not: zero.
DAVIT_API double speed_at_end(std::span<const double, 4> times, std::span<const double, 4> values, double steepest);

// Coefficients (ascending) of the polynomial from (0, 0) to (1, 1) of degree 2k+1 with k zero derivatives at both ends.
std::vector<double> smooth_step(int k);

}  // namespace davit
