// What a controller measures, as a file describes it: names of channels, and how those are seen that are not seen as
// they are.
//
//   measure: [trolley.travel, sway.angle]
//   sensors: {sway.angle: {delay: 40 ms, noise: 0.05 deg}}
#pragma once

#include <memory>

#include "davit/assembly/assembly.hpp"
#include "davit/control/sensor.hpp"
#include "davit/input/record.hpp"

namespace davit::control {

struct DAVIT_API SensorSpec {
  double delay = 0, filter = 0;
  std::optional<input::Quantity> bias, noise, quantisation;
  static const input::Record<SensorSpec>& record();
};

using SensorSpecs = std::vector<std::pair<input::Reference, SensorSpec>>;

// Reports channels that are not there and errors that are not of their unit, when the model is built (Assembly::check).
std::shared_ptr<const SensorBank> make_sensors(const std::string& owner, const std::vector<input::Reference>& measure,
                                               const SensorSpecs& specs, double sample_time, Assembly& assembly);

}  // namespace davit::control

namespace davit::input {

template <>
struct Codec<control::SensorSpecs> {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&);
  static void read(const Node&, const Shape&, Problems&, control::SensorSpecs&);
  static Node write(const control::SensorSpecs&, const Shape&);
};

}  // namespace davit::input
