// Watches motions and reactions at every step of a run, whatever is recorded of it (result/extremes.hpp).
#pragma once

#include "davit/model/channel.hpp"
#include "davit/model/forces_with.hpp"
#include "davit/model/strand.hpp"
#include "davit/result/extremes.hpp"
#include "davit/result/statistics.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/simulation/sink.hpp"

namespace davit {

// Bodies and their named points.
class MotionWatch {
 public:
  explicit MotionWatch(const Scenario&);
  void watch(const State&, const Kin&);
  std::vector<result::PointMotion> results() const;

  template <class A>
  void archive(A& a) {
    a(before_, begun_);
    for (Watched& w : watched_) a(w.seen, w.velocity, w.turns);
  }

 private:
  struct Watched {
    Frame frame;
    result::PointMotion seen;
    Vec3 velocity = Vec3::Zero();  // when it was seen last
    std::array<result::Unwrapper, 3> turns;
  };
  std::vector<Watched> watched_;
  double before_ = 0;  // s, when velocities were seen
  bool begun_ = false;
};

// What channels tell: reactions, contacts, clearances.
class ReactionWatch {
 public:
  explicit ReactionWatch(const Scenario&);
  void watch(const State&, const Workspace&);
  void add_results(result::Extremes&) const;

  template <class A>
  void archive(A& a) {
    a(begun_);
    for (Six& six : reactions_) a(six.seen.force, six.seen.moment);
    for (One& one : contacts_) a(one.seen.at);
    for (One& one : clearances_) a(one.seen.at);
  }

 private:
  struct Six {
    size_t force, moment;  // the first of three in values_
    result::Reaction seen;
  };
  struct One {
    size_t value;
    result::NamedExtreme seen;
  };
  std::vector<Six> reactions_;
  std::vector<One> contacts_, clearances_;
  std::vector<Channel> channels_;
  ChannelReader reader_;
  std::vector<double> values_;
  bool begun_ = false;
};

// Ropes at their ends, and what hangs on them.
class RopeWatch {
 public:
  explicit RopeWatch(const Scenario&);
  void watch(const State&, const Workspace&);
  void add_results(result::Extremes&) const;

  template <class A>
  void archive(A& a) {
    for (result::LugForce& lug : lugs_) a(lug.pull);
    for (auto& hook : hooks_) a(hook);
  }

 private:
  struct Watched {
    ForceWith<RiggingStrand> rope;
    std::vector<std::optional<size_t>> bodies, lugs;  // by place
  };
  void watch(const Watched&, const State&, const Workspace&);

  const Scenario& scenario_;
  std::vector<Watched> ropes_;
  std::vector<RiggingStrand::Pull> pulls_;  // of one of them, now
  std::vector<result::LugForce> lugs_;
  std::vector<double> lifted_;                          // N, by body: pull of ropes upwards, now
  std::vector<std::optional<result::HookLoad>> hooks_;  // by body
};

class ExtremesMonitor final : public Sink {
 public:
  explicit ExtremesMonitor(const Scenario& scenario) : motions_(scenario), reactions_(scenario), ropes_(scenario) {}
  bool wants_every_step() const override { return true; }
  void record(const Snapshot&) override {}
  void watch(const Snapshot&) override;
  void save(ArchiveWriter& a) const override { a(*this); }
  void restore(ArchiveReader& a) override { a(*this); }
  result::Extremes results() const;

  template <class A>
  void archive(A& a) {
    a(motions_, reactions_, ropes_);
  }

 private:
  MotionWatch motions_;
  ReactionWatch reactions_;
  RopeWatch ropes_;
};

// Beyond this many bodies motions and reactions are in the channels alone: tables of them would help nobody.
inline constexpr size_t most_bodies_watched = 300;

}  // namespace davit
