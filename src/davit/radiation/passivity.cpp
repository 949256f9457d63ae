#include "davit/radiation/passivity.hpp"

#include <algorithm>
#include <cmath>

#include "davit/math/linear_algebra.hpp"

namespace davit::radiation {
namespace {

constexpr int most_rounds = 100;
constexpr double margin = 1e-6;  // of the size of K, in the stretched measure below

// Re K vanishes as ω² towards zero and as ω⁻² towards infinity. Stretched by this factor it has limits at both ends,
// which must not be negative either.
double stretch(double w, double middle) {
  const double x = w / middle;
  return (1 + x * x) * (1 + x * x) / (x * x);
}

// Logarithmic far beyond all poles, and dense across every resonance.
std::vector<double> frequencies(const Poles& poles) {
  double least = std::abs(poles[0]), most = least;
  std::vector<double> out;
  for (const auto& p : poles) {
    least = std::min(least, std::abs(p));
    most = std::max(most, std::abs(p));
    for (double widths = -4; widths <= 4; widths += 0.25) out.push_back(p.imag() + widths * p.real());
  }
  std::erase_if(out, [&](double w) { return w < 1e-3 * least; });
  for (double w = 1e-3 * least; w < 1e3 * most; w *= 1.03) out.push_back(w);
  std::sort(out.begin(), out.end());
  return out;
}

MatX weighted_sum(const Eigen::RowVectorXd& weights, const std::vector<MatX>& matrices) {
  MatX sum = weights[0] * matrices[0];
  for (size_t c = 1; c < matrices.size(); ++c) sum += weights[static_cast<Eigen::Index>(c)] * matrices[c];
  return sum;
}

double least_eigenvalue(const MatX& m) { return symmetric_eigenvalues(m)[0]; }

// Where a function of frequency has its minima: on the grid, then by golden sections between the neighbours.
template <class Function>
std::vector<double> minima(const std::vector<double>& grid, const Function& value) {
  constexpr double golden = 0.6180339887498949;
  std::vector<double> values, out;
  for (const double w : grid) values.push_back(value(w));
  for (size_t i = 0; i < grid.size(); ++i) {
    const bool first = i == 0, last = i + 1 == grid.size();
    if ((!first && values[i] > values[i - 1]) || (!last && values[i] >= values[i + 1])) continue;
    out.push_back(grid[i]);
    if (first || last) continue;
    double from = grid[i - 1], to = grid[i + 1];
    double a = to - golden * (to - from), b = from + golden * (to - from), fa = value(a), fb = value(b);
    while (to - from > 1e-6 * to) {
      if (fa < fb) {
        to = b;
        b = a;
        fb = fa;
        a = to - golden * (to - from);
        fa = value(a);
      } else {
        from = a;
        a = b;
        fa = fb;
        b = from + golden * (to - from);
        fb = value(b);
      }
    }
    if (std::min(fa, fb) < values[i]) out.back() = fa < fb ? a : b;
  }
  return out;
}

// The smallest μ ≥ 0 in energy with G μ ≥ b: a non-negative least-squares problem (Lawson & Hanson 1974).
VecX multipliers(const MatX& G, const VecX& b) {
  const Eigen::Index n = b.size();
  VecX mu = VecX::Zero(n);
  std::vector<Eigen::Index> free;
  const double slack = 1e-12 * b.cwiseAbs().maxCoeff();
  for (Eigen::Index round = 0; round < 10 * n; ++round) {
    const VecX lack = b - G * mu;
    Eigen::Index worst = -1;
    for (Eigen::Index a = 0; a < n; ++a)
      if (mu[a] == 0 && lack[a] > slack && (worst < 0 || lack[a] > lack[worst]) &&
          std::find(free.begin(), free.end(), a) == free.end())
        worst = a;
    if (worst < 0) break;
    free.push_back(worst);
    while (!free.empty()) {
      const VecX target = solve_ldlt(G(free, free), VecX(b(free)));
      // As far towards it as all stay positive; the first that does not is bound again.
      double part = 1;
      for (size_t k = 0; k < free.size(); ++k) {
        const double from = mu[free[k]], to = target[static_cast<Eigen::Index>(k)];
        if (to <= 0) part = std::min(part, from / (from - to));
      }
      for (size_t k = 0; k < free.size(); ++k)
        mu[free[k]] += part * (target[static_cast<Eigen::Index>(k)] - mu[free[k]]);
      if (part == 1) break;
      std::erase_if(free, [&](Eigen::Index a) {
        if (mu[a] > 1e-14 * mu.maxCoeff()) return false;
        mu[a] = 0;
        return true;
      });
    }
  }
  return mu;
}

// vᵀ Σ_l ψ_l Y_l v ≥ bound
struct Cut {
  VecX psi, v;
};

}  // namespace

std::vector<MatX> Combination::coefficients() const {
  std::vector<MatX> out;
  for (Eigen::Index c = 0; c < to_coefficients.rows(); ++c) out.push_back(weighted_sum(to_coefficients.row(c), values));
  return out;
}

bool make_passive(Combination& combination) {
  const PoleBasis& basis = combination.basis;
  const std::vector<double> grid = frequencies(basis.poles());
  const double middle = std::sqrt(grid.front() * grid.back());
  const auto weights = [&](double w) -> Eigen::RowVectorXd {
    return stretch(w, middle) * basis.transfer(w).real() * combination.to_coefficients;
  };
  double size = 0;
  for (const double w : grid) size = std::max(size, weighted_sum(weights(w), combination.values).cwiseAbs().maxCoeff());

  const std::vector<MatX> best = combination.values;
  std::vector<Cut> cuts;
  MatX G;
  VecX lack;
  for (int round = 0; round < most_rounds; ++round) {
    const size_t before = cuts.size();
    const auto damping = [&](double w) { return weighted_sum(weights(w), combination.values); };
    for (const double w : minima(grid, [&](double x) { return least_eigenvalue(damping(x)); })) {
      const SymmetricEigen at = symmetric_eigen(damping(w));
      for (Eigen::Index k = 0; k < at.values.size(); ++k)
        if (at.values[k] < 0.5 * margin * size) cuts.push_back({weights(w).transpose(), at.vectors.col(k)});
    }
    if (cuts.size() == before) return true;

    // The least change of Y is Σ_a μ_a ψ_a v_a v_aᵀ.
    const auto n = static_cast<Eigen::Index>(cuts.size());
    G.conservativeResize(n, n);
    lack.conservativeResize(n);
    for (auto a = static_cast<Eigen::Index>(before); a < n; ++a) {
      const Cut& cut = cuts[static_cast<size_t>(a)];
      lack[a] = margin * size - cut.v.dot(weighted_sum(cut.psi.transpose(), best) * cut.v);
      for (Eigen::Index b = 0; b <= a; ++b) {
        const Cut& other = cuts[static_cast<size_t>(b)];
        G(a, b) = G(b, a) = std::pow(cut.v.dot(other.v), 2) * cut.psi.dot(other.psi);
      }
    }
    // Each cut in units of its own length, so that those of all frequencies are alike.
    const VecX unit = G.diagonal().cwiseSqrt().cwiseInverse();
    MatX scaled = unit.asDiagonal() * G * unit.asDiagonal();
    scaled.diagonal().array() += 1e-12;
    const VecX mu = unit.cwiseProduct(multipliers(scaled, unit.cwiseProduct(lack)));
    combination.values = best;
    for (Eigen::Index a = 0; a < n; ++a) {
      if (mu[a] == 0) continue;
      const Cut& cut = cuts[static_cast<size_t>(a)];
      const MatX direction = mu[a] * cut.v * cut.v.transpose();
      for (size_t l = 0; l < best.size(); ++l)
        combination.values[l] += cut.psi[static_cast<Eigen::Index>(l)] * direction;
    }
  }
  return false;
}

double missing_damping(const PoleBasis& basis, const std::vector<MatX>& coefficients) {
  const auto least = [&](double w) { return least_eigenvalue(weighted_sum(basis.transfer(w).real(), coefficients)); };
  double missing = 0;
  for (const double w : minima(frequencies(basis.poles()), least)) missing = std::max(missing, -least(w));
  return missing;
}

}  // namespace davit::radiation
