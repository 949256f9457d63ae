#include "davit/linear/balanced_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "davit/math/linear_algebra.hpp"

namespace davit::linear {

namespace {

// Tarjan's strongly connected components of the graph of entries that are not zero.
class Components {
 public:
  explicit Components(const MatX& A)
      : A_(A), order_(static_cast<size_t>(A.rows()), -1), lowest_(order_), open_(order_.size()) {
    for (int i = 0; i < static_cast<int>(A.rows()); ++i)
      if (order_[static_cast<size_t>(i)] < 0) visit(i);
  }
  std::vector<std::vector<int>> found;

 private:
  void visit(int i) {
    const auto at = static_cast<size_t>(i);
    order_[at] = lowest_[at] = count_++;
    stack_.push_back(i);
    open_[at] = true;
    for (int j = 0; j < static_cast<int>(A_.cols()); ++j) {
      const auto next = static_cast<size_t>(j);
      if (A_(i, j) == 0) continue;
      if (order_[next] < 0) {
        visit(j);
        lowest_[at] = std::min(lowest_[at], lowest_[next]);
      } else if (open_[next]) {
        lowest_[at] = std::min(lowest_[at], order_[next]);
      }
    }
    if (lowest_[at] != order_[at]) return;
    found.emplace_back();
    int last = -1;
    while (last != i) {
      last = stack_.back();
      stack_.pop_back();
      open_[static_cast<size_t>(last)] = false;
      found.back().push_back(last);
    }
    std::sort(found.back().begin(), found.back().end());
  }

  const MatX& A_;
  std::vector<int> order_, lowest_, stack_;
  std::vector<bool> open_;
  int count_ = 0;
};

}  // namespace

// Osborne's iteration with powers of two: each state's row and column, without the diagonal, come to the same norm.
BalancedMatrix balanced(const MatX& A) {
  BalancedMatrix out{A, VecX::Ones(A.rows()), 0, {}};
  bool changed = true;
  for (int sweep = 0; sweep < 100 && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double diagonal = out.A(i, i);
      out.A(i, i) = 0;
      const double row = out.A.row(i).norm(), column = out.A.col(i).norm();
      if (row > 0 && column > 0) {
        const double factor = std::exp2(std::round(std::log2(row / column) / 2));
        changed = changed || factor != 1;
        out.A.col(i) *= factor;
        out.A.row(i) /= factor;
        out.T[i] *= factor;
      }
      out.A(i, i) = diagonal;
    }
  }
  out.size = out.A.norm();
  const double round_off = 4 * static_cast<double>(A.rows()) * std::numeric_limits<double>::epsilon() * out.size;
  out.A = (out.A.array().abs() > round_off).select(out.A, 0.0);
  out.blocks = Components(out.A).found;
  return out;
}

std::vector<std::complex<double>> eigenvalues(const BalancedMatrix& A) {
  using Complex = std::complex<double>;
  std::vector<Complex> values;
  for (const std::vector<int>& block : A.blocks) {
    const VecXc of_block = complex_eigenvalues(A.A(block, block));
    values.insert(values.end(), of_block.begin(), of_block.end());
  }
  std::stable_sort(values.begin(), values.end(), [](const Complex& a, const Complex& b) {
    const double difference = std::abs(a) - std::abs(b);
    if (std::abs(difference) > 1e-12 * std::abs(a)) return difference < 0;
    if (a.real() != b.real()) return a.real() < b.real();
    return a.imag() > b.imag();
  });
  return values;
}

}  // namespace davit::linear
