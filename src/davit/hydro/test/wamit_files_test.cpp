#include "davit/hydro/wamit_files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/test/support.hpp"
#include "davit/hydro/tidy.hpp"
#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

using namespace test;

// ULEN 2, so that every power of it shows.
Texts small_wamit_run() {
  return {
      {".gdf", "a hull\n2.0 9.81 ULEN GRAV\n0 0\n0\n"},
      {".pot",
       "title\n30.0 HBOT\n1 1\n3 NPER\n-1 0 10.0\n2 NBETA\n0 90\n1 NBODY\nhull.gdf\n1 2 -3 0 XBODY\n1 1 1 1 1 1\n"},
      {".frc",
       "title\n1 0 1 0 0 0 0 1 0\n1000\n0 0 0.5\n1\n"
       "8e3 0 0 0 4e3 0\n0 8e3 0 -4e3 0 0\n0 0 8e3 0 0 0\n0 -4e3 0 1e4 0 0\n4e3 0 0 0 1e4 0\n0 0 0 0 0 "
       "9e3\n0\n0\n0\n0\n"},
      {".1",
       " WAMIT Numeric Output -- Filename hull.1\n -0.1E+01 3 3 0.7\n 0.0E+00 3 3 0.5\n"
       " 0.1E+02 3 3 0.6 0.2\n 0.1E+02 3 5 -0.25 0.125\n 0.1E+02 5 3 -0.25 0.125\n 0.1E+02 5 5 2.0 1.0\n"},
      {".3", " 0.1E+02 0.0 3 0.5 90.0 0.0 0.5\n 0.1E+02 0.0 5 2.0 0.0 2.0 0.0\n 0.1E+02 90.0 3 1.0 180.0 -1.0 0.0\n"},
      {".hst", " 3 3 1.5\n 3 5 -0.5\n 5 3 -0.5\n 5 5 3.0\n"},
      {".8",
       " 0.1E+02 0.0 0.0 1 0.25 180.0 -0.25 0.0\n 0.1E+02 0.0 0.0 6 0.5 0.0 0.5 0.0\n"
       " 0.1E+02 0.0 90.0 1 9 9 9 9\n 0.1E+02 90.0 90.0 2 1 0 1 0\n"}};
}

std::string message_of_wamit_run(const Texts& files) {
  try {
    parse_wamit("run", files);
  } catch (const DatabaseError& error) {
    EXPECT_FALSE(error.remedy.empty());
    return error.what();
  }
  return "no error";
}

TEST(Wamit, GivesDimensionsBack) {
  const Database d = parse_wamit("run", small_wamit_run());
  const double rho = 1000, g = 9.81, L = 2, w = 2 * pi / 10;
  EXPECT_EQ(d.density, rho);
  EXPECT_EQ(d.gravity, g);
  EXPECT_EQ(d.depth, 30);
  EXPECT_EQ(d.title, "a hull");
  ASSERT_EQ(d.frequencies.size(), 1u);
  EXPECT_DOUBLE_EQ(d.frequencies[0], w);
  EXPECT_DOUBLE_EQ(d.added_mass[0](2, 2), 0.6 * rho * std::pow(L, 3));
  EXPECT_DOUBLE_EQ(d.added_mass[0](2, 4), -0.25 * rho * std::pow(L, 4));
  EXPECT_DOUBLE_EQ(d.added_mass[0](4, 4), 2.0 * rho * std::pow(L, 5));
  EXPECT_DOUBLE_EQ(d.damping[0](4, 4), 1.0 * rho * std::pow(L, 5) * w);
  EXPECT_EQ(d.added_mass[0](0, 0), 0);
  EXPECT_DOUBLE_EQ((*d.added_mass_zero)(2, 2), 0.7 * rho * 8);      // period −1
  EXPECT_DOUBLE_EQ((*d.added_mass_infinite)(2, 2), 0.5 * rho * 8);  // period 0
  ASSERT_EQ(d.headings.size(), 2u);
  EXPECT_DOUBLE_EQ(d.headings[1], pi / 2);
  EXPECT_EQ(d.excitation[0](2, 0), std::complex<double>(0, 0.5 * rho * g * 4));
  EXPECT_EQ(d.excitation[0](4, 0), std::complex<double>(2 * rho * g * 8, 0));
  EXPECT_EQ(d.excitation[1](4, 0), std::complex<double>(0, 0));  // not listed: zero by symmetry
  const FloatingBody& body = d.bodies[0];
  EXPECT_DOUBLE_EQ(body.restoring(2, 2), 1.5 * rho * g * 4);
  EXPECT_DOUBLE_EQ(body.restoring(2, 4), -0.5 * rho * g * 8);
  EXPECT_DOUBLE_EQ(body.restoring(4, 4), 3.0 * rho * g * 16);
  EXPECT_EQ(body.reference, Vec3(1, 2, -3));
  ASSERT_TRUE(body.loading);
  EXPECT_DOUBLE_EQ(body.loading->mass, 8e3);
  EXPECT_LT((body.loading->centre - Vec3(1, 2, -2.5)).norm(), 1e-14);
  EXPECT_DOUBLE_EQ(body.loading->inertia(0, 0), 1e4 - 8e3 * 0.25);
  EXPECT_DOUBLE_EQ(d.drift[0](0, 0), -0.25 * rho * g * 2);
  EXPECT_DOUBLE_EQ(d.drift[0](5, 0), 0.5 * rho * g * 4);
  EXPECT_TRUE(std::isnan(d.drift[0](1, 0)));
}

TEST(Wamit, FrequenciesInsteadOfPeriods) {
  Texts files = small_wamit_run();
  files[".cfg"] = "! comment IPERIN=1\n ISOR=1\n iperin = 2 ! input\n";
  files.erase(".3");
  files.erase(".8");
  const Database d = parse_wamit("run", files);
  EXPECT_EQ(d.frequencies, std::vector<double>{10});
  EXPECT_DOUBLE_EQ((*d.added_mass_zero)(2, 2), 0.5 * 8e3);  // frequency 0
  EXPECT_DOUBLE_EQ((*d.added_mass_infinite)(2, 2), 0.7 * 8e3);
  files[".cfg"] = "IPERIN=2\nIPERIO=1\n";
  EXPECT_DOUBLE_EQ(parse_wamit("run", files).frequencies[0], 2 * pi / 10);
  files[".cfg"] = "IPERIO=3\n";
  EXPECT_NE(message_of_wamit_run(files).find("run.cfg, line 1"), std::string::npos);
}

TEST(Wamit, OldInputFormsAndMissingInputs) {
  Texts files = small_wamit_run();
  files[".pot"] = "title\n1\n3\n-1 0 0 -2 90\n0 1 0\n1 1\n";  // version 5
  Database d = parse_wamit("run", files);
  EXPECT_TRUE(std::isinf(d.depth));
  EXPECT_EQ(d.bodies[0].reference, Vec3(0, 0, -2));
  files[".pot"] = "title\n40 0 0 -1 0\n1 1\n1 1 1 1 1 1\n";                      // version 6, form 1
  files[".frc"] = "title\n1 0 1 0 0 0 0 0 0\n0.5\n1 0 0\n0 1 0\n0 0 1\n0\n0\n";  // form 1
  d = parse_wamit("run", files);
  EXPECT_EQ(d.depth, 40);
  EXPECT_FALSE(d.bodies[0].loading);
  for (const char* ending : {".pot", ".frc", ".gdf"}) files.erase(ending);
  ReadOptions options;
  options.density = 999;
  options.gravity = 9.8;
  options.depth = 12;
  d = parse_wamit("run", files, options);
  EXPECT_EQ(d.density, 999);
  EXPECT_EQ(d.depth, 12);
  EXPECT_DOUBLE_EQ(d.bodies[0].restoring(2, 2), 1.5 * 999 * 9.8);
  EXPECT_EQ(parse_wamit("run", files).density, 1025);
  EXPECT_FALSE(parse_wamit("run", files).notes.empty());
}

// Told in axes that are turned by a quarter, a surge force is a sway force in the frame.
TEST(Wamit, YawedBody) {
  Texts files = small_wamit_run();
  files[".pot"] = "title\n40 0 0 -1 90\n1 1\n1 1 1 1 1 1\n";
  files[".1"] = " 10 1 1 0.5 0.25\n 10 2 2 0.75 0.5\n";
  files[".3"] = " 10 0 1 1 0 1 0\n";
  files.erase(".8");
  const Database d = parse_wamit("run", files);
  EXPECT_NEAR(d.added_mass[0](1, 1), 0.5 * 8e3, 1e-9);
  EXPECT_NEAR(d.added_mass[0](0, 0), 0.75 * 8e3, 1e-9);
  EXPECT_NEAR(d.excitation[0](1, 0).real(), 1000 * 9.81 * 4, 1e-9);
}

// Form 2 may add damping and stiffness to the flow, with or without a mass matrix before them.
TEST(Wamit, ExternalDampingIsKeptAndStiffnessIsNamed) {
  Texts files = small_wamit_run();
  const auto matrix = [](int i, double value) {
    Mat6 out = Mat6::Zero();
    out(i, i) = value;
    std::string text;
    for (int row = 0; row < 6; ++row) {
      for (int column = 0; column < 6; ++column) text += fmt::format("{} ", out(row, column));
      text += '\n';
    }
    return text;
  };
  const std::string end = "0\n0\n0\n0\n";
  ASSERT_TRUE(files[".frc"].ends_with(end));
  const std::string with_mass = files[".frc"].substr(0, files[".frc"].size() - end.size()),
                    without_mass = "title\n1 0 1 0 0 0 0 1 0\n1000\n0 0 0.5\n0\n";
  for (const std::string& head : {with_mass, without_mass}) {
    files[".frc"] = head + "1\n" + matrix(3, 2.5e4) + "1\n" + matrix(0, 300) + "0\n0\n";
    const Database d = parse_wamit("run", files);
    ASSERT_TRUE(d.viscous_damping);
    EXPECT_EQ((*d.viscous_damping)(3, 3), 2.5e4);
    EXPECT_EQ(d.viscous_damping->cwiseAbs().sum(), 2.5e4);
    EXPECT_TRUE(std::any_of(d.notes.begin(), d.notes.end(), [](const std::string& note) {
      return note.find("external stiffness") != note.npos && note.find("surge 300 N/m") != note.npos;
    }));
  }
  files[".frc"] = with_mass + "2\ndamping.dat\n0\n0\n0\n";
  EXPECT_NE(message_of_wamit_run(files).find("IDAMP is 2"), std::string::npos);
  // Whoever works in tonnes has damping in t/s.
  files[".frc"] = "title\n1 0 1 0 0 0 0 1 0\n1\n0 0 0.5\n0\n1\n" + matrix(3, 25) + end;
  EXPECT_EQ((*parse_wamit("run", files).viscous_damping)(3, 3), 25 * 1025);
}

// A cube of 2 m with 1 m in the water and radii about the axes in the waterplane.
TEST(Wamit, RadiiOfGyrationOfFormOne) {
  Texts files = small_wamit_run();
  files[".gdf"] =
      "box\n1.0 9.81\n0 0\n5\n"
      "-1 -1 -1  -1 1 -1  1 1 -1  1 -1 -1\n"
      "-1 -1 0  -1 -1 -1  1 -1 -1  1 -1 0\n"
      "1 1 0  1 1 -1  -1 1 -1  -1 1 0\n"
      "1 -1 0  1 -1 -1  1 1 -1  1 1 0\n"
      "-1 1 0  -1 1 -1  -1 -1 -1  -1 -1 0\n";
  files[".pot"] = "title\n40 0 0 0 0\n1 1\n1 1 1 1 1 1\n";
  files[".frc"] = "title\n1 0 1 0 0 0 0 0 0\n0.5\n2 0 0\n0 3 0\n0 0 4\n0\n0\n";
  const Database d = parse_wamit("run", files);
  ASSERT_TRUE(d.bodies[0].loading);
  const MassProperties& loading = *d.bodies[0].loading;
  EXPECT_NEAR(loading.mass, 4 * 1025, 1e-6);
  EXPECT_NEAR(loading.centre.z(), 0.5, 1e-12);
  const Vec3 about_centre(4 - 0.25, 9 - 0.25, 16);
  EXPECT_LT((loading.inertia - Mat3(loading.mass * about_centre.asDiagonal())).norm(), 1e-6);
  files[".frc"] = "title\n1 0 1 0 0 0 0 0 0\n0.5\n0 0 0\n0 0 0\n0 0 0\n0\n0\n";
  EXPECT_TRUE(parse_wamit("run", files).bodies[0].loading->inertia.isZero(0));
}

TEST(Wamit, ExcitationByHaskind) {
  Texts files = small_wamit_run();
  files[".2"] = files[".3"];
  EXPECT_EQ(parse_wamit("run", files).excitation_haskind.size(), 2u);
  files.erase(".3");
  const Database d = parse_wamit("run", files);
  EXPECT_EQ(d.excitation.size(), 2u);
  EXPECT_TRUE(d.excitation_haskind.empty());
}

TEST(Wamit, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(message_of_wamit_run({}).find("run.1"), std::string::npos);
  Texts files = small_wamit_run();
  files[".1"] += " 10 1\n";
  EXPECT_NE(message_of_wamit_run(files).find("run.1, line 8"), std::string::npos);
  files = small_wamit_run();
  files[".1"] += " 10 0 1 0.5 0.5\n";
  EXPECT_NE(message_of_wamit_run(files).find("0 is not a whole number"), std::string::npos);
  files = small_wamit_run();
  files[".3"] += " 11 0 3 1 0 1 0\n";
  EXPECT_NE(message_of_wamit_run(files).find("the period 11 is not in run.1"), std::string::npos);
  files = small_wamit_run();
  files[".1"] += " 11 3 3 1 1\n";
  EXPECT_NE(message_of_wamit_run(files).find("run.3: nothing at 0.571199 rad/s"), std::string::npos);
  files = small_wamit_run();
  files[".gdf"] = "a\n1 32.174\n";
  EXPECT_NE(message_of_wamit_run(files).find("feet"), std::string::npos);
  files = small_wamit_run();
  files[".frc"] = files[".frc"].substr(0, 60);
  EXPECT_NE(message_of_wamit_run(files).find("run.frc"), std::string::npos);
}

TEST(Wamit, WrittenAndReadAgain) {
  const davit::test::TempFolder folder;
  for (const int bodies : {1, 2}) {
    Database given = random_database(bodies);
    given.froude_krylov.clear();
    given.drift[1](3, 2) = std::nan("");
    for (FloatingBody& body : given.bodies) body.loading->inertia *= 10;
    write_wamit(given, folder / "run");
    const Database back = read_wamit(folder / "run");
    EXPECT_EQ(back.density, given.density);
    EXPECT_EQ(back.gravity, given.gravity);
    EXPECT_EQ(back.depth, given.depth);
    ASSERT_EQ(back.frequencies.size(), given.frequencies.size());
    for (size_t f = 0; f < given.frequencies.size(); ++f)
      EXPECT_NEAR(back.frequencies[f], given.frequencies[f], 1e-6 * given.frequencies[f]);
    ASSERT_EQ(back.headings.size(), given.headings.size());
    for (size_t h = 0; h < given.headings.size(); ++h) EXPECT_NEAR(back.headings[h], given.headings[h], 1e-6);
    // WAMIT's files have seven digits.
    EXPECT_LT(difference(given.added_mass, back.added_mass), 1e-6);
    EXPECT_LT(difference(given.damping, back.damping), 1e-6);
    EXPECT_LT(difference(given.excitation, back.excitation), 1e-6);
    EXPECT_LT(difference(given.excitation_haskind, back.excitation_haskind), 1e-6);
    EXPECT_TRUE(std::isnan(back.drift[1](3, 2)));
    EXPECT_NEAR(back.drift[2](1, 1), given.drift[2](1, 1), 1e-6);
    EXPECT_LT((*given.added_mass_zero - *back.added_mass_zero).norm(), 1e-5);
    EXPECT_LT((*given.added_mass_infinite - *back.added_mass_infinite).norm(), 1e-5);
    ASSERT_TRUE(back.viscous_damping);
    EXPECT_LT((*given.viscous_damping - *back.viscous_damping).norm(), 1e-12);
    for (size_t b = 0; b < given.bodies.size(); ++b) {
      EXPECT_LT((given.bodies[b].restoring - back.bodies[b].restoring).norm(), 1e-5);
      EXPECT_EQ(given.bodies[b].reference, back.bodies[b].reference);
      EXPECT_EQ(given.bodies[b].name, back.bodies[b].name);
      EXPECT_NEAR(given.bodies[b].loading->mass, back.bodies[b].loading->mass, 1e-6);
      EXPECT_LT((given.bodies[b].loading->centre - back.bodies[b].loading->centre).norm(), 1e-12);
    }
  }
}

// The tanker of MSS: the limits of zero and infinite frequency lie beside the longest and shortest waves, and the
// longest wave lifts with C33.
TEST(Wamit, TankerOfMss) {
  const auto stem = shared("mss-tanker/tanker");
  SKIP_WITHOUT(shared("mss-tanker/tanker.1"));
  const Database d = read_wamit(stem);
  EXPECT_EQ(d.frequencies.size(), 58u);
  EXPECT_EQ(d.headings.size(), 19u);
  EXPECT_TRUE(std::isinf(d.depth));
  const Mat6& C = d.bodies[0].restoring;
  EXPECT_GT(C(2, 2), 0);
  EXPECT_GT(C(3, 3), 0);
  EXPECT_GT(C(4, 4), 0);
  EXPECT_NEAR((*d.added_mass_zero)(0, 0) / d.added_mass.front()(0, 0), 1, 0.01);
  EXPECT_NEAR((*d.added_mass_zero)(1, 1) / d.added_mass.front()(1, 1), 1, 0.01);
  EXPECT_GT((*d.added_mass_zero)(1, 1), 2 * (*d.added_mass_infinite)(1, 1));
  for (size_t h = 0; h < d.headings.size(); ++h) {
    EXPECT_NEAR(std::abs(d.excitation[h](2, 0)) / C(2, 2), 1, 0.01);
    EXPECT_NEAR(std::arg(d.excitation[h](2, 0)), 0, 0.01);
  }
  ASSERT_TRUE(d.bodies[0].loading);
  EXPECT_NEAR(d.bodies[0].loading->mass, 94620210, 1);
  EXPECT_LT((d.bodies[0].loading->centre - Vec3(3.93, 0, 2.5)).norm(), 1e-3);
  EXPECT_TRUE(is_port_starboard_symmetric(d));
}

}  // namespace
}  // namespace davit::hydro
