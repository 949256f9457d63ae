// Sums of harmonics at times that are not evenly spaced, by fast Fourier transform and Gaussian gridding (Greengard &
// Lee, "Accelerating the nonuniform fast Fourier transform", SIAM Review 2004), to about twelve digits.
#pragma once

#include <complex>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace davit::sea {

class TrigonometricSums {
 public:
  // At the angles xⱼ in [0, 2π), of the harmonics 0 … highest.
  TrigonometricSums(std::vector<double> angles, int highest);

  // Re Σ Xₖ exp(ikxⱼ) for every j.
  std::vector<double> values(const std::vector<std::complex<double>>& harmonics);
  // Its transpose: Σ yⱼ exp(−ikxⱼ) for every k.
  std::vector<std::complex<double>> transposed(const std::vector<double>& values);

 private:
  static constexpr int reach = 13;  // points of the grid to either side of an angle

  double spread(double angle, long grid_point) const;  // the Gaussian around a point of the grid

  std::vector<double> angles_;
  size_t count_;  // of the grid
  double step_, width_;
  std::vector<double> sharpen_;  // for each harmonic, what the Gaussian has blurred
  Eigen::FFT<double> fft_;
};

}  // namespace davit::sea
