#include "davit/model/state.hpp"

#include <bit>

namespace davit {

namespace {

struct Fnv {
  std::uint64_t value = 14695981039346656037ull;
  void add(double x) {
    // -0 and 0 are the same state.
    std::uint64_t bits = std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);
    for (int i = 0; i < 8; ++i, bits >>= 8) value = (value ^ (bits & 0xff)) * 1099511628211ull;
  }
  void add(const VecX& v) {
    for (Eigen::Index i = 0; i < v.size(); ++i) add(v[i]);
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
  h.add(memory);
  for (double x : modes.all_values()) h.add(x);
  h.add(next_step);
  h.add(step_error);
  return h.value;
}

}  // namespace davit
