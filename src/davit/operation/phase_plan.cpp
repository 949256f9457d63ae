// Phases of a file put in order: lists flattened, names resolved, which waits for which, times known by the clock.
#include "davit/operation/phase_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/input/wording.hpp"
#include "davit/operation/phase_moves.hpp"

namespace davit::operation {

namespace {

using input::Problems;
using Kind = SignalMove::Kind;

// Of a file; more than anyone writes, and few enough to compare each with each.
constexpr size_t most_phases = 1000;

bool has_action(const PhaseSpec& s) { return !s.actions.empty() || s.hold > 0 || s.until || s.when; }

// Lists of phases as they stand in a file, one after the other or side by side, as one list with what each waits for.
class Flattening {
 public:
  Flattening(Plan& plan, Problems& problems) : plan_(plan), problems_(problems) {}

  // Returns the phases that end the list.
  std::vector<int> add_sequence(const std::vector<PhaseSpec>& specs, std::vector<int> before) {
    for (const PhaseSpec& spec : specs) before = add(spec, before);
    return before;
  }

  // Names that phases wait for, when all are known.
  void resolve_names() {
    std::vector<std::string> names;
    for (const PlannedPhase& p : plan_.phases) names.push_back(p.phase.name);
    for (const auto& [phase, reference] : waits_) {
      const auto at = std::find(names.begin(), names.end(), reference.name);
      const auto group = groups_.find(reference.name);
      if (at == names.end() && group == groups_.end()) {
        input::unknown_name(reference, "phase", names, problems_);
        continue;
      }
      std::vector<int>& after = plan_.phases[static_cast<size_t>(phase)].phase.after;
      if (at != names.end())
        after.push_back(static_cast<int>(at - names.begin()));
      else
        after.insert(after.end(), group->second.begin(), group->second.end());
    }
  }

 private:
  std::vector<int> add(const PhaseSpec& spec, const std::vector<int>& before) {
    if (plan_.phases.size() >= most_phases) {
      if (!full_) problems_.error(spec.where, fmt::format("more than {} phases", most_phases), "merge some of them");
      full_ = true;
      return before;
    }
    check_name(spec);
    if (spec.parallel.empty() && spec.sequence.empty()) return {add_leaf(spec, before)};
    if (has_action(spec) || (!spec.parallel.empty() && !spec.sequence.empty())) {
      problems_.error(spec.where, "a phase that holds others does nothing itself",
                      "give 'parallel' or 'sequence' alone, and put the rest into a phase of its own");
      return before;
    }
    // What the group waits for, its first phases do.
    std::vector<int> begin = before;
    if (spec.at || spec.after || spec.delay > 0) {
      plan_.gates.push_back(std::make_unique<PhaseSpec>());
      PhaseSpec& gate = *plan_.gates.back();
      gate.at = spec.at;
      gate.after = spec.after;
      gate.delay = spec.delay;
      gate.where = spec.where;
      begin = {add_leaf(gate, before)};
    }
    std::vector<int> ends;
    if (!spec.sequence.empty()) ends = add_sequence(spec.sequence, begin);
    for (const PhaseSpec& child : spec.parallel)
      for (const int end : add(child, begin)) ends.push_back(end);
    if (!spec.name.empty()) groups_[spec.name] = ends;
    return ends;
  }

  int add_leaf(const PhaseSpec& spec, const std::vector<int>& before) {
    const int index = static_cast<int>(plan_.phases.size());
    Phase phase;
    phase.name = spec.name.empty() ? fmt::format("phase {}", index + 1) : spec.name;
    if (spec.at) phase.at = *spec.at;
    if (spec.after)
      for (const input::Reference& name : *spec.after) waits_.emplace_back(index, name);
    else if (!spec.at)
      phase.after = before;
    phase.delay = spec.delay;
    phase.hold = spec.hold;
    phase.timeout = spec.timeout.value_or(never);
    phase.continue_on_timeout = spec.continue_on_timeout;
    plan_.phases.push_back({std::move(phase), &spec, true, {}});
    return index;
  }

  void check_name(const PhaseSpec& spec) {
    if (!spec.name.empty() && !names_.insert(spec.name).second)
      problems_.error(spec.where, fmt::format("two phases have the name {}", input::shown(spec.name)),
                      "give each its own name");
  }

  Plan& plan_;
  Problems& problems_;
  bool full_ = false;
  std::set<std::string> names_;
  std::map<std::string, std::vector<int>> groups_;  // the last phases of named groups
  std::vector<std::pair<int, input::Reference>> waits_;
};

// Which phases come before each, however far back; phases that wait for each other are reported.
class Order {
 public:
  Order(const Plan& plan, Problems& problems) : plan_(plan), before_(plan.phases.size()), seen_(plan.phases.size()) {
    for (size_t i = 0; i < plan.phases.size(); ++i) visit(static_cast<int>(i), problems);
  }
  bool ordered(int a, int b) const {
    return before_[static_cast<size_t>(a)].count(b) > 0 || before_[static_cast<size_t>(b)].count(a) > 0;
  }

 private:
  enum class Seen { no, on_the_way, yes };
  void visit(int phase, Problems& problems) {
    const auto at = static_cast<size_t>(phase);
    if (seen_[at] == Seen::yes) return;
    if (seen_[at] == Seen::on_the_way) {
      problems.error(
          plan_.phases[at].spec->where,
          fmt::format("the phase {} waits for itself and never begins", input::shown(plan_.phases[at].phase.name)),
          "let 'after' name only phases that come before it");
      return;
    }
    seen_[at] = Seen::on_the_way;
    for (const int other : plan_.phases[at].phase.after) {
      visit(other, problems);
      before_[at].insert(other);
      const auto& further = before_[static_cast<size_t>(other)];
      before_[at].insert(further.begin(), further.end());
    }
    seen_[at] = Seen::yes;
  }

  const Plan& plan_;
  std::vector<std::set<int>> before_;
  std::vector<Seen> seen_;
};

// Whether the time of a move is known before the run.
bool has_known_time(const PlannedPhase& p, const PlannedMove& move) {
  return p.spec->at && p.spec->over.value_or(0) > 0 && !p.spec->after && p.phase.delay == 0 && !p.spec->when &&
         !p.spec->until && move.move.kind == Kind::to;
}

// When a phase begins and ends by the clock; nothing where a condition, another phase or a drive's limits decide that.
std::optional<std::pair<double, double>> known_times(const PlannedPhase& p) {
  if (!p.spec->at || p.spec->after || p.phase.delay > 0 || p.spec->when || p.spec->until) return std::nullopt;
  double lasts = p.phase.hold;
  for (const PlannedMove& planned : p.moves) {
    const SignalMove& move = planned.move;
    const bool travels = move.kind == Kind::to || move.kind == Kind::by;
    if (travels && !move.over) return std::nullopt;
    if (travels) lasts = std::max(lasts, *move.over);
    if (move.kind == Kind::follow && !move.table.breakpoints().empty())
      lasts = std::max(lasts, move.table.breakpoints().back());
  }
  return std::pair(p.phase.at, p.phase.at + lasts);
}

// Whether reading the phase found no mistakes in it.
bool is_readable(const PhaseSpec& spec, const std::vector<input::Problem>& mistakes) {
  const std::string& path = spec.where.path;
  return std::none_of(mistakes.begin(), mistakes.end(), [&](const input::Problem& p) {
    if (p.severity != input::Problem::error || !p.where.path.starts_with(path)) return false;
    const char next = p.where.path.size() > path.size() ? p.where.path[path.size()] : '.';
    return next == '.' || next == '[';
  });
}

struct Mover {
  int phase;
  PlannedMove* move;
};

// Of two phases that move the same and do not overlap by the clock, the later waits for the earlier, also where a
// lever holds that one up. Phases that begin by the clock wait for nothing else: no circle comes of it.
void wait_by_the_clock(const std::vector<Mover>& movers, Plan& plan) {
  constexpr double slack = 1e-9;  // s, of times that meet
  for (const Mover& later : movers)
    for (const Mover& earlier : movers) {
      PlannedPhase& waits = plan.phases[static_cast<size_t>(later.phase)];
      const auto own = known_times(waits), other = known_times(plan.phases[static_cast<size_t>(earlier.phase)]);
      if (!own || !other || other->first >= own->first || other->second > own->first + slack) continue;
      std::vector<int>& after = waits.phase.after;
      if (std::find(after.begin(), after.end(), earlier.phase) == after.end()) after.push_back(earlier.phase);
    }
}

void check_order(const std::string& name, const std::vector<Mover>& movers, const Order& order, const Plan& plan,
                 Problems& problems) {
  for (size_t i = 0; i < movers.size(); ++i)
    for (size_t k = i + 1; k < movers.size(); ++k) {
      if (order.ordered(movers[i].phase, movers[k].phase)) continue;
      const auto said = [&](const Mover& m) {
        return input::shown(plan.phases[static_cast<size_t>(m.phase)].phase.name);
      };
      problems.error(movers[k].move->where,
                     fmt::format("'{}' is moved by the phases {} and {}, and neither waits for the other", name,
                                 said(movers[i]), said(movers[k])),
                     "let one come after the other, or merge them");
      return;
    }
}

// The farthest that moves can bring a signal from its start, which is zero for what asks for it.
void widen(const std::string& name, const std::vector<Mover>& movers, Assembly& assembly) {
  double least = 0, most = 0, in = 0, out = 0;
  const auto reach = [&](double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  };
  for (const Mover& m : movers) {
    const SignalMove& move = m.move->move;
    if (move.kind == Kind::by) (move.value < 0 ? in : out) += move.value;
    if (move.kind == Kind::to) reach(move.value);
    if (move.kind == Kind::follow)
      for (const double t : move.table.breakpoints()) reach(move.table.value(t));
  }
  assembly.widen_range(name, least + in, most + out);
}

}  // namespace

Plan plan_operation(const std::vector<PhaseSpec>& specs, double duration, bool levers, Assembly& assembly) {
  Plan plan;
  Problems& problems = assembly.problems();
  Flattening flattening(plan, problems);
  flattening.add_sequence(specs, {});
  flattening.resolve_names();
  const auto mistakes = problems.all();
  for (PlannedPhase& p : plan.phases) {
    p.readable = is_readable(*p.spec, mistakes);
    if (duration > 0 && p.phase.at >= duration)
      problems.warning(p.spec->where, "the phase begins after the end of the run",
                       "lengthen run.duration, or leave the phase out");
    if (!p.readable) continue;
    PhaseMoves moves(p, assembly);
    for (const Action& action : p.spec->actions) action.plan(moves);
  }
  std::map<std::string, std::vector<Mover>> movers;
  for (size_t i = 0; i < plan.phases.size(); ++i)
    for (PlannedMove& move : plan.phases[i].moves) movers[move.name].push_back({static_cast<int>(i), &move});
  std::set<std::string> decided_by_run;  // what no schedule moves
  for (auto& [name, all] : movers) {
    const bool known = !levers && std::all_of(all.begin(), all.end(), [&](const Mover& m) {
      return has_known_time(plan.phases[static_cast<size_t>(m.phase)], *m.move);
    });
    for (const Mover& m : all) {
      const PlannedPhase& p = plan.phases[static_cast<size_t>(m.phase)];
      SignalMove& move = m.move->move;
      move.scheduled = known;
      if (known) assembly.add_move(name, {p.phase.at, *move.over, move.value, move.profile, p.spec->where});
    }
    if (known) continue;
    decided_by_run.insert(name);
    wait_by_the_clock(all, plan);
  }
  const Order order(plan, problems);
  for (const std::string& name : decided_by_run) {
    const std::vector<Mover>& all = movers.at(name);
    // What is let go first is connected at the start, and the other way round.
    if (const SignalMove& earliest = all.front().move->move; earliest.kind == Kind::jump)
      assembly.add_switch(name, 1 - earliest.value);
    check_order(name, all, order, plan, problems);
    widen(name, all, assembly);
  }
  return plan;
}

}  // namespace davit::operation
