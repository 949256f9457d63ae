// Sensors of sampled controllers: what a controller knows of chosen channels at its own instants. Each sensor sees its
// channel late, through a filter, with a bias, noise and steps:
//   x_d(t_k) = x(t_k - delay)          between samples by linear interpolation, x(t_0) before the first
//   τ ẏ = x_d - y                      exact for x_d that is linear between samples, begins at rest
//   value = round((y + bias + noise n_k) / q) q
// n_k are independent standard normal numbers that follow from seed, names and k alone: the same run has the same
// noise, and a State that is continued goes on with it. All that it remembers is one record of the discrete state.
//
// A controller that has a SensorBank derives from Measuring (model/measuring.hpp): `channels()` is what it measures,
// `is_due` and `sample` do the rest. Sampling begins anew as long as no time has passed since the first sample, because
// elements are committed more than once before a run begins.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "davit/math/export.hpp"
#include "davit/model/discrete_state.hpp"

namespace davit::control {

struct Sensor {
  std::string channel;
  double delay = 0, filter = 0;                  // s; time constant
  double bias = 0, noise = 0, quantisation = 0;  // in the unit of the channel; noise: standard deviation of each sample
};

// The seed of all that is random in a run: its Environment has it.
struct RunSeed {
  std::uint64_t value = 0;
};

class DAVIT_API SensorBank {
 public:
  // Noise depends on the owner's name, so that two controllers do not have the same. `seed`: where the environment of
  // the run has none.
  SensorBank(std::string owner, std::vector<Sensor> sensors, double sample_time, std::uint64_t seed = 0);

  const std::vector<std::string>& channels() const { return channels_; }
  size_t size() const { return sensors_.size(); }
  double sample_time() const { return sample_time_; }
  const Sensor& sensor(size_t i) const { return sensors_[i]; }
  // What is known only with the channel's unit; before any sample.
  void set_errors(size_t i, double bias, double noise, double quantisation);
  // A description of what is not ideal, "sway.angle 0.04 s late, filtered"; empty if nothing is.
  std::string summary() const;

  DiscreteSlot discrete_slot() const;
  bool is_due(double t, const DiscreteState&, int slot) const;
  // Whether a sample at this time is the first.
  bool begins(double t, const DiscreteState&, int slot) const;
  // How many samples were taken.
  std::int64_t count(const DiscreteState&, int slot) const;
  // Takes a sample of the true values of all channels; what the sensors show stays in the record.
  std::span<const double> sample(double t, const double* truth, DiscreteState&, int slot) const;
  std::span<const double> values(const DiscreteState&, int slot) const;

 private:
  // The record: how many samples, the last one's time, what is shown; then of each sensor what its filter gave and was
  // given last, and a ring of true values.
  struct Memory {
    enum : size_t { samples, time, shown };
  };
  struct Place {
    size_t filter, ring, length;  // in the record; samples in the ring
  };
  double delayed(const Place&, const Sensor&, std::span<const double> record, std::int64_t k) const;
  std::uint64_t seed_in(const DiscreteState&) const;
  double noise(size_t sensor, std::int64_t k, std::uint64_t seed) const;

  std::string owner_;
  std::vector<Sensor> sensors_;
  std::vector<std::string> channels_;
  std::vector<Place> places_;
  double sample_time_;
  std::uint64_t seed_;
  std::vector<std::string> keys_;  // of the noise of each sensor
  size_t width_ = 0;
};

}  // namespace davit::control
