// The surface of a ship's double-bottom block: bottom and tank top, side plates and girders along it, floors across it
// with lightening holes, flat-bar stiffeners on both plates, and four lugs. One closed surface of one piece: all bays
// are open at the ends and through the holes.
#pragma once

#include "davit/mesh/triangle_mesh.hpp"

namespace davit {

struct BlockForm {
  Vec3 size = Vec3::Zero();  // length (x), breadth (y) and depth (z), without lugs
  double plate = 0.02;       // thickness of all plates
  int floors = 5;            // across, between the open ends
  int girders = 3;           // along, between the side plates
  int stiffeners = 1;        // in each bay between girders, on bottom and tank top
  double lug_length = 1;     // along the block; none if zero
  double lug_height = 0.8;

  // Parts of the depth, of the breadth of a bay, of the length.
  static constexpr double stiffener_height = 0.15, hole_bottom = 0.35, hole_top = 0.65, hole_left = 0.3,
                          hole_right = 0.7, lug_place = 0.25;

  // Why such a block cannot be made; empty when it can.
  const char* mistake() const;
  // Distance of the lugs from the middle along x and y: on the outermost girders; two lugs if there is only one.
  Vec2 lugs() const;
};

// Centred on the middle of its size.
TriangleMesh block_mesh(const BlockForm& form);

}  // namespace davit
