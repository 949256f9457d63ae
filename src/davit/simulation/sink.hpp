// Where a run goes while it is simulated: into a file, into memory, to statistics and limits. Any number of sinks see
// one run; what they are shown is computed once for all of them.
#pragma once

#include "davit/math/archive.hpp"
#include "davit/model/observable.hpp"
#include "davit/solve/run_loop.hpp"

namespace davit {

// A run at one output time.
struct Snapshot {
  const State& state;
  const Workspace& work;           // evaluated there
  std::span<const double> values;  // of the recorded channels (recorded_channels)
  // Of the model's observables, in their order; empty where no sink wants them now.
  std::span<const Pose> poses;
  std::span<const Polyline> polylines;
};

class Sink : public EventSink {
 public:
  // Whether it looks at poses and polylines, and at this instant.
  virtual bool wants_shapes() const { return false; }
  virtual bool wants_shapes_at(double) const { return wants_shapes(); }
  // Channels at an instant, before anything else is shown of it: to decide whether shapes are wanted.
  virtual void see(double, std::span<const double>) {}
  virtual void record(const Snapshot&) = 0;
  // The same at every instant that does not depend on what is recorded (Observer::watch); before
  // record() where both are due. Called only if some sink wants it.
  virtual bool wants_every_step() const { return false; }
  virtual void watch(const Snapshot&) {}
  // What it has seen so far, for one that goes on with a saved run of the same scenario.
  virtual void save(ArchiveWriter&) const {}
  virtual void restore(ArchiveReader&) {}
  // Once, after the last.
  virtual void finish(const RunOutcome&) {}
  void event(double, std::string_view, std::string_view, std::string_view, std::span<const double>) override {}
};

}  // namespace davit
