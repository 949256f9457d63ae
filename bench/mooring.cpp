// Mooring lines. A line whose fairlead is moved by 5 m in 7.6 s (davit verify mooring-dynamic): processor time of a
// simulated second against the error, at the settings that are meant for 5, 2 and 1 %; time of an element and step from
// 40 to 1000 elements; statics of twelve lines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/solve/equilibrium.hpp"
#include "davit/verify/moored_barge_case.hpp"
#include "davit/verify/mooring_lines.hpp"
#include "processor_time.hpp"

using namespace davit;
using namespace davit::verify;
using davit::bench::processor_seconds;

namespace {

constexpr int repetitions = 7;

struct Setting {
  const char* name;
  int elements;
  double step, limit;  // s; ms per simulated second, 0 where there is none
};
constexpr Setting settings[] = {{"5 %", 41, 0.1, 0.15},  {"", 60, 0.06, 0},  {"", 100, 0.04, 0},
                                {"2 %", 150, 0.03, 0.8}, {"", 180, 0.02, 0}, {"1 %", 220, 0.015, 2.0},
                                {"", 300, 0.01, 0},      {"", 500, 0.005, 0}};

// Least of several runs, in seconds of processor time.
template <class Work>
double least_time(Work&& work) {
  double least = INFINITY;
  for (int i = 0; i < repetitions; ++i) {
    const double start = processor_seconds();
    // Work that says itself what it took leaves out its preparation.
    if constexpr (std::is_same_v<decltype(work()), double>) {
      least = std::min(least, work());
    } else {
      work();
      least = std::min(least, processor_seconds() - start);
    }
  }
  return least;
}

void error_against_time() {
  const ForcedLine forced = forced_g1(7.6);
  fmt::print("forced line, 45.6 s\n{:>8}{:>10}{:>10}{:>10}{:>12}{:>10}{:>6}\n", "meant", "elements", "step, ms",
             "rms, %", "ms per s", "limit", "met");
  for (const Setting& s : settings) {
    TensionHistory run;
    const double time = least_time([&] { run = run_forced(forced, s.elements, s.step, 0.01); });
    const double per_second = 1e3 * time / (forced.cycles * forced.period);
    fmt::print("{:>8}{:>10}{:>10g}{:>10.2f}{:>12.3f}", s.name, s.elements, 1e3 * s.step,
               100 * rms_error(run, "mooring_forced_G1_7.6.csv"), per_second);
    if (s.limit > 0) fmt::print("{:>10g}{:>6}", s.limit, per_second <= s.limit ? "yes" : "no");
    fmt::print("\n");
  }
}

void size() {
  fmt::print("\ntime of an element and iteration\n");
  for (const int elements : {40, 100, 300, 1000}) {
    const ForcedLine forced = forced_g1(7.6);
    MooredLine moored(cable::Line({thesis_chain(170, elements)}, {}, thesis_bed(-10 - forced.depth), {}));
    moored.settle(forced.anchor(), forced.fairlead(0));
    moored.forces.anchored = true;
    const std::vector<double> rest = moored.state;
    long iterations = 0;
    const double h = 0.02;
    const double time = least_time([&] {
      moored.state = rest;
      iterations = 0;
      for (int i = 1; i <= 400; ++i) {
        iterations += moored.line
                          .step(moored.state.data(), (i - 1) * h, h, forced.anchor(), forced.fairlead(i * h),
                                moored.next.data(), moored.forces, moored.work)
                          .iterations;
        moored.state.swap(moored.next);
      }
    });
    fmt::print("{:>8} elements{:>8.1f} ns, {:.2f} iterations a step\n", elements,
               1e9 * time / (static_cast<double>(iterations) * elements), static_cast<double>(iterations) / 400);
  }
}

void statics() {
  const int lines = 12;
  MooredLine moored(cable::Line({thesis_chain(170, 50)}, {}, thesis_bed(-60), {}));
  int iterations = 0;
  const double time = least_time([&] {
    iterations = 0;
    for (int i = 0; i < lines; ++i) {
      const double angle = 2 * std::numbers::pi * i / lines;
      const Vec3 anchor(143.2 * std::cos(angle), 143.2 * std::sin(angle), -60);
      iterations += moored.line.settle(anchor, Vec3(0.3 * i, 0, -10), moored.state.data(), moored.work).iterations;
    }
  });
  fmt::print("\nstatics of 12 lines of 50 elements from their catenaries: {:.2f} ms, {:.1f} iterations each\n",
             1e3 * time, static_cast<double>(iterations) / lines);
}

// A barge on twelve lines in waves, one model and one step; its equilibrium.
void barge() {
  constexpr double step = 0.1, seconds = 100;
  constexpr int lines = 12, elements = 50;
  const auto steps = static_cast<int>(seconds / step);
  const double time = least_time([&] {
    ScenarioRun run(barge_in_waves(lines, elements, step));
    const double begin = processor_seconds();
    for (int i = 0; i < steps; ++i) run.step(step);
    return processor_seconds() - begin;
  });
  fmt::print("\nbarge in waves on {} lines of {} elements, steps of {} s: {:.0f} x real time (goal 200)\n", lines,
             elements, step, seconds / time);
  ScenarioRun rest(barge_in_waves(lines, elements, step));
  Equilibrium found;
  const double statics_time = least_time([&] { found = find_equilibrium(rest.system(), rest.state()); });
  fmt::print("its equilibrium: {:.1f} ms, {} iterations{} (goal 100 ms)\n", 1e3 * statics_time, found.iterations,
             found.converged ? "" : ", NOT FOUND");
}

}  // namespace

int main() {
  error_against_time();
  size();
  statics();
  barge();
}
