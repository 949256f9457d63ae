// The linear system behind an impulse response: samples K(n Δt) = C Aⁿ B of symmetric matrices make a block Hankel
// matrix of rank equal to the order of the system, and moving its column space down by one block is multiplying by A
// (Ho & Kalman 1966; Kung 1978). Of noisy samples the strongest part of that space is taken. As the samples are
// symmetric the Hankel matrix is too: its singular vectors are eigenvectors.
#pragma once

#include <complex>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::radiation {

using Poles = std::vector<std::complex<double>>;  // of each conjugate pair the one above the real axis

class Realisation {
 public:
  Realisation(const std::vector<MatX>& samples, double step);

  // The poles of the system of that order, all stable: one that grows is mirrored to decay as fast, one that decays
  // more slowly than once over the samples is made to; one that a continuous system cannot have (z ≤ 0), or that is
  // gone after a sample, is left out.
  Poles poles(int order) const;
  int largest_order() const { return static_cast<int>(space_.cols()); }

 private:
  Eigen::Index width_ = 0;
  double step_ = 0, length_ = 0;
  MatX space_;  // singular vectors, the strongest first
};

}  // namespace davit::radiation
