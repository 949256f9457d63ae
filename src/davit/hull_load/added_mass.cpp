#include "davit/hull_load/added_mass.hpp"

namespace davit::hull_load {

namespace {

// Naval order (velocity first) to screws (angular first).
SpatialInertia as_screws(const Mat6& naval) {
  Mat6 out;
  out << naval.bottomRightCorner<3, 3>(), naval.bottomLeftCorner<3, 3>(), naval.topRightCorner<3, 3>(),
      naval.topLeftCorner<3, 3>();
  return SpatialInertia::of(out);
}

}  // namespace

AddedMass::AddedMass(std::string name, const Frame& frame, const Mat6& matrix, bool coriolis)
    : ForceOf(std::move(name)),
      frame_(frame),
      matrix_(as_screws(0.5 * (matrix + matrix.transpose()))),
      coriolis_(coriolis) {}

std::string AddedMass::summary() const { return coriolis_ ? "added mass" : "added mass, without Coriolis terms"; }
std::vector<Figure> AddedMass::figures() const { return {{"in heave", matrix_.M.zz, "kg"}}; }

double AddedMass::kinetic_energy(const Kin& kin) const {
  const HullStateT<double> hull = hull_state(kin, frame_);
  const Twist twist{hull.R.transpose() * hull.w, hull.R.transpose() * hull.v};
  const Wrench momentum = matrix_ * twist;
  return 0.5 * (momentum.n.dot(twist.w) + momentum.f.dot(twist.v));
}

}  // namespace davit::hull_load

namespace davit {
template class ForceOf<hull_load::AddedMass>;
}  // namespace davit
