#include "davit/math/motion.hpp"

#include <algorithm>
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

}  // namespace

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

void Motion::derivatives(double t, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (out.empty()) return;
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), t, [](double x, const Piece& p) { return x < p.begin; });
  if (after == pieces_.begin()) {
    out[0] = start_;
    return;
  }
  const Piece& piece = *(after - 1);
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

double Motion::value(double t) const { return derivative(0, t); }

double Motion::derivative(int k, double t) const {
  double x[8];
  derivatives(t, std::span(x).first(static_cast<size_t>(k) + 1));
  return x[k];
}

}  // namespace davit
