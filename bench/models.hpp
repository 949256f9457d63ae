// The two models of the benchmark, as Davit's bodies and as plain links for the peers, and the states they are computed
// at.
#pragma once

#include <random>

#include "davit/model/body.hpp"
#include "peer.hpp"

namespace davit::bench {

// Hangs from the world; every joint square to its neighbours, as in a chain.
std::vector<Body> chain_bodies(int count);

Links links_of(const std::vector<Body>& bodies);

// The same numbers on every machine and with every compiler.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double operator()(double amplitude) { return amplitude * (2 * (static_cast<double>(engine_()) / 4294967295.0) - 1); }

 private:
  std::mt19937 engine_;
};

// A ring of states as of a crane at work in a seaway: nothing can be kept from one evaluation to the next.
std::vector<CraneState> crane_states(size_t count, unsigned seed);

struct ChainState {
  std::vector<double> q, qd;
};
std::vector<ChainState> chain_states(size_t count, int bodies, unsigned seed);

// Start of the 60 s run, and what is known of its end.
CraneState run_start();
struct RunEnd {
  double z, roll, yaw, q4;
};
inline constexpr RunEnd run_end{0.0614119159, 0.0695526975, 0.2551343603, -0.1591492263};
RunEnd run_end_of(const CraneState& state);
double largest_difference(const RunEnd& a, const RunEnd& b);

}  // namespace davit::bench
