#include "davit/panel/dense_solve.hpp"

#include <complex>
#include <stdexcept>
#include <vector>

extern "C" {
void zgetrf_(const int* rows, const int* columns, std::complex<double>* a, const int* stride, int* pivots, int* info);
void zgetrs_(const char* transposed, const int* n, const int* right_sides, const std::complex<double>* a,
             const int* stride, const int* pivots, std::complex<double>* b, const int* b_stride, int* info,
             std::size_t);
void openblas_set_num_threads(int);
}

namespace davit::panel {

void solve_in_place(Eigen::MatrixXcd& matrix, Eigen::MatrixXcd& right) {
  // A library with threads of its own (tools/packages asks for the one without) would set them on every frequency.
  [[maybe_unused]] static const bool one_thread = (openblas_set_num_threads(1), true);
  const int n = static_cast<int>(matrix.rows()), columns = static_cast<int>(right.cols());
  if (n == 0 || columns == 0) return;
  std::vector<int> pivots(static_cast<size_t>(n));
  int info = 0;
  zgetrf_(&n, &n, matrix.data(), &n, pivots.data(), &info);
  if (info != 0)
    throw std::runtime_error("the matrix of influence is singular: look for panels that lie on each other");
  zgetrs_("N", &n, &columns, matrix.data(), &n, pivots.data(), right.data(), &n, &info, 1);
}

}  // namespace davit::panel
