// The 11-degree-of-freedom ship crane against quad-precision states and a minute of motion.
#include <cmath>

#include "davit/solve/stepper.hpp"
#include "verify/embedded.hpp"
#include "verify/vessels/ship_crane.hpp"
#include "verify/vessels/vessel_cases.hpp"

namespace davit::verify {

namespace {

class GivenLoads final : public ForceOf<GivenLoads> {
 public:
  GivenLoads(int hull, const Wrench& in_hull_axes, std::vector<double> tau)
      : ForceOf("given loads"), hull_(hull), wrench_(in_hull_axes), tau_(std::move(tau)) {}
  std::string summary() const override { return name(); }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const auto& R = c.kin.body[static_cast<size_t>(hull_)].R;
    loads.wrench[static_cast<size_t>(hull_)] += WrenchT<S>{R * as<S>(wrench_.n), R * as<S>(wrench_.f)};
    for (size_t i = 0; i < tau_.size(); ++i) loads.tau[6 + i] += S(tau_[i]);
  }

 private:
  int hull_;
  Wrench wrench_;
  std::vector<double> tau_;
};

Vec3 vec(const NumberTable& t, size_t row, const std::string& prefix, const char* a, const char* b, const char* c) {
  return {t.at(row, prefix + a), t.at(row, prefix + b), t.at(row, prefix + c)};
}

void states(Checker& check, bool massless) {
  const NumberTable table("shipcrane_states.csv");
  double hull_error = 0, hull_scale = 0, joint_error = 0, joint_scale = 0, wrench_error = 0, wrench_scale = 0;
  for (size_t row = 0; row < table.rows(); ++row) {
    const ShipCrane crane = make_ship_crane({.massless_link = massless});
    ModelParts parts;
    parts.blocks = {crane.tree};
    parts.body_names = crane.tree->segment_names();
    for (const auto& f : crane.model->forces()) parts.forces.push_back(f.element);
    std::vector<double> tau;
    for (int i = 1; i <= 5; ++i) tau.push_back(table.at(row, "tau" + std::to_string(i)));
    const Wrench applied{vec(table, row, "Wapp_", "mx", "my", "mz"), vec(table, row, "Wapp_", "fx", "fy", "fz")};
    parts.forces.push_back(std::make_shared<GivenLoads>(crane.tree->body("hull").last_segment, applied, tau));
    const Model model(std::move(parts));
    System system(model);
    State s = model.initial_state();
    s.q.head(7) << table.at(row, "quat_w"), vec(table, row, "quat_", "x", "y", "z"), vec(table, row, "", "x", "y", "z");
    s.u.head(6) << vec(table, row, "w_b", "x", "y", "z"), vec(table, row, "v_b", "x", "y", "z");
    for (int i = 0; i < 5; ++i) {
      s.q[7 + i] = table.at(row, "q" + std::to_string(i + 1));
      s.u[6 + i] = table.at(row, "qd" + std::to_string(i + 1));
    }
    system.evaluate(s);
    const Workspace& w = system.workspace();
    const Vec3 wdot = vec(table, row, "wdot_b", "x", "y", "z"), vdot = vec(table, row, "vdot_b", "x", "y", "z");
    hull_error = std::max({hull_error, (w.a.head<3>() - wdot).norm(), (w.a.segment<3>(3) - vdot).norm()});
    hull_scale = std::max({hull_scale, wdot.norm(), vdot.norm()});
    for (int i = 0; i < 5; ++i) {
      const double reference = table.at(row, "qdd" + std::to_string(i + 1));
      joint_error = std::max(joint_error, std::abs(w.a[6 + i] - reference));
      joint_scale = std::max(joint_scale, std::abs(reference));
    }
    // J_i: the wrench of link i-1 on link i about the origin of frame i-1, in NED; without link 4, J4 and J5 are one.
    const auto& bodies = crane.tree->bodies_of_tree();
    for (size_t b = 1; b < bodies.size(); ++b) {
      const size_t link = massless && b == 4 ? 5 : b;
      const std::string prefix = "J" + std::to_string(link) + "_";
      const Wrench reference{vec(table, row, prefix, "mx", "my", "mz"), vec(table, row, prefix, "fx", "fy", "fz")};
      const Wrench& computed = w.transmitted[static_cast<size_t>(bodies[b].first_segment)];
      wrench_error = std::max(wrench_error, (computed - reference).vector().norm());
      wrench_scale = std::max(wrench_scale, reference.vector().norm());
    }
  }
  const std::string source = "oracle: quad precision, five codes, shipcrane_states.csv";
  const std::string name = massless ? "five states, massless universal joint" : "five states, link 4 of 1e-6 kg";
  // The references have link 4 with 1e-6 kg and 1e-6 kg m²: without it the wrenches differ by its inertia, 1e-12 of
  // theirs.
  const double tolerance = massless ? 1e-10 : 1e-12;
  check.at_most(name, "hull accelerations, relative to the largest", "", source, hull_error / hull_scale, tolerance);
  check.at_most(name, "joint accelerations, relative to the largest", "", source, joint_error / joint_scale, tolerance);
  check.at_most(name, "joint wrenches, relative to the largest", "", source, wrench_error / wrench_scale, tolerance);
}

void minute(Checker& check) {
  const ShipCrane crane = make_ship_crane({.kp = 1e8, .kd = 1e7});
  System system(*crane.model);
  State s = crane.model->initial_state();
  const auto stepper = make_rk4(*crane.model);
  for (int i = 0; i < 6000; ++i) stepper->step(system, s, 0.01);
  system.evaluate(s);
  const auto& hull = system.workspace().kin.body[static_cast<size_t>(crane.tree->body("hull").last_segment)];
  const Vec3 rpy = rpy_of_rotation(hull.R);
  const std::string name = "60 s with rk4 at 10 ms", source = "oracle: converged solution of independent codes";
  // The tolerance is the error of plain RK4 at this step.
  check.absolute(name, "heave", "m", 0.0614119159, source, hull.p.z(), 1.9e-7);
  check.absolute(name, "roll", "rad", 0.0695526975, source, rpy.x(), 1.9e-7);
  check.absolute(name, "yaw", "rad", 0.2551343603, source, rpy.z(), 1.9e-7);
  check.absolute(name, "q4", "rad", -0.1591492263, source, s.q[10], 1.9e-7);
}

}  // namespace

void ship_crane(Checker& check) {
  states(check, false);
  states(check, true);
  minute(check);
  ship_crane_linear(check);
  ship_crane_in_waves(check);
}

}  // namespace davit::verify
