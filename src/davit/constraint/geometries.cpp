// Geometries that are all in their headers, compiled once for all who use them.
#include "davit/constraint/angle_row.hpp"
#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/joint_speed.hpp"
#include "davit/constraint/knife_edge.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/tied_row.hpp"

namespace davit {

template class GeometryOf<JointCombination>;
template class GeometryOf<TiedRow>;
template class GeometryOf<JointSpeed>;
template class GeometryOf<AngleRow>;
template class GeometryOf<PointDistance>;
template class GeometryOf<KnifeEdge>;

}  // namespace davit
