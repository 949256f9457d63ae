#include "davit/dynamics/conflicts.hpp"

#include <algorithm>
#include <cmath>

#include "davit/dynamics/pivoted_cholesky.hpp"

namespace davit {

namespace {

// Times inside every phase of the motions that rows follow.
std::vector<double> times_in_motion(const Model& model, const State& start) {
  std::vector<double> ends{start.t}, times;
  const auto add = [&](const std::vector<double>& breakpoints) {
    for (double t : breakpoints)
      if (t > start.t) ends.push_back(t);
  };
  add(model.breakpoints());
  for (int i = 0; i < start.discrete.signals.size(); ++i) add(start.discrete.signals[i].breakpoints());
  std::sort(ends.begin(), ends.end());
  for (size_t i = 1; i < ends.size(); ++i)
    for (double part : {0.25, 0.5, 0.75}) times.push_back(ends[i - 1] + part * (ends[i] - ends[i - 1]));
  return times;
}

}  // namespace

std::vector<Conflict> find_conflicts(System& system, const State& state) {
  std::vector<Conflict> out;
  const Model& model = system.model();
  Workspace& w = system.workspace();
  const RowWork& rows = system.rows_at(state);
  if (rows.rank == model.rows()) return out;
  const VecX size = rows.G.cwiseProduct(rows.MinvG).colwise().sum().cwiseSqrt();
  VecX rate(model.rows()), bias(model.rows());
  for (const auto& c : model.constraints()) c.constraint.geometry->rate_bias(w.kin, bias.data() + c.first_row);
  const std::vector<double> later = times_in_motion(model, state);

  for (int i = rows.rank; i < model.rows(); ++i) {
    const int row = rows.order[static_cast<size_t>(i)];
    const VecX shares = dependence(rows.gram, rows.rank, i);  // row = Σ shares_j order_j
    const auto contradicts = [&](const VecX& values) {
      double gap = values[row], scale = std::abs(values[row]);
      for (int j = 0; j < rows.rank; ++j) {
        const double part = shares[j] * values[rows.order[static_cast<size_t>(j)]];
        gap -= part;
        scale += std::abs(part);
      }
      // Rows count as dependent to about 3e-6; below the floor all is round-off.
      return std::abs(gap) > 1e-4 * scale + 1e-9;
    };
    const auto rates_contradict = [&](double t) {
      w.kin.t = t;
      for (const auto& c : model.constraints()) c.constraint.geometry->time_rate(w.kin, rate.data() + c.first_row);
      return contradicts(rate);
    };
    Conflict found;
    found.time = state.t;
    bool any = true;
    if (contradicts(rows.g)) {
      found.of = Conflict::Of::position;
    } else if (rates_contradict(state.t)) {
      found.of = Conflict::Of::speed;
    } else if (contradicts(bias)) {
      found.of = Conflict::Of::acceleration;
    } else {
      found.of = Conflict::Of::speed;
      const auto at = std::find_if(later.begin(), later.end(), rates_contradict);
      any = at != later.end();
      if (any) found.time = *at;
    }
    if (!any) continue;
    found.constraint = model.constraint_of(row).constraint.name;
    for (int j = 0; j < rows.rank; ++j) {
      const int kept = rows.order[static_cast<size_t>(j)];
      const std::string& name = model.constraint_of(kept).constraint.name;
      if (name != found.constraint && std::abs(shares[j]) * size[kept] > 1e-3 * size[row] &&
          std::find(found.partners.begin(), found.partners.end(), name) == found.partners.end())
        found.partners.push_back(name);
    }
    out.push_back(std::move(found));
  }
  return out;
}

}  // namespace davit
