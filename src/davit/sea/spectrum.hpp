// Wave spectra S(ω): one-sided, in m² s/rad, so that the mean square of the elevation is ∫₀^∞ S dω.
//
// Almost all of them are sums of one shape, a peak
//
//   S = A ω^−N exp(−(N/M)(ωp/ω)^M) γ^Y,  Y = exp(−(ω − ωp)²/(2σ²ωp²)),  σ = 0.07 below ωp and 0.09 above,
//
// with A such that ∫ S dω = Hs²/16. The closed form of A where γ = 1 is not used for γ > 1: there it is integrated.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace davit::sea {

class Spectrum {
 public:
  using Density = std::function<double(double)>;
  // `joints` ascend: between neighbours the density is smooth, below the first it is zero. Beyond the last it falls as
  // ω^−tail_power without end, or is zero where the power is infinite.
  Spectrum(Density density, std::vector<double> joints, double tail_power);

  double operator()(double frequency) const;
  const std::vector<double>& joints() const { return joints_; }
  double tail_power() const { return tail_power_; }
  bool has_tail() const { return tail_power_ < std::numeric_limits<double>::infinity(); }

  // ∫ ωⁿ S dω from zero to infinity, tail included; infinite where the tail makes it so (m4 of every spectrum that
  // falls as ω^−5).
  double moment(int n) const;
  // The same between two frequencies; `to` may be infinite.
  double moment(int n, double from, double to) const;
  double energy(double from, double to) const { return moment(0, from, to); }
  // Where the density is largest.
  double peak_frequency() const;

 private:
  Density density_;
  std::vector<double> joints_;
  double tail_power_;
};

// What is said of a sea in a few numbers.
struct Characteristics {
  double hs;              // 4 √m0
  double tp;              // of the peak
  double tz;              // 2π √(m0/m2), between zero upcrossings
  double t1;              // 2π m0/m1, mean
  double te;              // 2π m₋₁/m0, of energy
  double bandwidth;       // ν = √(m0 m2/m1² − 1), Longuet-Higgins
  double peak_bandwidth;  // ε = √(1 − m2²/(m0 m4)), Cartwright and Longuet-Higgins; 1 where m4 is infinite
};
Characteristics characteristics(const Spectrum&);
// Of the part between two frequencies.
Characteristics characteristics(const Spectrum&, double from, double to);

struct Peak {
  double hs, peak_frequency;
  double power = 5, steepness = 4;  // N, M
  double gamma = 1;
};
Spectrum peaked(const Peak&);

// JONSWAP, (60) of Tysse & Egeland with the factor that Hs asks for: 0.2053 is right for γ = 3.3 alone.
Spectrum jonswap(double hs, double peak_frequency, double gamma);
// The same by Phillips' constant, (57): Hs is what comes out.
Spectrum jonswap_alpha(double alpha, double peak_frequency, double gamma, double gravity);
// γ of a wind sea: 5 where Tp/√Hs ≤ 3.6, exp(5.75 − 1.15 Tp/√Hs) up to 5, then 1 (DNV-RP-C205, 3.5.5).
double jonswap_gamma(double hs, double peak_frequency);
// JONSWAP describes seas of 3.6 < Tp/√Hs < 5 (DNV-RP-C205, 3.5.5); says so of others.
std::optional<std::string> jonswap_doubt(double hs, double peak_frequency);

// A fully developed sea by the wind speed 19.5 m above the water: S = 0.0081 g² ω^−5 exp(−0.74 (g/(U ω))⁴).
Spectrum pierson_moskowitz(double wind_speed, double gravity);
// Bretschneider's form, as ITTC has it; Pierson–Moskowitz by Hs and the peak is the same.
Spectrum bretschneider(double hs, double peak_frequency);
// The peak of Bretschneider's form: Tp = Tz (5π/4)^¼ = T1 (5/4)^¼ Γ(3/4).
double bretschneider_peak_of_tz(double tz);
double bretschneider_peak_of_t1(double t1);

// Swell: a normal distribution of energy about its peak, of standard deviation `width`, at most a quarter of the peak
// frequency. It ends eight widths from the peak, or where the frequency is a thousandth of the peak's.
Spectrum gaussian(double hs, double peak_frequency, double width);
// Straight lines between points, zero outside them.
Spectrum table(std::vector<double> frequencies, std::vector<double> densities);

Spectrum sum(std::vector<Spectrum> parts);

}  // namespace davit::sea
