// The frames that a run adds to the scene of its scenario.
#include <gtest/gtest.h>

#include "davit/run/sinks.hpp"
#include "davit/scene/scenario_scene.hpp"
#include "davit/scene/test/sheave_and_beam.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/test/read_scenario.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit {
namespace {

// At a rate of their own, whatever is recorded of channels; as the model had its bodies and ropes at that time.
TEST(Frames, AreTheMotionAtTheirOwnRate) {
  std::string text = test::sheave_and_beam;
  const Scenario coarse = test::read_scenario(text);
  text.replace(text.find("output: 250 ms"), 14, "output: 10 ms ");
  const Scenario fine = test::read_scenario(text);
  test::TempFolder folder;
  {
    const Start start = find_start(coarse);
    FileSink file(folder / "result.h5", {}, recorded_channels(coarse), 3, scene_of(coarse, start.state));
    Simulation(coarse, start, {.sinks = {&file}}).run();
  }
  MemorySink seen(true);
  Simulation(fine, find_start(fine), {.sinks = {&seen}}).run();

  const result::Result result = result::Result::open(folder / "result.h5");
  EXPECT_EQ(result.rows(), 3u);
  ASSERT_EQ(result.frames(), 11u);
  const result::FrameShape& shape = result.scene()->frames;
  const auto frames = unpack(shape, result.read_frames(0, 11));
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::size_t row = 5 * f;
    ASSERT_NEAR(frames[f].time, seen.times[row], 1e-9);
    for (std::size_t b = 0; b < 3; ++b)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(frames[f].bodies[b].at[static_cast<std::size_t>(k)], seen.poses[row][b].p[k], shape.length_step);
    const auto& line = seen.polylines[row][0].vertices;
    ASSERT_EQ(frames[f].lines[0].size(), line.size());
    bool touches = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_NEAR(frames[f].lines[0][i].tension, line[i].tension, shape.tension_step);
      const unsigned flags = frames[f].lines[0][i].flags;
      EXPECT_EQ((flags & result::LineVertex::sticks) != 0, line[i].contact == Polyline::Contact::sticks);
      EXPECT_EQ((flags & result::LineVertex::slips) != 0, line[i].contact == Polyline::Contact::slips);
      touches = touches || flags != 0;
    }
    EXPECT_TRUE(touches);  // the beam
  }
}

}  // namespace
}  // namespace davit
