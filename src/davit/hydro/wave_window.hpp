// Sums over waves for a window of some steps at a time: formed at a few times of the window, on the way that the hull
// would make with the speed and acceleration it has when the window begins, and a polynomial through them in between.
// The window is short against the period of the shortest wave: with ωΔ = 0.5 the quartic through five times is good to
// 1e-6.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "davit/math/types.hpp"
#include "davit/sea/realisation.hpp"

namespace davit::hydro::wave_window {

using Complex = std::complex<double>;

constexpr size_t nodes = 5;            // times of a window, at equal distances
constexpr double shortest_turn = 0.5;  // rad: of the shortest wave in a window

// A whole number of steps; 0 where steps change or there are no waves.
inline double length(const std::vector<sea::Component>& components, double step) {
  double highest = 0;
  for (const sea::Component& c : components) highest = std::max(highest, c.frequency);
  if (step <= 0 || highest <= 0) return 0;
  return step * std::max(1.0, std::floor(shortest_turn / (highest * step)));
}

// k (cos β, sin β) of each component.
inline std::vector<Vec2> wave_vectors(const std::vector<sea::Component>& components) {
  std::vector<Vec2> out;
  for (const sea::Component& c : components)
    out.push_back(c.wave_number * Vec2(std::cos(c.heading), std::sin(c.heading)));
  return out;
}

// What a component of wave vector k stands at, a exp(iθ) with θ = ωt − k·p + ε.
inline Complex wave(const sea::Component& c, const Vec2& k, double t, const Vec2& place) {
  return std::polar(c.amplitude, c.frequency * t - k.dot(place) + c.phase);
}

// exp(iω Δ) from node to node.
inline std::vector<Complex> turns(const std::vector<sea::Component>& components, double window) {
  std::vector<Complex> out;
  for (const sea::Component& c : components)
    out.push_back(std::polar(1.0, c.frequency * window / static_cast<double>(nodes - 1)));
  return out;
}

// As written: std::complex looks for infinities after every product.
inline Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// exp(−ia), to 1e-9 for |a| < ½.
inline Complex small_turn(double a) {
  const double b = a * a;
  return {1 - b * (0.5 - b * (1.0 / 24 - b * (1.0 / 720 - b * (1.0 / 40320)))),
          -a * (1 - b * (1.0 / 6 - b * (1.0 / 120 - b * (1.0 / 5040))))};
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

// Lagrange's polynomials through 0, 1, …, N−1.
template <size_t N>
std::array<double, N> weights(double s) {
  std::array<double, N> out;
  for (size_t i = 0; i < N; ++i) {
    out[i] = 1;
    for (size_t j = 0; j < N; ++j)
      if (j != i) out[i] *= (s - static_cast<double>(j)) / (static_cast<double>(i) - static_cast<double>(j));
  }
  return out;
}

}  // namespace davit::hydro::wave_window
