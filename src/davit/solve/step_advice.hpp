// What step the motion needs: every so often a fixed step is repeated as two halves on a copy; their difference is
// 1 - 2^-p of the local error, for a method of order p. An error in the instant of an impact falls with the step, not
// with its power, and an advice made of it would shrink with the step for ever. So steps in which a contact opens or
// closes are left out, and of the others the tenth with the largest errors: ropes that come taut, friction that begins
// to slip.
//
// How the error falls with the step depends on the model too: friction that slips follows the step that it is in to
// first order, whatever the method. So the first half is repeated as two quarters, and the two errors tell the power by
// which an advice settles.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "davit/solve/run_loop.hpp"

namespace davit {

// Positive numbers by their size, in bins of 4 % that need no memory but their own: what all but some of them keep.
class Sizes {
 public:
  void add(double size);
  // The share `rare` of them, rounded down, may be larger. Zero when there are none.
  double kept_but_for(double rare) const;
  long larger_than(double size) const;

  template <class A>
  void archive(A& a) {
    a(bins_, count_);
  }

 private:
  static constexpr double smallest = 1e-15, per_octave = 16;
  static double size_of(size_t bin);

  std::array<long, 16 * 64> bins_{};
  long count_ = 0;
};

class StepAdvice {
 public:
  // Of a run of so many steps, and more where they land on breakpoints.
  StepAdvice(const Model& model, const Stepper& stepper, double steps, size_t breakpoints, bool active);
  bool due(const State& s) const { return active_ && static_cast<long>(s.step) % interval_ == 7 % interval_; }
  void before(const State& s) { start_ = s; }
  void after(System& system, const State& s, double h);
  // Whether more than a tenth of all steps that will be measured have such an error already: what comes cannot mend it.
  bool is_beyond(double multiple_of_goal) const;
  // The coordinate with the largest error of all.
  std::string worst() const { return worst_ < 0 ? std::string() : model_.speed_names()[static_cast<size_t>(worst_)]; }
  void write(RunOutcome& out) const;

  template <class A>
  void archive(A& a) {
    a(errors_, errors_of_half_, step_, largest_, worst_, impacts_);
  }

 private:
  double power() const;
  bool take_two(System& system, double h, State& state, State* first = nullptr);
  struct Apart {
    double size = 0;  // rad, m, relative speed
    Eigen::Index speed = -1;
  };
  Apart apart(System& system, const State& a, const State& b);
  bool contacts_agree(const State& a, const State& b) const;

  long interval_;  // every two hundredth step, in short runs more
  const Model& model_;
  int order_;
  double goal_;
  double most_measured_;
  bool active_;
  std::unique_ptr<Stepper> without_history_;
  State start_, half_, halves_, quarters_;
  VecX difference_;
  Sizes errors_, errors_of_half_;
  double step_ = 0, largest_ = 0;
  Eigen::Index worst_ = -1;
  long impacts_ = 0;
};

}  // namespace davit
