// Confirms the peaks that a run reports: the stretches that lead to its worst instants are run again from states that
// were kept on the way, with half the step, and what limits and loads come to there is compared with what they came to
// in the run. A peak that moves is not resolved, whatever the errors of single steps are.
#pragma once

#include <optional>

#include "davit/result/quality.hpp"
#include "davit/run/sinks.hpp"

namespace davit {

// Keeps states of a run, never more than a certain number: when there are too many, every other one is dropped.
class Checkpoints final : public Sink {
 public:
  explicit Checkpoints(const Scenario& scenario) : scenario_(scenario) {}
  bool wants_every_step() const override { return true; }
  void record(const Snapshot&) override {}
  void watch(const Snapshot&) override;
  void save(ArchiveWriter& a) const override { a(*this); }
  void restore(ArchiveReader& a) override { a(*this); }

  template <class A>
  void archive(A& a) {
    a(interval_, watched_);
    const State any = scenario_.first_state();
    archive_list(
        a, states_, [&] { return any; },
        [&](State& state) {
          a(state);
          if (!state.fits(any)) throw BadArchive("it is of another model");
        });
  }

  // The last one before a time, or the first.
  const State& before(double t) const;
  bool empty() const { return states_.empty(); }

 private:
  const Scenario& scenario_;
  std::vector<State> states_;
  long interval_ = 1, watched_ = 0;  // steps
};

// Why a run of this scenario cannot be repeated from its middle; nothing if it can.
std::optional<std::string> cannot_repeat(const Scenario&);

// `monitors`: what the run came to. Empty where nothing happened that could be confirmed.
result::Confirmation confirm_peaks(const Scenario&, const Checkpoints&, const Monitors& monitors, double reached);

}  // namespace davit
