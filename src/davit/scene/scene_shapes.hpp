// The shapes of bodies in a scene, private to this module: what the file gives, and where it gives nothing something
// that could be so, marked as a guess.
#pragma once

#include <nlohmann/json.hpp>

#include "davit/mesh/triangle_mesh.hpp"
#include "davit/result/scene.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

// Meshes of a scene, and the list of them in its document.
class MeshStore {
 public:
  // Returns its number.
  int add(const std::string& name, const TriangleMesh& mesh);

  result::SceneMeshes meshes;
  nlohmann::json list = nlohmann::json::array();
};

// Seven numbers: place and quaternion w, x, y, z.
nlohmann::json as_json(const Pose& pose);
nlohmann::json as_json(const Vec3& v);

// Of the solid that the file gives a body, in its own axes; empty where it gives none.
nlohmann::json given_solid(const BodySpec& spec);

// The hull of vessel i: of its panels where the file gives a form, else a box or a ship-like prism of the size that its
// hydrostatics tell. `deck`: its height above the water where that is known (m).
struct HullMesh {
  TriangleMesh mesh;
  bool guessed = false;
};
std::optional<HullMesh> hull_mesh(const Scenario& scenario, std::size_t vessel, std::optional<double> deck);

// Beams from where a body is held to what hangs on it (in its own axes), as thick as its mass makes them; a block where
// nothing does.
nlohmann::json guessed_shapes(double mass, const Vec3& centre, const Vec3& joint, const std::vector<Vec3>& ends);

}  // namespace davit
