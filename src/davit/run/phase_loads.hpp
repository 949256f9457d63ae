// What ropes and hooks carry in a run beside what they carry at rest with what hangs on them then. A run is cut where
// phases begin and end; at each cut everything is let come to rest from where it is, with signals as they are. In the
// stretch between two cuts a rope is compared with the larger of the two rests: as it takes a load over with the load,
// as it sets one down with what it had.
#pragma once

#include "davit/operation/operation.hpp"
#include "davit/result/summary.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/sink.hpp"
#include "davit/statics/lift_at_rest.hpp"

namespace davit {

// Watches what ropes carry from cut to cut, and keeps the states there.
class PhaseLoads final : public Sink {
 public:
  explicit PhaseLoads(const Scenario&);
  bool wants_every_step() const override { return cuts_; }
  void record(const Snapshot&) override {}
  void watch(const Snapshot&) override;

  struct Stretch {
    std::string name;  // the phases that go on, or after which it is
    double begins = 0;
    State state;                                // where it begins
    std::vector<result::LargestValue> largest;  // by rope whose tension is recorded
  };
  const std::vector<Stretch>& stretches() const { return stretches_; }
  // Of ropes whose tension is recorded, in the order of the model.
  const std::vector<std::string>& ropes() const { return ropes_; }
  void save(ArchiveWriter& a) const override { a(*this); }
  void restore(ArchiveReader& a) override { a(*this); }

  template <class A>
  void archive(A& a) {
    for (operation::Status& status : statuses_) a(status);
    const State any = scenario_.first_state();
    archive_list(
        a, stretches_,
        [&] {
          return Stretch{{}, 0, any, {}};
        },
        [&](Stretch& s) {
          a(s.name, s.begins, s.state, s.largest);
          if (!s.state.fits(any) || s.largest.size() != ropes_.size()) throw BadArchive("it is of another model");
        });
  }

 private:
  void cut(const State&);

  const Scenario& scenario_;
  bool cuts_ = false;
  std::vector<std::string> ropes_;
  std::vector<size_t> channels_;  // their tensions among those recorded
  std::vector<operation::Status> statuses_;
  std::vector<Stretch> stretches_;
};

// Puts into ropes and hooks of a summary what they carry at rest in the phase in which they carried most, and what they
// carried in each. `end`: of the run.
void compare_with_phases(const PhaseLoads&, const State& end, const Scenario&, const Preparation&, System&,
                         result::RunSummary&);

}  // namespace davit
