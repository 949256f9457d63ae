#include "davit/constraint/frame_constraint.hpp"

namespace davit {

// Rotation about axis i: the next axis of the first frame stays perpendicular to the one after it of the second. Where
// the frames still turn about one axis k (hinges), both rows are on axis k of the second frame instead, which the
// turning leaves alone; rows on its other axes would depend on each other after a quarter of a turn.
FrameConstraint::FrameConstraint(const Frame& a, const Frame& b, const Held& held) : a_(a), b_(b) {
  for (int i = 0; i < 3; ++i)
    if (held.position[static_cast<size_t>(i)]) axes_.push_back({false, i, i});
  int count = 0, sum = 0;
  for (int i = 0; i < 3; ++i)
    if (held.rotation[static_cast<size_t>(i)]) ++count, sum += i;
  for (int i = 0; i < 3; ++i)
    if (held.rotation[static_cast<size_t>(i)]) {
      if (count == 2)
        axes_.push_back({true, sum - i, 3 - sum});
      else
        axes_.push_back({true, (i + 1) % 3, (i + 2) % 3});
    }
}

std::string FrameConstraint::summary() const {
  int positions = 0;
  for (const Axis& axis : axes_) positions += axis.rotation ? 0 : 1;
  return "holds " + std::to_string(positions) + " directions and " + std::to_string(size() - positions) + " rotations";
}

template class GeometryOf<FrameConstraint>;

}  // namespace davit
