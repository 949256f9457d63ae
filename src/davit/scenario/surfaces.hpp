// Surfaces of bodies and the clearances between them, as a file describes them.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/assembly/axis.hpp"
#include "davit/input/file_path.hpp"
#include "davit/input/record.hpp"
#include "davit/mesh/block_mesh.hpp"
#include "davit/scenario/rotation_spec.hpp"

namespace davit {

struct SurfaceCylinderSpec {
  double radius = 0, length = 0;
  int sides = 64;
  AxisSpec axis;
  static const input::Record<SurfaceCylinderSpec>& record();
};
struct SurfaceSphereSpec {
  double radius = 0;
  int subdivisions = 3;
  static const input::Record<SurfaceSphereSpec>& record();
};

// A double bottom of plates.
struct SurfaceBlockSpec {
  Vec3 size = BlockForm{}.size;
  double plate = BlockForm{}.plate;
  int floors = BlockForm{}.floors, girders = BlockForm{}.girders, stiffeners = BlockForm{}.stiffeners;
  double lug_length = BlockForm{}.lug_length, lug_height = BlockForm{}.lug_height;
  BlockForm form() const { return {size, plate, floors, girders, stiffeners, lug_length, lug_height}; }
  static const input::Record<SurfaceBlockSpec>& record();
};

struct SurfaceSpec {
  input::Reference on{"world", {}};
  std::optional<input::FilePath> mesh;
  double scale = 1;
  std::optional<Vec3> box;
  std::optional<SurfaceCylinderSpec> cylinder;
  std::optional<SurfaceSphereSpec> sphere;
  std::optional<SurfaceBlockSpec> block;
  Vec3 at = Vec3::Zero();
  std::vector<RotationSpec> turn;
  input::Where where;
  static const input::Record<SurfaceSpec>& record();
  // Reads the file, if there is one, and gives the surface to the assembly. What the mesh lacks is reported at its key.
  void build(const std::string& name, Assembly&) const;
};

struct ClearanceSpec {
  std::vector<input::Reference> between;
  input::Where where;
  static const input::Record<ClearanceSpec>& record();
  // Adds the channel name.distance.
  void build(const std::string& name, Assembly&) const;
};

}  // namespace davit
