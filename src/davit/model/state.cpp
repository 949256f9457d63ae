#include "davit/model/state.hpp"

#include <bit>
#include <span>

namespace davit {

namespace {

struct Fnv {
  std::uint64_t value = 14695981039346656037ull;
  void add(std::int64_t n) {
    auto bits = static_cast<std::uint64_t>(n);
    for (int i = 0; i < 8; ++i, bits >>= 8) value = (value ^ (bits & 0xff)) * 1099511628211ull;
  }
  // -0 and 0 are the same state.
  void add(double x) { add(std::bit_cast<std::int64_t>(x == 0 ? 0.0 : x)); }
  // With its length: what moves from the end of one list to the front of the next is another state.
  void add(std::span<const double> list) {
    add(static_cast<std::int64_t>(list.size()));
    for (double x : list) add(x);
  }
  void add(const VecX& v) { add(std::span(v.data(), static_cast<size_t>(v.size()))); }
  void add(const DiscreteState& discrete) {
    for (int slot = 0; slot < discrete.slots(); ++slot) {
      add(std::int64_t{discrete.size(slot)});
      for (int i = 0; i < discrete.size(slot); ++i) {
        add(discrete.key(slot, i));
        add(discrete.record(slot, i));
      }
    }
    for (int i = 0; i < discrete.signals.size(); ++i) add(discrete.signals[i].numbers());
  }
};

}  // namespace

std::uint64_t State::hash() const {
  Fnv h;
  h.add(t);
  h.add(q);
  h.add(u);
  h.add(z);
  h.add(lambda);
  h.add(integrator_history);
  h.add(discrete);
  h.add(std::span(operation));
  h.add(step);
  h.add(next_step);
  h.add(step_error);
  h.add(load_peaks);
  return h.value;
}

bool State::fits(const State& other) const {
  return q.size() == other.q.size() && u.size() == other.u.size() && z.size() == other.z.size() &&
         lambda.size() == other.lambda.size() && discrete.slots() == other.discrete.slots() &&
         discrete.signals.size() == other.discrete.signals.size() && operation.size() == other.operation.size();
}

}  // namespace davit
