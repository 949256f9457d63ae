#include "davit/panel/finite_depth.hpp"

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "davit/math/constants.hpp"
#include "davit/panel/bessel.hpp"
#include "davit/panel/deep_water.hpp"
#include "davit/panel/quadrature.hpp"
#include "davit/panel/wave_numbers.hpp"

namespace davit::panel {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Values and derivatives on a grid R × V.
struct TabulatedField {
  MatrixXd value, slope_r, slope_v;

  TabulatedField(int in_r, int in_v)
      : value(MatrixXd::Zero(in_r, in_v)), slope_r(MatrixXd::Zero(in_r, in_v)), slope_v(MatrixXd::Zero(in_r, in_v)) {}
};

// Functions of V that an integrand in k is made of: amplitude and derivative.
struct InV {
  double value, slope;
};

// Adds ∫ J₀(kR) f(k, V) dk over the nodes collected in `k` and `weight`, for the whole grid as a product of matrices.
template <class InK>
void add_integral(TabulatedField& field, const std::vector<double>& k, const std::vector<double>& weight, const Axis& r,
                  int rows, const Axis& v, const InK& f) {
  const Eigen::Index n = static_cast<Eigen::Index>(k.size());
  MatrixXd j0(rows, n), j1(rows, n), in_v(n, v.count), in_v_slope(n, v.count);
  for (Eigen::Index m = 0; m < n; ++m) {
    const double km = k[static_cast<size_t>(m)], w = weight[static_cast<size_t>(m)];
    for (int i = 0; i < rows; ++i) {
      j0(i, m) = ::j0(km * r.at(i));
      j1(i, m) = -km * ::j1(km * r.at(i));
    }
    for (int j = 0; j < v.count; ++j) {
      const InV at = f(km, v.at(j));
      in_v(m, j) = w * at.value;
      in_v_slope(m, j) = w * at.slope;
    }
  }
  field.value.topRows(rows) += j0 * in_v;
  field.slope_r.topRows(rows) += j1 * in_v;
  field.slope_v.topRows(rows) += j0 * in_v_slope;
}

struct Nodes {
  std::vector<double> k, weight;
  void add(double from, double to, int pieces) {
    if (!(to > from)) return;
    quadrature<16>(from, to, pieces, [&](double x, double w) {
      k.push_back(x);
      weight.push_back(w);
    });
  }
};

class Kernel {
 public:
  Kernel(double deep, double depth) : deep_(deep), depth_(depth) {
    if (std::isinf(deep)) return;
    wave_number_ = panel::wave_number(deep, depth);
  }

  // Λ: (k+K) [exp(−k(2h−V)) + exp(−k(2h+V))] / [(k−K) − (k+K) exp(−2kh)].
  InV lambda(double k, double v) const {
    const double up = std::exp(-k * (2 * depth_ - v)), down = std::exp(-k * (2 * depth_ + v));
    const double factor = std::isinf(deep_) ? -1 / (1 + std::exp(-2 * k * depth_))
                                            : (k + deep_) / (k - deep_ - (k + deep_) * std::exp(-2 * k * depth_));
    return {factor * (up + down), factor * k * (up - down)};
  }
  // Its deep-water part: (k+K)/(k−K) exp(−k(2h−V)).
  InV deep(double k, double v) const {
    const double up = std::exp(-k * (2 * depth_ - v));
    const double factor = std::isinf(deep_) ? -1 : (k + deep_) / (k - deep_);
    return {factor * up, factor * k * up};
  }
  // Λ less its deep-water part, without the difference of large numbers: with ρ = (k+K)/(k−K) and e = exp(−2kh),
  // ρ/(1−ρe) [exp(−k(2h+V)) + ρ e exp(−k(2h−V))].
  InV remainder(double k, double v) const {
    const double e = std::exp(-2 * k * depth_), up = std::exp(-k * (2 * depth_ - v)),
                 down = std::exp(-k * (2 * depth_ + v));
    const double rho = std::isinf(deep_) ? -1 : (k + deep_) / (k - deep_);
    const double factor = rho / (1 - rho * e);
    return {factor * (down + rho * e * up), factor * k * (rho * e * up - down)};
  }

  double wave_number() const { return wave_number_; }
  double deep_wave_number() const { return deep_; }

 private:
  double deep_, depth_, wave_number_ = 0;
};

// Nodes of quadrature of [0, end] with a principal value at `pole`: a rule symmetric about the pole has it exactly.
// Away from it the pieces grow as their distance does.
Nodes about_pole(double pole, double end, double greatest) {
  Nodes nodes;
  const double half = std::min(0.5 * pole, greatest);
  nodes.add(pole - half, pole + half, 1);
  for (double to = pole - half, size = half; to > 0; size = std::min(2 * size, greatest)) {
    const double from = std::max(0.0, to - size);
    nodes.add(from, to, 1);
    to = from;
  }
  for (double from = pole + half, size = half; from < end; size = std::min(2 * size, greatest)) {
    const double to = std::min(end, from + size);
    nodes.add(from, to, 1);
    from = to;
  }
  return nodes;
}

// Residue of Λ at k, without J₀: cosh(kV) (k+K) exp(−kh) / (sinh kh + kh cosh kh − Kh sinh kh), where K = k tanh kh.
double residue_scale(double k, double deep, double h) {
  // Divided through by exp(kh)/2, so that nothing overflows; cosh(kV) is then written with exponentials too.
  const double e = std::exp(-2 * k * h);
  return (k + deep) / ((1 - e) + k * h * (1 + e) - deep * h * (1 - e));
}

}  // namespace

FiniteDepth::FiniteDepth(double deep, double h, double reach) {
  const Kernel kernel(deep, h);
  const bool waves = !std::isinf(deep);
  wave_number_ = kernel.wave_number();
  const double k0 = wave_number_;

  // Waves in the remainder fade as exp(−2Kh); what is left varies over the depth.
  const bool wavy = waves && deep * h < 12;
  const double step = wavy ? std::min(h / 16, 0.2 / k0) : h / 16;
  const double join = h;  // beyond it the series converges as exp(−π R/h n)
  const Axis r = Axis::covering(-2 * step, std::max(reach, 1.5 * join) * (1 + 1e-9), step);  // even in R
  const Axis v_lambda = Axis::covering(0, 1.15 * h, h / 20), v_remainder = Axis::covering(0, 2 * h, h / 16);
  TabulatedField lambda(r.count, v_lambda.count), remainder(r.count, v_remainder.count);

  // Close by: the integrals. They end where exp(−kh) (Λ) or exp(−2kh) (remainder) has fallen off.
  const int close = std::min(r.count, static_cast<int>((join - r.first) / r.step) + 1);
  {
    const double end = 45 / h, piece = 2 / h;
    if (waves) {
      const double split = std::max(2.5 * k0, end / 2), last = std::max(end, split);
      const auto all = [&](double k, double v) { return kernel.lambda(k, v); };
      const Nodes whole = about_pole(k0, std::max(end, 2.5 * k0), piece);
      add_integral(lambda, whole.k, whole.weight, r, close, v_lambda, all);
      const Nodes below = about_pole(k0, split, piece), deep_below = about_pole(deep, split, piece);
      add_integral(remainder, below.k, below.weight, r, close, v_remainder, all);
      add_integral(remainder, deep_below.k, deep_below.weight, r, close, v_remainder, [&](double k, double v) {
        const InV f = kernel.deep(k, v);
        return InV{-f.value, -f.slope};
      });
      Nodes above;
      above.add(split, last, static_cast<int>((last - split) / piece) + 1);
      add_integral(remainder, above.k, above.weight, r, close, v_remainder,
                   [&](double k, double v) { return kernel.remainder(k, v); });
    } else {
      Nodes nodes;
      nodes.add(0, end, 20);
      add_integral(lambda, nodes.k, nodes.weight, r, close, v_lambda,
                   [&](double k, double v) { return kernel.lambda(k, v); });
      add_integral(remainder, nodes.k, nodes.weight, r, close, v_remainder,
                   [&](double k, double v) { return kernel.remainder(k, v); });
    }
  }

  // Further out: 1/√(R²+V²) + Λ = −π Res cosh(kV) Y₀(kR) + Σ 2(κ²+K²)/(κ²h+K²h−K) cos(κV) K₀(κR); as ω → ∞ the modes
  // are those with φ = 0 at the surface, κh = (n−½)π, of strength 2/h.
  const int modes = 14;
  std::vector<double> kappa, strength;
  for (int n = 1; n <= modes; ++n) {
    const double k = waves ? evanescent_wave_number(deep, h, n) : (n - 0.5) * pi / h;
    kappa.push_back(k);
    strength.push_back(waves ? 2 * (k * k + deep * deep) / (k * k * h + deep * deep * h - deep) : 2 / h);
  }
  const double scale = waves ? residue_scale(k0, deep, h) : 0;
  const auto series_row = [&](int i, const Axis& v, TabulatedField& field) {
    const double radius = r.at(i);
    const Bessel b = waves ? bessel(k0 * radius) : Bessel{};
    std::vector<double> bessel_k0, bessel_k1;
    for (const double k : kappa) {
      const bool gone = k * radius > 60;
      bessel_k0.push_back(gone ? 0 : std::cyl_bessel_k(0, k * radius));
      bessel_k1.push_back(gone ? 0 : std::cyl_bessel_k(1, k * radius));
    }
    for (int j = 0; j < v.count; ++j) {
      const double vj = v.at(j);
      // exp(−2kh)·2cosh(kV), the part of the residue that depends on V.
      const double up = waves ? std::exp(-k0 * (2 * h - vj)) : 0, down = waves ? std::exp(-k0 * (2 * h + vj)) : 0;
      double value = -pi * scale * (up + down) * b.y0, slope_r = pi * scale * (up + down) * k0 * b.y1,
             slope_v = -pi * scale * k0 * (up - down) * b.y0;
      for (size_t n = 0; n < kappa.size(); ++n) {
        const double c = std::cos(kappa[n] * vj), s = std::sin(kappa[n] * vj);
        value += strength[n] * c * bessel_k0[n];
        slope_r -= strength[n] * kappa[n] * c * bessel_k1[n];
        slope_v -= strength[n] * kappa[n] * s * bessel_k0[n];
      }
      const double w = 1 / std::hypot(radius, vj), cube = w * w * w;
      field.value(i, j) = value - w;
      field.slope_r(i, j) = slope_r + radius * cube;
      field.slope_v(i, j) = slope_v + vj * cube;
    }
  };
  for (int i = close; i < r.count; ++i) {
    series_row(i, v_lambda, lambda);
    series_row(i, v_remainder, remainder);
    // Λ → M: less the mirror image in the surface and the deep-water wave part.
    for (int j = 0; j < v_remainder.count; ++j) {
      const double radius = r.at(i), above = std::max(0.0, 2 * h - v_remainder.at(j));
      const double w = 1 / std::hypot(radius, above), cube = w * w * w;
      double value = -w, slope_r = radius * cube, slope_v = -above * cube;
      if (waves) {
        // ∂/∂V of F(KR, K(2h−V)) is −K ∂F/∂Y = K (F + 2/d).
        const DeepWave wave = DeepWater::tables()(deep * radius, deep * above);
        value -= deep * wave.value;
        slope_r -= deep * deep * wave.slope_x;
        slope_v -= deep * deep * wave.value + 2 * deep * w;
      } else {
        value = w, slope_r = -radius * cube, slope_v = above * cube;
      }
      remainder.value(i, j) += value;
      remainder.slope_r(i, j) += slope_r;
      remainder.slope_v(i, j) += slope_v;
    }
  }

  const auto tabulate = [](const Axis& in_r, const Axis& in_v, const TabulatedField& f) {
    return Table(in_r, in_v, [&](double x, double y) {
      const auto i = static_cast<Eigen::Index>(std::lround((x - in_r.first) / in_r.step));
      const auto j = static_cast<Eigen::Index>(std::lround((y - in_v.first) / in_v.step));
      return std::array{f.value(i, j), f.slope_r(i, j), f.slope_v(i, j)};
    });
  };
  lambda_ = tabulate(r, v_lambda, lambda);
  remainder_ = tabulate(r, v_remainder, remainder);
}

}  // namespace davit::panel
