// The drive of a joint by what a controller commands on an input port, which holds the joint where it is until the run
// begins, as its brake would: a crane on rails has no equilibrium of its own.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/model/held_before_run.hpp"
#include "davit/model/run_clock.hpp"

namespace davit::tracking {

class HeldActuator final : public ForceOf<HeldActuator>, public HeldBeforeRun {
 public:
  // `stiffness` of what holds it, N/m or N m/rad.
  HeldActuator(std::string name, JointCoordinate at, int input, double stiffness)
      : ForceOf(std::move(name)), at_(std::move(at)), input_(input), stiffness_(stiffness) {}
  std::string summary() const override { return "drive of " + at_.name; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {}, .speeds = {at_.u}, .inputs = {input_}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override { return {{name(), Memory::size, 1}}; }
  bool commit(const ContextT<double>& c, DiscreteState& discrete) const override {
    const auto record = discrete.record(c.first_slot, 0);
    const bool had_begun = RunClock::has_begun(record), seen = record[RunClock::seen] > 0;
    if (!seen) record[Memory::place] = c.kin.q[at_.q];
    RunClock::advance(record, c.kin.t);
    return RunClock::has_begun(record) != had_begun;
  }
  void come_to_rest(DiscreteState& discrete, int first_slot) const override {
    RunClock::forget(discrete.record(first_slot, 0));
  }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const auto record = c.discrete.record(c.first_slot, 0);
    S force = c.w[input_];
    const bool before = record[RunClock::seen] > 0 && !RunClock::has_begun(record);
    if (before && !(value_of(c.kin.t) > record[RunClock::time]))
      force -= S(stiffness_) * (c.kin.q[at_.q] - S(record[Memory::place]));
    loads.tau[static_cast<size_t>(at_.u)] += force;
  }

 private:
  struct Memory {
    enum : int { place = RunClock::size, size };  // after the clock
  };
  JointCoordinate at_;
  int input_;
  double stiffness_;
};

}  // namespace davit::tracking

namespace davit {
extern template class ForceOf<tracking::HeldActuator>;
}
