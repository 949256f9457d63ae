#include "davit/dynamics/director_body.hpp"

#include <Eigen/Cholesky>

#include "davit/dynamics/plain_observables.hpp"
#include "davit/dynamics/rigidity.hpp"

namespace davit {

namespace {

struct DirectorWork final : BlockWork {
  Eigen::LLT<DirectorBody::Mat12> factor;
  bool singular = false;

  void set(const DirectorBody::Mat12& M) {
    factor.compute(M);
    const double smallest = factor.matrixLLT().diagonal().cwiseAbs2().minCoeff();
    singular = factor.info() != Eigen::Success || !(smallest > 16 * std::numeric_limits<double>::epsilon() * M.trace());
  }
};

}  // namespace

DirectorBody::DirectorBody(const BlockPlace& place, const Body& body, const Pose& pose, const Twist& twist)
    : VectorSpaceBlock(place),
      name_(body.name),
      mass_(body.mass),
      centre_(body.centre),
      euler_(0.5 * body.inertia.matrix().trace() * Mat3::Identity() - body.inertia.matrix()),
      start_(pose),
      start_twist_(twist) {}

Constraint DirectorBody::rigidity() const {
  return {name_ + ": rigidity", std::make_shared<Rigidity>(place().body, place().u)};
}

Eigen::Matrix<double, 12, 6> DirectorBody::null_space(const Vec12& q) {
  Eigen::Matrix<double, 12, 6> P = Eigen::Matrix<double, 12, 6>::Zero();
  P.topLeftCorner<3, 3>().setIdentity();
  for (int i = 1; i < 4; ++i) P.block<3, 3>(3 * i, 3) = -skew(part(q.data(), i));
  return P;
}

DirectorBody::Vec12 DirectorBody::configuration(const Vec3& position, const Vec3& theta) const {
  Vec12 q;
  q << position, (exp_rotation(theta) * start_.R).eval().reshaped();
  return q;
}

std::vector<std::vector<int>> DirectorBody::groups() const { return {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}; }

void DirectorBody::initial_state(double* q, double* u) const {
  const Vec3 arm = start_.R * centre_;
  Eigen::Map<Vec12> start(q), rate(u);
  start = configuration(start_.p + arm, Vec3::Zero());
  rate = null_space(start) * (Vec6() << start_twist_.about(arm).v, start_twist_.w).finished();
}

DirectorBody::Mat12 DirectorBody::own_mass() const {
  Mat12 M = Mat12::Zero();
  M.topLeftCorner<3, 3>() = mass_ * Mat3::Identity();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) M.block<3, 3>(3 * (i + 1), 3 * (j + 1)) = euler_(i, j) * Mat3::Identity();
  return M;
}

std::unique_ptr<BlockWork> DirectorBody::make_work(double) const {
  auto work = std::make_unique<DirectorWork>();
  work->set(own_mass());
  return work;
}

void DirectorBody::factor_mass(const Kin& kin, const Loads& loads, BlockWork& work) const {
  if (loads.added.empty()) return;  // the mass is constant, and factored
  const BodyKinT<double>& k = kin.body[static_cast<size_t>(body())];
  Eigen::Matrix<double, 6, 12> twist = Eigen::Matrix<double, 6, 12>::Zero();  // of the rates: (ω; φ̇)
  twist.block<3, 3>(3, 0).setIdentity();
  for (int i = 0; i < 3; ++i) twist.block<3, 3>(0, 3 * (i + 1)) = 0.5 * skew(Vec3(k.R.col(i)));
  Mat12 M = own_mass();
  M += twist.transpose() * loads.added[static_cast<size_t>(body())].matrix() * twist;
  static_cast<DirectorWork&>(work).set(M);
}

void DirectorBody::solve(const BlockWork& work, double* r) const {
  Eigen::Map<Vec12> x(r);
  static_cast<const DirectorWork&>(work).factor.solveInPlace(x);
}

MassFailure DirectorBody::mass_failure(const BlockWork& work) const {
  if (!static_cast<const DirectorWork&>(work).singular) return {};
  return {name_, "some motion of the directors",
          "give the body mass, and moments of inertia of which any two exceed the third (a thin rod or plate has "
          "directors without inertia), or use an implicit method"};
}

double DirectorBody::kinetic_energy(const Kin& kin) const {
  const Eigen::Map<const Vec12> u(kin.u + place().u);
  const Eigen::Map<const Mat3> rates(kin.u + place().u + 3);  // columns ḋᵢ
  return (mass_ * u.head<3>().squaredNorm() + (rates.transpose() * rates).cwiseProduct(euler_).sum()) / 2;
}

std::vector<std::string> DirectorBody::speed_names() const {
  std::vector<std::string> names;
  for (const char* part : {"", "d1_", "d2_", "d3_"})
    for (const char* axis : {"x", "y", "z"}) names.push_back(name_ + "." + part + axis);
  return names;
}

void DirectorBody::add_observables(Observables& out) const {
  out.poses.push_back({name_, frame()});
  add_position_scalars(name_, "the centre of mass", frame(), place().u, out);
  add_attitude_scalars(name_, frame(), out);
  add_spin_scalars(name_, frame(), out);
}

template class VectorSpaceBlock<DirectorBody>;

}  // namespace davit
