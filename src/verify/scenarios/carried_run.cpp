#include "verify/scenarios/carried_run.hpp"

#include <cmath>
#include <stdexcept>

#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "verify/scenarios/scenario_run.hpp"

namespace davit::verify {

size_t CarriedRun::column(const std::string& name) const {
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == name) return i;
  throw std::runtime_error("there is no channel " + name);
}

double CarriedRun::largest(const std::string& channel) const {
  double most = 0;
  for (const auto& row : memory.rows) most = std::max(most, std::abs(row[column(channel)]));
  return most;
}

double CarriedRun::at(const std::string& channel, double t) const {
  size_t nearest = 0;
  for (size_t i = 0; i < memory.times.size(); ++i)
    if (std::abs(memory.times[i] - t) < std::abs(memory.times[nearest] - t)) nearest = i;
  return memory.rows[nearest][column(channel)];
}

double CarriedRun::largest_error(const std::string& channel, const std::function<double(double)>& exact,
                                 double from) const {
  const size_t at = column(channel);
  double most = 0;
  for (size_t i = 0; i < memory.times.size(); ++i)
    if (memory.times[i] >= from) most = std::max(most, std::abs(memory.rows[i][at] - exact(memory.times[i])));
  return most;
}

CarriedRun carried_out(const std::string& text) {
  const Scenario scenario = scenario_of(text);
  CarriedRun out;
  out.channels = recorded_channels(scenario);
  const Start start = find_start(scenario);
  Monitors monitors(limits_from(start, scenario), out.channels, {&scenario.operation, scenario.limit_phases});
  std::vector<Sink*> sinks{&out.memory};
  if (!scenario.limits.empty()) sinks.push_back(&monitors);
  Simulation run(scenario, start, {.sinks = sinks});
  out.outcome = run.run();
  out.end = run.state();
  if (out.outcome.status == RunStatus::broken)
    throw std::runtime_error("a run broke: " + out.outcome.element + ": " + out.outcome.why);
  out.phases = scenario.operation.report(out.end);
  out.limits = monitors.limits.results(out.outcome.status == RunStatus::complete);
  return out;
}

}  // namespace davit::verify
