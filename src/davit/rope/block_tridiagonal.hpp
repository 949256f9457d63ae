// A matrix of M×M blocks on three diagonals, factored without exchange of blocks: what couples every node of a rope to
// its two neighbours.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

namespace davit::rope {

template <int M>
class BlockTridiagonal {
 public:
  using Block = Eigen::Matrix<double, M, M>;
  using Column = Eigen::Matrix<double, M, 1>;

  void resize(size_t n) {
    lower_.assign(n, Block::Zero());
    diagonal_.assign(n, Block::Zero());
    upper_.assign(n, Block::Zero());
  }
  size_t size() const { return diagonal_.size(); }
  Block& lower(size_t i) { return lower_[i]; }  // (i, i - 1)
  Block& diagonal(size_t i) { return diagonal_[i]; }
  Block& upper(size_t i) { return upper_[i]; }  // (i, i + 1)

  void factor() {
    for (size_t i = 0; i < size(); ++i) {
      if (i > 0) diagonal_[i] -= lower_[i] * upper_[i - 1];
      diagonal_[i] = Block(diagonal_[i].inverse());
      upper_[i] = Block(diagonal_[i] * upper_[i]);
    }
  }
  // In place; K right-hand sides side by side.
  template <int K>
  void solve(std::vector<Eigen::Matrix<double, M, K>>& x) const {
    for (size_t i = 0; i < size(); ++i) {
      if (i > 0) x[i] -= lower_[i] * x[i - 1];
      x[i] = Eigen::Matrix<double, M, K>(diagonal_[i] * x[i]);
    }
    for (size_t i = size() - 1; i-- > 0;) x[i] -= upper_[i] * x[i + 1];
  }

 private:
  std::vector<Block> lower_, diagonal_, upper_;
};

}  // namespace davit::rope
