// davit hydro from outside: what it prints, the files it leaves and its exit codes.
#include "davit/app/test/program.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/open_database.hpp"

namespace davit::app::test {
namespace {

// Heave only, so that much is missing that an inspection names.
hydro::Database float_alone() {
  hydro::Database d;
  d.title = "float";
  d.source = "test";
  hydro::FloatingBody body;
  body.restoring(2, 2) = 1e6;
  body.restoring(3, 3) = body.restoring(4, 4) = 1e7;
  body.loading = hydro::MassProperties{1e5, {0, 0, 0.5}, Mat3(Vec3(1e6, 1e6, 1e6).asDiagonal())};
  d.bodies.push_back(body);
  for (double w = 0.1; w < 6; w += 0.1) {
    d.frequencies.push_back(w);
    const double q = (0.64 + w * w) * (0.64 + w * w);
    d.added_mass.push_back(MatX::Identity(6, 6) * 1e4 * (2 + (0.64 - w * w) / q));
    d.damping.push_back(MatX::Identity(6, 6) * 1e4 * (1.6 * w * w / q));
  }
  return d;
}

TEST_F(Program, hydro_inspect_prints_findings_and_writes_a_page) {
  hydro::write_database(float_alone(), folder / "float.h5");
  const Outcome o = davit({"hydro", "inspect", "float.h5", "-o", "page.html"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(has(o.out, "warning: excitation: there is none"));
  EXPECT_TRUE(has(o.out, "ok: symmetry of added mass"));
  EXPECT_TRUE(has(o.out, "natural period in heave"));
  EXPECT_TRUE(has(text_of(folder / "page.html"), "Usable with care"));
}

// Before it solves: hours of work that could not be kept.
TEST_F(Program, hydro_solve_refuses_what_it_cannot_write) {
  fs::create_directories(folder / "taken.h5");
  fs::create_directories(folder / "page.html");
  const std::vector<std::pair<std::vector<std::string>, const char*>> calls{
      {{"-o", "nowhere/barge.h5"}, "nowhere/barge.h5"},
      {{"-o", "taken.h5"}, "taken.h5: this is a directory"},
      {{"-o", "barge.h5", "--page", "page.html"}, "page.html: this is a directory"}};
  for (const auto& [words, message] : calls) {
    std::vector<std::string> all{"hydro", "solve", "barge: 60 x 20 x 6 m", "--draft", "3 m", "--fresh"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome o = davit(all);
    EXPECT_EQ(o.code, 2) << o.out;
    EXPECT_TRUE(has(o.err, message)) << o.err;
    EXPECT_FALSE(has(o.err + o.out, "solved,")) << o.err;
  }
}

TEST_F(Program, hydro_inspect_ends_with_1_when_the_database_is_not_fit) {
  hydro::Database d = float_alone();
  d.bodies[0].restoring(3, 3) = -1;
  hydro::write_database(d, folder / "float.h5");
  const Outcome o = davit({"hydro", "inspect", "float.h5"});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(has(o.out, "error: restoring of hull"));
  EXPECT_TRUE(has(o.out, "remedy: "));
}

TEST_F(Program, hydro_convert_there_and_back) {
  hydro::write_database(float_alone(), folder / "float.h5");
  EXPECT_EQ(davit({"hydro", "convert", "float.h5", "run", "--wamit"}).code, 0);
  const Outcome o = davit({"hydro", "convert", "run", "back.h5", "--reference", "1,0,-2", "--highest", "3.05"});
  EXPECT_EQ(o.code, 0) << o.err;
  const hydro::Database back = hydro::open_database(folder / "back.h5");
  EXPECT_EQ(back.frequencies.size(), 30u);
  EXPECT_EQ(back.bodies[0].reference, Vec3(1, 0, -2));
  EXPECT_NEAR(back.bodies[0].restoring(4, 4), 1e7 + 1e6, 20);
}

TEST_F(Program, hydro_says_what_is_wrong_with_a_call) {
  const auto refuses = [&](const std::vector<std::string>& words, const std::string& part) {
    const Outcome o = davit(words);
    EXPECT_EQ(o.code, 2) << part;
    EXPECT_TRUE(has(o.err, part));
  };
  hydro::write_database(float_alone(), folder / "float.h5");
  refuses({"hydro"}, "subcommand is required");
  refuses({"hydro", "inspect"}, "DB is required");
  refuses({"hydro", "inspect", "none"}, "there is no such file");
  refuses({"hydro", "convert", "float.h5", "out.txt"}, "its ending is not .h5");
  refuses({"hydro", "convert", "float.h5", "out.h5", "--reference", "1,2"}, "--reference");
  refuses({"hydro", "inspect", "float.h5", "--density", "1000"}, "the file says it itself");
  refuses({"hydro", "inspect", "float.h5", "--depth", "-3"}, "--depth");
  refuses({"hydro", "inspect", "float.h5", "--highest", "0.01"}, "no frequency is left");
  refuses({"hydro", "inspect", "float.h5", "-o", "no/such/folder/page.html"}, "cannot be written");
  write("broken.1", "1 2 three\n4 5 6\n");
  refuses({"hydro", "inspect", "broken"}, "broken.1, line 2");
}

}  // namespace
}  // namespace davit::app::test
