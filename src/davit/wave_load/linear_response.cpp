#include "davit/wave_load/linear_response.hpp"

#include <algorithm>

#include "davit/hull_load/hull_frame.hpp"
#include "davit/hydro/heading_interpolation.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/math/rotation.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/wave_load/frequency_weights.hpp"
#include "davit/wave_load/wave_crest.hpp"

namespace davit::wave_load {

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
  const hull_load::LevelAxes<double> level(angles.z());
  const double c = std::cos(angles.y()), s = std::sin(angles.y());
  return level.out_of(Vec3(c * rates.x(), rates.y(), -s * rates.x())) + Vec3(0, 0, rates.z());
}

// About the mean place, in axes of the mean heading.
Vec6 load(const LinearHullData& hull, const Moment& m) {
  const hull_load::LevelAxes<double> level(m.angles.z());
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
    const Vec3 drag =
        hull_load::FlowLoad::load<double>(*hull.drag, -velocity.x(), -velocity.y(), velocity.x(), velocity.y());
    Vec6 in_yaw = Vec6::Zero();
    in_yaw.head<2>() = drag.head<2>();
    in_yaw[5] = drag.z();
    total += turned(in_yaw);
  }
  const Mat3 R = rotation_of_rpy(m.angles);
  const Wrench water = hull_load::Buoyancy::load<double>(hull.buoyancy, R, m.place.z());
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

// Between frequencies phases change least against the crest in the middle of the hull.
Eigen::Matrix<Complex, 6, Eigen::Dynamic> LinearResponse::excitation(double frequency) const {
  const FrequencyWeights near(database_.frequencies, frequency, FrequencyWeights::of_wave_forces);
  const Vec2 centre = hydro::extent_of(database_).centre;
  const auto headings = static_cast<Eigen::Index>(database_.headings.size());
  const auto crests = [&](double w) {
    const double k = sea::wave_number(w, database_.depth, database_.gravity);
    Eigen::VectorXcd out(headings);
    for (Eigen::Index h = 0; h < headings; ++h) out[h] = crest(centre, k, database_.headings[static_cast<size_t>(h)]);
    return out;
  };
  Eigen::Matrix<Complex, 6, Eigen::Dynamic> out = Eigen::Matrix<Complex, 6, Eigen::Dynamic>::Zero(6, headings);
  for (size_t i = 0; i < near.weights.size(); ++i) {
    const size_t known = near.first + i;
    const Eigen::VectorXcd there = crests(database_.frequencies[known]);
    for (Eigen::Index h = 0; h < headings; ++h)
      out.col(h) += near.weights[i] * std::conj(there[h]) *
                    database_.excitation[static_cast<size_t>(h)].col(static_cast<Eigen::Index>(known));
  }
  return out * crests(frequency).asDiagonal();
}

MatX LinearResponse::mean_loads(double w) const {
  const Vec6 at_rest =
      load(hull_, {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec6::Zero(), Vec6::Zero()});
  const Radiation at = radiation(w);
  const Mat6c H = receptance(w, at);
  const Mat6c memory = -Complex(0, w) * (at.damping.cast<Complex>() +
                                         Complex(0, w) * (at.added_mass - hull_.infinite_added_mass).cast<Complex>());
  const auto waves = excitation(w);
  MatX out(6, waves.cols());
  for (Eigen::Index h = 0; h < waves.cols(); ++h) {
    const Vec6c motion = H * waves.col(h);
    out.col(h) = mean_load(hull_, at_rest, w, motion, waves.col(h), memory * motion);
  }
  return out;
}

}  // namespace davit::wave_load
