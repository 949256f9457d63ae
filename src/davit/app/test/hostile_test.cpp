// Files that were made to break the program, or broke it once: a sentence and an exit code, soon, whatever they are.
#include <hdf5.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>

#include "davit/app/test/program.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/rewrite.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::app::test {
namespace {

// Collected by others, not part of the project.
fs::path hostile_folder() {
  const char* data = std::getenv("DAVIT_SHARED");
  return fs::path(data ? data : in_source("../shared/data")) / "../hostile";
}

class Hostile : public Program {
 protected:
  void expect_sentence(const std::vector<std::string>& words) {
    const auto begin = std::chrono::steady_clock::now();
    const Outcome o = davit(words);
    EXPECT_TRUE(o.code == 2 || o.code == 3) << "exit code " << o.code << ", signal " << o.signal;
    EXPECT_TRUE(has(o.err + o.out, "error: "));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  }
};

TEST_F(Hostile, damaged_and_crafted_binary_files) {
  if (!fs::exists(hostile_folder())) GTEST_SKIP() << hostile_folder() << " is not here";
  for (const auto& entry : fs::directory_iterator(hostile_folder())) {
    const std::string name = entry.path().filename().string();
    SCOPED_TRACE(name);
    if (name.starts_with("craft_res") || name.starts_with("bin_res"))
      expect_sentence({"export", entry.path().string(), "--csv", "out.csv"});
    else if (name.starts_with("craft_") || name.starts_with("bin_"))
      expect_sentence({"hydro", "inspect", entry.path().string()});
  }
}

// Scenarios that once had no end, came out of nothing or were green without reason.
TEST_F(Hostile, scenarios) {
  if (!fs::exists(hostile_folder())) GTEST_SKIP() << hostile_folder() << " is not here";
  for (const auto& entry : fs::directory_iterator(hostile_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Outcome o = davit({"run", entry.path().string(), "-o", "out"});
    // Ropes of 1e15 N have an equilibrium, and since it is found they run.
    if (entry.path().filename() == "eq_EA_1e15.yaml") {
      EXPECT_EQ(o.code, 0) << o.out << o.err;
      continue;
    }
    EXPECT_TRUE(o.code >= 2 && o.code <= 4) << "exit code " << o.code << ", signal " << o.signal << o.out << o.err;
    EXPECT_TRUE(has(o.err + o.out, o.code == 4 ? "POOR" : "error: "));
  }
}

// What a device or a pipe would give without end, and numbers that are good one by one and too many together.
TEST_F(Hostile, what_a_scenario_names) {
  const std::string head = "davit: 1\ntitle: x\nrun: {duration: 0.1 s, step: 0.01 s}\n";
  ASSERT_EQ(mkfifo((folder / "pipe.gdf").c_str(), 0600), 0);
  // A hull that need not be solved first.
  const std::string solved = "vessels: {v: {hydrodynamics: " + in_source("vessels/barge_59x22.h5") + "}}\n";
  const std::pair<std::string, std::string> cases[] = {
      {"vessels: {v: {hull: /dev/zero, draft: 0.5 m}}\n", "this is not a regular file"},
      {"vessels: {v: {hull: ./pipe.gdf, draft: 0.5 m}}\n", "this is not a regular file"},
      {"vessels: {v: {hull: 'barge: 0 x 0 x 0 m', draft: 0.5 m}}\n", "is not positive"},
      {"vessels: {v: {hull: 'barge: 1000000 x 1 x 1 m', draft: 0.5 m}}\n", "vessels.v"},
      {"vessels: {v: {hydrodynamics: ./pipe.gdf}}\n", "no such file"},
      {"bodies: {b: {joint: {revolute: y}, mass: 1 kg, inertia: [1, 1, 1]}}\nsurfaces: {s: {on: b, mesh: /dev/zero}}\n",
       "this is not a regular file"},
      {"base: /dev/zero\n", "this is not a regular file"},
      {solved + "environment: {waves: {spectrum: record, file: "
                "/dev/zero}}\n",
       "this is not a regular file"},
      {solved + "environment: {waves: {spectrum: jonswap, hs: 1 m, "
                "tp: "
                "5 s, frequencies: 100000, spreading: {exponent: 2, directions: 1000}}}\n",
       "are 100000000 waves"}};
  for (const auto& [text, message] : cases) {
    SCOPED_TRACE(text);
    write("lift.yaml", head + text);
    expect_sentence({"run", "lift.yaml"});
    EXPECT_TRUE(has(davit({"run", "lift.yaml"}).err, message));
  }
  expect_sentence({"run", "/dev/zero"});
  expect_sentence({"export", "/dev/zero", "--csv", "out.csv"});
  expect_sentence({"export", "pipe.gdf", "--csv", "out.csv"});
  expect_sentence({"hydro", "inspect", "pipe.gdf"});
}

TEST_F(Hostile, control_characters_do_not_reach_the_terminal) {
  write("lift.yaml",
        "davit: 1\ntitle: \"a\\e[2Jb\"\nbodies: {\"x\\ey\": {joint: {revolute: y}, mass: 1 kg, inertia: [1, 1, 1]}}\n"
        "run: {duration: 0.1 s, step: 0.01 s}\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "lift.yaml"}, {"check", "lift.yaml", "--channels"}}) {
    const Outcome o = davit(words);
    EXPECT_EQ((o.out + o.err).find('\x1b'), std::string::npos) << o.out << o.err;
  }
}

// A result of some kilobytes that claims 2^40 rows, or events, of which none were written; one whose scene is nested
// without end; names that a spreadsheet would compute.
TEST_F(Hostile, results_that_claim_more_than_they_hold) {
  const auto record = [&](const std::string& document) {
    result::Scene scene;
    scene.document = document;
    scene.frames = {.bodies = 1, .lines = 0, .length_step = 1, .attitude_step = 1, .tension_step = 1};
    fs::create_directories(folder / "run");
    result::Recorder recorder(folder / "run/result.h5", {.title = "hostile"}, {{.name = "=1+1"}}, {}, scene);
    for (int row = 0; row < 10; ++row) recorder.append(row, std::vector<double>{1.0});
    recorder.append_frame({0, {{{0, 0, 0}, {1, 0, 0, 0}}}, {}});
    recorder.finish();
    write("run/summary.json", "{\"title\": \"hostile\", \"status\": \"complete\"}");
  };
  const auto claim = [&](std::vector<const char*> lists, std::size_t which) {
    result::rewrite(folder / "run/result.h5", 1);  // as any program may open and change it
    const hid_t file = H5Fopen((folder / "run/result.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    for (const char* list : lists) {
      const hid_t dataset = H5Dopen2(file, list, H5P_DEFAULT);
      const hsize_t size[]{hsize_t{1} << 40u, 1};
      H5Dset_extent(dataset, size);
      H5Dclose(dataset);
    }
    const hid_t counts = H5Dopen2(file, "committed", H5P_DEFAULT);
    std::uint64_t committed[]{10, 0, 0};
    committed[which] = std::uint64_t{1} << 40u;
    H5Dwrite(counts, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, committed);
    H5Dclose(counts);
    H5Fclose(file);
  };
  const auto expect_refused = [&](const char* message) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"export", "run/result.h5", "--csv", "out.csv"},
          {"export", "run/result.h5", "--plain"},
          {"view", "run", "--html", "out.html"},
          {"view", "run", "--no-browser"},
          {"report", "run"}}) {
      SCOPED_TRACE(words[0] + " " + words.back());
      const Outcome o = davit(words);
      EXPECT_EQ(o.code, 2) << o.out << o.err;
      EXPECT_TRUE(has(o.err, message)) << o.err;
    }
    EXPECT_FALSE(fs::exists(folder / "out.csv"));
    EXPECT_FALSE(fs::exists(folder / "out.html"));
  };
  record("{}");
  claim({"time", "channels/values"}, 0);
  expect_refused("claims 1099511627776 rows, and the file does not hold so many");
  record("{}");
  claim({"events"}, 2);
  expect_refused("'/events' claims 1099511627776 rows");
  record(std::string(100'000, '[') + std::string(100'000, ']'));
  expect_refused("the document of the scene is nested too deeply");
  record("{}");
  EXPECT_EQ(davit({"export", "run/result.h5", "--csv", "out.csv"}).code, 0);
  EXPECT_TRUE(has(text_of(folder / "out.csv"), "time [s],\"'=1+1\"\n"));
}

TEST_F(Hostile, output_that_does_not_arrive_is_an_error) {
  write("lift.yaml",
        "davit: 1\ntitle: x\nbodies: {x: {joint: {revolute: y}, mass: 1 kg, inertia: [1, 1, 1]}}\n"
        "run: {duration: 0.1 s, step: 0.01 s}\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "lift.yaml"}, {"check", "lift.yaml"}, {"schema"}}) {
    const Outcome o = davit(words, {}, "/dev/full");
    EXPECT_EQ(o.code, 3) << words[0];
    EXPECT_TRUE(has(o.err, "No space left on device"));
  }
}

TEST_F(Hostile, a_full_disk_is_an_error_for_every_writer) {
  write("lift.yaml",
        "davit: 1\ntitle: x\nbodies: {x: {joint: {prismatic: x}, mass: 1 t}}\n"
        "control: {hold: {pid: {joints: [x], kp: 1 kN/m, kd: 1 kN s/m}}}\nrun: {duration: 0.1 s, step: 0.01 s}\n");
  ASSERT_EQ(davit({"run", "lift.yaml", "-o", "out"}).code, 0);
  const std::string database = in_source("vessels/barge_59x22.h5");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"export", "out/result.h5", "--csv"},
                                                {"export", "out/result.h5", "--gltf"},
                                                {"view", "out", "--html"},
                                                {"report", "out", "-o"},
                                                {"linearise", "lift.yaml", "--mat"},
                                                {"linearise", "lift.yaml", "--json"},
                                                {"statics", "lift.yaml", "--csv"},
                                                {"statics", "lift.yaml", "--json"},
                                                {"hydro", "inspect", database, "-o"}}) {
    SCOPED_TRACE(words[0] + " " + words.back());
    std::vector<std::string> all = words;
    all.push_back("/dev/full");
    const Outcome o = davit(all);
    EXPECT_TRUE(o.code == 2 || o.code == 3) << o.code << o.out << o.err;
    EXPECT_TRUE(has(o.err, "No space left on device")) << o.err;
  }
}

}  // namespace
}  // namespace davit::app::test
