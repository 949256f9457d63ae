// The keys of phases and conditions, and how verbs with targets and tables are read.
#include "davit/operation/specification.hpp"

namespace davit {

using input::Record;

namespace {

// A comparison as a whole, or as the only one of a condition.
void check_bounds(const std::optional<input::Threshold>& above, const std::optional<input::Threshold>& below,
                  const input::Where& where, input::Problems& problems) {
  if (!above && !below)
    problems.error(where, "the condition has no bound", "give 'above' or 'below', e.g. above: 100 kN");
}

}  // namespace

const Record<ComparisonSpec>& ComparisonSpec::record() {
  static const auto r =
      Record<ComparisonSpec>("comparison", "A channel within bounds")
          .field("channel", &ComparisonSpec::channel,
                 "name of the channel, or a pattern with * and ?: all channels that match must be within")
          .example("hoist.tension")
          .field("above", &ComparisonSpec::above,
                 "lower bound: a quantity, or a multiple of a value of what the channel belongs to, such as 0.2 * mbl")
          .field("below", &ComparisonSpec::below, "upper bound")
          .located(&ComparisonSpec::where)
          .check([](const ComparisonSpec& c, const input::Where& place, input::Problems& problems) {
            check_bounds(c.above, c.below, place, problems);
          });
  return r;
}

const Record<ConditionSpec>& ConditionSpec::record() {
  static const auto r =
      Record<ConditionSpec>("condition",
                            "What a phase waits for: a channel within bounds, or several. It is looked at after every "
                            "step of the run, whatever is recorded")
          .field("channel", &ConditionSpec::channel,
                 "name of the channel, or a pattern with * and ?: all channels that match must be within")
          .example("hoist.tension")
          .field("above", &ConditionSpec::above,
                 "lower bound: a quantity, or a multiple of a value of what the channel belongs to, such as 0.2 * mbl")
          .example("100 kN")
          .field("below", &ConditionSpec::below, "upper bound")
          .field("all", &ConditionSpec::all, "several, which must all hold: place and angle within a window, say")
          .by_default()
          .field("any", &ConditionSpec::any, "several, of which one must hold")
          .by_default()
          .field("for", &ConditionSpec::lasting, "s", "how long it must hold without a break")
          .at_least(0)
          .by_default()
          .located(&ConditionSpec::where)
          .check([](const ConditionSpec& c, const input::Where& place, input::Problems& problems) {
            if (c.channel) check_bounds(c.above, c.below, place, problems);
            if (!c.channel && (c.above || c.below))
              problems.error(place, "the bound is of no channel", "give 'channel' too");
            if (!c.channel && c.all.empty() && c.any.empty())
              problems.error(place, "the condition is about nothing",
                             "write e.g. {channel: hoist.tension, above: 100 kN}");
          });
  return r;
}

const Record<SignalTableSpec>& SignalTableSpec::record() {
  static const auto r =
      Record<SignalTableSpec>("signal_table", "What a joint or winch follows from the beginning of its phase on")
          .field("table", &SignalTableSpec::table, "pairs of time and value")
          .by_default()
          .example("[[0 s, 0 deg], [5 s, 10 deg], [12 s, 10 deg]]")
          .field("file", &SignalTableSpec::file,
                 "or a file of text with times in its first column, beside the scenario; values are in SI or in 'unit'")
          .example("levers.csv")
          .field("column", &SignalTableSpec::column,
                 "its column by the name in the first line; if not given the second")
          .by_default()
          .field("unit", &SignalTableSpec::unit, "of the values in the file; if not given SI")
          .by_default()
          .choice("interpolation", &SignalTableSpec::interpolation,
                  {{"smooth", Motion::Interpolation::smooth},
                   {"linear", Motion::Interpolation::linear},
                   {"hold", Motion::Interpolation::hold}},
                  "smooth: a cubic spline, with the speeds at both ends that its points show, or at rest where they "
                  "show none; linear: straight between points; hold: each value until the next, for what has its own "
                  "response (a winch's speed)")
          .by_default()
          .field("start_speed", &SignalTableSpec::start_speed,
                 "of a smooth one: its speed at the first point (rad/s or m/s); if not given what the points show")
          .example("0.5 m/s")
          .field("end_speed", &SignalTableSpec::end_speed,
                 "of a smooth one: its speed at the last point, from which on it is at rest")
          .example("0 m/s")
          .located(&SignalTableSpec::where)
          .check([](const SignalTableSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.file.has_value() == !s.table.empty())
              problems.error(place, "there is one source of values", "give 'table' or 'file'");
            if ((s.start_speed || s.end_speed) && s.interpolation != Motion::Interpolation::smooth)
              problems.error(place, "only a smooth table has speeds of its own at its ends",
                             "leave out 'start_speed' and 'end_speed', or give interpolation: smooth");
          });
  return r;
}

namespace {

void add_verbs(Record<PhaseSpec>& record) {
  for (const auto& each : operation::verbs().all()) {
    const operation::VerbKind* kind = each.get();
    record.registered(
        kind->field,
        [kind](const input::Node& node, const input::Shape& shape, input::Problems& problems, PhaseSpec& phase) {
          phase.actions.emplace_back(*kind, kind->read(node, shape, problems));
        },
        [kind](const PhaseSpec& phase, const input::Shape& shape) {
          std::optional<input::Node> out;
          for (const operation::Action& action : phase.actions)
            if (&action.kind() == kind) out = action.write(shape);
          return out;
        });
  }
}

Record<PhaseSpec> record_of_phase() {
  Record<PhaseSpec> r("phase",
                      "A step of the operation. Phases follow each other as they stand in the list, unless they say "
                      "when they begin; what one phase does, it does at the same time. Moves go from rest to rest");
  r.field("name", &PhaseSpec::name, "what reports, limits and other phases call it; its number if not given")
      .by_default()
      .example("lift_off")
      .field("at", &PhaseSpec::at, "s", "time at which it begins; if not given when the phase before it has ended")
      .at_least(0)
      .field("after", &PhaseSpec::after, "phases after which it begins, in place of the one before it")
      .example("[slew, lower_hook]")
      .field("delay", &PhaseSpec::delay, "s", "time that passes before it begins")
      .at_least(0)
      .by_default()
      .field("when", &PhaseSpec::when, "condition for it to begin");
  add_verbs(r);
  r.field("hold", &PhaseSpec::hold, "s", "time that it lasts at least: a pause, if it does nothing else")
      .at_least(0)
      .by_default()
      .field("parallel", &PhaseSpec::parallel,
             "phases that all begin here, in place of what a phase does; the next one begins when all have ended")
      .by_default()
      .field("sequence", &PhaseSpec::sequence, "phases one after the other: for use inside parallel")
      .by_default()
      .field("over", &PhaseSpec::over, "s",
             "time that the moves take; if not given, as fast as speed and acceleration allow")
      .above(0)
      .field("speed", &PhaseSpec::speed, "largest speed of the moves; if not given that of the drive")
      .example("0.2 m/s")
      .field("acceleration", &PhaseSpec::acceleration, "largest acceleration; if not given that of the drive")
      .example("0.05 m/s^2")
      .field("smoothness", &PhaseSpec::smoothness,
             "derivatives that are continuous: 0 straight, 1 cubic, 2 minimum jerk (quintic), up to 12")
      .at_least(0)
      .at_most(12)
      .by_default()
      .field("ramp", &PhaseSpec::ramp, "s",
             "with over: time to speed up and to slow down, with constant speed between; 0: one polynomial")
      .at_least(0)
      .by_default()
      .field("until", &PhaseSpec::until,
             "condition that ends it: moves are then brought to rest, before they have come to their targets")
      .field("timeout", &PhaseSpec::timeout, "s", "how long it waits for a condition")
      .above(0)
      .choice("otherwise", &PhaseSpec::continue_on_timeout, {{"stop", false}, {"continue", true}},
              "when that time is over, or the moves are without the condition: stop brings everything to rest and "
              "ends the run with the reason; continue goes on to the next phase")
      .by_default()
      .located(&PhaseSpec::where)
      .check([](const PhaseSpec& p, const input::Where& place, input::Problems& problems) {
        if (p.timeout && !p.until && !p.when)
          problems.error(place, "the phase has a timeout, and waits for nothing", "give 'until' or 'when' too");
        if (p.ramp > 0 && !p.over)
          problems.error(place, "a ramp is a part of 'over'", "give 'over', or 'speed' and 'acceleration' alone");
        if (p.over && 2 * p.ramp > *p.over)
          problems.error(place, "the ramps of a move are longer than the move",
                         "give a ramp of at most half of 'over'");
        if (p.over && (p.speed || p.acceleration))
          problems.error(place, "the time of the moves is given twice", "give 'over', or 'speed' and 'acceleration'");
      });
  return r;
}

}  // namespace

// Made when the first phase is read: with all verbs that were registered by then.
const Record<PhaseSpec>& PhaseSpec::record() {
  static const auto r = [] {
    operation::verbs().close();
    return record_of_phase();
  }();
  return r;
}

}  // namespace davit

namespace davit::input {

Shape TargetsCodec::shape(const Unit&) {
  Shape shape;
  shape.kind = Shape::Kind::targets;
  shape.element = {Codec<Quantity>::shape({})};
  shape.example = "{king: 90 deg, inner: 0.7 rad}";
  return shape;
}

void TargetsCodec::read(const Node& node, const Shape&, Problems& problems, TargetsSpec& value) {
  if (!node.is_map() || node.entries.empty()) {
    const bool empty = node.is_map() || node.is_null();
    const std::string path = to_text(node.path);
    const bool of_rope = path.ends_with(".hoist") || path.ends_with(".lower");
    problems.error(
        node.where(),
        empty ? "it names nothing to move; joints or winches and their targets are expected here"
              : "found " + found(node) + "; joints and their targets are expected here",
        of_rope ? "name a winch and a length of rope, e.g. {main: 4 m}" : "write e.g. {king: 90 deg, inner: 0.7 rad}");
    return;
  }
  for (const Node::Entry& entry : node.entries) {
    Quantity to;
    if (read_quantity(entry.value, Codec<Quantity>::shape({}), problems, to))
      value.targets.push_back({{entry.key, entry.where()}, to});
  }
}

Node TargetsCodec::write(const TargetsSpec& value, const Shape&) {
  Node node = map_node();
  for (const auto& [joint, to] : value.targets) node.entries.push_back({joint.name, {}, write_quantity(to)});
  return node;
}

Shape FollowCodec::shape(const Unit&) {
  Shape shape;
  shape.kind = Shape::Kind::targets;
  shape.element = {Codec<SignalTableSpec>::shape({})};
  shape.example = "{king: {table: [[0 s, 0 deg], [5 s, 10 deg]]}}";
  return shape;
}

void FollowCodec::read(const Node& node, const Shape& shape, Problems& problems, FollowSpec& value) {
  if (!node.is_map() || node.entries.empty()) {
    problems.error(node.where(), "found " + found(node) + "; joints and their tables are expected here",
                   "write e.g. " + shape.example);
    return;
  }
  for (const Node::Entry& entry : node.entries)
    value.tables.push_back({{entry.key, entry.where()}, SignalTableSpec::record().read(entry.value, problems)});
}

Node FollowCodec::write(const FollowSpec& value, const Shape&) {
  Node node = map_node();
  for (const auto& [name, table] : value.tables)
    node.entries.push_back({name.name, {}, SignalTableSpec::record().write(table)});
  return node;
}

}  // namespace davit::input
