// The sparse factors against dense ones on matrices of the shape that steps have.
#include "davit/solve/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

namespace davit {
namespace {

TEST(SparseLu, SolvesAsDenseLu) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    // Bodies of three unknowns in a chain with a few loops, joined by constraints of two rows.
    const int bodies = 6 + static_cast<int>(seed % 5), constraints = bodies + 2;
    std::vector<std::vector<int>> nodes, after(static_cast<size_t>(bodies));
    std::vector<std::pair<int, int>> coupled;
    int size = 0;
    const auto node = [&](int unknowns) {
      nodes.emplace_back();
      for (int i = 0; i < unknowns; ++i) nodes.back().push_back(size++);
      coupled.emplace_back(nodes.size() - 1, nodes.size() - 1);
    };
    for (int i = 0; i < bodies; ++i) node(3);
    for (int i = 0; i + 1 < bodies; ++i) coupled.emplace_back(i, i + 1);
    for (int i = 0; i < constraints; ++i) {
      node(i == 0 ? 1 : 2);
      const int a = i % bodies, b = (i * 3 + 1) % bodies;
      coupled.emplace_back(bodies + i, a);
      coupled.emplace_back(bodies + i, b);
      after.push_back({a, b});
    }
    SparseLu lu;
    lu.analyse(size, nodes, coupled, after);
    MatX dense = MatX::Zero(size, size);
    for (const auto& [p, q] : coupled)
      for (int i : nodes[static_cast<size_t>(p)])
        for (int j : nodes[static_cast<size_t>(q)]) {
          const bool row = p >= bodies, diagonal = p == q;
          const double x = diagonal && row ? 0 : number(random) + (i == j ? 8 : 0);
          dense(i, j) = x;
          dense(j, i) = i == j ? x : (row && !diagonal ? -x : number(random));
        }
    for (const auto& [p, q] : coupled)
      for (int i : nodes[static_cast<size_t>(p)])
        for (int j : nodes[static_cast<size_t>(q)]) {
          lu.values()[static_cast<size_t>(lu.place(i, j))] = dense(i, j);
          lu.values()[static_cast<size_t>(lu.place(j, i))] = dense(j, i);
        }
    lu.factor();
    EXPECT_TRUE(lu.dropped().empty());
    VecX b = VecX::LinSpaced(size, -1, 2), x = b;
    lu.solve(x);
    EXPECT_LT((dense * x - b).cwiseAbs().maxCoeff(), 1e-9) << "seed " << seed;
  }
}

}  // namespace
}  // namespace davit
