// The chain of bench/constrained.cpp in Simbody: free bodies and ball constraints, Runge-Kutta-Merson with its own
// projection, at a given accuracy.
#include "simbody_chain.hpp"

#include <Simbody.h>

#include <vector>

#include "processor_time.hpp"

extern "C" __attribute__((visibility("default"))) SimbodyRun simbody_chain(int links, double length, double tilt,
                                                                           double duration, double accuracy) {
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0, 0, -9.81));
  const double about_end = length * length / 12 + length * length / 4;
  const Body::Rigid link(MassProperties(1, Vec3(0, 0, -length / 2), Inertia(about_end, about_end, 1e-3)));
  std::vector<MobilizedBody::Free> bodies;
  for (int i = 0; i < links; ++i) {
    bodies.emplace_back(matter.updGround(), Transform(), link, Transform());
    if (i == 0)
      Constraint::Ball(matter.updGround(), Vec3(0), bodies[0], Vec3(0));
    else
      Constraint::Ball(bodies[static_cast<size_t>(i - 1)], Vec3(0, 0, -length), bodies[static_cast<size_t>(i)],
                       Vec3(0));
  }
  State state = system.realizeTopology();
  system.realizeModel(state);
  const Rotation R(-tilt, YAxis);
  for (int i = 0; i < links; ++i) {
    bodies[static_cast<size_t>(i)].setQToFitTransform(state, Transform(R, R * Vec3(0, 0, -length * i)));
    bodies[static_cast<size_t>(i)].setUToFitVelocity(state, SpatialVec(R * Vec3(0, 0, 1), Vec3(0)));
  }
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(system, integrator);
  const double begin = davit::bench::processor_seconds();
  stepper.initialize(state);
  stepper.stepTo(duration);
  SimbodyRun out{};
  out.seconds = davit::bench::processor_seconds() - begin;
  out.steps = integrator.getNumStepsTaken();
  const State& end = integrator.getState();
  system.realize(end, Stage::Position);
  const Vec3 p = bodies.back().findStationLocationInGround(end, Vec3(0, 0, -length));
  for (int i = 0; i < 3; ++i) out.end[i] = p[i];
  return out;
}
