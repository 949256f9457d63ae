// Newton's linear system of a line: symmetric 3×3 blocks on three diagonals, ends given. Nodes are eliminated from both
// ends towards the middle at once, because each pivot waits for the one before it: two chains take the time of one.
#pragma once

#include "davit/cable/work.hpp"

namespace davit::cable {

// Solves K Δ = −R for the nodes inside, Δ of the ends given in the first and the last change. Leaves in the work
// what is needed for the tangent; gives the largest entry of R of the nodes inside. The forces that hold the ends, R +
// K Δ there, go to the two arguments.
double eliminate(int nodes, LineWork&, Vec3& hold_a, Vec3& hold_b);

// The derivative of the holding forces by the positions of the ends, of the matrix that was eliminated last; only the
// block of b unless `both`.
Mat6 schur_complement(int nodes, const LineWork&, bool both);

// The same of a matrix that was not eliminated yet, where it counts to the last digits: inverses by cofactors, which
// are fast, lose as many as the square of the ratio of stiffness along and across a bar has.
Mat6 exact_schur_complement(int nodes, const LineWork&, bool both);

}  // namespace davit::cable
