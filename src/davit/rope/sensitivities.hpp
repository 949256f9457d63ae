// How the nodes of a balanced path move with the poses: ds (and dσ) by the implicit function theorem, from the
// equations of all nodes at the balanced values with poses that vary. They are written into the derivatives of `w`.
#pragma once

#include "davit/rope/balance_work.hpp"

namespace davit::rope {

void differentiate_shortest(const Rope& rope, const Path& path, PlacedPath<Dual8>& w, AllWork& all);
void differentiate_friction(const Rope& rope, const SupplyT<Dual8>& supply, const Path& path, PlacedPath<Dual8>& w,
                            AllWork& all);

// The balance where equations are differentiated: values of a path, its nodes as they hold.
void stand_at(const Rope& rope, const PaidOut& paid, const Path& path, FrictionWork& work);

}  // namespace davit::rope
