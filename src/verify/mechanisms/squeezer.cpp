// Andrews' squeezer: seven bodies in the plane that meet in one point, driven by a constant torque against a spring.
// Data of the IVP test set (F. Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, problem "Andrews'
// squeezing mechanism"), twice: five chains of hinges that three constraints close at the common point, and seven
// director bodies of constant mass for the methods that need it.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "davit/constraint/angle_row.hpp"
#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/run_loop.hpp"
#include "verify/verify.hpp"

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

// A link that hangs at a point of another or of the world. All frames have the world's axes at the start.
struct Link {
  const char *name, *on;
  Point at;  // the hinge at which it hangs
  double mass, inertia;
  Point centre;
};
constexpr Link links[] = {{"K1", "world", O, 0.04325, 2.194e-6, {0.0009182485980307614, -5.674074562905483e-05}},
                          {"K2", "K1", G, 0.00365, 4.41e-7, {-0.0044914333599330725, 0.0002775362557942899}},
                          {"K3", "world", B, 0.02373, 5.255e-6, {-0.018742186670315457, 0.020485106789073934}},
                          {"K5", "world", A, 0.0705, 1.169e-5, {-0.05323682815570414, 0.016631847966616306}},
                          {"K4", "K5", E, 0.00706, 5.667e-7, {-0.030222939830158887, 0.012071182356663938}},
                          {"K7", "world", A, 0.05498, 1.912e-5, {-0.059262402801791715, -0.010600698332712844}},
                          {"K6", "K7", F, 0.00706, 5.667e-7, {-0.028543268536783597, -0.010722254707252287}}};
const Link* find_link(const std::string& name) {
  for (const Link& l : links)
    if (l.name == name) return &l;
  return nullptr;
}
// Where a link's frame is at the start; the world's is at the origin.
Vec3 origin_of(const std::string& name) {
  const Link* l = find_link(name);
  return l ? l->at.vec() : Vec3(Vec3::Zero());
}
// A point given by its place at the start, in the frame of a link.
Pose place_in(const std::string& name, const Point& p) { return {Mat3::Identity(), p.vec() - origin_of(name)}; }
Body body_of(const Link& l) {
  Body b;
  b.name = l.name;
  b.on = l.on;
  b.at = place_in(l.on, l.at);
  b.joint.kind = JointKind::revolute;
  b.mass = l.mass;
  b.centre = l.centre.vec() - l.at.vec();
  b.inertia = Sym3::diagonal(0, 0, l.inertia);
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

struct Mechanism {
  std::unique_ptr<Model> model;
  CoordinateIndex crank;
  Frame common;                 // the point P, on K2
  std::array<int, 7> angles{};  // by tree: the places of β, Θ, γ, Φ, δ, Ω, ε in q
};

// Spring, drive and the three constraints that close the loops, with frames by the name of a link.
template <class FrameOf>
void join(ModelParts& parts, const CoordinateIndex& crank, FrameOf&& at) {
  parts.forces = {std::make_shared<Drive>(crank.u),
                  std::make_shared<CompliantConstraint>(
                      "spring", elastic_row(std::make_shared<PointDistance>(at("K3", D), at("world", C)),
                                            {stiffness, 0, free_length, false}))};
  const FrameConstraint::Held in_plane{{true, true, false}, {}};
  for (const char* link : {"K3", "K4", "K6"})
    parts.constraints.push_back(
        {std::string(link) + " at P", std::make_shared<FrameConstraint>(at("K2", P), at(link, P), in_plane)});
}

Mechanism squeezer_by_joints() {
  std::vector<Body> bodies;
  for (const Link& l : links) bodies.push_back(body_of(l));
  const auto tree = std::make_shared<Tree>(bodies);
  const auto at = [&](const char* link, const Point& p) { return tree->frame(link, place_in(link, p)); };
  Mechanism out;
  out.crank = {tree->body("K1").q, tree->body("K1").u};
  out.common = at("K2", P);
  const char* order[] = {"K1", "K2", "K3", "K4", "K5", "K6", "K7"};
  for (size_t i = 0; i < 7; ++i) out.angles[i] = tree->body(order[i]).q;
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  join(parts, out.crank, at);
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

Mechanism squeezer_by_directors() {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  // The crank's angle is a coordinate, on which the drive works. Part of the crank's inertia goes with it, so that
  // every coordinate has mass and explicit starts of a method have accelerations.
  const double with_angle = find_link("K1")->inertia / 2;
  const auto angle = std::make_shared<Scalars>(after(*tree), std::vector<Scalar>{{"crank", "rad", with_angle, 0, 0}});
  ModelParts parts;
  parts.blocks = {tree, angle};
  parts.body_names = {"world"};
  std::map<std::string, std::shared_ptr<const DirectorBody>> bodies;
  BlockPlace place = after(*angle);
  for (const Link& l : links) {
    Body b = body_of(l);
    // In the plane only the third moment counts; equal ones give all directors mass.
    b.inertia = Sym3::scaled_identity(l.inertia - (std::string(l.name) == "K1" ? with_angle : 0));
    const auto body = std::make_shared<DirectorBody>(place, b, Pose{Mat3::Identity(), l.at.vec()});
    place = after(*body);
    parts.blocks.push_back(body);
    parts.body_names.push_back(l.name);
    parts.constraints.push_back(body->rigidity());
    bodies[l.name] = body;
  }
  const auto at = [&](const std::string& link, const Point& p) {
    const Pose pose = place_in(link, p);
    return link == "world" ? Frame{0, pose} : bodies.at(link)->frame(pose);
  };
  for (const Link& l : links)
    parts.constraints.push_back(
        {std::string(l.name) + " hinge",
         std::make_shared<FrameConstraint>(at(l.on, l.at), at(l.name, l.at),
                                           FrameConstraint::Held{{true, true, true}, {true, true, false}})});
  Mechanism out;
  out.crank = angle->at(0);
  out.common = at("K2", P);
  parts.constraints.push_back(
      {"crank angle", std::make_shared<AngleRow>(Frame{}, bodies.at("K1")->frame(), out.crank)});
  join(parts, out.crank, at);
  out.model = std::make_unique<Model>(std::move(parts));
  return out;
}

// Energy less the work of the drive.
double balance(System& system, const Mechanism& m, const State& s) {
  system.apply_forces<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete);
  return system.energy(s).total() - torque * s.q[m.crank.q];
}

struct Run {
  State end;
  double imbalance = 0;  // largest, relative to the energy at the start
};
Run run(const Mechanism& m, ImplicitMethod method, double h) {
  System system(*m.model);
  Run out;
  out.end = m.model->initial_state();
  State& s = out.end;
  system.satisfy_constraints(s);
  const double start = balance(system, m, s);
  const auto stepper = make_implicit(method, *m.model, {.newton_tolerance = 1e-13});
  const long steps = std::lround(0.03 / h);
  for (long i = 0; i < steps; ++i) {
    if (!stepper->step(system, s, h).ok) {
      out.imbalance = NAN;
      s.q.setConstant(NAN);
      return out;
    }
    out.imbalance = std::max(out.imbalance, std::abs(balance(system, m, s) / start - 1));
  }
  return out;
}

// The seven angles of the source at 0.03 s, of bodies K1 to K7, and those at the start, which our joints count from.
constexpr struct {
  const char* name;
  double start, reference;
} source_angles[] = {{"β", start_angle, 15.81077119629904},           {"Θ", 0, -15.75637105984298},
                     {"γ", 0.45527981916307038, 0.04082224013073101}, {"Φ", 0.22266839016588588, -0.5347301163226948},
                     {"δ", 0.48736497954384255, 0.5244099658805303},  {"Ω", -0.22266839016588588, 0.5347301163226948},
                     {"ε", 1.2305474445498212, 1.048080741042263}};
const char* const published = "published: IVP test set, good to 1e-9";

// Dormand-Prince on the joints.
void converged_motion(Checker& check, const Mechanism& mechanism) {
  const Model& model = *mechanism.model;
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
  const int speed = mechanism.crank.u;
  check.relative(name, "acceleration of the crank at the start", "rad/s^2", 14222.443919954136,
                 "published: IVP test set", system.workspace().a[speed], 1e-11);
  const auto stepper = make_dormand_prince(model, {.tolerance = 1e-12, .first_step = 1e-6});
  simulate(system, *stepper, s, {.end = 0.03, .step = 1e-3, .output = 1e-3}, watch);
  system.evaluate(s);
  const double crank = start_angle + s.q[mechanism.crank.q];
  for (size_t i = 0; i < 7; ++i)
    check.absolute(name, std::string("angle ") + source_angles[i].name, "rad", source_angles[i].reference, published,
                   source_angles[i].start + s.q[mechanism.angles[i]], 2e-8);
  check.relative(name, "angle of the crank, sharper", "rad", 15.810771195151982,
                 "oracle: converged solution, energy quadrature", crank, 1e-10);
  check.relative(name, "angle of the crank, by another code", "rad", 15.81077119480906,
                 "oracle: SUNDIALS IDA 6.4.1, Cartesian coordinates", crank, 1e-10);
  check.relative(name, "speed of the crank", "rad/s", 1139.920302258932, "oracle: converged solution", s.u[speed],
                 1e-9);
  const Vec3 common_point = position(system.workspace().kin, mechanism.common);
  check.absolute(name, "x of the common point", "m", -0.03492161839530371, "oracle: converged solution",
                 common_point.x(), 1e-11);
  check.absolute(name, "y of the common point", "m", -0.002240841082126766, "oracle: converged solution",
                 common_point.y(), 1e-11);
  check.at_most(name, "energy less the drive's work, drift over its start", "", "invariant: energy balance",
                watch.worst / watch.energy0, 1e-9);
  check.at_most(name, "gap of the constraints", "m", "exact: zero", watch.violation, 1e-12);
}

// Methods of order two on the joints, extrapolated by that order from two steps.
void motion_of_second_order(Checker& check, const Mechanism& mechanism) {
  for (const auto& [name, method] : {std::pair{"conserving", ImplicitMethod::conserving},
                                     std::pair{"generalised_alpha", ImplicitMethod::generalised_alpha}}) {
    const State coarse = run(mechanism, method, 1e-5).end, fine = run(mechanism, method, 5e-6).end;
    const std::string steps = fmt::format("joints, {}, 1e-5 and 5e-6 s", name);
    for (size_t i = 0; i < 7; ++i) {
      const auto& angle = source_angles[i];
      const double x0 = coarse.q[mechanism.angles[i]], x1 = fine.q[mechanism.angles[i]];
      check.absolute(steps, fmt::format("angle {} at 0.03 s, extrapolated", angle.name), "rad", angle.reference,
                     published, angle.start + (4 * x1 - x0) / 3, 1e-7);
      if (i == 0)
        check.order(steps, "angle β at 0.03 s", 2, "exact: order of the method",
                    std::log2((angle.start + x0 - angle.reference) / (angle.start + x1 - angle.reference)), 0.01);
    }
  }
}

// Figs. 3.4 to 3.7 of the thesis on servo constraints. The drive works on the crank's own angle with a constant torque,
// so that the work of a step is torque times the change of the angle in every method.
void energy_balance(Checker& check) {
  const Mechanism mechanism = squeezer_by_directors();
  const double coarse = 3e-4, fine = 3e-5;
  const char* what = "energy less the drive's work, drift over its start";
  const Run kept = run(mechanism, ImplicitMethod::energy_momentum, coarse);
  const Run kept_finer = run(mechanism, ImplicitMethod::energy_momentum, fine);
  const std::string name = "director bodies, energy_momentum, 3e-4 and 3e-5 s";
  check.at_most("director bodies, energy_momentum, 3e-4 s", what, "", "invariant: energy balance", kept.imbalance,
                1e-12);
  check.at_most("director bodies, energy_momentum, 3e-5 s", what, "", "invariant: energy balance", kept_finer.imbalance,
                1e-12);
  const double x0 = start_angle + kept.end.q[mechanism.crank.q], x1 = start_angle + kept_finer.end.q[mechanism.crank.q];
  const double reference = source_angles[0].reference;
  check.order(name, "angle β at 0.03 s", 2, "exact: order of the method",
              std::log10((x0 - reference) / (x1 - reference)), 0.01);
  check.absolute(name, "angle β at 0.03 s, extrapolated", "rad", reference, published, (100 * x1 - x0) / 99, 1e-5);
  for (const auto& [other, method] : {std::pair{"generalised_alpha", ImplicitMethod::generalised_alpha},
                                      std::pair{"variational_midpoint", ImplicitMethod::variational_midpoint}}) {
    const double violated = run(mechanism, method, coarse).imbalance, finer = run(mechanism, method, fine).imbalance;
    check.trend(fmt::format("director bodies, {}, 3e-4 s", other), fmt::format("{} (above)", what), "",
                Checker::Side::above, 1e-3, "published: thesis on servo constraints, Figs. 3.4 and 3.5", violated);
    check.order(fmt::format("director bodies, {}, 3e-4 and 3e-5 s", other), what, 2, "exact: order of the method",
                std::log10(violated / finer), 0.05);
  }
}

}  // namespace

void squeezer(Checker& check) {
  const Mechanism mechanism = squeezer_by_joints();
  converged_motion(check, mechanism);
  motion_of_second_order(check, mechanism);
  energy_balance(check);
}

}  // namespace davit::verify
