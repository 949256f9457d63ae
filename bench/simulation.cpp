// What it costs to run a lift in another sea, beside building it for that sea, and to step a run one step at a time,
// beside running it in one go. Processor time; goals beside.
#include "davit/simulation/simulation.hpp"

#include <fmt/format.h>

#include "davit/test/source_tree.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"

using namespace davit;
using davit::bench::processor_seconds;

namespace {

template <class Task>
double seconds_of(const Task& task) {
  const double begin = processor_seconds();
  task();
  return processor_seconds() - begin;
}

Scenario loaded(const std::string& name, const std::vector<std::string>& settings) {
  input::Problems problems;
  auto scenario = load_scenario(in_source("scenarios/") + name, settings, problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return *std::move(scenario);
}

void another_sea(const std::string& name) {
  const std::vector<std::string> other{"environment.waves.seed=17"};
  double file = 0, rest = 0, sea = 0, same = 0;
  const Scenario first = loaded(name, {});
  const Start start = find_start(first);
  file = seconds_of([&] { rest = seconds_of([scenario = loaded(name, other)] { find_start(scenario); }); }) - rest;
  std::optional<Scenario> exchanged;
  constexpr int times = 5;
  sea = seconds_of([&] {
          for (int i = 0; i < times; ++i) {
            input::Problems problems;
            exchanged = in_another_sea(first, other, problems);
          }
        }) /
        times;
  same = seconds_of([&] { same_start(start, first, *exchanged).value(); });
  fmt::print("  {:<28} {:>9.3f} {:>12.3f} {:>12.4f} {:>14.4f}   goal 0.1 in sum\n", name, file, rest, sea, same);
}

void stepped(const std::string& name, const std::vector<std::string>& settings) {
  const Scenario scenario = loaded(name, settings);
  const Start start = find_start(scenario);
  double at_once = 1e9, one_by_one = 1e9;
  for (int i = 0; i < bench::repetitions(3); ++i) {
    Simulation a(scenario, start), b(scenario, start);
    at_once = std::min(at_once, seconds_of([&] { a.run(); }));
    one_by_one = std::min(one_by_one, seconds_of([&] {
                            while (!b.is_over()) b.step();
                            b.finish();
                          }));
  }
  fmt::print("  {:<28} {:>9.3f} {:>12.3f} {:>11.1f} %   goal 2 %\n", name, at_once, one_by_one,
             100 * (one_by_one / at_once - 1));
}

}  // namespace

int main() {
  fmt::print("another sea, s             from the file:  model  equilibrium; exchanged:  sea  equilibrium\n");
  for (const char* name : bench::cases({"ship_crane/lift.yaml", "moored_barge.yaml", "module_lift.yaml"}))
    another_sea(name);
  fmt::print("stepped, s                        in one go  one by one   overhead\n");
  stepped("overhead_crane.yaml", {});
  if (bench::smoke()) return 0;
  stepped("ship_crane/lift.yaml", {});
  stepped("moored_barge.yaml", {"run.duration=60 s"});
}
