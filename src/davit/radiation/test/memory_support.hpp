// A memory that is known in closed form, and the database that it belongs to. Each of its terms is a resonator
// s M/(s² + 2ζω₀s + ω₀²), which takes energy at every frequency as M ⪰ 0.
#pragma once

#include <Eigen/Eigenvalues>

#include "davit/hydro/test/support.hpp"
#include "davit/radiation/radiation_memory.hpp"

namespace davit::radiation::test {

inline void add_resonator(MemoryGroup& group, double frequency, double damping_ratio, const MatX& M) {
  const double a = -damping_ratio * frequency, b = frequency * std::sqrt(1 - damping_ratio * damping_ratio);
  group.poles.emplace_back(a, b);
  group.residues.push_back(M.cast<std::complex<double>>() * std::complex<double>(1, -a / b));
}

// Of a ship of the units that motions have: roll and its couplings are small beside yaw, all beside sway.
inline MemoryModel known_memory() {
  MemoryModel model;
  const auto matrix = [](const Vec3& size, const Vec3& along, double rest) {
    const Mat3 M = along * along.transpose() + rest * Mat3::Identity();
    return MatX(size.asDiagonal() * M * size.asDiagonal());
  };
  const Vec3 upright(1e3, 3e3, 6e4), sideways(3e3, 2e3, 5e4);
  MemoryGroup vertical{{0, 2, 4}, {}, {}}, lateral{{1, 3, 5}, {}, {}};
  add_resonator(vertical, 0.7, 0.5, matrix(upright, Vec3(0.3, 1, -0.4), 0.2));
  add_resonator(vertical, 1.1, 0.4, matrix(upright, Vec3(0.8, -0.2, 1), 0.1));
  add_resonator(lateral, 0.9, 0.6, matrix(sideways, Vec3(1, -0.5, 0.1), 0.1));
  add_resonator(lateral, 1.2, 0.3, matrix(sideways, Vec3(0.2, 0.6, 1), 0.1));
  model.groups = {vertical, lateral};
  return model;
}

inline Mat6 known_infinite() {
  Mat6 A = Mat6::Zero();
  A.diagonal() << 1e6, 8e6, 2e7, 4e8, 1e10, 5e9;
  A(1, 3) = A(3, 1) = 1e7;
  return A;
}

inline hydro::Database database_of(const MemoryModel& model, double last, double step, double noise = 0) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  hydro::Database database;
  database.title = "known";
  database.bodies.emplace_back();
  database.added_mass_infinite = known_infinite();
  for (double w = step; w < last + 0.5 * step; w += step) {
    const auto K = model.transfer(w);
    database.frequencies.push_back(w);
    database.damping.push_back(K.real());
    database.added_mass.push_back(known_infinite() + K.imag() / w);
  }
  Vec6 size = Vec6::Zero();
  for (const MatX& B : database.damping) size = size.cwiseMax(B.diagonal().cwiseSqrt());
  for (MatX& B : database.damping)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        if (B(i, j) != 0) B(i, j) += noise * size[i] * size[j] * normal(engine);
  return database;
}

// The lowest eigenvalue of Re K(iω), in units of the largest damping of each motion, over a wide and dense range.
inline double least_damping(const MemoryModel& model) {
  Vec6 size = Vec6::Constant(1e-300);
  double lowest = 1;
  for (int pass = 0; pass < 2; ++pass)
    for (double w = 1e-5; w < 1e4; w *= 1.002) {
      const Mat6 B = model.transfer(w).real();
      if (pass == 0) {
        size = size.cwiseMax(B.diagonal().cwiseAbs());
        continue;
      }
      const Vec6 inverse = size.cwiseSqrt().cwiseInverse();
      const Mat6 scaled = inverse.asDiagonal() * B * inverse.asDiagonal();
      lowest = std::min(lowest, Eigen::SelfAdjointEigenSolver<Mat6>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0]);
    }
  return lowest;
}

}  // namespace davit::radiation::test
