#include "davit/hydro/capytaine_file.hpp"

#include <gtest/gtest.h>
#include <netcdf.h>

#include <cmath>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/test/support.hpp"

namespace davit::hydro {
namespace {

using namespace test;

// Writes a dataset as xarray does; the order of dimensions is not that of the shared file.
class Dataset {
 public:
  explicit Dataset(const std::filesystem::path& path) { EXPECT_EQ(nc_create(path.c_str(), NC_CLOBBER, &id_), 0); }
  int dimension(const char* name, size_t size) {
    int id = 0;
    EXPECT_EQ(nc_def_dim(id_, name, size, &id), 0);
    return id;
  }
  void numbers(const char* name, const std::vector<int>& dimensions, const std::vector<double>& values) {
    int id = 0;
    nc_redef(id_);
    EXPECT_EQ(nc_def_var(id_, name, NC_DOUBLE, static_cast<int>(dimensions.size()), dimensions.data(), &id), 0);
    nc_enddef(id_);
    EXPECT_EQ(nc_put_var_double(id_, id, values.data()), 0);
  }
  void text(const char* name, const std::vector<int>& dimensions, const std::string& value) {
    int id = 0;
    nc_redef(id_);
    EXPECT_EQ(nc_def_var(id_, name, NC_CHAR, static_cast<int>(dimensions.size()), dimensions.data(), &id), 0);
    nc_enddef(id_);
    EXPECT_EQ(nc_put_var_text(id_, id, value.data()), 0);
  }
  ~Dataset() { nc_close(id_); }

 private:
  int id_ = -1;
};

void write_small(const std::filesystem::path& path, bool with_imaginary_first = false) {
  Dataset d(path);
  const int w = d.dimension("omega", 4), r = d.dimension("radiating_dof", 2), i = d.dimension("influenced_dof", 2),
            b = d.dimension("wave_direction", 1), c = d.dimension("complex", 2), n = d.dimension("string5", 5),
            s = d.dimension("string2", 2), x = d.dimension("xyz", 3);
  d.numbers("omega", {w}, {0, 1.0, 2.0, std::numeric_limits<double>::infinity()});
  d.numbers("rho", {}, {1025});
  d.numbers("g", {}, {9.81});
  d.numbers("water_depth", {}, {std::numeric_limits<double>::infinity()});
  d.numbers("wave_direction", {b}, {0.5});
  d.text("influenced_dof", {i, n}, std::string("HeavePitch"));
  d.text("radiating_dof", {r, n}, std::string("PitchHeave"));
  d.text("complex", {c, s}, with_imaginary_first ? "imre" : "reim");
  // [influenced, omega, radiating]
  d.numbers("added_mass", {i, w, r}, {12, 10, 22, 20, 32, 30, 42, 40, 14, 13, 24, 23, 34, 33, 44, 43});
  d.numbers("radiation_damping", {i, w, r}, {0, 0, 2, 1, 4, 3, 0, 0, 0, 0, 6, 5, 8, 7, 0, 0});
  // [complex, omega, wave_direction, influenced]
  const std::vector<double> first{0, 0, 1, 2, 3, 4, 0, 0}, second{0, 0, 5, 6, 7, 8, 0, 0};
  std::vector<double> both = first;
  both.insert(both.end(), second.begin(), second.end());
  d.numbers("diffraction_force", {c, w, b, i}, both);
  d.numbers("Froude_Krylov_force", {c, w, b, i}, both);
  d.numbers("hydrostatic_stiffness", {i, r}, {-5, 70, 400, -5});
  d.numbers("inertia_matrix", {i, r}, {0, 60, 600, 0});
  d.numbers("rotation_center", {x}, {1, 0, -2});
}

TEST(Capytaine, ReadsDimensionsInAnyOrder) {
  const davit::test::TempFolder folder;
  write_small(folder / "a.nc");
  const Database d = read_capytaine(folder / "a.nc");
  EXPECT_EQ(d.frequencies, (std::vector<double>{1, 2}));
  EXPECT_EQ(d.headings, std::vector<double>{0.5});
  EXPECT_EQ(d.density, 1025);
  EXPECT_TRUE(std::isinf(d.depth));
  EXPECT_EQ(d.added_mass[0](2, 2), 20);
  EXPECT_EQ(d.added_mass[0](2, 4), 22);  // heave force of pitching
  EXPECT_EQ(d.added_mass[0](4, 2), 23);
  EXPECT_EQ(d.damping[1](4, 4), 8);
  EXPECT_EQ((*d.added_mass_zero)(2, 2), 10);
  EXPECT_EQ((*d.added_mass_infinite)(4, 4), 44);
  EXPECT_EQ(d.froude_krylov[0](2, 0), std::complex<double>(1, -5));  // exp(−iωt) there
  EXPECT_EQ(d.excitation[0](4, 1), std::complex<double>(8, -16));
  EXPECT_EQ(d.bodies[0].restoring(2, 2), 70);
  EXPECT_EQ(d.bodies[0].restoring(4, 4), 400);
  EXPECT_EQ(d.bodies[0].reference, Vec3(1, 0, -2));
  write_small(folder / "b.nc", true);
  EXPECT_EQ(read_capytaine(folder / "b.nc").froude_krylov[0](2, 0), std::complex<double>(5, -1));
  ReadOptions options;
  options.about = Vec3(0, 0, 1);
  EXPECT_EQ(read_capytaine(folder / "a.nc", options).bodies[0].reference, Vec3(0, 0, 1));
}

// Two bodies by the names of their motions, a frequency that was not solved, and a motion that is no rigid one.
TEST(Capytaine, SeveralBodiesAndFailures) {
  const davit::test::TempFolder folder;
  {
    Dataset d(folder / "two.nc");
    const int w = d.dimension("omega", 2), r = d.dimension("radiating_dof", 3), i = d.dimension("influenced_dof", 3),
              n = d.dimension("string7", 7);
    d.numbers("omega", {w}, {1.0, 2.0});
    d.numbers("rho", {}, {1025});
    d.numbers("g", {}, {9.81});
    d.text("influenced_dof", {i, n}, std::string("A__SwayB__SwayB__Bend"));
    d.text("radiating_dof", {r, n}, std::string("A__SwayB__SwayB__Bend"));
    const double bad = std::nan("");
    d.numbers("added_mass", {w, r, i}, {bad, 1, 1, 1, 1, 1, 1, 1, 1, 10, 12, 9, 21, 20, 9, 9, 9, 9});
    d.numbers("radiation_damping", {w, r, i}, std::vector<double>(18, 1.0));
  }
  const Database d = read_capytaine(folder / "two.nc");
  ASSERT_EQ(d.bodies.size(), 2u);
  EXPECT_EQ(d.bodies[1].name, "B");
  EXPECT_EQ(d.frequencies, std::vector<double>{2});
  EXPECT_EQ(d.added_mass[0](1, 1), 10);
  EXPECT_EQ(d.added_mass[0](7, 1), 12);  // force on B by the motion of A
  EXPECT_EQ(d.added_mass[0](1, 7), 21);
  std::string notes;
  for (const std::string& note : d.notes) notes += note + "\n";
  EXPECT_NE(notes.find("no solution at 1 rad/s"), std::string::npos) << notes;
  EXPECT_NE(notes.find("'B__Bend' is no rigid one"), std::string::npos);
}

TEST(Capytaine, SaysWhatIsWrong) {
  const davit::test::TempFolder folder;
  folder.write("text.nc", "CDF\001 and nothing more");
  EXPECT_THROW(read_capytaine(folder / "text.nc"), DatabaseError);
  {
    Dataset d(folder / "half.nc");
    const int w = d.dimension("omega", 1);
    d.numbers("omega", {w}, {1});
    d.numbers("g", {}, {9.81});
  }
  try {
    read_capytaine(folder / "half.nc");
    FAIL();
  } catch (const DatabaseError& error) {
    EXPECT_NE(std::string(error.what()).find("'rho'"), std::string::npos);
  }
}

}  // namespace
}  // namespace davit::hydro
