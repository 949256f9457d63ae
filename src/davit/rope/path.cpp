#include "davit/rope/path.hpp"

#include <algorithm>

namespace davit::rope {

void Layout::number_bodies() {
  bodies.clear();
  const auto place = [&](int body) {
    const auto found = std::find(bodies.begin(), bodies.end(), body);
    if (found != bodies.end()) return static_cast<int>(found - bodies.begin());
    bodies.push_back(body);
    return static_cast<int>(bodies.size()) - 1;
  };
  for (Waypoint& s : waypoints) s.place = place(s.frame.body);
  for (TouchedSurface& s : surfaces) s.place = place(s.body);
}

}  // namespace davit::rope
