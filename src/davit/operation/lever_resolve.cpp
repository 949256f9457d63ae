#include "davit/operation/lever_resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "davit/input/wording.hpp"
#include "davit/io/read_file.hpp"
#include "davit/model/weather.hpp"

namespace davit::operation {

namespace {

constexpr double usual_tick = 0.02;                      // s
constexpr std::uintmax_t largest_record = 256ull << 20;  // bytes
constexpr double degree = std::numbers::pi / 180;

// Where neither the drive nor the file says it.
double usual_speed(const std::string& unit) { return unit == "rad" ? 2 * degree : 0.5; }
// In which the speed of a lever is reached, if nobody says it: twice this by Hermite's cubic.
constexpr double usual_time = 2;  // s

std::string per_second(const std::string& unit) { return unit == "m/s" ? "m/s^2" : unit + "/s"; }

bool is_weather(const std::string& name) {
  return name == WeatherSignals::sea_height_name || name == WeatherSignals::wind_speed_name ||
         name == WeatherSignals::wind_direction_name;
}

// A joint that has only one signal is called as in the file, "king" and not "king.angle".
std::string lever_name(const std::string& signal, const std::vector<SignalInfo>& all) {
  const size_t dot = signal.rfind('.');
  if (dot == std::string::npos || is_weather(signal)) return signal;
  const std::string joint = signal.substr(0, dot);
  const auto of_joint = std::count_if(all.begin(), all.end(), [&](const SignalInfo& other) {
    return other.name == joint || other.name.starts_with(joint + ".");
  });
  return of_joint == 1 ? joint : signal;
}

Lever lever_of(const SignalInfo& info, std::string name, int index) {
  Lever out;
  out.name = std::move(name);
  out.unit = info.unit;
  out.signal = Signal(index);
  out.limits = info.limits;
  out.least = info.least;
  out.most = info.most;
  if (info.name == WeatherSignals::sea_height_name || info.name == WeatherSignals::wind_speed_name) {
    // Slowly against the waves, and as far as the theory of small waves goes.
    out.kind = Lever::Kind::set;
    out.limits = {0.05, 0.02};
    out.least = 0;
    out.most = 3;
  } else if (info.name == WeatherSignals::wind_direction_name) {
    out.kind = Lever::Kind::set;
    out.limits = {1 * degree, 0.2 * degree};
    out.least = -std::numbers::pi;
    out.most = std::numbers::pi;
  } else if (info.unit == "1") {
    out.kind = Lever::Kind::switched;
    out.least = 0;
    out.most = 1;
  } else if (info.unit == "m" || info.unit == "rad") {
    if (!std::isfinite(out.limits.speed)) out.limits.speed = usual_speed(info.unit);
    if (!std::isfinite(out.limits.acceleration)) out.limits.acceleration = out.limits.speed / usual_time;
  } else {
    // What is told a speed or a force: its limit is that of the value.
    out.kind = Lever::Kind::set;
    if (std::isfinite(info.limits.speed)) {
      out.least = std::max(out.least, -info.limits.speed);
      out.most = std::min(out.most, info.limits.speed);
    }
    out.limits = {info.limits.acceleration, never};
  }
  return out;
}

class Resolving {
 public:
  Resolving(const LeversSpec& spec, input::Problems& problems) : spec_(spec), problems_(problems) {}

  bool apply(const LeverSpec& given, Lever& lever) {
    if (lever.kind == Lever::Kind::switched) {
      problems_.error(given.where, fmt::format("'{}' is only let go and connected", lever.name), "leave its lever out");
      return false;
    }
    const std::string rate = per_second(lever.unit);
    bool good = take(given.speed, rate, true, lever.limits.speed);
    const bool without = !given.acceleration && given.speed;
    if (without) lever.limits.acceleration = std::min(lever.limits.acceleration, lever.limits.speed / usual_time);
    good = take(given.acceleration, rate == "m/s^2" ? "m/s^3" : rate + "^2", true, lever.limits.acceleration) && good;
    good = take(given.least, lever.unit, false, lever.least) && good;
    good = take(given.most, lever.unit, false, lever.most) && good;
    if (good && !(lever.least < lever.most)) {
      problems_.error(given.where, fmt::format("the lever '{}' has no way to go", lever.name),
                      "give 'least' below 'most'");
      return false;
    }
    return good;
  }

  std::optional<double> tick(double step) {
    if (!(step > 0)) return spec_.tick.value_or(usual_tick);
    const double steps = std::max(1.0, std::round(spec_.tick.value_or(usual_tick) / step));
    if (spec_.tick && std::abs(steps * step - *spec_.tick) > 1e-9 * *spec_.tick) {
      problems_.error(spec_.where, fmt::format("a tick of {:.6g} s is no whole number of steps", *spec_.tick),
                      fmt::format("give e.g. tick: {:.6g} s", steps * step));
      return std::nullopt;
    }
    return steps * step;
  }

  bool read_record(Levers& out, const Operation& operation) {
    if (!spec_.file) return true;
    const std::filesystem::path path = spec_.file->resolved();
    try {
      std::istringstream text(io::read_file(path, largest_record));
      out.recorded = parse_lever_record(text, path.string());
    } catch (const io::FileError& error) {
      problems_.error(spec_.file->where, fmt::format("{}: {}", path.string(), error.message), error.remedy);
      return false;
    } catch (const std::runtime_error& error) {
      problems_.error(spec_.file->where, error.what(), "give the file as `davit live` wrote it");
      return false;
    }
    for (const RecordedCommand& recorded : out.recorded)
      if (const std::string mistake = mistake_in(recorded.command, out, operation); !mistake.empty()) {
        problems_.error(spec_.file->where, fmt::format("{}: at tick {} {}", path.string(), recorded.tick, mistake),
                        "the record belongs to another scenario: give that one");
        return false;
      }
    return true;
  }

 private:
  bool take(const std::optional<input::Quantity>& given, const std::string& unit, bool positive, double& value) {
    if (!given) return true;
    const auto read = input::require(*given, input::unit(unit), problems_);
    if (!read) return false;
    if (positive && !(*read > 0)) {
      problems_.error(given->where, "it must be above zero", "give e.g. 0.2 m/s");
      return false;
    }
    value = *read;
    return true;
  }

  const LeversSpec& spec_;
  input::Problems& problems_;
};

}  // namespace

std::optional<Levers> resolve_levers(const LeversSpec& spec, const Model& model, const Operation& operation,
                                     double step, input::Problems& problems) {
  Levers out;
  Resolving resolving(spec, problems);
  std::vector<std::string> names;
  bool good = true;
  for (size_t i = 0; i < model.signals().size(); ++i) {
    const SignalInfo& info = model.signals()[i];
    Lever lever = lever_of(info, lever_name(info.name, model.signals()), static_cast<int>(i));
    names.push_back(lever.name);
    for (const auto& [name, given] : spec.of)
      if (name == lever.name) good = resolving.apply(given, lever) && good;
    // What has neither a rate nor bounds cannot be moved by hand.
    const bool known = std::isfinite(lever.limits.speed) || lever.kind == Lever::Kind::switched;
    if (known) out.levers.push_back(std::move(lever));
  }
  for (const auto& [name, given] : spec.of)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      input::unknown_name({name, given.where}, "lever", names, problems);
      good = false;
    }
  const auto tick = resolving.tick(step);
  if (!tick) return std::nullopt;
  out.tick = *tick;
  out.automatic = spec.automatic;
  if (!good || !resolving.read_record(out, operation)) return std::nullopt;
  return out;
}

}  // namespace davit::operation
