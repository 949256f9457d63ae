// A run of a lift that one's own program steps, with feedback in the loop (docs/stepping.md):
//
//   davit::LiftRun run = lift.begin();
//   while (!run.is_over()) {
//     run.advance(run.time() + 0.1);
//     run.drive("hoist", 0.5 * (wanted - run.get("load.position_z")));
//   }
//   const davit::LiftOutcome outcome = run.finish();
//
// Stepped or run in one go, saved and restored or not: the same bits. Several runs of one lift may go at once, each in
// a thread of its own. What happens is what happens in `davit run`: phases, releases, recorded levers, landings and
// limits of steps.
#pragma once

#include "davit/api/lift.hpp"

namespace davit {

class DAVIT_API LiftRun {
 public:
  LiftRun(LiftRun&&) noexcept;
  LiftRun& operator=(LiftRun&&) noexcept;
  ~LiftRun();

  double time() const;
  // At its end, stopped, or broken off: finish() says which.
  bool is_over() const;
  const State& state() const;

  // One step of the method.
  void step();
  // The steps that it takes anyway, until it has come to this time or past it.
  void advance(double to);
  // The same, and the last of them ends at this time exactly.
  void advance_onto(double to);

  // A channel of the model now, recorded or not. Throws std::out_of_range, with names that are like it.
  double get(std::string_view channel);

  // Names of what can be moved: winches, joints that phases or levers move, switches of ropes.
  std::vector<std::string> signals() const;
  // Goes to a value as fast as its drive can; without limits it jumps there. A phase that moves it loses it, and phases
  // begin by hand from then on. Throws std::out_of_range for names, std::invalid_argument for values beyond its range.
  void set(std::string_view signal, double value);
  // Keeps a speed, which its drive comes to, as far as it can travel.
  void drive(std::string_view signal, double speed);

  // All that it needs to go on from here, bit for bit: for `restore` of a run of the same lift that has not begun yet.
  // Throws std::runtime_error where the run cannot be saved, or the bytes are not of one of this lift.
  std::string save() const;
  void restore(std::string_view bytes);

  // Ends it here, if it has not ended.
  LiftOutcome finish();

 private:
  friend Lift;
  struct Parts;
  explicit LiftRun(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace davit
