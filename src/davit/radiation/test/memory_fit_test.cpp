#include "davit/radiation/memory_fit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/radiation/memory_kernel.hpp"
#include "davit/radiation/passivity.hpp"
#include "davit/radiation/test/memory_support.hpp"

namespace davit::radiation {
namespace {

using namespace test;
using namespace hydro::test;

// The distance of each pole to the nearest one found, against its size.
double distance(const Poles& known, const Poles& found) {
  double worst = 0;
  for (const auto& p : known) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& q : found) nearest = std::min(nearest, std::abs(q - p) / std::abs(p));
    worst = std::max(worst, nearest);
  }
  return worst;
}

TEST(Realisation, FindsPolesToRoundOff) {
  MatX M(2, 2);
  M << 2, 1, 1, 3;
  MemoryGroup group{{0, 1}, {}, {}};
  add_resonator(group, 0.7, 0.5, M);
  add_resonator(group, 1.3, 0.2, MatX(MatX::Identity(2, 2)));
  group.poles.emplace_back(-0.4, 0);
  group.residues.push_back((M * M).cast<std::complex<double>>());
  const MemoryModel model{{group}, Mat6::Zero()};
  std::vector<MatX> samples;
  for (int n = 0; n < 81; ++n) samples.push_back(model.kernel(0.25 * n).topLeftCorner<2, 2>());
  // Residues have full rank, so every pole is there twice.
  EXPECT_LT(distance(group.poles, Realisation(samples, 0.25).poles(10)), 1e-7);
  // Of rank one, once.
  const Vec2 along(1, -2);
  for (auto& R : group.residues) R = R(0, 0) * (along * along.transpose()).cast<std::complex<double>>();
  const MemoryModel thin{{group}, Mat6::Zero()};
  for (int n = 0; n < 81; ++n) samples[static_cast<size_t>(n)] = thin.kernel(0.25 * n).topLeftCorner<2, 2>();
  const Poles found = Realisation(samples, 0.25).poles(5);
  EXPECT_EQ(found.size(), 3u);
  EXPECT_LT(distance(group.poles, found), 1e-11);
}

TEST(Realisation, AllPolesAreStable) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  std::vector<MatX> samples;
  for (int n = 0; n < 60; ++n) samples.push_back(MatX::Constant(1, 1, normal(engine) * std::exp(0.02 * n)));
  const Realisation realisation(samples, 0.5);
  for (int order = 1; order <= 20; ++order)
    for (const auto& p : realisation.poles(order)) {
      EXPECT_LE(p.real(), -1 / (59 * 0.5) * (1 - 1e-12));
      EXPECT_GE(p.imag(), 0);
    }
}

TEST(MemoryKernel, IsThatOfTheDatabase) {
  const MemoryModel model = known_memory();
  hydro::Database database = database_of(model, 12, 0.04);
  for (MatX& B : database.damping) {
    B(2, 4) *= 1.02;  // not quite symmetric, as panel programs have it
    B(4, 2) *= 0.98;
    B(2, 3) = 1e-5 * B(2, 2);  // noise where symmetry asks for nothing
  }
  const MemoryKernel kernel = memory_kernel(database, 0);
  const std::vector<std::vector<int>> groups{{0, 2, 4}, {1, 3, 5}};
  EXPECT_EQ(kernel.groups, groups);
  EXPECT_TRUE(kernel.infinite == known_infinite());
  EXPECT_GT(kernel.length(), 10);
  EXPECT_LT(kernel.length(), 30);
  const Vec6 inverse = kernel.size.cwiseInverse();
  for (size_t n = 0; n < kernel.values.size(); ++n) {
    const Mat6& K = kernel.values[n];
    EXPECT_TRUE(K == K.transpose());
    EXPECT_EQ(K(2, 3), 0);
    EXPECT_EQ(K(0, 1), 0);
    // The first instants are those of the continuation.
    const Mat6 apart =
        inverse.asDiagonal() * (K - model.kernel(static_cast<double>(n) * kernel.step)) * inverse.asDiagonal();
    EXPECT_LT(apart.cwiseAbs().maxCoeff(), n < 3 ? 0.02 : 2e-3) << n;
  }
  EXPECT_TRUE(kernel.at(0.25 * kernel.step) == Mat6(0.75 * kernel.values[0] + 0.25 * kernel.values[1]));
  EXPECT_TRUE(kernel.at(kernel.length() + 1) == Mat6::Zero());
}

TEST(MemoryKernel, TakesTheLimitOfAddedMassFromTheRest) {
  hydro::Database database = database_of(known_memory(), 12, 0.04);
  database.added_mass_infinite.reset();
  const MemoryKernel kernel = memory_kernel(database, 0);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(kernel.infinite(i, i) / known_infinite()(i, i), 1, 2e-3) << i;
}

TEST(MemoryKernel, RefusesSeveralBodies) {
  try {
    memory_kernel(random_database(2), 0);
    FAIL();
  } catch (const hydro::DatabaseError& error) {
    EXPECT_NE(std::string(error.what()).find("2 bodies"), std::string::npos);
  }
  EXPECT_THROW(memory_kernel(random_database(1), 0), hydro::DatabaseError);  // four frequencies
}

TEST(MemoryFit, FindsAKnownMemory) {
  const MemoryModel model = known_memory();
  const MemoryFit fit = fit_memory(database_of(model, 12, 0.04), 0);
  EXPECT_LT(fit.kernel_error, 0.01);
  EXPECT_LT(fit.damping_error, 0.01);
  EXPECT_LT(fit.added_mass_error, 0.01);
  EXPECT_EQ(fit.direct_share, 0);
  EXPECT_GE(least_damping(fit.model), -1e-14);
  ASSERT_EQ(fit.model.groups.size(), 2u);
  EXPECT_EQ(fit.poles, 8);
  for (size_t g = 0; g < 2; ++g) EXPECT_LT(distance(model.groups[g].poles, fit.model.groups[g].poles), 5e-3);
  for (const MemoryGroup& group : fit.model.groups)
    for (size_t k = 0; k < group.poles.size(); ++k) {
      EXPECT_LT(group.poles[k].real(), 0);
      EXPECT_LT((group.residues[k] - group.residues[k].transpose()).norm(), 1e-12 * group.residues[k].norm());
    }
  // A hull that moves on steadily radiates nothing.
  const Vec6 size = model.transfer(0.9).real().diagonal().cwiseSqrt().cwiseInverse();
  EXPECT_LT((size.asDiagonal() * fit.model.transfer(0).real() * size.asDiagonal()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(MemoryFit, NoiseIsFittedPassively) {
  const MemoryModel model = known_memory();
  const MemoryFit fit = fit_memory(database_of(model, 6, 0.05, 0.02), 0, 0.02);
  EXPECT_GE(least_damping(fit.model), -1e-14);
  EXPECT_EQ(fit.direct_share, 0);
  // Noise of two per cent is up to eight at one of 120 frequencies; what was behind it is nearer.
  EXPECT_LT(fit.damping_error, 0.1);
  Vec6 size = Vec6::Zero();
  for (double w = 0.1; w < 3; w += 0.01) size = size.cwiseMax(model.transfer(w).real().diagonal());
  const Vec6 inverse = size.cwiseSqrt().cwiseInverse();
  for (double w = 0.1; w < 3; w += 0.05) {
    const Mat6 apart = inverse.asDiagonal() * (fit.model.transfer(w) - model.transfer(w)).real() * inverse.asDiagonal();
    EXPECT_LT(apart.cwiseAbs().maxCoeff(), 0.04) << w;
  }
}

// Numbers without sense are fitted badly, but passively, and said to be.
TEST(MemoryFit, NonsenseStaysPassive) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    hydro::Database database = random_database(1, seed);
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    database.frequencies.clear();
    database.damping.clear();
    database.added_mass.clear();
    for (int f = 1; f <= 8; ++f) {
      database.frequencies.push_back(0.25 * f);
      for (auto* list : {&database.damping, &database.added_mass})
        list->push_back(MatX::NullaryExpr(6, 6, [&] { return normal(engine); }));
    }
    const MemoryFit fit = fit_memory(database, 0);
    EXPECT_GE(least_damping(fit.model), -1e-9) << seed;
    EXPECT_TRUE(std::any_of(fit.notes.begin(), fit.notes.end(),
                            [](const std::string& note) { return note.find("inspect it") != std::string::npos; }));
    // It does not look for what cannot be: the least error that damping leaves is known beforehand, and met.
    const auto told = std::find_if(fit.notes.begin(), fit.notes.end(), [](const std::string& note) {
      return note.find("the damping gives energy") != std::string::npos;
    });
    ASSERT_NE(told, fit.notes.end());
    const size_t number = told->find("to it than ") + 11;
    const double least = std::stod(told->substr(number)) / 100;
    EXPECT_GT(least, 0.1);
    EXPECT_GE(fit.damping_error, 0.99 * least);
    EXPECT_LE(fit.poles, 4);
  }
}

TEST(MemoryFit, WithoutWavesThereIsNoMemory) {
  hydro::Database database = database_of(known_memory(), 5, 0.1);
  for (MatX& B : database.damping) B.setZero();
  const MemoryFit fit = fit_memory(database, 0);
  EXPECT_EQ(fit.model.states(), 0);
  EXPECT_TRUE(fit.infinite == known_infinite());
}

TEST(Passivity, CorrectsAsLittleAsNeeded) {
  // Two motions, three resonators, one of which gives energy.
  MemoryGroup group{{0, 1}, {}, {}};
  MatX M(2, 2);
  M << 1, 0.9, 0.9, 1;
  add_resonator(group, 0.6, 0.3, M);
  add_resonator(group, 1.0, 0.4, MatX::Identity(2, 2));
  add_resonator(group, 2.5, 0.2, -0.5 * M);
  const PoleBasis basis(group.poles);
  MatX frame = Eigen::HouseholderQR<MatX>(basis.transfer(0).real().transpose()).householderQ() * MatX::Identity(6, 6);
  Combination combination{basis, frame.rightCols(5), {}};
  // Coefficients x = Re R, y = −Im R, as values in the frame.
  std::vector<MatX> wanted;
  for (const auto& R : group.residues) {
    wanted.push_back(R.real());
    wanted.push_back(-R.imag());
  }
  for (Eigen::Index l = 0; l < 5; ++l) {
    MatX Y = MatX::Zero(2, 2);
    for (Eigen::Index c = 0; c < 6; ++c) Y += combination.to_coefficients(c, l) * wanted[static_cast<size_t>(c)];
    combination.values.push_back(Y);
  }
  EXPECT_GT(missing_damping(basis, combination.coefficients()), 0.05);
  ASSERT_TRUE(make_passive(combination));
  EXPECT_EQ(missing_damping(basis, combination.coefficients()), 0);
  const std::vector<MatX> passive = combination.coefficients();
  const MemoryModel model{{{{0, 1}, group.poles, basis.residues(passive)}}, Mat6::Zero()};
  for (double w = 1e-5; w < 1e4; w *= 1.001) {
    const auto eigenvalues =
        Eigen::SelfAdjointEigenSolver<MatX>(MatX(model.transfer(w).real().topLeftCorner<2, 2>())).eigenvalues();
    EXPECT_GT(eigenvalues[0], 0) << w;
  }
  // To leave out the bad resonator is one way to make it passive; the least change is smaller.
  double change = 0, left_out = 0;
  for (size_t c = 0; c < 6; ++c) {
    change += (passive[c] - wanted[c]).squaredNorm();
    if (c >= 4) left_out += wanted[c].squaredNorm();
  }
  EXPECT_LT(change, 0.9 * left_out);
  // What is passive stays as it is.
  const std::vector<MatX> before = combination.values;
  ASSERT_TRUE(make_passive(combination));
  for (size_t l = 0; l < before.size(); ++l) EXPECT_TRUE(before[l] == combination.values[l]);
}

TEST(MemoryFit, SupplyVessel) {
  const auto path = shared("mss-supply/supply.mat");
  SKIP_WITHOUT(path);
  const MemoryFit fit = fit_memory(hydro::open_database(path), 0);
  EXPECT_LT(fit.kernel_error, 0.01);
  EXPECT_LT(fit.damping_error, 0.02);
  EXPECT_GE(least_damping(fit.model), -1e-14);
}

TEST(MemoryFit, Tanker) {
  const auto path = shared("mss-tanker/tanker.1");
  SKIP_WITHOUT(path);
  hydro::Database database = hydro::open_database(path);
  cut_frequencies(database, 2.2);  // beyond, waves are shorter than panels
  const MemoryFit fit = fit_memory(database, 0);
  EXPECT_LT(fit.kernel_error, 0.01);
  EXPECT_LT(fit.damping_error, 0.02);
  EXPECT_LT(fit.added_mass_error, 0.01);
  EXPECT_GE(least_damping(fit.model), -1e-14);
}

}  // namespace
}  // namespace davit::radiation
