#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "davit/file/read_file.hpp"
#include "davit/sea/elevation_record.hpp"

namespace davit::sea {

namespace {

constexpr std::uintmax_t largest_record = 100'000'000;

}  // namespace

ElevationRecord read_record(const std::filesystem::path& path) {
  std::istringstream text;
  try {
    text.str(file::read_file(path, largest_record));
  } catch (const file::FileError& error) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), error.message));
  }
  return parse_record(text, path.string());
}

ElevationRecord parse_record(std::istream& file, const std::string& name) {
  ElevationRecord record;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const char* begin = line.c_str();
    char *after_time = nullptr, *after_value = nullptr;
    const double time = std::strtod(begin, &after_time), value = std::strtod(after_time, &after_value);
    const bool two = after_time != begin && after_value != after_time;
    if (!two && record.times.empty()) continue;  // a heading
    if (!two || !std::isfinite(time) || !std::isfinite(value))
      throw std::runtime_error(fmt::format("{}:{}: not a time and an elevation", name, number));
    if (!record.times.empty() && !(time > record.times.back()))
      throw std::runtime_error(fmt::format("{}:{}: time does not increase", name, number));
    record.times.push_back(time);
    record.elevations.push_back(value);
  }
  if (record.times.size() < 3) throw std::runtime_error(fmt::format("{} has fewer than three points", name));
  return record;
}

}  // namespace davit::sea
