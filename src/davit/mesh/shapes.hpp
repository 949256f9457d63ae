// Meshes made in code: simple bodies for scenarios, and the ways in which meshes of the same body differ in practice
// (finer, irregular, noisy, with T-junctions), for tests.
#pragma once

#include "davit/math/pose.hpp"
#include "davit/mesh/triangle_mesh.hpp"

namespace davit {

// Twelve triangles, centred.
TriangleMesh box_mesh(const Vec3& size);
// An icosahedron whose triangles are divided in four `subdivisions` times, points on the sphere: 20·4ⁿ triangles.
TriangleMesh sphere_mesh(double radius, int subdivisions);
// A prism about z, centred, whose corners lie on the cylinder.
TriangleMesh cylinder_mesh(double radius, double length, int sides);
// A simple polygon in either direction (ear clipping), extruded along z, centred in z.
TriangleMesh prism_mesh(const std::vector<Vec2>& outline, double length);
// A round body with two ears and a valley between them, `size` high: closed, concave, without a handle; 20·4ⁿ
// triangles.
TriangleMesh eared_mesh(double size, int subdivisions = 2);

// The same surface in at least `triangles` triangles, made by random points in triangles and on edges; conforming.
TriangleMesh refine_irregularly(const TriangleMesh& mesh, int triangles, unsigned seed);
// Every coordinate moved by up to `noise`.
TriangleMesh roughen(const TriangleMesh& mesh, double noise, unsigned seed);
// Triangles divided at a point of one side without their neighbours knowing.
TriangleMesh with_t_junctions(const TriangleMesh& mesh, int count, unsigned seed);
// Three points of its own for every triangle, as STL files have it.
TriangleMesh unshared(const TriangleMesh& mesh);

TriangleMesh transformed(TriangleMesh mesh, const Pose& pose);
TriangleMesh scaled(TriangleMesh mesh, double factor);

}  // namespace davit
