#include "davit/control/sensor_spec.hpp"

#include <algorithm>

namespace davit::control {

namespace {

// Values that a delay keeps; a longer one is a mistake of unit.
constexpr double most_samples = 1e5;

double error_of(const std::optional<input::Quantity>& given, const Channel& channel, bool may_be_negative,
                input::Problems& problems) {
  if (!given) return 0;
  const double value = input::require(*given, input::unit(channel.unit), problems).value_or(0);
  if (value < 0 && !may_be_negative)
    problems.error(given->where, "'" + given->text + "' is below zero", "give zero or more");
  return value;
}

void resolve(SensorBank& bank, const std::vector<input::Reference>& measure, const SensorSpecs& specs,
             const Model& model, input::Problems& problems) {
  const auto& channels = model.channels();
  for (size_t i = 0; i < measure.size(); ++i) {
    const auto at =
        std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == measure[i].name; });
    if (at == channels.end()) {
      std::vector<std::string> names;
      for (const Channel& c : channels) names.push_back(c.name);
      input::unknown_name(measure[i], "channel", names, problems);
      continue;
    }
    for (const auto& [channel, spec] : specs)
      if (channel.name == at->name)
        bank.set_errors(i, error_of(spec.bias, *at, true, problems), error_of(spec.noise, *at, false, problems),
                        error_of(spec.quantisation, *at, false, problems));
  }
}

}  // namespace

const input::Record<SensorSpec>& SensorSpec::record() {
  static const auto r =
      input::Record<SensorSpec>("sensor", "How a controller sees a channel")
          .field("delay", &SensorSpec::delay, "s",
                 "by which it is seen later; between samples the channel is taken as linear in time")
          .at_least(0)
          .by_default()
          .field("filter", &SensorSpec::filter, "s", "time constant of a filter of first order; 0: none")
          .at_least(0)
          .by_default()
          .field("bias", &SensorSpec::bias, "added to every sample, in the unit of the channel")
          .field(
              "noise", &SensorSpec::noise,
              "standard deviation of normal noise, independent from sample to sample, in the unit of the channel; it "
              "follows from run.seed and the names of controller and channel")
          .field("quantisation", &SensorSpec::quantisation,
                 "samples are rounded to multiples of this, in the unit of the channel");
  return r;
}

std::shared_ptr<const SensorBank> make_sensors(const std::string& owner, const std::vector<input::Reference>& measure,
                                               const SensorSpecs& specs, double sample_time, Assembly& assembly) {
  input::Problems& problems = assembly.problems();
  std::vector<Sensor> sensors;
  std::vector<std::string> names;
  for (const input::Reference& channel : measure) {
    if (std::find(names.begin(), names.end(), channel.name) != names.end())
      problems.error(channel.where, "'" + channel.name + "' is measured twice", "name each channel once");
    sensors.push_back({channel.name});
    names.push_back(channel.name);
  }
  for (const auto& [channel, spec] : specs) {
    const auto at = std::find(names.begin(), names.end(), channel.name);
    if (at == names.end()) {
      input::unknown_name(channel, "channel in 'measure'", names, problems);
      continue;
    }
    Sensor& sensor = sensors[static_cast<size_t>(at - names.begin())];
    if (spec.delay > most_samples * sample_time)
      problems.error(channel.where, "the delay is longer than 100000 samples", "shorten it, or sample less often");
    else
      sensor.delay = spec.delay;
    sensor.filter = spec.filter;
  }
  auto bank = std::make_shared<SensorBank>(owner, std::move(sensors), sample_time);
  assembly.when_built(
      [bank, measure, specs, &problems](const Model& model) { resolve(*bank, measure, specs, model, problems); });
  return bank;
}

}  // namespace davit::control

namespace davit::input {

Shape Codec<control::SensorSpecs>::shape(const Unit& unit) {
  Shape shape;
  shape.kind = Shape::Kind::targets;
  shape.element = {Codec<control::SensorSpec>::shape(unit)};
  shape.example = "{sway.angle: {delay: 40 ms, noise: 0.05 deg}}";
  return shape;
}

void Codec<control::SensorSpecs>::read(const Node& node, const Shape& shape, Problems& problems,
                                       control::SensorSpecs& value) {
  if (!node.is_map()) {
    problems.error(node.where(), "a map from channels to sensors is expected here", "give e.g. " + shape.example);
    return;
  }
  for (const Node::Entry& entry : node.entries)
    value.emplace_back(Reference{entry.key, entry.where()}, control::SensorSpec::record().read(entry.value, problems));
}

Node Codec<control::SensorSpecs>::write(const control::SensorSpecs& value, const Shape&) {
  Node node = map_node();
  for (const auto& [channel, spec] : value)
    node.entries.push_back({channel.name, {}, control::SensorSpec::record().write(spec)});
  return node;
}

}  // namespace davit::input
