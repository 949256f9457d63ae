#include "davit/hydro/open_database.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "davit/hdf5/handle.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/test/support.hpp"
#include "davit/hydro/text_file.hpp"
#include "davit/hydro/wamit_files.hpp"

namespace davit::hydro {
namespace {

using namespace test;

TEST(OpenDatabase, TellsFormatsApart) {
  const davit::test::TempFolder folder;
  const Database given = random_database();
  write_database(given, folder / "a.h5");
  std::filesystem::copy(folder / "a.h5", folder / "without_ending");
  EXPECT_EQ(open_database(folder / "a.h5").frequencies, given.frequencies);
  EXPECT_EQ(open_database(folder / "without_ending").frequencies, given.frequencies);
  write_wamit(given, folder / "run");
  for (const char* name : {"run", "run.1", "run.3", "run.hst"})
    EXPECT_EQ(open_database(folder / name).source, "WAMIT, run.*") << name;
}

TEST(OpenDatabase, SaysWhatItCannotOpen) {
  const davit::test::TempFolder folder;
  const auto message = [&](const std::filesystem::path& path, const ReadOptions& options = {}) -> std::string {
    try {
      open_database(path, options);
    } catch (const DatabaseError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message(folder / "none").find("there is no such file"), std::string::npos);
  EXPECT_NE(message(folder.path()).find("without Nemoh.cal"), std::string::npos);
  EXPECT_NE(message(folder.write("a.txt", "hello")).find("no file of hydrodynamics"), std::string::npos);
  write_database(random_database(), folder / "a.h5");
  ReadOptions options;
  options.density = 1000;
  EXPECT_NE(message(folder / "a.h5", options).find("the file says it itself"), std::string::npos);
}

std::string message_of_opening(const std::filesystem::path& path) {
  try {
    open_database(path);
  } catch (const DatabaseError& error) {
    EXPECT_FALSE(error.remedy.empty());
    return error.what();
  }
  return "";
}

// HDF5 writes all values of an attribute wherever it is told to.
TEST(OpenDatabase, AnAttributeOfManyNumbersIsRefused) {
  const davit::test::TempFolder folder;
  const auto path = folder / "a.h5";
  write_database(random_database(), path);
  {
    const hdf5::Handle file{H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "opening"};
    H5Adelete(file.id(), "density");
    const hdf5::Handle space = hdf5::vector_space(5000, 5000);
    const hdf5::Handle attribute{
        H5Acreate2(file.id(), "density", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "making"};
    const std::vector<double> values(5000, 1e9);
    H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, values.data());
  }
  EXPECT_NE(message_of_opening(path).find("attribute 'density' is not one number"), std::string::npos);
  EXPECT_THROW(read_database(path), DatabaseError);
}

// Whatever HDF5 does with it: a database or a message.
TEST(OpenDatabase, DamagedBytesAreNoCrash) {
  const davit::test::TempFolder folder;
  write_database(random_database(), folder / "whole.h5");
  const std::string whole = *text_of(folder / "whole.h5");
  std::mt19937 engine(7);
  int refused = 0;
  constexpr int tries = 60;
  for (int i = 0; i < tries; ++i) {
    std::string damaged = whole;
    for (int k = 0; k < 8; ++k) damaged[engine() % damaged.size()] = static_cast<char>(engine());
    refused += !message_of_opening(folder.write("damaged.h5", damaged)).empty();
  }
  EXPECT_GT(refused, tries / 4);
}

// One sphere, three programs with different meshes: they agree to about two per cent of the largest value, below the
// first irregular frequency of heave, which a sphere afloat to its middle has at k R = 2.56, 2.24 rad/s here, and which
// NEMOH does not remove.
TEST(OpenDatabase, SphereByThreePrograms) {
  SKIP_WITHOUT(shared("oes-sphere/wamit_sphere.1"));
  ReadOptions fresh_water, about;
  fresh_water.density = 1000;
  about.about = Vec3(0, 0, -2);
  const Database wamit = open_database(shared("oes-sphere/wamit_sphere"), fresh_water);
  const Database nemoh = open_database(shared("oes-sphere/nemoh"));
  const Database capytaine = open_database(shared("oes-sphere/capytaine_sphere.nc"), about);
  EXPECT_EQ(wamit.bodies[0].reference, Vec3(0, 0, -2));
  EXPECT_EQ(nemoh.bodies[0].reference, Vec3(0, 0, -2));
  EXPECT_EQ(wamit.depth, 50);
  const auto find = [](const Database& d, double w) {
    const auto at = std::min_element(d.frequencies.begin(), d.frequencies.end(),
                                     [&](double a, double b) { return std::abs(a - w) < std::abs(b - w); });
    return static_cast<size_t>(at - d.frequencies.begin());
  };
  // Of the largest of each mode over frequency.
  double added_mass = 0, damping = 0, force = 0;
  for (const int mode : {0, 2, 4}) {
    double A = 0, B = 0, X = wamit.excitation[0].row(mode).cwiseAbs().maxCoeff();
    for (size_t f = 0; f < wamit.frequencies.size(); ++f) {
      A = std::max(A, wamit.added_mass[f](mode, mode));
      B = std::max(B, wamit.damping[f](mode, mode));
    }
    for (double w = 0.2; w < 2.01; w += 0.1)
      for (const Database* other : {&nemoh, &capytaine}) {
        const size_t a = find(wamit, w), b = find(*other, w);
        ASSERT_NEAR(wamit.frequencies[a], w, 1e-4);
        ASSERT_NEAR(other->frequencies[b], w, 1e-4);
        added_mass =
            std::max(added_mass, std::abs(other->added_mass[b](mode, mode) - wamit.added_mass[a](mode, mode)) / A);
        damping = std::max(damping, std::abs(other->damping[b](mode, mode) - wamit.damping[a](mode, mode)) / B);
        force = std::max(force, std::abs(other->excitation[0](mode, static_cast<Eigen::Index>(b)) -
                                         wamit.excitation[0](mode, static_cast<Eigen::Index>(a))) /
                                    X);
      }
  }
  EXPECT_LT(added_mass, 0.02);
  EXPECT_LT(damping, 0.025);
  EXPECT_LT(force, 0.015);
  std::printf("sphere by three programs: added mass %.4f, damping %.4f, force %.4f\n", added_mass, damping, force);
  const Mat6& C = wamit.bodies[0].restoring;
  EXPECT_LT((C - nemoh.bodies[0].restoring).norm(), 2e-3 * C.norm());
  EXPECT_LT((C - capytaine.bodies[0].restoring).norm(), 2e-3 * C.norm());
}

}  // namespace
}  // namespace davit::hydro
