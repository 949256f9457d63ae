// DiscreteState: all that jumps or remembers during a run, as keyed records of doubles in slots with reserved capacity:
// contact nodes, stick flags, sampled controllers, histories; and the motions that signals follow. A slot belongs to
// one element; a slot of one record is plain memory. Copying it copies everything, and nothing allocates after the
// Model has laid it out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "davit/math/archive.hpp"
#include "davit/math/export.hpp"
#include "davit/model/environment.hpp"
#include "davit/model/signal.hpp"

namespace davit {

struct DiscreteSlot {
  std::string owner;
  int width = 1;     // doubles per record
  int capacity = 1;  // records
};

class DAVIT_API DiscreteState {
 public:
  DiscreteState() = default;
  explicit DiscreteState(const std::vector<DiscreteSlot>& slots);
  DiscreteState(const DiscreteState&) = default;
  DiscreteState(DiscreteState&&) = default;
  // Slots reserve far more than they hold: of the same layout, only what they hold is copied.
  DiscreteState& operator=(const DiscreteState&);
  DiscreteState& operator=(DiscreteState&&) = default;
  ~DiscreteState() = default;

  SignalMotions signals;
  std::shared_ptr<const Environment> environment;  // of the run; copies share it, and it is not saved with them

  int slots() const { return static_cast<int>(slots_.size()); }
  int size(int slot) const { return slots_[static_cast<size_t>(slot)].count; }
  std::int64_t key(int slot, int i) const { return keys_[index(slot, i)]; }
  // What a slot holds in another state, where it has the same place for a record.
  void take_slot(int slot, const DiscreteState& from);
  std::span<double> record(int slot, int i);
  std::span<const double> record(int slot, int i) const;

  // The record of that key, or an empty span.
  std::span<double> find(int slot, std::int64_t key);
  std::span<const double> find(int slot, std::int64_t key) const;
  // A new record of zeros, kept in order of key; empty when the slot is full (the caller reports it by name).
  std::span<double> insert(int slot, std::int64_t key);
  bool erase(int slot, std::int64_t key);

  friend bool operator==(const DiscreteState&, const DiscreteState&) = default;

  // What slots hold; their layout is the model's. Read into a state of the same model, or BadArchive.
  template <class A>
  void archive(A& a) {
    a(signals);
    if constexpr (A::reads) {
      std::fill(keys_.begin(), keys_.end(), 0);
      std::fill(values_.begin(), values_.end(), 0.0);
    }
    for (Slot& slot : slots_) {
      a(slot.count);
      if (slot.count < 0 || slot.count > slot.capacity) throw BadArchive("a slot holds more than there is room for");
      for (int i = 0; i < slot.count; ++i) {
        a(keys_[static_cast<size_t>(slot.first_key + i)]);
        for (int k = 0; k < slot.width; ++k) a(values_[static_cast<size_t>(slot.first_value + i * slot.width + k)]);
      }
    }
  }

 private:
  struct Slot {
    int width, capacity, count, first_key, first_value;
    friend bool operator==(const Slot&, const Slot&) = default;
    bool same_place(const Slot& s) const {
      return width == s.width && capacity == s.capacity && first_key == s.first_key && first_value == s.first_value;
    }
  };
  size_t index(int slot, int i) const { return static_cast<size_t>(slots_[static_cast<size_t>(slot)].first_key + i); }
  int lower_bound(int slot, std::int64_t key) const;

  std::vector<Slot> slots_;
  std::vector<std::int64_t> keys_;
  std::vector<double> values_;
};

}  // namespace davit
