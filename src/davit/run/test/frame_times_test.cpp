#include "davit/run/frame_times.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

const std::vector<result::ChannelInfo> channels{{.name = "hoist.tension", .unit = "N"},
                                                {.name = "load.z", .unit = "m"}};

// Steps of 10 ms; the values that channels have at a time.
template <typename Values>
std::vector<double> frames_of(FrameTimes times, double end, const Values& values) {
  std::vector<double> out;
  for (int i = 0; i * 0.01 < end; ++i) {
    const double t = 0.01 * i;
    times.watch(t, values(t));
    if (!times.due(t)) continue;
    out.push_back(t);
    times.recorded(t);
  }
  return out;
}

int between(const std::vector<double>& times, double from, double to) {
  int n = 0;
  for (const double t : times) n += t > from + 1e-9 && t < to - 1e-9;
  return n;
}

TEST(FrameTimes, SteadyWhereNothingHappens) {
  const auto frames = frames_of(FrameTimes(0.1, channels, {}), 10, [](double) { return std::vector<double>{5, 0}; });
  ASSERT_EQ(frames.size(), 100u);
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_NEAR(frames[i], 0.1 * static_cast<double>(i), 1e-9);
}

TEST(FrameTimes, DenserAfterARopeComesTaut) {
  const auto frames = frames_of(FrameTimes(0.1, channels, {}), 10, [](double t) {
    return std::vector<double>{t > 3.135 ? 1.0 : 0.0, 0};
  });
  EXPECT_EQ(between(frames, 2, 3.1), 10);
  EXPECT_EQ(between(frames, 3.135, 3.145), 1) << "the very instant is there";
  EXPECT_EQ(between(frames, 3.2, 4.1), 44);  // every 20 ms
  EXPECT_EQ(between(frames, 5, 6), 9);
}

TEST(FrameTimes, DenserWhereALimitIsCrossed) {
  const std::vector<result::Limit> limits{{.channel = "load.z", .bound = 2},
                                          {.channel = "hoist.tension", .bound = 1.5, .of_first = true}};
  const auto of_height = frames_of(FrameTimes(0.1, channels, limits), 10, [](double t) {
    return std::vector<double>{5, t < 5 ? 1.0 : 3.0};
  });
  EXPECT_GT(between(of_height, 5, 6), 40);
  EXPECT_EQ(between(of_height, 2, 3), 9);
  const auto of_static = frames_of(FrameTimes(0.1, channels, limits), 10, [](double t) {
    return std::vector<double>{t < 5 ? 7.4 : 7.6, 1};
  });
  EXPECT_EQ(between(of_static, 5, 6), 9) << "1.5 times 7.4 is not reached";
}

TEST(FrameTimes, ChatterHasItsBound) {
  const auto frames = frames_of(FrameTimes(0.1, channels, {}), 1000, [](double t) {
    return std::vector<double>{std::fmod(t, 0.5) < 0.25 ? 1.0 : 0.0, 0};
  });
  EXPECT_LT(frames.size(), 10'000u + 10'000u + 600u);
  EXPECT_GT(frames.size(), 10'000u + 5'000u);
}

TEST(FrameTimes, NoneAtAll) {
  FrameTimes none;
  none.happened(1);
  EXPECT_FALSE(none.due(2));
}

}  // namespace
}  // namespace davit
