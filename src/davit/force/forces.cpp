// Descriptions of gravity, applied wrenches and joint forces, and their one instantiation.
#include "davit/force/applied_wrench.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit {

std::string Gravity::summary() const {
  return "on " + std::to_string(weights_.size()) + (weights_.size() == 1 ? " body" : " bodies");
}
std::vector<Figure> Gravity::figures() const { return {{"", g_.norm(), "m/s^2"}}; }

std::vector<Coupling> Gravity::couplings() const {
  std::vector<Coupling> all;
  for (const Weight& w : weights_) all.push_back({.bodies = {w.body}});
  return all;
}

std::string JointSpring::summary() const { return "spring in " + at_.name; }
std::vector<Figure> JointSpring::figures() const {
  return {{"stiffness", data_.stiffness, at_.angle ? "N m/rad" : "N/m"},
          {"cubic stiffness", data_.cubic, at_.angle ? "N m/rad^3" : "N/m^3"},
          {"rest", data_.rest, at_.angle ? "rad" : "m"}};
}

std::string JointDamper::summary() const { return "damper in " + at_.name; }
std::vector<Figure> JointDamper::figures() const {
  return {{"damping", data_.damping, at_.angle ? "N m s/rad" : "N s/m"},
          {"cubic damping", data_.cubic, at_.angle ? "N m s^3/rad^3" : "N s^3/m^3"},
          {"Coulomb friction", data_.coulomb, at_.angle ? "N m" : "N"}};
}

std::string JointActuator::summary() const { return "actuator on " + at_.name; }

std::string BearingFriction::summary() const { return "bearing friction in " + at_.name; }
std::vector<Figure> BearingFriction::figures() const {
  return {{"coefficient", data_.coefficient, ""}, {"radius", at_.angle ? data_.radius : 0, "m"}};
}

Wrench BearingFriction::load_gradient(const KinT<double>& kin, const Wrench& w) const {
  Vec3 across = w.f;
  if (!at_.angle) {
    const Vec3 z = kin.body[static_cast<size_t>(body_)].R.col(2);
    across -= z.dot(w.f) * z;
  }
  const double size = across.norm();
  return {Vec3::Zero(), size > 0 ? Vec3(across / size) : Vec3(Vec3::Zero())};
}

std::string AppliedWrench::summary() const {
  return data_.axes == Axes::world ? "applied wrench in world axes" : "applied wrench that turns with the body";
}
std::vector<Figure> AppliedWrench::figures() const {
  return {{"force", data_.force.norm(), "N"}, {"moment", data_.moment.norm(), "N m"}};
}

template class ForceOf<Gravity>;
template class ForceOf<AppliedWrench>;
template class ForceOf<JointSpring>;
template class ForceOf<JointDamper>;
template class ForceOf<JointActuator>;

}  // namespace davit
