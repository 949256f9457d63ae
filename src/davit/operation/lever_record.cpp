#include "davit/operation/lever_record.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace davit::operation {

namespace {

constexpr size_t most_commands = 10'000'000, longest_line = 100'000;
constexpr std::array lever_verbs = {LeverVerb::speed, LeverVerb::move, LeverVerb::phase, LeverVerb::automatic,
                                    LeverVerb::stop};

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A line is a command, whatever is in a name: line breaks are written as \n and \r, a backslash as two.
std::string on_one_line(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
  return out;
}

std::string as_it_was(std::string_view written) {
  std::string out;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const char next = written[i] == '\\' && i + 1 < written.size() ? written[i + 1] : '\0';
    if (next == 'n' || next == 'r' || next == '\\') {
      out += next == 'n' ? '\n' : next == 'r' ? '\r' : '\\';
      ++i;
    } else {
      out += written[i];
    }
  }
  return out;
}

// A name may have commas in it: tick and command come before the first two, the value after the last.
RecordedCommand parse_line(std::string_view line) {
  const size_t first = line.find(','), second = first == line.npos ? line.npos : line.find(',', first + 1);
  const size_t last = line.rfind(',');
  if (second == line.npos || last <= second) throw std::runtime_error("tick, command, name and value are expected");
  RecordedCommand out;
  const auto tick = whole_number<std::int64_t>(line.substr(0, first));
  if (!tick || *tick < 0) throw std::runtime_error("the tick is a whole number from 0 on");
  out.tick = *tick;
  const std::string_view word = line.substr(first + 1, second - first - 1);
  bool known = false;
  for (const LeverVerb verb : lever_verbs)
    if (word == name_of(verb)) {
      out.command.verb = verb;
      known = true;
    }
  if (!known) throw std::runtime_error("the command is one of speed, move, phase, automatic and stop");
  out.command.name = as_it_was(line.substr(second + 1, last - second - 1));
  const auto value = whole_number<double>(line.substr(last + 1));
  if (!value || !std::isfinite(*value)) throw std::runtime_error("the value is a number");
  out.command.value = *value;
  return out;
}

}  // namespace

const char* name_of(LeverVerb verb) {
  switch (verb) {
    case LeverVerb::speed:
      return "speed";
    case LeverVerb::move:
      return "move";
    case LeverVerb::phase:
      return "phase";
    case LeverVerb::automatic:
      return "automatic";
    case LeverVerb::stop:
      return "stop";
  }
  return "";
}

std::string line_of(const RecordedCommand& of) {
  return fmt::format("{},{},{},{}\n", of.tick, name_of(of.command.verb), on_one_line(of.command.name),
                     of.command.value);
}

std::vector<RecordedCommand> parse_lever_record(std::istream& text, const std::string& file) {
  std::vector<RecordedCommand> out;
  std::string line;
  for (size_t number = 1; std::getline(text, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line == lever_record_head) continue;
    try {
      if (line.size() > longest_line) throw std::runtime_error("the line is too long");
      if (out.size() == most_commands) throw std::runtime_error("there are too many commands");
      out.push_back(parse_line(line));
      if (out.size() > 1 && out.back().tick < out[out.size() - 2].tick) throw std::runtime_error("ticks must not fall");
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  return out;
}

}  // namespace davit::operation
