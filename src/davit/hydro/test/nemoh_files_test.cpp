#include "davit/hydro/nemoh_files.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/test/support.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {
namespace {

using namespace test;

// Heave and pitch only, about a point.
Texts small_run(const std::string& load_cases = "2 0.5 1.0 ! frequencies\n1 0. 0.\n") {
  return {{"Nemoh.cal",
           "--- Environment ---\n1000. ! RHO\n9.81 ! G\n20. ! DEPTH\n3. 0. ! XEFF YEFF\n--- bodies ---\n1\n"
           "--- Body 1 ---\nmesh\\float.dat ! mesh\n100 50\n2 ! motions\n1 0. 0. 1. 0. 0. 0. ! Heave\n"
           "2 0. 1. 0. 1. 0. -2. ! Pitch\n2 ! forces\n1 0. 0. 1. 0. 0. 0.\n2 0. 1. 0. 1. 0. -2.\n0\n"
           "--- Load cases ---\n" +
               load_cases},
          {"RadiationCoefficients.tec",
           "VARIABLES=\"w (rad/s)\"\n\"A   1   1\" \"B   1   1\"\n\"A   1   2\" \"B   1   2\"\n"
           "Zone t=\"Motion of body    1 in DoF   1\",I=     2,F=POINT\n 0.5 10. 1. 2. 3.\n 1.0 11. 1.5 2.5 3.5\n"
           "Zone t=\"Motion of body    1 in DoF   2\",I=     2,F=POINT\n 0.5 4. 5. 100. 7.\n 1.0 4.5 5.5\n 101. 7.5\n"},
          {"ExcitationForce.tec",
           "VARIABLES=\"w (rad/s)\"\n\"abs(F   1   1)\" \"angle(F   1   1)\"\n\"abs(F   1   2)\" \"angle(F   1   2)\"\n"
           "Zone t=\"Excitation force - beta =  30.000 deg\",I=     2,F=POINT\n 0.5 8. 0.25 9. -1.5\n 1.0 8.5 0.5 9.5 "
           "3.0\n"},
          {"KH.dat", "0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 70 0 -5 0\n0 0 0 300 0 0\n0 0 -5 0 400 0\n0 0 0 0 0 0\n"},
          {"Hydrostatics.dat",
           " XF =   0.500 - XG =   0.500\n YF =   0.000 - YG =   0.000\n ZF =  -1.000 - ZG =   2.000\n"
           " Displacement =  0.6E+02\n Waterplane area =  0.7E+01\n"}};
}

std::string message_of_nemoh_run(const Texts& files) {
  try {
    parse_nemoh("folder", files);
  } catch (const DatabaseError& error) {
    EXPECT_FALSE(error.remedy.empty());
    return error.what();
  }
  return "no error";
}

TEST(Nemoh, ReadsARun) {
  const Database d = parse_nemoh("folder", small_run());
  EXPECT_EQ(d.density, 1000);
  EXPECT_EQ(d.depth, 20);
  EXPECT_EQ(d.frequencies, (std::vector<double>{0.5, 1.0}));
  EXPECT_NEAR(d.headings[0], pi / 6, 1e-12);
  EXPECT_EQ(d.bodies[0].name, "float");
  EXPECT_EQ(d.bodies[0].reference, Vec3(1, 0, -2));
  EXPECT_EQ(d.added_mass[0](2, 2), 10);
  EXPECT_EQ(d.added_mass[0](4, 2), 2);  // force in the second column, motion of the first zone
  EXPECT_EQ(d.added_mass[0](2, 4), 4);
  EXPECT_EQ(d.damping[1](4, 4), 7.5);
  EXPECT_EQ(d.added_mass[1](4, 4), 101);
  EXPECT_EQ(d.added_mass[0](0, 0), 0);
  // exp(−iωt) there, and the crest at x = 3 m.
  const double k = sea::wave_number(0.5, 20, 9.81);
  const auto expected = std::polar(8.0, -0.25) * std::polar(1.0, -k * 3 * std::cos(pi / 6));
  EXPECT_LT(std::abs(d.excitation[0](2, 0) - expected), 1e-12);
  // Restoring is about the centre of gravity there, x = 0.5; here about x = 1.
  EXPECT_EQ(d.bodies[0].restoring(2, 2), 70);
  EXPECT_DOUBLE_EQ(d.bodies[0].restoring(2, 4), -5 + 70 * 0.5);
  EXPECT_DOUBLE_EQ(d.bodies[0].restoring(4, 4), 400 - 2 * 5 * 0.5 + 70 * 0.25);
  EXPECT_DOUBLE_EQ(d.bodies[0].loading->mass, 60000);
  EXPECT_EQ(d.bodies[0].loading->centre, Vec3(0.5, 0, 2));
  EXPECT_EQ(d.bodies[0].buoyancy, Vec3(0.5, 0, -1));
}

TEST(Nemoh, Version3UnitsOfFrequencyAndPhase) {
  Texts files =
      small_run("1 2 0.5 1.0\n1 0. 0.\n--- Post ---\n0 0.1 10.\n0\n0 0 180\n0 50 400 400\n1\n3\n-- QTF --\n0\n");
  for (const char* name : {"RadiationCoefficients.tec", "ExcitationForce.tec"}) {
    std::string& text = files[name];
    text.replace(text.find("w (rad/s)"), 9, "T (s)");
    for (const auto& [from, to] : {std::pair{"\n 0.5 ", "\n 12.5663706 "}, std::pair{"\n 1.0 ", "\n 6.28318531 "}})
      for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + 1))
        text.replace(at, std::string_view(from).size(), to);
  }
  const Database d = parse_nemoh("folder", files);
  EXPECT_NEAR(d.frequencies[0], 0.5, 1e-8);
  EXPECT_NEAR(d.frequencies[1], 1.0, 1e-8);
  std::string& text = files["ExcitationForce.tec"];
  text.replace(text.find("-1.5"), 4, "-85.943669");
  text.replace(text.find(" 3.0"), 4, " 171.88734");
  const double k = sea::wave_number(d.frequencies[1], 20, 9.81);
  const auto expected = std::polar(9.5, -3.0) * std::polar(1.0, -k * 3 * std::cos(pi / 6));
  EXPECT_LT(std::abs(parse_nemoh("folder", files).excitation[0](4, 1) - expected), 1e-6);
}

TEST(Nemoh, DiffractionAndFroudeKrylovApartAndTheOldDatFiles) {
  Texts files = small_run();
  files["FKForce.tec"] = files["DiffractionForce.tec"] = files["ExcitationForce.tec"];
  const auto whole = parse_nemoh("folder", files).excitation[0];
  files.erase("ExcitationForce.tec");
  EXPECT_LT((parse_nemoh("folder", files).excitation[0] - 2 * whole).norm(), 1e-12);
  EXPECT_LT((parse_nemoh("folder", files).froude_krylov[0] - whole).norm(), 1e-12);

  files = small_run();
  files["CM.dat"] = "Nb de frequency :     2\n 0.5000\n 10. 2.\n 4. 100.\n 1.0000\n 11. 2.5\n 4.5 101.\n";
  files["CA.dat"] = "Nb de frequency :     2\n 0.5000\n 1. 3.\n 5. 7.\n 1.0000\n 1.5 3.5\n 5.5 7.5\n";
  files["Fe.dat"] =
      "VARIABLES=\"Frequency (rad/s)\"\nZone t=\"Corps  1\"\nZone t=\"Excitation force - beta =  30.000 deg\","
      "I=     2,F=POINT\n 0.5000 8. 9. 14.3239449 -85.9436693\n 1.0000 8.5 9.5 28.6478898 171.887339\n";
  const Database tec = parse_nemoh("folder", files);
  files.erase("RadiationCoefficients.tec");
  files.erase("ExcitationForce.tec");
  const Database dat = parse_nemoh("folder", files);
  EXPECT_EQ(difference(tec.added_mass, dat.added_mass), 0);
  EXPECT_EQ(difference(tec.damping, dat.damping), 0);
  EXPECT_LT(difference(tec.excitation, dat.excitation), 1e-8);
}

// Two bodies of heave alone: zones and columns count on from body to body, hydrostatics have a number in their name.
TEST(Nemoh, TwoBodies) {
  const auto body = [](const char* mesh, const char* z) {
    return std::string("--- Body ---\n") + mesh + "\n100 50\n2\n1 0. 0. 1. 0. 0. 0.\n2 0. 1. 0. 0. 0. " + z +
           "\n1\n1 0. 0. 1. 0. 0. 0.\n0\n";
  };
  Texts files{{"Nemoh.cal", "--- Environment ---\n1000.\n9.81\n0.\n0. 0.\n--- bodies ---\n2\n" +
                                body("barge.dat", "-1.") + body("crane ship.dat", "-3.")},
              {"RadiationCoefficients.tec",
               "VARIABLES=\"w (rad/s)\"\nZone t=\"Motion of body 1 in DoF 1\",I= 1,F=POINT\n 0.5 10. 1. 2. 3.\n"
               "Zone t=\"Motion of body 1 in DoF 2\",I= 1,F=POINT\n 0.5 11. 1. 3. 4.\n"
               "Zone t=\"Motion of body 2 in DoF 1\",I= 1,F=POINT\n 0.5 2. 3. 20. 5.\n"
               "Zone t=\"Motion of body 2 in DoF 2\",I= 1,F=POINT\n 0.5 4. 5. 21. 6.\n"}};
  for (const char* b : {"0", "1"})
    files[std::string("KH_") + b + ".dat"] = "0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 " + std::string(b) +
                                             "7 0 0 0\n0 0 0 1 0 0\n"
                                             "0 0 0 0 1 0\n0 0 0 0 0 0\n";
  const Database d = parse_nemoh("folder", files);
  ASSERT_EQ(d.bodies.size(), 2u);
  EXPECT_TRUE(std::isinf(d.depth));
  EXPECT_EQ(d.bodies[0].name, "barge");
  EXPECT_EQ(d.bodies[0].reference, Vec3(0, 0, -1));
  EXPECT_EQ(d.bodies[1].reference, Vec3(0, 0, -3));
  EXPECT_EQ(d.added_mass[0](2, 2), 10);
  EXPECT_EQ(d.added_mass[0](8, 2), 2);
  EXPECT_EQ(d.added_mass[0](2, 8), 2);
  EXPECT_EQ(d.added_mass[0](8, 10), 21);
  EXPECT_EQ(d.damping[0](2, 10), 5);
  EXPECT_EQ(d.bodies[0].restoring(2, 2), 7);
  EXPECT_EQ(d.bodies[1].restoring(2, 2), 17);
}

TEST(Nemoh, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(message_of_nemoh_run({}).find("folder/Nemoh.cal"), std::string::npos);
  Texts files = small_run();
  files["RadiationCoefficients.tec"].resize(files["RadiationCoefficients.tec"].size() - 12);
  EXPECT_NE(message_of_nemoh_run(files).find("the file ends in the middle of a table"), std::string::npos);
  files = small_run();
  std::string& cal = files["Nemoh.cal"];
  cal.replace(cal.find("1 0. 0. 1. 0. 0. 0. ! Heave"), 6, "1 0. .7");
  EXPECT_NE(message_of_nemoh_run(files).find("Nemoh.cal, line 12"), std::string::npos);
  files = small_run();
  files["ExcitationForce.tec"].replace(files["ExcitationForce.tec"].find("\n 1.0"), 5, "\n 1.1");
  EXPECT_NE(message_of_nemoh_run(files).find("1.1 rad/s"), std::string::npos);
}

}  // namespace
}  // namespace davit::hydro
