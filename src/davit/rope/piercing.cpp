// Whether a rope or the way of its ends goes through what it should lie on.
#include "davit/rope/piercing.hpp"

#include <algorithm>

#include "davit/rope/tracker.hpp"

namespace davit::rope {

namespace {

// What is no further from a surface than this part of its size lies on it: nodes keep off corners by a third of it.
constexpr double resting = 3e-7;

double resting_depth_of(const TouchedSurface& surface) { return resting * surface.size; }

bool is_clear(const TouchedSurface& surface, const TriangleTree& triangles, const Vec3& at) {
  return triangles.closest(at).distance > resting_depth_of(surface);
}

double depth_inside(const TriangleTree& solid, const Vec3& at) {
  return solid.inside(at) ? solid.closest(at).distance : 0;
}

// The middle of the deepest stretch of p..q inside a closed body.
std::optional<Vec3> deepest_inside(const TouchedSurface& surface, const Vec3& p, const Vec3& q) {
  std::vector<double> met{0, 1};
  surface.solid->all_hits(p, q, [&](const SegmentHit& hit) { met.push_back(hit.at); });
  if (met.size() == 2 && !surface.solid->inside(p)) return std::nullopt;
  std::sort(met.begin(), met.end());
  std::optional<Vec3> found;
  double deepest = resting_depth_of(surface);
  for (size_t k = 0; k + 1 < met.size(); ++k) {
    const Vec3 middle = p + 0.5 * (met[k] + met[k + 1]) * (q - p);
    const double depth = depth_inside(*surface.solid, middle);
    if (depth <= deepest) continue;
    deepest = depth;
    found = middle;
  }
  return found;
}

// Where p..q goes through an open surface, and not along it or past its rim: lines beside it on all sides do so too.
std::optional<Vec3> through_sheet(const TouchedSurface& surface, const Vec3& p, const Vec3& q) {
  const TriangleTree& sheet = *surface.sheet;
  const auto hit = sheet.first_hit(p, q);
  if (!hit || !is_clear(surface, sheet, p) || !is_clear(surface, sheet, q)) return std::nullopt;
  const Vec3 along = (q - p).normalized(), side = along.unitOrthogonal(), other = along.cross(side);
  for (const Vec3& way : {side, Vec3(-side), other, Vec3(-other)}) {
    const Vec3 beside = 10 * resting_depth_of(surface) * way;
    if (!sheet.first_hit(p + beside, q + beside)) return std::nullopt;
  }
  return p + hit->at * (q - p);
}

}  // namespace

std::optional<Piercing> find_piercing(const Layout& layout, const Poses& poses, const Path& path) {
  std::optional<Piercing> found;
  for (size_t k = 0; k < layout.surfaces.size(); ++k) {
    const TouchedSurface& surface = layout.surfaces[k];
    if (!surface.solid && !surface.sheet) continue;
    for (size_t j = 0; j + 1 < path.size(); ++j) {
      if (layout.gap_after(path[j])) continue;
      const Vec3 p = seen_from(layout, surface.place, path[j], poses),
                 q = seen_from(layout, surface.place, path[j + 1], poses);
      const auto at = surface.solid ? deepest_inside(surface, p, q) : through_sheet(surface, p, q);
      if (!at) continue;
      const double depth = surface.solid ? depth_inside(*surface.solid, *at) : 0;
      if (found && depth <= found->depth) continue;
      found = Piercing{j, static_cast<int>(k), poses[static_cast<size_t>(surface.place)] * *at, depth};
    }
  }
  return found;
}

std::optional<Piercing> find_passage(const Layout& layout, const Poses& from, const Poses& to, const Path& path) {
  for (size_t k = 0; k < layout.surfaces.size(); ++k) {
    const TouchedSurface& surface = layout.surfaces[k];
    const TriangleTree* triangles = surface.solid ? surface.solid.get() : surface.sheet.get();
    if (!triangles) continue;
    for (size_t i = 0; i < path.size(); ++i) {
      if (path[i].waypoint < 0 || layout.place(path[i]) == surface.place) continue;
      const Vec3 p = seen_from(layout, surface.place, path[i], from), q = seen_from(layout, surface.place, path[i], to);
      const bool through =
          triangles->first_hit(p, q) && is_clear(surface, *triangles, p) && is_clear(surface, *triangles, q);
      const double depth = surface.solid ? depth_inside(*surface.solid, q) : 0;
      if (through || depth > resting_depth_of(surface))
        return Piercing{i, static_cast<int>(k), in_world(layout, path[i], to), depth};
    }
  }
  return std::nullopt;
}

}  // namespace davit::rope
