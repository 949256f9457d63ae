#include "davit/hull_load/buoyancy.hpp"

namespace davit::hull_load {

Buoyancy::Data Buoyancy::from_restoring(const Mat6& restoring, double displaced_weight, const Vec3& centre) {
  Data data{displaced_weight, centre, restoring.block<3, 3>(2, 2)};
  data.waterplane = 0.5 * (data.waterplane + data.waterplane.transpose()).eval();
  // What W at its centre does by itself when the hull turns.
  data.waterplane(1, 1) -= displaced_weight * centre.z();
  data.waterplane(2, 2) -= displaced_weight * centre.z();
  return data;
}

std::vector<Figure> Buoyancy::figures() const {
  return {{"displaced at rest", data_.displaced_weight / 9.80665, "kg"}};
}

}  // namespace davit::hull_load

namespace davit {
template class ForceOf<hull_load::Buoyancy>;
}  // namespace davit
