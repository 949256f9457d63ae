#include "davit/operation/signal_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "davit/input/columns.hpp"
#include "davit/input/wording.hpp"
#include "davit/io/read_file.hpp"

namespace davit::operation {

namespace {

constexpr std::uintmax_t largest_file = 100'000'000;

// The column by its name; "hoist.target [m]", as files of results have it, is found by "hoist.target" too.
size_t column_of(const std::vector<std::string>& names, const std::string& column, const std::string& file) {
  if (column.empty()) return 1;
  std::vector<std::string> plain;
  for (const std::string& name : names) plain.push_back(name.substr(0, name.find(" [")));
  for (size_t i = 1; i < names.size(); ++i)
    if (names[i] == column || plain[i] == column) return i;
  throw std::runtime_error(
      fmt::format("{} has no column {}; its columns are {}", file, input::shown(column), input::listed(plain)));
}

std::optional<SignalPoints> points_of_file(const SignalTableSpec& spec, input::Problems& problems) {
  const std::filesystem::path path = spec.file->resolved();
  try {
    std::istringstream text(io::read_file(path, largest_file));
    return parse_columns(text, path.string(), spec.column);
  } catch (const io::FileError& error) {
    problems.error(spec.file->where, fmt::format("{}: {}", path.string(), error.message), error.remedy);
  } catch (const input::ColumnsError& error) {
    problems.error(spec.file->where, error.what(), error.remedy);
  } catch (const std::runtime_error& error) {
    problems.error(spec.file->where, error.what(), "give lines of a time and values, with times that rise");
  }
  return std::nullopt;
}

std::optional<SignalPoints> points_of_table(const SignalTableSpec& spec, const std::string& unit,
                                            input::Problems& problems) {
  SignalPoints out;
  for (const auto& pair : spec.table) {
    if (pair.size() != 2) {
      problems.error(spec.where, "a point of the table is not a pair", "give a time and a value, e.g. [5 s, 10 deg]");
      return std::nullopt;
    }
    const auto t = input::require(pair[0], input::unit("s"), problems);
    const auto x = input::require(pair[1], input::unit(unit), problems);
    if (!t || !x) return std::nullopt;
    if (!out.times.empty() && !(*t > out.times.back())) {
      problems.error(pair[0].where, "the times of the table do not rise", "order the points");
      return std::nullopt;
    }
    out.times.push_back(*t);
    out.values.push_back(*x);
  }
  return out;
}

}  // namespace

SignalPoints parse_columns(std::istream& text, const std::string& name, const std::string& column) {
  SignalPoints out;
  std::string line;
  std::optional<size_t> at;
  size_t width = 0;
  for (int number = 1; std::getline(text, line); ++number) {
    if (line.find_first_not_of(" \t\r,;") == std::string::npos || line.front() == '#') continue;
    const std::vector<std::string> cells = input::cells_of(line);
    if (!at) {
      const bool heading = !input::parse_number(cells[0]).value;
      if (!heading && !column.empty())
        throw std::runtime_error(fmt::format("{}:{}: the columns have no names", name, number));
      at = heading ? column_of(cells, column, name) : 1;
      width = cells.size();
      if (heading) continue;
    }
    input::check_width(cells, width, name, number);
    const double time = input::number_in(cells, 0, name, number), value = input::number_in(cells, *at, name, number);
    if (!out.times.empty() && !(time > out.times.back()))
      throw std::runtime_error(fmt::format("{}:{}: the time does not rise", name, number));
    out.times.push_back(time);
    out.values.push_back(value);
  }
  if (out.times.empty()) throw std::runtime_error(fmt::format("{} has no numbers", name));
  return out;
}

std::optional<Motion> read_signal_table(const SignalTableSpec& spec, const std::string& unit,
                                        input::Problems& problems) {
  auto points = spec.file ? points_of_file(spec, problems) : points_of_table(spec, unit, problems);
  if (!points) return std::nullopt;
  if (spec.file && !spec.unit.empty()) {
    const auto parsed = input::parse_quantity("1 " + spec.unit);
    if (!parsed.value) {
      problems.error(spec.where, parsed.mistake, "give a unit such as deg or m");
      return std::nullopt;
    }
    input::Quantity one = *parsed.value;
    one.where = spec.where;
    const auto factor = input::require(one, input::unit(unit), problems);
    if (!factor) return std::nullopt;
    for (double& value : points->values) value *= *factor;
  }
  if (points->times.front() < 0) {
    problems.error(spec.where, "the table begins before its phase", "count times from the beginning of the phase");
    return std::nullopt;
  }
  Motion::EndSpeeds ends;
  for (const auto& [asked, speed] : {std::pair(&spec.start_speed, &ends.first), std::pair(&spec.end_speed, &ends.last)})
    if (*asked) {
      *speed = input::require(**asked, input::unit(unit + "/s"), problems);
      if (!*speed) return std::nullopt;
    }
  return Motion::through(points->times, points->values, spec.interpolation, ends);
}

}  // namespace davit::operation
