// Feedback of plans from files: the gantry crane of block erection comes back to its way, and what cannot be is told.
#include "davit/planning/plan_feedback.hpp"

#include <gtest/gtest.h>

#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

struct Played {
  std::optional<PlanFeedback> feedback;
  std::string complaints;
};

Played play(const std::string& file, const std::vector<std::string>& settings = {}) {
  Played out;
  input::Problems problems;
  const auto scenario = load_scenario(in_source("scenarios/") + file, settings, problems);
  if (scenario)
    if (const auto plan = plan_scenario(*scenario, problems))
      out.feedback = play_with_feedback(*scenario, *plan, problems);
  out.complaints = problems.to_text();
  return out;
}

// As published: the block starts 1 m beside its way, trolleys have 50 kN, and it follows again within 40 s.
TEST(PlanFeedback, GantryBringsItsBlockBackWithin40Seconds) {
  const Played played = play("gantry_plan.yaml");
  ASSERT_TRUE(played.feedback) << played.complaints;
  const PlanFeedback& f = *played.feedback;
  ASSERT_TRUE(f.with.complete && f.without.complete && f.elastic && f.elastic->complete);
  EXPECT_NEAR(f.with.errors.front()[0], 1, 1e-3);
  EXPECT_GT(f.with.saturated, 0);
  for (const VecX& w : f.with.inputs) EXPECT_LE(w.segment(1, 2).cwiseAbs().maxCoeff(), 50e3);
  for (const auto* run : {&f.with, &*f.elastic})
    for (size_t k = 0; k < run->times.size(); ++k)
      if (run->times[k] > 40) ASSERT_LT(run->errors[k].cwiseAbs().maxCoeff(), 0.02) << run->times[k];
  EXPECT_LT(f.with.last.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(f.elastic->last.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT(f.without.last.cwiseAbs().maxCoeff(), 1);
}

// Its load swings about its eye, which the outputs do not show: laws that know of it damp it.
TEST(PlanFeedback, OverheadCraneComesToRest) {
  for (const std::string law : {"lqr", "set_point"}) {
    const Played played =
        play("overhead_crane_feedback.yaml", {"plan.feedback.law=" + law, "plan.disturb.mass.load=1"});
    ASSERT_TRUE(played.feedback) << played.complaints;
    const PlanFeedback& f = *played.feedback;
    ASSERT_TRUE(f.with.complete && f.elastic && f.elastic->complete) << law;
    EXPECT_LT(f.largest_multiplier, 1 + 1e-5) << law;
    EXPECT_LT(f.with.last.cwiseAbs().maxCoeff(), 0.1) << law;
    EXPECT_LT(f.elastic->last.cwiseAbs().maxCoeff(), 0.1) << law;
    EXPECT_GT(f.without.last.cwiseAbs().maxCoeff(), 1) << law;
  }
}

TEST(PlanFeedback, MistakesAreTold) {
  const auto complaint = [](const std::string& setting) {
    return play("overhead_crane_feedback.yaml", {setting}).complaints;
  };
  EXPECT_NE(complaint("plan.disturb.mass.lode=2").find("no body 'lode'"), std::string::npos);
  EXPECT_NE(complaint("plan.feedback.limits.hook=2 kN").find("'hook' is no input of the plan"), std::string::npos);
  EXPECT_NE(complaint("plan.feedback.sample_time=1 us").find("more than 2e+05 samples"), std::string::npos);
  EXPECT_NE(complaint("plan.feedback.sensor.delay=3 s").find("longer than 50 samples"), std::string::npos);
  EXPECT_NE(complaint("plan.disturb.shift.of=lode").find("lode"), std::string::npos);
}

}  // namespace
}  // namespace davit
