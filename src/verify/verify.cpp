#include "verify/verify.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace davit::verify {

double rounded(double reference) { return std::stod(fmt::format("{:.6g}", reference)); }

void Checker::add(Comparison row) {
  row.group = group_;
  // NaN compares false, so a case that computed nothing fails.
  row.passed = row.error <= row.tolerance;
  rows_.push_back(std::move(row));
}

void Checker::relative(const std::string& case_name, const std::string& quantity, const std::string& unit,
                       double reference, const std::string& source, double computed, double tolerance) {
  add({{},
       case_name,
       quantity,
       unit,
       "relative",
       reference,
       source,
       computed,
       std::abs(computed - reference) / std::abs(reference),
       tolerance,
       false});
}

void Checker::absolute(const std::string& case_name, const std::string& quantity, const std::string& unit,
                       double reference, const std::string& source, double computed, double tolerance) {
  add({{},
       case_name,
       quantity,
       unit,
       "absolute",
       reference,
       source,
       computed,
       std::abs(computed - reference),
       tolerance,
       false});
}

void Checker::at_most(const std::string& case_name, const std::string& quantity, const std::string& unit,
                      const std::string& source, double computed, double bound) {
  add({{}, case_name, quantity, unit, "at_most", bound, source, computed, computed, bound, false});
}

void Checker::order(const std::string& case_name, const std::string& quantity, double reference,
                    const std::string& source, double computed, double tolerance) {
  add({{},
       case_name,
       quantity,
       "",
       "order",
       reference,
       source,
       computed,
       std::abs(computed - reference),
       tolerance,
       false});
}

void Checker::trend(const std::string& case_name, const std::string& quantity, const std::string& unit, Side side,
                    double reference, const std::string& source, double computed) {
  const double beyond = side == Side::below ? computed - reference : reference - computed;
  const double error = beyond <= 0 ? 0 : beyond;  // NaN stays
  add({{}, case_name, quantity, unit, "trend", reference, source, computed, error, 0, false});
}

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"crane-on-vessel", "Cibicik & Egeland: constraint forces of a crane on a moving base", crane_on_vessel},
      {"ship-crane",
       "Tysse & Egeland: a ship and its crane, accelerations, joint wrenches, motion in waves with the tip under "
       "control, and the document's own equations",
       ship_crane},
      {"exact-motions", "motions with closed-form solutions: pendulum, free top, rotor with bearing friction",
       exact_motions},
      {"rotary-crane-forward", "the rotary crane in three kinds of coordinates: invariants, order, one motion",
       rotary_crane_forward},
      {"squeezer", "Andrews' squeezing mechanism: three loops, against the published reference", squeezer},
      {"stacks", "bodies that touch and lines that go slack: incline, bouncing, stack, a thousand snaps", stacks},
      {"contact-moving",
       "a box on decks that turn and heave: slip, lift-off and landing beside equations of motion of their own",
       contact_moving},
      {"rigid-friction",
       "bodies that slide on points: friction opposes the sliding of each of them, beside equations of motion of their "
       "own",
       rigid_friction},
      {"contact-compliant",
       "points and meshes that press into surfaces: drop, rest, stick, slip, fenders, momentum and energy",
       contact_compliant},
      {"box-drop", "a box falls on a rope: peak tension and energy left, by every implicit method", box_drop},
      {"rope-box-drop", "a box falls on a rope that finds its edges, wraps them and lets go again", rope_box_drop},
      {"rope-mesh-independence",
       "a box slides off two ropes: the same in 12 triangles, in 12,000, and in 12,000 bad ones",
       rope_mesh_independence},
      {"rope-friction-edge", "a rope slides down the edges of a beam: Coulomb's law", rope_friction_edge},
      {"rope-friction-along", "a rope slides over the edges of a beam: Coulomb's law, and the capstan's",
       rope_friction_along},
      {"rope-machines",
       "Atwood's machine, tackles with one to six falls, a capstan, an equalizer, drums, a pendulum on a sheave, slack "
       "and snap, bending and torsion",
       rope_machines},
      {"winch",
       "drums with motors: poles for any load, limits in every mode, heave compensation by its transfer function, "
       "equilibria",
       winches},
      {"two-block",
       "loads that are hoisted up to what they hang from, and ends that meet what their rope touches: told at the "
       "instant "
       "of kinematics",
       two_block},
      {"passive-compensator",
       "a load on a piston and a gas spring: at rest, swinging against two masses on springs, slack and taut",
       passive_compensator},
      {"own-controller",
       "controllers in shared libraries: input shapers and delayed feedback against theory, winches that they command",
       own_controller},
      {"rope-cylinder", "a sling round a cylinder of ever more sides: wrap, pressure, and what friction holds",
       rope_on_cylinder},
      {"rope-hitch", "a basket hitch that slips, by every law of friction, with legs that touch further edges",
       rope_hitch},
      {"rope-friction-dynamic",
       "friction together with damping: motion, recorded accelerations and reactions, order of methods",
       rope_friction_dynamic},
      {"rotors", "sheaves with inertia and drums: what their holders feel, momentum and energy of all together",
       rotors},
      {"acting-loads",
       "loads that are shown are those that act: tensions with damping and weight, dynamic factors against what hangs",
       acting_loads},
      {"rope-cases", "bodies that fall on ropes, turn, slide and are let through", rope_cases},
      {"rope-random", "ropes over random bodies in random motion: all that must be true of a rope", rope_random},
      {"loops", "closed loops of one degree of freedom and rigid bodies in space: exact, published and reduced motions",
       loops},
      {"same-motion", "two cranes by tree joints, by free bodies and by director bodies: the same motion and reactions",
       same_motion},
      {"long-pendulum", "a chain of ten links at large amplitude over 1e5 steps: bands of energy", long_pendulum, true},
      {"newton-matrix", "condition numbers of the energy-momentum scheme, full and reduced, as steps get shorter",
       newton_matrix},
      {"waves", "the sea: moments of spectra, dispersion, spreading, realisations, the flow under waves, gusts of wind",
       waves},
      {"hydro-solver",
       "the panel method: Hulme's hemisphere, WAMIT's sphere, a barge and the identities that hold for any hull",
       hydro_solver, true},
      {"headings",
       "forces of waves between the headings and frequencies of a database: a box, and the shipped vessels beside the "
       "panel method",
       headings, true},
      {"vessel",
       "floating bodies in time against the frequency domain: a ship in regular waves, natural periods, the decay of a "
       "sphere",
       vessels},
      {"mean-forces",
       "vessels in regular waves, held and free, with drift, current and without: the mean forces are those of the "
       "database; a ship alone lies level",
       mean_forces},
      {"mean-forces-moored", "vessels on stiff lines in regular waves: the lines pull with no mean of their own",
       mean_forces_moored, true},
      {"wave-place", "a hull that glides, turns and swings slowly meets the waves of the place where it is",
       wave_place},
      {"memory", "slow motions of a hull by both kinds of memory: gliding, decay, drift in the wind",
       memory_in_slow_motion},
      {"moored-barge", "a barge on four chains: slow motions and offsets against exact catenaries", moored_barge},
      {"coupled",
       "barge, crane, ropes, contact and waves in one implicit step: explicit steps, director bodies and an elastic "
       "quay as "
       "second routes; books of energy and momentum; energy of a loop of tree joints over three hours",
       coupled, true},
      {"limits",
       "limits, extremes and statistics against exact motions: peaks between rows, both sides, windows, multiples; "
       "advice about the step across impacts",
       limits},
      {"resolved-impacts",
       "drops, snatches and touch-downs at steps longer than the event: the peak that is reported with a good verdict "
       "is "
       "the one that acts",
       resolved_impacts},
      {"phases",
       "operations of phases against exact motions: conditions, timeouts, speeds, stops, ropes let go and connected, "
       "limits by phase; the same operation written in two ways, bit for bit",
       phases},
      {"simulation",
       "a run is the same bit for bit: in one go or stepped, saved and restored or not, in a sea exchanged or the file "
       "that has it, alone or beside another in a second thread, from C++ or by the program",
       simulation},
      {"conditions", "when conditions fire and limits are exceeded: exact instants inside steps, by all methods",
       conditions},
      {"driven",
       "joints that follow tables exactly: places, speeds and forces by all methods, impulses where a speed jumps",
       driven},
      {"row-times", "rows between the ends of steps show forces and tensions of their own time", row_times},
      {"parts",
       "a scenario of parts is the one that is written out, bit for bit: names, places, headings, parameters, parts in "
       "parts, on a moving body; a block of plates holds the steel of its plates",
       reusable_parts},
      {"statics-rigging",
       "the lift at rest beside hand calculations: unequal slings, skew, loads shared by cranes, loads askew, a "
       "spreader; "
       "a sudden load, wind with a moment, the Beaufort scale",
       statics_rigging},
      {"linearise",
       "linear models: an overhead crane in closed form with its zeros, three kinds of coordinates, hidden modes, "
       "small "
       "motions of runs",
       linear_models},
      {"energy-books", "energy out of nothing is found in full, and the work of forces is not taken for it",
       energy_books},
      {"servo-overhead",
       "inputs of an overhead crane: exact solution, the thesis' schemes to the digit, orders, replay", servo_overhead},
      {"servo-rotary", "inputs of rotary cranes in five kinds of coordinates: exact solution, schemes, orders, replay",
       servo_rotary},
      {"servo-navy", "cranes with a pulley on ropes, with and without its mass: index, singular start, ropes that push",
       servo_navy},
      {"servo-cablev", "a platform on three ropes and four drives: moved, turned, both", servo_cablev},
      {"servo-beyond",
       "servo problems with closed forms: a chain of index 7, an elastic joint, internal dynamics, full actuation",
       servo_beyond},
      {"plan-time-optimal",
       "shortest motions of a plan: bang-bang in closed form, an overhead crane without sway, limits at every instant",
       plan_time_optimal, true},
      {"plan-allocation",
       "more inputs than outputs: shares in closed form, optimality on a robot with a rope too many, limits that "
       "cannot be kept",
       plan_allocation},
      {"plan-scale",
       "the cranes of the servo groups in other units of mass, length and time: same verdicts, same figures",
       plan_scale, true},
      {"plan-zeros", "internal dynamics of outputs whose zeros are known in closed form, finite, multiple and infinite",
       plan_zeros},
      {"plan-files",
       "the cranes of the thesis on servo constraints as files: index, coordinates and inputs beside exact references "
       "and the same cranes put together by hand",
       plan_files},

      {"servo-feedback",
       "feedback that tracks a plan on the overhead crane, the rotary crane and CABLEV: designed poles, decay, cost, "
       "storage, delay and noise, windup",
       servo_feedback, true},
      {"plan-tracking",
       "plans as controllers of ordinary runs: forces and speeds of drives, delay and noise, an observer, beside an "
       "integration apart",
       plan_tracking},
      {"plan-floating",
       "a floating crane that lifts a block along its way while its barge moves in waves: published 3 mm, also with "
       "delay and noise",
       plan_floating, true},
      {"plan-hooks",
       "hooks of their own weight between hoist and sling, from the laboratory to the yard: closed formulas of index 7",
       plan_hooks},
      {"cable",
       "lines that bend: exact elastica, ring and beams, patch tests, natural frequencies, energy, a submerged "
       "pendulum, a whip",
       cables},
      {"mooring-static",
       "mooring lines at rest: exact elastic catenaries, hanging and over a bed, and the thesis' tables beside bars",
       mooring_static},
      {"mooring-dynamic",
       "a mooring line whose fairlead is moved: tensions beside converged solutions of other elements",
       mooring_dynamic},
      {"mooring-friction", "a line that sticks and slips on the bed: exact displacements, no creep, energy only lost",
       mooring_friction},
      {"mooring-waves", "waves at lines: Morison's integrals on lines that are held, windows of time, the start",
       mooring_waves},
      {"mooring-system", "mooring lines on slopes, joined, broken and hauled in: exact catenaries", mooring_system},
      {"chain-catalogue", "chain by type and diameter: on its links, drag on its diameter", chain_catalogue},
      {"mooring-others", "a chain that OrcaFlex computed: at rest and in motion", mooring_others, false, true},
      {"hydro-solver-others", "the panel method beside WAMIT, NEMOH and Capytaine: a sphere and a tanker",
       hydro_solver_others, true, true},
      {"vessel-others",
       "a sphere and a ship of others: decay beside the codes of a benchmark, memory and linear equations with MSS",
       vessels_others, true, true},
      {"ship-crane-others", "Tysse & Egeland's crane on their own ship, the supply vessel of MSS", ship_crane_others,
       true, true},
  };
  return all;
}

std::vector<Comparison> run_group(const Group& group) {
  std::vector<Comparison> rows;
  Checker checker(group.name, rows);
  group.run(checker);
  return rows;
}

std::string rows_to_json(const std::vector<Comparison>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Comparison& r : rows)
    list.push_back({{"group", r.group},
                    {"case", r.case_name},
                    {"quantity", r.quantity},
                    {"unit", r.unit},
                    {"kind", r.kind},
                    {"reference", r.reference},
                    {"source", r.source},
                    {"computed", r.computed},
                    {"error", r.error},
                    {"tolerance", r.tolerance},
                    {"passed", r.passed}});
  return list.dump(1) + "\n";
}

std::string rows_to_markdown(const std::vector<Comparison>& rows) {
  std::string text =
      "# Verification\n\n"
      "Made by `davit verify --markdown docs/verification.md`; do not edit. Every row is computed anew by `./run "
      "verify` and compared with a value that\n"
      "does not come from Davit: `published`, `exact`, `oracle` (another code) or `invariant`. Error and tolerance are "
      "in the measure of the row's kind;\n"
      "errors at the level of round-off differ in their last digits from machine to machine, so they are shown to one "
      "digit.\n";
  std::string group;
  for (const Comparison& r : rows) {
    if (r.group != group) {
      group = r.group;
      for (const Group& g : groups())
        if (g.name == group) text += fmt::format("\n## {}\n{}\n\n", group, g.about);
      text +=
          "| case | quantity | kind | reference | error | tolerance | passed | source "
          "|\n|---|---|---|---|---|---|---|---|\n";
    }
    text += fmt::format("| {} | {} | {} | {:.10g} {} | {:.0e} | {:.0e} | {} | {} |\n", r.case_name, r.quantity, r.kind,
                        r.reference, r.unit, r.error, r.tolerance, r.passed ? "yes" : "**no**", r.source);
  }
  return text;
}

}  // namespace davit::verify
