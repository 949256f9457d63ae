#include "davit/dynamics/pivoted_cholesky.hpp"

#include <cmath>

namespace davit {

namespace {

// Entry (i, j) of the symmetric matrix, of which only the lower triangle is kept.
double& lower(MatX& A, int i, int j) { return i >= j ? A(i, j) : A(j, i); }

}  // namespace

int pivoted_cholesky(MatX& A, std::vector<int>& order, std::vector<double>& diagonal) {
  const int n = static_cast<int>(A.rows());
  for (int i = 0; i < n; ++i) order[static_cast<size_t>(i)] = i;
  // Pivots count beside the row's own diagonal, because rows have different units. A row whose gradient all but
  // vanishes where the mechanism is (a linkage that lies flat) must not count as a good one for that: it would divide
  // round-off by its smallness.
  diagonal.resize(static_cast<size_t>(n));
  const double floor = n > 0 ? 1e-6 * A.diagonal().maxCoeff() : 0;
  for (int i = 0; i < n; ++i) diagonal[static_cast<size_t>(i)] = std::max(A(i, i), floor);
  for (int k = 0; k < n; ++k) {
    int best = k;
    double ratio = -1;
    for (int i = k; i < n; ++i) {
      const double start = diagonal[static_cast<size_t>(i)];
      const double r = start > 0 ? A(i, i) / start : 0;
      if (r > ratio) ratio = r, best = i;
    }
    if (!(ratio > 1e-11)) return k;
    if (best != k) {
      for (int j = 0; j < n; ++j)
        if (j != k && j != best) std::swap(lower(A, k, j), lower(A, best, j));
      std::swap(A(k, k), A(best, best));
      std::swap(order[static_cast<size_t>(k)], order[static_cast<size_t>(best)]);
      std::swap(diagonal[static_cast<size_t>(k)], diagonal[static_cast<size_t>(best)]);
    }
    const double pivot = std::sqrt(A(k, k));
    A(k, k) = pivot;
    for (int i = k + 1; i < n; ++i) A(i, k) /= pivot;
    for (int j = k + 1; j < n; ++j)
      for (int i = j; i < n; ++i) A(i, j) -= A(i, k) * A(j, k);
  }
  return n;
}

void pivoted_solve(const MatX& L, const std::vector<int>& order, int rank, VecX& x, VecX& y) {
  for (int i = 0; i < rank; ++i) {
    double sum = x[order[static_cast<size_t>(i)]];
    for (int j = 0; j < i; ++j) sum -= L(i, j) * y[j];
    y[i] = sum / L(i, i);
  }
  for (int i = rank - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank; ++j) y[i] -= L(j, i) * y[j];
    y[i] /= L(i, i);
  }
  x.setZero();
  for (int i = 0; i < rank; ++i) x[order[static_cast<size_t>(i)]] = y[i];
}

// Row i of A is L_i Lᵀ in the columns of the kept rows, and theirs are L_k Lᵀ: L_kᵀ y = L_i.
VecX dependence(const MatX& L, int rank, int i) {
  VecX y = L.row(i).head(rank).transpose();
  for (int k = rank - 1; k >= 0; --k) {
    for (int j = k + 1; j < rank; ++j) y[k] -= L(j, k) * y[j];
    y[k] /= L(k, k);
  }
  return y;
}

}  // namespace davit
