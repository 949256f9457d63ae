// Conditions, moves and limits of phases against the channels and drives of the model that was built.
#include "davit/operation/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/input/wording.hpp"
#include "davit/result/csv.hpp"

namespace davit::operation {

namespace {

using input::Problems;
using Kind = SignalMove::Kind;

class Resolver {
 public:
  Resolver(const Resolvable& resolvable, Problems& problems) : resolvable_(resolvable), problems_(problems) {}

  Phase resolve(PlannedPhase& planned) {
    Phase phase = std::move(planned.phase);
    if (!planned.readable) return phase;
    phase.when = condition(planned.spec->when);
    phase.until = condition(planned.spec->until);
    for (PlannedMove& move : planned.moves)
      if (auto resolved = signal_move(move, *planned.spec)) phase.moves.push_back(*std::move(resolved));
    return phase;
  }

 private:
  std::optional<SignalMove> signal_move(PlannedMove& planned, const PhaseSpec& spec) {
    const auto& signals = resolvable_.model.signals();
    const auto at = std::find_if(signals.begin(), signals.end(), [&](const auto& s) { return s.name == planned.name; });
    if (at == signals.end()) {
      if (!planned.move.scheduled) report_missing(planned);  // the assembly said so
      return std::nullopt;
    }
    SignalMove move = std::move(planned.move);
    move.signal = Signal(static_cast<int>(at - signals.begin()));
    move.limits = at->limits;
    if (at->held_exactly) name_jumps(planned, move);
    if (move.scheduled || move.over || move.kind == Kind::follow || move.kind == Kind::jump) return move;
    const bool fast = !limit(spec.speed, planned, "s", move.limits.speed);
    const bool sudden = !limit(spec.acceleration, planned, "s^2", move.limits.acceleration);
    if (fast || sudden) return std::nullopt;
    if (std::isfinite(move.limits.speed) || std::isfinite(move.limits.acceleration)) return move;
    problems_.error(planned.where,
                    fmt::format("it is not said how fast '{}' moves, and its drive has no limits", planned.name),
                    planned.unit == "m" ? "give 'over', or 'speed' and 'acceleration', e.g. speed: 0.2 m/s"
                                        : "give 'over', or 'speed' and 'acceleration', e.g. speed: 2 deg/s");
    return std::nullopt;
  }

  // No force makes a joint follow exactly where its motion jumps.
  void name_jumps(const PlannedMove& planned, const SignalMove& move) {
    if (move.kind == Kind::follow) return name_jumps_of_table(planned, move.table);
    const bool straight = move.over && move.profile.smoothness == 0 && move.profile.ramp == 0;
    if (move.kind != Kind::jump && straight)
      problems_.warning(planned.where,
                        fmt::format("'{}' is driven exactly, and a move of smoothness 0 begins and ends with a jump of "
                                    "its speed: that takes an impulse, which no force shows",
                                    planned.name),
                        "give a smoothness of 1 or more or a 'ramp', or give its drive 'compliance'");
  }
  void name_jumps_of_table(const PlannedMove& planned, const Motion& table) {
    Motion::Jump value, speed;
    long count = 0;
    for (const Motion::Jump& jump : table.jumps()) {
      if (resolvable_.duration > 0 && jump.t >= resolvable_.duration) break;
      if (std::abs(jump.value) > std::abs(value.value)) value = jump;
      if (std::abs(jump.speed) > std::abs(speed.speed)) speed = jump;
      if (jump.speed != 0) ++count;
    }
    if (std::abs(value.value) > 1e-9) {
      problems_.error(planned.where,
                      fmt::format("'{}' is driven exactly, and its table jumps by {:.4g} {} at {:.4g} s: nothing can "
                                  "follow that",
                                  planned.name, value.value, planned.unit, value.t),
                      "give interpolation: smooth, or give its drive 'compliance' and 'damping'");
    } else if (count > 0) {
      problems_.warning(
          planned.where,
          fmt::format(
              "'{}' is driven exactly, and the speed of its table jumps{}by {:.4g} {}/s at {:.4g} s: that takes "
              "an impulse, which no force shows",
              planned.name, count == 1 ? " " : fmt::format(" {} times, at most ", count), std::abs(speed.speed),
              planned.unit, speed.t),
          "give interpolation: smooth and the speeds 'start_speed: 0' and 'end_speed: 0', a motion that begins and "
          "ends "
          "at rest, or give its drive 'compliance'");
    }
  }

  // What the phase asks for, within what the drive can do. False after a mistake.
  bool limit(const std::optional<input::Quantity>& asked, const PlannedMove& planned, const char* per, double& most) {
    if (!asked) return true;
    const std::string unit = planned.unit + "/" + per;
    const auto value = input::require(*asked, input::unit(unit), problems_);
    if (!value) return false;
    if (!(*value > 0)) {
      problems_.error(asked->where, "it must be above zero", "give e.g. 0.2 m/s");
      return false;
    }
    if (*value > most * (1 + 1e-9)) {
      problems_.error(asked->where,
                      fmt::format("the drive of '{}' can do {:.4g} {}, and {:.4g} {} is asked for", planned.name, most,
                                  unit, *value, unit),
                      "ask for less, or give the drive a larger limit");
      return false;
    }
    most = *value;
    return true;
  }

  void report_missing(const PlannedMove& planned) {
    const std::string owner = planned.name.substr(0, planned.name.find('.'));
    if (resolvable_.doubtful(owner) || resolvable_.doubtful("")) return;
    if (planned.move.kind == Kind::jump)
      problems_.error(planned.where, fmt::format("'{}' is no rope, sling or mooring line", planned.name),
                      "name what can be let go or connected");
    else
      problems_.error(planned.where, fmt::format("nothing drives '{}'", planned.name),
                      "add a controller for it, e.g. control: {crane: {pid: {joints: [" + planned.name +
                          "], …}}}, or constraints: {drive: {motion: {joint: " + planned.name + "}}}");
  }

  std::optional<Condition> condition(const std::optional<ConditionSpec>& spec) {
    if (!spec) return std::nullopt;
    Condition out;
    std::vector<std::string> all, any;
    if (spec->channel) compare({*spec->channel, spec->above, spec->below, spec->where}, out.all, all);
    for (const ComparisonSpec& c : spec->all) compare(c, out.all, all);
    for (const ComparisonSpec& c : spec->any) compare(c, out.any, any);
    for (const std::string& text : all) out.text += (out.text.empty() ? "" : " and ") + text;
    std::string one;
    for (const std::string& text : any) one += (one.empty() ? "" : " or ") + text;
    if (!one.empty()) out.text += out.text.empty() ? one : " and (" + one + ")";
    out.lasting = spec->lasting;
    if (out.lasting > 0) out.text += fmt::format(" for {:.4g} s", out.lasting);
    return out;
  }

  static std::string said(const input::Threshold& t) {
    return t.is_relative() ? fmt::format("{:g} * {}", t.factor, t.of.name) : t.quantity.text;
  }

  void compare(const ComparisonSpec& spec, std::vector<Comparison>& out, std::vector<std::string>& texts) {
    bool found = false;
    for (const Channel& channel : resolvable_.model.channels()) {
      if (!result::matches(spec.channel.name, channel.name)) continue;
      found = true;
      Comparison c{channel, -never, never};
      if (spec.above) c.above = resolvable_.bound(*spec.above, channel).value_or(-never);
      if (spec.below) c.below = resolvable_.bound(*spec.below, channel).value_or(never);
      out.push_back(std::move(c));
    }
    std::string text = spec.channel.name;
    if (spec.above) text += " above " + said(*spec.above);
    if (spec.below) text += (spec.above ? " and below " : " below ") + said(*spec.below);
    texts.push_back(std::move(text));
    if (found) return;
    const std::string owner = spec.channel.name.substr(0, spec.channel.name.find('.'));
    if (resolvable_.doubtful(owner) || resolvable_.doubtful("")) return;
    std::vector<std::string> names;
    for (const Channel& channel : resolvable_.model.channels()) names.push_back(channel.name);
    input::unknown_name(spec.channel, "channel", names, problems_);
  }

  const Resolvable& resolvable_;
  Problems& problems_;
};

}  // namespace

Operation resolve_operation(Plan plan, const Resolvable& resolvable, Problems& problems) {
  Resolver resolver(resolvable, problems);
  std::vector<Phase> phases;
  for (PlannedPhase& planned : plan.phases) phases.push_back(resolver.resolve(planned));
  return Operation(std::move(phases));
}

}  // namespace davit::operation
