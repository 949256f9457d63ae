#include "davit/solve/redundant_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "davit/dynamics/pivoted_cholesky.hpp"
#include "davit/solve/dependencies.hpp"
#include "davit/solve/sparse_lu.hpp"

namespace davit {

void RedundantRows::find(const Model& model, const Kin& start, int most_dense) {
  const int rows = model.rows();
  left_out_.assign(static_cast<size_t>(rows), 0);
  if (rows <= most_dense) {
    candidates_.resize(static_cast<size_t>(rows));
    std::iota(candidates_.begin(), candidates_.end(), 0);
  } else {
    candidates_ = find_sparse(model, start);
  }
  column_of_.assign(static_cast<size_t>(rows), -1);
  for (size_t i = 0; i < candidates_.size(); ++i) column_of_[static_cast<size_t>(candidates_[i])] = static_cast<int>(i);
  order_.resize(candidates_.size());
  any_ = false;
  if (!candidates_.empty()) choose(model, start);
  any_ = std::any_of(left_out_.begin(), left_out_.end(), [](char out) { return out != 0; });
}

// Columns of generalised forces of the candidates.
void RedundantRows::gradients(const Model& model, const Kin& start) {
  gradient_.setZero(model.nu(), static_cast<Eigen::Index>(candidates_.size()));
  for (const auto& c : model.constraints()) {
    jacobian_.clear();
    c.constraint.geometry->jacobian(start, jacobian_);
    model.add_generalised(start, jacobian_, 1.0, [&](int row) {
      const int column = column_of_[static_cast<size_t>(c.first_row + row)];
      return column < 0 ? nullptr : gradient_.col(column).data();
    });
  }
}

bool RedundantRows::choose(const Model& model, const Kin& start) {
  gradients(model, start);
  gram_.noalias() = gradient_.transpose().lazyProduct(gradient_);
  const int rank = pivoted_cholesky(gram_, order_, diagonal_);
  left_out_before_ = left_out_;
  std::fill(left_out_.begin(), left_out_.end(), char(0));
  for (size_t i = static_cast<size_t>(rank); i < order_.size(); ++i)
    left_out_[static_cast<size_t>(candidates_[static_cast<size_t>(order_[i])])] = 1;
  return left_out_ != left_out_before_;
}

// [[1, -Gᵀ], [G, 0]] drops rows that those before them imply. Candidates are these and the rows that they follow from:
// with Gᵀ of a dropped row on the right, x vanishes and λ is their share in it.
std::vector<int> RedundantRows::find_sparse(const Model& model, const Kin& start) {
  const int nu = model.nu(), size = nu + model.rows();
  struct Entry {
    int speed, row;
    double value;
  };
  std::vector<Entry> entries;
  std::vector<std::vector<int>> nodes, after(static_cast<size_t>(size));
  std::vector<std::pair<int, int>> coupled;
  for (int i = 0; i < size; ++i) {
    nodes.push_back({i});
    coupled.emplace_back(i, i);
  }
  VecX column = VecX::Zero(nu);
  for (const auto& c : model.constraints()) {
    jacobian_.clear();
    c.constraint.geometry->jacobian(start, jacobian_);
    const Speeds touched = speeds_seen(model, jacobian_);
    for (int i = 0; i < c.constraint.geometry->size(); ++i) {
      const int row = nu + c.first_row + i;
      model.add_generalised(start, jacobian_, 1.0, [&](int r) { return r == i ? column.data() : nullptr; });
      for (int speed : touched) {
        if (column[speed] == 0) continue;
        entries.push_back({speed, row, column[speed]});
        coupled.emplace_back(speed, row);
        after[static_cast<size_t>(row)].push_back(speed);
        column[speed] = 0;
      }
    }
  }
  SparseLu lu;
  lu.analyse(size, nodes, coupled, after);
  for (int i = 0; i < nu; ++i) lu.values()[static_cast<size_t>(lu.place(i, i))] = 1;
  for (const Entry& e : entries) {
    lu.values()[static_cast<size_t>(lu.place(e.speed, e.row))] = -e.value;
    lu.values()[static_cast<size_t>(lu.place(e.row, e.speed))] = e.value;
  }
  lu.factor();
  std::vector<char> involved(static_cast<size_t>(model.rows()), 0);
  VecX x;
  for (int dropped : lu.dropped()) {
    involved[static_cast<size_t>(dropped - nu)] = 1;
    x.setZero(size);
    for (const Entry& e : entries)
      if (e.row == dropped) x[e.speed] = e.value;
    lu.solve(x);
    const double largest = x.tail(model.rows()).cwiseAbs().maxCoeff();
    for (int i = 0; i < model.rows(); ++i)
      if (std::abs(x[nu + i]) > 1e-9 * largest) involved[static_cast<size_t>(i)] = 1;
  }
  std::vector<int> rows;
  for (int i = 0; i < model.rows(); ++i)
    if (involved[static_cast<size_t>(i)]) rows.push_back(i);
  return rows;
}

}  // namespace davit
