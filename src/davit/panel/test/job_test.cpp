// Jobs: what is asked for, what follows from it, what is refused, and that a solved job is found again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <numbers>

#include "davit/hydro/convert.hpp"
#include "davit/input/overlay.hpp"
#include "davit/panel/solution_cache.hpp"
#include "davit/panel/solve_job.hpp"

using namespace davit;
using namespace davit::panel;

namespace {

struct Asked {
  input::Problems problems;
  std::optional<JobPlan> plan;
  JobSpec job;

  explicit Asked(const std::vector<std::string>& settings) {
    input::Node node = input::map_node();
    for (const std::string& setting : settings) input::apply_setting(node, setting, problems);
    job = input::read<JobSpec>(node, problems);
    if (!problems.has_errors()) plan = plan_job(job, 1, problems);
  }
  std::string words() const { return problems.to_text(); }
  bool says(const std::string& text) const { return words().find(text) != std::string::npos; }
};

const std::string box = "bodies.a.hull=\"barge: 40 x 16 x 5 m\"";

}  // namespace

TEST(Job, a_barge_floats_at_its_mass) {
  const Asked asked({box, "bodies.a.mass=1312 t", "bodies.a.panel_size=4 m"});
  ASSERT_TRUE(asked.plan) << asked.words();
  const FloatingHull& hull = asked.plan->hulls[0];
  EXPECT_NEAR(hull.statics.draft, 2, 1e-6);
  EXPECT_NEAR(hull.body.loading->mass, 1312e3, 1e-6);
  EXPECT_EQ(asked.plan->images, 4);
  EXPECT_EQ(asked.plan->frequencies.size(), 60u);
  // From 0 to 180 degrees, the rest is the mirror image: every 2.5 degrees, as drift in a tenth of the hull's length
  // needs.
  EXPECT_EQ(asked.plan->headings.size(), 73u);
}

TEST(Job, headings_follow_the_shortest_wave) {
  const auto count = [&](const std::vector<std::string>& more) {
    std::vector<std::string> settings{box, "bodies.a.mass=1312 t", "bodies.a.panel_size=4 m"};
    settings.insert(settings.end(), more.begin(), more.end());
    return Asked(settings).plan->headings.size();
  };
  EXPECT_EQ(count({"drift=false"}), 46u);  // every 4 degrees
  EXPECT_EQ(count({"frequencies.to=0.8"}), 13u);
  EXPECT_EQ(count({"heading_step=7 deg"}), 27u);
}

TEST(Job, headings_of_a_list_are_sorted_and_wrapped) {
  const Asked asked({box, "bodies.a.mass=1312 t", "bodies.a.panel_size=4 m", "drift=false", "frequencies.list=[0.8]",
                     "headings=[90 deg, 0 deg, 270 deg, -180 deg, 180 deg, 360 deg]"});
  ASSERT_TRUE(asked.plan) << asked.words();
  const double half = std::numbers::pi / 2;
  ASSERT_EQ(asked.plan->headings.size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(asked.plan->headings[i], half * (static_cast<double>(i) - 1), 1e-12);
  const hydro::Database database = run_job(*asked.plan);
  EXPECT_LT(database.excitation[0](1, 0).imag(), 0);  // towards −y
  EXPECT_GT(database.excitation[2](1, 0).imag(), 0);
}

// Two barges side by side lose a plane of symmetry each: their panels are still no more than allowed.
TEST(Job, panels_of_several_hulls_are_limited) {
  const Asked asked({box, "bodies.a.draft=2 m", "bodies.b.hull=\"barge: 40 x 16 x 5 m\"", "bodies.b.draft=2 m",
                     "bodies.b.at=[0, 20 m]", "most_panels=600"});
  ASSERT_TRUE(asked.plan) << asked.words();
  EXPECT_LE(asked.plan->panels, 600);
  EXPECT_GE(asked.plan->panels, 400);
}

// Too few panels for the waves: found, and made smaller where the user did not say their size.
TEST(Job, coarse_panels_are_found_and_refined) {
  const std::vector<std::string> settings{box, "bodies.a.mass=1312 t", "frequencies.list=[1.2, 2.2, 2.6]",
                                          "drift=false"};
  auto coarse = settings;
  coarse.push_back("bodies.a.panel_size=5 m");
  const Asked given(coarse);
  Accuracy accuracy;
  run_job(*given.plan, {}, &accuracy);
  EXPECT_FALSE(accuracy.good()) << accuracy.force << " " << accuracy.damping;
  EXPECT_FALSE(refined(given.job, *given.plan, 1));

  const Asked free(settings);
  run_job(*free.plan, {}, &accuracy);
  EXPECT_TRUE(accuracy.good()) << accuracy.force << " " << accuracy.damping;
  const auto finer = refined(free.job, *free.plan, 1);
  ASSERT_TRUE(finer);
  EXPECT_GT(finer->panels, 1.5 * free.plan->panels);
}

TEST(Job, a_weight_off_the_middle_heels_the_barge) {
  // Wall-sided: tan φ (GM + ½ BM tan² φ) = y; GM = 1 + 16²/24 − KG.
  const Asked asked({box, "bodies.a.mass=1312 t", "bodies.a.centre=[0, 0.5, 3]", "bodies.a.panel_size=4 m"});
  ASSERT_TRUE(asked.plan) << asked.words();
  const FloatingHull& hull = asked.plan->hulls[0];
  const double bm = 16.0 * 16 / 24, gm = 1 + bm - 3;
  const double tangent = hull.pose.R(2, 1) / hull.pose.R(2, 2);
  EXPECT_NEAR(std::abs(tangent) * (gm + 0.5 * bm * tangent * tangent), 0.5, 2e-3);
  EXPECT_LT(hull.body.loading->centre.y() * tangent, 0);  // it goes down on the side of the weight
  EXPECT_EQ(asked.plan->images, 2);                       // fore and aft are still alike
}

TEST(Job, mistakes_are_named) {
  EXPECT_TRUE(Asked({box}).says("how deep the hull floats"));
  EXPECT_TRUE(Asked({box, "bodies.a.draft=6 m"}).says("more than the hull's depth"));
  EXPECT_TRUE(Asked({box, "bodies.a.mass=9000 t"}).says("the hull sinks"));
  EXPECT_TRUE(Asked({"bodies.a.hull=\"boat: 3 m\""}).says("boat"));
  EXPECT_TRUE(Asked({"bodies.a.hull=nowhere.gdf"}).says("nowhere.gdf"));
  EXPECT_TRUE(Asked({box, "bodies.a.draft=2 m", "frequencies.list=[2, 1]"}).says("do not ascend"));
  EXPECT_TRUE(
      Asked({box, "bodies.a.draft=2 m", "bodies.a.kg=2 m", "bodies.a.centre=[0, 0, 2]"}).says("leave one of them out"));
  EXPECT_TRUE(Asked({box, "bodies.a.draft=2 m", "bodies.a.mass=2000 t"}).says("is not what the hull displaces"));
  EXPECT_TRUE(Asked({box, "bodies.a.draft=2 m", "bodies.a.kg=14 m"}).says("not stable"));
}

TEST(Job, solved_once) {
  const auto folder = std::filesystem::temp_directory_path() / "davit_cache_test";
  std::filesystem::remove_all(folder);
  setenv("DAVIT_CACHE", folder.c_str(), 1);
  const Asked asked(
      {box, "bodies.a.draft=2 m", "bodies.a.panel_size=4 m", "frequencies.count=3", "frequencies.to=1.2"});
  ASSERT_TRUE(asked.plan) << asked.words();
  EXPECT_FALSE(find_in_cache(asked.job));
  int told = 0;
  const hydro::Database solved = run_job(*asked.plan, [&](const JobProgress& p) { told = p.done; });
  EXPECT_EQ(told, 5);
  keep_in_cache(asked.job, solved);
  const auto found = find_in_cache(asked.job);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->added_mass[1], solved.added_mass[1]);
  EXPECT_EQ(found->excitation[2], solved.excitation[2]);
  EXPECT_FALSE(find_in_cache(Asked({box, "bodies.a.draft=2.5 m"}).job));
  std::filesystem::remove_all(folder);
}

// The same bits with any number of threads.
TEST(Job, threads_do_not_matter) {
  const Asked asked(
      {box, "bodies.a.draft=2 m", "bodies.a.panel_size=4 m", "frequencies.count=6", "frequencies.to=1.8"});
  ASSERT_TRUE(asked.plan);
  JobPlan many = *asked.plan;
  many.threads = 4;
  const hydro::Database a = run_job(*asked.plan), b = run_job(many);
  EXPECT_EQ(a.added_mass, b.added_mass);
  EXPECT_EQ(a.damping, b.damping);
  EXPECT_EQ(a.excitation, b.excitation);
}

// Far apart two hulls are alone; side by side they are not, and what one does to the other is mutual.
TEST(Job, two_barges) {
  const std::vector<std::string> one = {box, "bodies.a.draft=2 m", "bodies.a.panel_size=4 m", "frequencies.list=[0.9]",
                                        "headings=[0.6]"};
  const Asked alone(one);
  const auto beside = [&](double distance) {
    std::vector<std::string> two = one;
    two.insert(two.end(), {"bodies.b.hull=\"barge: 40 x 16 x 5 m\"", "bodies.b.draft=2 m", "bodies.b.panel_size=4 m",
                           "bodies.b.at=[0, " + std::to_string(distance) + "]"});
    const Asked asked(two);
    EXPECT_TRUE(asked.plan) << asked.words();
    return run_job(*asked.plan);
  };
  const hydro::Database single = run_job(*alone.plan), near = beside(22), far = beside(40000);
  EXPECT_EQ(near.bodies[1].reference, Vec3(0, 22, 0));
  EXPECT_NEAR(far.added_mass[0](2, 2) / single.added_mass[0](2, 2), 1, 0.02);
  EXPECT_GT(std::abs(near.added_mass[0](2, 2) / single.added_mass[0](2, 2) - 1), 0.02);
  for (const auto& [i, j] : {std::pair{2, 8}, {1, 7}, {1, 8}, {3, 8}}) {
    const double scale = std::sqrt(near.added_mass[0](i, i) * near.added_mass[0](j, j));
    EXPECT_NEAR(near.added_mass[0](i, j), near.added_mass[0](j, i), 0.01 * scale) << i << j;
  }
  // Alike hulls, mirrored in the plane between them, but for the tables of the Green function.
  EXPECT_NEAR(near.added_mass[0](2, 2), near.added_mass[0](8, 8), 2e-8 * near.added_mass[0](2, 2));
  // Far away the second hull's force is the first one's, later by the wave's way.
  const double phase = 0.81 / 9.80665 * 40000 * std::sin(0.6);
  EXPECT_NEAR(std::abs(far.excitation[0](8, 0) * std::polar(1.0, phase) - single.excitation[0](2, 0)), 0,
              0.03 * std::abs(single.excitation[0](2, 0)));
}
