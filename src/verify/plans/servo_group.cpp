// Cranes of the thesis on servo constraints: inputs against exact references, and each method against its own table.
#include "verify/plans/servo_plans.hpp"

namespace davit::verify {

namespace {

using inverse_dynamics::Instant;
using inverse_dynamics::Method;
using inverse_dynamics::Plan;
using inverse_dynamics::Scheme;

const char* const exact = "exact: Taylor arithmetic of another code, replayed forward";
const char* const euler = "exact: the published scheme, solved by another code";
const char* const theory = "published: order of the scheme for this index";

// Both step methods of the thesis, and the higher orders, on one crane.
void check_orders(Checker& check, const std::string& name, const ServoCrane& crane, const Plan& reference, double step,
                  double from, double to) {
  const auto order = [&](Method method, Scheme scheme) {
    return input_order(crane, {method, scheme, step}, reference, from, to);
  };
  check.order(name, "inputs, backward Euler on minimal extension", 1, theory,
              order(Method::minimal_extension, Scheme::backward_euler), 0.15);
  check.order(name, "inputs, backward Euler on projection", 1, theory,
              order(Method::projection, Scheme::backward_euler), 0.15);
  check.order(name, "inputs, backward Euler on projection with constraints", 1, theory,
              order(Method::projection_constrained, Scheme::backward_euler), 0.15);
  check.order(name, "inputs, BDF2 on minimal extension", 2, theory, order(Method::minimal_extension, Scheme::bdf2),
              0.3);
  // Index-3 variables of Radau IIA of s = 3 stages: order s - 1 (Hairer, Lubich & Roche 1989).
  check.order(name, "inputs, Radau IIA on minimal extension", 2, theory,
              order(Method::minimal_extension, Scheme::radau), 0.3);
}

}  // namespace

void servo_overhead(Checker& check) {
  const ServoCrane dependent = overhead_crane_dependent(), minimal = overhead_crane_minimal();
  check_analysis(check, "dependent coordinates", dependent, {5, 3, 1});
  check_analysis(check, "tree", minimal, {5, 3, 1});
  const NumberTable table("overhead_crane.csv");
  const auto columns = [](const ServoCrane& crane) {
    return std::vector<TableColumn>{coordinate_column(crane, "s", "s"), coordinate_column(crane, "beta", "beta")};
  };
  const std::vector<TableColumn> inputs{input_column("F", 0), input_column("M", 1)};
  Plan fine;
  for (const double step : {0.15, 0.05, 0.01}) {
    const Plan plan = plan_of(dependent, {.step = step});
    const std::string name = "algebraic, step " + std::to_string(step).substr(0, 4) + " s";
    check.at_most(name, "coordinates", "m, rad", exact, table_error(plan, table, columns(dependent)), 1e-9);
    check.at_most(name, "inputs, of the largest", "1", exact, table_error(plan, table, inputs), 1e-6);
    fine = plan;
  }
  check.at_most("algebraic", "tension", "N", exact,
                table_error(fine, table, {{"tension", [](const Instant& at) { return -at.lambda[0]; }}}), 1e-6);
  const Plan tree = plan_of(minimal, {.step = 0.01});
  check.at_most("tree", "coordinates", "m, rad", exact, table_error(tree, table, columns(minimal)), 1e-9);
  check.at_most("tree and dependent coordinates", "difference of inputs", "1", "invariant: the same crane",
                input_difference(tree, fine), 1e-8);
  for (const double step : {0.1, 0.01}) {
    const std::string file = step == 0.1 ? "overhead_crane_BE_dt0.1.csv" : "overhead_crane_BE_dt0.01.csv";
    const NumberTable history(file);
    const Plan by_euler = plan_of(dependent, {Method::minimal_extension, Scheme::backward_euler, step});
    const std::string name = "backward Euler (5.38), step " + std::to_string(step).substr(0, 4) + " s";
    check.at_most(name, "coordinate s", "m", euler,
                  table_error(by_euler, history, {coordinate_column(dependent, "s", "s")}), 1e-8);
    check.at_most(name, "inputs, of the largest", "1", euler, table_error(by_euler, history, inputs), 1e-8);
    check.at_most(name, "tension/length", "N/m", euler,
                  table_error(by_euler, history,
                              {{"lambda5", [](const Instant& at) { return -at.lambda[0] / (0.1 * at.q[3]); }}}),
                  1e-7);
  }
  check.at_most("commuting diagram, Fig. 5.1", "difference of inputs of (5.40) and (5.38) at 0.1 s", "1",
                "published: minimal extension and minimal coordinates commute",
                input_difference(plan_of(minimal, {Method::minimal_extension, Scheme::backward_euler, 0.1}),
                                 plan_of(dependent, {Method::minimal_extension, Scheme::backward_euler, 0.1})),
                1e-8);
  check_orders(check, "overhead crane", dependent, plan_of(dependent, {.step = 0.0025}), 0.01, 0.5, 2.5);
  check_replay(check, "dependent coordinates", dependent, plan_of(dependent, {.step = 0.005}), 0.0025, 1e-6);
  check_replay(check, "tree", minimal, plan_of(minimal, {.step = 0.005}), 0.0025, 1e-6);
}

void servo_rotary(Checker& check) {
  const ServoCrane dependent = rotary_crane_dependent(RotarySet::B), minimal = rotary_crane_minimal(RotarySet::B);
  check_analysis(check, "set B, dependent coordinates", dependent, {5, 5, 1});
  const NumberTable table("rotary_crane_B.csv");
  const std::vector<TableColumn> inputs{input_column("Mb", 0), input_column("Ft", 1), input_column("Mw", 2)};
  const auto columns = [](const ServoCrane& crane) {
    return std::vector<TableColumn>{coordinate_column(crane, "phi", "phi"), coordinate_column(crane, "s", "s"),
                                    coordinate_column(crane, "l", "beta", 0.1)};
  };
  Plan reference;
  for (const double step : {1.0, 0.1}) {
    reference = plan_of(dependent, {.step = step});
    const std::string name = "set B, algebraic, step " + std::to_string(step).substr(0, 3) + " s";
    check.at_most(name, "coordinates", "m, rad", exact, table_error(reference, table, columns(dependent)), 1e-9);
    check.at_most(name, "inputs, of the largest", "1", exact, table_error(reference, table, inputs), 1e-6);
  }
  check.at_most("set B, tree and dependent coordinates", "difference of inputs", "1", "invariant: the same crane",
                input_difference(plan_of(minimal, {.step = 0.1}), reference), 1e-8);
  for (const double step : {1.0, 0.1}) {
    const NumberTable history(step == 1.0 ? "rotary_crane_B_BE_dt1.csv" : "rotary_crane_B_BE_dt0.1.csv");
    const Plan by_euler = plan_of(dependent, {Method::minimal_extension, Scheme::backward_euler, step});
    const std::string name = "set B, backward Euler (5.38), step " + std::to_string(step).substr(0, 3) + " s";
    check.at_most(name, "coordinates", "m, rad", euler, table_error(by_euler, history, columns(dependent)), 1e-8);
    check.at_most(name, "inputs, of the largest", "1", euler, table_error(by_euler, history, inputs), 1e-8);
  }
  check_orders(check, "rotary crane", dependent, plan_of(dependent, {.step = 0.0125}), 0.05, 6, 14);
  check_replay(check, "set B, dependent coordinates", dependent, plan_of(dependent, {.step = 0.02}), 0.01, 1e-6);
  check_replay(check, "set B, tree", minimal, plan_of(minimal, {.step = 0.02}), 0.01, 1e-6);
  // The crane of section 2.4 in three kinds of coordinates. Inputs of the winch as forces on its rope.
  const auto of_section_2 = [](RotaryCoordinates coordinates) {
    const ServoCrane crane = rotary_crane_of_section_2(coordinates);
    Plan plan = plan_of(crane, {.step = 1});
    for (Instant& at : plan.points) at.w[2] /= crane.hoist_ratio;
    return plan;
  };
  const Plan tree = of_section_2(RotaryCoordinates::joints);
  check.at_most("section 2.4, tree and rope", "difference of inputs", "1", "invariant: the same crane",
                input_difference(of_section_2(RotaryCoordinates::rope), tree), 1e-8);
  check.at_most("section 2.4, tree and 42 coordinates of directors", "difference of inputs", "1",
                "invariant: the same crane", input_difference(of_section_2(RotaryCoordinates::directors), tree), 1e-8);
}

void servo_navy(Checker& check) {
  const ServoCrane planar = navy_planar(0), spatial = navy_spatial(0);
  const ServoCrane planar_mass = navy_planar(150), spatial_mass = navy_spatial(5);
  check_analysis(check, "planar, no pulley mass", planar, {5, 4, 1});
  check_analysis(check, "spatial, no pulley mass", spatial, {5, 7, 1});
  check_analysis(check, "planar, pulley mass", planar_mass, {5, 4, 2});
  check_analysis(check, "spatial, pulley mass", spatial_mass, {7, 7, 2});

  const auto inputs_of = [](std::vector<std::string> names) {
    std::vector<TableColumn> columns;
    for (size_t i = 0; i < names.size(); ++i) columns.push_back(input_column(names[i], static_cast<int>(i)));
    return columns;
  };
  const NumberTable planar_table("navy_planar_massless.csv"), spatial_table("navy_3d_massless.csv");
  const Plan planar_plan = plan_of(planar, {.step = 0.01});
  check.at_most("planar, no pulley mass, algebraic from 0.15 s", "pulley", "m", exact,
                table_error(planar_plan, planar_table,
                            {coordinate_column(planar, "x0", "x0"), coordinate_column(planar, "z0", "z0")}, 0.15),
                1e-7);
  check.at_most("planar, no pulley mass, algebraic from 0.15 s", "inputs, of the largest", "1", exact,
                table_error(planar_plan, planar_table, inputs_of({"u1", "u2"}), 0.15), 1e-6);
  check.at_most("planar, no pulley mass, start at a singular height", "rope of the pulley begins at", "m",
                "exact: limit of 0/0, as given at the start",
                planar_plan.points.empty() ? 1 : std::abs(planar_plan.points[0].q[1] + 5), 1e-12);
  const Plan spatial_plan = plan_of(spatial, {.step = 0.1});
  check.at_most("spatial, no pulley mass, algebraic from 1 s", "slewing angle and pulley", "m, rad", exact,
                table_error(spatial_plan, spatial_table,
                            {coordinate_column(spatial, "phi", "phi"), coordinate_column(spatial, "x0", "pulley.x"),
                             coordinate_column(spatial, "z0", "pulley.z")},
                            1),
                1e-7);
  check.at_most("spatial, no pulley mass, algebraic from 1 s", "inputs, of the largest", "1", exact,
                table_error(spatial_plan, spatial_table, inputs_of({"u1", "u3", "u4"}), 1), 1e-6);
  const auto of_euler = [&](const ServoCrane& crane, const char* file, std::vector<std::string> names) {
    return table_error(plan_of(crane, {Method::minimal_extension, Scheme::backward_euler, 0.1}), NumberTable(file),
                       inputs_of(std::move(names)));
  };
  check.at_most("planar, no pulley mass, backward Euler (5.118)", "inputs, of the largest", "1", euler,
                of_euler(planar, "navy_planar_massless_BE_dt0.1.csv", {"u1_BE", "u2_BE"}), 1e-7);
  // The thesis has two coordinates in the place of the slewing angle, so the scheme differs in the slewing moment.
  check.at_most("spatial, no pulley mass, backward Euler (5.118)", "torques of the winches, of the largest", "1", euler,
                of_euler(spatial, "navy_3d_massless_BE_dt0.1.csv", {"u1_BE", "u3_BE"}), 1e-7);
  check_replay(check, "planar, pulley mass", planar_mass, plan_of(planar_mass, {.step = 0.005}), 0.0025, 1e-6);
  // Ropes that push, which the thesis does not say: 1.642 to 2.425 s.
  double from = 0, to = 0;
  for (const Instant& at : planar_plan.points)
    if (at.t > 0.5 && at.lambda[1] > 0) {
      if (from == 0) from = at.t;
      to = at.t;
    }
  check.absolute("planar, no pulley mass", "the second rope pushes from", "s", 1.642,
                 "exact: reference solution of another code", from, 0.011);
  check.absolute("planar, no pulley mass", "the second rope pushes until", "s", 2.425,
                 "exact: reference solution of another code", to, 0.011);
}

void servo_cablev(Checker& check) {
  const ServoCrane crane = cablev();
  check_analysis(check, "translation", crane, {5, 10, 4});
  const NumberTable table("cablev_translation.csv");
  std::vector<TableColumn> coordinates, inputs, robot;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    coordinates.push_back(coordinate_column(crane, "pg" + n, "pg" + n));
    inputs.push_back(input_column("ug" + n, i));
  }
  for (int i = 1; i < 4; ++i) {
    const std::string n = std::to_string(i);
    coordinates.push_back(coordinate_column(crane, "pc" + n, "beta" + n, 0.1));
    inputs.push_back(input_column("uc" + n, 3 + i));
  }
  for (const double step : {1.0, 0.1}) {
    const Plan plan = plan_of(crane, {.step = step});
    const std::string name = "translation, algebraic, step " + std::to_string(step).substr(0, 3) + " s";
    check.at_most(name, "coordinates", "m", exact, table_error(plan, table, coordinates), 1e-9);
    check.at_most(name, "inputs, of the largest", "1", exact, table_error(plan, table, inputs), 1e-6);
  }
  const NumberTable history("cablev_translation_BE_dt0.1.csv");
  std::vector<TableColumn> by_euler;
  for (int i = 0; i < 4; ++i) by_euler.push_back(input_column("ug" + std::to_string(i) + "_BE", i));
  for (int i = 1; i < 4; ++i) by_euler.push_back(input_column("uc" + std::to_string(i) + "_BE", 3 + i));
  check.at_most(
      "translation, backward Euler (5.118)", "inputs, of the largest", "1", euler,
      table_error(plan_of(crane, {Method::minimal_extension, Scheme::backward_euler, 0.1}), history, by_euler), 1e-8);
  check_replay(check, "translation", crane, plan_of(crane, {.step = 0.05}), 0.025, 1e-6);
  const ServoCrane turned = cablev({.translate = false, .turn = 0.6, .axis = Vec3(0.2, 0.1, 1).normalized()});
  check_replay(check, "rotation by 0.6 rad about a tilted axis", turned, plan_of(turned, {.step = 0.05}), 0.025, 1e-6);
  const ServoCrane both = cablev({.translate = true, .turn = 0.6, .axis = Vec3(0.2, 0.1, 1).normalized()});
  check_replay(check, "translation and rotation", both, plan_of(both, {.step = 0.05}), 0.025, 1e-6);
}

}  // namespace davit::verify
