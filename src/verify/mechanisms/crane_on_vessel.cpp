// Cibicik & Egeland, section III: vessel on three cubic springs, king, inner and outer boom. The model is the one of
// scenarios/crane_on_vessel.yaml, read as a user's file is.
#include <cmath>
#include <stdexcept>

#include "davit/dynamics/kane.hpp"
#include "davit/dynamics/momentum_balance.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"
#include "verify/embedded.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

const std::string paper = "Cibicik & Egeland";

Scenario load(const std::vector<std::pair<std::string, std::string>>& replacements) {
  std::string text = embedded_files().at("crane_on_vessel.yaml");
  for (const auto& [from, to] : replacements) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("crane_on_vessel.yaml has no '" + from + "'");
    text.replace(at, from.size(), to);
  }
  input::Problems problems;
  auto scenario = parse_scenario(text, "crane_on_vessel.yaml", problems);
  if (!scenario) throw std::logic_error(problems.to_text());
  return std::move(*scenario);
}

// Cuts a top-level section out of the file.
std::pair<std::string, std::string> without(const std::string& first_key, const std::string& next_key) {
  const std::string& text = embedded_files().at("crane_on_vessel.yaml");
  const auto begin = text.find("\n" + first_key + ":"), end = text.find("\n" + next_key + ":");
  return {text.substr(begin, end - begin), ""};
}

// Torques given from outside: the reference states have them as numbers.
class GivenTorques final : public ForceOf<GivenTorques> {
 public:
  explicit GivenTorques(std::vector<double> tau) : ForceOf("given torques"), tau_(std::move(tau)) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    for (size_t i = 0; i < tau_.size(); ++i) loads.tau[i] += S(tau_[i]);
  }

 private:
  std::vector<double> tau_;
};

// The model of the file with torques on the crane joints instead of its controller.
std::unique_ptr<Model> with_torques(const Scenario& scenario, const std::vector<double>& crane) {
  ModelParts parts;
  parts.blocks = {scenario.tree};
  parts.body_names = scenario.model->body_names();
  for (const auto& f : scenario.model->forces()) parts.forces.push_back(f.element);
  parts.forces.push_back(std::make_shared<GivenTorques>(std::vector<double>{0, 0, 0, crane[0], crane[1], crane[2]}));
  return std::make_unique<Model>(std::move(parts));
}

// Largest error of a list of numbers against columns of the reference, over the largest reference value among them.
class Deviation {
 public:
  void add(double computed, double reference) {
    error_ = std::max(error_, std::abs(computed - reference));
    scale_ = std::max(scale_, std::abs(reference));
  }
  double relative() const { return error_ / scale_; }

 private:
  double error_ = 0, scale_ = 0;
};

std::string numbered(const char* prefix, int i, const char* suffix = "") { return prefix + std::to_string(i) + suffix; }

const std::vector<std::string> rho_columns = {"rho1_Mx2", "rho2_My2", "", "rho3_Fx2", "rho4_Fy2", "rho5_Fz2"};
const std::vector<std::string> frame1_columns = {"Mx1", "My1", "", "Fx1", "Fy1", "Fz1"};

void add_wrench(Deviation& deviation, const Wrench& wrench, const NumberTable& table, size_t row,
                const std::vector<std::string>& columns) {
  for (size_t i = 0; i < 6; ++i)
    if (!columns[i].empty()) deviation.add(wrench.vector()[static_cast<Eigen::Index>(i)], table.at(row, columns[i]));
}

void random_states(Checker& check) {
  const NumberTable table("vessel_states.csv");
  Deviation accelerations, rho, frame1, mass, coriolis, energy;
  for (size_t row = 0; row < table.rows(); ++row) {
    const bool gravity = table.at(row, "g") != 0;
    std::vector<std::pair<std::string, std::string>> changes = {without("control", "operation"),
                                                                without("operation", "limits")};
    if (!gravity) changes.push_back({"gravity: 9.81 m/s^2", "gravity: 0"}), changes.push_back({"4 * weight", "4 kN"});
    const Scenario scenario = load(changes);
    const auto model = with_torques(scenario, {table.at(row, "tau4"), table.at(row, "tau5"), table.at(row, "tau6")});
    System system(*model);
    State state = model->initial_state();
    for (int i = 0; i < 6; ++i)
      state.q[i] = table.at(row, numbered("q", i + 1)), state.u[i] = table.at(row, numbered("u", i + 1));
    system.evaluate(state);
    const Workspace& w = system.workspace();
    for (int i = 0; i < 6; ++i) accelerations.add(w.a[i], table.at(row, numbered("q", i + 1, "dd")));
    add_wrench(rho, scenario.tree->reaction(w.kin, w.transmitted, 1, Tree::Axes::body), table, row, rho_columns);
    add_wrench(frame1, scenario.tree->reaction(w.kin, w.transmitted, 1, Tree::Axes::parent), table, row,
               frame1_columns);
    const KaneMatrices kane = kane_matrices(*scenario.tree, w.kin);
    const VecX Cu = kane.C * state.u;
    for (int i = 0; i < 6; ++i) {
      for (int j = i; j < 6; ++j)
        mass.add(kane.M(i, j), table.at(row, "M" + std::to_string(i + 1) + std::to_string(j + 1)));
      coriolis.add(Cu[i], table.at(row, numbered("Cu", i + 1)));
    }
    energy.add(system.energy(state).total(), table.at(row, "E"));
  }
  const std::string source = "oracle: symbolic Lagrange equations, vessel_states.csv";
  const std::string name = std::to_string(table.rows()) + " random states";
  // The references carry 16 digits; accelerations lose what the condition of M (about 1e3) takes.
  check.at_most(name, "accelerations, relative to the largest", "", source, accelerations.relative(), 1e-12);
  check.at_most(name, "constraint forces in frame 2, relative to the largest", "", source, rho.relative(), 1e-12);
  check.at_most(name, "constraint forces in frame 1, relative to the largest", "", source, frame1.relative(), 1e-12);
  check.at_most(name, "mass matrix (38), relative to the largest", "", source, mass.relative(), 1e-13);
  check.at_most(name, "C u of (38), relative to the largest", "", source, coriolis.relative(), 1e-13);
  check.at_most(name, "energy", "", source, energy.relative(), 1e-13);
}

// Steps to given times and hands the evaluated system over.
template <class Visit>
void follow(const Scenario& scenario, double tolerance, double end, double interval, Visit visit) {
  struct Visitor final : Observer {
    Visit& visit;
    explicit Visitor(Visit& v) : visit(v) {}
    void record(const State& s, System& system) override { visit(s, system); }
  } observer(visit);
  System system(*scenario.model);
  State state = scenario.initial_state();
  const auto stepper = make_dormand_prince(*scenario.model, {.tolerance = tolerance});
  simulate(system, *stepper, state, {.end = end, .step = 1, .output = interval}, observer);
}

void hoisting_operation(Checker& check) {
  const NumberTable table("vessel_pd.csv");
  const Scenario scenario = load({});
  Deviation angles, rates, accelerations, torques, rho, frame1, energy;
  Wrench last;
  double worst_balance = 0, largest_reaction = 0, worst_auxiliary = 0, power_identity = 0, skew_identity = 0;
  size_t row = 0;
  follow(scenario, 1e-12, 20, 1, [&](const State& s, System& system) {
    const Workspace& w = system.workspace();
    for (int i = 0; i < 6; ++i) {
      angles.add(s.q[i], table.at(row, numbered("q", i + 1)));
      rates.add(s.u[i], table.at(row, numbered("u", i + 1)));
      accelerations.add(w.a[i], table.at(row, numbered("q", i + 1, "dd")));
    }
    for (int i = 0; i < 3; ++i) torques.add(w.w[static_cast<size_t>(i)], table.at(row, numbered("tau", i + 4)));
    last = scenario.tree->reaction(w.kin, w.transmitted, 1, Tree::Axes::body);
    add_wrench(rho, last, table, row, rho_columns);
    add_wrench(frame1, scenario.tree->reaction(w.kin, w.transmitted, 1, Tree::Axes::parent), table, row,
               frame1_columns);
    energy.add(system.energy(s).total(), table.at(row, "E"));
    for (size_t body = 0; body < scenario.tree->bodies_of_tree().size(); ++body) {
      const Wrench joint = w.transmitted[static_cast<size_t>(scenario.tree->bodies_of_tree()[body].first_segment)];
      largest_reaction = std::max(largest_reaction, joint.vector().norm());
      worst_balance = std::max(
          worst_balance,
          (joint - momentum_balance(*scenario.tree, s, w.kin, w.loads, w.a, static_cast<int>(body))).vector().norm());
      worst_auxiliary =
          std::max(worst_auxiliary,
                   (joint - auxiliary_speed_reaction(*scenario.tree, w.kin, w.loads, w.a, static_cast<int>(body)))
                       .vector()
                       .norm());
    }
    const KaneMatrices kane = kane_matrices(*scenario.tree, w.kin);
    const double scale = kane.M_dot.norm() * s.u.squaredNorm();
    if (scale > 0)
      power_identity = std::max(power_identity, std::abs(s.u.dot((kane.M_dot - 2 * kane.C) * s.u)) / scale);
    const MatX skew = kane.M_dot - 2 * kane.C_skew;
    if (scale > 0) skew_identity = std::max(skew_identity, (skew + skew.transpose()).norm() / kane.M_dot.norm());
    ++row;
  });
  const std::string name = "hoisting operation, 20 s",
                    source = "oracle: the same equations integrated to 1e-12, vessel_pd.csv";
  check.at_most(name, "joint angles at 21 instants, relative to the largest", "", source, angles.relative(), 1e-12);
  check.at_most(name, "joint rates, relative to the largest", "", source, rates.relative(), 1e-11);
  check.at_most(name, "accelerations, relative to the largest", "", source, accelerations.relative(), 1e-9);
  check.at_most(name, "torques, relative to the largest", "", source, torques.relative(), 1e-10);
  check.at_most(name, "constraint forces in frame 2, relative to the largest", "", source, rho.relative(), 1e-10);
  check.at_most(name, "constraint forces in frame 1, relative to the largest", "", source, frame1.relative(), 1e-10);
  check.at_most(name, "energy", "", source, energy.relative(), 1e-12);
  check.relative(name, "Mx2 at 20 s", "N m", 498.0801072943749, source, last.n.x(), 1e-10);
  check.relative(name, "Fz2 at 20 s", "N", 879.7435934798525, source, last.f.z(), 1e-10);
  check.at_most(name, "reaction_vs_newton_euler", "",
                "invariant: rate of momentum of all outboard bodies, by dual numbers", worst_balance / largest_reaction,
                1e-9);
  check.at_most(name, "reaction_vs_auxiliary_speeds", "", "published: " + paper + " (39)-(50) with full matrices",
                worst_auxiliary / largest_reaction, 1e-9);
  check.at_most(name, "power_identity", "", "invariant: uᵀ(Ṁ - 2C)u = 0 for C of " + paper + " (38)", power_identity,
                1e-12);
  check.at_most(name, "skew_symmetry", "", "published: Tysse & Egeland (15)-(16), Ṁ - 2C skew-symmetric", skew_identity,
                1e-12);
}

void free_motion(Checker& check) {
  const Scenario scenario = load(
      {without("control", "operation"),
       without("operation", "limits"),
       {"joint: roll_pitch_yaw",
        "joint: roll_pitch_yaw\n    start: {roll_rate: 0.05 rad/s, pitch_rate: -0.04 rad/s, yaw_rate: 0.03 rad/s}"},
       {"inertia: [10 kg m^2, 10 kg m^2, 1 kg m^2]",
        "inertia: [10 kg m^2, 10 kg m^2, 1 kg m^2]\n    start: {angle_rate: 0.4 rad/s}"},
       {"start: {angle: 1.2 rad}", "start: {angle: 1.2 rad, angle_rate: 0.3 rad/s}"},
       {"start: {angle: -2 rad}", "start: {angle: -2 rad, angle_rate: -0.5 rad/s}"}});
  double first = 0, drift = 0;
  bool started = false;
  follow(scenario, 1e-12, 60, 0.1, [&](const State& s, System& system) {
    const double energy = system.energy(s).total();
    if (!started) first = energy, started = true;
    drift = std::max(drift, std::abs(energy - first));
  });
  check.at_most("undriven, all joints moving, 60 s", "energy_drift", "", "invariant: energy is constant",
                drift / std::abs(first), 1e-9);
}

// The king set free and held by a hinge constraint instead: the same motion, and the multipliers are the reaction.
void loop_instead_of_joint(Checker& check) {
  const std::vector<std::pair<std::string, std::string>> undriven = {
      without("control", "operation"), without("operation", "limits"), without("limits", "run")};
  auto changes = undriven;
  changes.push_back({"joint: {revolute: z}", "joint: free"});
  changes.push_back({"mass: 1.2 t", "mass: 1.2 t\n    points: {top: [0, 0, 5 m]}"});
  changes.push_back({"\nforces:", "\nconstraints: {slew: {hinge: {from: vessel.top, to: king, axis: z}}}\n\nforces:"});
  const Scenario by_joint = load(undriven), by_loop = load(changes);
  std::vector<Vec3> tips;
  std::vector<Wrench> reactions;
  const auto tip = [](const Scenario& scenario, const Kin& kin) {
    return position(kin, scenario.tree->frame("outer", Pose{Mat3::Identity(), Vec3(2, 0, 0)}));
  };
  follow(by_joint, 1e-12, 3, 0.1, [&](const State&, System& system) {
    const Workspace& w = system.workspace();
    tips.push_back(tip(by_joint, w.kin));
    reactions.push_back(w.transmitted[static_cast<size_t>(by_joint.tree->body("king").last_segment)]);
  });
  double position_error = 0, reaction_error = 0, largest = 0;
  size_t row = 0;
  follow(by_loop, 1e-12, 3, 0.1, [&](const State&, System& system) {
    const Workspace& w = system.workspace();
    Wrench loop;
    for (const auto& e : w.rows.jacobian.entries)
      if (e.body == by_loop.tree->body("king").last_segment)
        loop += w.rows.lambda[e.row] * e.wrench(system.workspace().kin);
    position_error = std::max(position_error, (tip(by_loop, w.kin) - tips.at(row)).norm());
    reaction_error = std::max(reaction_error, (loop - reactions.at(row)).vector().norm());
    largest = std::max(largest, reactions.at(row).vector().norm());
    ++row;
  });
  const std::string name = "king held by a constraint, undriven 3 s",
                    source = "invariant: a joint and its equivalent constraint";
  check.at_most(name, "tip of the outer boom", "m", source, position_error, 1e-9);
  check.at_most(name, "reaction_vs_constraint", "", source, reaction_error / largest, 1e-9);
}

void static_equilibrium(Checker& check) {
  const Scenario scenario = load({});
  System system(*scenario.model);
  State start = scenario.initial_state();
  system.commit(start);
  const Equilibrium rest = find_equilibrium(system, start);
  check.at_most("static equilibrium", "acceleration that remains", "", "invariant: F = 0",
                rest.converged ? rest.residual : 1, 1e-10);
  system.evaluate(rest.state);
  const Workspace& w = system.workspace();
  double above = 0;
  for (int body = 3; body >= 0; --body) {
    const TreeBody& b = scenario.tree->bodies_of_tree()[static_cast<size_t>(body)];
    above += b.body.mass * 9.81;
    check.relative("static equilibrium", "static_weight on the joint of " + b.body.name, "N", above,
                   "exact: weight of all above", w.transmitted[static_cast<size_t>(b.first_segment)].f.z(), 1e-9);
  }
}

void convergence(Checker& check) {
  const Scenario scenario = load({});
  const auto end_state = [&](double step) {
    System system(*scenario.model);
    State s = scenario.initial_state();
    const auto stepper = make_rk4(*scenario.model);
    for (long i = 0; i < std::lround(4 / step); ++i) stepper->step(system, s, step);
    return s.q;
  };
  const VecX fine = end_state(0.000625), middle = end_state(0.00125), coarse = end_state(0.0025);
  check.order("hoisting operation, 4 s", "order of rk4", 4, "exact: the method's order",
              std::log2((coarse - middle).norm() / (middle - fine).norm()), 0.2);
}

}  // namespace

void crane_on_vessel(Checker& check) {
  random_states(check);
  hoisting_operation(check);
  free_motion(check);
  loop_instead_of_joint(check);
  static_equilibrium(check);
  convergence(check);
}

}  // namespace davit::verify
