// A measured wave elevation read from columns of text.
#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "davit/input/columns.hpp"
#include "davit/input/quantity.hpp"
#include "davit/io/read_file.hpp"
#include "davit/sea/elevation_record.hpp"

namespace davit::sea {

namespace {

constexpr std::uintmax_t largest_record = 100'000'000;

}  // namespace

ElevationRecord read_record(const std::filesystem::path& path) {
  std::istringstream text;
  try {
    text.str(io::read_file(path, largest_record));
  } catch (const io::FileError& error) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), error.message));
  }
  return parse_record(text, path.string());
}

ElevationRecord parse_record(std::istream& file, const std::string& name) {
  ElevationRecord record;
  std::string line;
  size_t width = 0;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r,;") == std::string::npos) continue;
    std::vector<std::string> cells = input::cells_of(line);
    for (std::string& cell : cells) cell = cell.substr(0, cell.find(' '));  // words may follow the numbers
    const bool begins = input::parse_number(cells[0]).value.has_value();
    if (!begins && record.times.empty()) continue;  // a heading
    if (record.times.empty()) width = cells.size();
    // Words may follow blanks; more cells by commas are decimals.
    if (line.find(',') != std::string::npos) input::check_width(cells, width, name, number);
    const double time = input::number_in(cells, 0, name, number), value = input::number_in(cells, 1, name, number);
    if (!record.times.empty() && !(time > record.times.back()))
      throw std::runtime_error(fmt::format("{}:{}: time does not increase", name, number));
    record.times.push_back(time);
    record.elevations.push_back(value);
  }
  if (record.times.size() < 3) throw std::runtime_error(fmt::format("{} has fewer than three points", name));
  return record;
}

}  // namespace davit::sea
