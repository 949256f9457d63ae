// Bodies that go under water in a run, where nothing but vessels and mooring lines is wet.
#pragma once

#include "davit/scenario/under_water.hpp"
#include "davit/simulation/sink.hpp"

namespace davit {

class UnderWaterMonitor final : public Sink {
 public:
  explicit UnderWaterMonitor(const Scenario& scenario) : dry_(scenario), seen_(dry_.size()) {}
  bool wants_every_step() const override { return dry_.size() > 0; }
  void record(const Snapshot&) override {}
  void watch(const Snapshot&) override;
  // Of each body that went deeper than it was at the start.
  std::vector<std::string> warnings() const;
  void save(ArchiveWriter& a) const override { a(*this); }
  void restore(ArchiveReader& a) override { a(*this); }

  template <class A>
  void archive(A& a) {
    a(begun_);
    for (Seen& body : seen_) a(body.at_start, body.deepest, body.first, body.when);
  }

 private:
  struct Seen {
    double at_start = 0, deepest = 0;  // m
    double first = 0, when = 0;        // s, under water and deepest
  };
  DryBodies dry_;
  std::vector<Seen> seen_;
  bool begun_ = false;
};

}  // namespace davit
