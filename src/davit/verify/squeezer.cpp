// Andrews' squeezer: seven bodies in the plane that meet in one point, driven by a constant torque against a spring.
// Data of the IVP test set (F. Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, problem "Andrews'
// squeezing mechanism"). Here five chains of hinges are closed by three ball constraints at the common point.
#include <cmath>

#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/row_force.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/simulation.hpp"
#include "davit/verify/verify.hpp"

namespace davit::verify {

namespace {

struct Point {
  double x, y;
  Vec3 vec() const { return {x, y, 0}; }
};
constexpr Point O{0, 0}, A{-0.06934, -0.00227}, B{-0.03635, 0.03273}, C{0.014, 0.072};
constexpr Point G{0.006986674115451445, -0.0004317230645688955}, P{-0.020960022346354336, 0.0012951691937066864};
constexpr Point E{-0.03399720388583998, 0.01646197167499768}, F{-0.03163313450740889, -0.015618868668304536};
constexpr Point D{-0.010472393888814623, 0.025357788530275253};
constexpr double start_angle = -0.06171389001427645, torque = 0.033, stiffness = 4530, free_length = 0.07785;

// A link that hangs at a point of another (or of the world at the start); all frames have the world's axes at the
// start.
Body link(const char* name, const char* on, const Point& parent_at, const Point& at, double mass, double inertia,
          const Point& centre) {
  Body b;
  b.name = name;
  b.on = on;
  b.at.p = at.vec() - parent_at.vec();
  b.joint.kind = JointKind::revolute;
  b.mass = mass;
  b.centre = centre.vec() - at.vec();
  b.inertia = Sym3::diagonal(0, 0, inertia);
  return b;
}

class Drive final : public ForceOf<Drive> {
 public:
  explicit Drive(int speed) : ForceOf("drive"), speed_(speed) {}
  std::string summary() const override { return "constant torque"; }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(speed_)] += S(torque);
  }

 private:
  int speed_;
};

}  // namespace

void squeezer(Checker& check) {
  const auto tree = std::make_shared<Tree>(
      std::vector<Body>{link("K1", "world", O, O, 0.04325, 2.194e-6, {0.0009182485980307614, -5.674074562905483e-05}),
                        link("K2", "K1", O, G, 0.00365, 4.41e-7, {-0.0044914333599330725, 0.0002775362557942899}),
                        link("K3", "world", O, B, 0.02373, 5.255e-6, {-0.018742186670315457, 0.020485106789073934}),
                        link("K5", "world", O, A, 0.0705, 1.169e-5, {-0.05323682815570414, 0.016631847966616306}),
                        link("K4", "K5", A, E, 0.00706, 5.667e-7, {-0.030222939830158887, 0.012071182356663938}),
                        link("K7", "world", O, A, 0.05498, 1.912e-5, {-0.059262402801791715, -0.010600698332712844}),
                        link("K6", "K7", A, F, 0.00706, 5.667e-7, {-0.028543268536783597, -0.010722254707252287})});
  const auto at = [&](const char* body, const Point& origin, const Point& p) {
    return tree->frame(body, Pose{Mat3::Identity(), p.vec() - origin.vec()});
  };
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  parts.forces = {std::make_shared<Drive>(tree->body("K1").u),
                  std::make_shared<RowForce>(
                      "spring", elastic_row(std::make_shared<PointDistance>(
                                                at("K3", B, D), tree->frame("world", Pose{Mat3::Identity(), C.vec()})),
                                            {stiffness, 0, free_length, false}))};
  const FrameConstraint::Held in_plane{{true, true, false}, {}};
  const Frame common = at("K2", G, P);
  for (const auto& [name, frame] : {std::pair{"K3 at P", at("K3", B, P)}, std::pair{"K4 at P", at("K4", E, P)},
                                    std::pair{"K6 at P", at("K6", F, P)}})
    parts.constraints.push_back({name, std::make_shared<FrameConstraint>(common, frame, in_plane)});
  const Model model(std::move(parts));
  System system(model);

  struct Watch final : Observer {
    double energy0 = 0, worst = 0, violation = 0;
    bool started = false;
    void record(const State& s, System& sys) override {
      const double energy = sys.energy(s).total() - torque * s.q[0];
      if (!started) energy0 = energy, started = true;
      worst = std::max(worst, std::abs(energy - energy0));
      for (int i = 0; i < 3; ++i) violation = std::max(violation, sys.violation(s, i));
    }
  } watch;
  State s = model.initial_state();
  system.satisfy_constraints(s);
  system.evaluate(s);
  const std::string name = "Andrews' squeezer, 0.03 s";
  const auto speed = static_cast<Eigen::Index>(tree->body("K1").u);
  check.relative(name, "acceleration of the crank at the start", "rad/s^2", 14222.443919954136,
                 "published: IVP test set", system.workspace().a[speed], 1e-11);
  const auto stepper = make_dormand_prince(model, {.tolerance = 1e-12, .first_step = 1e-6});
  simulate(system, *stepper, s, {.end = 0.03, .step = 1e-3, .output = 1e-3}, watch);
  system.evaluate(s);
  const auto angle = [&](const char* body) { return s.q[tree->body(body).q]; };
  check.relative(name, "angle of the crank", "rad", 15.81077119629904, "published: IVP test set, good to 1e-9",
                 angle("K1") + start_angle, 1e-9);
  check.relative(name, "angle of the crank, sharper", "rad", 15.810771195151982,
                 "oracle: converged solution, energy quadrature", angle("K1") + start_angle, 1e-10);
  check.relative(name, "angle of the crank, by another code", "rad", 15.81077119480906,
                 "oracle: SUNDIALS IDA 6.4.1, Cartesian coordinates", angle("K1") + start_angle, 1e-10);
  check.relative(name, "speed of the crank", "rad/s", 1139.920302258932, "oracle: converged solution", s.u[speed],
                 1e-9);
  const Vec3 common_point = position(system.workspace().kin, common);
  check.absolute(name, "x of the common point", "m", -0.03492161839530371, "oracle: converged solution",
                 common_point.x(), 1e-11);
  check.absolute(name, "y of the common point", "m", -0.002240841082126766, "oracle: converged solution",
                 common_point.y(), 1e-11);
  check.at_most(name, "energy less the drive's work, drift over its start", "", "invariant: energy balance",
                watch.worst / watch.energy0, 1e-9);
  check.at_most(name, "gap of the constraints", "m", "exact: zero", watch.violation, 1e-12);
}

}  // namespace davit::verify
