#include "davit/solve/state_elimination.hpp"

namespace davit {

StateElimination::StateElimination(const Dependencies::StateCluster& cluster) : cluster_(cluster) {
  const auto nz = static_cast<Eigen::Index>(cluster.z.size()), nx = static_cast<Eigen::Index>(cluster.speeds.size());
  const ActingElements& acting = cluster.acting;
  if (acting.controllers.empty() && acting.forces.size() == 1 && acting.forces[0]->element->tangent_states() > 0)
    tangent_force_ = acting.forces[0];
  A_xz.setZero(nx, nz);
  A_zx.setZero(nz, nx);
  A_zz.setZero(nz, nz);
  response_.setZero(nz, nx);
  condensed_.setZero(nx, nx);
  states_.setZero(nz);
  column_.setZero(nz);
  part_.setZero(nx);
}

void StateElimination::analyse() {
  const int n = static_cast<int>(A_zz.rows());
  std::vector<std::vector<int>> nodes, after(static_cast<size_t>(n));
  std::vector<std::pair<int, int>> coupled;
  for (int j = 0; j < n; ++j) {
    nodes.push_back({j});
    for (int i = 0; i < n; ++i)
      if (i == j || A_zz(i, j) != 0) coupled.emplace_back(i, j);
  }
  lu_.analyse(n, nodes, coupled, after);
  entries_.clear();
  for (const auto& [i, j] : coupled) entries_.push_back({i, j, lu_.place(i, j)});
}

const MatX& StateElimination::eliminate() {
  for (const Entry& e : entries_) lu_.values()[static_cast<size_t>(e.place)] = A_zz(e.row, e.column);
  lu_.factor();
  for (Eigen::Index j = 0; j < A_zx.cols(); ++j) {
    column_ = A_zx.col(j);
    lu_.solve(column_);
    response_.col(j) = column_;
  }
  condensed_.noalias() = A_xz.lazyProduct(response_);
  return condensed_;
}

void StateElimination::reduce(const VecX& r_z, Eigen::Ref<VecX> r_x) {
  for (size_t i = 0; i < cluster_.z.size(); ++i) states_[static_cast<Eigen::Index>(i)] = r_z[cluster_.z[i]];
  lu_.solve(states_);
  part_.noalias() = A_xz.lazyProduct(states_);
  for (size_t i = 0; i < cluster_.speeds.size(); ++i) r_x[cluster_.speeds[i]] -= part_[static_cast<Eigen::Index>(i)];
}

void StateElimination::recover(const VecX& dx, VecX& dz) const {
  for (size_t i = 0; i < cluster_.z.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    double change = states_[row];
    for (size_t j = 0; j < cluster_.speeds.size(); ++j)
      change -= response_(row, static_cast<Eigen::Index>(j)) * dx[cluster_.speeds[j]];
    dz[cluster_.z[i]] = change;
  }
}

}  // namespace davit
