// Wind over the sea: mean speed and gusts at a height z, and a realisation of them,
//
//   U(z, t) = U(z) + Σ b(z) cos(2πft + ε).
//
// Gusts are the same at all heights but for their size, and blow in the direction of the mean wind. The direction is
// that to which the wind blows, as for waves. Heights below 1 m count as 1 m.
#pragma once

#include <functional>
#include <vector>

#include "davit/math/types.hpp"
#include "davit/sea/random.hpp"
#include "davit/sea/realisation.hpp"

namespace davit::sea {

struct WindModel {
  std::function<double(double height)> mean;
  // Density of the variance of gusts over frequency in Hz, one-sided, (m/s)²/Hz; none: a steady wind.
  std::function<double(double frequency, double height)> gust;
};

// A speed at a height, U(z) = U (z/height)^exponent; exponent 0: the same at all heights.
WindModel steady_wind(double speed, double height, double exponent);

// NPD (Frøya; NORSOK N-003, ISO 19901-1) for the mean U₀ over an hour, 10 m above the water:
//
//   U(z) = U₀ (1 + C ln(z/10)),  C = 0.0573 √(1 + 0.15 U₀)
//   S = 320 (U₀/10)² (z/10)^0.45 (1 + x^n)^(−5/(3n)),  x = 172 f (z/10)^⅔ (U₀/10)^−0.75,  n = 0.468
//
// made for 1/600 Hz ≤ f ≤ 0.5 Hz.
WindModel npd_wind(double hourly_speed);
// U₀ from the mean over a shorter time, 10 m above the water: U = U₀ (1 − 0.41 I ln(time/3600 s)),
// I = 0.06 (1 + 0.043 U₀).
double npd_hourly_speed(double speed, double averaging_time);

// Kaimal's spectrum as IEC 61400-1 has it: S = 4σ² (L/U) (1 + 6 f L/U)^(−5/3), σ = intensity · U(height), L = 5.67 z up
// to 60 m, 340.2 m above; the mean as steady_wind.
WindModel kaimal_wind(double speed, double height, double intensity, double exponent);

// Of gusts between two frequencies in Hz.
double gust_variance(const WindModel&, double height, double from, double to);

// The same wind with gusts of this variance between two frequencies at a height: for a spectrum given by the variance
// of all gusts, of which a realisation has only a band.
WindModel with_gust_variance(WindModel, double variance, double height, FrequencyRange hertz);

// The wind at one height, for whoever stays there.
class WindAtHeight {
 public:
  double mean() const { return mean_; }
  double gust(double time) const;
  double variance() const;  // of the gusts, over a long time
  Vec3 velocity(double time) const { return (mean_ + gust(time)) * direction_; }

 private:
  friend class WindField;
  struct Harmonic {
    double frequency, phase, amplitude;  // rad/s
  };
  double mean_ = 0, ramp_ = 0;
  Vec3 direction_ = Vec3::Zero();
  std::vector<Harmonic> harmonics_;
};

class WindField {
 public:
  // Harmonics in bands of equal ratio between two frequencies (Hz), each with the variance of its band at the height
  // `reference` and drawn in it; at other heights the amplitudes change as the root of the density does. Up to the
  // start of time the mean wind blows, and gusts come up over the time `ramp`.
  WindField(WindModel model, double heading, double reference, int harmonics, FrequencyRange hertz, Random& random,
            double ramp = 0);
  // Without gusts.
  WindField(WindModel model, double heading);

  double mean(double height) const { return model_.mean(height); }
  double speed(double height, double time) const;
  Vec3 velocity(double height, double time) const { return speed(height, time) * direction_; }
  const Vec3& direction() const { return direction_; }
  WindAtHeight at(double height) const;

 private:
  struct Harmonic {
    double frequency, phase, amplitude, density;  // Hz; density at the height of reference
  };
  WindModel model_;
  Vec3 direction_;
  std::vector<Harmonic> harmonics_;
  double ramp_ = 0;
};

}  // namespace davit::sea
