// davit report: the report of a run made again, and runs compared, from their files alone.
#include "davit/test/source_tree.hpp"
#include "program.hpp"

namespace davit::app::test {
namespace {

class ReportProgram : public Program {
 protected:
  void run(const std::string& name, const std::string& mass) {
    const auto file = write(name + ".yaml",
                            "davit: 1\ntitle: a weight on a rope\nbodies:\n  top: {at: [0, 0, 10 m]}\n"
                            "  load: {joint: free, mass: " +
                                mass +
                                ", inertia: [1, 1, 1]}\nropes:\n"
                                "  hoist: {from: top, to: load, EA: 100 kN, damping: 0.1 s, tension: 2 kN, mbl: 9 kN}\n"
                                "limits:\n  - {channel: hoist.tension, below: 0.5 * mbl}\n"
                                "run: {duration: 1 s, step: 5 ms}\n");
    davit({"run", file.string(), "-o", (folder / name).string()});
  }
};

TEST_F(ReportProgram, the_report_made_again_is_the_same) {
  run("light", "150 kg");
  const std::string before = text_of(folder / "light/report.html");
  ASSERT_FALSE(before.empty());
  EXPECT_NE(before.find("<iframe sandbox"), std::string::npos);
  // Nothing is loaded, sent or embedded that is not in the page.
  const std::size_t policy = before.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'");
  EXPECT_LT(policy, before.find("<style>"));
  EXPECT_LT(policy, before.find("<script>"));
  const Outcome again = davit({"report", (folder / "light").string(), "-o", (folder / "again.html").string()});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(text_of(folder / "again.html") == before);
  EXPECT_EQ(davit({"report", (folder / "light/result.h5").string()}).code, 0);
  EXPECT_TRUE(text_of(folder / "light/report.html") == before);
}

TEST_F(ReportProgram, two_results_are_compared) {
  run("light", "150 kg");
  run("heavy", "400 kg");
  const Outcome both = davit({"report", "light", "heavy"});
  EXPECT_EQ(both.code, 0) << both.err;
  const std::string page = text_of(folder / "comparison.html");
  for (const char* part :
       {"Comparison of light and heavy", "1 of 1 limits passed", "0 of 1 limits passed", "hoist.tension"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST_F(ReportProgram, says_what_is_wrong) {
  run("light", "150 kg");
  const Outcome absent = davit({"report", "nowhere"});
  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.err.find("summary.json"), std::string::npos) << absent.err;
  const Outcome over = davit({"report", "light", "-o", "light/summary.json"});
  EXPECT_EQ(over.code, 2);
  EXPECT_NE(over.err.find("another name"), std::string::npos) << over.err;
  write("light/summary.json", "{\"title\": 3}");
  const Outcome wrong = davit({"report", "light"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("run the scenario again"), std::string::npos) << wrong.err;
  const Outcome many = davit({"report", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  EXPECT_EQ(many.code, 2);
}

// Of lifts with contacts, clearances, phases, vessels, a title block, and of one that breaks.
TEST_F(ReportProgram, summaries_are_as_their_schema_says) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "there is no python3";
  std::string files;
  const auto add = [&](const std::string& file, const std::vector<std::string>& settings) {
    const std::string to = (folder / std::to_string(files.size())).string();
    std::vector<std::string> words{"run", file, "-o", to};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    davit(words);
    ASSERT_TRUE(fs::exists(to + "/summary.json")) << file;
    files += " " + to + "/summary.json";
  };
  run("light", "150 kg");
  files += " " + (folder / "light/summary.json").string();
  for (const char* name : {"set_down", "clearance", "lift_off_quay", "moored_barge", "overhead_crane", "basket_slings"})
    add(in_source("scenarios/") + std::string(name) + ".yaml", {"run.duration=1s", "report.project=Bridge"});
  add(write("broken.yaml",
            "davit: 1\ntitle: it breaks\nbodies:\n  a: {joint: {prismatic: z}, mass: 1 kg}\n"
            "forces:\n  k: {joint_spring: {joint: a, stiffness: 1e9 N/m}}\n"
            "limits:\n  - {channel: a.travel, below: 1 m}\n"
            "run: {duration: 10 s, step: 0.1 s, method: rk4}\n")
          .string(),
      {});
  const std::string check = "python3 " + in_source("tools/check-summary") + files + " > " + (folder / "wrong").string();
  EXPECT_EQ(std::system(check.c_str()), 0) << text_of(folder / "wrong");
}

}  // namespace
}  // namespace davit::app::test
