// In which axes a force on a hull acts: level ones that follow its heading but not its roll and pitch, as the forces of
// first-order theory do, or those of the hull itself.
#pragma once

#include <optional>

#include "davit/hull_load/hull_frame.hpp"

namespace davit::hull_load {

enum class ForceAxes { heading, hull };

template <class S>
struct LoadAxes {
  const HullStateT<S>& hull;
  std::optional<LevelAxes<S>> level;

  LoadAxes(ForceAxes axes, const HullStateT<S>& state) : LoadAxes(axes, state, state.heading()) {}
  // Level axes of another heading than that of the hull.
  LoadAxes(ForceAxes axes, const HullStateT<S>& state, const S& heading) : hull(state) {
    if (axes == ForceAxes::heading) level.emplace(heading);
  }

  Vec6T<S> velocity() const { return level ? hull.velocity(*level) : hull.velocity(); }
  // A vector of these axes in world axes.
  Vec3T<S> out_of(const Vec3T<S>& x) const { return level ? level->out_of(x) : Vec3T<S>(hull.R * x); }
  void add(LoadsT<S>& loads, const Frame& frame, const Vec6T<S>& load) const {
    if (level)
      add_hull_load<S>(loads, frame, hull, *level, load);
    else
      add_hull_load<S>(loads, frame, hull, load);
  }
};

}  // namespace davit::hull_load
