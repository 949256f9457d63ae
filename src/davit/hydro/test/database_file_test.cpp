#include "davit/hydro/database_file.hpp"

#include <cmath>
#include <cstring>
#include <fstream>

#include "davit/hdf5/array.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/test/support.hpp"

namespace davit::hydro {
namespace {

using namespace test;

template <class Matrix>
bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(*a.data())) == 0;
}

template <class Matrix>
bool same_bits(const std::vector<Matrix>& a, const std::vector<Matrix>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i])) return false;
  return true;
}

bool same_bits(const std::optional<MatX>& a, const std::optional<MatX>& b) {
  return a.has_value() == b.has_value() && (!a || same_bits(*a, *b));
}

void expect_same(const Database& a, const Database& b) {
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.density, b.density);
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.depth, b.depth);
  EXPECT_EQ(a.frequencies, b.frequencies);
  EXPECT_EQ(a.headings, b.headings);
  EXPECT_TRUE(same_bits(a.added_mass, b.added_mass));
  EXPECT_TRUE(same_bits(a.damping, b.damping));
  EXPECT_TRUE(same_bits(a.added_mass_zero, b.added_mass_zero));
  EXPECT_TRUE(same_bits(a.added_mass_infinite, b.added_mass_infinite));
  EXPECT_TRUE(same_bits(a.viscous_damping, b.viscous_damping));
  EXPECT_TRUE(same_bits(a.excitation, b.excitation));
  EXPECT_TRUE(same_bits(a.excitation_haskind, b.excitation_haskind));
  EXPECT_TRUE(same_bits(a.froude_krylov, b.froude_krylov));
  EXPECT_TRUE(same_bits(a.drift, b.drift));
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].name, b.bodies[i].name);
    EXPECT_TRUE(same_bits(a.bodies[i].reference, b.bodies[i].reference));
    EXPECT_TRUE(same_bits(a.bodies[i].buoyancy, b.bodies[i].buoyancy));
    EXPECT_TRUE(same_bits(a.bodies[i].restoring, b.bodies[i].restoring));
    ASSERT_EQ(a.bodies[i].loading.has_value(), b.bodies[i].loading.has_value());
    if (!a.bodies[i].loading) continue;
    EXPECT_EQ(a.bodies[i].loading->mass, b.bodies[i].loading->mass);
    EXPECT_TRUE(same_bits(a.bodies[i].loading->centre, b.bodies[i].loading->centre));
    EXPECT_TRUE(same_bits(a.bodies[i].loading->inertia, b.bodies[i].loading->inertia));
  }
}

std::string message_of(const std::filesystem::path& file) {
  try {
    read_database(file);
  } catch (const DatabaseError& error) {
    EXPECT_FALSE(error.remedy.empty());
    return error.what();
  }
  return "no error";
}

TEST(DatabaseFile, ComesBackToTheBit) {
  const davit::test::TempFolder folder;
  Database database = random_database(2);
  database.drift[1](3, 2) = std::nan("");
  database.depth = std::numeric_limits<double>::infinity();
  database.bodies[1].loading.reset();
  database.bodies[1].volume = std::nan("");
  write_database(database, folder / "a.h5");
  expect_same(database, read_database(folder / "a.h5"));
  EXPECT_TRUE(std::isnan(read_database(folder / "a.h5").bodies[1].volume));
}

TEST(DatabaseFile, WhatIsNotThereStaysAway) {
  const davit::test::TempFolder folder;
  Database database = random_database();
  database.notes.clear();
  database.headings.clear();
  for (auto* forces : {&database.excitation, &database.excitation_haskind, &database.froude_krylov}) forces->clear();
  database.drift.clear();
  database.added_mass_zero.reset();
  database.viscous_damping.reset();
  write_database(database, folder / "a.h5");
  expect_same(database, read_database(folder / "a.h5"));
}

TEST(DatabaseFile, SaysWhatIsWrong) {
  const davit::test::TempFolder folder;
  EXPECT_NE(message_of(folder / "none.h5").find("none.h5"), std::string::npos);
  EXPECT_NE(message_of(folder.write("text.h5", "hello")).find("opening"), std::string::npos);

  const auto edit = [&](auto&& change) {
    const auto path = folder / "edited.h5";
    write_database(random_database(), path);
    const hdf5::Handle file{H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "opening"};
    change(file.id());
    return path;
  };
  const auto without_damping = edit([](hid_t file) { H5Ldelete(file, "damping", H5P_DEFAULT); });
  EXPECT_NE(message_of(without_damping).find("damping at 0 frequencies instead of 4"), std::string::npos);
  const auto other_shape = edit([](hid_t file) {
    H5Ldelete(file, "damping", H5P_DEFAULT);
    hdf5::write_array(file, "damping", {4, 6, 5}, std::vector<double>(120), "", "");
  });
  EXPECT_NE(message_of(other_shape).find("dataset 'damping' has the shape [4, 6, 5] and not [4, 6, 6]"),
            std::string::npos);
  const auto newer = edit([](hid_t file) {
    H5Adelete(file, "davit_hydrodynamics");
    hdf5::write_attribute(file, "davit_hydrodynamics", std::uint64_t{99});
  });
  EXPECT_NE(message_of(newer).find("newer davit"), std::string::npos);
  const auto no_body = edit([](hid_t file) { H5Ldelete(file, "bodies/0/restoring", H5P_DEFAULT); });
  EXPECT_NE(message_of(no_body).find("restoring"), std::string::npos);
}

TEST(DatabaseFile, RefusesWhatDoesNotFitTogether) {
  const davit::test::TempFolder folder;
  Database database = random_database();
  database.damping[2](1, 1) = std::nan("");
  try {
    write_database(database, folder / "a.h5");
    FAIL();
  } catch (const DatabaseError& error) {
    EXPECT_NE(std::string(error.what()).find("damping of sway is not a number at 0.9 rad/s"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
  EXPECT_THROW(write_database(random_database(), folder / "no/such/folder/a.h5"), DatabaseError);
}

}  // namespace
}  // namespace davit::hydro
