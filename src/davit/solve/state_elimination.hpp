// Auxiliary states are eliminated from the linear equations of a Newton step, cluster by cluster, so that the solver
// sees speeds and multipliers only:
//   [A_xx A_xz; A_zx A_zz] (Δx; Δz) = (r_x; r_z)   →   (A_xx - A_xz A_zz⁻¹ A_zx) Δx = r_x - A_xz A_zz⁻¹ r_z.
// A_zz is factored sparse: states of a filter or of radiation memory hardly see each other.
#pragma once

#include "davit/math/types.hpp"
#include "davit/solve/dependencies.hpp"
#include "davit/solve/sparse_lu.hpp"

namespace davit {

class StateElimination {
 public:
  explicit StateElimination(const Dependencies::StateCluster&);
  const Dependencies::StateCluster& cluster() const { return cluster_; }

  // The force that writes derivatives by the first states by hand, if the cluster is of one force that does.
  const Model::Placed<Force>* tangent_force() const { return tangent_force_; }

  // By the cluster's own states and speeds.
  MatX A_xz, A_zx, A_zz;

  // Which entries of A_zz may differ from zero: those that do now.
  void analyse();
  // Factors A_zz, and gives what A_xx loses.
  const MatX& eliminate();
  // Takes from r_x, of all speeds of the model, what r_z, of all its auxiliary states, brings.
  void reduce(const VecX& r_z, Eigen::Ref<VecX> r_x);
  // Δz of all, after reduce and with Δx known.
  void recover(const VecX& dx, VecX& dz) const;

 private:
  const Dependencies::StateCluster& cluster_;
  const Model::Placed<Force>* tangent_force_ = nullptr;
  SparseLu lu_;
  struct Entry {
    int row, column, place;
  };
  std::vector<Entry> entries_;
  MatX response_;   // A_zz⁻¹ A_zx
  MatX condensed_;  // A_xz A_zz⁻¹ A_zx
  VecX states_, column_, part_;
};

}  // namespace davit
