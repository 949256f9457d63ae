// Forces of still water on a vessel: restoring, added mass with radiation memory, damping.
#include "davit/hull_load/added_mass.hpp"
#include "davit/hull_load/buoyancy.hpp"
#include "davit/hull_load/hull_damping.hpp"
#include "davit/hull_load/linear_hull.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/radiation/convolution_memory.hpp"
#include "davit/radiation/memory_fit_cache.hpp"
#include "davit/vessel/vessel_loads.hpp"

namespace davit::vessel {

Vec3 buoyancy_centre(const hydro::FloatingBody& body) {
  if (body.buoyancy.allFinite()) return body.buoyancy;
  return {body.loading->centre.x(), body.loading->centre.y(), 0};
}

void add_restoring(const Hull& hull, double gravity, Assembly& assembly) {
  const hydro::FloatingBody& body = hull.database.bodies[0];
  if (hull.spec.equations == Equations::linear) {
    assembly.add(std::make_shared<hull_load::LinearHull>(
        hull.name + ".restoring", hull.frame, hull_load::LinearHull::Data{body.restoring.block<3, 3>(2, 2), hull.own}));
    return;
  }
  // Water pushes up what the hull weighed when the database was made: at rest and alone it floats as it was solved.
  const double displaced = body.loading->mass * gravity;
  const Mat6 restoring = hydro::buoyancy_restoring(body, hull.database.gravity).value();
  assembly.add(std::make_shared<hull_load::Buoyancy>(
      hull.name + ".buoyancy", hull.frame,
      hull_load::Buoyancy::from_restoring(restoring, displaced, buoyancy_centre(body))));
}

std::optional<Mat6> add_radiation(const Hull& hull, Assembly& assembly) {
  const VesselSpec& spec = hull.spec;
  const std::string name = hull.name + ".memory";
  Mat6 inertia;
  std::shared_ptr<const Force> memory;
  try {
    if (!hull.solved) {
      inertia.setZero();
    } else if (spec.memory == Memory::state_space) {
      radiation::MemoryFit fit = radiation::kept_memory_fit(hull.database, 0, spec.memory_tolerance);
      inertia = fit.infinite;
      memory = std::make_shared<radiation::RadiationMemory>(name, hull.frame, std::move(fit.model), hull.axes);
    } else {
      radiation::MemoryKernel kernel = radiation::memory_kernel(hull.database, 0);
      inertia = kernel.infinite;
      if (spec.memory == Memory::convolution)
        memory = std::make_shared<radiation::ConvolutionMemory>(name, hull.frame, std::move(kernel), hull.axes);
    }
  } catch (const hydro::DatabaseError& error) {
    assembly.problems().error(spec.where, error.message, error.remedy);
    return std::nullopt;
  }
  assembly.add(
      std::make_shared<hull_load::AddedMass>(hull.name + ".added_mass", hull.frame, inertia, adds_coriolis(spec)));
  if (memory) assembly.add(memory);
  return inertia;
}

Mat6 linear_damping(const Hull& hull, const Mat6& infinite) {
  const hydro::Database& db = hull.database;
  const hydro::FloatingBody& body = db.bodies[0];
  Mat6 linear = db.viscous_damping ? Mat6(*db.viscous_damping) : Mat6(Mat6::Zero());
  if (hull.spec.linear_damping) linear.diagonal() += *hull.spec.linear_damping;
  if (hull.spec.roll_damping) {
    const double stiffness = body.restoring(3, 3),
                 moment = hydro::mass_matrix(*body.loading, body.reference)(3, 3) + infinite(3, 3);
    linear(3, 3) += *hull.spec.roll_damping * 2 * std::sqrt(std::max(0.0, stiffness) * moment);
  }
  return linear;
}

void add_damping(const Hull& hull, const Mat6& infinite, Assembly& assembly) {
  const Mat6 linear = linear_damping(hull, infinite);
  const Vec6 quadratic = hull.spec.quadratic_damping.value_or(Vec6::Zero());
  if (linear.isZero(0) && quadratic.isZero(0)) return;
  // Damping of rotations alone does not feel a current.
  const bool drags = !linear.leftCols<3>().isZero(0) || !quadratic.head<3>().isZero(0);
  assembly.add(std::make_shared<hull_load::HullDamping>(hull.name + ".damping", hull.frame, linear, quadratic,
                                                        drags ? current_at(hull, assembly) : Vec3(Vec3::Zero()),
                                                        hull.axes));
}

}  // namespace davit::vessel
