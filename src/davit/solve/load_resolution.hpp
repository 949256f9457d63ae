// Steps that resolve what forces that act one way carry: ropes that come taut, loads that touch down, mooring lines
// that snap. They are stiff, and a step that is right for the slow motion of a lift may be longer than the whole event:
// what such a step says of the load is then nothing that acts, mostly on the unsafe side.
//
// After every fixed step the loads are looked at. Where one changed by more than a few hundredths of the largest that
// it has carried, or would have if bodies had gone on with the speeds that they began with, the step is repeated as two
// halves. If they end with another load, show a higher peak in the middle, or if nothing is seen of the load that the
// speeds at the start lead to (an impact that is over within the step), the step is taken back and tried shorter, until
// loads are resolved; then steps grow again. A step that the method had to divide, because its equations had no
// solution, may hide a whole event and is taken back too. What it goes by is in the
// State (State::load_peaks, State::next_step), so that a run continues bit for bit. While steps are shorter they land
// on multiples of the step that was asked for, so that the run returns to its grid.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "davit/solve/stepper.hpp"

namespace davit {

// What became of it in a run.
struct LoadSteps {
  long retried = 0;     // steps taken back
  long unresolved = 0;  // … that were the shortest there are, and did not resolve a load
  std::string element;  // of the first such
  double t = 0;

  template <class A>
  void archive(A& a) {
    a(retried, unresolved, element, t);
  }
};

class LoadResolution {
 public:
  // Adaptive methods resolve what they integrate by themselves.
  // `tolerance`: in units of the one by default.
  LoadResolution(const Model&, const Stepper&, double longest, double tolerance = 1);

  // Whether there is anything to resolve.
  bool active() const { return !watched_.empty(); }
  void begin(System&, State&);
  // The longest step to try from a state, and the time that it has to land on (infinite: none).
  double longest(const State& state) const { return shortens(state) ? state.next_step : longest_; }
  double landing(const State&) const;
  // After a step from `start`, before it is committed: false if loads are not resolved. `end` remembers the step to try
  // next; after false the caller goes back to `start` with that.
  bool accepts(System&, const State& start, State& end, const StepCounts::Step&);

  const LoadSteps& steps() const { return steps_; }
  // All else that it goes by is in the State.
  template <class A>
  void archive(A& a) {
    a(steps_);
  }

 private:
  struct Watched {
    const Force* force;
    ElementPlace place;
  };
  bool shortens(const State& state) const { return active() && state.next_step > 0; }
  void read(System&, const State&, VecX& loads) const;
  // Where bodies go on with the speeds of the start.
  void predict(System&, const State& start, double h);
  double largest_change() const;
  // In units of what is tolerated; none where two halves have no solution.
  std::optional<double> error(System&, const State& start, double h);
  void remember(const State& start, State& end, double next) const;
  bool retry(State& end, double next);

  const Model& model_;
  double longest_, shortest_, tolerance_;
  const Stepper& stepper_;
  std::unique_ptr<Stepper> halving_;  // made when it is first needed
  std::vector<Watched> watched_;
  State half_;
  VecX before_, now_, middle_, halves_, predicted_, scale_;
  VecX way_, place_;
  Eigen::Index worst_ = 0;
  LoadSteps steps_;
};

}  // namespace davit
