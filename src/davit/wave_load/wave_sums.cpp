#include "davit/wave_load/wave_sums.hpp"

#include <algorithm>

namespace davit::wave_load {

namespace wave_sums {

namespace {

// Adds to a partial sum what `term` gives for each component of a block.
template <class Term>
[[gnu::always_inline]] inline void accumulate(Partial& sum, const Term& term) {
  std::array<double, lanes> all = sum.of_lane;
  for (size_t first = 0; first < block; first += lanes)
    for (size_t lane = 0; lane < lanes; ++lane) all[lane] += term(first + lane);
  sum.of_lane = all;
}

}  // namespace

template <class Rows>
void BlockOfForces::scatter(const WaveForceTable::Parts& parts, size_t component, Rows& rows) {
  for (size_t i = 0; i < forces; ++i) {
    rows[i].re[component] = parts[i];
    rows[i].im[component] = parts[forces + i];
  }
}

void BlockOfForces::first_order(const WaveForceTable& table, const WaveForceTable::Cell& cell, size_t first,
                                size_t count, const ComplexRow* receptance) {
  WaveForceTable::Force unit = {};
  for (size_t c = 0; c < block; ++c) {
    if (c < count) {
      table.expect(cell, first + c + WaveForceTable::ahead);
      table.at(cell, first + c, unit);
    }
    scatter(unit.value, c, value_);
    scatter(unit.slope, c, slope_);
    scatter(unit.curvature, c, curvature_);
  }
  moves_ = receptance != nullptr;
  if (moves_) move(receptance);
}

// Motions by linear theory: in axes that do not turn, so that their slope by the heading has the turn of the forces'
// axes too.
void BlockOfForces::move(const ComplexRow* receptance) {
  const auto moved = [&](const auto& unit, auto& out) {
    for (size_t row = 0; row < motions; ++row) {
      ComplexRow sum = {};
      for (size_t i = 0; i < forces; ++i) {
        const ComplexRow &H = receptance[forces * row + i], &F = unit[i];
        for (size_t c = 0; c < block; ++c) sum.re[c] += H.re[c] * F.re[c] - H.im[c] * F.im[c];
        for (size_t c = 0; c < block; ++c) sum.im[c] += H.re[c] * F.im[c] + H.im[c] * F.re[c];
      }
      out[forces + row] = sum;
    }
  };
  moved(value_, value_);
  moved(slope_, slope_);
  for (size_t c = 0; c < block; ++c) {
    slope_[forces].re[c] -= value_[forces + 1].re[c];
    slope_[forces].im[c] -= value_[forces + 1].im[c];
    slope_[forces + 1].re[c] += value_[forces].re[c];
    slope_[forces + 1].im[c] += value_[forces].im[c];
  }
}

void BlockOfForces::slow(const WaveForceTable& table, const WaveForceTable::Cell& cell, size_t first, size_t count) {
  WaveForceTable::Force unit = {};
  for (size_t c = 0; c < block; ++c) {
    if (c < count) {
      table.expect(cell, first + c + WaveForceTable::ahead);
      table.at(cell, first + c, unit);
    }
    for (size_t i = 0; i < slow_rows; ++i) {
      slow_value_[i][c] = unit.value[i];
      slow_slope_[i][c] = unit.slope[i];
      slow_curvature_[i][c] = unit.curvature[i];
    }
  }
  has_slow_ = true;
}

void BlockOfForces::add(const Wave& wave, double turn, Sums& sums) const {
  const double half = 0.5 * turn;
  for (size_t row = 0; row < forces; ++row)
    accumulate(sums.value[row], [&](size_t c) {
      const double re = value_[row].re[c] + turn * (slope_[row].re[c] + half * curvature_[row].re[c]),
                   im = value_[row].im[c] + turn * (slope_[row].im[c] + half * curvature_[row].im[c]);
      return re * wave.re[c] - im * wave.im[c];
    });
  for (size_t row = forces; moves_ && row < complex_rows; ++row)
    accumulate(sums.value[row], [&](size_t c) {
      const double re = value_[row].re[c] + turn * slope_[row].re[c], im = value_[row].im[c] + turn * slope_[row].im[c];
      return re * wave.re[c] - im * wave.im[c];
    });
  if (!has_slow_) return;
  accumulate(sums.wave_re, [&](size_t c) { return wave.re[c]; });
  accumulate(sums.wave_im, [&](size_t c) { return wave.im[c]; });
  for (size_t row = 0; row < slow_rows; ++row) {
    const auto force = [&](size_t c) {
      return slow_value_[row][c] + turn * (slow_slope_[row][c] + half * slow_curvature_[row][c]);
    };
    accumulate(sums.slow_re[row], [&](size_t c) { return force(c) * wave.re[c]; });
    accumulate(sums.slow_im[row], [&](size_t c) { return force(c) * wave.im[c]; });
  }
}

void BlockOfForces::add_slopes(const Wave& wave, double turn, Slopes& sums) const {
  for (size_t row = 0; row < (moves_ ? complex_rows : forces); ++row) {
    // Re(−ik f w) = k Im(f w)
    const auto imaginary = [&](size_t c) {
      const double re = value_[row].re[c] + turn * slope_[row].re[c], im = value_[row].im[c] + turn * slope_[row].im[c];
      return re * wave.im[c] + im * wave.re[c];
    };
    accumulate(sums.along_x[row], [&](size_t c) { return along_x_[c] * imaginary(c); });
    accumulate(sums.along_y[row], [&](size_t c) { return along_y_[c] * imaginary(c); });
    if (row < forces)
      accumulate(sums.by_turning[row], [&](size_t c) {
        const double re = slope_[row].re[c] + turn * curvature_[row].re[c],
                     im = slope_[row].im[c] + turn * curvature_[row].im[c];
        return re * wave.re[c] - im * wave.im[c];
      });
    else
      accumulate(sums.by_turning[row],
                 [&](size_t c) { return slope_[row].re[c] * wave.re[c] - slope_[row].im[c] * wave.im[c]; });
  }
}

void BlockOfForces::add_slow_slopes(const Wave& wave, double turn, SlowSlopes& sums) const {
  if (!has_slow_) return;
  Wave x, y;
  for (size_t c = 0; c < block; ++c) {
    x.re[c] = along_x_[c] * wave.re[c];
    x.im[c] = along_x_[c] * wave.im[c];
    y.re[c] = along_y_[c] * wave.re[c];
    y.im[c] = along_y_[c] * wave.im[c];
  }
  accumulate(sums.wave_x_re, [&](size_t c) { return x.re[c]; });
  accumulate(sums.wave_x_im, [&](size_t c) { return x.im[c]; });
  accumulate(sums.wave_y_re, [&](size_t c) { return y.re[c]; });
  accumulate(sums.wave_y_im, [&](size_t c) { return y.im[c]; });
  for (size_t row = 0; row < slow_rows; ++row) {
    Row force, change;
    for (size_t c = 0; c < block; ++c) {
      change[c] = slow_slope_[row][c] + turn * slow_curvature_[row][c];
      force[c] = slow_value_[row][c] + 0.5 * turn * (slow_slope_[row][c] + change[c]);
    }
    accumulate(sums.x_re[row], [&](size_t c) { return force[c] * x.re[c]; });
    accumulate(sums.x_im[row], [&](size_t c) { return force[c] * x.im[c]; });
    accumulate(sums.y_re[row], [&](size_t c) { return force[c] * y.re[c]; });
    accumulate(sums.y_im[row], [&](size_t c) { return force[c] * y.im[c]; });
    accumulate(sums.turning_re[row], [&](size_t c) { return change[c] * wave.re[c]; });
    accumulate(sums.turning_im[row], [&](size_t c) { return change[c] * wave.im[c]; });
  }
}

}  // namespace wave_sums

using wave_sums::block;

namespace {

// exp(−ia), to 4e-9 for |a| < 1.5.
void small_turn(double a, double& re, double& im) {
  const double b = a * a;
  re = 1 - b * (1.0 / 2 - b * (1.0 / 24 - b * (1.0 / 720 - b * (1.0 / 40320 - b * (1.0 / 3628800 - b / 479001600)))));
  im = -a * (1 - b * (1.0 / 6 - b * (1.0 / 120 - b * (1.0 / 5040 - b * (1.0 / 362880 - b / 39916800)))));
}
inline void multiply(double& re, double& im, double by_re, double by_im) {
  const double product = re * by_re - im * by_im;
  im = re * by_im + im * by_re;
  re = product;
}

}  // namespace

WaveTrain::WaveTrain(const std::vector<sea::Component>& components, double instant) : count_(components.size()) {
  const size_t room = (count_ + block - 1) / block * block;
  for (std::vector<double>* row : {&amplitude_, &frequency_, &phase_, &x_, &y_, &turn_im_}) row->assign(room, 0.0);
  turn_re_.assign(room, 1.0);
  for (size_t n = 0; n < count_; ++n) {
    const sea::Component& c = components[n];
    amplitude_[n] = c.amplitude;
    frequency_[n] = c.frequency;
    phase_[n] = c.phase;
    x_[n] = c.wave_number * std::cos(c.heading);
    y_[n] = c.wave_number * std::sin(c.heading);
    turn_re_[n] = std::cos(c.frequency * instant);
    turn_im_[n] = std::sin(c.frequency * instant);
    shortest_ = std::max(shortest_, c.wave_number);
  }
}

void WaveTrain::at(size_t first, double t, const Vec2& place, Wave& out) const {
  for (size_t c = 0; c < block; ++c) {
    const size_t n = first + c;
    const double angle = frequency_[n] * t - (x_[n] * place.x() + y_[n] * place.y()) + phase_[n];
    out.re[c] = amplitude_[n] * std::cos(angle);
    out.im[c] = amplitude_[n] * std::sin(angle);
  }
}

// By repeated squaring.
void WaveTrain::turn(size_t first, int instants, Wave& out) const {
  Wave power;
  std::copy_n(turn_re_.begin() + static_cast<std::ptrdiff_t>(first), block, power.re.begin());
  std::copy_n(turn_im_.begin() + static_cast<std::ptrdiff_t>(first), block, power.im.begin());
  out.re.fill(1);
  out.im.fill(0);
  for (; instants > 0; instants /= 2) {
    if (instants % 2 == 1)
      for (size_t c = 0; c < block; ++c) multiply(out.re[c], out.im[c], power.re[c], power.im[c]);
    for (size_t c = 0; c < block; ++c) multiply(power.re[c], power.im[c], power.re[c], power.im[c]);
  }
}

void WaveTrain::carry_on(size_t first, int instants, const Vec2& moved, Wave& wave) const {
  Wave later;
  turn(first, instants, later);
  for (size_t c = 0; c < block; ++c) {
    const size_t n = first + c;
    double re, im;
    small_turn(x_[n] * moved.x() + y_[n] * moved.y(), re, im);
    multiply(re, im, later.re[c], later.im[c]);
    multiply(wave.re[c], wave.im[c], re, im);
  }
}

void WaveTrain::begin(size_t first, int instants, const Vec2& next, const Vec2& more, Course& out) const {
  turn(first, instants, out.turn);
  for (size_t c = 0; c < block; ++c) {
    const size_t n = first + c;
    double re, im;
    small_turn(x_[n] * next.x() + y_[n] * next.y(), re, im);
    multiply(out.turn.re[c], out.turn.im[c], re, im);
    small_turn(x_[n] * more.x() + y_[n] * more.y(), out.faster.re[c], out.faster.im[c]);
  }
}

void WaveTrain::go_on(Course& course, Wave& wave) {
  for (size_t c = 0; c < block; ++c) {
    multiply(wave.re[c], wave.im[c], course.turn.re[c], course.turn.im[c]);
    multiply(course.turn.re[c], course.turn.im[c], course.faster.re[c], course.faster.im[c]);
  }
}

}  // namespace davit::wave_load
