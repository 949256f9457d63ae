// Checks every code, counts Davit's allocations, times all tasks and prints times, ratios and the limits Davit is meant
// to keep: davit_bench [--reference FILE] [--ratios FILE] [options of Google Benchmark]
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "allocations.hpp"
#include "check.hpp"
#include "davit_peer.hpp"
#include "smoke.hpp"
#include "verify/vessels/ship_crane.hpp"

namespace davit::bench {
namespace {

constexpr double agreement = 1e-6;      // relative, of u̇ and wrenches
constexpr double run_agreement = 2e-7;  // m or rad, of Davit at the end of the run: the error of plain RK4
constexpr double peer_run_agreement = 1e-5;
constexpr int long_chain = 300;

struct Task {
  const char* name;
  const char* unit;
  double per_second;  // units in a second
  double limit;       // what Davit is meant to keep, zero for none
};
constexpr Task tasks[] = {
    {"forward dynamics", "ns", 1e9, 1000},
    {"with all joint wrenches", "ns", 1e9, 1300},
    {"60 s run, RK4 at 10 ms", "ms", 1e3, 30},
    {"chain of 300", "µs", 1e6, 50},
    {"Kane's M and C", "ns", 1e9, 0},
    {"mass matrix", "ns", 1e9, 0},
    {"chain of 3", "µs", 1e6, 0},
    {"chain of 10", "µs", 1e6, 0},
    {"chain of 30", "µs", 1e6, 0},
    {"chain of 100", "µs", 1e6, 0},
    {"chain of 1000", "µs", 1e6, 0},
};

std::string number(double x) { return x < 1000 ? fmt::format("{:.3g}", x) : fmt::format("{:.0f}", x); }

class RatioTable {
 public:
  void add(const std::string& task, const std::string& code, double seconds) { times_[task][code].push_back(seconds); }
  void print(const std::vector<std::string>& codes) const;
  nlohmann::ordered_json json() const;
  bool empty() const { return times_.empty(); }

 private:
  static double least(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }
  static double median(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    return x[x.size() / 2];
  }
  const std::vector<double>* find(const std::string& task, const std::string& code) const {
    const auto t = times_.find(task);
    if (t == times_.end()) return nullptr;
    const auto c = t->second.find(code);
    return c == t->second.end() ? nullptr : &c->second;
  }

  std::map<std::string, std::map<std::string, std::vector<double>>> times_;
};

void RatioTable::print(const std::vector<std::string>& codes) const {
  const auto head = [&](const char* title, bool with_davit) {
    fmt::print("\n{:<30}", title);
    for (const auto& c : codes)
      if (with_davit || c != "Davit") fmt::print("{:>10}", c);
    fmt::print("\n");
  };
  head("time, least of all repetitions", true);
  for (const Task& t : tasks) {
    if (!times_.count(t.name)) continue;
    // fmt pads by code points, so µ is no trouble.
    fmt::print("{:<30}", fmt::format("{}, {}", t.name, t.unit));
    for (const auto& c : codes) {
      const auto* x = find(t.name, c);
      fmt::print("{:>10}", x ? number(t.per_second * least(*x)) : "-");
    }
    fmt::print("\n");
  }
  if (codes.size() > 1) {
    head("ratio, peer / Davit", false);
    for (const Task& t : tasks) {
      const auto* own = find(t.name, "Davit");
      const bool shared =
          std::any_of(codes.begin(), codes.end(), [&](const auto& c) { return c != "Davit" && find(t.name, c); });
      if (!own || !shared) continue;
      fmt::print("{:<30}", t.name);
      for (const auto& c : codes) {
        if (c == "Davit") continue;
        const auto* x = find(t.name, c);
        fmt::print("{:>10}", x ? fmt::format("{:.2f}", least(*x) / least(*own)) : "-");
      }
      fmt::print("\n");
    }
  }
  fmt::print("\nlimits of Davit (for information)\n");
  for (const Task& t : tasks) {
    const auto* own = find(t.name, "Davit");
    if (t.limit == 0 || !own) continue;
    const double time = t.per_second * least(*own);
    fmt::print("{:<30}{} {}, limit {:g} {}, met: {}\n", t.name, number(time), t.unit, t.limit, t.unit,
               time <= t.limit ? "yes" : "no");
  }
}

nlohmann::ordered_json RatioTable::json() const {
  nlohmann::ordered_json out;
  for (const Task& t : tasks) {
    const auto found = times_.find(t.name);
    if (found == times_.end()) continue;
    nlohmann::ordered_json row{{"task", t.name}, {"unit", t.unit}};
    if (t.limit > 0) row["limit"] = t.limit;
    const auto* own = find(t.name, "Davit");
    for (const auto& [code, x] : found->second) {
      nlohmann::ordered_json entry{
          {"least", t.per_second * least(x)}, {"median", t.per_second * median(x)}, {"repetitions", x.size()}};
      if (own && code != "Davit") entry["ratio"] = least(x) / least(*own);
      row["times"][code] = std::move(entry);
    }
    out.push_back(std::move(row));
  }
  return out;
}

// Keeps processor time of every repetition; a benchmark is called "task|code".
class Collector final : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(RatioTable& table) : table_(table) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs) {
      if (r.run_type != Run::RT_Iteration || r.error_occurred) continue;
      const std::string& name = r.run_name.function_name;
      const size_t bar = name.find('|');
      table_.add(name.substr(0, bar), name.substr(bar + 1), r.cpu_accumulated_time / static_cast<double>(r.iterations));
    }
  }

 private:
  RatioTable& table_;
};

struct Code {
  std::string name, about;
  std::unique_ptr<Crane> crane;
  std::unique_ptr<Chain> chain;
  bool wrenches = false, run = false;
};

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

const Peer* load(const std::string& name) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  void* module = dlopen((folder / ("peer_" + name + ".so")).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    fmt::print("without {}: {}\n", name, dlerror());
    return nullptr;
  }
  const auto entry = reinterpret_cast<const Peer* (*)()>(dlsym(module, peer_symbol));
  return entry ? entry() : nullptr;
}

// All that Davit says of the states, or the reference where there is one; codes are held against both.
struct Known {
  std::vector<CraneState> states;
  std::vector<CraneRates> rates;
  std::vector<CraneWrenches> wrenches;
};

class Checks {
 public:
  explicit Checks(const std::string& reference_file)
      : reference_(read_reference(reference_file)), chain_(chain_states(5, long_chain, 3)) {
    const auto fallback = crane_states(5, 1);
    for (size_t i = 0; i < 5 && reference_.empty(); ++i) states_.push_back(fallback[i]);
    for (const auto& k : reference_) states_.push_back(k.state);
    fmt::print("{} states of the crane{}\n", states_.size(),
               reference_.empty() ? " (no reference file: peers are held against Davit only)" : " of the reference");
  }

  // True when the code may be timed. Davit comes first; the others are compared with it too.
  bool pass(Code& code) {
    double to_davit = 0, to_reference = 0, wrench_to_davit = 0, wrench_to_reference = 0, chain = 0;
    for (size_t i = 0; i < states_.size(); ++i) {
      code.wrenches ? code.crane->compute_with_wrenches(states_[i]) : code.crane->compute(states_[i]);
      const CraneRates with = code.crane->rates();
      const CraneWrenches wrenches = code.crane->wrenches();
      code.crane->compute(states_[i]);
      const CraneRates rates = code.crane->rates();
      if (davit_.states.size() == i) {
        davit_.states.push_back(states_[i]);
        davit_.rates.push_back(rates);
        davit_.wrenches.push_back(wrenches);
      }
      to_davit = std::max({to_davit, difference(rates, davit_.rates[i]), difference(with, davit_.rates[i])});
      wrench_to_davit = std::max(wrench_to_davit, difference(wrenches, davit_.wrenches[i]));
      if (reference_.empty()) continue;
      to_reference =
          std::max({to_reference, difference(rates, reference_[i].rates), difference(with, reference_[i].rates)});
      wrench_to_reference = std::max(wrench_to_reference, difference(wrenches, reference_[i].wrenches));
    }
    for (size_t i = 0; i < chain_.size(); ++i) {
      code.chain->compute(chain_[i].q, chain_[i].qd);
      if (chain_rates_.size() == i) chain_rates_.push_back(code.chain->rates());
      chain = std::max(chain, difference(code.chain->rates(), chain_rates_[i]));
    }
    const bool davit = code.name == "Davit";
    fmt::print("{} ({})\n ", code.name, code.about);
    if (!davit) fmt::print(" u̇ to Davit's {:.1e},", to_davit);
    if (!reference_.empty()) fmt::print(" u̇ to the reference's {:.1e},", to_reference);
    if (code.wrenches && !davit) fmt::print(" wrenches to Davit's {:.1e},", wrench_to_davit);
    if (code.wrenches && !reference_.empty()) fmt::print(" wrenches to the reference's {:.1e},", wrench_to_reference);
    if (!davit) fmt::print(" chain to Davit's {:.1e},", chain);
    bool good = std::max({to_davit, to_reference, chain}) <= agreement;
    if (code.wrenches) good = good && std::max(wrench_to_davit, wrench_to_reference) <= agreement;
    if (code.run) {
      const double end = largest_difference(run_end_of(code.crane->run(run_start(), {})), run_end);
      fmt::print(" end of the 60 s run {:.1e},", end);
      good = good && end <= (davit ? run_agreement : peer_run_agreement);
    }
    fmt::print(" {}\n", good ? "agrees" : "ERROR: disagrees, not timed");
    std::fflush(stdout);
    return good;
  }

 private:
  std::vector<KnownState> reference_;
  std::vector<CraneState> states_;
  std::vector<ChainState> chain_;
  Known davit_;
  std::vector<std::vector<double>> chain_rates_;
};

// One evaluation after another around a ring of states.
template <class States, class Evaluate>
void add_task(const std::string& task, const std::string& code, const States& states, Evaluate evaluate) {
  benchmark::RegisterBenchmark((task + "|" + code).c_str(),
                               [&states, evaluate](benchmark::State& timer) {
                                 size_t i = 0;
                                 for (auto _ : timer) {
                                   evaluate(states[i]);
                                   benchmark::ClobberMemory();
                                   i = i + 1 < states.size() ? i + 1 : 0;
                                 }
                               })
      ->MinTime(0.02)
      ->Repetitions(25);
}

int run(std::vector<std::string> arguments) {
  std::string reference = DAVIT_BENCH_REFERENCE, ratios;
  for (size_t i = 1; i + 1 < arguments.size();) {
    std::string* value = arguments[i] == "--reference" ? &reference : arguments[i] == "--ratios" ? &ratios : nullptr;
    if (value) {
      *value = arguments[i + 1];
      arguments.erase(arguments.begin() + static_cast<long>(i), arguments.begin() + static_cast<long>(i) + 2);
    } else {
      ++i;
    }
  }
  // Repetitions of all tasks are shuffled, so that a neighbour's load hits all alike.
  arguments.insert(arguments.begin() + 1, "--benchmark_enable_random_interleaving=true");
  std::vector<char*> raw;
  for (auto& a : arguments) raw.push_back(a.data());
  int count = static_cast<int>(raw.size());
  benchmark::Initialize(&count, raw.data());
  if (benchmark::ReportUnrecognizedArguments(count, raw.data())) return 2;

  const std::string cpu = cpu_model();
  fmt::print("{}; Davit built with {}\n", cpu, DAVIT_BENCH_COMPILER);
  Checks checks(reference);
  bool good = true;
  std::vector<std::unique_ptr<Code>> codes;
  auto own = std::make_unique<DavitCrane>();
  DavitCrane& davit = *own;
  codes.push_back(std::make_unique<Code>(
      Code{"Davit", "real universal joint", std::move(own), std::make_unique<DavitChain>(long_chain), true, true}));
  if (!checks.pass(*codes.back())) return 1;

  const Links crane_links = links_of(ship_crane_bodies({})), chain_links = links_of(chain_bodies(long_chain));
  std::istringstream peers(DAVIT_BENCH_PEERS);
  for (std::string name; peers >> name;) {
    const Peer* peer = smoke() ? nullptr : load(name);
    if (!peer) continue;
    auto code = std::make_unique<Code>(Code{peer->name, peer->about, peer->make_crane(crane_links),
                                            peer->make_chain(chain_links), peer->has_wrenches, peer->has_run});
    if (checks.pass(*code)) {
      codes.push_back(std::move(code));
    } else {
      good = false;
    }
  }

  const Run few{.steps = 1000};
  fmt::print("allocations per RK4 step: {:g}\n", static_cast<double>(davit.allocations(run_start(), few)) / few.steps);
  {
    // The counter itself is alive: a vector of Eigen's is one.
    const Allocations counted;
    VecX something(100);
    benchmark::DoNotOptimize(something.data());
    if (counted.so_far() != 1) {
      fmt::print("ERROR: the counter of allocations saw {} where there was one\n", counted.so_far());
      good = false;
    }
  }
  std::fflush(stdout);

  const auto states = crane_states(64, 2);
  const auto chain = chain_states(8, long_chain, 4);
  for (const auto& code : codes) {
    Crane* crane = code->crane.get();
    Chain* links = code->chain.get();
    add_task("forward dynamics", code->name, states, [crane](const CraneState& s) { crane->compute(s); });
    if (code->wrenches)
      add_task("with all joint wrenches", code->name, states,
               [crane](const CraneState& s) { crane->compute_with_wrenches(s); });
    add_task("chain of 300", code->name, chain, [links](const ChainState& s) { links->compute(s.q, s.qd); });
    if (code->run)
      benchmark::RegisterBenchmark(("60 s run, RK4 at 10 ms|" + code->name).c_str(),
                                   [crane](benchmark::State& timer) {
                                     for (auto _ : timer) benchmark::DoNotOptimize(crane->run(run_start(), {}));
                                   })
          ->Iterations(1)
          ->Repetitions(15);
  }
  add_task("Kane's M and C", "Davit", states, [&davit](const CraneState& s) { davit.kane(s); });
  add_task("mass matrix", "Davit", states, [&davit](const CraneState& s) { davit.mass_matrix(s); });
  std::vector<std::unique_ptr<DavitChain>> chains;
  std::vector<std::unique_ptr<std::vector<ChainState>>> chain_rings;
  for (const int n : {3, 10, 30, 100, 1000}) {
    chains.push_back(std::make_unique<DavitChain>(n));
    chain_rings.push_back(std::make_unique<std::vector<ChainState>>(chain_states(8, n, 4)));
    add_task(fmt::format("chain of {}", n), "Davit", *chain_rings.back(),
             [c = chains.back().get()](const ChainState& s) { c->compute(s.q, s.qd); });
  }

  RatioTable table;
  Collector collector(table);
  benchmark::RunSpecifiedBenchmarks(&collector);
  if (table.empty()) return good ? 0 : 1;
  std::vector<std::string> names;
  for (const auto& code : codes) names.push_back(code->name);
  table.print(names);
  if (!ratios.empty()) {
    nlohmann::ordered_json out{{"processor", cpu}, {"compiler", DAVIT_BENCH_COMPILER}, {"tasks", table.json()}};
    std::ofstream(ratios) << out.dump(2) << '\n';
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace davit::bench

int main(int argc, char** argv) {
  try {
    return davit::bench::run({argv, argv + argc});
  } catch (const std::exception& e) {
    fmt::print(stderr, "davit_bench: {}\n", e.what());
    return 1;
  }
}
