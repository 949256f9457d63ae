#include "davit/panel/finite_depth.hpp"

#include <Eigen/Core>
#include <array>
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

// The two parts on their grids.
struct Fields {
  Axis r, v_lambda, v_remainder;
  TabulatedField lambda, remainder;

  Fields(const Axis& in_r, const Axis& in_v_lambda, const Axis& in_v_remainder)
      : r(in_r),
        v_lambda(in_v_lambda),
        v_remainder(in_v_remainder),
        lambda(r.count, v_lambda.count),
        remainder(r.count, v_remainder.count) {}
};

// The first `rows` distances: the integrals. They end where exp(−kh) (Λ) or exp(−2kh) (remainder) has fallen off.
void integrate(const Kernel& kernel, double h, int rows, Fields& fields) {
  const double end = 45 / h, piece = 2 / h, k0 = kernel.wave_number(), deep = kernel.deep_wave_number();
  const auto all = [&](double k, double v) { return kernel.lambda(k, v); };
  const auto rest = [&](double k, double v) { return kernel.remainder(k, v); };
  const auto add_lambda = [&](const Nodes& nodes) {
    add_integral(fields.lambda, nodes.k, nodes.weight, fields.r, rows, fields.v_lambda, all);
  };
  const auto add_remainder = [&](const Nodes& nodes, const auto& f) {
    add_integral(fields.remainder, nodes.k, nodes.weight, fields.r, rows, fields.v_remainder, f);
  };
  if (std::isinf(deep)) {
    Nodes nodes;
    nodes.add(0, end, 20);
    add_lambda(nodes);
    add_remainder(nodes, rest);
    return;
  }
  const double split = std::max(2.5 * k0, end / 2), last = std::max(end, split);
  add_lambda(about_pole(k0, std::max(end, 2.5 * k0), piece));
  add_remainder(about_pole(k0, split, piece), all);
  add_remainder(about_pole(deep, split, piece), [&](double k, double v) {
    const InV f = kernel.deep(k, v);
    return InV{-f.value, -f.slope};
  });
  Nodes above;
  above.add(split, last, static_cast<int>((last - split) / piece) + 1);
  add_remainder(above, rest);
}

// Further out: 1/√(R²+V²) + Λ = −π Res cosh(kV) Y₀(kR) + Σ 2(κ²+K²)/(κ²h+K²h−K) cos(κV) K₀(κR); as ω → ∞ the modes
// are those with φ = 0 at the surface, κh = (n−½)π, of strength 2/h.
class Series {
 public:
  Series(double deep, double h, double k0) : h_(h), k0_(k0), waves_(!std::isinf(deep)) {
    for (int n = 1; n <= modes; ++n) {
      const double k = waves_ ? evanescent_wave_number(deep, h, n) : (n - 0.5) * pi / h;
      kappa_[n - 1] = k;
      strength_[n - 1] = waves_ ? 2 * (k * k + deep * deep) / (k * k * h + deep * deep * h - deep) : 2 / h;
    }
    scale_ = waves_ ? residue_scale(k0, deep, h) : 0;
  }

  // Λ at the distance i.
  void fill(const Axis& r, const Axis& v, int i, TabulatedField& field) const {
    const double radius = r.at(i);
    const Bessel b = waves_ ? bessel(k0_ * radius) : Bessel{};
    double bessel_k0[modes], bessel_k1[modes];
    for (int n = 0; n < modes; ++n) {
      const bool gone = kappa_[n] * radius > 60;
      bessel_k0[n] = gone ? 0 : std::cyl_bessel_k(0, kappa_[n] * radius);
      bessel_k1[n] = gone ? 0 : std::cyl_bessel_k(1, kappa_[n] * radius);
    }
    for (int j = 0; j < v.count; ++j) {
      const double vj = v.at(j);
      // exp(−2kh)·2cosh(kV), the part of the residue that depends on V.
      const double up = waves_ ? std::exp(-k0_ * (2 * h_ - vj)) : 0, down = waves_ ? std::exp(-k0_ * (2 * h_ + vj)) : 0;
      double value = -pi * scale_ * (up + down) * b.y0, slope_r = pi * scale_ * (up + down) * k0_ * b.y1,
             slope_v = -pi * scale_ * k0_ * (up - down) * b.y0;
      for (int n = 0; n < modes; ++n) {
        const double c = std::cos(kappa_[n] * vj), s = std::sin(kappa_[n] * vj);
        value += strength_[n] * c * bessel_k0[n];
        slope_r -= strength_[n] * kappa_[n] * c * bessel_k1[n];
        slope_v -= strength_[n] * kappa_[n] * s * bessel_k0[n];
      }
      const double w = 1 / std::hypot(radius, vj), cube = w * w * w;
      field.value(i, j) = value - w;
      field.slope_r(i, j) = slope_r + radius * cube;
      field.slope_v(i, j) = slope_v + vj * cube;
    }
  }

 private:
  static constexpr int modes = 14;
  double h_, k0_, scale_ = 0;
  bool waves_;
  double kappa_[modes], strength_[modes];
};

// Λ at the distance i → M: less the mirror image in the surface and the deep-water wave part.
void make_remainder(double deep, double h, int i, Fields& fields) {
  for (int j = 0; j < fields.v_remainder.count; ++j) {
    const double radius = fields.r.at(i), above = std::max(0.0, 2 * h - fields.v_remainder.at(j));
    const double w = 1 / std::hypot(radius, above), cube = w * w * w;
    double value = -w, slope_r = radius * cube, slope_v = -above * cube;
    if (std::isinf(deep)) {
      value = w, slope_r = -radius * cube, slope_v = above * cube;
    } else {
      // ∂/∂V of F(KR, K(2h−V)) is −K ∂F/∂Y = K (F + 2/d).
      const DeepWave wave = DeepWater::tables()(deep * radius, deep * above);
      value -= deep * wave.value;
      slope_r -= deep * deep * wave.slope_x;
      slope_v -= deep * deep * wave.value + 2 * deep * w;
    }
    fields.remainder.value(i, j) += value;
    fields.remainder.slope_r(i, j) += slope_r;
    fields.remainder.slope_v(i, j) += slope_v;
  }
}

SmoothTable<3> tabulate(const Axis& in_r, const Axis& in_v, const TabulatedField& f) {
  return SmoothTable<3>(in_r, in_v, [&](double x, double y) {
    const auto i = static_cast<Eigen::Index>(std::lround((x - in_r.first) / in_r.step));
    const auto j = static_cast<Eigen::Index>(std::lround((y - in_v.first) / in_v.step));
    return std::array{f.value(i, j), f.slope_r(i, j), f.slope_v(i, j)};
  });
}

}  // namespace

FiniteDepth::FiniteDepth(double deep, double h, double reach) {
  const Kernel kernel(deep, h);
  wave_number_ = kernel.wave_number();

  // Waves in the remainder fade as exp(−2Kh); what is left varies over the depth.
  const bool wavy = !std::isinf(deep) && deep * h < 12;
  const double step = wavy ? std::min(h / 16, 0.2 / wave_number_) : h / 16;
  const double join = h;  // beyond it the series converges as exp(−π R/h n)
  const Axis r = Axis::covering(-2 * step, std::max(reach, 1.5 * join) * (1 + 1e-9), step);  // even in R
  Fields fields(r, Axis::covering(0, 1.15 * h, h / 20), Axis::covering(0, 2 * h, h / 16));

  const int close = std::min(r.count, static_cast<int>((join - r.first) / r.step) + 1);
  integrate(kernel, h, close, fields);
  const Series series(deep, h, wave_number_);
  for (int i = close; i < r.count; ++i) {
    series.fill(r, fields.v_lambda, i, fields.lambda);
    series.fill(r, fields.v_remainder, i, fields.remainder);
    make_remainder(deep, h, i, fields);
  }
  lambda_ = tabulate(r, fields.v_lambda, fields.lambda);
  remainder_ = tabulate(r, fields.v_remainder, fields.remainder);
}

}  // namespace davit::panel
