#include "davit/sea/wind.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/math/constants.hpp"
#include "davit/math/integrate.hpp"
#include "davit/sea/ramp.hpp"

namespace davit::sea {

namespace {

double at_least_a_metre(double height) { return std::max(1.0, height); }

std::function<double(double)> power_profile(double speed, double height, double exponent) {
  return [=](double z) { return speed * std::pow(at_least_a_metre(z) / height, exponent); };
}

}  // namespace

WindModel steady_wind(double speed, double height, double exponent) {
  return {power_profile(speed, height, exponent), nullptr};
}

WindModel npd_wind(double hourly_speed) {
  const double u = hourly_speed, c = 0.0573 * std::sqrt(1 + 0.15 * u);
  return {[=](double z) { return u * (1 + c * std::log(at_least_a_metre(z) / 10)); },
          [=](double f, double z) {
            constexpr double n = 0.468;
            const double h = at_least_a_metre(z) / 10;
            const double x = 172 * f * std::pow(h, 2.0 / 3) * std::pow(u / 10, -0.75);
            return 3.2 * u * u * std::pow(h, 0.45) * std::pow(1 + std::pow(x, n), -5 / (3 * n));
          }};
}

double npd_hourly_speed(double speed, double averaging_time) {
  // a U₀² + (1 + b) U₀ = U
  const double b = -0.41 * 0.06 * std::log(averaging_time / 3600), a = 0.043 * b;
  return 2 * speed / ((1 + b) + std::sqrt((1 + b) * (1 + b) + 4 * a * speed));
}

WindModel kaimal_wind(double speed, double height, double intensity, double exponent) {
  const auto mean = power_profile(speed, height, exponent);
  const double variance = std::pow(intensity * speed, 2);
  return {mean, [=](double f, double z) {
            const double length = 5.67 * std::min(60.0, at_least_a_metre(z)), time = length / mean(z);
            return 4 * variance * time * std::pow(1 + 6 * f * time, -5.0 / 3);
          }};
}

double gust_variance(const WindModel& model, double height, double from, double to) {
  if (!model.gust || !(from < to)) return 0;
  if (from <= 0) throw std::invalid_argument("the band of gusts begins above zero");
  // In ln f the density has no corner at low frequencies.
  const auto f = [&](double x) { return model.gust(std::exp(x), height) * std::exp(x); };
  const double a = std::log(from), b = std::log(to);
  return integrate(f, a, b, 1e-12 * integrate_piece(f, a, b).value);
}

WindModel with_gust_variance(WindModel model, double variance, double height, FrequencyRange hertz) {
  const double factor = variance / gust_variance(model, height, hertz.from, hertz.to);
  model.gust = [gust = std::move(model.gust), factor](double f, double z) { return factor * gust(f, z); };
  return model;
}

WindField::WindField(WindModel model, double heading)
    : model_(std::move(model)), direction_(std::cos(heading), std::sin(heading), 0) {}

WindField::WindField(WindModel model, double heading, double reference, int harmonics, FrequencyRange hertz,
                     Random& random, double ramp)
    : WindField(std::move(model), heading) {
  ramp_ = ramp;
  if (!model_.gust) return;
  if (harmonics < 1 || !(hertz.from > 0 && hertz.from < hertz.to))
    throw std::invalid_argument("gusts need a band of frequencies above zero");
  const double ratio = std::pow(hertz.to / hertz.from, 1.0 / harmonics);
  for (int i = 0; i < harmonics; ++i) {
    const double from = hertz.from * std::pow(ratio, i), to = hertz.from * std::pow(ratio, i + 1);
    const double frequency = from * std::pow(ratio, random.unit()), phase = 2 * pi * random.unit();
    harmonics_.push_back({frequency, phase, std::sqrt(2 * gust_variance(model_, reference, from, to)),
                          model_.gust(frequency, reference)});
  }
}

double WindField::speed(double height, double time) const {
  const WindAtHeight there = at(height);
  return there.mean() + there.gust(time);
}

WindAtHeight WindField::at(double height) const {
  WindAtHeight out;
  out.mean_ = model_.mean(height);
  out.ramp_ = ramp_;
  out.direction_ = direction_;
  for (const Harmonic& h : harmonics_)
    out.harmonics_.push_back(
        {2 * pi * h.frequency, h.phase, h.amplitude * std::sqrt(model_.gust(h.frequency, height) / h.density)});
  return out;
}

double WindAtHeight::variance() const {
  double sum = 0;
  for (const Harmonic& h : harmonics_) sum += 0.5 * h.amplitude * h.amplitude;
  return sum;
}

double WindAtHeight::gust(double time) const {
  const double size = ramp_up(time, ramp_);
  if (size == 0) return 0;
  double sum = 0;
  for (const Harmonic& h : harmonics_) sum += h.amplitude * std::cos(h.frequency * time + h.phase);
  return size * sum;
}

}  // namespace davit::sea
