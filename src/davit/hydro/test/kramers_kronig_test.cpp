// Radiation against a pair that is known in closed form: K(t) = (1 − αt) exp(−αt) belongs to
// B = 2αω²/(α² + ω²)² and A − A(∞) = (α² − ω²)/(α² + ω²)².
#include "davit/hydro/kramers_kronig.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "davit/hydro/open_database.hpp"
#include "davit/hydro/test/support.hpp"
#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

using namespace test;
constexpr double decay_rate = 0.8;

double B(double w) { return 2 * decay_rate * w * w / std::pow(decay_rate * decay_rate + w * w, 2); }
double A(double w) { return (decay_rate * decay_rate - w * w) / std::pow(decay_rate * decay_rate + w * w, 2); }

struct Table {
  std::vector<double> w, a, b;
  explicit Table(double last, double step) {
    for (double x = step; x < last + 0.5 * step; x += step) {
      w.push_back(x);
      a.push_back(A(x));
      b.push_back(B(x));
    }
  }
};

TEST(Radiation, KernelAndItsTransforms) {
  const Table table(6, 0.02);
  const Damping damping(table.w, table.b);
  EXPECT_NEAR(damping.power(), 2, 0.1);
  for (const double t : {0.0, 1e-4, 0.1, 1.0, 3.0, 10.0})
    EXPECT_NEAR(damping.kernel(t), (1 - decay_rate * t) * std::exp(-decay_rate * t), t < 0.05 ? 0.01 : 2e-3) << t;
  for (const double w : {0.1, 0.5, 1.0, 2.0, 5.0, 1.003})
    EXPECT_NEAR(damping.added_mass_change(w), A(w), 2e-3 * A(0)) << w;
  const DampingFromAddedMass back(table.w, table.a, 0, A(0));
  for (const double w : {0.1, 0.5, 1.0, 2.0, 4.0}) EXPECT_NEAR(back(w), B(w), 3e-3 * B(decay_rate)) << w;
}

TEST(Radiation, ConvergesNearlyWithTheCubeOfTheStep) {
  const auto error = [](double step) {
    const Table table(5, step);
    const Damping damping(table.w, table.b);
    double worst = 0;
    for (double w = 0.3; w < 3; w += 0.1) worst = std::max(worst, std::abs(damping.added_mass_change(w) - A(w)));
    return worst / A(0);
  };
  EXPECT_LT(error(0.2), error(0.4) / 6);
  EXPECT_LT(error(0.1), error(0.2) / 6);
  EXPECT_LT(error(0.05), 1e-3);
}

TEST(Radiation, TailIsNamed) {
  const Table table(1.6, 0.02);  // ∫B from 1.6 on is a good part of π/2
  const Damping damping(table.w, table.b);
  double beyond = 0;
  for (double w = 1.6; w < 400; w += 0.01) beyond += 0.01 * B(w);
  EXPECT_NEAR(damping.tail_share(), beyond / (pi / 2), 0.1);
}

TEST(Radiation, InfiniteAddedMassFromTheRest) {
  Database database;
  database.bodies.emplace_back();
  const Table table(6, 0.05);
  database.frequencies = table.w;
  for (size_t i = 0; i < table.w.size(); ++i) {
    database.added_mass.push_back(MatX::Constant(6, 6, 5 + table.a[i]));
    database.damping.push_back(MatX::Constant(6, 6, table.b[i]));
  }
  EXPECT_LT((infinite_added_mass(database) - MatX::Constant(6, 6, 5)).cwiseAbs().maxCoeff(), 5e-3);
}

// A small float in long waves: X = ρ g S whatever the heading, and B = ρ S² ω³/(2g) in deep water,
// ρ g S² k/(4 c_g) in any.
TEST(Radiation, HaskindForASmallFloat) {
  Database database;
  database.bodies.emplace_back();
  database.frequencies = {0.1, 0.3};
  const double S = 12;
  for (const double heading : {-2.5, -1.0, 0.2, 1.0, 2.2}) {
    database.headings.push_back(heading);
    database.excitation.push_back(MatXc::Constant(6, 2, database.density * database.gravity * S));
  }
  EXPECT_NEAR(haskind_damping(database, 2, 1) / (database.density * S * S * 0.027 / (2 * database.gravity)), 1, 1e-12);
  database.depth = 30;
  EXPECT_GT(haskind_damping(database, 2, 0), database.density * S * S * 0.001 / (2 * database.gravity));
  EXPECT_NEAR(widest_gap(database.headings), 2 * pi - 2.5 - 2.2, 1e-12);
  EXPECT_NEAR(widest_gap({0}), 2 * pi, 1e-12);
}

// Heave of the sphere is the same for every heading; WAMIT's damping must follow from its excitation, in 50 m of water.
TEST(Radiation, SphereOfWamit) {
  SKIP_WITHOUT(shared("oes-sphere/wamit_sphere.1"));
  ReadOptions options;
  options.density = 1000;
  const Database d = open_database(shared("oes-sphere/wamit_sphere"), options);
  double largest = 0, apart = 0, change = 0, least = 1e300, most = 0;
  const Damping damping(d.frequencies, entry(d.damping, 2, 2));
  for (size_t f = 0; f < d.frequencies.size(); ++f) {
    if (d.frequencies[f] > 5) break;
    largest = std::max(largest, d.damping[f](2, 2));
    apart = std::max(apart, std::abs(haskind_damping(d, 2, f) - d.damping[f](2, 2)));
    const double A_infinite = (*d.added_mass_infinite)(2, 2);
    most = std::max(most, d.added_mass[f](2, 2));
    least = std::min(least, d.added_mass[f](2, 2));
    if (d.frequencies[f] > 0.1)
      change =
          std::max(change, std::abs(d.added_mass[f](2, 2) - A_infinite - damping.added_mass_change(d.frequencies[f])));
  }
  std::printf("sphere: Haskind %.2e of the largest damping, Kramers-Kronig %.2e of the range of added mass\n",
              apart / largest, change / (most - least));
  EXPECT_LT(apart, 0.01 * largest);
  EXPECT_LT(change, 0.03 * (most - least));
  const double found = infinite_added_mass(d)(2, 2);
  std::printf("infinite added mass in heave from the rest: %.4f of WAMIT's\n", found / (*d.added_mass_infinite)(2, 2));
  EXPECT_NEAR(found / (*d.added_mass_infinite)(2, 2), 1, 0.01);
}

}  // namespace
}  // namespace davit::hydro
