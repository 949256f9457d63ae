// Kane's method as published, with full matrices: projection matrices whose columns are joint screws (Cibicik & Egeland
// (30), Tysse & Egeland (95)), M and C (38), the skew-symmetric factorisation of the Coriolis matrix (Tysse & Egeland
// (15)-(16)) and constraint forces by auxiliary generalised speeds (39)-(50). O(n³), for analysis and as a check of the
// O(n) recursions, with which it shares only the poses and velocities of the bodies.
#pragma once

#include "davit/dynamics/tree.hpp"

namespace davit {

// P_k and Ṗ_k of one segment, angular rows first, about the centre of mass, in the axes of the segment.
struct Projection {
  Eigen::Matrix<double, 6, Eigen::Dynamic> P, P_dot;
};

// The mass times six of D_k (35): inertia about the centre of mass, in the axes of the segment.
Mat6 central_inertia(const Segment& segment);

std::vector<Projection> projections(const Tree&, const Kin&);

struct KaneMatrices {
  MatX M;
  MatX C;       // (38): only uᵀ(Ṁ - 2C)u = 0 holds
  MatX C_skew;  // with (15)-(16): Ṁ - 2C is skew-symmetric; C u is the same
  MatX M_dot;
};
KaneMatrices kane_matrices(const Tree&, const Kin&);

// All six components of the wrench that the joint of a body exerts on it, about the joint in world axes, from (50):
// every outboard body is projected on the six auxiliary speeds of that joint.
Wrench auxiliary_speed_reaction(const Tree&, const Kin&, const Loads&, const VecX& a, int body);

}  // namespace davit
