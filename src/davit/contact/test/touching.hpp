// A body with points of it on a plane of the world, moved by hand: what its compliant contact does.
#pragma once

#include "davit/contact/compliant_contact.hpp"

namespace davit::contact::test {

struct BodyMotion {
  Vec3 at = Vec3::Zero(), speed = Vec3::Zero(), spin = Vec3::Zero();
  Mat3 turned = Mat3::Identity();
};

// Body 1 presses, and body 2 rests somewhere.
template <class S>
KinT<S> kinematics(const BodyMotion& motion, double t = 0, const BodyMotion& other = {}) {
  KinT<S> kin;
  kin.t = S(t);
  kin.body.resize(3);
  const BodyMotion* motions[] = {&motion, &other};
  for (size_t i = 0; i < 2; ++i) {
    BodyKinT<S>& body = kin.body[i + 1];
    body.R = as<S>(motions[i]->turned);
    body.p = as<S>(motions[i]->at);
    body.v = as<S>(motions[i]->speed);
    body.w = as<S>(motions[i]->spin);
  }
  return kin;
}

inline std::vector<ContactPoint> points_at(const std::vector<Vec3>& places, double weight = 1) {
  std::vector<ContactPoint> out;
  for (const Vec3& place : places) out.push_back({{1, Pose{Mat3::Identity(), place}}, weight});
  return out;
}

inline ContactSide on_ground(std::vector<ContactPoint> points, const Frame& ground = {}) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  return {ground, std::make_shared<PlaneSurface>(endless, endless), std::move(points)};
}

class Touching {
 public:
  explicit Touching(const ContactLaw& law, std::vector<ContactSide> sides = {on_ground(points_at({Vec3::Zero()}))},
                    const BodyMotion& start = {}, const BodyMotion& other = {})
      : contact_("contact", law, std::move(sides), kinematics<double>(start, 0, other)),
        discrete_(contact_.discrete_slots()) {}

  // A step was taken to there; the first says where it begins.
  void commit(const BodyMotion& motion, double t) {
    contact_.commit(context(kinematics<double>(motion, t)), discrete_);
  }

  std::vector<Wrench> loads(const Kin& kin) const {
    Loads loads;
    loads.resize(3, 0, false);
    element().apply(context(kin), loads, nullptr);
    return loads.wrench;
  }
  Vec3 force(const BodyMotion& motion, double t = 0) const { return loads(kinematics<double>(motion, t))[1].f; }
  // On the body over a step between two places, at the point halfway.
  Vec3 step_force(const BodyMotion& from, const BodyMotion& to, double h) const {
    BodyMotion middle = from;
    middle.at = 0.5 * (from.at + to.at);
    middle.speed = (to.at - from.at) / h;
    const Kin start = kinematics<double>(from), point = kinematics<double>(middle), end = kinematics<double>(to);
    Loads loads;
    loads.resize(3, 0, false);
    element().apply_over_step({start, context(point), end, h}, loads);
    return loads.wrench[1].f;
  }
  double energy(const BodyMotion& motion) const { return element().potential(context(kinematics<double>(motion))); }
  ContactView view(const BodyMotion& motion) const { return contact_.view(context(kinematics<double>(motion))); }
  std::optional<std::string> cannot_rest(const BodyMotion& motion) const {
    return contact_.cannot_rest(context(kinematics<double>(motion)));
  }
  // How many points are remembered because they touch.
  int remembered() const { return discrete_.size(1); }
  ContextT<double> context(const Kin& kin) const { return {kin, nullptr, nullptr, discrete_, 0, work_.get()}; }
  const Force& element() const { return contact_; }
  const DiscreteState& kept() const { return discrete_; }

 private:
  CompliantContact contact_;
  std::unique_ptr<ElementWork> work_ = contact_.make_work(0.0);
  DiscreteState discrete_;
};

inline BodyMotion at_height(double z) { return {.at = Vec3(0, 0, z)}; }
inline BodyMotion at_place(double x, double y, double z) { return {.at = Vec3(x, y, z)}; }

}  // namespace davit::contact::test
