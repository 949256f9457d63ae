#include "davit/solve/energy_balance.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

// Round-off of the energies that are added up, as a part of them.
constexpr double round_off = 1e-10;

double sum_of_sizes(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += std::abs(value);
  return sum;
}

}  // namespace

void EnergyBalance::begin(const State& state, const Energy& now, const System& system) {
  before_ = now;
  potentials_ = system.potentials();
  t_ = state.t;
  highest_potential_ = before_.potential;
  gain_.of = before_.kinetic + round_off * sum_of_sizes(potentials_);
}

void EnergyBalance::enter(const State& state, const Energy& now, const System& system, double contact_work) {
  const double h = state.t - t_, change = now.total() - before_.total();
  const double most = h * std::max({0.0, before_.power, now.power}),
               least = h * std::min({0.0, before_.power, now.power});
  double entry = change - std::clamp(change, least, most);
  // What an impact took in the same step is more than what putting back gave.
  const double put_back = std::clamp(entry, 0.0, std::max(0.0, contact_work));
  entry -= put_back;
  gain_.contacts += put_back;
  work_ += std::max(most, -least);
  level_ += entry;
  low_ = std::min(low_, level_);
  const double rise = level_ - low_;
  highest_potential_ = std::max(highest_potential_, now.potential);
  gain_.of = std::max({gain_.of, work_, now.kinetic - rise, highest_potential_ - now.potential - rise,
                       round_off * sum_of_sizes(system.potentials())});
  gain_.energy = std::max(gain_.energy, rise);
  if (entry > largest_entry_) {
    largest_entry_ = entry;
    name_culprit(state, system);
  }
  before_ = now;
  potentials_ = system.potentials();
  t_ = state.t;
}

// The force whose potential changed most, or the fastest coordinate where none did.
void EnergyBalance::name_culprit(const State& state, const System& system) {
  gain_.t = state.t;
  double most = 0.1 * largest_entry_;
  gain_.element.clear();
  for (size_t i = 0; i < potentials_.size(); ++i)
    if (const double change = std::abs(system.potentials()[i] - potentials_[i]); change > most) {
      most = change;
      gain_.element = model_.forces()[i].element->name();
    }
  if (!gain_.element.empty() || state.u.size() == 0) return;
  Eigen::Index fastest = 0;
  state.u.cwiseAbs().maxCoeff(&fastest);
  gain_.element = model_.speed_names()[static_cast<size_t>(fastest)];
}

}  // namespace davit
