// Seas of two systems, wind sea and swell, each a peak.
#pragma once

#include <optional>

#include "davit/sea/spectrum.hpp"

namespace davit::sea {

// The simplified form of Torsethaugen & Haver, "Simplified double peak spectral model for ocean waves", ISOPE 2004, as
// DNV-RP-C205 has it in appendix A: both peaks with N = M = 4. With a fully developed sea of Tf = af Hs^⅓,
//
//   Tp ≤ Tf, wind sea with some swell:  r = 0.7 + 0.3 exp(−(2 (Tf − Tp)/(Tf − 2√Hs))²)
//     primary    Hs₁ = r Hs,  Tp₁ = Tp,  γ = 35 (2π Hs₁/(g Tp²))^0.857
//     secondary  Hs₂ = √(1 − r²) Hs,  Tp₂ = Tf + 2 s,  γ = 1
//   Tp > Tf, swell with some wind sea:  r = 0.6 + 0.4 exp(−((Tp − Tf)/(0.3 (25 s − Tf)))²)
//     primary    Hs₁ = r Hs,  Tp₁ = Tp,  γ = 35 (2π Hs/(g Tf²))^0.857 (1 + 6 (Tp − Tf)/(25 s − Tf))
//     secondary  Hs₂ = √(1 − r²) Hs,  Tp₂ = af Hs₂^⅓,  γ = 1
//
// af = 6.6 s m^−⅓ for a fetch of 370 km, 5.3 for 100 km. γ is not taken below 1, and the factor that the paper fits for
// the area under γ^Y is integrated instead.
struct TorsethaugenPeaks {
  Peak primary;
  std::optional<Peak> secondary;  // none where Tp = Tf
};
TorsethaugenPeaks torsethaugen_peaks(double hs, double peak_frequency, double gravity, double fetch_factor = 6.6);
Spectrum torsethaugen(double hs, double peak_frequency, double gravity, double fetch_factor = 6.6);

// The full form: Torsethaugen, "Model for a doubly peaked wave spectrum", SINTEF report STF22 A96204, 1996. The same
// division of the sea, with exponents and enhancement that follow the height: N = 0.5 √Hs + 3.2 of both peaks, γ of the
// primary peak 1 + 3.5 exp(−Hs) times as much, and beside swell a wind sea of M = 4 (1 − 0.7 exp(−Hs/3)) whose period
// makes its tail 0.08 (1 − exp(−Hs/3)) m² s at 0.4 Hz. (Heights in m.)
TorsethaugenPeaks torsethaugen_1996_peaks(double hs, double peak_frequency, double gravity, double fetch_factor = 6.6);
Spectrum torsethaugen_1996(double hs, double peak_frequency, double gravity, double fetch_factor = 6.6);

// Ochi & Hubble, "Six-parameter wave spectra", Coastal Engineering 1976: two peaks, each with its shape λ; N = 4λ + 1.
//
//   S = ¼ Σ ((4λ+1)/4 ωp⁴)^λ/Γ(λ) Hs²/ω^(4λ+1) exp(−(4λ+1)/4 (ωp/ω)⁴)
struct OchiHubblePeak {
  double hs, peak_frequency, shape;
};
Spectrum ochi_hubble(const OchiHubblePeak& low, const OchiHubblePeak& high);

}  // namespace davit::sea
