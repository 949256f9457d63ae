#include "davit/scenario/surroundings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/assembly/element_channel.hpp"
#include "davit/assembly/weather_signals.hpp"
#include "davit/control/sensor.hpp"
#include "davit/input/emit.hpp"
#include "davit/model/workspace.hpp"
#include "davit/mooring/line_parts.hpp"
#include "davit/sea/beaufort.hpp"
#include "davit/sea/wave_field.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit {

std::string weather_as_given(const input::Node& of) {
  constexpr size_t longest = 160;
  std::string text = input::to_flow(of);
  if (of.is_map() && text.size() > 2) text = text.substr(1, text.size() - 2);
  if (text.size() <= longest) return text;
  const size_t comma = text.rfind(", ", longest);
  return (comma == std::string::npos ? "see the file" : text.substr(0, comma)) + ", …";
}

std::string weather_in_numbers(const EnvironmentSpec& environment, const std::string& key) {
  if (key == "waves" && environment.waves && environment.waves->beaufort)
    if (const auto sea = sea::beaufort_sea(*environment.waves->beaufort))
      return fmt::format(" (significant height {:g} m, peak period {:g} s)", sea->hs, sea->tp);
  if (key == "wind" && environment.wind && environment.wind->beaufort)
    return fmt::format(" (mean speed {:.3g} m/s at 10 m)", environment.wind->mean_speed());
  return {};
}

namespace {

// Of the spectrum, or where there is none (regular waves, a record) the mean frequency of the energy.
double peak_frequency(const sea::WavesSpec& spec, const std::vector<sea::Component>& waves, double gravity) {
  if (const auto spectrum = sea::spectrum_of(spec, gravity)) return spectrum->peak_frequency();
  double sum = 0, energy = 0;
  for (const sea::Component& c : waves) {
    sum += c.amplitude * c.amplitude * c.frequency;
    energy += c.amplitude * c.amplitude;
  }
  return energy > 0 ? sum / energy : 0;
}

void add_waves(const Specification& spec, input::Problems& problems, Surroundings& out) {
  const EnvironmentSpec& environment = spec.environment;
  const auto& said = problems.all();
  const bool good = std::none_of(said.begin(), said.end(), [](const input::Problem& p) {
    return p.severity == input::Problem::error && p.where.path.starts_with("environment.waves");
  });
  if (!environment.waves || !good) return;
  auto components = sea::make_waves(*environment.waves, environment.water(), problems);
  if (!components || components->empty()) return;
  const double peak = peak_frequency(*environment.waves, *components, environment.gravity);
  const auto waves = std::make_shared<const sea::Waves>(sea::Waves{*std::move(components), peak});
  out.add(waves);
  out.add(std::make_shared<const sea::WaveField>(waves->components, environment.water(), wave_ramp_of(spec, *waves)));
}

}  // namespace

double wave_ramp_of(const Specification& spec, const sea::Waves& waves) {
  const auto vessels = spec.elements.of<vessel::VesselSpec>();
  if (vessels.empty()) return vessel::wave_ramp({}, waves.peak_frequency);
  double ramp = 0;
  for (const auto& [name, vessel] : vessels) ramp = std::max(ramp, vessel::wave_ramp(vessel, waves.peak_frequency));
  return ramp;
}

Surroundings surroundings_of(const Specification& spec, input::Problems& problems) {
  Surroundings out;
  add_waves(spec, problems, out);
  if (spec.environment.wind) out.add(std::make_shared<const sea::WindField>(sea::make_wind(*spec.environment.wind)));
  out.add(std::make_shared<const StepOfRun>(StepOfRun{spec.run.step.value_or(0)}));
  out.add(std::make_shared<const control::RunSeed>(control::RunSeed{static_cast<std::uint64_t>(spec.run.seed)}));
  return out;
}

void share_environment(const EnvironmentSpec& environment, const Surroundings& around, Assembly& assembly) {
  assembly.share(around.find<sea::Waves>());
  assembly.share(around.find<sea::WaveField>());
  assembly.share(around.find<sea::WindField>());
  assembly.share(std::make_shared<const sea::Water>(environment.water()));
  if (environment.current)
    if (auto current = sea::make_current(*environment.current, environment.water(), assembly.problems()))
      assembly.share(std::make_shared<const sea::Current>(*std::move(current)));
  if (environment.seabed)
    if (auto seabed = mooring::seabed_of(*environment.seabed, assembly.problems()))
      assembly.share(std::make_shared<const mooring::Seabed>(*std::move(seabed)));
}

void share_weather_signals(const EnvironmentSpec& environment, Assembly& assembly) {
  const auto take = [&](const char* name, const char* unit, double start, const char* words) {
    assembly.add_target(name, unit);
    const Signal signal = assembly.take_signal(name, start);
    const std::string whole = name;
    const size_t dot = whole.find('.');
    add_element_channel(assembly, "weather", whole.substr(0, dot), whole.substr(dot + 1), unit, words, false,
                        [signal](const State&, const Workspace& w) { return signal.value(w.kin); });
    return signal;
  };
  WeatherSignals out;
  if (environment.waves)
    out.sea_height = take(WeatherSignals::sea_height_name, "1", 1, "of the waves, times what the file has");
  if (environment.wind) {
    out.wind_speed = take(WeatherSignals::wind_speed_name, "1", 1, "times what the file has");
    out.wind_direction = take(WeatherSignals::wind_direction_name, "rad", 0, "by which the wind has turned");
  }
  assembly.share(std::make_shared<const WeatherSignals>(out));
}

void check_environment_is_felt(const EnvironmentSpec& environment, bool vessels, Assembly& assembly) {
  if (environment.waves && !vessels && environment.wave_probes.empty() && !assembly.was_asked_for<sea::WaveField>())
    assembly.problems().warning(environment.waves->where, "no vessel meets the waves",
                                "add one to 'vessels', or leave 'waves' out");
  if (environment.wind && !assembly.was_asked_for<sea::WindField>())
    assembly.problems().warning(environment.wind->where, "nothing feels the wind",
                                "give a vessel 'wind' with its areas, or a body a force of kind 'wind_area'");
  if (environment.current && !assembly.was_asked_for<sea::Current>())
    assembly.problems().warning(environment.current->where, "nothing feels the current",
                                "give a vessel 'current' with its areas under water");
  if (environment.seabed && !assembly.was_asked_for<mooring::Seabed>())
    assembly.problems().warning(environment.seabed->where, "nothing lies on the seabed",
                                "it is for mooring lines: leave it out, or give some");
}

}  // namespace davit
