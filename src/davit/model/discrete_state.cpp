#include "davit/model/discrete_state.hpp"

#include <algorithm>

namespace davit {

DiscreteState::DiscreteState(const std::vector<DiscreteSlot>& slots) {
  int keys = 0, values = 0;
  for (const DiscreteSlot& s : slots) {
    slots_.push_back({s.width, s.capacity, 0, keys, values});
    keys += s.capacity;
    values += s.capacity * s.width;
  }
  keys_.resize(static_cast<size_t>(keys));
  values_.resize(static_cast<size_t>(values));
  for (size_t i = 0; i < slots.size(); ++i)
    if (slots[i].capacity == 1) insert(static_cast<int>(i), 0);
}

DiscreteState& DiscreteState::operator=(const DiscreteState& other) {
  signals = other.signals;
  if (environment != other.environment) environment = other.environment;
  if (!std::equal(slots_.begin(), slots_.end(), other.slots_.begin(), other.slots_.end(),
                  [](const Slot& a, const Slot& b) { return a.same_place(b); })) {
    slots_ = other.slots_;
    keys_ = other.keys_;
    values_ = other.values_;
    return *this;
  }
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& s = slots_[i];
    const int count = other.slots_[i].count, more = std::max(0, s.count - count);
    std::copy_n(other.keys_.begin() + s.first_key, count, keys_.begin() + s.first_key);
    std::fill_n(keys_.begin() + s.first_key + count, more, 0);
    std::copy_n(other.values_.begin() + s.first_value, count * s.width, values_.begin() + s.first_value);
    // What lies beyond the count stays zero, so that equal contents are equal bits.
    std::fill_n(values_.begin() + s.first_value + count * s.width, more * s.width, 0.0);
    s.count = count;
  }
  return *this;
}

void DiscreteState::take_slot(int slot, const DiscreteState& from) {
  Slot& to = slots_[static_cast<size_t>(slot)];
  const Slot& of = from.slots_[static_cast<size_t>(slot)];
  to.count = of.count;
  std::copy_n(from.keys_.begin() + of.first_key, of.count, keys_.begin() + to.first_key);
  std::copy_n(from.values_.begin() + of.first_value, of.count * of.width, values_.begin() + to.first_value);
}

std::span<double> DiscreteState::record(int slot, int i) {
  const Slot& s = slots_[static_cast<size_t>(slot)];
  return {values_.data() + s.first_value + i * s.width, static_cast<size_t>(s.width)};
}
std::span<const double> DiscreteState::record(int slot, int i) const {
  return const_cast<DiscreteState*>(this)->record(slot, i);
}

int DiscreteState::lower_bound(int slot, std::int64_t key) const {
  const Slot& s = slots_[static_cast<size_t>(slot)];
  const auto begin = keys_.begin() + s.first_key;
  return static_cast<int>(std::lower_bound(begin, begin + s.count, key) - begin);
}

std::span<double> DiscreteState::find(int slot, std::int64_t key) {
  const int i = lower_bound(slot, key);
  if (i == size(slot) || keys_[index(slot, i)] != key) return {};
  return record(slot, i);
}

std::span<const double> DiscreteState::find(int slot, std::int64_t key) const {
  const int i = lower_bound(slot, key);
  if (i == size(slot) || keys_[index(slot, i)] != key) return {};
  return record(slot, i);
}

std::span<double> DiscreteState::insert(int slot, std::int64_t key) {
  Slot& s = slots_[static_cast<size_t>(slot)];
  const int i = lower_bound(slot, key);
  if (i < s.count && keys_[index(slot, i)] == key) return record(slot, i);
  if (s.count == s.capacity) return {};
  const auto keys = keys_.begin() + s.first_key;
  std::copy_backward(keys + i, keys + s.count, keys + s.count + 1);
  const auto values = values_.begin() + s.first_value;
  std::copy_backward(values + i * s.width, values + s.count * s.width, values + (s.count + 1) * s.width);
  ++s.count;
  keys_[index(slot, i)] = key;
  const auto fresh = record(slot, i);
  std::fill(fresh.begin(), fresh.end(), 0.0);
  return fresh;
}

bool DiscreteState::erase(int slot, std::int64_t key) {
  Slot& s = slots_[static_cast<size_t>(slot)];
  const int i = lower_bound(slot, key);
  if (i == s.count || keys_[index(slot, i)] != key) return false;
  const auto keys = keys_.begin() + s.first_key;
  std::copy(keys + i + 1, keys + s.count, keys + i);
  const auto values = values_.begin() + s.first_value;
  std::copy(values + (i + 1) * s.width, values + s.count * s.width, values + i * s.width);
  --s.count;
  // What lies beyond the count stays zero, so that equal contents are equal bits.
  keys_[index(slot, s.count)] = 0;
  std::fill_n(values + s.count * s.width, s.width, 0.0);
  return true;
}

}  // namespace davit
