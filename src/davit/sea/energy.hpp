// How the energy of a spectrum is spread over frequencies: the part below a frequency, and the frequency below which
// there is a given part.
#pragma once

#include <vector>

#include "davit/sea/spectrum.hpp"

namespace davit::sea {

class Energy {
 public:
  explicit Energy(Spectrum spectrum);

  double total() const { return total_; }
  double below(double frequency) const;
  // `energy` up to the total; what lies in the far end of a tail (a part of 1e-9) is not told apart.
  double frequency(double energy) const;
  const Spectrum& spectrum() const { return spectrum_; }

 private:
  Spectrum spectrum_;
  std::vector<double> edges_, below_;  // ends of cells in which one rule is enough, energy below them
  double total_ = 0;
};

}  // namespace davit::sea
