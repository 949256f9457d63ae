// A line on a winch: elements come out of the fairlead and go back into it. Parting an element at a point of it changes
// neither mass nor momentum nor energy; joining two takes away what the node between them did apart from their ends,
// which is little where the last element is short.
#include <algorithm>

#include "davit/cable/line.hpp"

namespace davit::cable {

namespace {

// Of the length of an element: where the last one is parted and joined. The gap between them keeps a winch that goes to
// and fro from doing both in turns.
constexpr double longest_share = 1.25, shortest_share = 0.1;

}  // namespace

void Line::remesh(double* state) const {
  if (layout_.nodes == elements_ + 1) return;
  const double size = rest_length_.back();
  while (state[StateLayout::last_length] > longest_share * size && elements(state) + 1 < layout_.nodes)
    part_last(state);
  while (state[StateLayout::last_length] < shortest_share * size && elements(state) > first_wound_ + 1)
    join_last(state);
}

void Line::part_last(double* state) const {
  const int n = elements(state);
  const double size = rest_length_.back(), last = state[StateLayout::last_length], share = size / last;
  const double h = state[StateLayout::last_step], rate = state[StateLayout::pay_rate] / last;
  for (int axis = 0; axis < 3; ++axis) {
    double* r = state + layout_.position(axis) + n;
    double* v = state + layout_.velocity(axis) + n;
    double* moved = state + layout_.position_change(axis) + n;
    double* faster = state + layout_.velocity_change(axis) + n;
    for (double* of : {r, v, moved, faster}) of[1] = of[0];
    // The new node is a point of the line, and was one in the step before.
    const double through = v[1] - rate * (r[1] - r[-1]);
    r[0] = r[-1] + share * (r[1] - r[-1]);
    v[0] = v[-1] + share * (through - v[-1]);
    faster[0] = faster[-1] + share * (faster[1] - faster[-1]);
    moved[0] = h * (v[0] - 0.5 * faster[0]);
  }
  std::copy_n(state + layout_.friction() + 4 * (n - 1), 4, state + layout_.friction() + 4 * n);
  state[layout_.branch() + n] = state[layout_.branch() + n - 1];
  state[StateLayout::active] = n + 1;
  state[StateLayout::last_length] = last - size;
}

void Line::join_last(double* state) const {
  const int n = elements(state);
  for (int axis = 0; axis < 3; ++axis)
    for (const int of : {layout_.position(axis), layout_.velocity(axis), layout_.position_change(axis),
                         layout_.velocity_change(axis)}) {
      state[of + n - 1] = state[of + n];
      state[of + n] = 0;
    }
  std::fill_n(state + layout_.friction() + 4 * (n - 1), 4, 0.0);
  state[layout_.branch() + n - 1] = 0;
  state[StateLayout::active] = n - 1;
  state[StateLayout::last_length] += rest_length_.back();
}

}  // namespace davit::cable
