#include "davit/html/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace davit::html {
namespace {

TEST(Plot, DecimationKeepsPeaksEndsAndOrder) {
  std::vector<double> times(100'000);
  std::vector<double> values(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = 0.001 * static_cast<double>(i);
    values[i] = std::sin(times[i]);
  }
  values[31'417] = 50;
  values[77'777] = -60;
  values.back() = 3;
  const Series thin = decimate(times, values, 2000);
  EXPECT_LE(thin.times.size(), 2000u);
  EXPECT_GT(thin.times.size(), 1900u);
  EXPECT_TRUE(std::is_sorted(thin.times.begin(), thin.times.end()));
  EXPECT_EQ(*std::max_element(thin.values.begin(), thin.values.end()), 50);
  EXPECT_EQ(*std::min_element(thin.values.begin(), thin.values.end()), -60);
  EXPECT_EQ(thin.times.front(), times.front());
  EXPECT_EQ(thin.values.back(), 3);
  for (std::size_t i = 0; i < thin.times.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::llround(thin.times[i] / 0.001));
    ASSERT_EQ(thin.values[i], values[at]);
  }
}

TEST(Plot, DecimationKeepsGaps) {
  std::vector<double> times(10'000);
  std::vector<double> values(times.size(), 1);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i);
  for (std::size_t i = 4000; i < 6000; ++i) values[i] = std::nan("");
  const Series thin = decimate(times, values, 300);
  EXPECT_LE(thin.times.size(), 300u);
  const auto gaps = std::count_if(thin.values.begin(), thin.values.end(), [](double v) { return std::isnan(v); });
  EXPECT_GT(gaps, 15);
  EXPECT_LT(gaps, 25);
  EXPECT_EQ(decimate(times, values, 10'000).times, times);
}

TEST(Plot, TicksAreRoundAndInside) {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{
           {0, 1}, {-3.7, 8.1}, {1e6, 1.00001e6}, {-1e-7, 2e-7}, {0, 86400}, {-1, 0}}) {
    const Ticks ticks = choose_ticks(low, high, 5);
    EXPECT_GE(ticks.count, 3) << low << " to " << high;
    EXPECT_LE(ticks.count, 9);
    const double slack = 1e-6 * ticks.step;
    EXPECT_GE(ticks.first, low - slack);
    EXPECT_LE(ticks.first + (ticks.count - 1) * ticks.step, high + slack);
    EXPECT_GT(ticks.first + ticks.count * ticks.step, high);
    const double mantissa = ticks.step / std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6)
        << mantissa;
  }
}

TEST(Plot, LimitsHaveTheirNames) {
  Plot plot{.title = "tension", .unit = "kN"};
  plot.curves = {{"a", "", {{0, 1}, {0, 10}}}};
  plot.limits = {{"a ≤ 8 kN", 8}, {"b<1> ≤ 8 kN", 8}, {"a ≥ 2 kN", 2, true}};
  const std::string figure = plot_figure(plot);
  EXPECT_NE(figure.find(">a ≤ 8 kN; b&lt;1&gt; ≤ 8 kN</text>"), std::string::npos) << "lines at one height are one";
  EXPECT_NE(figure.find(">a ≥ 2 kN</text>"), std::string::npos);
  EXPECT_NE(figure.find("\"lower\":true"), std::string::npos);
}

TEST(Plot, CurvesOfRunsDifferByTheirDashes) {
  Plot plot{.title = "tension", .unit = "kN", .dashes = true};
  plot.curves = {{"a", "", {{0, 1}, {0, 10}}}, {"b", "", {{0, 1}, {0, 10}}}};
  const std::string figure = plot_figure(plot);
  EXPECT_NE(figure.find("curve c0 d0"), std::string::npos);
  EXPECT_NE(figure.find("curve c1 d1"), std::string::npos);
}

}  // namespace
}  // namespace davit::html
