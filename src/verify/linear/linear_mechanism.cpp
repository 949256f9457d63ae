// A boom crane by tree joints, by free bodies on constraints and by director bodies: the same poles, zeros and transfer
// functions, also where rows say the same twice; and in motion the same identity.
#include <cmath>
#include <stdexcept>

#include "davit/solve/equilibrium.hpp"
#include "davit/solve/run_loop.hpp"
#include "verify/linear/linear_models.hpp"
#include "verify/mechanisms/mechanism.hpp"

namespace davit::verify {

namespace {

using linear::Complex;

// Spring, damper and motor on the angle by which frame b is turned about z of frame a.
class HingeDrive final : public ForceOf<HingeDrive> {
 public:
  HingeDrive(const Assembled::Held& hinge, int input, double kp, double kd)
      : ForceOf(hinge.body + " drive"), a_(hinge.a), b_(hinge.b), input_(input), kp_(kp), kd_(kd) {}
  std::string summary() const override { return "drive of a hinge"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    using std::atan2;
    const Mat3T<S> a = rotation(c.kin, a_);
    const Vec3T<S> x = rotation(c.kin, b_).col(0), z = a.col(2);
    const S angle = atan2(S(x.dot(a.col(1))), S(x.dot(a.col(0))));
    const S rate = z.dot(c.kin.body[static_cast<size_t>(b_.body)].w - c.kin.body[static_cast<size_t>(a_.body)].w);
    const Vec3T<S> moment = (c.w[input_] - S(kp_) * angle - S(kd_) * rate) * z;
    loads.add_moment(b_.body, moment);
    loads.add_moment(a_.body, -moment);
  }

 private:
  Frame a_, b_;
  int input_;
  double kp_, kd_;
};

Mechanism boom_crane(double rate, bool twice) {
  Mechanism m;
  m.gravity = {0, 0, -9.81};
  Body king, boom, load;
  king.name = "king";
  king.joint = {JointKind::revolute, Vec3::UnitZ(), Vec3::UnitX(), {0.3}, {0.5 * rate}};
  king.mass = 4000;
  king.centre = {0.2, 0, 2};
  king.inertia = Sym3::diagonal(3000, 3000, 1500);
  boom.name = "boom";
  boom.on = "king";
  boom.at = {Mat3::Identity(), {0.5, 0, 4}};
  boom.joint = {JointKind::revolute, -Vec3::UnitY(), Vec3::UnitX(), {0.5}, {-0.4 * rate}};
  boom.mass = 2000;
  boom.centre = {5, 0, 0.1};
  boom.inertia = Sym3::diagonal(200, 9000, 9000);
  load.name = "load";
  load.on = "boom";
  load.at = {Mat3::Identity(), {10, 0, 0}};
  load.joint = {JointKind::universal, Vec3::UnitX(), Vec3::UnitY(), {0.0, 0.5}, {0.6 * rate, 0.3 * rate}};
  load.mass = 3000;
  load.centre = {0, 0, -6};
  load.inertia = Sym3::diagonal(900, 800, 700);
  m.bodies = {king, boom, load};
  if (twice)
    m.closures.push_back({"again", "king", hinge_at({0.5, 0, 4}, -Vec3::UnitY()), "boom",
                          hinge_at({0, 0, 0}, -Vec3::UnitY()), hinge_about_z});
  return m;
}

Assembled assembled(Formulation made, double rate, bool twice) {
  return assemble(boom_crane(rate, twice), made,
                  {0, [](const Assembled& a, ModelParts& parts) {
                     parts.inputs = {{"king", "N m"}, {"boom", "N m"}};
                     for (int i = 0; i < 2; ++i)
                       parts.forces.push_back(std::make_shared<HingeDrive>(a.joints[static_cast<size_t>(i)], i,
                                                                           i ? 3e6 : 2e5, i ? 2e5 : 3e4));
                     static const char* const axes[] = {"hook.x", "hook.y", "hook.z"};
                     for (int i = 0; i < 3; ++i)
                       parts.outputs.push_back({axes[i], "m", Output::Kind::position, i, a.frame("load", {0, 0, -6})});
                   }});
}

LinearModel at_rest(const Assembled& a) {
  System system(*a.model);
  const Equilibrium rest = find_equilibrium(system, a.start);
  if (!rest.converged) throw std::logic_error("the crane finds no rest: " + rest.why);
  return linear_model(system, rest.state,
                      ports(*a.model, Loop::closed, {"king", "boom"}, {"hook.x", "hook.y", "hook.z"}));
}

void same_model(Checker& check) {
  const LinearModel tree = at_rest(assembled(Formulation::joints, 0, false));
  const auto zeros = [](const LinearModel& m) { return linear::zeros(linear::selected(m.space, {0, 1}, {1, 2})); };
  const Complex s(-0.1, 1.3);
  const std::string source = "invariant: a joint and its equivalent constraint";
  for (const bool twice : {false, true})
    for (const Formulation made : {Formulation::free_bodies, Formulation::directors}) {
      const LinearModel other = at_rest(assembled(made, 0, twice));
      const std::string name = std::string("boom crane, ") + name_of(made) + (twice ? ", a hinge held twice" : "");
      check.absolute(name, "states", "", 8, "exact: two for each degree of freedom",
                     static_cast<double>(other.space.A.rows()), 0);
      check.at_most(name, "poles to those by tree joints", "", source,
                    apart(linear::poles(other.space), linear::poles(tree.space)), 1e-9);
      check.at_most(name, "zeros from both drives to y and z of the hook, to those by tree joints", "", source,
                    apart(zeros(other), zeros(tree)), 1e-9);
      check.at_most(name, "transfer matrix at -0.1 + 1.3i, to that by tree joints", "", source,
                    apart(linear::transfer(other.space, s), linear::transfer(tree.space, s)), 1e-9);
    }
}

// Of a model that nothing from outside drives, ẏ(t) of its own motion solves the linear equations: d/dt ẏ = A ẏ at
// every instant, whatever the coordinates.
void identity_in_motion(Checker& check) {
  for (const Formulation made : {Formulation::joints, Formulation::free_bodies, Formulation::directors}) {
    const Assembled a = assembled(made, 1, false);
    System system(*a.model);
    struct Nobody final : Observer {
      void record(const State&, System&) override {}
    } nobody;
    const auto state_at = [&](double t) {
      const auto stepper = make_dormand_prince(*a.model, {.tolerance = 1e-13});
      State s = a.start;
      const RunOutcome outcome = simulate(system, *stepper, s, {.end = t, .step = 0.1, .output = 1}, nobody);
      if (outcome.status != RunStatus::complete) throw std::logic_error(outcome.why);
      return s;
    };
    const double t = 0.7, h = 1e-3;
    const LinearModel model = linear_model(system, state_at(t), ports(*a.model, Loop::closed, {"king"}, {"hook.x"}));
    const auto acceleration = [&](double at) {
      if (!system.evaluate(state_at(at))) throw std::logic_error(system.failure().why);
      return VecX(system.workspace().a);
    };
    const VecX jerk =
        (8 * (acceleration(t + h) - acceleration(t - h)) - (acceleration(t + 2 * h) - acceleration(t - 2 * h))) /
        (12 * h);
    // The states are coordinates and speeds with the names of the model's.
    const auto names = a.model->speed_names();
    VecX rate(model.space.A.rows()), second(model.space.A.rows());
    for (Eigen::Index i = 0; i < rate.size(); ++i) {
      std::string name = model.space.states[static_cast<size_t>(i)].name;
      const bool speed = name.ends_with("_rate");
      if (speed) name.resize(name.size() - 5);
      const auto at = std::find(names.begin(), names.end(), name) - names.begin();
      rate[i] = speed ? model.point.a[at] : model.point.state.u[at];
      second[i] = speed ? jerk[at] : model.point.a[at];
    }
    check.at_most(std::string("boom crane in motion, ") + name_of(made), "A ẏ beside ÿ along the run", "",
                  "invariant: the rate of a motion solves its linear equations",
                  (model.space.A * rate - second).cwiseAbs().maxCoeff() / second.cwiseAbs().maxCoeff(), 1e-8);
  }
}

}  // namespace

void linear_mechanism(Checker& check) {
  same_model(check);
  identity_in_motion(check);
}

}  // namespace davit::verify
