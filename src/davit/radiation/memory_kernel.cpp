#include "davit/radiation/memory_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/kramers_kronig.hpp"
#include "davit/hydro/scales.hpp"

namespace davit::radiation {
namespace {

constexpr double longest_memory = 100;  // s
// Kernels are followed for so many times as long as they are known: cut off while they swing they would be worse.
constexpr double reach = 4;
constexpr double coupling = 1e-3;  // of the motions' own damping; less is noise about a symmetry
constexpr double round_off = 1e-7;

void check(const hydro::Database& database, int body) {
  if (database.bodies.size() > 1)
    throw hydro::DatabaseError(database.title,
                               fmt::format("it has {} bodies, and the radiation memory between bodies is not supported",
                                           database.bodies.size()),
                               "give a database of one body alone");
  if (body != 0 || database.bodies.empty())
    throw hydro::DatabaseError(database.title, fmt::format("there is no body {}", body), "give a database of one body");
  if (database.frequencies.size() < 5)
    throw hydro::DatabaseError(
        database.title, fmt::format("{} frequencies are too few for the radiation memory", database.frequencies.size()),
        "compute at 30 to 100 frequencies");
}

// Motions that have any damping. Roll may have a thousandth of pitch, so only round-off is left out; where all
// rotations are (a sphere about its centre) the size of the hull tells.
hydro::Scales with_memory(const hydro::Database& database, const std::vector<MatX>& damping) {
  hydro::Scales s = hydro::scales(database, damping, round_off);
  const double volume = database.bodies[0].volume;
  if (volume > 0) {
    const double floor = round_off * s.size.head<3>().maxCoeff() * std::pow(volume, 2.0 / 3);
    std::erase_if(s.active, [&](int i) { return hydro::is_rotation(i) && s.size[i] < floor; });
  }
  return s;
}

// Motions that damping couples, directly or by way of others.
std::vector<std::vector<int>> coupled_groups(const std::vector<MatX>& damping, const hydro::Scales& scale) {
  std::vector<std::vector<int>> groups;
  std::vector<bool> taken(6, false);
  const auto are_coupled = [&](int i, int j) {
    const double bound = coupling * std::sqrt(scale.size[i] * scale.size[j]);
    return std::any_of(damping.begin(), damping.end(), [&](const MatX& B) { return std::abs(B(i, j)) > bound; });
  };
  for (const int first : scale.active) {
    if (taken[static_cast<size_t>(first)]) continue;
    std::vector<int> group{first};
    taken[static_cast<size_t>(first)] = true;
    for (size_t k = 0; k < group.size(); ++k)
      for (const int j : scale.active)
        if (!taken[static_cast<size_t>(j)] && are_coupled(group[k], j)) {
          taken[static_cast<size_t>(j)] = true;
          group.push_back(j);
        }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<Mat6> sampled(const std::vector<double>& frequencies, const std::vector<MatX>& damping,
                          const std::vector<std::vector<int>>& groups, double step, double length) {
  std::vector<Mat6> values(static_cast<size_t>(length / step) + 1, Mat6::Zero());
  for (const auto& group : groups)
    for (const int i : group)
      for (const int j : group) {
        if (j < i) continue;
        const hydro::Damping curve(frequencies, hydro::entry(damping, i, j));
        for (size_t n = 0; n < values.size(); ++n)
          values[n](i, j) = values[n](j, i) = curve.kernel(static_cast<double>(n) * step);
      }
  return values;
}

}  // namespace

Mat6 MemoryKernel::at(double t) const {
  const double place = t / step;
  const auto n = static_cast<size_t>(place);
  if (n + 1 >= values.size()) return n < values.size() ? values[n] : Mat6::Zero();
  const double part = place - static_cast<double>(n);
  return (1 - part) * values[n] + part * values[n + 1];
}

MemoryKernel memory_kernel(const hydro::Database& database, int body, const KernelOptions& options) {
  check(database, body);
  std::vector<MatX> damping;
  for (const MatX& B : database.damping) damping.push_back(0.5 * (B + B.transpose()));

  MemoryKernel out;
  const Mat6 limit =
      database.added_mass_infinite ? *database.added_mass_infinite : hydro::infinite_added_mass(database);
  out.infinite = 0.5 * (limit + limit.transpose());
  if (database.added_mass_zero && database.added_mass_zero->allFinite())
    out.zero = 0.5 * (*database.added_mass_zero + database.added_mass_zero->transpose());
  out.step = options.step > 0 ? options.step : std::numbers::pi / (10 * database.frequencies.back());
  const hydro::Scales scale = with_memory(database, damping);
  out.groups = coupled_groups(damping, scale);
  double known = longest_memory;
  for (const int i : scale.active)
    known = std::min(known, hydro::known_length(database.frequencies, hydro::entry(damping, i, i)));
  out.known = known;

  // First with wide steps, to see how long it lasts.
  out.values =
      sampled(database.frequencies, damping, out.groups, 8 * out.step, std::min(longest_memory, reach * known));
  Vec6 largest = Vec6::Zero();
  for (const Mat6& K : out.values) largest = largest.cwiseMax(K.diagonal().cwiseAbs());
  for (int i = 0; i < 6; ++i)
    if (largest[i] > 0) out.size[i] = std::sqrt(largest[i]);
  const Vec6 inverse = out.size.cwiseInverse();
  const auto matters = [&](const Mat6& K) {
    return (inverse.asDiagonal() * K * inverse.asDiagonal()).cwiseAbs().maxCoeff() > options.tolerance;
  };
  const auto cut = [&] {
    const auto last = std::find_if(out.values.rbegin(), out.values.rend(), matters);
    out.values.erase(std::min(last.base() + 1, out.values.end()), out.values.end());
  };
  cut();
  out.values = sampled(database.frequencies, damping, out.groups, out.step,
                       8 * out.step * static_cast<double>(out.values.size() - 1));
  cut();
  return out;
}

}  // namespace davit::radiation
