// Order, symbolic pattern and factors of a sparse symmetric-pattern matrix without pivoting.
#include "davit/solve/sparse_lu.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace davit {

namespace {

// Approximate minimum degree on the graph of the nodes that wait for nobody; the others follow the last of those they
// wait for.
std::vector<int> node_order(int nodes, const std::vector<std::pair<int, int>>& coupled,
                            const std::vector<std::vector<int>>& after) {
  const auto waits = [&](int node) { return !after[static_cast<size_t>(node)].empty(); };
  std::vector<Eigen::Triplet<double, int>> entries;
  for (const auto& [i, j] : coupled) {
    if (waits(i) || waits(j)) continue;
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> graph(nodes, nodes);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  std::vector<int> missing(static_cast<size_t>(nodes), 0);
  std::vector<std::vector<int>> waiting(static_cast<size_t>(nodes));
  for (int node = 0; node < nodes; ++node)
    for (int first : after[static_cast<size_t>(node)]) {
      ++missing[static_cast<size_t>(node)];
      waiting[static_cast<size_t>(first)].push_back(node);
    }
  std::vector<int> order;
  for (int k = 0; k < nodes; ++k) {
    const int node = permutation.indices()[k];
    if (waits(node)) continue;
    order.push_back(node);
    for (int next : waiting[static_cast<size_t>(node)])
      if (--missing[static_cast<size_t>(next)] == 0) order.push_back(next);
  }
  return order;
}

}  // namespace

void SparseLu::analyse(int size, const std::vector<std::vector<int>>& nodes,
                       const std::vector<std::pair<int, int>>& coupled, const std::vector<std::vector<int>>& after) {
  size_ = size;
  const auto n = static_cast<size_t>(size);
  order_.clear();
  for (int node : node_order(static_cast<int>(nodes.size()), coupled, after))
    for (int unknown : nodes[static_cast<size_t>(node)]) order_.push_back(unknown);
  assert(order_.size() == n);
  place_in_order_.assign(n, 0);
  for (size_t k = 0; k < n; ++k) place_in_order_[static_cast<size_t>(order_[k])] = static_cast<int>(k);

  std::vector<std::vector<int>> rows(n);
  const auto add = [&](int a, int b) {
    int i = place_in_order_[static_cast<size_t>(a)], j = place_in_order_[static_cast<size_t>(b)];
    if (i == j) return;
    if (i < j) std::swap(i, j);
    rows[static_cast<size_t>(i)].push_back(j);
  };
  for (const auto& [a, b] : coupled)
    for (int i : nodes[static_cast<size_t>(a)])
      for (int j : nodes[static_cast<size_t>(b)]) add(i, j);
  row_begin_.assign(n + 1, 0);
  column_.clear();
  for (size_t i = 0; i < n; ++i) {
    auto& row = rows[i];
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    column_.insert(column_.end(), row.begin(), row.end());
    row_begin_[i + 1] = static_cast<int>(column_.size());
  }
  values_.assign(2 * column_.size() + n, 0.0);

  // Row k of L is what its entries reach in the elimination tree.
  std::vector<int> parent(n, -1), mark(n, -1), count(n, 0);
  reach_begin_.assign(n + 1, 0);
  reach_.clear();
  for (size_t k = 0; k < n; ++k) {
    mark[k] = static_cast<int>(k);
    const size_t first = reach_.size();
    for (int p = row_begin_[k]; p < row_begin_[k + 1]; ++p)
      for (int j = column_[static_cast<size_t>(p)]; mark[static_cast<size_t>(j)] != static_cast<int>(k);
           j = parent[static_cast<size_t>(j)]) {
        mark[static_cast<size_t>(j)] = static_cast<int>(k);
        reach_.push_back(j);
        ++count[static_cast<size_t>(j)];
        if (parent[static_cast<size_t>(j)] < 0) parent[static_cast<size_t>(j)] = static_cast<int>(k);
      }
    std::sort(reach_.begin() + static_cast<std::ptrdiff_t>(first), reach_.end());
    reach_begin_[k + 1] = static_cast<int>(reach_.size());
  }
  begin_.assign(n + 1, 0);
  for (size_t j = 0; j < n; ++j) begin_[j + 1] = begin_[j] + count[j];
  index_.assign(reach_.size(), 0);
  lower_.assign(reach_.size(), 0.0);
  upper_.assign(reach_.size(), 0.0);
  pivot_.assign(n, 0.0);
  filled_.assign(n, 0);
  row_work_.assign(n, 0.0);
  column_work_.assign(n, 0.0);
  dropped_.clear();
  dropped_.reserve(n);
  solution_.setZero(size);
}

int SparseLu::place(int row, int column) const {
  const int i = place_in_order_[static_cast<size_t>(row)], j = place_in_order_[static_cast<size_t>(column)];
  const int entries = static_cast<int>(column_.size());
  if (i == j) return 2 * entries + i;
  const auto k = static_cast<size_t>(std::max(i, j));
  const auto first = column_.begin() + row_begin_[k], last = column_.begin() + row_begin_[k + 1];
  const auto found = std::lower_bound(first, last, std::min(i, j));
  assert(found != last && *found == std::min(i, j));
  return static_cast<int>(found - column_.begin()) + (i > j ? 0 : entries);
}

void SparseLu::factor() {
  const size_t entries = column_.size();
  std::fill(filled_.begin(), filled_.end(), 0);
  dropped_.clear();
  for (size_t k = 0; k < static_cast<size_t>(size_); ++k) {
    for (auto p = static_cast<size_t>(row_begin_[k]); p < static_cast<size_t>(row_begin_[k + 1]); ++p) {
      const auto j = static_cast<size_t>(column_[p]);
      row_work_[j] = values_[p];
      column_work_[j] = values_[entries + p];
    }
    double pivot = values_[2 * entries + k], scale = std::abs(pivot);
    for (auto r = static_cast<size_t>(reach_begin_[k]); r < static_cast<size_t>(reach_begin_[k + 1]); ++r) {
      const auto j = static_cast<size_t>(reach_[r]);
      const double l = row_work_[j] / pivot_[j], u = column_work_[j];
      row_work_[j] = column_work_[j] = 0;
      const auto begin = static_cast<size_t>(begin_[j]), end = begin + static_cast<size_t>(filled_[j]);
      for (size_t p = begin; p < end; ++p) {
        const auto i = static_cast<size_t>(index_[p]);
        row_work_[i] -= l * upper_[p];
        column_work_[i] -= lower_[p] * u;
      }
      pivot -= l * u;
      scale += std::abs(l * u);
      index_[end] = static_cast<int>(k);
      lower_[end] = l;
      upper_[end] = u;
      ++filled_[j];
    }
    if (!(std::abs(pivot) > 1e-12 * scale)) {
      dropped_.push_back(order_[k]);
      pivot = std::numeric_limits<double>::infinity();
    }
    pivot_[k] = pivot;
  }
}

int SparseLu::negative_pivots(int first, int last) const {
  int count = 0;
  for (int i = first; i < last; ++i) count += pivot_[static_cast<size_t>(place_in_order_[static_cast<size_t>(i)])] < 0;
  return count;
}

void SparseLu::solve(VecX& x) {
  const auto n = static_cast<size_t>(size_);
  for (size_t k = 0; k < n; ++k) solution_[static_cast<Eigen::Index>(k)] = x[order_[k]];
  for (size_t j = 0; j < n; ++j) {
    const double y = solution_[static_cast<Eigen::Index>(j)];
    for (auto p = static_cast<size_t>(begin_[j]); p < static_cast<size_t>(begin_[j + 1]); ++p)
      solution_[index_[p]] -= lower_[p] * y;
  }
  for (size_t j = n; j-- > 0;) {
    double y = solution_[static_cast<Eigen::Index>(j)];
    for (auto p = static_cast<size_t>(begin_[j]); p < static_cast<size_t>(begin_[j + 1]); ++p)
      y -= upper_[p] * solution_[index_[p]];
    solution_[static_cast<Eigen::Index>(j)] = y / pivot_[j];
  }
  for (size_t k = 0; k < n; ++k) x[order_[k]] = solution_[static_cast<Eigen::Index>(k)];
}

}  // namespace davit
