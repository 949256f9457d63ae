#include "davit/constraint/register.hpp"

#include "davit/constraint/frame_specs.hpp"
#include "davit/constraint/joint_specs.hpp"

namespace davit::constraint {

void register_elements(Registry& registry) {
  registry.constraints.add_kind<BallSpec>(ball.name);
  registry.constraints.add_kind<HingeSpec>(hinge.name);
  registry.constraints.add_kind<UniversalSpec>("universal");
  registry.constraints.add_kind<SliderSpec>(slider.name);
  registry.constraints.add_kind<CylindricalSpec>(cylindrical.name);
  registry.constraints.add_kind<PlanarSpec>(planar.name);
  registry.constraints.add_kind<FixedSpec>(fixed.name);
  registry.constraints.add_kind<RodSpec>("rod");
  registry.constraints.add_kind<GearSpec>("gear");
  registry.constraints.add_kind<MotionSpec>("motion");
  registry.constraints.add_kind<SpeedSpec>("speed");
  registry.constraints.add_kind<SkateSpec>("skate");
}

}  // namespace davit::constraint
