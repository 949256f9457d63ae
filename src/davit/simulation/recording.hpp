// What of a run is shown to its sinks: reads the chosen channels once at every instant, and shapes at output times.
#pragma once

#include "davit/math/archive.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/simulation/sink.hpp"

namespace davit {

// The channels that a scenario records, then the energies: what the values of a Snapshot are.
std::vector<result::ChannelInfo> recorded_channels(const Scenario&);

class Recording final : public Observer, public EventSink {
 public:
  // `proceed` is called after every step with the time reached; it returns false to stop.
  Recording(const Scenario&, const Stepper&, std::vector<Sink*> sinks, std::function<bool(double t)> proceed = {});
  void record(const State&, System&) override;
  bool watches() const override;
  void watch(const State&, System&, const Energy&) override;
  void jumped(const SpeedJump&) override;
  bool proceed(const State& state) override {
    return muted_ || (not_a_number_.empty() && (!proceed_ || proceed_(state.t)));
  }
  // An alarm that rang before a run broke is the likelier cause than the step; a channel without a value breaks it.
  void name_cause(RunOutcome&) const;
  void event(double t, std::string_view element, std::string_view key, std::string_view text = {},
             std::span<const double> values = {}) override;

  // Nothing is shown while steps are taken again that were shown before.
  void mute(bool muted) { muted_ = muted; }
  // What it goes by from one instant to the next.
  template <class A>
  void archive(A& a) {
    a(values_, values_at_, crossed_, crossing_values_, crossings_at_, not_a_number_, rang_, rang_value_, rang_at_);
    if (crossed_.size() != channels_.size() || crossing_values_.size() != channels_.size() ||
        values_.size() < channels_.size() || rang_ > channels_.size())
      throw BadArchive("it has other channels");
  }

 private:
  void read_values(const State&, System&, const Energy&);
  // Whether some sink wants them now.
  bool look_at_shapes(const State&, const Workspace&);
  Snapshot snapshot(const State&, System&);
  void report_crossings(double t);

  const std::vector<Channel>& channels_;
  const Observables& observables_;
  const Stepper& stepper_;
  std::vector<Sink*> sinks_;
  std::function<bool(double t)> proceed_;
  ChannelReader reader_;
  std::vector<double> values_;
  double values_at_ = -std::numeric_limits<double>::infinity();  // the time that values_ are of
  std::vector<Pose> poses_;
  std::vector<Polyline> polylines_;
  std::vector<bool> crossed_;                                       // by channel: whether it is at its level, or below
  std::vector<double> crossing_values_;                             // … what it was at the last look …
  double crossings_at_ = -std::numeric_limits<double>::infinity();  // … and when that was
  std::string not_a_number_;                                        // a channel that is not
  // The first alarm that rang: its channel, or none, with value and time.
  size_t rang_;
  double rang_value_ = 0, rang_at_ = 0;
  bool muted_ = false;
};

}  // namespace davit
