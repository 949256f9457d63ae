// What a rope can touch on a body: its edges and corners, not its triangles. Triangles that lie in one plane are one
// face, and pieces of one straight edge are one edge, so that a finer or less regular mesh of the same body has the
// same features.
//
// Flatness is judged by the distance of points from the plane of the whole face: thin triangles have wild normals, and
// many small angles in a row must not add up to a bend. Curved bodies keep all their edges: those are real.
#pragma once

#include <vector>

#include "davit/mesh/triangle_mesh.hpp"

namespace davit {

struct Face {
  Vec3 at, normal;  // a point of the plane, and the outward unit normal: area-weighted means
};

struct FeatureEdge {
  Vec3 a, b;                  // straight, from vertex `from` to vertex `to`
  int from, to;               // vertices of Features
  Vec3 left, right;           // outward unit normals of the faces left and right of a→b, seen from outside
  int left_face, right_face;  // faces of Features
  bool convex;                // else concave
};

struct FeatureVertex {
  Vec3 at;
  // Counter-clockwise seen from outside; an edge that ends here is listed as ~e. The left face of an edge that begins
  // here, and the right face of one that ends here, lies counter-clockwise after it. Rims of open surfaces begin and
  // end the list.
  std::vector<int> edges;
};

// The rim of an open surface is a convex edge between the face and the same face seen from behind: left_face equals
// right_face, and right is −left.
struct Features {
  std::vector<Face> faces;
  std::vector<FeatureEdge> edges;
  std::vector<FeatureVertex> vertices;
};

struct FeatureOptions {
  // Triangles that differ from the normal of a face by less than this belong to it: a rope that bends by 1e-4 rad
  // presses with 1e-4 of its tension.
  double flat_angle = 1e-4;
  // Points closer than this part of the body's size to a plane or a line lie on it.
  double straight_tolerance = mesh_precision;
};

// Expects a mesh without the faults that repair.hpp takes out. Deterministic.
Features find_features(const TriangleMesh& mesh, const FeatureOptions& options = {});

}  // namespace davit
