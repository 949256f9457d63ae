#include "davit/result/report_loads.hpp"

#include <gtest/gtest.h>

#include "davit/result/report_parts.hpp"

namespace davit::result::test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

RunSummary lift() {
  RunSummary summary;
  summary.phases = {{"take_up", "done", 0, 10}, {"lift_off", "done", 10, 20}, {"slew", "not ended", 15, {}}};
  return summary;
}

TEST(ReportLoads, PhasesAreThoseThatGoOn) {
  const RunSummary summary = lift();
  EXPECT_EQ(phase_at(summary, -1), "");
  EXPECT_EQ(phase_at(summary, 5), "take_up");
  EXPECT_EQ(phase_at(summary, 17), "lift_off, slew");
  EXPECT_EQ(phase_at(summary, 1000), "slew");
  EXPECT_EQ(when_html(summary, std::nullopt), "–");
}

TEST(ReportLoads, NothingMakesNoSection) {
  const RunSummary summary;
  for (const auto& section : {rigging_section(summary), reactions_section(summary), contacts_section(summary),
                              motions_section(summary), floating_section(summary)})
    EXPECT_EQ(section, "");
}

TEST(ReportLoads, ReactionsHaveComponentsTimesAndPhases) {
  RunSummary summary = lift();
  summary.extremes.reactions = {{"boom<1>", true, {5e6, 5, {3e6, 4e6, 1e-3}}, {2e6, 17, {0, 0, 2e6}}},
                                {"idle", true, {}, {}},
                                {"pin", false, {1e6, 5, {1e6, 0, 0}}, {}}};
  const std::string html = reactions_section(summary);
  EXPECT_TRUE(has(html, "boom&lt;1&gt;"));
  EXPECT_TRUE(has(html, "<td class=\"n\">3000, 4000, 0</td>")) << html;
  EXPECT_TRUE(has(html, "17<small>lift_off, slew</small>"));
  EXPECT_TRUE(has(html, "constraint, in world axes"));
  EXPECT_FALSE(has(html, "idle")) << "what carries nothing is left out";
}

TEST(ReportLoads, PartsThatMoveAsOneShareARow) {
  RunSummary summary;
  const PointMotion motion{"crane", {0, 0, 0}, {1, 2, 3.0004}, {2, 5, {2, 0, 0}}, {1, 6, {0, 1, 0}}, {}};
  PointMotion same = motion, other = motion;
  same.name = "pedestal";
  other.name = "load";
  other.high[2] = 4;
  summary.extremes.motions = {motion, same, other};
  const std::string html = motions_section(summary);
  EXPECT_TRUE(has(html, ">crane, pedestal<"));
  EXPECT_TRUE(has(html, ">load<"));
  EXPECT_TRUE(has(html, "0 … 3<")) << html;
}

TEST(ReportLoads, RiggingHasStiffnessLengthHookLoadsAndLugs) {
  RunSummary summary = lift();
  RopeUse rope;
  rope.name = "sling";
  rope.largest = 4e5;
  rope.largest_time = 12;
  rope.at_rest = 2e5;
  rope.mbl = 2e6;
  rope.stiffness = 1.5e8;
  rope.length = 12.34567;
  rope.phases = {{"before the load", 1e3, 8e3, 1, true}, {"with the load", 2e5, 4e5, 12, false}};
  summary.ropes = {rope};
  summary.extremes.hooks = {{"load", 1e5, 1.5e5, {3e5, 12}}};
  summary.extremes.lugs = {{"load.lug", "sling", "load", {5e5, 12, {3e5, 0, 4e5}}}, {"unused", "sling", "load", {}}};
  const std::string html = rigging_section(summary);
  for (const char* part :
       {"EA [MN]", "12.35", "20.0 %", "Hook loads", "300, 0, 400", "36.87", "<td class=\"n\">2</td>"})
    EXPECT_TRUE(has(html, part)) << part << "\n" << html;
  EXPECT_FALSE(has(html, "unused"));
  EXPECT_TRUE(has(html, "with the load"));
  EXPECT_FALSE(has(html, "before the load")) << "an empty hook has no factor";
}

TEST(ReportLoads, FloatingShowsRestAndMotion) {
  RunSummary summary;
  summary.floating = {{"barge", {1, 2, -0.0885}, {0.01, 0, 0}}};
  summary.extremes.motions = {{"barge", {0, 0, -0.5}, {0, 0, 0.5}, {}, {}, TurnRange{{-0.1, 0, 0}, {0.1, 0, 0}}}};
  const std::string html = floating_section(summary);
  for (const char* part : {"1, 2, −0.089", "0.573, 0, 0", "−0.5 … 0.5", "−5.73 … 5.73"})
    EXPECT_TRUE(has(html, part)) << part << "\n" << html;
}

}  // namespace
}  // namespace davit::result::test
