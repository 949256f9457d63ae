#include "davit/solve/speed_jumps.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

// Of a speed beside 1 + the largest one: what steps leave is far below.
constexpr double smallest_jump = 1e-8;

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double most = 0;
  for (size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

}  // namespace

SpeedJumps::SpeedJumps(const Model& model) : before_(VecX::Zero(model.nu())) {
  for (const auto& c : model.constraints()) {
    const Geometry& geometry = *c.constraint.geometry;
    if (!geometry.moves_with_time()) continue;
    const std::vector<double> none(static_cast<size_t>(geometry.size()), 0.0);
    moving_.push_back({c.first_row, {.element = c.constraint.name, .unit = geometry.unit()}, 0, &geometry, none, none});
  }
  news_.reserve(moving_.size());
}

void SpeedJumps::remember(const System& system) {
  for (Moving& m : moving_) m.geometry->time_rate(system.workspace().kin, m.before.data());
}

bool SpeedJumps::settle(System& system, State& state, Since since) {
  news_.clear();
  if (moving_.empty()) return false;
  const double scale = smallest_jump * (1 + (state.u.size() ? state.u.cwiseAbs().maxCoeff() : 0.0));
  const auto place = [&](double t) {
    system.place_bodies<double>(system.workspace(), t, state.q.data(), state.u.data(), state.discrete);
  };
  if (since == Since::just_before) {
    place(just_before(state.t));
    remember(system);
  }
  place(state.t);
  bool jumps = false;
  for (Moving& m : moving_) {
    m.geometry->time_rate(system.workspace().kin, m.after.data());
    jumps = jumps || largest_difference(m.before, m.after) > scale;
  }
  if (!jumps) return false;
  before_ = state.u;
  if (!system.satisfy_speeds(state)) return false;
  const RowWork& rows = system.workspace().rows;
  // ½ (u₁ᵀM u₁ - u₀ᵀM u₀) with M (u₁ - u₀) = Gᵀ p.
  before_ = 0.5 * (before_ + state.u);
  work_ = rows.correction.dot(rows.G.transpose() * before_);
  for (Moving& m : moving_) {
    const double by = largest_difference(m.before, m.after);
    if (by <= scale) continue;
    ++m.jump.count;
    if (by <= m.jump.by) continue;
    m.jump.t = state.t;
    m.jump.by = by;
    m.jump.impulse = rows.correction.segment(m.first_row, static_cast<Eigen::Index>(m.after.size())).norm();
    if (by < 2 * m.told) continue;
    m.told = by;
    news_.push_back(&m.jump);
  }
  return true;
}

std::vector<SpeedJump> SpeedJumps::all() const {
  std::vector<SpeedJump> out;
  for (const Moving& m : moving_)
    if (m.jump.count > 0) out.push_back(m.jump);
  return out;
}

}  // namespace davit
