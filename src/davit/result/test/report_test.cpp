#include "davit/result/report.hpp"

#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "davit/math/constants.hpp"
#include "davit/result/recorder.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

// A lift as a user might report it, with names that would do harm if they were not escaped.
struct Sample {
  TempFolder folder;
  RunSummary summary;
  ReportPictures pictures;

  std::filesystem::path file() const { return folder / "result.h5"; }

  explicit Sample(double seconds = 120) {
    const std::vector<ChannelInfo> channels{
        {"hoist.tension", "N", "tension at the drum", "rope hoist", true, "Rope tensions"},
        {"sling<1>.tension", "N", "tension of \"sling\" 1 & 2", "rope sling<1>", true, "Rope tensions"},
        {"king.angle", "rad", "angle of the king", "joint king", true, "Joint angles"},
        {"boom.angle", "rad", "angle of the boom", "joint boom", true, "Joint angles"},
        {"load.z", "m", "height of the load's centre", "body load", true, "Load position"},
        {"ship.roll", "rad", "roll", "vessel ship", true, ""},
        {"king.moment", "N*m", "moment in the king's bearing", "joint king, reaction, Cibicik & Egeland (50)", false,
         ""}};
    const std::vector<Limit> limits{
        {.channel = "hoist.tension", .bound = 3.2e6, .until = 90, .text = "rope", .asked = "0.3 * mbl"},
        {.channel = "sling<1>.tension", .bound = 0.66e6, .text = "WLL of the sling"},
        {.channel = "sling<1>.tension", .side = Limit::Side::above, .bound = 0, .text = "never slack"},
        {.channel = "load.z", .side = Limit::Side::above, .bound = 2.0, .text = "clearance over the deck"},
        {.channel = "king.angle", .bound = 1.0, .text = "slew stops"},
        {.channel = "king.angle", .side = Limit::Side::above, .bound = -1.0, .text = "slew stops"}};
    RunHeader header = sample_header();
    header.title = "Supply ship lifts 150 t <in> a 4 m sea";
    header.scenario = "davit: 1\ntitle: \"<script>alert('no')</script>\" & more\nrun: {duration: 120 s}\n";
    Recorder recorder(file(), header, channels);
    LimitMonitor monitor(limits, channels);
    StatisticsMonitor statistics(channels.size());
    for (double t = 0; t <= seconds; t += 0.01) {
      const double sea = std::sin(1.3 * t) + 0.6 * std::sin(0.97 * t + 1) + 0.3 * std::sin(2.1 * t + 2);
      const std::vector<double> row{1.5e6 * (1 + 0.25 * sea) + 8e4 * std::sin(9 * t),
                                    0.42e6 * (1 + 0.3 * sea),
                                    0.6 * (1 - std::cos(pi * std::min(t / 60, 1.0))) / 2 + 0.01 * sea,
                                    0.9 + 0.02 * sea,
                                    4 + 6 * std::min(t / 80, 1.0) + 0.8 * sea,
                                    t > 70 && t < 72 ? std::nan("") : 0.05 * sea,
                                    4.2e7 * (1 + 0.2 * sea)};
      recorder.append(t, row);
      monitor.add(t, row);
      statistics.add(t, row);
    }
    recorder.finish();

    summary.title = header.title;
    summary.status = "complete";
    summary.files = {{"result", "result.h5"}, {"summary", "summary.json"}};
    summary.versions = {{"davit", "0.1.0"}, {"compiler", "g++ 12"}};
    summary.method = header.method;
    summary.step = 0.01;
    summary.seed = 7;
    summary.simulated_time = seconds;
    summary.wall_time = 8.13;
    summary.real_time_factor = seconds / 8.13;
    summary.steps = 12000;
    summary.rejected_steps = 3;
    summary.evaluations = 25012;
    summary.step_advice = "A step of 20 ms would keep the error of the tensions below 1 %.";
    summary.warnings = {"rope 'sling<1>' went slack 3 times", "the step is close to the stability limit"};
    const auto checked = monitor.results(true);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const std::string unit = i < 3 ? "N" : i == 3 ? "m" : "rad";
      summary.limits.push_back({limits[i], unit, checked[i]});
    }
    const auto each = statistics.results();
    for (std::size_t c = 0; c < channels.size(); ++c) summary.channels.push_back({channels[c], each[c]});
    summary.modes = {{0.157, 6.37, 0.012, "load swings athwartships"}, {0.082, 12.2, 0.045, "ship rolls"}};
    summary.facts = {{.name = "bodies", .value = 5},
                     {.name = "joints", .value = 4},
                     {.name = "degrees of freedom", .value = 10},
                     {.name = "total mass", .value = 6.348e6, .unit = "kg"},
                     {.name = "formulation", .text = "tree joints, Kane"}};

    const auto box = [](Point a, Point b) {
      return std::vector<std::vector<Point>>{
          {a, {b[0], a[1], a[2]}, {b[0], b[1], a[2]}, {a[0], b[1], a[2]}, a},
          {{a[0], a[1], b[2]}, {b[0], a[1], b[2]}, b, {a[0], b[1], b[2]}, {a[0], a[1], b[2]}},
          {a, {a[0], a[1], b[2]}},
          {{b[0], a[1], a[2]}, {b[0], a[1], b[2]}},
          {{b[0], b[1], a[2]}, b},
          {{a[0], b[1], a[2]}, {a[0], b[1], b[2]}}};
    };
    pictures.drawing = {{"ship", box({-40, -10, -5}, {40, 10, 4})}, {"king", box({-1, 6, 4}, {1, 8, 12})},
                        {"boom", {{{0, 7, 12}, {14, 12, 24}}}},     {"jib", {{{14, 12, 24}, {22, 16, 22}}}},
                        {"hoist", {{{22, 16, 22}, {22, 16, 9}}}},   {"load <150 t>", box({20, 14, 6}, {24, 18, 9})}};
    summary.model.bodies = {{"ship", 6e6, {0, 0, 1.2}, "world", "free"},
                            {"king", 120e3, {0, 0, 2}, "ship", "revolute z"},
                            {"boom", 60e3, {8.2, 0, 0}, "king", "revolute y"},
                            {"load <150 t>", 150e3, {0, 0, 0}, "world", "free"}};
    summary.model.forces = {{"gravity", "9.81 m/s² downwards"}, {"waves", "JONSWAP, Hs = 4 m, Tp = 4.8 s"}};
    summary.model.controllers = {{"tip", "computed torque moves boom.tip by 0.5 m over 2 s"}};
  }

  std::string page() const { return report_html(summary, Result::open(file()), pictures); }
};

// Every element that is opened is closed, in order. Text and attributes may not hold a stray '<'.
void expect_well_formed(const std::string& page) {
  static const std::vector<std::string> no_end{"!DOCTYPE", "meta", "br"};
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != page.npos; at = page.find('<', at)) {
    const bool closing = page[at + 1] == '/';
    std::size_t end = at + 1 + closing;
    while (std::isalnum(static_cast<unsigned char>(page[end])) || page[end] == '!') ++end;
    const std::string name = page.substr(at + 1 + closing, end - at - 1 - closing);
    ASSERT_FALSE(name.empty()) << "a stray '<' in: " << page.substr(at, 80);
    bool quoted = false;
    while (end < page.size() && (quoted || page[end] != '>')) {
      ASSERT_FALSE(page[end] == '<') << page.substr(at, 80);
      if (page[end] == '"') quoted = !quoted;
      ++end;
    }
    ASSERT_LT(end, page.size());
    const bool self_closing = page[end - 1] == '/';
    if (closing) {
      ASSERT_FALSE(open.empty()) << "nothing to close for " << name;
      ASSERT_EQ(open.back(), name);
      open.pop_back();
    } else if (!self_closing && std::find(no_end.begin(), no_end.end(), name) == no_end.end()) {
      open.push_back(name);
      // The content of these is not markup.
      if (name == "script" || name == "style") end = page.find("</" + name, end) - 1;
    }
    at = end + 1;
  }
  EXPECT_TRUE(open.empty()) << open.back() << " is never closed";
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

TEST(Report, IsOneWellFormedPage) {
  const Sample sample;
  const std::string page = sample.page();
  expect_well_formed(page);
  EXPECT_EQ(page.find("http:"), page.npos);
  EXPECT_EQ(page.find("https:"), page.npos);
  EXPECT_EQ(page.find("<script src"), page.npos);
  EXPECT_EQ(page.find("<link"), page.npos);
  EXPECT_EQ(page.find("<img"), page.npos);
  EXPECT_EQ(page.find("@import"), page.npos);
  EXPECT_LT(page.size(), 600'000u);
  for (const char* heading : {"Warnings", "Limits", "Time histories", "Model", "Modes", "Extremes", "How it was run",
                              "Scenario", "Bodies", "Forces", "Controllers"}) {
    EXPECT_NE(page.find(std::string(">") + heading + "<"), page.npos) << heading;
  }
  EXPECT_EQ(count(page, "<figure class=\"view\""), 3u);
  EXPECT_EQ(count(page, "<figure class=\"plot\""), 4u);
  // DAVIT_TEST_REPORT=FILE keeps the page, to look at it.
  if (const char* path = std::getenv("DAVIT_TEST_REPORT")) std::ofstream(path) << page;
}

TEST(Report, EscapesWhatUsersWrote) {
  const Sample sample;
  const std::string page = sample.page();
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(&#39;no&#39;)&lt;/script&gt;&quot; &amp; more"), page.npos);
  EXPECT_EQ(page.find("sling<1>"), page.npos);
  EXPECT_NE(page.find("sling&lt;1&gt;.tension"), page.npos);
  EXPECT_NE(page.find("150 t &lt;in&gt; a 4 m sea</title>"), page.npos);
  EXPECT_NE(page.find("load &lt;150 t&gt;"), page.npos);
  EXPECT_NE(page.find("title=\"tension of &quot;sling&quot; 1 &amp; 2\""), page.npos);
}

TEST(Report, TheDataBesideEachPlotIsJsonAndSmall) {
  const Sample sample;
  const std::string page = sample.page();
  const std::string mark = "<script type=\"application/json\">";
  std::size_t plots = 0;
  for (std::size_t at = page.find(mark); at != page.npos; at = page.find(mark, at + 1), ++plots) {
    const std::size_t begin = at + mark.size();
    const auto data = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
    for (const auto& curve : data["curves"]) {
      ASSERT_EQ(curve["t"].size(), curve["v"].size());
      EXPECT_LE(curve["t"].size(), 2000u);
      EXPECT_GT(curve["t"].size(), 1000u);
    }
    if (plots == 0) {
      EXPECT_EQ(data["unit"], "kN");
      EXPECT_EQ(data["curves"][1]["name"], "sling<1>.tension");
      ASSERT_EQ(data["limits"].size(), 3u);
      EXPECT_EQ(data["limits"][0]["value"], 3200);
    }
  }
  EXPECT_EQ(plots, 4u);
}

TEST(Report, TheVerdictFollowsTheRun) {
  Sample sample(20);
  const auto verdict = [&] {
    const std::string page = sample.page();
    const std::size_t at = page.find("<div class=\"verdict");
    return page.substr(at, page.find("</div>", at) - at);
  };
  ASSERT_EQ(sample.summary.limits.size(), 6u);
  for (auto& limit : sample.summary.limits) limit.result.passed = true;
  EXPECT_NE(verdict().find("All 6 limits passed"), std::string::npos) << verdict();
  EXPECT_NE(verdict().find("verdict good"), std::string::npos);
  // A run of poor quality is never green.
  sample.summary.quality.checks = {{"local error per step", 3e-3, 1e-4, "", "take a step of 2 ms"}};
  EXPECT_NE(verdict().find("All 6 limits passed, but its numerical quality is poor"), std::string::npos) << verdict();
  EXPECT_NE(verdict().find("verdict warn"), std::string::npos);
  EXPECT_NE(sample.page().find("take a step of 2 ms"), std::string::npos);
  sample.summary.quality.checks[0].value = 1e-5;
  EXPECT_NE(verdict().find("verdict good"), std::string::npos);
  sample.summary.limits[1].result.passed = false;
  EXPECT_NE(verdict().find("1 of 6 limits exceeded"), std::string::npos) << verdict();
  EXPECT_NE(verdict().find("verdict bad"), std::string::npos);
  sample.summary.status = "broken: NaN in body <boom> at 12.3 s";
  EXPECT_NE(verdict().find("The run broke: NaN in body &lt;boom&gt; at 12.3 s"), std::string::npos) << verdict();
  sample.summary.status = "interrupted";
  EXPECT_NE(verdict().find("verdict warn"), std::string::npos);
  for (auto& limit : sample.summary.limits) limit.result = {.passed = false, .complete = false, .samples = 3};
  EXPECT_NE(verdict().find("All 6 limits are undecided"), std::string::npos) << verdict();
  EXPECT_EQ(sample.page().find(">passed<"), std::string::npos);
  sample.summary.status = "complete";
  sample.summary.limits.clear();
  EXPECT_NE(verdict().find("No limits were set"), std::string::npos) << verdict();
}

TEST(Report, AnEmptyRunMakesAPage) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder(path, {}, {{.name = "a", .main = true}}).finish("interrupted");
  const Result result = Result::open(path);
  expect_well_formed(report_html({}, result, {}));
  write_report({}, result, {}, folder / "report.html");
  EXPECT_EQ(read_text(folder / "report.html"), report_html({}, result, {}));
  EXPECT_THROW(write_report({}, result, {}, folder / "absent/report.html"), std::runtime_error);
}

TEST(Report, OddSeriesMakeAPage) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, {},
                      {{.name = "constant", .main = true},
                       {.name = "nan", .main = true},
                       {.name = "huge", .main = true},
                       {.name = "zero", .main = true}});
    for (int i = 0; i < 3; ++i) recorder.append(5, std::vector<double>{7, std::nan(""), i * 1e300, 0});
    recorder.finish();
  }
  const std::string page = report_html({}, Result::open(path), {});
  expect_well_formed(page);
  EXPECT_EQ(count(page, "<figure class=\"plot\""), 4u);
  const std::size_t script = page.find("<script>");
  EXPECT_EQ(page.substr(0, script).find("nan "), page.npos);
  EXPECT_EQ(page.substr(0, script).find("inf"), page.npos);
}

}  // namespace
}  // namespace davit::result::test
