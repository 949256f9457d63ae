// A box that floats upright: its hydrostatics in closed form, and no waves that it would feel.
#pragma once

#include "davit/vessel/vessel.hpp"

namespace davit::vessel::test {

struct Box {
  double length = 100, beam = 30, draught = 4, depth = 8;  // m, depth from keel to deck
  double density = 1025, gravity = 9.81;

  double mass() const { return density * length * beam * draught; }

  // With its centre of gravity at a height over the waterline.
  Hydrodynamics floating(double centre_of_gravity) const {
    Hydrodynamics out;
    hydro::Database& db = out.database;
    db.density = density;
    db.gravity = gravity;
    hydro::FloatingBody body;
    body.volume = length * beam * draught;
    body.buoyancy = Vec3(0, 0, -draught / 2);
    body.loading =
        hydro::MassProperties{mass(), Vec3(0, 0, centre_of_gravity), mass() * Mat3(Vec3(100, 900, 900).asDiagonal())};
    const double waterplane = density * gravity * length * beam, weight = mass() * gravity;
    const double arm = body.buoyancy.z() - centre_of_gravity;
    body.restoring(2, 2) = waterplane;
    body.restoring(3, 3) = waterplane * beam * beam / 12 + weight * arm;
    body.restoring(4, 4) = waterplane * length * length / 12 + weight * arm;
    out.loading = *body.loading;
    db.bodies = {body};
    out.draught = draught;
    out.height = depth;
    return out;
  }
};

inline hydro::MassProperties deck_load(double mass, const Vec3& at) { return {mass, at, mass * Mat3::Identity()}; }

}  // namespace davit::vessel::test
