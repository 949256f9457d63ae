#include "davit/run/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/simulation/simulation.hpp"

namespace davit {

namespace {

constexpr size_t most_states = 128;
// Stretches that are run again: the worst of them, a few hundredths of the run in all, and every one that leads to the
// worst value of a limit beyond this part of its bound.
constexpr size_t most_stretches = 8;
constexpr double near_bound = 0.5;
// A stretch begins so many steps before its peak at least, and ends so many after it, because peaks move in time too.
constexpr double steps_before = 20, steps_after = 10;
// A load that is small beside the largest of all is judged as if it were this part of it.
constexpr double least_load = 0.01;

// What is looked at again: a limit, or the largest value of a channel.
struct Candidate {
  std::optional<size_t> limit;
  size_t channel = 0;
  double t = 0, value = 0, scale = 0;
  bool must = false;  // be looked at, however many there are
};

std::vector<Candidate> limits_of(const std::vector<result::LimitResult>& results) {
  std::vector<Candidate> out;
  for (size_t i = 0; i < results.size(); ++i) {
    const result::LimitResult& r = results[i];
    if (!r.worst || !r.worst_time) continue;
    out.push_back({i, 0, *r.worst_time, *r.worst, std::max(std::abs(r.bound.value_or(0)), std::abs(*r.worst)),
                   r.utilisation.value_or(1) > near_bound});
  }
  std::stable_sort(out.begin(), out.end(), [&](const Candidate& a, const Candidate& b) {
    return results[*a.limit].utilisation.value_or(0) > results[*b.limit].utilisation.value_or(0);
  });
  return out;
}

std::vector<Candidate> loads_of(const std::vector<result::ChannelInfo>& channels,
                                const std::vector<result::Statistics>& statistics) {
  std::vector<Candidate> out;
  double largest = 0;
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].main && channels[i].unit == "N" && statistics[i].max > 0) {
      out.push_back({{}, i, statistics[i].max_time, statistics[i].max, statistics[i].max, false});
      largest = std::max(largest, statistics[i].max);
    }
  for (Candidate& c : out) c.scale = std::max(c.scale, least_load * largest);
  std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
  return out;
}

// A stretch again, from a state that was kept.
struct Stretch {
  std::vector<result::LimitResult> limits;
  std::vector<result::Statistics> statistics;
  RunOutcome outcome;
};
Stretch repeat(const Scenario& scenario, const std::vector<result::Limit>& limits,
               const std::vector<result::ChannelInfo>& channels, State state, double end) {
  Monitors monitors(limits, channels, {&scenario.operation, scenario.limit_phases});
  SimulationOptions options = scenario.options;
  options.end = std::min(end, scenario.options.end);
  options.step /= 2;
  options.output = options.end - state.t;
  options.load_tolerance /= 4;
  options.resumes = true;
  options.measures_error = false;
  const RunOutcome outcome = Simulation(scenario, std::move(state), {.sinks = {&monitors}, .options = options}).run();
  return {monitors.limits.results(true), monitors.statistics.results(), outcome};
}

}  // namespace

void Checkpoints::watch(const Snapshot& now) {
  if (watched_++ % interval_ != 0) return;
  states_.push_back(now.state);
  if (states_.size() < most_states) return;
  size_t kept = 0;
  for (size_t i = 0; i < states_.size(); i += 2) std::swap(states_[kept++], states_[i]);
  states_.resize(kept);
  interval_ *= 2;
}

const State& Checkpoints::before(double t) const {
  const auto later = std::upper_bound(states_.begin(), states_.end(), t,
                                      [](double time, const State& state) { return time < state.t; });
  return later == states_.begin() ? states_.front() : *std::prev(later);
}

std::optional<std::string> cannot_repeat(const Scenario& scenario) {
  if (scenario.levers) return "it was driven by levers";
  for (const auto& controller : scenario.model->controllers())
    if (controller.element->remembers_outside())
      return "controller '" + controller.element->name() + "' may remember what the State does not have";
  return std::nullopt;
}

result::Confirmation confirm_peaks(const Scenario& scenario, const Checkpoints& checkpoints, const Monitors& monitors,
                                   double reached) {
  result::Confirmation out;
  if (checkpoints.empty()) return out;
  const auto channels = recorded_channels(scenario);
  const auto results = monitors.limits.results(true);
  const auto statistics = monitors.statistics.results();
  std::vector<Candidate> candidates = limits_of(results);
  const auto loads = loads_of(channels, statistics);
  candidates.insert(candidates.end(), loads.begin(), loads.end());
  // Multiples of the first value have their bound by now.
  std::vector<result::Limit> limits = scenario.limits;
  for (size_t i = 0; i < limits.size(); ++i)
    if (limits[i].of_first) {
      limits[i].of_first = false;
      limits[i].bound = results[i].bound.value_or(0);
    }

  const double step = scenario.options.step, start = checkpoints.before(0).t;
  std::map<double, std::vector<Candidate>> stretches;  // by where they begin
  size_t left_out = 0;
  for (const Candidate& c : candidates) {
    if (c.t <= start) continue;
    const double from = checkpoints.before(c.t - steps_before * step).t;
    if (c.must || stretches.contains(from) || stretches.size() < most_stretches)
      stretches[from].push_back(c);
    else
      ++left_out;
  }
  if (left_out > 0)
    out.remarks.push_back(
        fmt::format("{} of {} worst values were not repeated at half the step: loads that are smaller than those which "
                    "were, and limits that are used by less than {:g} %",
                    left_out, candidates.size(), 100 * near_bound));
  const auto name_of = [&](const Candidate& c) {
    return c.limit ? limits[*c.limit].channel : channels[c.channel].name;
  };
  for (const auto& [from, peaks] : stretches) {
    double last = from;
    for (const Candidate& c : peaks) last = std::max(last, c.t);
    const auto again =
        repeat(scenario, limits, channels, checkpoints.before(from), std::min(last + steps_after * step, reached));
    if (again.outcome.status == RunStatus::broken) {
      out.broken.push_back(fmt::format("{} at {:.4g} s: {} at {:.4g} s", name_of(peaks.front()), peaks.front().t,
                                       again.outcome.why, again.outcome.t));
      continue;
    }
    for (const Candidate& c : peaks) {
      const std::optional<double> value =
          c.limit ? again.limits[*c.limit].worst : std::optional(again.statistics[c.channel].max);
      if (!value || !std::isfinite(*value)) {
        out.broken.push_back(fmt::format("{} at {:.4g} s: it has no value there", name_of(c), c.t));
        continue;
      }
      result::Peak peak{name_of(c), c.limit ? scenario.limit_units[*c.limit] : channels[c.channel].unit,
                        c.t,        c.value,
                        *value,     std::max(c.scale, std::abs(*value)),
                        {}};
      if (c.limit) peak.bound = results[*c.limit].bound;
      peak.verdict_changes = c.limit && results[*c.limit].passed != again.limits[*c.limit].passed;
      out.peaks.push_back(std::move(peak));
    }
  }
  return out;
}

}  // namespace davit
