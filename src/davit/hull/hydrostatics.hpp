// What still water does to a hull, from its wetted panels (cut_at_waterplane). Every panel counts as its two triangles
// along the diagonal from the first corner; for these all integrals below are exact. With n into the water and the
// waterplane S0 as the cover, the divergence theorem turns integrals over volume and waterplane into sums over the
// panels alone:  ∫_V f dV = ∫ f z n_z dS for f(x, y),  ∫_V z dV = ∫ z²/2 n_z dS,  ∫_S0 f dS = −∫ f n_z dS.
#pragma once

#include <string>

#include "davit/hull/panel_mesh.hpp"

namespace davit::hull {

struct Hydrostatics {
  double volume = 0;
  Vec3 buoyancy = Vec3::Zero();  // centre of the volume
  double wetted_surface = 0;
  double draft = 0;                                 // of the lowest point
  double length = 0, beam = 0;                      // of the box around the wetted hull
  double waterline_length = 0, waterline_beam = 0;  // of the box around its waterlines; 0 for a hull under water

  double waterplane = 0;          // its area; moonpools are not part of it
  Vec2 flotation = Vec2::Zero();  // its centre
  double xx = 0, xy = 0, yy = 0;  // its second moments ∫x², ∫xy, ∫y² about the origin
  double transverse() const { return yy - waterplane * flotation.y() * flotation.y(); }    // about its own centre
  double longitudinal() const { return xx - waterplane * flotation.x() * flotation.x(); }  // about its own centre
};

Hydrostatics hydrostatics(const PanelMesh& wetted);

// The volume of the panels that are listed by the fluxes of (x, 0, 0), (0, y, 0) and (0, 0, z): the same three times
// where the hull is closed by the waterplane. About a corner, so that a hole is not hidden by lying at the origin.
Vec3 volumes_by_flux(const PanelMesh& wetted);

struct Water {
  double density = 1025;
  double gravity = 9.80665;
};

struct Weight {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
};

// Forces = −C ξ for small motions ξ of `reference` (surge, sway, heave, roll, pitch, yaw; moments about it), axes
// parallel to the frame: of the water alone, and of water and weight together. Rows and columns 3 to 5 are symmetric;
// C46 and C56 vanish where the weight is in balance with the buoyancy.
Mat6 restoring(const Hydrostatics& hull, const Water& water, const Vec3& reference);
Mat6 restoring(const Hydrostatics& hull, const Water& water, const Vec3& reference, const Weight& weight);

// GM = z_B + I/V − z_G, for small heel about x and small trim about y.
struct MetacentricHeights {
  double transverse = 0, longitudinal = 0;
};
MetacentricHeights metacentric_heights(const Hydrostatics& hull, const Vec3& centre_of_gravity);

// About the centre of gravity, where nothing better is known.
struct GyrationRadii {
  double xx = 0, yy = 0, zz = 0;
  std::string note;  // what they are and how far they are to be trusted
};
GyrationRadii typical_gyration(double length, double beam);

}  // namespace davit::hull
