#include "davit/panel/panelled_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace davit::panel {

namespace {

// Length, beam and draft.
Vec3 hull_box(const hull::PanelMesh& wetted) {
  const Box box = hull::bounds(hull::expand(wetted));
  return {box.high.x() - box.low.x(), box.high.y() - box.low.y(), -box.low.z()};
}

}  // namespace

Surface::Surface(const std::vector<WettedBody>& bodies) : bodies_(static_cast<int>(bodies.size())) {
  bool x = true, y = true;
  for (const WettedBody& body : bodies) {
    x = x && body.wetted.mirror_x;
    y = y && body.wetted.mirror_y;
  }
  // A plane that not all share is written out.
  const auto listed = [&](hull::PanelMesh mesh) {
    return hull::expand(mesh, mesh.mirror_x && !x, mesh.mirror_y && !y);
  };
  std::vector<FlatPanel> lids;
  for (int b = 0; b < bodies_; ++b) {
    const WettedBody& body = bodies[static_cast<size_t>(b)];
    for (FlatPanel& panel : flat_panels(listed(body.wetted))) {
      panels_.push_back(panel);
      body_.push_back(b);
    }
    for (FlatPanel& panel : flat_panels(listed(body.lid))) lids.push_back(panel);
    const Vec3 box = hull_box(body.wetted);
    const double k = std::numbers::pi * std::hypot(1 / box.x(), 1 / box.y());
    first_irregular_ = std::min(first_irregular_, k / std::tanh(k * box.z()));
  }
  panels_.insert(panels_.end(), lids.begin(), lids.end());

  for (const int sign_x : {1, -1})
    for (const int sign_y : {1, -1})
      if ((x || sign_x > 0) && (y || sign_y > 0)) {
        images_.push_back({static_cast<double>(sign_x), static_cast<double>(sign_y)});
        parities_.push_back({sign_x, sign_y});
      }

  Box box;
  for (const FlatPanel& panel : panels_)
    for (const hull::Image& image : images_)
      for (const Vec3& corner : panel.corner) box.add(hull::mirrored(corner, image));
  reach_ = (box.high - box.low).head<2>().norm();
}

bool Surface::has(const Parity& parity, int motion) const {
  constexpr std::array<Parity, 6> of_motion = {{{-1, 1}, {1, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
  const Parity& natural = of_motion[static_cast<size_t>(motion)];
  const bool x = std::any_of(parities_.begin(), parities_.end(), [](const Parity& p) { return p.x < 0; });
  const bool y = std::any_of(parities_.begin(), parities_.end(), [](const Parity& p) { return p.y < 0; });
  return (!x || parity.x == natural.x) && (!y || parity.y == natural.y);
}

Vec6 Surface::mode_normal(int wetted_panel) const {
  const FlatPanel& panel = panels_[static_cast<size_t>(wetted_panel)];
  Vec6 out;
  out << panel.normal, panel.centre.cross(panel.normal);
  return out;
}

}  // namespace davit::panel
