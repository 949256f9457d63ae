#include "davit/hydro/linear_response.hpp"

#include <algorithm>

#include "davit/hydro/frequency_weights.hpp"
#include "davit/hydro/hull_frame.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/math/rotation.hpp"

namespace davit::hydro {

namespace {

using Complex = std::complex<double>;
using Vec6c = Eigen::Matrix<Complex, 6, 1>;

// The loads on a hull at one moment of its motion in a regular wave.
struct Moment {
  Vec3 place, angles;      // from the mean place; roll, pitch, yaw
  Vec3 velocity, turning;  // of place and angles, in world axes
  Vec6 waves;              // in axes of the mean heading
  Vec6 memory;             // in axes of the heading
};

// Angular velocity in world axes of R = Rz(yaw) Ry(pitch) Rx(roll).
Vec3 angular_velocity(const Vec3& angles, const Vec3& rates) {
  const LevelAxes<double> level(angles.z());
  const double c = std::cos(angles.y()), s = std::sin(angles.y());
  return level.out_of(Vec3(c * rates.x(), rates.y(), -s * rates.x())) + Vec3(0, 0, rates.z());
}

// About the mean place, in axes of the mean heading.
Vec6 load(const LinearHullData& hull, const Moment& m) {
  const LevelAxes<double> level(m.angles.z());
  const auto turned = [&](const Vec6& x) {
    Vec6 out;
    out << level.out_of(x.head<3>()), level.out_of(x.tail<3>());
    return out;
  };
  Vec6 velocity;
  velocity << level.into(m.velocity), level.into(m.turning);
  Vec6 total = m.waves + turned(m.memory - hull.damping * velocity);
  Vec6 away, rate;
  away << m.place, m.angles;
  rate << m.velocity, m.turning;
  total -= hull.held_stiffness.cwiseProduct(away) + hull.held_damping.cwiseProduct(rate);
  if (hull.drag) {
    const Vec3 drag = FlowLoad::load<double>(*hull.drag, -velocity.x(), -velocity.y(), velocity.x(), velocity.y());
    Vec6 in_yaw = Vec6::Zero();
    in_yaw.head<2>() = drag.head<2>();
    in_yaw[5] = drag.z();
    total += turned(in_yaw);
  }
  const Mat3 R = rotation_of_rpy(m.angles);
  const Wrench water = Buoyancy::load<double>(hull.buoyancy, R, m.place.z());
  total.head<3>() += water.f - Vec3(0, 0, hull.weight);
  total.tail<3>() += water.n - (R * hull.centre).cross(Vec3(0, 0, hull.weight));
  total.tail<3>() += m.place.cross(total.head<3>());
  // The momentum of the water that moves with the hull comes and goes and has no mean rate. Without the terms that turn
  // it with the hull, they are what is missing.
  if (!hull.coriolis) {
    Vec6 twist;
    twist << m.velocity, m.turning;
    const Vec6 momentum = hull.infinite_added_mass * twist;
    total.head<3>() += m.turning.cross(momentum.head<3>());
    total.tail<3>() += m.turning.cross(momentum.tail<3>()) + m.velocity.cross(momentum.head<3>());
  }
  return total;
}

// Products of two motions have their exact mean at four phases, drag at a few more; motions are small enough for
// products of four to vanish.
Vec6 mean_load(const LinearHullData& hull, const Vec6& at_rest, double frequency, const Vec6c& motion,
               const Vec6c& waves, const Vec6c& memory) {
  const int phases = hull.drag ? 16 : 4;
  constexpr double small = 1e-3;  // m or rad
  const double amplitude = small / std::max(motion.cwiseAbs().maxCoeff(), small);
  // What does not balance at rest is no matter of waves.
  Vec6 sum = -phases * at_rest;
  for (int i = 0; i < phases; ++i) {
    const Complex wave = std::polar(amplitude, 2 * pi * i / phases);
    const Vec6 at = (wave * motion).real(), rate = (Complex(0, frequency) * wave * motion).real();
    sum += load(hull, {at.head<3>(), at.tail<3>(), rate.head<3>(), angular_velocity(at.tail<3>(), rate.tail<3>()),
                       (wave * waves).real(), (wave * memory).real()});
  }
  return sum / (phases * amplitude * amplitude);
}

}  // namespace

LinearResponse::Radiation LinearResponse::radiation(double frequency) const {
  const auto& known = database_.frequencies;
  const FrequencyWeights near(known, std::clamp(frequency, known.front(), known.back()));
  Radiation out{Mat6::Zero(), Mat6::Zero()};
  for (size_t k = 0; k < near.weights.size(); ++k) {
    out.added_mass += near.weights[k] * database_.added_mass[near.first + k];
    out.damping += near.weights[k] * database_.damping[near.first + k];
  }
  return out;
}

Mat6c LinearResponse::dynamic_stiffness(double w, const Radiation& r) const {
  Mat6c stiffness = (hull_.restoring - w * w * (hull_.mass + r.added_mass)).cast<Complex>() +
                    Complex(0, w) * (r.damping + hull_.damping).cast<Complex>();
  stiffness.diagonal() += hull_.held_stiffness.cast<Complex>() + Complex(0, w) * hull_.held_damping.cast<Complex>();
  if (hull_.ties) stiffness += hull_.ties(w);
  return stiffness;
}

Mat6c LinearResponse::receptance(double w, const Radiation& r) const { return inverse(MatXc(dynamic_stiffness(w, r))); }

Mat6c LinearResponse::receptance(double frequency) const { return receptance(frequency, radiation(frequency)); }

std::vector<MatX> LinearResponse::mean_loads() const {
  const auto frequencies = static_cast<Eigen::Index>(database_.frequencies.size());
  std::vector<MatX> out(database_.headings.size(), MatX(6, frequencies));
  const Vec6 at_rest =
      load(hull_, {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec6::Zero(), Vec6::Zero()});
  for (Eigen::Index i = 0; i < frequencies; ++i) {
    const double w = database_.frequencies[static_cast<size_t>(i)];
    const Radiation at{database_.added_mass[static_cast<size_t>(i)], database_.damping[static_cast<size_t>(i)]};
    const Mat6c H = receptance(w, at);
    const Mat6c memory = -Complex(0, w) * (at.damping.cast<Complex>() +
                                           Complex(0, w) * (at.added_mass - hull_.infinite_added_mass).cast<Complex>());
    for (size_t h = 0; h < out.size(); ++h) {
      const Vec6c waves = database_.excitation[h].col(i);
      const Vec6c motion = H * waves;
      out[h].col(i) = mean_load(hull_, at_rest, w, motion, waves, memory * motion);
    }
  }
  return out;
}

}  // namespace davit::hydro
