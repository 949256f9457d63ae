// A database seen from another point, in other axes, or with its phases referred to another place: exact
// transformations of what is there. A motion about r is T times the motion about r + d, T = [1 [d]×; 0 1]; power is the
// same for everybody, so forces go by Tᵀ and matrices by Tᵀ · T.
#pragma once

#include <optional>

#include "davit/hydro/database.hpp"

namespace davit::hydro {

// Restoring matrix, about a point, of a vertical force that stays upright and acts at `arm` from it: the weight of a
// body (negative force, centre of gravity) or its buoyancy (positive, centre of buoyancy; the waterplane comes extra).
Mat6 upright_load_restoring(double force, const Vec3& arm);

// The restoring matrix without the weight of `loading`, about the body's reference point; nothing where that weight is
// not known.
std::optional<Mat6> buoyancy_restoring(const FloatingBody& body, double gravity);

// Mass matrix of the loading about the body's reference point.
Mat6 mass_matrix(const MassProperties& loading, const Vec3& reference);
// The loading that has this mass matrix about `reference`; the symmetric part of it is used.
MassProperties mass_properties_of(const Mat6& mass_matrix, const Vec3& reference);

// Sources that tell no moments of inertia leave them zero: nothing can be simulated with that.
inline bool has_rotational_inertia(const MassProperties& loading) { return loading.inertia.diagonal().minCoeff() > 0; }

// A restoring matrix about the point that is `d` from the one it was given about; `net_load` is the upward force that
// is left over where weight and buoyancy do not balance.
Mat6 moved_restoring(const Mat6& restoring, const Vec3& d, double net_load = 0);

// Motions and moments of one body about another point, given in the frame.
void move_reference(Database& database, int body, const Vec3& point);

// The same in axes x' = Q x. Q is orthogonal, a reflection too, and keeps the vertical vertical.
void transform_axes(Database& database, const Mat3& Q);

// Forces on one body were given in axes turned by `yaw` against the frame: gives them in the frame.
void align_body(Database& database, int body, double yaw);

// Phases were leads over the crest at `point`: makes them leads over the crest at the origin.
void refer_phases_to_origin(Database& database, const Vec2& point);

// The frame's origin moves to `offset` (horizontally), and with it the crest that phases refer to.
void move_origin(Database& database, const Vec2& offset);

// Nothing couples surge, heave and pitch with sway, roll and yaw, relative to the diagonal, and all reference points
// lie in the plane y = 0: the bodies are their own mirror images.
bool is_port_starboard_symmetric(const Database& database, double tolerance = 1e-3);

// Adds the headings −β that follow from β by symmetry; only for databases that are symmetric.
void expand_headings(Database& database);

// Leaves out the frequencies above the highest that is to be kept.
void cut_frequencies(Database& database, double highest);

}  // namespace davit::hydro
