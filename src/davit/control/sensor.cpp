#include "davit/control/sensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace davit::control {

namespace {

// Steele, Lea & Flood, Fast splittable pseudorandom number generators (2014): the finaliser of SplitMix64, in which
// every bit of the result depends on every bit given.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30u)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27u)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31u);
}

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = mixed(seed);
  for (const char c : text) hash = mixed(hash ^ static_cast<unsigned char>(c));
  return hash;
}

// In (0, 1].
double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11u) + 1) * 0x1p-53; }

// A delay in samples, of which round-off makes no part of one.
struct Lag {
  std::int64_t whole;
  double part;
};
Lag lag_of(double delay, double sample_time) {
  const double samples = delay / sample_time, near = std::round(samples);
  if (std::abs(samples - near) < 1e-9 * std::max(1.0, near)) return {static_cast<std::int64_t>(near), 0};
  return {static_cast<std::int64_t>(std::floor(samples)), samples - std::floor(samples)};
}

}  // namespace

SensorBank::SensorBank(std::string owner, std::vector<Sensor> sensors, double sample_time, std::uint64_t seed)
    : owner_(std::move(owner)), sensors_(std::move(sensors)), sample_time_(sample_time), seed_(seed) {
  width_ = Memory::shown + sensors_.size();
  for (const Sensor& sensor : sensors_) {
    channels_.push_back(sensor.channel);
    keys_.push_back(owner_ + "\n" + sensor.channel);
    const size_t length = sensor.delay > 0 ? static_cast<size_t>(lag_of(sensor.delay, sample_time_).whole) + 2 : 0;
    places_.push_back({width_, width_ + (sensor.filter > 0 ? 2 : 0), length});
    width_ = places_.back().ring + length;
  }
}

void SensorBank::set_errors(size_t i, double bias, double noise, double quantisation) {
  sensors_[i].bias = bias;
  sensors_[i].noise = noise;
  sensors_[i].quantisation = quantisation;
}

std::string SensorBank::summary() const {
  std::string all;
  for (const Sensor& s : sensors_) {
    std::string words;
    if (s.delay > 0) words += fmt::format(" {:.4g} s late", s.delay);
    if (s.filter > 0) words += fmt::format("{} filtered over {:.4g} s", words.empty() ? "" : ",", s.filter);
    if (s.noise > 0) words += words.empty() ? " with noise" : ", with noise";
    if (!words.empty()) all += (all.empty() ? "" : "; ") + s.channel + words;
  }
  return all;
}

DiscreteSlot SensorBank::discrete_slot() const { return {owner_ + ".sensors", static_cast<int>(width_), 1}; }

bool SensorBank::begins(double t, const DiscreteState& discrete, int slot) const {
  const auto record = discrete.record(slot, 0);
  return record[Memory::samples] == 0 || (record[Memory::samples] == 1 && t <= record[Memory::time]);
}

// Instants are multiples of the sample time: steps land there.
bool SensorBank::is_due(double t, const DiscreteState& discrete, int slot) const {
  if (begins(t, discrete, slot)) return true;
  const double last = discrete.record(slot, 0)[Memory::time];
  const double next = (std::floor(last / sample_time_ + 1e-6) + 1) * sample_time_;
  return t >= next - 1e-6 * sample_time_;
}

std::int64_t SensorBank::count(const DiscreteState& discrete, int slot) const {
  return static_cast<std::int64_t>(discrete.record(slot, 0)[Memory::samples]);
}

std::span<const double> SensorBank::values(const DiscreteState& discrete, int slot) const {
  return discrete.record(slot, 0).subspan(Memory::shown, sensors_.size());
}

double SensorBank::delayed(const Place& place, const Sensor& sensor, std::span<const double> record,
                           std::int64_t k) const {
  const Lag lag = lag_of(sensor.delay, sample_time_);
  const auto length = static_cast<std::int64_t>(place.length);
  const auto at = [&](std::int64_t sample) {
    return record[place.ring + static_cast<size_t>((sample % length + length) % length)];
  };
  const double later = at(k - lag.whole);
  return lag.part == 0 ? later : (1 - lag.part) * later + lag.part * at(k - lag.whole - 1);
}

std::uint64_t SensorBank::seed_in(const DiscreteState& discrete) const {
  const auto of_run = discrete.environment ? discrete.environment->find<RunSeed>() : nullptr;
  return of_run ? of_run->value : seed_;
}

double SensorBank::noise(size_t sensor, std::int64_t k, std::uint64_t seed) const {
  const std::uint64_t bits = mixed(hash_of(keys_[sensor], seed) ^ mixed(static_cast<std::uint64_t>(k)));
  // Box and Muller.
  return std::sqrt(-2 * std::log(uniform(bits))) * std::cos(2 * std::numbers::pi * uniform(mixed(bits)));
}

std::span<const double> SensorBank::sample(double t, const double* truth, DiscreteState& discrete, int slot) const {
  const bool first = begins(t, discrete, slot);
  const auto record = discrete.record(slot, 0);
  if (first) record[Memory::samples] = 0;
  const auto k = static_cast<std::int64_t>(record[Memory::samples]);
  for (size_t i = 0; i < sensors_.size(); ++i) {
    const Sensor& s = sensors_[i];
    const Place& place = places_[i];
    double x = truth[i];
    if (place.length > 0) {
      const auto ring = record.subspan(place.ring, place.length);
      if (first) std::fill(ring.begin(), ring.end(), x);
      ring[static_cast<size_t>(k) % place.length] = x;
      x = delayed(place, s, record, k);
    }
    if (s.filter > 0) {
      double &y = record[place.filter], &before = record[place.filter + 1];
      // A ramp is followed by τ times its slope behind.
      const double behind = (x - before) / sample_time_ * s.filter;
      y = first ? x : x - behind + std::exp(-sample_time_ / s.filter) * (y - before + behind);
      before = x;
      x = y;
    }
    x += s.bias;
    if (s.noise > 0) x += s.noise * noise(i, k, seed_in(discrete));
    if (s.quantisation > 0) x = std::round(x / s.quantisation) * s.quantisation;
    record[Memory::shown + i] = x;
  }
  record[Memory::samples] += 1;
  record[Memory::time] = t;
  return record.subspan(Memory::shown, sensors_.size());
}

}  // namespace davit::control
