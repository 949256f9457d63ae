// Two cranes, each three times: by tree joints, by free bodies on constraints and by director bodies on constraints.
// The forces are the same but written twice, on joint coordinates for the tree and on the frames of bodies for the
// others.
#include <cmath>
#include <stdexcept>

#include "davit/force/joint_forces.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/solve/run_loop.hpp"
#include "verify/embedded.hpp"
#include "verify/mechanisms/mechanism.hpp"
#include "verify/verify.hpp"
#include "verify/vessels/ship_crane.hpp"

namespace davit::verify {

namespace {

// The cubic springs of the vessel by its rotation R = Rz(yaw) Ry(pitch) Rx(roll): the moment n whose power is
// Σ τᵢ φ̇ᵢ, n·eᵢ = τᵢ for the axes eᵢ that the three angles turn about.
class AngleSprings final : public ForceOf<AngleSprings> {
 public:
  AngleSprings(int body, double cubic) : ForceOf("vessel springs"), body_(body), cubic_(cubic) {}
  std::string summary() const override { return "cubic springs in roll, pitch and yaw"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    using std::cos, std::sin;
    const Mat3T<S>& R = c.kin.body[static_cast<size_t>(body_)].R;
    const Vec3T<S> angle = rpy_of_rotation(R), roll = R.col(0);
    const Vec3T<S> pitch(-sin(angle.z()), cos(angle.z()), S(0)), yaw(S(0), S(0), S(1));
    const Vec3T<S> tau = S(-cubic_) * angle.cwiseProduct(angle).cwiseProduct(angle);
    const S volume = roll.dot(pitch.cross(yaw));
    loads.add_moment(
        body_,
        Vec3T<S>((tau.x() * pitch.cross(yaw) + tau.y() * yaw.cross(roll) + tau.z() * roll.cross(pitch)) / volume));
  }

 private:
  int body_;
  double cubic_;
};

// Spring and damper on the angle by which frame b is turned about z of frame a.
class HingePd final : public ForceOf<HingePd> {
 public:
  HingePd(const Assembled::Held& hinge, double kp, double kd, double rest)
      : ForceOf(hinge.body + " pd"), a_(hinge.a), b_(hinge.b), kp_(kp), kd_(kd), rest_(rest) {}
  std::string summary() const override { return "spring and damper on the angle of a hinge"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    using std::atan2;
    const Mat3T<S> a = rotation(c.kin, a_);
    const Vec3T<S> x = rotation(c.kin, b_).col(0), z = a.col(2);
    const S angle = atan2(S(x.dot(a.col(1))), S(x.dot(a.col(0))));
    const S rate = z.dot(c.kin.body[static_cast<size_t>(b_.body)].w - c.kin.body[static_cast<size_t>(a_.body)].w);
    const Vec3T<S> moment = -(S(kp_) * (angle - S(rest_)) + S(kd_) * rate) * z;
    loads.add_moment(b_.body, moment);
    loads.add_moment(a_.body, -moment);
  }

 private:
  Frame a_, b_;
  double kp_, kd_, rest_;
};

struct Crane {
  std::string name, last_body;
  Vec3 tip;  // in the last body
  Mechanism mechanism;
  std::function<void(Formulation, const Assembled&, ModelParts&)> forces;

  Assembled make(Formulation made, double compliance = 0) const {
    return assemble(mechanism, made,
                    {compliance, [&](const Assembled& a, ModelParts& parts) { forces(made, a, parts); }});
  }
};

// All joints moving and no drive. Booms as free bodies need some inertia about their own axes, which the thin booms of
// the paper do not have.
Crane crane_on_vessel_undriven() {
  input::Problems problems;
  const auto scenario = parse_scenario(embedded_files().at("crane_on_vessel.yaml"), "crane_on_vessel.yaml", problems);
  if (!scenario) throw std::logic_error(problems.to_text());
  Crane crane{"crane on a vessel", "outer", Vec3(2, 0, 0), {}, {}};
  for (const TreeBody& b : scenario->tree->bodies_of_tree()) crane.mechanism.bodies.push_back(b.body);
  auto& bodies = crane.mechanism.bodies;
  bodies[0].joint.rate = {0.05, -0.04, 0.03};
  bodies[1].joint.rate = {0.4};
  bodies[2].joint.rate = {0.3};
  bodies[3].joint.rate = {-0.5};
  bodies[2].inertia.xx = bodies[3].inertia.xx = 0.5;
  crane.mechanism.gravity = {0, 0, -9.81};
  crane.forces = [](Formulation made, const Assembled& a, ModelParts& parts) {
    const double cubic = 8e7;
    if (made != Formulation::joints) {
      parts.forces.push_back(std::make_shared<AngleSprings>(a.frames.at("vessel").body, cubic));
      return;
    }
    const TreeBody& vessel = a.tree->body("vessel");
    for (int i = 0; i < 3; ++i)
      parts.forces.push_back(std::make_shared<JointSpring>(
          "spring", JointCoordinate{"vessel", vessel.q + i, vessel.u + i, vessel.last_segment, true},
          JointSpring::Data{.cubic = cubic}));
  };
  return crane;
}

Crane ship_crane_with_pd() {
  const ShipCraneOptions options{.kp = 1e8, .kd = 1e7};
  Crane crane{"ship crane", "load", Vec3(0, 0, 10), {}, {}};
  crane.mechanism.bodies = ship_crane_bodies(options);
  crane.mechanism.gravity = {0, 0, 9.81};
  crane.forces = [options](Formulation made, const Assembled& a, ModelParts& parts) {
    parts.forces.push_back(hull_restoring(a.frames.at("hull").body));
    for (size_t i = 0; i < 3; ++i) {
      const Assembled::Held& joint = a.joints[i + 1];
      if (made != Formulation::joints) {
        parts.forces.push_back(std::make_shared<HingePd>(joint, options.kp, options.kd, options.start_angles[i]));
        continue;
      }
      const TreeBody& b = a.tree->body(joint.body);
      const JointCoordinate at{joint.body, b.q, b.u, b.last_segment, true};
      parts.forces.push_back(std::make_shared<JointSpring>(
          "spring", at, JointSpring::Data{.stiffness = options.kp, .rest = options.start_angles[i]}));
      parts.forces.push_back(std::make_shared<JointDamper>("damper", at, JointDamper::Data{.damping = options.kd}));
    }
  };
  return crane;
}

// The path of the tip and the reactions of all joints at the output times.
struct Path {
  std::vector<Vec3> tip;
  std::vector<std::vector<Wrench>> reactions;
};

Path follow(const Crane& crane, const Assembled& a, Stepper& stepper, double end, double step, double output) {
  struct Watch final : Observer {
    const Crane& crane;
    const Assembled& a;
    Path path;
    Watch(const Crane& c, const Assembled& all) : crane(c), a(all) {}
    void record(const State&, System& system) override {
      const Workspace& w = system.workspace();
      path.tip.push_back(position(w.kin, a.frame(crane.last_body, crane.tip)));
      path.reactions.push_back(a.reactions(w, w.rows.lambda));
    }
  } watch(crane, a);
  System system(*a.model);
  State s = a.start;
  const RunOutcome outcome = simulate(system, stepper, s, {.end = end, .step = step, .output = output}, watch);
  if (outcome.status != RunStatus::complete) throw std::logic_error(crane.name + ": " + outcome.why);
  return watch.path;
}

double largest_gap(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double gap = 0;
  for (size_t i = 0; i < a.size(); ++i) gap = std::max(gap, (a[i] - b.at(i)).norm());
  return gap;
}
// Over the largest reaction.
double reaction_gap(const Path& a, const Path& b) {
  double gap = 0, largest = 0;
  for (size_t i = 0; i < a.reactions.size(); ++i)
    for (size_t k = 0; k < a.reactions[i].size(); ++k) {
      gap = std::max(gap, (a.reactions[i][k] - b.reactions.at(i).at(k)).vector().norm());
      largest = std::max(largest, a.reactions[i][k].vector().norm());
    }
  return gap / largest;
}

const std::string source = "invariant: a joint and its equivalent constraint";

void same_path(Checker& check, const Crane& crane) {
  const double end = 2, output = 0.1;
  const Assembled joints = crane.make(Formulation::joints);
  const auto sharp = [&](const Assembled& a) {
    const auto stepper = make_dormand_prince(*a.model, {.tolerance = 1e-12});
    return follow(crane, a, *stepper, end, 1, output);
  };
  const Path reference = sharp(joints);
  for (const Formulation made : {Formulation::free_bodies, Formulation::directors}) {
    const Path other = sharp(crane.make(made));
    const std::string name = crane.name + ", " + name_of(made) + ", 2 s";
    check.at_most(name, "path of the tip to that by tree joints, dopri5", "m", source,
                  largest_gap(reference.tip, other.tip), 1e-9);
    check.at_most(name, "reactions to those by tree joints, dopri5", "", source, reaction_gap(reference, other), 1e-9);
  }
  for (const Formulation made : {Formulation::joints, Formulation::free_bodies, Formulation::directors}) {
    const Assembled a = crane.make(made);
    const auto at_step = [&](int steps) {
      const auto stepper = make_implicit(ImplicitMethod::conserving, *a.model);
      return follow(crane, a, *stepper, end, end / steps, output).tip;
    };
    const std::vector<Vec3> coarse = at_step(200), fine = at_step(400);
    std::vector<Vec3> limit;
    for (size_t i = 0; i < fine.size(); ++i) limit.push_back((4 * fine[i] - coarse[i]) / 3);
    const std::string name = crane.name + ", " + name_of(made) + ", 2 s";
    check.order(name, "order of conserving, to tree joints by dopri5", 2, source,
                std::log2(largest_gap(reference.tip, coarse) / largest_gap(reference.tip, fine)), 0.1);
    check.at_most(name, "path with h² removed to tree joints by dopri5, over that of the finer step", "", source,
                  largest_gap(reference.tip, limit) / largest_gap(reference.tip, fine), 0.05);
  }
}

// Multipliers of the rows of the joints at the end of each step, rigid or yielding. Implicit Euler damps the ringing
// that joints without stretch at the start begin with.
std::vector<double> multipliers(const Assembled& a, double step, int steps) {
  System system(*a.model);
  State s = a.start;
  const auto stepper = make_implicit(ImplicitMethod::implicit_euler, *a.model, {.newton_tolerance = 1e-13});
  const auto stretches = [&] {
    std::vector<double> all;
    system.evaluate(s);
    for (const auto& joint : a.joints) {
      if (!joint.compliant) continue;
      const Geometry& geometry = *joint.compliant->row()->geometry;
      all.resize(all.size() + static_cast<size_t>(geometry.size()));
      geometry.rows(system.workspace().kin, all.data() + all.size() - static_cast<size_t>(geometry.size()));
    }
    return all;
  };
  std::vector<double> out;
  for (int i = 0; i < steps; ++i) {
    if (!stepper->step(system, s, step).ok) throw std::logic_error("a step on yielding joints failed");
    const std::vector<double> now = stretches();
    size_t row = 0;
    for (const auto& joint : a.joints) {
      if (joint.compliant)
        for (const auto& law : joint.compliant->row()->laws) {
          out.push_back(law->force(now[row], 0));
          ++row;
        }
      else if (joint.constraint >= 0) {
        const auto& placed = a.model->constraints()[static_cast<size_t>(joint.constraint)];
        for (int k = 0; k < placed.constraint.geometry->size(); ++k) out.push_back(s.lambda[placed.first_row + k]);
      }
    }
  }
  return out;
}

// Below the smallest ε given here the stretch, 1e-8 m, is read with too few digits.
void yielding(Checker& check, const Crane& crane, const std::vector<double>& compliances) {
  const double step = 0.1;
  const int steps = 5;
  for (const Formulation made : {Formulation::free_bodies, Formulation::directors}) {
    const std::vector<double> rigid = multipliers(crane.make(made), step, steps);
    double largest = 0;
    for (const double x : rigid) largest = std::max(largest, std::abs(x));
    std::vector<double> gaps;
    for (const double compliance : compliances) {
      const std::vector<double> soft = multipliers(crane.make(made, compliance), step, steps);
      double gap = 0;
      for (size_t i = 0; i < rigid.size(); ++i) gap = std::max(gap, std::abs(soft.at(i) - rigid[i]));
      gaps.push_back(gap / largest);
    }
    const std::string name = crane.name + ", " + name_of(made) + " on joints of compliance ε, implicit_euler";
    const std::string about = "exact: the limit ε → 0 is the rigid row";
    for (size_t i = 0; i + 1 < gaps.size(); ++i)
      check.order(name, "power of ε by which reactions come closer, step " + std::to_string(i + 1), 1, about,
                  std::log(gaps[i] / gaps[i + 1]) / std::log(compliances[i] / compliances[i + 1]), 0.1);
    check.at_most(name, "reactions to rigid ones at the smallest ε, over the largest", "", about, gaps.back(), 1e-6);
  }
}

}  // namespace

void same_motion(Checker& check) {
  const Crane vessel = crane_on_vessel_undriven(), ship = ship_crane_with_pd();
  same_path(check, vessel);
  yielding(check, vessel, {3e-9, 3e-10, 3e-11, 3e-12});
  same_path(check, ship);
  yielding(check, ship, {3e-12, 3e-13, 3e-14, 3e-15});
}

}  // namespace davit::verify
