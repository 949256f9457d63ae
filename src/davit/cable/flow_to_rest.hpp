// Equilibrium of a line that lies slack, for which Newton's method goes to and fro: the bed is hard, pieces push where
// they should lie in bends, and what is slack has next to no stiffness. The line creeps down its energy E as in a
// viscous fluid, from place to place: each is the minimum of E + ½ σ |r − r_before|² (weighted by mass), found by
// Newton's method whose changes go only as far as that falls on their way. σ falls as long as this is easy. At rest the
// viscous force is gone.
#pragma once

#include <algorithm>
#include <cmath>

#include "davit/cable/line_model.hpp"

namespace davit::cable {

// `System`: anchor() remembers the places, back() returns there; evaluate(σ) makes the equations with the pull to the
// places remembered, at_rest(σ) without it; solve() gives the largest force that is not held and leaves the changes;
// change() is the largest of these, most() the part of them that may be made at once, move(part) makes it; power() is
// that of the forces that must be held on the way of the changes.
template <class System>
Outcome flow_to_rest(System& system, double tolerable) {
  constexpr int most_iterations = 10000, most_tries = 10, most_changes = 60, few = 12;
  Outcome outcome;
  // Newton's method from the place remembered; true when it came to the next one.
  const auto next_place = [&](double sigma, int& changes) {
    system.evaluate(sigma);
    for (changes = 0; changes < most_changes; ++changes) {
      ++outcome.iterations;
      const double left = system.solve();
      if (!std::isfinite(left) || !std::isfinite(system.change())) return false;
      if (left < 0.3 * tolerable) return true;
      const double downhill = system.power();
      double part = std::min(1.0, system.most());
      system.move(part);
      for (int tries = 0;; ++tries) {
        system.evaluate(sigma);
        const double after = system.power();
        if (tries == most_tries || after <= 0.1 * std::abs(downhill)) break;
        const double less = part * std::clamp(downhill / (downhill - after), 0.1, 0.7);
        system.move(less - part);
        part = less;
      }
    }
    return false;
  };
  double sigma = 10;
  int changes = 0;
  while (outcome.iterations < most_iterations && sigma < 1e6) {
    system.anchor();
    if (!next_place(sigma, changes)) {
      system.back();
      sigma *= 8;
      continue;
    }
    system.at_rest(sigma);
    outcome.residual = system.solve();
    outcome.change = system.change();
    if (outcome.residual < tolerable) {
      outcome.converged = true;
      break;
    }
    if (changes < few) sigma = std::max(1e-4, 0.25 * sigma);
  }
  return outcome;
}

// What a System of bars is and one of beams: the places remembered are kept where a step keeps what it begins with.
template <class Equations, class Work>
class FlowingNodes {
 public:
  void anchor() { work_.velocity_base = work_.position; }
  void back() { work_.position = work_.velocity_base; }
  void evaluate(double sigma) {
    for (size_t i = 0; i < work_.position.size(); ++i)
      work_.acceleration[i] = sigma * (work_.position[i] - work_.velocity_base[i]);
    equations_.sample();
    equations_.evaluate({0, sigma}, nullptr);
  }
  void at_rest(double sigma) {
    std::fill(work_.acceleration.begin(), work_.acceleration.end(), 0.0);
    equations_.evaluate({0, sigma}, nullptr);
  }

 protected:
  FlowingNodes(Equations& equations, Work& work) : equations_(equations), work_(work) {}

  Equations& equations_;
  Work& work_;
};

}  // namespace davit::cable
