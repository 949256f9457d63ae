// The shortest path over the edges: Newton's method on the total length, which is convex in the places of the nodes.
// Neighbours of neighbours share a derivative's direction.
#pragma once

#include "davit/rope/placed_path.hpp"

namespace davit::rope {

using Dual3 = Dual<3>;

struct ShortestWork {
  std::vector<PlacedNode<double>> placed;
  std::vector<PlacedNode<Dual3>> placed_dual;
  std::vector<double> s, trial;
  std::vector<Dual3> s_dual;
  TensionsT<double> t;
  TensionsT<Dual3> t_dual;
  BlockTridiagonal<1> matrix;
  std::vector<Eigen::Matrix<double, 1, 1>> step;
  std::vector<char> held;
};

// ∂L/∂s of a node: minus the pull along its edge of unit tension.
template <class S>
S slope_of_length(const TensionsT<S>& t, size_t i) {
  return -t.along[i].dot(Vec3T<S>(t.legs[i - 1].pull_to + t.legs[i].pull_from));
}

// Nodes on edges slide; the two ends are held.
inline bool movable(const Path& path, size_t i) { return i > 0 && i + 1 < path.size() && path[i].on_edge(); }

// The matrix of second derivatives of the length, at work.s; rows of nodes that do not move are those of the identity.
void second_derivatives(const Rope& rope, const Path& path, ShortestWork& work);

}  // namespace davit::rope
