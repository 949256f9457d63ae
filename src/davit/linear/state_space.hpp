// Linear models ẋ = A x + B u, y = C x + D u with names and units: poles, zeros, which modes inputs reach and outputs
// see. Does not know where a model comes from (solve/linear_model.hpp makes them) nor how it is written
// (state_space_file.hpp).
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::linear {

using Complex = std::complex<double>;

struct Variable {
  std::string name, unit;
};

struct StateSpace {
  MatX A, B, C, D;
  std::vector<Variable> states, inputs, outputs;
};

// Some inputs and outputs, by number.
StateSpace selected(const StateSpace&, const std::vector<int>& inputs, const std::vector<int>& outputs);

// All eigenvalues of A, by rising size, of a pair the one above the real axis first. Integrators in a row are found
// apart from all else, at exactly zero.
std::vector<Complex> poles(const StateSpace&);

// Invariant zeros: where [A - s I, B; C, D] has no inverse. Among them are the poles of modes that no input reaches or
// no output sees. Throws std::invalid_argument when there are not as many inputs as outputs, and std::domain_error when
// the transfer matrix is singular at every s: then every number is a zero.
std::vector<Complex> zeros(const StateSpace&);

// C (s I - A)⁻¹ B + D.
MatXc transfer(const StateSpace&, Complex s);

// How well a mode is reached by inputs, or seen by outputs: the test of Popov, Belevitch and Hautus, in which states
// are scaled so that their units do not matter and each input (output) is of unit size.
struct ModeAccess {
  Complex pole;
  int motions = 1;           // independent ones with this pole
  int hidden = 0;            // of them, those that no input reaches (no output sees)
  double measure = 0;        // of the worst of them by all together: 0 not at all, 1 as directly as can be
  std::vector<double> each;  // of each input (output) alone, the best of the motions
  int best = -1;             // the input (output) that does it best; -1: none does
};
// Below this a measure is round-off.
inline constexpr double no_access = 1e-9;

struct Mode {
  ModeAccess reach, sight;  // by inputs and outputs
  VecXc shape;              // what the states do in it, or in one of its motions; the largest scaled one is one
  VecX shares;  // of each state in it, |left vector · right vector|, one in all; empty: the pole is not simple
};
// One for each pole that is not below the real axis; poles that are equal to round-off are one. The cost grows with the
// fourth power of the number of states: seconds for two hundred.
std::vector<Mode> modes(const StateSpace&);
std::vector<ModeAccess> controllability(const StateSpace&);
std::vector<ModeAccess> observability(const StateSpace&);

// "swings with a period of 9.02 s, damping 2.1 %", "dies away, time constant 3 s", "drifts: nothing holds it"
std::string in_words(Complex pole);

}  // namespace davit::linear
