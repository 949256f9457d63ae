#include "davit/hull/hydrostatics.hpp"

#include <fmt/format.h>

#include "davit/hull/panel_geometry.hpp"

namespace davit::hull {

Hydrostatics hydrostatics(const PanelMesh& wetted) {
  // Sums of f n_z dS for f = 1, x, y, xx, xy, yy, z, xz, yz, zz. The mean of the mid-points of the sides of a triangle
  // integrates all of them exactly.
  double s1 = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, sz = 0, sxz = 0, syz = 0, szz = 0, surface = 0;
  for (int i = 0; i < wetted.count(); ++i) {
    for (const int k : {1, 2}) {
      const Vec3 &a = wetted.corner(i, 0), &b = wetted.corner(i, k), &c = wetted.corner(i, k + 1);
      const Vec3 area = 0.5 * (b - a).cross(c - a);
      surface += area.norm();
      for (const Vec3& p : {Vec3(0.5 * (a + b)), Vec3(0.5 * (b + c)), Vec3(0.5 * (c + a))}) {
        const double w = area.z() / 3, x = p.x(), y = p.y(), z = p.z();
        s1 += w, sx += w * x, sy += w * y, sz += w * z;
        sxx += w * x * x, sxy += w * x * y, syy += w * y * y;
        sxz += w * x * z, syz += w * y * z, szz += w * z * z;
      }
    }
  }
  // Images double what is even in the mirrored coordinate and cancel what is odd.
  const double copies = static_cast<double>(images(wetted).size());
  if (wetted.mirror_x) sx = sxy = sxz = 0;
  if (wetted.mirror_y) sy = sxy = syz = 0;

  Hydrostatics h;
  h.wetted_surface = copies * surface;
  h.volume = copies * sz;
  if (h.volume != 0) h.buoyancy = copies * Vec3(sxz, syz, 0.5 * szz) / h.volume;
  h.waterplane = -copies * s1;
  if (h.waterplane != 0) h.flotation = -copies * Vec2(sx, sy) / h.waterplane;
  h.xx = -copies * sxx;
  h.xy = -copies * sxy;
  h.yy = -copies * syy;
  Box box, waterline;
  const double afloat = -1e-6 * extent(wetted);
  for (const Image& image : images(wetted))
    for (const auto& panel : wetted.panels)
      for (const int p : panel) {
        const Vec3 point = mirrored(wetted.points[static_cast<size_t>(p)], image);
        box.add(point);
        if (point.z() >= afloat) waterline.add(point);
      }
  if (!box.empty()) {
    h.draft = -box.low.z();
    h.length = box.high.x() - box.low.x();
    h.beam = box.high.y() - box.low.y();
  }
  if (!waterline.empty()) {
    h.waterline_length = waterline.high.x() - waterline.low.x();
    h.waterline_beam = waterline.high.y() - waterline.low.y();
  }
  return h;
}

Vec3 volumes_by_flux(const PanelMesh& wetted) {
  const Box box = bounds(wetted);
  Vec3 corner = box.empty() ? Vec3(Vec3::Zero()) : box.low;
  if (wetted.mirror_x) corner.x() = 0;
  if (wetted.mirror_y) corner.y() = 0;
  corner.z() = 0;
  Vec3 volumes = Vec3::Zero();
  for (const auto& g : panel_geometries(wetted)) volumes += g.area * g.normal.cwiseProduct(g.centroid - corner);
  return volumes;
}

Mat6 restoring(const Hydrostatics& h, const Water& water, const Vec3& reference) {
  const double x0 = reference.x(), y0 = reference.y(), S = h.waterplane;
  const double Sx = S * (h.flotation.x() - x0), Sy = S * (h.flotation.y() - y0);
  const double xx = h.xx - 2 * x0 * S * h.flotation.x() + x0 * x0 * S;
  const double yy = h.yy - 2 * y0 * S * h.flotation.y() + y0 * y0 * S;
  const double xy = h.xy - x0 * S * h.flotation.y() - y0 * S * h.flotation.x() + x0 * y0 * S;
  const Vec3 B = h.volume * (h.buoyancy - reference);
  Mat6 C = Mat6::Zero();
  C(2, 2) = S;
  C(2, 3) = C(3, 2) = Sy;
  C(2, 4) = C(4, 2) = -Sx;
  C(3, 3) = yy + B.z();
  C(3, 4) = C(4, 3) = -xy;
  C(4, 4) = xx + B.z();
  C(3, 5) = -B.x();
  C(4, 5) = -B.y();
  return water.density * water.gravity * C;
}

Mat6 restoring(const Hydrostatics& h, const Water& water, const Vec3& reference, const Weight& weight) {
  Mat6 C = restoring(h, water, reference);
  const Vec3 G = weight.mass * water.gravity * (weight.centre - reference);
  C(3, 3) -= G.z();
  C(4, 4) -= G.z();
  C(3, 5) += G.x();
  C(4, 5) += G.y();
  return C;
}

MetacentricHeights metacentric_heights(const Hydrostatics& h, const Vec3& centre_of_gravity) {
  const double below = h.buoyancy.z() - centre_of_gravity.z();
  return {below + h.transverse() / h.volume, below + h.longitudinal() / h.volume};
}

GyrationRadii typical_gyration(double length, double beam) {
  return {
      0.37 * beam, 0.25 * length, 0.25 * length,
      fmt::format("radii of gyration were not given: k_xx = 0.37 B = {:.3g} m (ships and barges have 0.35 to 0.40 B) "
                  "and k_yy = k_zz = 0.25 L = {:.3g} m are assumed",
                  0.37 * beam, 0.25 * length)};
}

}  // namespace davit::hull
