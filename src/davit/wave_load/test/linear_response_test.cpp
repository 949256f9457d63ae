// Linear response of a hull, and the mean loads that its equations make of it.
#include "davit/wave_load/linear_response.hpp"

#include <gtest/gtest.h>

#include "davit/math/constants.hpp"

namespace davit::wave_load {
namespace {

using Complex = std::complex<double>;

// A hull of which everything can be written down: masses on the diagonal, the origin in its centre of gravity.
hydro::Database simple_hull() {
  hydro::Database db;
  db.bodies.emplace_back();
  db.frequencies = {0.5, 0.6, 0.7, 0.8};
  db.headings = {0.6, 1.2};
  Vec6 added, damping;
  added << 1e6, 4e6, 6e6, 1e8, 3e9, 2e9;
  damping << 1e5, 5e5, 9e5, 1e7, 2e8, 1e8;
  db.added_mass.assign(4, MatX(added.asDiagonal()));
  db.damping.assign(4, MatX(damping.asDiagonal()));
  for (const double heading : db.headings) {
    MatXc X(6, 4);
    for (int i = 0; i < 6; ++i)
      for (int f = 0; f < 4; ++f) X(i, f) = std::polar(1e6 * (1 + i) * (i < 3 ? 1 : 20), heading * i + 0.3 * f);
    db.excitation.push_back(X);
  }
  return db;
}

LinearHullData of_simple_hull() {
  LinearHullData hull;
  Vec6 mass, restoring;
  mass << 5e6, 5e6, 5e6, 2e8, 2e9, 2e9;
  restoring << 0, 0, 1e7, 1e8, 5e9, 0;
  hull.mass = mass.asDiagonal();
  hull.weight = 5e7;
  hull.restoring = restoring.asDiagonal();
  hull.buoyancy = hull_load::Buoyancy::from_restoring(hull.restoring, hull.weight, Vec3::Zero());
  Vec6 infinite;
  infinite << 0.9e6, 3e6, 7e6, 1e8, 3e9, 2e9;
  hull.infinite_added_mass = infinite.asDiagonal();
  return hull;
}

TEST(LinearResponse, IsThatOfOneDegreeOfFreedomAtATime) {
  const hydro::Database db = simple_hull();
  const Mat6c H = LinearResponse(db, of_simple_hull()).receptance(0.65);
  const double w = 0.65;
  EXPECT_LT(std::abs(H(2, 2) * Complex(1e7 - w * w * (5e6 + 6e6), w * 9e5) - 1.0), 1e-12);
  EXPECT_LT(std::abs(H(5, 5) * Complex(-w * w * (2e9 + 2e9), w * 1e8) - 1.0), 1e-12);
  EXPECT_LT(std::abs(H(0, 5)), 1e-25);
}

// A spring in sway that is 10 m ahead.
TEST(LinearResponse, HasWhatTiesTheHull) {
  const hydro::Database db = simple_hull();
  LinearHullData hull = of_simple_hull();
  hull.ties = [](double frequency) {
    Mat6c out = Mat6c::Zero();
    const Complex spring(3e6, 2e5 * frequency);
    out(1, 1) = spring, out(1, 5) = out(5, 1) = 10.0 * spring, out(5, 5) = 100.0 * spring;
    return out;
  };
  const double w = 0.65;
  const Complex sway(-w * w * (5e6 + 4e6), w * 5e5), yaw(-w * w * (2e9 + 2e9), w * 1e8), spring(3e6, 2e5 * w);
  const Complex both = (sway + spring) * (yaw + 100.0 * spring) - 100.0 * spring * spring;
  const Mat6c H = LinearResponse(db, hull).receptance(w);
  EXPECT_LT(std::abs(H(1, 1) * both / (yaw + 100.0 * spring) - 1.0), 1e-12);
  EXPECT_LT(std::abs(H(5, 1) * both / (-10.0 * spring) - 1.0), 1e-12);
}

// In yaw the mean is that of the momentum of hull and water, −⟨v × (m + A∞)v⟩, whatever it is that moves the hull; in
// surge and sway the memory turns with the heading.
TEST(LinearResponse, MeanLoadsOfAHullWithoutRestoring) {
  const hydro::Database db = simple_hull();
  const LinearHullData hull = of_simple_hull();
  const LinearResponse response(db, hull);
  for (int h = 0; h < 2; ++h)
    for (int f = 0; f < 4; ++f) {
      const double w = db.frequencies[static_cast<size_t>(f)];
      const Vec6 mean = response.mean_loads(w).col(h);
      const Eigen::Matrix<Complex, 6, 1> motion = response.receptance(w) * db.excitation[static_cast<size_t>(h)].col(f);
      const auto mean_product = [](Complex a, Complex b) { return 0.5 * (std::conj(a) * b).real(); };
      // ⟨x × f⟩ with f = −ω²(m + A∞)x.
      const double yaw = -w * w * (hull.infinite_added_mass(1, 1) - hull.infinite_added_mass(0, 0)) *
                         mean_product(motion[0], motion[1]);
      EXPECT_NEAR(mean[5], yaw, 1e-5 * std::abs(yaw) + 1e-3);
      const auto memory = [&](int i) {
        const double added = db.added_mass[0](i, i) - hull.infinite_added_mass(i, i);
        return -Complex(db.damping[0](i, i), w * added) * Complex(0, w) * motion[i];
      };
      const double surge = -mean_product(motion[5], memory(1)), sway = mean_product(motion[5], memory(0));
      EXPECT_NEAR(mean[0], surge, 1e-5 * std::abs(surge) + 1e-3);
      EXPECT_NEAR(mean[1], sway, 1e-5 * std::abs(sway) + 1e-3);
    }
}

// What stands on one side heels a hull at rest, and is no matter of waves.
TEST(LinearResponse, AHullThatDoesNotBalanceAtRestHasNoMeanLoadInSmallWaves) {
  const hydro::Database db = simple_hull();
  LinearHullData hull = of_simple_hull(), beside = hull;
  beside.weight += 1e5;
  for (const double w : db.frequencies) {
    const MatX mean = LinearResponse(db, hull).mean_loads(w), other = LinearResponse(db, beside).mean_loads(w);
    EXPECT_LT((mean - other).cwiseAbs().maxCoeff(), 1e-2 * mean.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace davit::wave_load
