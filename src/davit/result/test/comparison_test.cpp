// Summaries read back, whoever wrote them, and runs side by side.
#include "davit/result/comparison.hpp"

#include <nlohmann/json.hpp>

#include "davit/result/recorder.hpp"
#include "davit/result/report.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/summary_reader.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

const std::vector<ChannelInfo> channels{{"hoist.tension", "N", "tension", "rope", true, "tensions"},
                                        {"load.z", "m", "height", "body", true, ""},
                                        {"still", "m", "nothing", "body", true, ""}};

// Everything that a summary can say, with numbers that are not finite.
RunSummary full_summary() {
  RunSummary s;
  s.title = "A <lift>";
  s.status = "complete";
  s.created = "2026-01-02T03:04:05Z";
  s.files = {{"report", "report.html"}, {"result", "result.h5"}};
  s.versions = {{"compiler", "c"}, {"davit", "1"}};
  s.method = "rk4: order 4";
  s.step = 0.01;
  s.seed = 7;
  s.simulated_time = 10;
  s.wall_time = 0.5;
  s.real_time_factor = 20;
  s.steps = 1000;
  s.rejected_steps = 1;
  s.evaluations = 4000;
  s.step_advice = "a good step";
  s.quality.checks = {{"error", 2e-5, 1e-5, "", "smaller steps"}};
  s.quality.peaks = {{"hoist.tension", "N", 3, 1.2e6, 1.21e6, 1.5e6, 1.5e6, false}};
  s.quality.remarks = {"two loads were not looked at again"};
  s.warnings = {"careful"};
  CheckedLimit below{{.channel = "hoist.tension", .bound = 1.5e6, .until = 8, .phase = "up", .text = "WLL"}, "N", {}};
  below.limit.written = {"kN", 1e-3};
  below.result = {true, true, 100, 0, 1.5e6, 1.2e6, 3.0, {}, 0.8};
  CheckedLimit beyond{{.channel = "load.z", .side = Limit::Side::above, .bound = -1}, "m", {}};
  beyond.result = {false, true, 100, 0, -1.0, -2.0, 4.0, 3.5, 2.0};
  CheckedLimit infinite{{.channel = "load.z", .bound = -1}, "m", {}};
  infinite.result = {false, true, 100, 0, -1.0, 2.0, 4.0, 0.0, std::numeric_limits<double>::infinity()};
  s.limits = {below, beyond, infinite};
  s.phases = {{"up", "done", 1, 5}, {"down", "not begun", {}, {}}};
  RopeUse rope;
  rope.name = "hoist";
  rope.largest = 1.2e6;
  rope.largest_time = 3;
  rope.at_rest = 1e6;
  rope.mbl = 5e6;
  rope.stiffness = 1e8;
  rope.length = 20;
  rope.skew_factor = 1.1;
  rope.phases = {{"up", 1e6, 1.2e6, 3, false}, {"down", {}, 1e3, 9, true}};
  s.ropes = {rope};
  s.ropes_at_rest = "at rest at the start";
  s.extremes.motions = {
      {"load", {0, 0, 1}, {1, 1, 3}, {2, 3, {2, 0, 0}}, {1, 4, {0, 1, 0}}, TurnRange{{-1, 0, 0}, {1, 0, 0}}}};
  s.extremes.reactions = {{"boom", true, {1e6, 2, {1e6, 0, 0}}, {}}, {"pin", false, {1e5, 2, {1e5, 0, 0}}, {}}};
  s.extremes.lugs = {{"load.lug", "hoist", "load", {1.2e6, 3, {0, 0, 1.2e6}}}};
  s.extremes.hooks = {{"load", 1e6, 1e6, {1.2e6, 3}}};
  s.extremes.contacts = {{"deck.normal", {1e6, 0}}};
  s.extremes.clearances = {{"boom.distance", {2, 7}}};
  s.floating = {{"barge", {0, 0, -0.1}, {0.01, 0, 0}}};
  s.assumptions = {"Bodies are rigid."};
  s.modes = {{0.1, 10, 0.02, "load swings"}};
  s.modes_left_out = "3 oscillations";
  s.facts = {{"bodies", 3, "", ""}, {"vessel", {}, "", "floats"}};
  s.model.bodies = {{"load", 1e5, {0, 0, 1}, "world", "free"}};
  s.model.forces = {{"gravity", "9.81"}};
  s.model.controllers = {{"pid", "holds"}};
  s.surroundings = {{"waves, as given", {}, "", "hs: 2 m"}};
  s.title_block.project = "Bridge";
  for (const ChannelInfo& channel : channels) s.channels.push_back({channel, {}});
  s.channels[0].statistics = {100, 1, 0, 0, 1.2e6, 3, 1e6, 1e5, 1e6, 1e6};
  s.channels[1].statistics = {100, 0, 1, 0, 3, 5, 2, 0.5, 1, 3};
  s.channels[2].statistics = {100, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  return s;
}

struct WrittenRun {
  TempFolder folder;
  explicit WrittenRun(double scale = 1) {
    Recorder recorder(folder / "result.h5", sample_header(), channels);
    for (int i = 0; i <= 100; ++i) recorder.append(0.1 * i, std::vector<double>{scale * 1e4 * i, 0.1 * i, 0});
    recorder.finish();
  }
  Result result() const { return Result::open(folder / "result.h5"); }
};

TEST(SummaryReader, WritesAgainWhatItRead) {
  const std::string text = summary_json(full_summary());
  EXPECT_EQ(summary_json(parse_summary(text, "summary.json")), text);
}

// Descriptions of channels are in the result, not in the summary.
TEST(SummaryReader, ReadsBackTheSame) {
  RunSummary written = full_summary();
  written.replay = false;
  written.units = html::UnitSystem::si;
  for (ChannelStatistics& c : written.channels) c.channel = {.name = c.channel.name, .unit = c.channel.unit};
  EXPECT_EQ(parse_summary(summary_json(written), "summary.json"), written);
}

TEST(SummaryReader, WhatIsNotFiniteIsNoNumber) {
  RunSummary written = full_summary();
  written.step = written.extremes.motions[0].low[1] = written.extremes.hooks[0].largest.value = NAN;
  const RunSummary read = parse_summary(summary_json(written), "summary.json");
  EXPECT_TRUE(std::isnan(read.step));
  EXPECT_TRUE(std::isnan(read.extremes.motions[0].low[1]));
  EXPECT_TRUE(std::isnan(read.extremes.hooks[0].largest.value));
  // A limit that holds from the beginning to the end.
  EXPECT_EQ(read.limits[1].limit.from, -INFINITY);
  EXPECT_EQ(read.limits[1].limit.until, INFINITY);
}

TEST(SummaryReader, TheReportOfItIsTheSame) {
  const WrittenRun run;
  const RunSummary summary = full_summary();
  const Result result = run.result();
  RunSummary read = parse_summary(summary_json(summary), "summary.json");
  describe_channels(read, result);
  RunSummary described = summary;
  describe_channels(described, result);
  EXPECT_EQ(report_html(read, result), report_html(described, result));
}

// An error of a user's file names the file and what to do.
void expect_refused(const std::string& text) {
  try {
    parse_summary(text, "dir/summary.json");
    FAIL() << "accepted: " << text.substr(0, 80);
  } catch (const ResultError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("dir/summary.json"), std::string::npos) << words;
    EXPECT_NE(words.find("run the scenario again"), std::string::npos) << words;
    EXPECT_LT(words.size(), 600u);
  }
}

TEST(SummaryReader, RefusesWhatIsNoSummary) {
  for (const char* text :
       {"", "null", "[]", "{", "{}", "3", "\"text\"", "{\"title\": \"a\"}", "\x89HDF", "{\"title\": 1e999}"})
    expect_refused(text);
  expect_refused(std::string(1'000'000, '['));
}

// Every value in turn is one of another type: it is refused, or was not looked at; nothing else happens.
TEST(SummaryReader, EveryValueOfAnotherType) {
  const auto good = nlohmann::json::parse(summary_json(full_summary())).flatten();
  const nlohmann::json others[] = {nullptr, true, -1, 3.5, "text", nlohmann::json::array(), nlohmann::json::object()};
  int refused = 0;
  for (const auto& [place, value] : good.items())
    for (const nlohmann::json& other : others) {
      nlohmann::json changed = good;
      changed[place] = other;
      std::string text;
      try {
        text = changed.unflatten().dump();
      } catch (const nlohmann::json::exception&) {
        continue;  // arrays and objects have no place in a flattened value
      }
      try {
        parse_summary(text, "summary.json");
      } catch (const ResultError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 500);
}

// Bytes changed, cut and doubled.
TEST(SummaryReader, DamagedTexts) {
  const std::string good = summary_json(full_summary());
  std::uint32_t random = 1;
  const auto next = [&] { return random = random * 1664525U + 1013904223U; };
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (unsigned k = 0; k <= next() % 4; ++k) {
      const std::size_t at = (next() >> 8U) % text.size();
      if (next() % 3 == 0)
        text.erase(at, 1 + (next() >> 8U) % 40);
      else if (next() % 2 == 0)
        text.insert(at, text.substr((next() >> 8U) % text.size(), 20));
      else
        text[at] = static_cast<char>(next() >> 24U);
      if (text.empty()) text = "x";
    }
    try {
      const RunSummary read = parse_summary(text, "summary.json");
      comparison_html({{"a", read, nullptr}, {"b", read, nullptr}});
    } catch (const ResultError&) {}
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Comparison, ShowsRunsSideBySide) {
  const WrittenRun one, two(1.1);
  const Result first = one.result(), second = two.result();
  RunSummary calm = full_summary(), storm = full_summary();
  storm.seed = 8;
  storm.ropes[0].largest = 1.8e6;
  storm.limits[0].result.passed = false;
  storm.limits[0].result.first_exceeded = 2;
  storm.channels[0].statistics.max = 1.8e6;
  const std::string page = comparison_html({{"calm", calm, &first}, {"storm<1>", storm, &second}});
  for (const char* part : {"calm and storm&lt;1&gt;", "1 of 3 limits passed", "0 of 3 limits passed", "+50.0 %",
                           "hoist.tension ≤ 1500 kN", "class=\"curve c1 d1\"", "in phase up", "36.0 % of MBL"})
    EXPECT_TRUE(has(page, part)) << part;
  EXPECT_FALSE(has(page, "<b>still</b>")) << "curves that are zero throughout are not plotted";
  EXPECT_FALSE(has(page, "storm<1>"));
}

TEST(Comparison, LimitsOfARunThatStoppedAreUndecided) {
  const WrittenRun one;
  const Result result = one.result();
  RunSummary stopped = full_summary();
  stopped.status = "stopped: at 1 s";
  for (auto& limit : stopped.limits) limit.result = {.passed = false, .complete = false, .samples = 3};
  std::string page = comparison_html({{"a", full_summary(), &result}, {"b", stopped, nullptr}});
  EXPECT_TRUE(has(page, "3 limits undecided")) << page;
  EXPECT_FALSE(has(page, "0 of 3 limits passed"));
  stopped.limits[0].result.first_exceeded = 0.5;
  page = comparison_html({{"a", full_summary(), &result}, {"b", stopped, nullptr}});
  EXPECT_TRUE(has(page, "1 of 3 limits exceeded, 2 undecided")) << page;
}

TEST(Comparison, RunsThatHaveNothingInCommon) {
  const WrittenRun one;
  const Result result = one.result();
  RunSummary other;
  other.title = "another";
  other.status = "broken: at 1 s";
  const std::string page = comparison_html({{"a", full_summary(), &result}, {"b", other, nullptr}});
  EXPECT_TRUE(has(page, "broken: at 1 s"));
  EXPECT_TRUE(has(page, "no limits"));
}

}  // namespace
}  // namespace davit::result::test
