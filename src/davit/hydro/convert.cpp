#include "davit/hydro/convert.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "davit/hydro/modes.hpp"
#include "davit/hydro/tidy.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {
namespace {

using std::size_t;

Mat6 transfer(const Vec3& d) {
  Mat6 T = Mat6::Identity();
  T.topRightCorner<3, 3>() = skew(d);
  return T;
}

// Motions about the old points in the old axes are P times those about the new ones in the new axes.
void substitute(Database& database, const MatX& P) {
  const auto matrix = [&](MatX& m) { m = P.transpose() * m * P; };
  for (MatX& m : database.added_mass) matrix(m);
  for (MatX& m : database.damping) matrix(m);
  for (auto* m : {&database.added_mass_zero, &database.added_mass_infinite, &database.viscous_damping})
    if (*m) matrix(**m);
  for (auto* forces : {&database.excitation, &database.excitation_haskind, &database.froude_krylov})
    for (MatXc& X : *forces) X = P.transpose() * X;
  for (MatX& drift : database.drift) {
    // A gap in one component must not spread to those that do not depend on it: 0 · NaN is NaN.
    MatX moved = MatX::Zero(drift.rows(), drift.cols());
    for (Eigen::Index i = 0; i < P.rows(); ++i)
      for (Eigen::Index j = 0; j < P.cols(); ++j)
        if (P(i, j) != 0) moved.row(j) += P(i, j) * drift.row(i);
    drift = moved;
  }
}

MatX identity(const Database& database) { return MatX::Identity(database.modes(), database.modes()); }

// Upward force that is left when weight and buoyancy do not balance; zero where one of them is not known.
double net_load(const Database& database, const FloatingBody& body) {
  if (!body.loading || std::isnan(body.volume)) return 0;
  return database.gravity * (database.density * body.volume - body.loading->mass);
}

void multiply_phases(Database& database, const Vec2& point, double sign) {
  for (auto* forces : {&database.excitation, &database.excitation_haskind, &database.froude_krylov})
    for (size_t h = 0; h < forces->size(); ++h)
      for (size_t f = 0; f < database.frequencies.size(); ++f) {
        const double k = sea::wave_number(database.frequencies[f], database.depth, database.gravity);
        const double path = point.x() * std::cos(database.headings[h]) + point.y() * std::sin(database.headings[h]);
        (*forces)[h].col(static_cast<Eigen::Index>(f)) *= std::polar(1.0, sign * k * path);
      }
}

}  // namespace

Mat6 upright_load_restoring(double force, const Vec3& arm) {
  // The arm turns with the body and the force does not: moment change (θ × arm) × F e_z, restoring its negative.
  Mat6 C = Mat6::Zero();
  C(3, 3) = C(4, 4) = force * arm.z();
  C(3, 5) = -force * arm.x();
  C(4, 5) = -force * arm.y();
  return C;
}

std::optional<Mat6> buoyancy_restoring(const FloatingBody& body, double gravity) {
  if (!body.loading) return std::nullopt;
  return Mat6(body.restoring -
              upright_load_restoring(-body.loading->mass * gravity, body.loading->centre - body.reference));
}

Mat6 mass_matrix(const MassProperties& loading, const Vec3& reference) {
  const Mat3 S = skew(Vec3(loading.centre - reference));
  Mat6 M;
  M << loading.mass * Mat3::Identity(), -loading.mass * S, loading.mass * S, loading.inertia - loading.mass * S * S;
  return M;
}

MassProperties mass_properties_of(const Mat6& mass_matrix, const Vec3& reference) {
  const Mat6 M = 0.5 * (mass_matrix + mass_matrix.transpose());
  MassProperties loading;
  loading.mass = M.diagonal().head<3>().mean();
  const Mat3 first_moment = M.bottomLeftCorner<3, 3>();  // m [c]×
  const Vec3 arm = Vec3(first_moment(2, 1) - first_moment(1, 2), first_moment(0, 2) - first_moment(2, 0),
                        first_moment(1, 0) - first_moment(0, 1)) /
                   (2 * loading.mass);
  loading.centre = reference + arm;
  const Mat3 S = skew(arm);
  loading.inertia = M.bottomRightCorner<3, 3>() + loading.mass * S * S;
  return loading;
}

Mat6 moved_restoring(const Mat6& restoring, const Vec3& d, double net_load) {
  const Mat6 T = transfer(d);
  // A force that is left over turns with nothing: its moment about the new point changes as that point turns.
  return T.transpose() * restoring * T + upright_load_restoring(-net_load, d);
}

void move_reference(Database& database, int body, const Vec3& point) {
  FloatingBody& b = database.bodies[static_cast<size_t>(body)];
  const Vec3 d = point - b.reference;
  if (d.isZero(0)) return;
  MatX P = identity(database);
  P.block<6, 6>(6 * body, 6 * body) = transfer(d);
  substitute(database, P);
  b.restoring = moved_restoring(b.restoring, d, net_load(database, b));
  b.reference = point;
}

void transform_axes(Database& database, const Mat3& Q) {
  Mat6 back = Mat6::Zero();  // rotations are axial vectors: a reflection turns them round
  back.topLeftCorner<3, 3>() = Q.transpose();
  back.bottomRightCorner<3, 3>() = Q.determinant() * Q.transpose();
  MatX P = MatX::Zero(database.modes(), database.modes());
  for (Eigen::Index b = 0; b < P.rows(); b += 6) P.block<6, 6>(b, b) = back;
  substitute(database, P);
  for (FloatingBody& body : database.bodies) {
    body.restoring = back.transpose() * body.restoring * back;
    body.reference = Q * body.reference;
    body.buoyancy = Q * body.buoyancy;
    if (body.loading) {
      body.loading->centre = Q * body.loading->centre;
      body.loading->inertia = Q * body.loading->inertia * Q.transpose();
    }
  }
  for (double& heading : database.headings) {
    const Vec3 direction = Q * Vec3(std::cos(heading), std::sin(heading), 0);
    heading = std::atan2(direction.y(), direction.x());
  }
  sort(database);
}

void align_body(Database& database, int body, double yaw) {
  const Mat3 R = Eigen::AngleAxisd(yaw, Vec3::UnitZ()).toRotationMatrix();
  Mat6 back = Mat6::Zero();
  back.topLeftCorner<3, 3>() = back.bottomRightCorner<3, 3>() = R.transpose();
  MatX P = identity(database);
  P.block<6, 6>(6 * body, 6 * body) = back;
  substitute(database, P);
  FloatingBody& b = database.bodies[static_cast<size_t>(body)];
  b.restoring = back.transpose() * b.restoring * back;
}

void refer_phases_to_origin(Database& database, const Vec2& point) { multiply_phases(database, point, -1); }

void move_origin(Database& database, const Vec2& offset) {
  multiply_phases(database, offset, 1);
  const Vec3 shift(offset.x(), offset.y(), 0);
  for (FloatingBody& body : database.bodies) {
    body.reference -= shift;
    body.buoyancy -= shift;
    if (body.loading) body.loading->centre -= shift;
  }
}

bool is_port_starboard_symmetric(const Database& database, double tolerance) {
  for (const FloatingBody& body : database.bodies)
    if (std::abs(body.reference.y()) > tolerance) return false;
  for (const MatX& A : database.added_mass) {
    // Against the largest of its kind: the yaw of a sphere has no added mass, and its couplings are round-off.
    double largest[2] = {0, 0};
    for (int i = 0; i < A.rows(); ++i) largest[is_rotation(i)] = std::max(largest[is_rotation(i)], std::abs(A(i, i)));
    for (int i = 0; i < A.rows(); ++i)
      for (int j = 0; j < A.cols(); ++j)
        if (port_starboard_sign(i) != port_starboard_sign(j) &&
            std::abs(A(i, j)) > tolerance * std::sqrt(largest[is_rotation(i)] * largest[is_rotation(j)]))
          return false;
  }
  return true;
}

void expand_headings(Database& database) {
  const size_t given = database.headings.size();
  VecX sign(database.modes());
  for (int i = 0; i < sign.size(); ++i) sign[i] = port_starboard_sign(i);
  // Those on the plane of symmetry are their own mirror images; sort() drops what is there already.
  for (size_t h = 0; h < given; ++h) {
    if (std::abs(std::sin(database.headings[h])) < 1e-6) continue;
    database.headings.push_back(-database.headings[h]);
    const auto mirrored = [&](auto& forces) {
      if (!forces.empty()) forces.push_back((sign.asDiagonal() * forces[h]).eval());
    };
    mirrored(database.excitation);
    mirrored(database.excitation_haskind);
    mirrored(database.froude_krylov);
    mirrored(database.drift);
  }
  sort(database);
}

void cut_frequencies(Database& database, double highest) {
  auto& w = database.frequencies;
  const auto kept = std::upper_bound(w.begin(), w.end(), highest) - w.begin();
  const auto count = static_cast<size_t>(kept);
  w.resize(count);
  database.added_mass.resize(count);
  database.damping.resize(count);
  const auto columns = [&](auto& forces) {
    for (auto& X : forces) X.conservativeResize(Eigen::NoChange, kept);
  };
  columns(database.excitation);
  columns(database.excitation_haskind);
  columns(database.froude_krylov);
  columns(database.drift);
}

}  // namespace davit::hydro
