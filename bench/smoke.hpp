// A smoke run, with DAVIT_BENCH_SMOKE in the environment: each task once, on the smallest of its cases, without other
// codes. It shows that the benchmarks build, link and run (tools/smoke-bench, a part of ./test); its figures mean
// nothing.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <vector>

namespace davit::bench {

inline bool smoke() { return std::getenv("DAVIT_BENCH_SMOKE") != nullptr; }
inline int repetitions(int times) { return smoke() ? 1 : times; }

// All cases, the smallest first; of a smoke run that one alone.
template <class Case>
std::vector<Case> cases(std::initializer_list<Case> all) {
  return smoke() ? std::vector<Case>{*all.begin()} : std::vector<Case>(all);
}
// What a smoke run has in place of the full value.
template <class Value>
Value full_or(Value full, Value least) {
  return smoke() ? least : full;
}

}  // namespace davit::bench
