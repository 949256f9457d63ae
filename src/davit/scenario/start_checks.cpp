#include "davit/scenario/start_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "davit/contact/compliant_contact.hpp"
#include "davit/dynamics/conflicts.hpp"
#include "davit/scenario/plausibility.hpp"

namespace davit {

namespace {

using input::Problems;

input::Where where_of(const Scenario& scenario, const Section& section, const std::string& name) {
  const ElementSpec* element = scenario.specification.elements.find(section, name);
  return element ? element->where : scenario.specification.where;
}
input::Where where_of(const Scenario& scenario, const std::string& constraint) {
  return where_of(scenario, registry().constraints, constraint);
}

// Constraints that contradict each other, with the partners in the contradiction.
void report_conflicts(const Scenario& scenario, const std::vector<Conflict>& conflicts, Problems& problems) {
  std::set<std::string> reported;
  for (const Conflict& c : conflicts) {
    if (!reported.insert(c.constraint).second) continue;
    std::string partners;
    for (const std::string& name : c.partners) partners += (partners.empty() ? "'" : ", '") + name + "'";
    constexpr const char* of[] = {"places", "speeds", "accelerations"};
    problems.error(where_of(scenario, c.constraint),
                   fmt::format("'{}' and {} contradict each other: they ask for different {} at {:.3g} s", c.constraint,
                               partners.empty() ? "the joints" : partners, of[static_cast<size_t>(c.of)], c.time),
                   "leave one of them out, or give ratios, motions and speeds that agree");
  }
}

}  // namespace

bool check_inertia(const Scenario& scenario, const State& start, Problems& problems) {
  const Model& model = *scenario.model;
  System system(model);
  State state = start;
  system.commit(state);
  if (system.evaluate(state)) {
    for (const Channel& c : model.channels())
      if (!c.alarm.words.empty() && c.value(state, system.workspace()) < c.alarm.below)
        problems.warning(scenario.specification.where, "at the start " + c.alarm.words, "place the joints otherwise");
    check_rope_weights(scenario.specification, model.observables(), state, system.workspace(), problems);
    return true;
  }
  const Failure failure = system.failure();
  input::Where where = scenario.specification.where;
  for (const auto& [name, body] : scenario.bodies)
    if (name == failure.element) where = body.where;
  const auto colon = failure.why.find(": ");
  problems.error(where, failure.element + ": " + failure.why.substr(0, colon),
                 colon == std::string::npos ? "" : failure.why.substr(colon + 2));
  return false;
}

void check_contacts(const Scenario& scenario, const State& start, Problems& problems) {
  const Model& model = *scenario.model;
  if (model.contacts().empty()) return;
  System system(model);
  system.evaluate(start, System::Want::unconstrained);
  for (const Contact& contact : model.contacts()) {
    double g[3];
    contact.geometry->rows(system.workspace().kin, g);
    if (g[2] >= -1e-3) continue;
    problems.error(where_of(scenario, contact.name),
                   fmt::format("the point of '{}' is {:.3g} m below the plane at the start", contact.name, -g[2]),
                   "place the bodies so that they touch or are apart, or turn the normal around");
  }
}

namespace {

// With what speed the springs of a contact would throw out what they press on at the start: √(2 E/m), with the mass
// that answers them, N/a. At rest nothing accelerates, and the speed is zero.
double thrown_out(System& system, const State& start, const Model::Placed<Force>& force, double normal) {
  const auto rate_at = [&](const State& state) {
    system.evaluate(state);
    return force.element->potential_rate(force.context(state, system.workspace()));
  };
  State later = start;
  const double rate = rate_at(start);
  const double energy = force.element->potential(force.context(start, system.workspace()));
  later.u += system.workspace().a;  // in one second
  const double power = rate - rate_at(later);
  return power > 0 && normal > 0 ? std::sqrt(2 * energy * power) / normal : 0;
}

}  // namespace

void check_compliant_contacts(const Scenario& scenario, const State& start, Problems& problems) {
  const Model& model = *scenario.model;
  constexpr double fast = 3;  // m/s: a fall of half a metre
  const auto wish = scenario.specification.run.from_equilibrium;
  // What begins in equilibrium begins elsewhere.
  if (wish ? *wish != EquilibriumWish::no : !scenario.specification.elements.of<vessel::VesselSpec>().empty()) return;
  System system(model);
  State state = start;
  system.commit(state);
  for (const auto& force : model.forces()) {
    const auto* contact = dynamic_cast<const contact::CompliantContact*>(force.element.get());
    if (!contact || !system.evaluate(state)) continue;
    const contact::ContactView& view = contact->view(force.context(state, system.workspace()));
    const double depth = -view.gap, normal = view.normal;
    if (!(depth > 1e-3)) continue;
    const double speed = thrown_out(system, state, force, normal);
    if (!(speed > fast)) continue;
    problems.error(
        where_of(scenario, registry().forces, contact->name()),
        fmt::format("points of '{}' are {:.3g} m inside the surface at the start: {:.3g} kN, which would "
                    "throw them out at {:.3g} m/s",
                    contact->name(), depth, normal / 1000, speed),
        "place the bodies so that they touch or are apart, turn the normal around, or give from_equilibrium");
  }
}

int check_constraints(const Scenario& scenario, const State& start, Problems& problems) {
  const Model& model = *scenario.model;
  if (model.rows() == 0) return 0;
  System system(model);
  bool closed = true;
  for (size_t i = 0; i < model.constraints().size(); ++i) {
    const double gap = system.violation(start, static_cast<int>(i));
    if (gap < 1e-3) continue;
    closed = false;
    problems.error(
        where_of(scenario, model.constraints()[i].constraint.name),
        fmt::format("'{}' is open by {:.3g} (m or rad) at the start", model.constraints()[i].constraint.name, gap),
        "place the bodies, or choose the start of their joints, so that it is closed to a millimetre");
  }
  if (!closed) return 0;
  State state = start;
  const bool met = system.satisfy_constraints(state);
  const std::string open = met ? "" : system.failure().element;
  const auto conflicts = find_conflicts(system, state);
  report_conflicts(scenario, conflicts, problems);
  if (!met && conflicts.empty())
    problems.error(scenario.specification.where, "the constraints cannot be closed together: " + open,
                   "check the start of the joints");
  if (!met || !conflicts.empty()) return 0;
  const auto redundant = system.redundant_rows(state);
  std::string names;
  for (const std::string& row : redundant) names += (names.empty() ? "" : "; ") + row;
  if (!redundant.empty())
    problems.warning(scenario.specification.where,
                     "some constraint equations are redundant and carry no force: " + names,
                     "this is harmless; hold fewer directions if their forces matter");
  return model.rows() - static_cast<int>(redundant.size());
}

}  // namespace davit
