// Newton's linear system of a beam line: symmetric 6×6 blocks on three diagonals, eliminated from A to B.
#pragma once

#include "davit/cable/beam.hpp"

namespace davit::cable {

// What is given of the changes of an end node: projections onto the given and the free directions of its six
// coordinates (position, slope), and the given change.
struct GivenEnd {
  Mat6 given = Mat6::Zero();
  Vec6 change = Vec6::Zero();
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> free;  // orthonormal columns
  double stretch = 1;                                      // λ
  // For an end as it is held, from where its node is now.
  GivenEnd(Hold, const Vec3& place, const Vec3& direction, const Vec3& position, const Vec3& slope);
  // A slope λ d that is clamped has coordinates λ and d: because the force R on it turns and stretches with them, the
  // matrix has (d Rᵀ + R dᵀ)/λ more, R across d.
  Mat6 turning(const Vec6& residual) const;
  // Inverse of a matrix among the free directions, zero in the others.
  Mat6 free_inverse(const Mat6&) const;
};

// Solves K Δ = −R, leaves the changes in work.change and gives the largest entry of R that is not held. What holds the
// ends, R + K Δ of their coordinates, goes to the last two arguments.
double eliminate(int nodes, BeamWork&, const GivenEnd& a, const GivenEnd& b, Vec6& hold_a, Vec6& hold_b);

// The derivative of what holds the ends by their given coordinates (a, b), of the matrix that was eliminated last; only
// the block of b unless `both`.
Mat12 schur_complement(int nodes, const BeamWork&, const GivenEnd& a, const GivenEnd& b, bool both);

}  // namespace davit::cable
