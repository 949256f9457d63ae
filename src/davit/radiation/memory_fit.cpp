#include "davit/radiation/memory_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/kramers_kronig.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/radiation/memory_kernel.hpp"
#include "davit/radiation/passivity.hpp"

namespace davit::radiation {
namespace {

constexpr int largest_order = 20;
constexpr double nearly = 1.1;
constexpr int polishing_rounds = 12;
constexpr double nearest = 0.1;       // two poles, against their size
constexpr size_t most_samples = 240;  // of a realisation: its cost grows with the cube
constexpr double hopeless = 5;        // times the tolerance
constexpr int order_of_hopeless = 4;  // which more poles do not help

// What one group of motions is to be fitted to, in numbers without unit: K_ij/(size_i size_j).
struct Target {
  double step = 0;
  std::vector<double> frequencies;
  std::vector<MatX> kernel;
  std::vector<MatXc> transfer;  // B + iω(A − A(∞)), both of damping alone: added mass of another origin may contradict
  double largest_damping = 0;
};

Target target_of(const hydro::Database& database, const MemoryKernel& kernel, const std::vector<int>& group) {
  const VecX inverse = kernel.size(group).cwiseInverse();
  Target out{kernel.step, database.frequencies, {}, {}, 0};
  for (const Mat6& K : kernel.values)
    out.kernel.push_back(inverse.asDiagonal() * MatX(K(group, group)) * inverse.asDiagonal());
  const auto n = static_cast<Eigen::Index>(group.size());
  out.transfer.assign(database.frequencies.size(), MatXc::Zero(n, n));
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const int row = group[static_cast<size_t>(i)], column = group[static_cast<size_t>(j)];
      std::vector<double> B = hydro::entry(database.damping, row, column);
      const std::vector<double> mirrored = hydro::entry(database.damping, column, row);
      for (size_t f = 0; f < B.size(); ++f) B[f] = 0.5 * (B[f] + mirrored[f]) * inverse[i] * inverse[j];
      const hydro::Damping damping(database.frequencies, B);
      for (size_t f = 0; f < B.size(); ++f) {
        const double w = database.frequencies[f];
        out.transfer[f](i, j) = out.transfer[f](j, i) = {B[f], w * damping.added_mass_change(w)};
        out.largest_damping = std::max(out.largest_damping, std::abs(B[f]));
      }
    }
  return out;
}

// Least squares on kernel and transfer together, each against its largest, with K(0) = 0.
class ResidueProblem {
 public:
  explicit ResidueProblem(const Target& target) : target_(target) {
    const auto times = static_cast<Eigen::Index>(target.kernel.size()),
               waves = static_cast<Eigen::Index>(target.frequencies.size());
    of_time_ = 1 / std::sqrt(static_cast<double>(times));
    of_wave_ = 1 / (std::sqrt(static_cast<double>(waves)) * target.largest_damping);
    wanted_.resize(times + 2 * waves, target.kernel[0].size());
    for (Eigen::Index k = 0; k < times; ++k)
      wanted_.row(k) = of_time_ * target.kernel[static_cast<size_t>(k)].reshaped().transpose();
    for (Eigen::Index f = 0; f < waves; ++f) {
      const MatXc& K = target.transfer[static_cast<size_t>(f)];
      wanted_.row(times + f) = of_wave_ * K.real().reshaped().transpose();
      wanted_.row(times + waves + f) = of_wave_ * K.imag().reshaped().transpose();
    }
  }

  // Unknowns are made orthonormal, so that a distance in Y is one in what is fitted.
  Combination solve(const PoleBasis& basis) const {
    const MatX free = steady(basis);
    const SingularValues svd = singular_value_decomposition(functions(basis) * free);
    const Eigen::Index rank = (svd.values.array() > 1e-10 * svd.values[0]).count();
    const MatX answer = svd.U.leftCols(rank).transpose() * wanted_;
    Combination out{basis, free * svd.V.leftCols(rank) * svd.values.head(rank).cwiseInverse().asDiagonal(), {}};
    const Eigen::Index n = target_.kernel[0].rows();
    for (Eigen::Index l = 0; l < rank; ++l) {
      const MatX Y = answer.row(l).reshaped(n, n);
      out.values.push_back(0.5 * (Y + Y.transpose()));
    }
    return out;
  }

  // What the best residues leave.
  VecX misfit(const PoleBasis& basis) const {
    return least_squares_residual(functions(basis) * steady(basis), wanted_).reshaped();
  }

 private:
  MatX functions(const PoleBasis& basis) const {
    const auto times = static_cast<Eigen::Index>(target_.kernel.size()),
               waves = static_cast<Eigen::Index>(target_.frequencies.size());
    MatX out(times + 2 * waves, basis.size());
    for (Eigen::Index k = 0; k < times; ++k)
      out.row(k) = of_time_ * basis.kernel(static_cast<double>(k) * target_.step);
    for (Eigen::Index f = 0; f < waves; ++f) {
      const Eigen::RowVectorXcd row = basis.transfer(target_.frequencies[static_cast<size_t>(f)]);
      out.row(times + f) = of_wave_ * row.real();
      out.row(times + waves + f) = of_wave_ * row.imag();
    }
    return out;
  }

  // The combinations with K(0) = 0.
  static MatX steady(const PoleBasis& basis) {
    const VecX still = basis.transfer(0).real().transpose();
    return orthogonal_frame(still).rightCols(basis.size() - 1);
  }

  const Target& target_;
  double of_time_ = 0, of_wave_ = 0;
  MatX wanted_;
};

// Poles that are nearly the same have large residues of opposite sign: one is enough.
PoleBasis distinct(const PoleBasis& basis) {
  Poles out;
  for (std::complex<double> p : basis.poles()) {
    if (std::abs(p - std::conj(p)) < nearest * std::abs(p)) p.imag(0);
    if (std::none_of(out.begin(), out.end(),
                     [&](const auto& q) { return std::abs(p - q) < nearest * std::min(std::abs(p), std::abs(q)); }))
      out.push_back(p);
  }
  return PoleBasis(std::move(out));
}

// Poles that fit best with residues that follow from them (variable projection; Levenberg & Marquardt). Unknowns are
// the logarithms of decay and frequency, so poles stay where they may be.
PoleBasis polished(const ResidueProblem& problem, const PoleBasis& start) {
  const auto move = [](const PoleBasis& basis, const VecX& by) {
    Poles poles = basis.poles();
    Eigen::Index at = 0;
    for (auto& p : poles) {
      p.real(p.real() * std::exp(by[at++]));
      if (p.imag() != 0) p.imag(p.imag() * std::exp(by[at++]));
    }
    return PoleBasis(std::move(poles));
  };
  PoleBasis best = start;
  VecX rest = problem.misfit(best);
  double brake = 1e-2;
  for (int round = 0; round < polishing_rounds; ++round) {
    MatX slopes(rest.size(), best.size());
    for (Eigen::Index k = 0; k < best.size(); ++k)
      slopes.col(k) = (problem.misfit(move(best, 1e-6 * VecX::Unit(best.size(), k))) - rest) / 1e-6;
    const MatX normal = slopes.transpose() * slopes;
    const VecX down = -slopes.transpose() * rest;
    const double before = rest.squaredNorm();
    for (; brake < 1e6; brake *= 10) {
      MatX braked = normal;
      braked.diagonal() *= 1 + brake;
      const VecX by = solve_ldlt(braked, down).cwiseMax(-0.5).cwiseMin(0.5);
      PoleBasis moved = move(best, by);
      VecX left = problem.misfit(moved);
      if (!(left.squaredNorm() < before)) continue;
      best = std::move(moved);
      rest = std::move(left);
      brake = std::max(1e-8, brake / 10);
      break;
    }
    if (rest.squaredNorm() > 0.999 * before) break;
  }
  return best;
}

// Where the motions of a group radiate most.
double peak_frequency(const hydro::Database& database, const std::vector<int>& group) {
  double highest = 0;
  for (const int i : group) {
    const std::vector<double> B = hydro::entry(database.damping, i, i);
    const auto at = std::max_element(B.begin(), B.end()) - B.begin();
    highest = std::max(highest, database.frequencies[static_cast<size_t>(at)]);
  }
  return highest;
}

// Largest differences between a model and the database in the entries of a group, see MemoryFit.
struct Errors {
  double kernel = 0, damping = 0, added_mass = 0;
};

// The square roots of the largest on the diagonal, by which entries are measured.
Vec6 sizes(const std::vector<MatX>& matrices) {
  Vec6 largest = Vec6::Zero();
  for (const MatX& m : matrices) largest = largest.cwiseMax(m.diagonal().cwiseAbs());
  return largest.cwiseSqrt();
}

Errors errors_of(const MemoryModel& model, const hydro::Database& database, const MemoryKernel& kernel,
                 const std::vector<int>& group) {
  const auto worst = [&](const Mat6& difference, const Vec6& size) {
    const VecX inverse = size(group).cwiseInverse();
    return (inverse.asDiagonal() * MatX(difference(group, group)) * inverse.asDiagonal()).cwiseAbs().maxCoeff();
  };
  const Vec6 of_damping = sizes(database.damping), of_added_mass = sizes(database.added_mass);
  const double peak = peak_frequency(database, group);
  Errors out;
  for (size_t n = 0; n < kernel.values.size(); ++n)
    out.kernel =
        std::max(out.kernel, worst(model.kernel(static_cast<double>(n) * kernel.step) - kernel.values[n], kernel.size));
  for (size_t f = 0; f < database.frequencies.size(); ++f) {
    const double w = database.frequencies[f];
    const auto K = model.transfer(w);
    out.damping = std::max(out.damping, worst(K.real() - database.damping[f], of_damping));
    out.added_mass =
        std::max(out.added_mass, std::min(1.0, w / peak) *
                                     worst(kernel.infinite + K.imag() / w - database.added_mass[f], of_added_mass));
  }
  return out;
}

std::string names(const std::vector<int>& group) {
  std::string out;
  for (size_t k = 0; k < group.size(); ++k)
    out += std::string(k == 0                  ? ""
                       : k + 1 == group.size() ? " and "
                                               : ", ") +
           std::string(hydro::mode_names[static_cast<size_t>(group[k])]);
  return out;
}

// How far all memories are from the damping of a database at least, by frequency. The damping P of a memory has no
// negative eigenvalue. Where that of the database, B, has one λ of the vector v, the largest entry of P − B is at least
// vᵀ(P − B)v/|v|₁² ≥ −λ/|v|₁², v a unit vector.
std::vector<double> least_errors(const hydro::Database& database, const std::vector<int>& group) {
  const VecX inverse = sizes(database.damping)(group).cwiseInverse();
  std::vector<double> out;
  for (const MatX& damping : database.damping) {
    const MatX B = inverse.asDiagonal() * MatX(damping(group, group)) * inverse.asDiagonal();
    const SymmetricEigen at = symmetric_eigen(0.5 * (B + B.transpose()));
    out.push_back(0);
    for (Eigen::Index k = 0; k < at.values.size(); ++k)
      out.back() = std::max(out.back(), -at.values[k] / std::pow(at.vectors.col(k).lpNorm<1>(), 2));
  }
  return out;
}

struct GroupFit {
  MemoryModel model;
  Errors errors;
  double least_error = 0;  // of damping at half of the frequencies, if that is why no more poles were tried
  double change = 0, direct = 0;
  // To be within the tolerance. Damping, where a frequency may have an error of its own, counts half.
  double misfit() const { return std::max(errors.kernel, 0.5 * errors.damping); }
};

class GroupFitter {
 public:
  GroupFitter(const hydro::Database& database, const MemoryKernel& kernel, const std::vector<int>& group)
      : database_(database), kernel_(kernel), group_(group), target_(target_of(database, kernel, group)) {}

  // The smallest that meets the tolerance; else the smallest that is nearly as good as any.
  GroupFit run(double tolerance) const {
    const size_t stride = (target_.kernel.size() + most_samples - 1) / most_samples;
    std::vector<MatX> samples;
    for (size_t n = 0; n < target_.kernel.size(); n += stride) samples.push_back(target_.kernel[n]);
    const Realisation realisation(samples, target_.step * static_cast<double>(stride));
    const ResidueProblem problem(target_);
    std::vector<GroupFit> fits;
    double best = std::numeric_limits<double>::infinity();
    std::vector<double> least = least_errors(database_, group_);
    const auto median = least.begin() + static_cast<std::ptrdiff_t>(least.size() / 2);
    std::nth_element(least.begin(), median, least.end());
    const bool in_vain = 0.5 * *median > hopeless * tolerance;
    const int highest = in_vain ? order_of_hopeless : largest_order;
    for (int order = 2; order <= std::min(highest, realisation.largest_order()); ++order) {
      PoleBasis basis = distinct(PoleBasis(realisation.poles(order)));
      // Twice, as poles may come together. One of two functions is taken by K(0) = 0.
      for (int pass = 0; pass < 2 && basis.size() >= 2; ++pass) basis = distinct(polished(problem, basis));
      if (basis.size() < 2) continue;
      fits.push_back(passive(problem.solve(basis)));
      best = std::min(best, fits.back().misfit());
      if (best <= tolerance) break;
    }
    const double asked = best <= tolerance ? tolerance : nearly * best;
    const auto found =
        std::find_if(fits.begin(), fits.end(), [&](const GroupFit& fit) { return fit.misfit() <= asked; });
    if (found == fits.end())
      throw hydro::DatabaseError(database_.title,
                                 "the memory of " + names(group_) + " has no form that could be fitted",
                                 "look at its damping with `davit hydro inspect`");
    if (in_vain) found->least_error = *median;
    return std::move(*found);
  }

 private:
  MemoryModel model_of(const Combination& combination) const {
    const VecX size = kernel_.size(group_);
    MemoryGroup out{group_, combination.basis.poles(), combination.basis.residues(combination.coefficients())};
    for (MatXc& R : out.residues) R = (size.asDiagonal() * R * size.asDiagonal()).eval();
    return {{std::move(out)}, Mat6::Zero()};
  }

  GroupFit passive(Combination combination) const {
    const MemoryModel before = model_of(combination);
    make_passive(combination);
    GroupFit out{model_of(combination), {}, 0, 0, missing_damping(combination.basis, combination.coefficients())};
    // What cutting planes have left, if anything.
    for (const int i : group_) out.model.direct(i, i) = out.direct * kernel_.size[i] * kernel_.size[i];
    out.direct /= target_.largest_damping;
    const Vec6 inverse = kernel_.size.cwiseInverse();
    for (size_t n = 0; n < kernel_.values.size(); ++n) {
      const double t = static_cast<double>(n) * kernel_.step;
      const Mat6 change = inverse.asDiagonal() * (out.model.kernel(t) - before.kernel(t)) * inverse.asDiagonal();
      out.change = std::max(out.change, change.cwiseAbs().maxCoeff());
    }
    out.errors = errors_of(out.model, database_, kernel_, group_);
    return out;
  }

  const hydro::Database& database_;
  const MemoryKernel& kernel_;
  const std::vector<int>& group_;
  Target target_;
};

}  // namespace

MemoryFit fit_memory(const hydro::Database& database, int body, double tolerance) {
  const MemoryKernel kernel = memory_kernel(database, body);
  MemoryFit out;
  out.infinite = kernel.infinite;
  if (kernel.length() > kernel.known)
    out.notes.push_back(
        fmt::format("the kernel lasts {:.3g} s; the steps between frequencies tell it for {:.3g} s, the rest is "
                    "interpolation",
                    kernel.length(), kernel.known));
  for (const auto& group : kernel.groups) {
    const GroupFit fit = GroupFitter(database, kernel, group).run(tolerance);
    const MemoryGroup& found = fit.model.groups[0];
    out.model.groups.push_back(found);
    out.model.direct += fit.model.direct;
    out.poles += found.order();
    out.kernel_error = std::max(out.kernel_error, fit.errors.kernel);
    out.damping_error = std::max(out.damping_error, fit.errors.damping);
    out.added_mass_error = std::max(out.added_mass_error, fit.errors.added_mass);
    out.passivity_change = std::max(out.passivity_change, fit.change);
    out.direct_share = std::max(out.direct_share, fit.direct);
    out.notes.push_back(fmt::format(
        "{}: {} poles, within {:.2g} % of the kernel, {:.2g} % of damping and {:.2g} % of added mass{}", names(group),
        found.order(), 100 * fit.errors.kernel, 100 * fit.errors.damping, 100 * fit.errors.added_mass,
        fit.misfit() <= tolerance ? ""
                                  : fmt::format("; {:.2g} % of the kernel and {:.2g} % of damping were asked for",
                                                100 * tolerance, 200 * tolerance)));
    if (fit.least_error > 0)
      out.notes.push_back(
          fmt::format("{}: the damping gives energy: at half of the frequencies no memory comes nearer to it than "
                      "{:.2g} %, and more "
                      "than {} poles were not tried",
                      names(group), 100 * fit.least_error, order_of_hopeless));
    if (fit.misfit() > hopeless * tolerance)
      out.notes.push_back(names(group) +
                          ": so far off that the database is likely to be wrong somewhere; inspect it, and leave out "
                          "the frequencies that are too high for its panels");
    if (fit.change > 0.1 * tolerance)
      out.notes.push_back(fmt::format("{}: changed by {:.2g} % so that water takes energy at every frequency",
                                      names(group), 100 * fit.change));
    if (fit.direct > 0)
      out.notes.push_back(fmt::format("{}: direct damping of {:.2g} % of the largest added for the same reason",
                                      names(group), 100 * fit.direct));
    if (fit.errors.added_mass > std::max(0.03, 3 * fit.misfit()))
      out.notes.push_back(names(group) +
                          ": added mass over frequency is not what damping and the limit at infinite frequency give; "
                          "the run follows damping and that limit");
  }
  return out;
}

}  // namespace davit::radiation
