// Sums over waves for a window of some steps at a time: formed at a few times of the window, on the way that the hull's
// mean place would make with the speed and acceleration it has when the window begins, and a polynomial through them in
// between.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace davit::wave_load::wave_window {

constexpr size_t nodes = 9;             // times of a window, at equal distances
constexpr size_t slope_nodes = 5;       // every other of them: where slopes by place and heading are formed
constexpr size_t slow_slope_nodes = 3;  // every fourth: where those of slow loads are

// The polynomial through nine times of a wave that turns by x in the window is off by x⁹ of these.
constexpr double error_of_polynomial = 1.6e-10;

// What the loads of a sea on a hull make windows hold: each component counts as much as it moves the hull.
struct Limits {
  double frequency = 0;  // rad/s: the ninth root of the mean ninth power
  double place = 0;      // rad/m: of phase, root mean square
  double heading = 0;    // how fast loads change with the heading, per rad, root mean square
  double shortest = 0;   // rad/m: of phase, of the shortest wave
};

constexpr double error_in_time = 2e-7;   // of loads, by the polynomial
constexpr double largest_error = 0.001;  // of loads, by place and heading beside the way: slopes leave half its square
constexpr double largest_yaw =
    0.007;  // of `heading`, in half a window: loads are taken to second order about its middle
constexpr double largest_step = 1.5;  // rad of phase of the shortest wave, between two times (wave_sums.cpp)

// Steps of the longest window: a power of two times some, where there are enough, so that it can be halved. 0 where
// steps change or there are no waves.
inline int most_steps(const Limits& limits, double step) {
  if (step <= 0 || limits.frequency <= 0) return 0;
  const double turn = std::pow(error_in_time / error_of_polynomial, 1.0 / 9);
  const int steps = std::max(1, static_cast<int>(std::min(turn / (limits.frequency * step), 1e6)));
  int multiple = 8;
  while (multiple > steps) multiple /= 2;
  return steps / multiple * multiple;
}

// Where a hull is expected to go in a window: x, y and heading.
struct Way {
  using Place = std::array<double, 3>;
  static constexpr int width = 9;  // numbers that it is kept in
  Place place = {}, rate = {}, acceleration = {};

  static Way of(const double* kept) {
    Way out;
    std::copy_n(kept, 3, out.place.begin());
    std::copy_n(kept + 3, 3, out.rate.begin());
    std::copy_n(kept + 6, 3, out.acceleration.begin());
    return out;
  }
  void keep(double* kept) const {
    std::copy(acceleration.begin(), acceleration.end(),
              std::copy(rate.begin(), rate.end(), std::copy(place.begin(), place.end(), kept)));
  }
  Place after(double time) const {
    Place out;
    for (size_t j = 0; j < 3; ++j) out[j] = place[j] + time * (rate[j] + 0.5 * time * acceleration[j]);
    return out;
  }
  // The way of the next window, from where and how fast the hull is then; how the speed changed goes on.
  Way next(const Place& here, const Place& speed, double window) const {
    Way out{here, speed, {}};
    for (size_t j = 0; j < 3; ++j) out.acceleration[j] = (speed[j] - rate[j]) / window;
    return out;
  }
};

// Steps of the window of a hull that goes this way: shorter where it turns or goes fast.
inline int steps_for(int most, double step, const Limits& limits, const Way& way) {
  const auto too_long = [&](int steps) {
    const double window = steps * step, middle = way.after(window / 2)[2];
    const double turn = std::max(std::abs(way.after(window)[2] - middle), std::abs(way.place[2] - middle));
    const double speed =
        std::hypot(way.rate[0], way.rate[1]) + window * std::hypot(way.acceleration[0], way.acceleration[1]);
    return turn * limits.heading > largest_yaw ||
           window / static_cast<double>(nodes - 1) * speed * limits.shortest > largest_step;
  };
  int out = most;
  while (out % 2 == 0 && too_long(out)) out /= 2;
  return out;
}

// 1/∏(i − j) over all j ≠ i, of the points 0, 1, …, N−1.
template <size_t N>
constexpr std::array<double, N> lagrange_factors() {
  std::array<double, N> out{};
  for (size_t i = 0; i < N; ++i) {
    double product = 1;
    for (size_t j = 0; j < N; ++j)
      if (j != i) product *= static_cast<double>(i) - static_cast<double>(j);
    out[i] = 1 / product;
  }
  return out;
}

// Lagrange's polynomials through 0, 1, …, N−1.
template <size_t N>
std::array<double, N> weights(double s) {
  constexpr std::array<double, N> factors = lagrange_factors<N>();
  std::array<double, N> out = factors;
  double below = 1, above = 1;
  for (size_t i = 0; i < N; ++i) {
    out[i] *= below;
    below *= s - static_cast<double>(i);
    out[N - 1 - i] *= above;
    above *= s - static_cast<double>(N - 1 - i);
  }
  return out;
}

// Their slopes.
template <size_t N>
std::array<double, N> slope_weights(double s) {
  constexpr std::array<double, N> factors = lagrange_factors<N>();
  std::array<double, N> out = {};
  for (size_t i = 0; i < N; ++i)
    for (size_t left_out = 0; left_out < N; ++left_out) {
      if (left_out == i) continue;
      double product = factors[i];
      for (size_t j = 0; j < N; ++j)
        if (j != i && j != left_out) product *= s - static_cast<double>(j);
      out[i] += product;
    }
  return out;
}

}  // namespace davit::wave_load::wave_window
