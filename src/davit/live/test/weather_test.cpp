// Weather that is changed on the fly is, when all has settled, that of a file that has it from the start.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/result/reader.hpp"
#include "davit/run/run.hpp"
#include "davit/test/source_tree.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::live {
namespace {

using operation::LeverVerb;
using operation::RecordedCommand;

class WeatherOnTheFly : public ::testing::Test {
 protected:
  Scenario load(const std::vector<std::string>& settings) {
    input::Problems problems;
    auto scenario = load_scenario(in_source("scenarios/ship_in_weather.yaml"), settings, problems);
    if (!scenario) throw std::runtime_error(problems.to_text());
    return *std::move(scenario);
  }
  // Every row of a channel.
  std::vector<double> run(const std::vector<std::string>& settings, const std::vector<RecordedCommand>& commands,
                          const std::string& channel) {
    Scenario scenario = load(settings);
    if (scenario.levers) scenario.levers->recorded = commands;
    RunSettings to;
    to.directory = folder / std::to_string(++runs);
    run_scenario(scenario, to);
    return read(runs, channel);
  }
  std::vector<double> read(int number, const std::string& channel) {
    const result::Result result = result::Result::open(folder / std::to_string(number) / "result.h5");
    for (size_t c = 0; c < result.channels().size(); ++c)
      if (result.channels()[c].name == channel) {
        std::vector<double> out(result.rows());
        result.read_channel(c, 0, out);
        return out;
      }
    throw std::runtime_error("no channel " + channel);
  }
  // The largest difference in the last fifth of two runs, of the largest value there.
  double apart(int one, int other, const std::string& channel) {
    const std::vector<double> a = read(one, channel), b = read(other, channel);
    EXPECT_EQ(a.size(), b.size());
    double difference = 0, size = 0;
    for (size_t i = 4 * a.size() / 5; i < a.size(); ++i) {
      difference = std::max(difference, std::abs(a[i] - b[i]));
      size = std::max(size, std::abs(b[i]));
    }
    EXPECT_GT(size, 0);
    return difference / size;
  }

  test::TempFolder folder;
  int runs = 0;
};

TEST_F(WeatherOnTheFly, IsThatOfTheFileWhileNobodyTouchesIt) {
  const std::vector<std::string> plain = {"run.duration=30 s"}, levers = {"run.duration=30 s", "levers.tick=100 ms"};
  run(plain, {}, "ship.roll");
  run(levers, {}, "ship.roll");
  // Steps land on ticks, so times differ by round-off.
  for (const char* channel : {"ship.roll", "ship.position_x", "load.angle1", "ship.wind_surge"})
    EXPECT_LT(apart(1, 2, channel), 1e-10) << channel;
}

TEST_F(WeatherOnTheFly, WavesGrow) {
  const std::vector<std::string> common = {"environment.wind=null",
                                           "environment.current=null",
                                           "forces=null",
                                           "vessels.ship.wind=null",
                                           "vessels.ship.current=null",
                                           "vessels.ship.equations=linear",
                                           "bodies=null",
                                           "run.plot=null",
                                           "limits=null",
                                           "environment.waves.gamma=2"};
  std::vector<std::string> grown = common, high = common;
  grown.push_back("levers.tick=50 ms");
  high.push_back("environment.waves.hs=3 m");
  run(grown, {{200, {LeverVerb::move, "sea.height", 1.5}}}, "ship.roll");
  run(high, {}, "ship.roll");
  for (const char* channel : {"ship.position_z", "ship.roll", "ship.pitch", "ship.wave_elevation", "ship.wave_heave"})
    EXPECT_LT(apart(1, 2, channel), 1e-3) << channel;
  EXPECT_NEAR(read(1, "sea.height").back(), 1.5, 1e-12);
}

TEST_F(WeatherOnTheFly, WindGrowsAndTurns) {
  const std::vector<std::string> common = {"environment.waves=null", "environment.current=null"};
  std::vector<std::string> grown = common, strong = common;
  grown.insert(grown.end(), {"levers.tick=50 ms", "environment.wind={speed: 8 m/s, heading: 130 deg}"});
  strong.push_back("environment.wind={speed: 12 m/s, heading: 150 deg}");
  run(grown, {{20, {LeverVerb::move, "wind.speed", 1.5}}, {40, {LeverVerb::move, "wind.direction", 20 * M_PI / 180}}},
      "ship.roll");
  run(strong, {}, "ship.roll");
  for (const char* channel : {"ship.wind_surge", "ship.wind_sway", "ship.wind_yaw", "wind_on_load.force"})
    EXPECT_LT(apart(1, 2, channel), 2e-3) << channel;
}

}  // namespace
}  // namespace davit::live
