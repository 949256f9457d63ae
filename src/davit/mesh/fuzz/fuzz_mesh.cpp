// libFuzzer target: any bytes through the readers, repair, features and trees. Whatever they are, there is a mesh or a
// problem with a remedy, never a crash.
#include <cstdint>
#include <cstdlib>

#include "davit/mesh/edge_tree.hpp"
#include "davit/mesh/mesh_file.hpp"
#include "davit/mesh/repair.hpp"
#include "davit/mesh/triangle_tree.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // OBJ is known by its ending alone.
  for (const char* name : {"fuzz.stl", "fuzz.obj"}) {
    try {
      const RepairedMesh repaired = repair(parse_mesh(bytes, name));
      const Features features = find_features(repaired.mesh);
      const EdgeTree edges(features);
      const TriangleTree triangles(repaired.mesh);
      const Vec3 low = edges.bounds().empty() ? Vec3(Vec3::Zero()) : edges.bounds().low;
      edges.near_segment(low, Vec3::Ones(), Vec3::Constant(0.1), [](int) {});
      triangles.first_hit(low, Vec3::Ones());
      if (!triangles.empty()) distance(triangles, {}, triangles, {Mat3::Identity(), Vec3(1, 2, 3)});
    } catch (const MeshFileError& error) {
      if (error.remedy.empty()) std::abort();
    }
  }
  return 0;
}
