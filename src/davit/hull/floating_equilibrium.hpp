// How a hull floats under a weight, and its righting arms when it is heeled.
//
// Still water is conservative: Π = m g z_G − ρ g ∫_V z dV is the energy of weight and water, its gradient are the
// forces and its second derivatives the restoring matrix (hydrostatics.hpp). A hull floats where Π has a minimum over
// heave, heel and trim, so it is minimised by Newton's method: steps along directions in which Π is bent downwards are
// turned round, and all are shortened until Π falls. Where upright is not stable, the angle of loll is found.
#pragma once

#include <numbers>
#include <optional>
#include <string>

#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/panel_mesh.hpp"
#include "davit/math/pose.hpp"

namespace davit::hull {

struct Floating {
  enum class State {
    afloat,
    deck_wet,  // in balance, but with its deck, or the edge of it, under water
    flooded,   // the hull has no deck, and water would run in over its rim
    capsized,  // in balance on its side or upside down
    sunk,      // the weight is more than the whole hull can carry; nothing below is filled in
  };
  State state = State::afloat;
  std::string message;  // what that means, with numbers

  Pose pose;                  // of the hull as given, in water whose surface is z = 0; no yaw, no horizontal shift
  double heel = 0, trim = 0;  // pose.R = R_y(trim) R_x(heel): positive to starboard and with the bow down
  Hydrostatics hydrostatics;  // in that pose
  MetacentricHeights metacentre{};  // GM in that pose
};

// The hull up to its deck, as a closed surface or open at the top. z = 0 of the hull may be anywhere. The centre of
// gravity is given in the same frame.
Floating float_hull(const PanelMesh& hull, const Weight& weight, const Water& water = {});

// "heel 8.3 deg to port, no trim".
std::string tilt_in_words(double heel, double trim);

// At a heel angle held by a moment, free to sink and to trim, with the displacement kept.
struct RightingArm {
  double heel = 0;
  double arm = 0;  // GZ: the weight is to be moved by this, horizontally, to hold the angle; positive rights the hull
  double trim = 0;
  double work = 0;  // by weight, from the first angle to this one: the area under GZ cos(trim) over the heel angle
  bool deck_wet = false;  // the deck or its edge is under water
};

struct RightingCurve {
  std::vector<RightingArm> arms;
  RightingArm largest;                   // of the listed ones
  std::optional<RightingArm> vanishing;  // the angle beyond the largest arm at which the arm is zero again, if listed
  double area = 0;                       // the work up to the vanishing angle, or to the last one: metre times radian
};

// Heel to starboard from 0 to `last` (radians) in steps of at most `step`. Throws std::invalid_argument where the
// weight is more than the hull can carry.
RightingCurve gz_curve(const PanelMesh& hull, const Weight& weight, const Water& water = {},
                       double step = std::numbers::pi / 36, double last = std::numbers::pi / 2);

}  // namespace davit::hull
