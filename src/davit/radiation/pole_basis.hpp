// Damped oscillations as functions to combine: exp(at) cos bt and exp(at) sin bt of a pole a + ib, exp(at) of a real
// one. A combination with the coefficients x and y is Re{R exp(pt)} with R = x − iy.
#pragma once

#include "davit/radiation/system_realisation.hpp"

namespace davit::radiation {

class PoleBasis {
 public:
  explicit PoleBasis(Poles poles) : poles_(std::move(poles)) {
    for (const auto& p : poles_) size_ += p.imag() == 0 ? 1 : 2;
  }
  const Poles& poles() const { return poles_; }
  Eigen::Index size() const { return size_; }

  Eigen::RowVectorXd kernel(double t) const {
    Eigen::RowVectorXd row(size_);
    Eigen::Index at = 0;
    for (const auto& p : poles_) {
      const std::complex<double> e = std::exp(p * t);
      row[at++] = e.real();
      if (p.imag() != 0) row[at++] = e.imag();
    }
    return row;
  }
  // Their transforms ∫ φ exp(−iωt) dt.
  Eigen::RowVectorXcd transfer(double w) const {
    Eigen::RowVectorXcd row(size_);
    Eigen::Index at = 0;
    for (const auto& p : poles_) {
      const std::complex<double> s = std::complex<double>(0, w) - p.real();
      if (p.imag() == 0) {
        row[at++] = 1.0 / s;
        continue;
      }
      const std::complex<double> denominator = s * s + p.imag() * p.imag();
      row[at++] = s / denominator;
      row[at++] = p.imag() / denominator;
    }
    return row;
  }
  // Residues of a combination: a matrix for each function makes one for each pole.
  std::vector<Eigen::MatrixXcd> residues(const std::vector<MatX>& coefficients) const {
    std::vector<Eigen::MatrixXcd> out;
    size_t at = 0;
    for (const auto& p : poles_) {
      Eigen::MatrixXcd R = coefficients[at++].cast<std::complex<double>>();
      if (p.imag() != 0) R -= std::complex<double>(0, 1) * coefficients[at++];
      out.push_back(std::move(R));
    }
    return out;
  }

 private:
  Poles poles_;
  Eigen::Index size_ = 0;
};

}  // namespace davit::radiation
