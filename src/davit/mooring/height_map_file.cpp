#include "davit/mooring/height_map_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

#include "davit/io/read_file.hpp"

namespace davit::mooring {

namespace {

constexpr std::uintmax_t largest_map = 100'000'000;  // bytes
constexpr double most_points = 4e6;

[[noreturn]] void fail(const std::string& name, int line, const std::string& what) {
  throw std::runtime_error(fmt::format("{}:{}: {}", name, line, what));
}

bool number(const std::string& word, double& value) {
  char* end = nullptr;
  value = std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0' && std::isfinite(value);
}

// Words with the lines that they stand in.
class Words {
 public:
  Words(std::istream& text, const std::string& name) : text_(text), name_(name) {}
  bool next(std::string& word) {
    while (!(words_ >> word)) {
      std::string line;
      if (!std::getline(text_, line)) return false;
      ++line_;
      words_ = std::istringstream(line);
    }
    return true;
  }
  double value(const std::string& of) {
    std::string word;
    double out = 0;
    if (!next(word)) fail(name_, line_, fmt::format("the file ends before {}", of));
    if (!number(word, out)) fail(name_, line_, fmt::format("'{}' is not a number ({})", word.substr(0, 20), of));
    return out;
  }
  int line() const { return line_; }

 private:
  std::istream& text_;
  const std::string& name_;
  std::istringstream words_;
  int line_ = 0;
};

struct Heading {
  std::map<std::string, double> values;
  std::string first_height;  // the word that came after it
  double get(const std::string& key, const std::string& name) const {
    const auto at = values.find(key);
    if (at == values.end()) fail(name, 1, fmt::format("'{}' is missing in the heading of the map", key));
    return at->second;
  }
  // Of the first point: of the middle of the cell, or of its corner and half a cell.
  double first(const std::string& axis, double cell, const std::string& name) const {
    if (const auto at = values.find(axis + "llcenter"); at != values.end()) return at->second;
    return get(axis + "llcorner", name) + 0.5 * cell;
  }
};

Heading read_heading(Words& words, const std::string& name) {
  Heading out;
  std::string word;
  while (words.next(word)) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    static const char* const keys[] = {"ncols",     "nrows",     "xllcorner", "yllcorner",
                                       "xllcenter", "yllcenter", "cellsize",  "nodata_value"};
    if (std::find(std::begin(keys), std::end(keys), word) != std::end(keys)) {
      out.values[word] = words.value(word);
      continue;
    }
    double unused = 0;
    if (!number(word, unused))
      fail(name, words.line(), fmt::format("'{}' is no word of an ASCII grid's heading", word.substr(0, 20)));
    out.first_height = word;
    break;
  }
  return out;
}

}  // namespace

cable::HeightMap read_height_map(const std::filesystem::path& path, const Vec2& origin) {
  std::istringstream text;
  try {
    text.str(io::read_file(path, largest_map));
  } catch (const io::FileError& error) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), error.message));
  }
  return parse_height_map(text, path.string(), origin);
}

cable::HeightMap parse_height_map(std::istream& text, const std::string& name, const Vec2& origin) {
  Words words(text, name);
  const Heading heading = read_heading(words, name);
  const double columns = heading.get("ncols", name), rows = heading.get("nrows", name);
  if (!(columns >= 2 && rows >= 2 && columns == std::floor(columns) && rows == std::floor(rows) &&
        columns * rows <= most_points))
    fail(name, 1,
         fmt::format("a map of {:g} x {:g} points; there are two at least each way, and {:g} at most in all", columns,
                     rows, most_points));
  const double cell = heading.get("cellsize", name);
  if (!(cell > 0)) fail(name, 1, fmt::format("the cell size must be positive (it is {:g})", cell));
  const Vec2 first(heading.first("x", cell, name), heading.first("y", cell, name));
  const auto hole = heading.values.find("nodata_value");
  const size_t nx = static_cast<size_t>(columns), ny = static_cast<size_t>(rows);
  std::vector<double> heights;
  for (size_t j = 0; j < ny; ++j)
    for (size_t i = 0; i < nx; ++i) {
      double z = 0;
      const std::string what = fmt::format("the height of row {}, column {}", j + 1, i + 1);
      if (heights.empty() && !heading.first_height.empty()) {
        number(heading.first_height, z);
      } else {
        z = words.value(what);
      }
      if (hole != heading.values.end() && z == hole->second)
        fail(name, words.line(), fmt::format("there is no data for {}: fill the holes of the map", what));
      heights.push_back(z);
    }
  std::string more;
  if (words.next(more))
    fail(name, words.line(), fmt::format("there are more heights than the {} x {} of the heading", nx, ny));
  // From north to south in the file.
  for (size_t j = 0; j < ny / 2; ++j)
    std::swap_ranges(heights.begin() + static_cast<std::ptrdiff_t>(j * nx),
                     heights.begin() + static_cast<std::ptrdiff_t>((j + 1) * nx),
                     heights.begin() + static_cast<std::ptrdiff_t>((ny - 1 - j) * nx));
  try {
    return cable::HeightMap(first - origin, cell, static_cast<int>(nx), static_cast<int>(ny), std::move(heights));
  } catch (const std::invalid_argument& mistake) {
    fail(name, 1, mistake.what());
  }
}

}  // namespace davit::mooring
