// What added mass and damping of one pair of modes must have to do with each other, because a force cannot come before
// its motion (Kramers, Kronig; Ogilvie 1964):
//
//   K(t) = 2/π ∫ B cos ωt dω        A(ω) − A(∞) = 2/π P∫ B(σ)/(σ² − ω²) dσ
//                                   B(ω) = −2ω²/π P∫ (A(σ) − A(∞))/(σ² − ω²) dσ
//
// Damping is a smooth curve through what is given, cubic between frequencies. Both are given up to some frequency only.
// Beyond it damping is continued by the power of ω that it falls with at the end, added mass by −c/ω², which is exact
// in the limit.
#pragma once

#include <optional>
#include <span>

#include "davit/hydro/database.hpp"
#include "davit/hydro/even_curve.hpp"

namespace davit::hydro {

class Damping {
 public:
  // At ascending positive frequencies, at least two.
  Damping(std::span<const double> frequencies, std::span<const double> values);

  double kernel(double t) const;
  double added_mass_change(double w) const;  // A(ω) − A(∞)
  double power() const { return power_; }    // B ~ ω^−power beyond the last frequency; 0: nothing is added
  double tail_share() const;                 // of ∫ |B| dω, what was added beyond the last frequency
  double integral() const { return curve_.integral(); }

 private:
  EvenCurve continued(std::span<const double> frequencies, std::span<const double> values);

  double power_ = 0;
  double given_ = 0, added_ = 0;  // ∫ |B| dω up to the last frequency, and beyond
  EvenCurve curve_;
};

// B(ω) from added mass over frequency and its limit.
class DampingFromAddedMass {
 public:
  DampingFromAddedMass(std::span<const double> frequencies, std::span<const double> added_mass, double infinite,
                       std::optional<double> zero);
  double operator()(double w) const;

 private:
  EvenCurve curve_;
};

// How long a kernel is known: half a turn of the frequency step, π/Δω, the mean of all steps by the damping in them.
// What comes later is made of the gaps.
double known_length(std::span<const double> frequencies, std::span<const double> damping);

// The entry (i, j) of a list of matrices.
std::vector<double> entry(const std::vector<MatX>& matrices, int i, int j);

// Added mass at infinite frequency from what is known at others: A(∞) = A(ω) − 2/π P∫ B/(σ² − ω²), which is the same at
// every ω if both are right; the median over frequencies.
MatX infinite_added_mass(const Database& database);

// Damping of a mode by the waves that it radiates, from the excitation of all headings (Haskind 1957; Newman 1962):
// B = k/(8π ρ g c_g) ∫ |X(β)|² dβ. Headings must go round; see widest_gap.
double haskind_damping(const Database& database, int mode, size_t frequency);

// The largest angle between neighbouring headings round the circle.
double widest_gap(const std::vector<double>& headings);

}  // namespace davit::hydro
