#include "davit/live/message.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace davit::live {

namespace {

using nlohmann::json;
using operation::LeverCommand;
using operation::LeverVerb;

constexpr std::size_t most_names = 10'000;
constexpr double fastest_factor = 1000;
constexpr std::int64_t most_ticks = 1'000'000;

bool flag(const json& value, const char* key) {
  if (!value.is_boolean()) throw BadMessage(fmt::format("'{}' is true or false", key));
  return value.get<bool>();
}

double number(const json& value, const char* key, double least, double most) {
  const double x = value.is_number() ? value.get<double>() : NAN;
  if (!(x >= least && x <= most)) throw BadMessage(fmt::format("'{}' is a number from {:g} to {:g}", key, least, most));
  return x;
}

std::int64_t count(const json& value, const char* key, std::int64_t most) {
  if (!value.is_number_integer() || value.get<double>() < 0 || value.get<double>() > static_cast<double>(most))
    throw BadMessage(fmt::format("'{}' is a whole number from 0 to {}", key, most));
  return value.get<std::int64_t>();
}

// {"main": 0.2, "king": -0.01}
void add_commands(const json& values, LeverVerb verb, Request& out) {
  if (!values.is_object()) throw BadMessage(fmt::format("'{}' is an object of levers and numbers", name_of(verb)));
  if (values.size() > most_names) throw BadMessage("there are too many levers in it");
  for (const auto& [name, value] : values.items()) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      throw BadMessage(fmt::format("'{}' of a lever is a number", name_of(verb)));
    out.commands.push_back({verb, name, value.get<double>()});
  }
}

Hello hello_of(const json& value) {
  if (!value.is_object()) throw BadMessage("'hello' is an object");
  Hello out;
  for (const auto& [key, part] : value.items()) {
    if (key == "mode") {
      if (part != "lock-step" && part != "real-time") throw BadMessage("'mode' is lock-step or real-time");
      out.mode = part == "lock-step" ? Hello::Mode::lock_step : Hello::Mode::real_time;
    } else if (key == "channels") {
      if (!part.is_array() || part.size() > most_names) throw BadMessage("'channels' is a list of names");
      for (const json& name : part) {
        if (!name.is_string()) throw BadMessage("'channels' is a list of names");
        out.channels.push_back(name.get<std::string>());
      }
    } else if (key == "deadline") {
      out.deadline = number(part, "deadline", 1e-4, 10);
    } else {
      throw BadMessage("'hello' has mode, channels and deadline");
    }
  }
  return out;
}

void take(const std::string& key, const json& value, Request& out) {
  if (key == "speed") {
    add_commands(value, LeverVerb::speed, out);
  } else if (key == "move") {
    add_commands(value, LeverVerb::move, out);
  } else if (key == "stop") {
    if (flag(value, "stop")) out.commands.push_back({LeverVerb::stop});
  } else if (key == "phase") {
    if (!value.is_string()) throw BadMessage("'phase' is the name of a phase");
    out.commands.push_back({LeverVerb::phase, value.get<std::string>()});
  } else if (key == "automatic") {
    out.commands.push_back({LeverVerb::automatic, "", flag(value, "automatic") ? 1.0 : 0.0});
  } else if (key == "pause") {
    out.pause = flag(value, "pause");
  } else if (key == "factor") {
    out.factor = number(value, "factor", 0, fastest_factor);
  } else if (key == "ticks") {
    out.ticks = count(value, "ticks", most_ticks);
  } else if (key == "reset") {
    out.reset = flag(value, "reset");
  } else if (key == "end") {
    out.end = flag(value, "end");
  } else if (key == "hello") {
    out.hello = hello_of(value);
  } else if (key == "tick") {
    out.tick = count(value, "tick", std::int64_t{1} << 53);
  } else {
    throw BadMessage(
        "there is no such key: speed, move, stop, phase, automatic, pause, factor, ticks, reset, end, hello and tick "
        "are known");
  }
}

}  // namespace

Request parse_request(std::string_view text) {
  if (text.size() > longest_message) throw BadMessage("the message is too long");
  const json message = json::parse(text.begin(), text.end(), nullptr, false);
  if (!message.is_object()) throw BadMessage("a message is one JSON object");
  Request out;
  for (const auto& [key, value] : message.items()) take(key, value, out);
  return out;
}

}  // namespace davit::live
