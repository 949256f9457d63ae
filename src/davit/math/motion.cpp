// Pieces of reference motions: smooth moves, stops, changes of speed, splines through points, and where they jump.
#include "davit/math/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace davit {

namespace {

double binomial(int n, int k) {
  double b = 1;
  for (int i = 1; i <= k; ++i) b *= double(n - k + i) / i;
  return b;
}

// from + distance × step
std::vector<double> scaled(std::vector<double> step, double from, double distance) {
  for (double& x : step) x *= distance;
  step[0] += from;
  return step;
}

// Slopes at the points of the cubic spline with given slopes at both ends: continuous second derivatives,
//   m_{i-1}/h_{i-1} + 2 (1/h_{i-1} + 1/h_i) m_i + m_{i+1}/h_i = 3 (Δ_{i-1}/h²_{i-1} + Δ_i/h²_i),
// by Thomas' elimination.
std::vector<double> spline_slopes(std::span<const double> t, std::span<const double> x, double first, double last) {
  const size_t n = t.size();
  std::vector<double> m(n, 0.0), upper(n, 0.0);
  m.front() = first;
  m.back() = last;
  for (size_t i = 1; i + 1 < n; ++i) {
    const double before = 1 / (t[i] - t[i - 1]), after = 1 / (t[i + 1] - t[i]);
    const double right = 3 * ((x[i] - x[i - 1]) * before * before + (x[i + 1] - x[i]) * after * after);
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    m[i] = (right - before * m[i - 1]) / pivot;
  }
  for (size_t i = n - 1; i-- > 1;) m[i] -= upper[i] * m[i + 1];
  return m;
}

// The speeds at both ends of points.
std::pair<double, double> end_speeds(std::span<const double> t, std::span<const double> x) {
  const size_t n = t.size();
  if (n < 4) return {0, 0};
  double steepest = 0;
  for (size_t i = 1; i < n; ++i) steepest = std::max(steepest, std::abs((x[i] - x[i - 1]) / (t[i] - t[i - 1])));
  const std::array<double, 4> last_t{t[n - 1], t[n - 2], t[n - 3], t[n - 4]},
      last_x{x[n - 1], x[n - 2], x[n - 3], x[n - 4]};
  return {speed_at_end(t.first<4>(), x.first<4>(), steepest), speed_at_end(last_t, last_x, steepest)};
}

// The largest slope of a smooth step, in its middle.
double steepest(int k) {
  double slope = 0, power = 1;
  const auto c = smooth_step(k);
  for (size_t j = 1; j < c.size(); ++j, power /= 2) slope += static_cast<double>(j) * c[j] * power;
  return slope;
}

}  // namespace

// Newton's form of the polynomials through the points, differentiated at the first.
double speed_at_end(std::span<const double, 4> t, std::span<const double, 4> x, double steepest) {
  std::array<double, 4> d{x[0], x[1], x[2], x[3]};  // divided differences
  for (size_t order = 1; order < 4; ++order)
    for (size_t i = 3; i >= order; --i) d[i] = (d[i] - d[i - 1]) / (t[i] - t[i - order]);
  const double parabola = d[1] + d[2] * (t[0] - t[1]), cubic = parabola + d[3] * (t[0] - t[1]) * (t[0] - t[2]);
  const bool resolved = std::abs(cubic - parabola) <= 0.2 * std::abs(cubic) && std::abs(cubic) > 1e-3 * steepest;
  return resolved ? cubic : 0;
}

Travel fastest_travel(double distance, const DriveLimits& limits, int smoothness) {
  const double way = std::abs(distance);
  if (way == 0) return {0, {smoothness, 0}};
  if (!std::isfinite(limits.acceleration)) return {way * steepest(smoothness) / limits.speed, {smoothness, 0}};
  // Speed v rises in the time `ramp` with the acceleration steepest · v/ramp at most.
  const double steep = steepest(std::max(smoothness - 1, 0));
  const double ramp = steep * limits.speed / limits.acceleration,
               shortest = std::sqrt(steep * way / limits.acceleration);
  // The way may be over before the speed is reached.
  if (!(ramp < shortest)) return {2 * shortest, {smoothness, shortest}};
  return {way / limits.speed + ramp, {smoothness, ramp}};
}

std::vector<double> smooth_step(int k) {
  // x^{k+1} Σ_j C(k+j, j) C(2k+1, k-j) (-x)^j
  std::vector<double> c(static_cast<size_t>(2 * k + 2), 0.0);
  for (int j = 0; j <= k; ++j)
    c[static_cast<size_t>(k + 1 + j)] = (j % 2 ? -1 : 1) * binomial(k + j, j) * binomial(2 * k + 1, k - j);
  return c;
}

void Motion::add_join(double t) {
  if (breakpoints_.empty() || t > breakpoints_.back()) breakpoints_.push_back(t);
}

Motion& Motion::move(double at, double over, double to, const Profile& profile) {
  if (!(over > 0)) throw std::invalid_argument("a move needs a positive duration");
  if (profile.smoothness < 0 || profile.smoothness > 12)
    throw std::invalid_argument("the smoothness of a move is 0 to 12");
  if (profile.ramp < 0 || 2 * profile.ramp > over)
    throw std::invalid_argument("the ramps of a move are longer than the move");
  if (!pieces_.empty() && at < pieces_.back().end - 1e-12 * over)
    throw std::invalid_argument("a move begins before the one before it has ended");
  const double from = end_, distance = to - from, end = at + over;
  add_join(at);
  if (profile.ramp == 0) {
    const auto step = smooth_step(profile.smoothness);
    const double middle = at + over / 2;
    pieces_.push_back({at, middle, at, over, scaled(step, from, distance)});
    pieces_.push_back({middle, end, end, -over, scaled(step, to, -distance)});
  } else {
    // Speed rises as a smooth step of order k-1 over the ramp, so that the motion is C^k: (4.126). The constant speed
    // is distance/(over - ramp), and the deceleration is the mirrored acceleration: c_III(t) = 1 - c_I(over - t).
    const double ramp = profile.ramp, steady = over - 2 * ramp, travel = distance * ramp / (over - ramp);
    std::vector<double> rise{0};
    for (double c : smooth_step(std::max(profile.smoothness - 1, 0))) rise.push_back(c / double(rise.size()));
    pieces_.push_back({at, at + ramp, at, ramp, scaled(rise, from, travel)});
    add_join(at + ramp);
    if (steady > 0) {
      pieces_.push_back({at + ramp, end - ramp, at + ramp, ramp, {from + travel / 2, travel}});
      add_join(end - ramp);
    }
    pieces_.push_back({end - ramp, end, end, -ramp, scaled(rise, to, -travel)});
  }
  add_join(end);
  end_ = to;
  return *this;
}

Motion& Motion::jump(double at, double to) {
  if (at < ends()) throw std::invalid_argument("a jump comes before the move before it has ended");
  pieces_.push_back({at, at, at, 1, {to}});
  add_join(at);
  end_ = to;
  return *this;
}

Motion& Motion::stop(double at, double over) {
  if (!(over > 0)) throw std::invalid_argument("to stop takes a positive time");
  std::array<double, 3> x{};
  derivatives(at, x);
  std::erase_if(pieces_, [&](const Piece& p) { return p.begin >= at; });
  std::erase_if(breakpoints_, [&](double t) { return t > at; });
  if (!pieces_.empty()) pieces_.back().end = std::min(pieces_.back().end, at);
  add_change_of_speed(at, x, over, 0);
  return *this;
}

Motion Motion::to_speed(double at, std::span<const double, 3> from, double over, double speed) {
  if (!(over > 0)) throw std::invalid_argument("to change speed takes a positive time");
  Motion out(from[0]);
  out.add_change_of_speed(at, from, over, speed);
  const double steady = at + over;
  if (speed != 0)
    out.pieces_.push_back({steady, std::numeric_limits<double>::infinity(), steady, 1, {out.end_, speed}});
  return out;
}

// With s = (t − at)/T the speed is Hermite's cubic from (v, a) to (w, 0), w + (v − w)(1 − 3s² + 2s³) + aT(s − 2s² +
// s³). Seen from its end, r = s − 1, the integral is end + wTr + (v − w)T(r³ + r⁴/2) + aT²(r³/3 + r⁴/4).
void Motion::add_change_of_speed(double at, std::span<const double, 3> from, double over, double speed) {
  const double wT = speed * over, vT = from[1] * over - wT, aT2 = from[2] * over * over, end = at + over;
  end_ = from[0] + wT + vT / 2 + aT2 / 12;
  pieces_.push_back({at, end, end, over, {end_, wT, 0, vT + aT2 / 3, vT / 2 + aT2 / 4}});
  add_join(at);
  add_join(end);
}

Motion Motion::shifted(double later) const {
  Motion out = *this;
  for (Piece& p : out.pieces_) {
    p.begin += later;
    p.end += later;
    p.origin += later;
  }
  for (double& t : out.breakpoints_) t += later;
  return out;
}

Motion Motion::through(std::span<const double> times, std::span<const double> values, Interpolation interpolation,
                       const EndSpeeds& ends) {
  if (times.empty() || times.size() != values.size())
    throw std::invalid_argument("a motion needs as many values as times, and at least one");
  for (size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1])) throw std::invalid_argument("times must rise");
  Motion out(values[0]);
  if (interpolation == Interpolation::hold) {
    for (size_t i = 1; i < times.size(); ++i) out.jump(times[i], values[i]);
    return out;
  }
  if (interpolation == Interpolation::smooth) {
    const auto [first, last] = end_speeds(times, values);
    return through(times, values, spline_slopes(times, values, ends.first.value_or(first), ends.last.value_or(last)));
  }
  for (size_t i = 1; i < times.size(); ++i)
    out.add_piece_from_end(times[i - 1], times[i], {values[i], values[i - 1] - values[i]});
  out.end_ = values.back();
  return out;
}

Motion Motion::through(std::span<const double> times, std::span<const double> values, std::span<const double> rates) {
  if (times.empty() || times.size() != values.size() || times.size() != rates.size())
    throw std::invalid_argument("a motion needs as many values and rates as times, and at least one");
  Motion out(values[0]);
  for (size_t i = 1; i < times.size(); ++i) {
    const double length = times[i] - times[i - 1];
    if (length < 0) throw std::invalid_argument("times must rise");
    if (length == 0) continue;
    const double last = values[i], back = values[i - 1] - last;
    const double slope_end = -rates[i] * length, slope_begin = -rates[i - 1] * length;
    out.add_piece_from_end(
        times[i - 1], times[i],
        {last, slope_end, 3 * back - 2 * slope_end - slope_begin, slope_end + slope_begin - 2 * back});
  }
  out.end_ = values.back();
  return out;
}

Motion Motion::in_pieces(double start, std::span<const double> times,
                         const std::vector<std::vector<double>>& derivatives_at_end) {
  if (times.size() != derivatives_at_end.size() + 1)
    throw std::invalid_argument("a motion in pieces needs one time more than pieces");
  Motion out(start);
  for (size_t i = 0; i < derivatives_at_end.size(); ++i) {
    const double back = times[i] - times[i + 1];
    if (!(back < 0)) throw std::invalid_argument("times must rise");
    std::vector<double> c = derivatives_at_end[i];
    double factor = 1;
    for (size_t k = 1; k < c.size(); ++k) c[k] *= factor *= back / double(k);
    out.add_piece_from_end(times[i], times[i + 1], c);
    out.end_ = c.front();
  }
  return out;
}

// A piece expanded about its end, where the motion may rest.
void Motion::add_piece_from_end(double begin, double end, std::vector<double> c) {
  add_join(begin);
  pieces_.push_back({begin, end, end, begin - end, std::move(c)});
  add_join(end);
}

const Motion::Piece* Motion::piece_at(double t) const {
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), t, [](double x, const Piece& p) { return x < p.begin; });
  return after == pieces_.begin() ? nullptr : &*(after - 1);
}

void Motion::derivatives(double t, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (out.empty()) return;
  const Piece* now = piece_at(t);
  if (!now) {
    out[0] = start_;
    return;
  }
  evaluate(*now, t, out);
}

void Motion::evaluate(const Piece& piece, double t, std::span<double> out) {
  if (t >= piece.end) {
    // At rest until the next move: every move ends at its own `to`.
    out[0] = piece.c[0];
    return;
  }
  const double s = (t - piece.origin) / piece.length;
  // k-th derivative of Σ c_j s^j by Horner on c_j j!/(j-k)!
  double scale = 1;
  const int degree = static_cast<int>(piece.c.size()) - 1;
  for (int k = 0; k < static_cast<int>(out.size()) && k <= degree; ++k) {
    double x = 0;
    for (int j = degree; j >= k; --j) {
      double factor = piece.c[static_cast<size_t>(j)];
      for (int i = 0; i < k; ++i) factor *= j - i;
      x = x * s + factor;
    }
    out[static_cast<size_t>(k)] = x * scale;
    scale /= piece.length;
  }
}

std::vector<Motion::Jump> Motion::jumps() const {
  std::vector<Jump> out;
  double largest = 0, fastest = 0;  // round-off is of these
  for (const double t : breakpoints_) {
    std::array<double, 2> after{}, before{};
    derivatives(t, after);
    // What is before a join is the piece that had begun before it, to its very end.
    const auto begun =
        std::lower_bound(pieces_.begin(), pieces_.end(), t, [](const Piece& p, double x) { return p.begin < x; });
    if (begun == pieces_.begin()) {
      before[0] = start_;
    } else {
      Piece piece = *(begun - 1);
      if (t <= piece.end) piece.end = std::numeric_limits<double>::infinity();
      evaluate(piece, t, before);
    }
    for (const auto& x : {before, after}) {
      largest = std::max(largest, std::abs(x[0]));
      fastest = std::max(fastest, std::abs(x[1]));
    }
    const Jump jump{t, after[0] - before[0], after[1] - before[1]};
    if (std::abs(jump.value) > 1e-9 * (1 + largest) || std::abs(jump.speed) > 1e-9 * (1 + fastest)) out.push_back(jump);
  }
  return out;
}

std::vector<double> Motion::numbers() const {
  std::vector<double> out{start_, end_};
  for (const Piece& p : pieces_) {
    out.insert(out.end(), {p.begin, p.end, p.origin, p.length, static_cast<double>(p.c.size())});
    out.insert(out.end(), p.c.begin(), p.c.end());
  }
  return out;
}

double Motion::value(double t) const { return derivative(0, t); }

double Motion::derivative(int k, double t) const {
  double x[8];
  derivatives(t, std::span(x).first(static_cast<size_t>(k) + 1));
  return x[k];
}

}  // namespace davit
