// Verification: published experiments and exact solutions as cases with references. A row compares one number; its
// source begins with published, exact, oracle or invariant, because our own earlier output is never a reference.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::verify {

struct Comparison {
  std::string group, case_name, quantity, unit;
  std::string kind;  // relative, absolute, at_most, order, trend; error and tolerance are in that measure
  double reference = 0;
  std::string source;
  double computed = 0, error = 0, tolerance = 0;
  bool passed = false;
};

// A reference that is computed, with the digits that matter and are the same on every machine.
double rounded(double reference);

// Collects the rows of one group.
class Checker {
 public:
  Checker(std::string group, std::vector<Comparison>& rows) : group_(std::move(group)), rows_(rows) {}
  void relative(const std::string& case_name, const std::string& quantity, const std::string& unit, double reference,
                const std::string& source, double computed, double tolerance);
  void absolute(const std::string& case_name, const std::string& quantity, const std::string& unit, double reference,
                const std::string& source, double computed, double tolerance);
  // A computed measure of error that must not exceed the bound.
  void at_most(const std::string& case_name, const std::string& quantity, const std::string& unit,
               const std::string& source, double computed, double bound);
  // A measured order of convergence.
  void order(const std::string& case_name, const std::string& quantity, double reference, const std::string& source,
             double computed, double tolerance);
  // What a method is known to do, without a number: the computed value lies on one side of the reference.
  enum class Side { below, above };
  void trend(const std::string& case_name, const std::string& quantity, const std::string& unit, Side side,
             double reference, const std::string& source, double computed);

 private:
  void add(Comparison row);
  std::string group_;
  std::vector<Comparison>& rows_;
};

struct Group {
  std::string name;
  std::string about;
  std::function<void(Checker&)> run;
  bool slow = false;    // takes more than a few seconds: left out by --quick
  bool others = false;  // needs data of others (third_party_data.hpp): not part of docs/verification.md
};

const std::vector<Group>& groups();
std::vector<Comparison> run_group(const Group&);

// The groups, each in its own file.
void crane_on_vessel(Checker&);
void ship_crane(Checker&);
void ship_crane_in_waves(Checker&);
void ship_crane_others(Checker&);
void exact_motions(Checker&);
void rotary_crane_forward(Checker&);
void squeezer(Checker&);
void stacks(Checker&);
void contact_moving(Checker&);
void rigid_friction(Checker&);
void contact_compliant(Checker&);
void box_drop(Checker&);
void rope_box_drop(Checker&);
void rope_mesh_independence(Checker&);
void rope_friction_edge(Checker&);
void rope_friction_along(Checker&);
void rope_machines(Checker&);
void winches(Checker&);
void two_block(Checker&);
void passive_compensator(Checker&);
void own_controller(Checker&);
void rope_cases(Checker&);
void rope_on_cylinder(Checker&);
void rope_hitch(Checker&);
void rope_friction_dynamic(Checker&);
void rotors(Checker&);
void acting_loads(Checker&);
void rope_random(Checker&);
void loops(Checker&);
void same_motion(Checker&);
void long_pendulum(Checker&);
void newton_matrix(Checker&);
void waves(Checker&);
void hydro_solver(Checker&);
void headings(Checker&);
void vessels(Checker&);
void mean_forces(Checker&);
void mean_forces_moored(Checker&);
void wave_place(Checker&);
void memory_in_slow_motion(Checker&);
void moored_barge(Checker&);
void coupled(Checker&);
void limits(Checker&);
void resolved_impacts(Checker&);
void phases(Checker&);
void simulation(Checker&);
void conditions(Checker&);
void driven(Checker&);
void row_times(Checker&);
void reusable_parts(Checker&);
void statics_rigging(Checker&);
void linear_models(Checker&);
void energy_books(Checker&);
void servo_overhead(Checker&);
void servo_rotary(Checker&);
void servo_navy(Checker&);
void servo_cablev(Checker&);
void servo_beyond(Checker&);
void plan_scale(Checker&);
void plan_zeros(Checker&);
void plan_files(Checker&);

void plan_time_optimal(Checker&);
void plan_allocation(Checker&);
void servo_feedback(Checker&);
void plan_tracking(Checker&);
void plan_floating(Checker&);
void plan_hooks(Checker&);
void cables(Checker&);
void mooring_static(Checker&);
void mooring_dynamic(Checker&);
void mooring_friction(Checker&);
void mooring_waves(Checker&);
void mooring_system(Checker&);
void chain_catalogue(Checker&);
void mooring_others(Checker&);
void hydro_solver_others(Checker&);
void vessels_others(Checker&);

std::string rows_to_json(const std::vector<Comparison>&);
std::string rows_to_markdown(const std::vector<Comparison>&);

}  // namespace davit::verify
