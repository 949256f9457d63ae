// Every code is checked before it is timed.
#pragma once

#include "models.hpp"

namespace davit::bench {

// A state with what is known of it from elsewhere.
struct KnownState {
  CraneState state;
  CraneRates rates;
  CraneWrenches wrenches;
};
// From a table as shipcrane_states.csv; empty when there is no such file.
std::vector<KnownState> read_reference(const std::string& file);

// The largest difference of u̇, relative to the largest number of its kind (v̇, ω̇ or q̈) in that state.
double difference(const CraneRates& a, const CraneRates& b);
// The same for wrenches: relative to the largest force or moment of that state, the latter taken as no less than the
// largest force at 1 m.
double difference(const CraneWrenches& a, const CraneWrenches& b);
double difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace davit::bench
