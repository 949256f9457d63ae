#include "davit/control/sensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace davit::control {
namespace {

// What a bank of one sensor shows of a signal at all samples.
template <class F>
std::vector<double> shown(const Sensor& sensor, double sample_time, int samples, F signal, std::uint64_t seed = 0,
                          const std::string& owner = "controller") {
  const SensorBank bank(owner, {sensor}, sample_time, seed);
  DiscreteState discrete({bank.discrete_slot()});
  std::vector<double> out;
  for (int k = 0; k < samples; ++k) {
    const double t = k * sample_time, truth = signal(t);
    EXPECT_TRUE(bank.is_due(t, discrete, 0));
    out.push_back(bank.sample(t, &truth, discrete, 0)[0]);
    EXPECT_FALSE(k > 0 && bank.is_due(t, discrete, 0));
    EXPECT_FALSE(bank.is_due(t + 0.5 * sample_time, discrete, 0));
  }
  return out;
}

double wave(double t) { return std::sin(3 * t) + 0.2 * std::cos(11 * t); }

TEST(Sensor, an_ideal_one_shows_the_truth) {
  const auto out = shown({"x"}, 0.02, 200, wave);
  for (int k = 0; k < 200; ++k) EXPECT_EQ(out[static_cast<size_t>(k)], wave(k * 0.02));
}

TEST(Sensor, a_delay_of_whole_samples_is_exact) {
  for (const int late : {1, 2, 7, 50}) {
    const auto out = shown({.channel = "x", .delay = late * 0.02}, 0.02, 200, wave);
    for (int k = 0; k < 200; ++k)
      EXPECT_EQ(out[static_cast<size_t>(k)], wave(std::max(0, k - late) * 0.02)) << late << " at " << k;
  }
}

// A delay that is no multiple of the sample time: exact for straight lines, and in between the error of interpolation,
// T²/8 times the largest second derivative.
TEST(Sensor, a_delay_between_samples_interpolates) {
  for (const double delay : {0.005, 0.013, 0.0501, 0.33}) {
    const double T = 0.02;
    const auto line = shown({.channel = "x", .delay = delay}, T, 100, [](double t) { return 3 * t - 1; });
    const auto curve = shown({.channel = "x", .delay = delay}, T, 100, wave);
    double off = 0;
    for (int k = 0; k < 100; ++k) {
      const double t = k * T - delay;
      if (t < 0) continue;
      EXPECT_NEAR(line[static_cast<size_t>(k)], 3 * t - 1, 1e-14);
      off = std::max(off, std::abs(curve[static_cast<size_t>(k)] - wave(t)));
    }
    EXPECT_LT(off, T * T / 8 * (9 + 0.2 * 121));
    EXPECT_GT(off, 1e-6);
  }
}

TEST(Sensor, a_filter_is_exact_between_straight_lines) {
  // τ ẏ = x - y with a ramp that begins after a second: y = t - 1 - τ (1 - exp(-(t - 1)/τ)).
  const double T = 0.05, tau = 0.3;
  const auto out = shown({.channel = "x", .filter = tau}, T, 100, [](double t) { return std::max(0.0, t - 1); });
  for (int k = 0; k < 100; ++k) {
    const double t = std::max(0.0, k * T - 1);
    EXPECT_NEAR(out[static_cast<size_t>(k)], t - tau * (1 - std::exp(-t / tau)), 1e-13);
  }
  // And so of a wave it has the amplitude and phase of its transfer function, but for the corners between samples.
  const double w = 5, h = 0.002;
  const auto swung = shown({.channel = "x", .filter = tau}, h, 3000, [&](double t) { return std::sin(w * t); });
  for (int k = 2500; k < 3000; ++k)
    EXPECT_NEAR(swung[static_cast<size_t>(k)],
                std::sin(w * k * h - std::atan(w * tau)) / std::sqrt(1 + w * w * tau * tau), w * w * h * h / 8);
}

TEST(Sensor, delay_and_filter_together_are_one_after_the_other) {
  const double T = 0.02;
  const auto both = shown({.channel = "x", .delay = 5 * T, .filter = 0.1}, T, 300, wave);
  const auto filtered = shown({.channel = "x", .filter = 0.1}, T, 300, wave);
  for (int k = 5; k < 300; ++k) EXPECT_NEAR(both[static_cast<size_t>(k)], filtered[static_cast<size_t>(k - 5)], 1e-14);
}

TEST(Sensor, bias_and_quantisation) {
  for (const double x : shown({.channel = "x", .bias = 0.3}, 0.02, 100, [](double) { return 1.0; })) EXPECT_EQ(x, 1.3);
  const auto steps = shown({.channel = "x", .quantisation = 0.25}, 0.02, 100, wave);
  for (int k = 0; k < 100; ++k) {
    const double x = steps[static_cast<size_t>(k)];
    EXPECT_EQ(x, std::round(x / 0.25) * 0.25);
    EXPECT_LE(std::abs(x - wave(k * 0.02)), 0.125);
  }
}

TEST(Sensor, noise_is_normal_and_independent) {
  const int n = 200000;
  const double deviation = 0.7;
  const auto zero = [](double) { return 0.0; };
  const auto noise = shown({.channel = "x", .noise = deviation}, 0.01, n, zero, 5);
  double mean = 0, square = 0, fourth = 0, next = 0, beyond = 0;
  for (int k = 0; k < n; ++k) {
    const double x = noise[static_cast<size_t>(k)] / deviation;
    mean += x / n;
    square += x * x / n;
    fourth += x * x * x * x / n;
    if (k > 0) next += x * noise[static_cast<size_t>(k - 1)] / deviation / n;
    beyond += std::abs(x) > 1.959964 ? 1.0 / n : 0;
  }
  // Five standard deviations of each estimate.
  const double root = std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(mean, 0, 5 / root);
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96.0) / root);
  EXPECT_NEAR(next, 0, 5 / root);
  EXPECT_NEAR(beyond, 0.05, 5 * std::sqrt(0.05 * 0.95) / root);
}

TEST(Sensor, noise_follows_from_seed_and_names) {
  const auto zero = [](double) { return 0.0; };
  const auto of = [&](const std::string& owner, const std::string& channel, std::uint64_t seed) {
    return shown({.channel = channel, .noise = 1}, 0.01, 1000, zero, seed, owner);
  };
  const auto once = of("a", "x", 1);
  EXPECT_EQ(once, of("a", "x", 1));
  for (const auto& other : {of("a", "x", 2), of("b", "x", 1), of("a", "y", 1)}) {
    double together = 0;
    for (size_t k = 0; k < other.size(); ++k) together += once[k] * other[k] / 1000;
    EXPECT_LT(std::abs(together), 5 / std::sqrt(1000.0));
  }
}

TEST(Sensor, begins_anew_until_time_passes) {
  const SensorBank bank("c", {{.channel = "x", .delay = 0.1, .filter = 0.2, .noise = 1}}, 0.05);
  DiscreteState discrete({bank.discrete_slot()});
  double truth = 3;
  bank.sample(0, &truth, discrete, 0);
  truth = 5;
  EXPECT_TRUE(bank.is_due(0, discrete, 0));
  EXPECT_TRUE(bank.begins(0, discrete, 0));
  bank.sample(0, &truth, discrete, 0);
  DiscreteState fresh({bank.discrete_slot()});
  bank.sample(0, &truth, fresh, 0);
  EXPECT_EQ(discrete, fresh);
  EXPECT_EQ(bank.count(discrete, 0), 1);
  EXPECT_FALSE(bank.is_due(0.04, discrete, 0));
  EXPECT_TRUE(bank.is_due(0.05, discrete, 0));
  bank.sample(0.05, &truth, discrete, 0);
  EXPECT_FALSE(bank.is_due(0.05, discrete, 0));
}

TEST(Sensor, a_copy_of_the_state_goes_on_with_the_same_bits) {
  const SensorBank bank("c", {{"x"}, {.channel = "y", .delay = 0.033, .filter = 0.1, .noise = 0.1}}, 0.01, 3);
  DiscreteState discrete({bank.discrete_slot()}), copy;
  for (int k = 0; k < 100; ++k) {
    const double truth[] = {wave(k * 0.01), wave(2 + k * 0.01)};
    if (k == 37) copy = discrete;
    bank.sample(k * 0.01, truth, discrete, 0);
    if (k < 37) continue;
    bank.sample(k * 0.01, truth, copy, 0);
    EXPECT_EQ(discrete, copy);
  }
}

TEST(Sensor, says_what_is_not_ideal) {
  EXPECT_EQ(SensorBank("c", {{"x"}}, 0.01).summary(), "");
  EXPECT_EQ(SensorBank("c", {{"x"}, {.channel = "y", .delay = 0.04, .filter = 0.1, .noise = 1}}, 0.01).summary(),
            "y 0.04 s late, filtered over 0.1 s, with noise");
}

}  // namespace
}  // namespace davit::control
