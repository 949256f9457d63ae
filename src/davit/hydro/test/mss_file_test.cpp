#include "davit/hydro/mss_file.hpp"

#include <gtest/gtest.h>
#include <matio.h>

#include <cmath>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/test/support.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {
namespace {

using namespace test;

matvar_t* numbers(std::vector<size_t> sizes, std::vector<double> values) {
  return Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, static_cast<int>(sizes.size()), sizes.data(), values.data(),
                       0);
}

matvar_t* record(const std::vector<std::pair<const char*, matvar_t*>>& fields, const char* name = nullptr) {
  std::vector<const char*> names;
  for (const auto& [key, value] : fields) names.push_back(key);
  size_t one[2] = {1, 1};
  matvar_t* out = Mat_VarCreateStruct(name, 2, one, names.data(), static_cast<unsigned>(names.size()));
  for (const auto& [key, value] : fields) Mat_VarSetStructFieldByName(out, key, 0, value);
  return out;
}

matvar_t* cells(const std::vector<matvar_t*>& list) {
  size_t sizes[2] = {1, list.size()};
  matvar_t* out = Mat_VarCreate(nullptr, MAT_C_CELL, MAT_T_CELL, 2, sizes, nullptr, 0);
  for (size_t i = 0; i < list.size(); ++i) Mat_VarSetCell(out, static_cast<int>(i), list[i]);
  return out;
}

std::vector<double> values(const Mat6& m) { return {m.data(), m.data() + 36}; }

constexpr double mass = 1000, x_centre = -2, heave = 5e4, w = 0.1;

// One frequency, headings 0 and 90°, two speeds. The forces of a long wave on this vessel, as ShipX has them: about the
// water plane above the centre of gravity, z down and y to starboard, phases in radians of any number of turns.
void write_vessel(const std::filesystem::path& path) {
  Mat6 M = Mat6::Zero(), C = Mat6::Zero(), A = Mat6::Zero(), B = Mat6::Zero();
  M.diagonal() << mass, mass, mass, 3e3, 9e3, 9e3;
  M(1, 5) = M(5, 1) = mass * x_centre;
  M(2, 4) = M(4, 2) = -mass * x_centre;
  C(2, 2) = heave;
  C(2, 4) = C(4, 2) = 5 * heave;  // centre of flotation at x = −5
  C(3, 3) = 2e4;
  C(4, 4) = 3e6;
  A.diagonal().setConstant(500);
  A(1, 3) = A(3, 1) = 7;
  A(1, 5) = A(5, 1) = 11;
  B.diagonal().setConstant(20);
  const auto force = [&](double zero, double ninety) {  // frequencies × headings × speeds; nonsense at the first speed
    return numbers({1, 2, 2}, {-1, -1, zero, ninety});
  };
  matvar_t* amplitudes =
      cells({force(10, 0), force(0, 20), force(heave, heave), force(0, 30), force(3 * heave, 3 * heave), force(0, 40)});
  matvar_t* phases = cells({force(pi / 2, 0), force(0, pi / 2 + 4 * pi), force(pi, -pi), force(0, pi / 2),
                            force(pi, pi), force(0, -pi / 2)});
  matvar_t* drift = cells({force(100, 0), force(0, 200), force(0, 300), force(0, 0), force(0, 0), force(0, 0)});
  matvar_t* vessel = record({{"main", record({{"rho", numbers({1, 1}, {1025})},
                                              {"g", numbers({1, 1}, {9.81})},
                                              {"nabla", numbers({1, 1}, {mass / 1025})},
                                              {"T", numbers({1, 1}, {6})},
                                              {"CB", numbers({1, 3}, {x_centre, 0, 4})}})},
                             {"MRB", numbers({6, 6}, values(M))},
                             {"A", numbers({6, 6, 1}, values(A))},
                             {"B", numbers({6, 6, 1}, values(B))},
                             {"C", numbers({6, 6, 1}, values(C))},
                             {"freqs", numbers({1, 1}, {w})},
                             {"headings", numbers({1, 2}, {0, pi / 2})},
                             {"velocities", numbers({1, 2}, {3, 0})},
                             {"forceRAO", record({{"amp", amplitudes}, {"phase", phases}})},
                             {"driftfrc", record({{"amp", drift}})}},
                            "vessel");
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  ASSERT_TRUE(file);
  Mat_VarWrite(file, vessel, MAT_COMPRESSION_NONE);
  Mat_VarFree(vessel);
  Mat_Close(file);
}

TEST(Mss, TurnsAxesAndMovesForces) {
  const davit::test::TempFolder folder;
  write_vessel(folder / "a.mat");
  const Database d = read_mss(folder / "a.mat");
  // Starboard 90° there is −90° here.
  ASSERT_EQ(d.headings.size(), 2u);
  EXPECT_NEAR(d.headings[0], -pi / 2, 1e-14);
  const double k = sea::wave_number(w, d.depth, 9.81);
  const auto X = [&](int heading, int mode) { return d.excitation[static_cast<size_t>(heading)](mode, 0); };
  // Heave: up with the crest, which for heading 0 reaches the centre of gravity first.
  EXPECT_LT(std::abs(X(0, 2) - heave), 1e-8);
  EXPECT_LT(std::abs(X(1, 2) - heave * std::polar(1.0, -k * x_centre)), 1e-8);
  // Pitch, bow down positive, about the origin: the force acts at x = −5 and lifts the stern.
  EXPECT_LT(std::abs(X(0, 4) - 5 * heave), 1e-8);
  EXPECT_LT(std::abs(X(0, 1) - std::complex<double>(0, -20)), 1e-12);  // to starboard, leads the crest by 90°
  EXPECT_LT(std::abs(X(0, 3) - std::complex<double>(0, 30)), 1e-12);   // roll about x is the same in both axes
  // Yaw turns round; the sway force at x_centre adds its arm: 40 (−i)(−1) + (−2)(−20i).
  EXPECT_LT(std::abs(X(0, 5) - std::complex<double>(0, 40 + 40)), 1e-12);
  EXPECT_EQ(d.added_mass[0](1, 3), -7);
  EXPECT_EQ(d.added_mass[0](1, 5), 11);
  EXPECT_EQ(d.bodies[0].restoring(2, 4), 5 * heave);
  EXPECT_EQ(d.drift[1](0, 0), 100);
  EXPECT_EQ(d.drift[0](1, 0), -200);
  EXPECT_NEAR(d.drift[0](5, 0), -300 + (-2) * (-200), 1e-12);
  EXPECT_TRUE(std::isnan(d.drift[0](2, 0)));
  const FloatingBody& body = d.bodies[0];
  EXPECT_NEAR(body.loading->mass, mass, 1e-12);
  EXPECT_NEAR(body.loading->centre.x(), x_centre, 1e-14);
  EXPECT_NEAR(body.buoyancy.z(), -2, 1e-14);
}

TEST(Mss, SaysWhatIsWrong) {
  const davit::test::TempFolder folder;
  EXPECT_THROW(read_mss(folder.write("text.mat", "MATLAB and nothing more")), DatabaseError);
  mat_t* file = Mat_CreateVer((folder / "empty.mat").c_str(), nullptr, MAT_FT_MAT5);
  matvar_t* vessel = record({{"MRB", numbers({1, 1}, {1})}}, "vessel");
  Mat_VarWrite(file, vessel, MAT_COMPRESSION_NONE);
  Mat_VarFree(vessel);
  Mat_Close(file);
  try {
    read_mss(folder / "empty.mat");
    FAIL();
  } catch (const DatabaseError& error) {
    EXPECT_NE(std::string(error.what()).find("'freqs' is missing"), std::string::npos);
  }
}

// The supply vessel: what long waves must do whatever the convention.
TEST(Mss, SupplyVesselInLongWaves) {
  const auto path = shared("mss-supply/supply.mat");
  SKIP_WITHOUT(path);
  const Database d = read_mss(path);
  const Mat6& C = d.bodies[0].restoring;
  EXPECT_EQ(d.frequencies.size(), 36u);
  EXPECT_EQ(d.headings.size(), 36u);
  EXPECT_NEAR(d.bodies[0].loading->mass, 6362208, 1);
  EXPECT_NEAR(d.bodies[0].loading->centre.z(), 1.3, 1e-3);
  const double k = sea::wave_number(d.frequencies[0], d.depth, d.gravity);
  for (size_t h = 0; h < d.headings.size(); ++h) {
    const double c = std::cos(d.headings[h]), s = std::sin(d.headings[h]);
    const auto X = [&](int mode) { return d.excitation[h](mode, 0); };
    EXPECT_NEAR(std::abs(X(2)) / C(2, 2), 1, 0.025);
    EXPECT_NEAR(std::arg(X(2)), 0, 0.03);
    EXPECT_NEAR(X(4).real() / C(4, 2), 1, 0.03);  // about the same point as restoring
    // Surge and sway lead by a quarter, by heading: mass and added mass times the water's acceleration.
    const double acceleration = d.frequencies[0] * d.frequencies[0];
    EXPECT_NEAR(X(0).imag(), (d.bodies[0].loading->mass) * acceleration * c, 0.02 * std::abs(X(0)) + 1e3);
    EXPECT_NEAR(X(1).imag(), (d.bodies[0].loading->mass + d.added_mass[0](1, 1)) * acceleration * s, 2e3);
    // Roll: restoring by the slope −ik sin β and the arm of that sway force about the water plane.
    if (std::abs(s) > 0.5) EXPECT_LT(X(3).imag() * s, -C(3, 3) * k * s * s);
  }
}

}  // namespace
}  // namespace davit::hydro
