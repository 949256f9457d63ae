#include "davit/scenario/surfaces.hpp"

#include "davit/assembly/surface.hpp"
#include "davit/mesh/mesh_file.hpp"
#include "davit/mesh/shapes.hpp"

namespace davit {

using input::Record;

const Record<SurfaceCylinderSpec>& SurfaceCylinderSpec::record() {
  static const auto r = Record<SurfaceCylinderSpec>("cylinder_surface", "A cylinder, centred, as a prism of many sides")
                            .field("radius", &SurfaceCylinderSpec::radius, "m", "radius, of its corners")
                            .above(0)
                            .field("length", &SurfaceCylinderSpec::length, "m", "length")
                            .above(0)
                            .field("sides", &SurfaceCylinderSpec::sides, "number of its sides")
                            .at_least(3)
                            .at_most(1000)
                            .by_default()
                            .field("axis", &SurfaceCylinderSpec::axis, "direction of its axis")
                            .by_default();
  return r;
}

const Record<SurfaceSphereSpec>& SurfaceSphereSpec::record() {
  static const auto r =
      Record<SurfaceSphereSpec>("sphere_surface", "A sphere of triangles")
          .field("radius", &SurfaceSphereSpec::radius, "m", "radius, of its corners")
          .above(0)
          .field("subdivisions", &SurfaceSphereSpec::subdivisions,
                 "how often the triangles of an icosahedron are divided in four: 3 gives 1280 of them")
          .at_least(0)
          .at_most(7)
          .by_default();
  return r;
}

const Record<SurfaceBlockSpec>& SurfaceBlockSpec::record() {
  static const auto r =
      Record<SurfaceBlockSpec>("block_surface",
                               "A double-bottom block of plates, centred: bottom, tank top and girders along x, floors "
                               "across with lightening holes, stiffeners, four lugs on the outermost girders")
          .field("size", &SurfaceBlockSpec::size, "m", "length (x), breadth (y) and depth (z), without lugs")
          .above(0)
          .field("plate", &SurfaceBlockSpec::plate, "m", "thickness of all plates")
          .above(0)
          .by_default()
          .field("floors", &SurfaceBlockSpec::floors, "plates across, between the open ends")
          .at_least(0)
          .at_most(100)
          .by_default()
          .field("girders", &SurfaceBlockSpec::girders, "plates along, between the sides")
          .at_least(0)
          .at_most(100)
          .by_default()
          .field("stiffeners", &SurfaceBlockSpec::stiffeners, "in each bay between girders, on bottom and tank top")
          .at_least(0)
          .at_most(10)
          .by_default()
          .field("lug_length", &SurfaceBlockSpec::lug_length, "m", "of the lugs along x; 0: none")
          .at_least(0)
          .by_default()
          .field("lug_height", &SurfaceBlockSpec::lug_height, "m", "of the lugs")
          .above(0)
          .by_default()
          .check([](const SurfaceBlockSpec& s, const input::Where& place, input::Problems& problems) {
            if (const std::string mistake = s.form().mistake(); !mistake.empty())
              problems.error(place, mistake, "give fewer of them, thinner plates or a larger block");
          });
  return r;
}

const Record<SurfaceSpec>& SurfaceSpec::record() {
  static const auto r =
      Record<SurfaceSpec>("surface", "The surface of a body, of triangles")
          .field("on", &SurfaceSpec::on, "the body it belongs to, or a point of one; its frame is where it is placed")
          .by_default()
          .field("mesh", &SurfaceSpec::mesh, "an STL, OBJ or PLY file, relative to the file that names it")
          .example("block.stl")
          .field("scale", &SurfaceSpec::scale, "1", "metres per unit of the mesh file: 0.001 if it is in millimetres")
          .above(0)
          .by_default()
          .field("box", &SurfaceSpec::box, "m", "in place of a mesh: a box, centred; length along x, y and z")
          .above(0)
          .field("cylinder", &SurfaceSpec::cylinder, "in place of a mesh: a cylinder")
          .field("sphere", &SurfaceSpec::sphere, "in place of a mesh: a sphere")
          .field("block", &SurfaceSpec::block, "in place of a mesh: a block of a ship's double bottom")
          .field("at", &SurfaceSpec::at, "m", "place of the mesh's origin in the frame of the body")
          .by_default()
          .field("turn", &SurfaceSpec::turn, "turns of the mesh, one after the other")
          .by_default()
          .located(&SurfaceSpec::where)
          .check([](const SurfaceSpec& s, const input::Where& place, input::Problems& problems) {
            const int shapes = s.mesh.has_value() + s.box.has_value() + s.cylinder.has_value() + s.sphere.has_value() +
                               s.block.has_value();
            if (shapes != 1)
              problems.error(place, shapes == 0 ? "the surface has no shape" : "the surface has more than one shape",
                             "give exactly one of 'mesh', 'box', 'cylinder', 'sphere' and 'block'");
            if (s.scale != 1 && !s.mesh)
              problems.error(place, "'scale' is of mesh files", "give the shape its size, and leave 'scale' out");
          });
  return r;
}

void SurfaceSpec::build(const std::string& name, Assembly& assembly) const {
  // Until all is well: the name is known, and what asks for it need not be reported.
  assembly.add_surface(name, nullptr);
  const auto frame = assembly.frame(on);
  if (!frame || !assembly.can_rotate(*frame, on)) return;
  TriangleMesh shape;
  if (mesh) {
    try {
      shape = scaled(read_mesh(mesh->resolved()), scale);
    } catch (const MeshFileError& error) {
      assembly.problems().error(mesh->where, error.what(), error.remedy);
      return;
    }
  } else if (box) {
    shape = box_mesh(*box);
  } else if (cylinder) {
    shape = transformed(cylinder_mesh(cylinder->radius, cylinder->length, cylinder->sides),
                        {rotation_from_z(cylinder->axis.direction), Vec3::Zero()});
  } else if (block) {
    shape = block_mesh(block->form());
  } else {
    shape = sphere_mesh(sphere->radius, sphere->subdivisions);
  }
  const auto surface = std::make_shared<BodySurface>(name, *frame, transformed(std::move(shape), placed(at, turn)));
  for (const MeshProblem& problem : surface->repaired.problems) {
    const input::Where& place = mesh ? mesh->where : where;
    const std::string said = "the mesh of '" + name + "': " + problem.text;
    if (problem.repaired)
      assembly.problems().warning(place, said,
                                  "the run goes on with the repaired mesh; look at the file if this surprises");
    else
      assembly.problems().error(place, said, "mend the mesh where it was made, and export it again");
  }
  if (surface->usable()) assembly.add_surface(name, surface);
}

const Record<ClearanceSpec>& ClearanceSpec::record() {
  static const auto r =
      Record<ClearanceSpec>("clearance", "The least distance of two surfaces, recorded as name.distance")
          .field("between", &ClearanceSpec::between, "two surfaces, on different bodies")
          .example("[hull, boom]")
          .located(&ClearanceSpec::where)
          .check([](const ClearanceSpec& c, const input::Where& place, input::Problems& problems) {
            if (c.between.size() != 2)
              problems.error(place, "a clearance is between two surfaces", "name two, e.g. between: [hull, boom]");
          });
  return r;
}

void ClearanceSpec::build(const std::string& name, Assembly& assembly) const {
  if (between.size() != 2) return;  // could not be read, which was reported
  const auto a = assembly.surface(between[0]), b = assembly.surface(between[1]);
  if (!a || !b) return;
  if (a->frame.body == b->frame.body) {
    assembly.problems().error(between[1].where, "both surfaces are on one body: their distance does not change",
                              "name surfaces of different bodies");
    return;
  }
  ScalarInfo distance{name + ".distance",
                      "m",
                      "least distance of " + a->name + " and " + b->name + ", 0 where they touch or cut",
                      "clearance " + name,
                      "clearance",
                      true};
  distance.crossing = {name, "touch", "part"};
  assembly.observables().add_scalar(std::move(distance),
                                    [a, b](const State&, const Workspace& w) { return clearance(*a, *b, w.kin); });
}

}  // namespace davit
