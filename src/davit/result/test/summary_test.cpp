#include "davit/result/summary.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "support.hpp"

namespace davit::result::test {
namespace {

RunSummary sample_summary() {
  RunSummary summary;
  summary.title = "Lift \"A\" <&>\n\xC3\xA9";
  summary.status = "complete";
  summary.files = {{"z", "result.h5"}, {"a", "report.html"}};
  summary.seed = std::numeric_limits<std::uint64_t>::max();
  summary.step = 0.1 + 0.2;
  summary.wall_time = std::nan("");
  summary.real_time_factor = INFINITY;
  summary.warnings = {"one", "two"};
  summary.limits = {{{.channel = "hoist.tension", .bound = 3e6, .until = 60, .text = "rope", .asked = "0.3 * mbl"},
                     "N",
                     {.passed = true, .samples = 3, .bound = 3e6, .utilisation = 1.0 / 3}}};
  summary.modes = {{0.1, 10, 0.02, "swing"}};
  summary.facts = {{.name = "bodies", .value = 7}, {.name = "kind", .text = "tree"}};
  summary.channels = {{{.name = "x", .unit = "m"}, {}}};
  return summary;
}

TEST(Summary, IsValidJsonAtFullPrecision) {
  const auto json = nlohmann::json::parse(summary_json(sample_summary()));
  EXPECT_EQ(json["title"], "Lift \"A\" <&>\n\xC3\xA9");
  EXPECT_EQ(json["step"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json["seed"].get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(json["wall_time"].is_null());
  EXPECT_TRUE(json["real_time_factor"].is_null());
  EXPECT_EQ(json["limits"][0]["utilisation"].get<double>(), 1.0 / 3);
  EXPECT_EQ(json["limits"][0]["passed"], true);
  EXPECT_EQ(json["limits"][0]["below"], 3e6);
  EXPECT_EQ(json["limits"][0]["asked"], "0.3 * mbl");
  EXPECT_TRUE(json["limits"][0]["above"].is_null());
  EXPECT_TRUE(json["limits"][0]["from"].is_null());
  EXPECT_EQ(json["limits"][0]["until"], 60);
  EXPECT_TRUE(json["channels"][0]["mean"].is_null());
  EXPECT_EQ(json["modes"][0]["period_s"], 10);
  EXPECT_EQ(json["model"][1]["text"], "tree");
  EXPECT_EQ(json["warnings"].size(), 2u);
}

TEST(Summary, SaysWhatRopesCarried) {
  RunSummary summary = sample_summary();
  summary.ropes = {{.name = "hoist", .largest = 300, .at_rest = 200.0, .mbl = 1200.0, .skew_factor = 1.1},
                   {.name = "tag", .largest = 40, .at_rest = 0.01},
                   {.name = "slack", .largest = 0, .mbl = 10.0}};
  const auto json = nlohmann::json::parse(summary_json(summary));
  EXPECT_EQ(json["ropes"][0]["dynamic_amplification_factor"], 1.5);
  EXPECT_EQ(json["ropes"][0]["utilisation"], 0.25);
  EXPECT_EQ(json["ropes"][0]["safety_factor"], 4);
  EXPECT_EQ(json["ropes"][0]["skew_load_factor"], 1.1);
  // Next to nothing at rest, no breaking load, nothing carried.
  EXPECT_TRUE(json["ropes"][1]["dynamic_amplification_factor"].is_null());
  EXPECT_TRUE(json["ropes"][1]["utilisation"].is_null());
  EXPECT_EQ(json["ropes"][2]["utilisation"], 0);
  EXPECT_TRUE(json["ropes"][2]["safety_factor"].is_null());
}

TEST(Summary, FactorsOfPhasesAreOfWhatHangs) {
  RunSummary summary = sample_summary();
  summary.ropes = {{.name = "hoist", .largest = 300, .at_rest = 200.0}};
  summary.ropes[0].phases = {
      {"empty", 10.0, 20, 1, true}, {"lift", 200.0, 300, 5, false}, {"lost", std::nullopt, 30, 7, false}};
  const auto phases = nlohmann::json::parse(summary_json(summary))["ropes"][0]["phases"];
  EXPECT_TRUE(phases[0]["dynamic_amplification_factor"].is_null());
  EXPECT_EQ(phases[1]["dynamic_amplification_factor"], 1.5);
  EXPECT_TRUE(phases[2]["static_N"].is_null());
}

TEST(Summary, KeepsItsOrderAndItsBytes) {
  const std::string text = summary_json(sample_summary());
  EXPECT_EQ(text, summary_json(sample_summary()));
  std::size_t at = 0;
  for (const char* key : {"\"title\"", "\"status\"", "\"z\"", "\"a\"", "\"method\"", "\"limits\"", "\"modes\"",
                          "\"model\"", "\"channels\""}) {
    const std::size_t next = text.find(key, at);
    ASSERT_NE(next, text.npos) << key;
    at = next;
  }
}

TEST(Summary, TextThatIsNotUtf8DoesNotCostTheSummary) {
  RunSummary summary;
  summary.title = "bad \xFF byte";
  const auto json = nlohmann::json::parse(summary_json(summary));
  EXPECT_EQ(json["title"], "bad \xEF\xBF\xBD byte");
}

TEST(Summary, IsWrittenOrSaysWhyNot) {
  TempFolder folder;
  write_summary(sample_summary(), folder / "summary.json");
  EXPECT_EQ(read_text(folder / "summary.json"), summary_json(sample_summary()));
  EXPECT_THROW(write_summary({}, folder / "absent/summary.json"), std::runtime_error);
}

}  // namespace
}  // namespace davit::result::test
