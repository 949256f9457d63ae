// The cranes of the thesis on servo constraints as files: what `davit plan` finds for them, beside the exact references
// and the same cranes put together by hand (servo_cranes.hpp).
#include <algorithm>
#include <numbers>

#include "davit/scenario/lift_plan.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/plans/servo_plans.hpp"

namespace davit::verify {

namespace {

using inverse_dynamics::Instant;
using inverse_dynamics::Plan;

const char* const exact = "exact: Taylor arithmetic of another code, replayed forward";
const char* const by_hand = "invariant: the same crane put together by hand";

LiftPlan plan_of_file(const std::string& file, const std::string& step = "") {
  input::Problems problems;
  std::vector<std::string> settings;
  if (!step.empty()) settings.push_back("plan.step=" + step);
  const auto scenario = load_scenario(in_source("scenarios/thesis_cranes/" + file + ".yaml"), settings, problems);
  auto made = scenario ? plan_lift(*scenario, problems) : std::nullopt;
  if (!made || !made->plan.complete) throw std::runtime_error(problems.to_text());
  return *std::move(made);
}

// A coordinate of the plan's model by the name of its speed.
TableColumn coordinate(const LiftPlan& made, const std::string& table, const std::string& name) {
  const Model& model = *made.model.model;
  const auto names = model.speed_names();
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end() || model.nq() != model.nu()) throw std::runtime_error("the plan has no coordinate " + name);
  const auto q = at - names.begin();
  return {table, [q](const Instant& now) { return now.q[q]; }};
}

// The coordinate of an input, of a winch the rope that is out, where the table has it with what it is at the start.
TableColumn moved(const LiftPlan& made, const std::string& table, const std::string& input, double factor = 1,
                  double offset = 0) {
  for (const PlannedInput& each : made.model.inputs)
    if (each.name == input)
      return {table, [each, factor, offset](const Instant& now) { return offset + factor * travel(each, now); }};
  throw std::runtime_error("the plan has no input " + input);
}

std::vector<TableColumn> inputs(const std::vector<std::string>& names) {
  std::vector<TableColumn> columns;
  for (size_t i = 0; i < names.size(); ++i) columns.push_back(input_column(names[i], static_cast<int>(i)));
  return columns;
}

void check_problem(Checker& check, const std::string& name, const LiftPlan& made, int index) {
  check.absolute(name, "differentiation index", "1", index, "published: chapters 5 and 6 of the thesis",
                 made.analysis.index.value_or(0), 0);
  check.absolute(name, "internal states", "1", 0, "published: the crane is flat",
                 made.analysis.flat ? 0 : made.analysis.internal_states, 0);
}

// Coordinates and inputs beside a table.
void check_table(Checker& check, const std::string& name, const LiftPlan& made, const char* file,
                 const std::vector<TableColumn>& coordinates, const std::vector<TableColumn>& forces, double from = 0) {
  const NumberTable table(file);
  check.at_most(name, "coordinates", "m, rad", exact, table_error(made.plan, table, coordinates, from), 1e-9);
  check.at_most(name, "inputs, of the largest", "1", exact, table_error(made.plan, table, forces, from), 1e-8);
}

void check_by_hand(Checker& check, const std::string& name, const LiftPlan& made, const ServoCrane& crane,
                   const PlanBy& by, double from = 0, double to = 1e300) {
  check.at_most(name, "difference of inputs", "1", by_hand, input_difference(made.plan, plan_of(crane, by), from, to),
                1e-8);
}

// Without the instants that were interpolated past a singular place, whose stretches are told.
void leave_out_interpolated(LiftPlan& made) {
  auto& points = made.plan.points;
  points.erase(std::remove_if(points.begin(), points.end(),
                              [&](const Instant& at) {
                                return std::any_of(
                                    made.plan.singular.begin(), made.plan.singular.end(),
                                    [&](const auto& s) { return at.t > s.from - 1e-9 && at.t < s.to + 1e-9; });
                              }),
               points.end());
}

// Inputs at one instant, by the formulas of the flat system with derivatives to 20 digits.
void check_instant(Checker& check, const std::string& name, const LiftPlan& made, double t,
                   const std::vector<double>& inputs) {
  for (const Instant& at : made.plan.points) {
    if (std::abs(at.t - t) > 1e-9) continue;
    for (size_t i = 0; i < inputs.size(); ++i)
      check.relative(name, "input of " + made.model.inputs[i].name, made.model.inputs[i].unit, inputs[i],
                     "exact: closed formulas of the flat system", at.w[static_cast<Eigen::Index>(i)], 1e-9);
    return;
  }
  throw std::runtime_error("the plan has no instant " + std::to_string(t));
}

void overhead_and_rotary(Checker& check) {
  const LiftPlan overhead = plan_of_file("overhead_crane");
  check_problem(check, "overhead crane", overhead, 5);
  check_table(check, "overhead crane", overhead, "overhead_crane.csv",
              {moved(overhead, "s", "trolley"), moved(overhead, "beta", "winch", 10, 40)}, inputs({"F", "M"}));
  check_by_hand(check, "overhead crane", overhead, overhead_crane_dependent(), {.step = 0.01});

  const LiftPlan b = plan_of_file("rotary_crane_B", "0.1 s");
  check_problem(check, "rotary crane B", b, 5);
  check_table(check, "rotary crane B", b, "rotary_crane_B.csv",
              {moved(b, "phi", "girder"), moved(b, "s", "trolley"), moved(b, "l", "winch", 1, 5)},
              inputs({"Mb", "Ft", "Mw"}));
  check_by_hand(check, "rotary crane B", b, rotary_crane_dependent(RotarySet::B), {.step = 0.1});

  const LiftPlan a = plan_of_file("rotary_crane_A", "0.1 s");
  check_problem(check, "rotary crane A", a, 5);
  check_instant(check, "rotary crane A, 3 s", a, 3, {15.0818873592, -7.14815247065, -9.90488002125});
  check_by_hand(check, "rotary crane A", a, rotary_crane_dependent(RotarySet::A), {.step = 0.1});
  check_by_hand(check, "rotary crane A, by hand as a tree", a, rotary_crane_minimal(RotarySet::A), {.step = 0.1});
}

// (5.140) with forces on the ropes of both winches, which have no inertia.
void two_winches(Checker& check) {
  const LiftPlan made = plan_of_file("rotary_crane_two_winches", "0.1 s");
  check_problem(check, "two winches on the girder", made, 5);
  const double pulley = 0.1;
  check_table(check, "two winches on the girder, (5.140)", made, "rotary_crane_B.csv",
              {coordinate(made, "phi", "girder.angle"), coordinate(made, "s", "trolley.travel"),
               coordinate(made, "l", "load.travel")},
              {{"Ft", [](const Instant& at) { return at.w[0] + at.w[1]; }, true},
               {"Mw", [&](const Instant& at) { return pulley * at.w[1]; }, true},
               {"Mb", [](const Instant& at) { return at.w[2]; }, true}});
  double least = 1e300;
  for (const Instant& at : made.plan.points)
    for (const auto& rope : made.model.ropes)
      if (rope.name == "haul") least = std::min(least, at.lambda[rope.row]);
  check.trend("two winches on the girder", "push in the rope of the trolley, at least", "N", Checker::Side::above, 0,
              "exact: the hoist rope alone pulls with m g", least);
}

void navy(Checker& check) {
  LiftPlan planar = plan_of_file("navy_planar_massless");
  const LiftPlan spatial = plan_of_file("navy_spatial_massless");
  leave_out_interpolated(planar);
  check_problem(check, "Navy, planar, no pulley mass", planar, 5);
  check_table(check, "Navy, planar, no pulley mass, beside singular places", planar, "navy_planar_massless.csv",
              {coordinate(planar, "x0", "pulley_aside.travel"), coordinate(planar, "z0", "pulley.travel")},
              inputs({"u1", "u2"}));
  double interpolated = 0;
  for (const auto& stretch : planar.plan.singular) interpolated += stretch.to - stretch.from;
  check.at_most("Navy, planar, no pulley mass", "interpolated past singular places", "s",
                "exact: 0/0 where the second rope is slack, at 0, 1.642 and 2.425 s", interpolated, 0.3);
  check_problem(check, "Navy, spatial, no pulley mass", spatial, 5);
  check_table(check, "Navy, spatial, no pulley mass, from 1 s", spatial, "navy_3d_massless.csv",
              {coordinate(spatial, "phi", "pole.angle"), coordinate(spatial, "x0", "pulley.x"),
               coordinate(spatial, "z0", "pulley.z")},
              inputs({"u1", "u3", "u4"}), 1);

  const LiftPlan planar_mass = plan_of_file("navy_planar"), spatial_mass = plan_of_file("navy_spatial", "0.1 s");
  check_problem(check, "Navy, planar, pulley mass", planar_mass, 5);
  check_instant(check, "Navy, planar, pulley mass, 1.5 s", planar_mass, 1.5,
                {-332.544760082, -90.3745252061, -28.8710365519});
  check_by_hand(check, "Navy, planar, pulley mass", planar_mass, navy_planar(150), {.step = 0.01});
  check_problem(check, "Navy, spatial, pulley mass", spatial_mass, 7);
  check_instant(check, "Navy, spatial, pulley mass, 3 s", spatial_mass, 3,
                {-46.4922171032, -14.6943532651, -98.7601957923, 144.608681874});
  check_by_hand(check, "Navy, spatial, pulley mass, inside the first phase", spatial_mass, navy_spatial(5),
                {.step = 0.1, .order = 7}, 0.05, 4.95);
  check_by_hand(check, "Navy, spatial, pulley mass, inside the last phase", spatial_mass, navy_spatial(5),
                {.step = 0.1, .order = 7}, 15.05, 19.95);
}

void cablev_files(Checker& check) {
  const LiftPlan plan = plan_of_file("cablev_translation", "0.1 s");
  check_problem(check, "CABLEV, moved", plan, 5);
  check_table(check, "CABLEV, moved", plan, "cablev_translation.csv",
              {moved(plan, "pg0", "gantry"), moved(plan, "pg1", "trolley1"), moved(plan, "pg2", "trolley2"),
               moved(plan, "pg3", "trolley3"), moved(plan, "pc1", "winch1", 1, 3), moved(plan, "pc2", "winch2", 1, 3),
               moved(plan, "pc3", "winch3", 1, 3)},
              inputs({"ug0", "ug1", "ug2", "ug3", "uc1", "uc2", "uc3"}));
  check_by_hand(check, "CABLEV, moved", plan, cablev(), {.step = 0.1});
  check_by_hand(check, "CABLEV, turned by 60 degrees", plan_of_file("cablev_rotation", "0.1 s"),
                cablev({.translate = false, .turn = std::numbers::pi / 3}), {.step = 0.1});
  // Bryant angles (6.130), with z up.
  const double a = std::numbers::pi / 6, b = std::numbers::pi / 4, c = std::numbers::pi / 3;
  const Mat3 down =
      (Eigen::AngleAxisd(a, Vec3::UnitX()) * Eigen::AngleAxisd(b, Vec3::UnitY()) * Eigen::AngleAxisd(c, Vec3::UnitZ()))
          .toRotationMatrix();
  const Vec3 mirror(1, 1, -1);
  const Eigen::AngleAxisd turn(Mat3(mirror.asDiagonal() * down * mirror.asDiagonal()));
  check_by_hand(check, "CABLEV, moved and turned", plan_of_file("cablev_both", "0.1 s"),
                cablev({.translate = true, .turn = turn.angle(), .axis = turn.axis()}), {.step = 0.1});
}

}  // namespace

void plan_files(Checker& check) {
  overhead_and_rotary(check);
  two_winches(check);
  navy(check);
  cablev_files(check);
}

}  // namespace davit::verify
