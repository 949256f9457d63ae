// Water acts on vessels and mooring lines alone. Other bodies are dry: below the surface they have no buoyancy, drag,
// added mass or slamming, and are as heavy as in air. This says which of them come to be there, and how deep.
#pragma once

#include "davit/scenario/scenario.hpp"

namespace davit {

inline constexpr const char* no_water_on_bodies =
    "bodies that are no vessels have no buoyancy, drag, added mass or slamming: under water it is as heavy as in air, "
    "and so are the tensions above it";

class DryBodies {
 public:
  // Those that move and have a weight, but those that are part of a vessel; none where a file has no water.
  explicit DryBodies(const Scenario& scenario);

  size_t size() const { return bodies_.size(); }
  const std::string& name(size_t i) const { return bodies_[i].name; }
  const input::Where& where(size_t i) const { return bodies_[i].spec->where; }
  // Of its lowest point below the still water, as far as its shape is known; negative above it, and inside of a hull.
  double depth(size_t i, const Kin& kin) const;

 private:
  struct Dry {
    std::string name;
    const BodySpec* spec;
    Frame frame;
  };
  struct Hull {
    Frame frame;
    HullForm form;
  };
  bool inside_a_hull(const Vec3& place, const Kin& kin) const;

  std::vector<Dry> bodies_;
  std::vector<Hull> hulls_;
};

// Depths below this are the surface (m).
inline constexpr double noticed_depth = 0.01;

// Warns of those that are under water at the start.
void check_under_water(const Scenario& scenario, input::Problems& problems);

}  // namespace davit
