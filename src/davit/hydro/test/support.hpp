// What the tests of this module share: a database of random numbers that obeys the promises of database.hpp, and the
// data of others where it is at hand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database.hpp"
#include "davit/test/source_tree.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::hydro::test {

inline Database random_database(int bodies = 1, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  const auto real = [&](Eigen::Index rows, Eigen::Index columns) {
    return MatX(MatX::NullaryExpr(rows, columns, [&] { return normal(engine); }));
  };
  Database database;
  database.title = "random";
  database.source = "test";
  database.notes = {"one", "", "three\nlines"};
  database.density = 1024.7;
  database.gravity = 9.81;
  database.depth = 73;
  for (int b = 0; b < bodies; ++b) {
    FloatingBody body;
    body.name = "body " + std::to_string(b + 1);
    body.reference = real(3, 1);
    body.volume = 100;
    body.buoyancy = real(3, 1);
    body.loading = MassProperties{100 * database.density, real(3, 1), Mat3(Vec3(3e4, 4e4, 5e4).asDiagonal())};
    body.restoring = real(6, 6);
    database.bodies.push_back(body);
  }
  const int n = database.modes();
  database.frequencies = {0.3, 0.5, 0.9, 1.7};
  database.headings = {-2.0, 0.0, 0.7};
  const auto count = static_cast<Eigen::Index>(database.frequencies.size());
  for (size_t f = 0; f < database.frequencies.size(); ++f) {
    database.added_mass.push_back(real(n, n));
    database.damping.push_back(real(n, n));
  }
  database.added_mass_zero = real(n, n);
  database.added_mass_infinite = real(n, n);
  database.viscous_damping = real(n, n);
  for (size_t h = 0; h < database.headings.size(); ++h) {
    const auto complex = [&] { return MatXc(real(n, count) + std::complex<double>(0, 1) * real(n, count)); };
    database.excitation.push_back(complex());
    database.excitation_haskind.push_back(complex());
    database.froude_krylov.push_back(complex());
    database.drift.push_back(real(n, count));
  }
  return database;
}

// The largest difference of two lists of matrices relative to the largest number in the first.
template <class Matrix>
double difference(const std::vector<Matrix>& a, const std::vector<Matrix>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0, apart = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].rows() != b[i].rows() || a[i].cols() != b[i].cols()) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, a[i].cwiseAbs().maxCoeff());
    apart = std::max(apart, (a[i] - b[i]).cwiseAbs().maxCoeff());
  }
  return largest > 0 ? apart / largest : apart;
}

inline std::filesystem::path shared(const std::string& name) {
  const char* folder = std::getenv("DAVIT_SHARED");
  return std::filesystem::path(folder ? folder : in_source("../shared/data")) / name;
}

}  // namespace davit::hydro::test

// The data of others is not part of the project.
#define SKIP_WITHOUT(path)                            \
  if (!std::filesystem::exists(path))                 \
  GTEST_SKIP() << (path).string() << " is not here; " \
               << "set DAVIT_SHARED to the folder of shared data to run this test"
