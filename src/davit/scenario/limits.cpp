#include "davit/scenario/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/input/wording.hpp"
#include "davit/result/csv.hpp"

namespace davit {

namespace {

using input::Problems;
using result::ChannelInfo;
using Side = result::Limit::Side;

bool is_pattern(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

std::string owner_of(const std::string& channel) { return channel.substr(0, channel.find('.')); }

// Waves and wind have come up.
double start_up_of(const Specification& spec, double wave_ramp) {
  if (spec.run.start_up) return *spec.run.start_up;
  return std::max(wave_ramp, spec.environment.wind ? spec.environment.wind->ramp : 0);
}

// `mbl` is of the owner of the channel, `load.weight` of another. `others`: words that would do as well.
std::optional<double> value_of(const input::Reference& of, const ChannelInfo& channel, const Limitable& limitable,
                               const std::vector<std::string>& others, Problems& problems) {
  const bool named = of.name.find('.') != std::string::npos;
  const std::string owner = named ? owner_of(of.name) : owner_of(channel.name);
  const auto value = limitable.values.find(named ? of.name : owner + "." + of.name);
  if (value != limitable.values.end() && value->second.unit == channel.unit) return value->second.value;
  if (limitable.doubtful(owner)) return std::nullopt;
  std::vector<std::string> candidates;
  for (const auto& [name, v] : limitable.values)
    if (v.unit == channel.unit && (named || name.starts_with(owner + ".")))
      candidates.push_back(named ? name : name.substr(owner.size() + 1));
  candidates.insert(candidates.end(), others.begin(), others.end());
  input::unknown_name(of, named ? "value in " + channel.unit : fmt::format("value of '{}' in {}", owner, channel.unit),
                      candidates, problems);
  return std::nullopt;
}

std::optional<double> quantity_of(const input::Threshold& threshold, const ChannelInfo& channel, Problems& problems) {
  return input::require(threshold.quantity, input::unit(channel.unit.empty() ? "1" : channel.unit), problems);
}

class Resolver {
 public:
  Resolver(const Limitable& limitable, Scenario& out, Problems& problems)
      : limitable_(limitable), spec_(out.specification), out_(out), problems_(problems) {
    for (const ChannelInfo& c : limitable_.channels) names_.push_back(c.name);
  }

  void resolve(const LimitSpec& limit) {
    const auto window = window_of(limit);
    if (limit.phase && !phase_of(limit)) {
      std::vector<std::string> phases;
      for (const auto& phase : out_.operation.phases()) phases.push_back(phase.name);
      input::unknown_name(*limit.phase, "phase", phases, problems_);
    }
    bool found = false;
    for (const ChannelInfo& channel : limitable_.channels) {
      if (!result::matches(limit.channel.name, channel.name)) continue;
      found = true;
      if (limit.above) add(limit, channel, Side::above, *limit.above, window);
      if (limit.below) add(limit, channel, Side::below, *limit.below, window);
    }
    if (!found && !limit.channel.name.empty()) report_unknown(limit.channel);
  }

  // A limit of a part says nothing more where the scenario itself has one on the same channel that is as strict.
  void leave_out_repeated() {
    std::map<std::pair<std::string, Side>, double> own;  // strictest bound that the scenario gives for all of the run
    const auto holds_always = [](const result::Limit& l) {
      return std::isinf(l.from) && std::isinf(l.until) && !l.of_first && l.phase.empty();
    };
    const auto stricter = [](Side side, double a, double b) {
      return side == Side::below ? std::min(a, b) : std::max(a, b);
    };
    for (size_t i = 0; i < out_.limits.size(); ++i) {
      const result::Limit& l = out_.limits[i];
      if (of_part_[i] || !holds_always(l)) continue;
      const auto [bound, is_new] = own.emplace(std::pair(l.channel, l.side), l.bound);
      if (!is_new) bound->second = stricter(l.side, bound->second, l.bound);
    }
    const auto is_repeated = [&](size_t i) {
      const result::Limit& l = out_.limits[i];
      const auto bound = own.find({l.channel, l.side});
      return of_part_[i] && !l.of_first && bound != own.end() &&
             stricter(l.side, bound->second, l.bound) == bound->second;
    };
    size_t kept = 0;
    for (size_t i = 0; i < out_.limits.size(); ++i) {
      if (is_repeated(i)) continue;
      if (kept != i) {
        out_.limits[kept] = std::move(out_.limits[i]);
        out_.limit_units[kept] = std::move(out_.limit_units[i]);
        out_.limit_phases[kept] = out_.limit_phases[i];
      }
      ++kept;
    }
    out_.limits.resize(kept);
    out_.limit_units.resize(kept);
    out_.limit_phases.resize(kept);
  }

 private:
  using Window = std::pair<double, double>;

  Window window_of(const LimitSpec& limit) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Window window{limit.from.value_or(-infinity), limit.until.value_or(infinity)};
    if (limit.after_start_up) {
      window.first = start_up_of(spec_, limitable_.wave_ramp);
      if (!(window.first > 0))
        problems_.error(limit.where, "the run has no start-up that the limit could come after: no waves, no wind",
                        "give run.start_up, e.g. 60 s, or leave 'after' out");
    }
    if (spec_.run.duration > 0 && window.first >= spec_.run.duration)
      problems_.error(
          limit.where,
          fmt::format("the limit holds from {:.4g} s, and the run ends at {:.4g} s", window.first, spec_.run.duration),
          "lengthen run.duration, or let the limit begin earlier");
    else if (limit.after_start_up && window.first >= window.second)
      problems_.error(
          limit.where,
          fmt::format("the limit ends at {:.4g} s, in the start-up of {:.4g} s", window.second, window.first),
          "give a later 'until', or a shorter run.start_up");
    return window;
  }

  void add(const LimitSpec& limit, const ChannelInfo& channel, Side side, const input::Threshold& threshold,
           const Window& window) {
    result::Limit out{
        .channel = channel.name, .side = side, .from = window.first, .until = window.second, .text = limit.why};
    if (!threshold.is_relative()) {
      const auto bound = quantity_of(threshold, channel, problems_);
      if (!bound) return;
      out.bound = *bound;
      // Computed values are in SI: theirs is no unit that anyone chose.
      if (threshold.quantity.has_unit && *bound != 0 && threshold.quantity.unit.text != channel.unit)
        out.written = {threshold.quantity.unit.text, threshold.quantity.number / *bound};
    } else {
      out.asked = fmt::format("{:g} * {}", threshold.factor, threshold.of.name);
      if (threshold.of.name == "static") {
        if (!begins_in_equilibrium(limit)) return;
        out.bound = threshold.factor;
        out.of_first = true;
      } else {
        const bool has_static = out_.from_equilibrium && out_.offsets.empty();
        const auto value =
            value_of(threshold.of, channel, limitable_,
                     has_static ? std::vector<std::string>{"static"} : std::vector<std::string>(), problems_);
        if (!value) return;
        out.bound = threshold.factor * *value;
      }
    }
    if (limit.phase) out.phase = limit.phase->name;
    out_.limits.push_back(std::move(out));
    out_.limit_units.push_back(channel.unit);
    out_.limit_phases.push_back(phase_of(limit));
    of_part_.push_back(!limit.where.instance.empty());
  }

  bool begins_in_equilibrium(const LimitSpec& limit) {
    if (out_.from_equilibrium && out_.offsets.empty()) return true;
    problems_.error(limit.where,
                    "'static' is the value in the equilibrium that a run starts from, and this one " +
                        std::string(out_.from_equilibrium ? "has an offset from it" : "does not"),
                    out_.from_equilibrium ? "leave run.offset out, or give the bound as a quantity"
                                          : "set run.from_equilibrium: true, or give the bound as a quantity");
    return false;
  }

  std::optional<int> phase_of(const LimitSpec& limit) {
    return limit.phase ? out_.operation.find(limit.phase->name) : std::nullopt;
  }

  void report_unknown(const input::Reference& channel) {
    if (!is_pattern(channel.name)) {
      if (!limitable_.doubtful(owner_of(channel.name))) input::unknown_name(channel, "channel", names_, problems_);
      return;
    }
    if (limitable_.doubtful("")) return;
    // Channels that end alike are what the pattern was meant for.
    const std::string tail = channel.name.substr(std::min(channel.name.rfind('.'), channel.name.size()));
    std::vector<std::string> alike;
    for (const std::string& name : names_)
      if (!tail.empty() && result::matches("*" + tail, name)) alike.push_back(name);
    const auto near = input::nearest(channel.name, names_);
    problems_.error(channel.where, fmt::format("the pattern {} matches no channel", input::shown(channel.name)),
                    (near ? fmt::format("did you mean '{}'? ", *near) : "") +
                        (alike.empty() ? "run `davit check --channels FILE` for the list of channels"
                                       : fmt::format("channels that end in '{}' are: {}", tail, input::listed(alike))));
  }

  const Limitable& limitable_;
  std::vector<std::string> names_;  // of all channels
  std::vector<bool> of_part_;       // of all limits
  const Specification& spec_;
  Scenario& out_;
  Problems& problems_;
};

}  // namespace

std::optional<double> bound_of(const input::Threshold& threshold, const ChannelInfo& channel,
                               const Limitable& limitable, Problems& problems) {
  if (!threshold.is_relative()) return quantity_of(threshold, channel, problems);
  const auto value = value_of(threshold.of, channel, limitable, {}, problems);
  return value ? std::optional(threshold.factor * *value) : std::nullopt;
}

void resolve_limits(const Limitable& limitable, Scenario& out, Problems& problems) {
  Resolver resolver(limitable, out, problems);
  for (const LimitSpec& limit : out.specification.limits) resolver.resolve(limit);
  resolver.leave_out_repeated();
}

}  // namespace davit
