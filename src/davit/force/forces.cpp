// Descriptions of gravity, applied wrenches and joint forces, and their one instantiation.
#include <sstream>

#include "davit/force/applied_wrench.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"

namespace davit {

namespace {

// "18 kN"-like sentences are made for readers: four digits are enough.
class Text {
 public:
  template <class T>
  Text& operator<<(const T& x) {
    out_ << x;
    return *this;
  }
  Text& add(const char* what, double value, const std::string& unit) {
    if (value != 0) out_ << (first_ ? " " : ", ") << what << " " << value << " " << unit, first_ = false;
    return *this;
  }
  std::string str() const { return out_.str(); }

 private:
  std::ostringstream out_;
  bool first_ = true;
};

}  // namespace

std::string Gravity::summary() const {
  Text text;
  text << g_.norm() << " m/s^2 on " << weights_.size() << (weights_.size() == 1 ? " body" : " bodies");
  return text.str();
}

std::vector<Coupling> Gravity::couplings() const {
  std::vector<Coupling> all;
  for (const Weight& w : weights_) all.push_back({.bodies = {w.body}});
  return all;
}

std::string JointSpring::summary() const {
  Text text;
  text << "spring in " << at_.name << ":";
  text.add("stiffness", data_.stiffness, at_.angle ? "N m/rad" : "N/m")
      .add("cubic stiffness", data_.cubic, at_.angle ? "N m/rad^3" : "N/m^3");
  return text.add("rest", data_.rest, at_.angle ? "rad" : "m").str();
}

std::string JointDamper::summary() const {
  Text text;
  text << "damper in " << at_.name << ":";
  text.add("damping", data_.damping, at_.angle ? "N m s/rad" : "N s/m")
      .add("cubic damping", data_.cubic, at_.angle ? "N m s^3/rad^3" : "N s^3/m^3");
  return text.add("Coulomb friction", data_.coulomb, at_.angle ? "N m" : "N").str();
}

std::string JointActuator::summary() const { return "actuator on " + at_.name; }

std::string BearingFriction::summary() const {
  Text text;
  text << "bearing friction in " << at_.name << ":";
  text.add("coefficient", data_.coefficient, "");
  if (at_.angle) text.add("radius", data_.radius, "m");
  return text.str();
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
  Text text;
  text << "applied wrench:";
  text.add("force", data_.force.norm(), "N").add("moment", data_.moment.norm(), "N m");
  text << (data_.axes == Axes::world ? ", in world axes" : ", turning with the body");
  return text.str();
}

template class ForceOf<Gravity>;
template class ForceOf<AppliedWrench>;
template class ForceOf<JointSpring>;
template class ForceOf<JointDamper>;
template class ForceOf<JointActuator>;

}  // namespace davit
