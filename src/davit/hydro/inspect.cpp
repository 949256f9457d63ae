#include "davit/hydro/inspect.hpp"

#include <algorithm>
#include <numbers>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/inspect_parts.hpp"

namespace davit::hydro {
namespace {

// Linear between frequencies, constant beyond.
double at(const std::vector<double>& frequencies, const std::vector<double>& values, double w) {
  if (w <= frequencies.front()) return values.front();
  if (w >= frequencies.back()) return values.back();
  const auto above = std::upper_bound(frequencies.begin(), frequencies.end(), w);
  const size_t i = static_cast<size_t>(above - frequencies.begin());
  const double part = (w - frequencies[i - 1]) / (frequencies[i] - frequencies[i - 1]);
  return values[i - 1] + part * (values[i] - values[i - 1]);
}

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::ok:
      break;
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "ok";
}

std::vector<Finding> inspect(const Database& database) {
  std::vector<Finding> findings;
  inspect_matrices(database, findings);
  inspect_memory(database, findings);
  inspect_excitation(database, findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

Severity worst(const std::vector<Finding>& findings) {
  Severity most = Severity::ok;
  for (const Finding& finding : findings) most = std::max(most, finding.severity);
  return most;
}

std::vector<NaturalPeriod> natural_periods(const Database& database) {
  std::vector<NaturalPeriod> list;
  if (database.frequencies.empty()) return list;
  Database about_centres = database;
  for (size_t b = 0; b < database.bodies.size(); ++b)
    if (database.bodies[b].loading)
      move_reference(about_centres, static_cast<int>(b), database.bodies[b].loading->centre);
  for (int mode = 0; mode < database.modes(); ++mode) {
    const FloatingBody& body = about_centres.bodies[static_cast<size_t>(mode / 6)];
    if (!body.loading) continue;
    const double C = body.restoring(mode % 6, mode % 6),
                 M = mass_matrix(*body.loading, body.reference)(mode % 6, mode % 6);
    // Restoring of a few parts in a billion of heave's is round-off.
    if (!(C > 1e-9 * body.restoring.diagonal().maxCoeff()) || !(M > 0)) continue;
    const auto A = entry(about_centres.added_mass, mode, mode), B = entry(about_centres.damping, mode, mode);
    double w = std::sqrt(C / (M + A.back()));
    for (int i = 0; i < 100; ++i) w = 0.5 * (w + std::sqrt(C / std::max(M + at(database.frequencies, A, w), 1e-3 * M)));
    const double mass = M + at(database.frequencies, A, w);
    list.push_back({mode, 2 * std::numbers::pi / w, at(database.frequencies, B, w) / (2 * std::sqrt(mass * C))});
  }
  return list;
}

}  // namespace davit::hydro
