// Sums over the components of a sea, in the order of vector instructions: components are taken in blocks whose numbers
// lie side by side, and what a block adds to each sum is kept for eight components at a time until the last of them.
//
// A sum is of forces (six of first order and three motions, complex; twelve slow ones, real), each to second order in
// the heading about one heading, times what the components stand at.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "davit/math/types.hpp"
#include "davit/sea/realisation.hpp"
#include "davit/wave_load/wave_force_table.hpp"

namespace davit::wave_load {

// Surge, sway and yaw for unit forces, surge to yaw, at one frequency.
using HorizontalReceptance = Eigen::Matrix<std::complex<double>, 3, 6>;

namespace wave_sums {

constexpr size_t lanes = 8, block = 32;  // of components
constexpr size_t forces = 6, motions = 3, complex_rows = forces + motions, slow_rows = 12;

using Row = std::array<double, block>;  // one number of each component

struct ComplexRow {
  Row re, im;
};

// Σ over components, as eight sums of every eighth.
struct alignas(64) Partial {
  std::array<double, lanes> of_lane = {};
  double total() const {
    double sum = 0;
    for (const double x : of_lane) sum += x;
    return sum;
  }
};

// What is summed at one time.
struct Sums {
  std::array<Partial, complex_rows> value;
  std::array<Partial, slow_rows> slow_re, slow_im;
  Partial wave_re, wave_im;
};
// And the slopes of its first-order part by place and heading.
struct Slopes {
  std::array<Partial, complex_rows> along_x, along_y, by_turning;
};
// Those of its slow part: Σ kₓ a exp(iθ) and Σ kₓ a D exp(iθ), the same with k_y, and Σ a D' exp(iθ).
struct SlowSlopes {
  Partial wave_x_re, wave_x_im, wave_y_re, wave_y_im;
  std::array<Partial, slow_rows> x_re, x_im, y_re, y_im, turning_re, turning_im;
};

// What the components of a block stand at at one time, a exp(iθ).
using Wave = ComplexRow;

// Forces on a hull, and its motions, for unit amplitude of the components of a block, in level axes of one heading.
class BlockOfForces {
 public:
  // `receptance`: of these components, a row for each number; null: they do not move the hull.
  void first_order(const WaveForceTable& table, const WaveForceTable::Cell& cell, size_t first, size_t count,
                   const ComplexRow* receptance);
  void slow(const WaveForceTable& table, const WaveForceTable::Cell& cell, size_t first, size_t count);
  void without_slow() { has_slow_ = false; }
  void wave_vectors(const double* x, const double* y) {
    std::copy_n(x, block, along_x_.begin());
    std::copy_n(y, block, along_y_.begin());
  }

  // For a heading that is larger by `turn`.
  void add(const Wave& wave, double turn, Sums& sums) const;
  void add_slopes(const Wave& wave, double turn, Slopes& sums) const;
  void add_slow_slopes(const Wave& wave, double turn, SlowSlopes& sums) const;

 private:
  template <class Rows>
  static void scatter(const WaveForceTable::Parts& parts, size_t component, Rows& rows);
  void move(const ComplexRow* receptance);

  std::array<ComplexRow, complex_rows> value_, slope_;
  std::array<ComplexRow, forces> curvature_;
  std::array<Row, slow_rows> slow_value_, slow_slope_, slow_curvature_;
  Row along_x_, along_y_;  // wave vectors
  bool moves_ = false, has_slow_ = false;
};

}  // namespace wave_sums

// What the components of a sea stand at on a way, and how that goes on.
class WaveTrain {
 public:
  using Wave = wave_sums::Wave;
  WaveTrain() = default;
  // `instant`: s, of which all times of a run are multiples.
  WaveTrain(const std::vector<sea::Component>& components, double instant);

  size_t count() const { return count_; }
  // Rounded up to whole blocks: the last ones have no amplitude.
  size_t room() const { return amplitude_.size(); }
  double shortest() const { return shortest_; }  // largest wave number
  const double* along_x(size_t first) const { return x_.data() + first; }
  const double* along_y(size_t first) const { return y_.data() + first; }

  // By cosines.
  void at(size_t first, double t, const Vec2& place, Wave& out) const;
  // So many instants later, `moved` from where they were.
  void carry_on(size_t first, int instants, const Vec2& moved, Wave& wave) const;
  // From time to time of a window, as the hull moves by `next`, and by `more` further each time.
  struct Course {
    Wave turn, faster;
  };
  void begin(size_t first, int instants, const Vec2& next, const Vec2& more, Course& out) const;
  static void go_on(Course& course, Wave& wave);

 private:
  void turn(size_t first, int instants, Wave& out) const;  // exp(iω t)

  size_t count_ = 0;
  double shortest_ = 0;
  std::vector<double> amplitude_, frequency_, phase_, x_, y_;  // x, y: wave vectors
  std::vector<double> turn_re_, turn_im_;                      // exp(iω instant)
};

}  // namespace davit::wave_load
