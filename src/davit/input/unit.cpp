#include "davit/input/unit.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "davit/input/wording.hpp"
#include "davit/math/constants.hpp"

namespace davit::input {

namespace {

constexpr double turn = 2 * pi;
constexpr double standard_gravity = 9.80665;
constexpr double pound_force = 0.45359237 * standard_gravity;

constexpr Dimension mass{1, 0, 0, 0};
constexpr Dimension length{0, 1, 0, 0};
constexpr Dimension duration{0, 0, 1, 0};
constexpr Dimension force{1, 1, -2, 0};
constexpr Dimension pressure{1, -1, -2, 0};
constexpr Dimension energy{1, 2, -2, 0};
constexpr Dimension power{1, 2, -3, 0};
constexpr Dimension speed{0, 1, -1, 0};
constexpr Dimension angular_speed{0, 0, -1, 1};

struct Symbol {
  std::string_view text;
  double factor;
  Dimension dimension;
  int hertz = 0;
  int revolutions = 0;
};

constexpr std::array symbols{
    Symbol{"1", 1, dimensionless},
    Symbol{"%", 0.01, dimensionless},
    Symbol{"kg", 1, mass},
    Symbol{"g", 1e-3, mass},
    Symbol{"t", 1e3, mass},
    Symbol{"m", 1, length},
    Symbol{"mm", 1e-3, length},
    Symbol{"cm", 1e-2, length},
    Symbol{"km", 1e3, length},
    Symbol{"ft", 0.3048, length},
    Symbol{"in", 0.0254, length},
    Symbol{"nmi", 1852, length},
    Symbol{"s", 1, duration},
    Symbol{"ms", 1e-3, duration},
    Symbol{"us", 1e-6, duration},
    Symbol{"min", 60, duration},
    Symbol{"h", 3600, duration},
    Symbol{"rad", 1, angle},
    Symbol{"deg", pi / 180, angle},
    Symbol{"°", pi / 180, angle},
    Symbol{"rev", turn, angle, 0, 1},
    Symbol{"N", 1, force},
    Symbol{"kN", 1e3, force},
    Symbol{"MN", 1e6, force},
    Symbol{"tf", 1e3 * standard_gravity, force},
    Symbol{"kgf", standard_gravity, force},
    Symbol{"lbf", pound_force, force},
    Symbol{"Pa", 1, pressure},
    Symbol{"kPa", 1e3, pressure},
    Symbol{"MPa", 1e6, pressure},
    Symbol{"GPa", 1e9, pressure},
    Symbol{"bar", 1e5, pressure},
    Symbol{"J", 1, energy},
    Symbol{"kJ", 1e3, energy},
    Symbol{"MJ", 1e6, energy},
    Symbol{"W", 1, power},
    Symbol{"kW", 1e3, power},
    Symbol{"MW", 1e6, power},
    Symbol{"knot", 1852.0 / 3600.0, speed},
    Symbol{"kn", 1852.0 / 3600.0, speed},
    Symbol{"Hz", 1, frequency, 1, 0},
    Symbol{"rpm", turn / 60, angular_speed, 0, 1},
};

// How people write units out, with or without an s at the end.
struct Spelling {
  std::string_view said, symbol;
};
constexpr std::array spellings{
    Spelling{"tonne", "t"},       Spelling{"ton", "t"},      Spelling{"mt", "t"},       Spelling{"MT", "t"},
    Spelling{"te", "t"},          Spelling{"T", "t"},        Spelling{"Kg", "kg"},      Spelling{"KG", "kg"},
    Spelling{"kilogram", "kg"},   Spelling{"meter", "m"},    Spelling{"metre", "m"},    Spelling{"M", "m"},
    Spelling{"second", "s"},      Spelling{"sec", "s"},      Spelling{"minute", "min"}, Spelling{"hour", "h"},
    Spelling{"hr", "h"},          Spelling{"degree", "deg"}, Spelling{"radian", "rad"}, Spelling{"newton", "N"},
    Spelling{"kilonewton", "kN"}, Spelling{"KN", "kN"},      Spelling{"knots", "knot"}, Spelling{"kt", "knot"},
    Spelling{"hz", "Hz"},         Spelling{"RPM", "rpm"},
};

const Symbol* find_symbol(std::string_view text) {
  for (const Symbol& symbol : symbols)
    if (symbol.text == text) return &symbol;
  return nullptr;
}

struct Name {
  Dimension dimension;
  std::string_view noun;
  std::string_view examples;
};

constexpr std::array unit_names{
    Name{dimensionless, "a plain number", "0.3 or 30 %"},
    Name{mass, "a mass", "348 t or 1200 kg"},
    Name{length, "a length", "12 m or 350 mm"},
    Name{duration, "a time", "10 s or 5 ms"},
    Name{angle, "an angle", "30 deg or 0.5 rad"},
    Name{{0, 2, 0, 0}, "an area", "2.5 m^2"},
    Name{{0, 3, 0, 0}, "a volume", "40 m^3"},
    Name{speed, "a speed", "2 m/s or 4 knot"},
    Name{angular_speed, "an angular speed", "0.1 rad/s or 2 rpm"},
    Name{{0, 1, -2, 0}, "an acceleration", "9.81 m/s^2"},
    Name{{0, 0, -2, 1}, "an angular acceleration", "0.1 rad/s^2 or 5 deg/s^2"},
    Name{frequency, "a frequency", "0.2 Hz or 0.2 1/s"},
    Name{force, "a force", "61560 kN or 900 tf"},
    Name{energy, "a moment", "120 kN m"},
    Name{pressure, "a pressure", "210 GPa or 25 bar"},
    Name{power, "a power", "750 kW"},
    Name{{1, 0, -2, 0}, "a stiffness", "2e6 N/m or 40 kN/mm"},
    Name{{1, 2, -2, -1}, "a rotational stiffness", "5 MN m/rad"},
    Name{{1, 0, -1, 0}, "a damping", "3 kN s/m"},
    Name{{1, 2, -1, -1}, "a rotational damping", "3 kN m s/rad"},
    Name{{1, -3, 0, 0}, "a density", "1025 kg/m^3"},
    Name{{1, -1, 0, 0}, "a mass per length", "45 kg/m"},
    Name{{1, 2, 0, 0}, "an inertia", "5e6 kg m^2 or 300 t m^2"},
    Name{{1, 3, -2, 0}, "a bending stiffness", "2e6 N m^2"},
    Name{{0, 3, -1, 0}, "a volume flow", "0.05 m^3/s"},
    Name{{0, -1, 0, 1}, "a curvature", "0.02 rad/m"},
};

const Name* find_name(const Dimension& dimension) {
  for (const Name& name : unit_names)
    if (name.dimension == dimension) return &name;
  return nullptr;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads the text from left to right: [operator] symbol [power], again and again.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Parsed<Unit> read() {
    constexpr std::size_t longest = 64;
    if (text_.size() > longest) return failed("is too long for a unit", "write a unit such as kN m/rad");
    bool first = true;
    skip_spaces();
    do {
      const int sign = read_operator(first);
      if (sign == 0) return failed("is not a unit", "write a unit such as kN m/rad");
      skip_spaces();
      const std::string_view symbol = read_symbol();
      const std::optional<int> exponent = read_power();
      if (symbol.empty() || !exponent) return failed("is not a unit", "write units such as m/s^2 or kN m/rad");
      const Symbol* known = find_symbol(symbol);
      if (known == nullptr)
        return failed(fmt::format("has an unknown unit {}", shown(symbol)), remedy_for_unknown(symbol));
      multiply(*known, sign * *exponent);
      first = false;
      skip_spaces();
    } while (at_ < text_.size());
    if (!std::isfinite(unit_.factor) || unit_.factor == 0.0)
      return failed("is a unit too large or too small to compute with", "write the value in another unit");
    unit_.text = std::string(text_);
    return {unit_, "", ""};
  }

 private:
  Parsed<Unit> failed(const std::string& what, std::string remedy) const {
    return {std::nullopt, fmt::format("{} {}", shown(text_), what), std::move(remedy)};
  }

  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  // 1 for a product, -1 for a quotient, 0 when an operator stands where none may.
  int read_operator(bool first) {
    const bool product = take("*") || take("·");
    const bool quotient = !product && take("/");
    if (first && (product || quotient)) return 0;
    return quotient ? -1 : 1;
  }

  std::string_view read_symbol() {
    const std::size_t begin = at_;
    if (take("1") || take("%") || take("°")) return text_.substr(begin, at_ - begin);
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    // A digit right behind belongs to what the user took for a symbol: "s2" is then named whole.
    while (at_ > begin && at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::optional<int> read_power() {
    if (take("²")) return 2;
    if (take("³")) return 3;
    if (!take("^")) return 1;
    const int sign = take("-") ? -1 : 1;
    // One digit is enough, and keeps every sum of exponents far from overflow.
    if (at_ >= text_.size() || !is_digit(text_[at_])) return std::nullopt;
    const int exponent = text_[at_++] - '0';
    if (at_ < text_.size() && is_digit(text_[at_])) return std::nullopt;
    return sign * exponent;
  }

  void multiply(const Symbol& symbol, int exponent) {
    unit_.factor *= std::pow(symbol.factor, exponent);
    unit_.dimension = unit_.dimension * symbol.dimension.power(exponent);
    unit_.hertz += symbol.hertz * exponent;
    unit_.revolutions += symbol.revolutions * exponent;
    unit_.names_angle = unit_.names_angle || symbol.dimension.rad != 0;
  }

  static std::string remedy_for_unknown(std::string_view symbol) {
    for (const Spelling& spelling : spellings)
      if (symbol == spelling.said || (symbol.ends_with('s') && symbol.substr(0, symbol.size() - 1) == spelling.said))
        return fmt::format("write '{}'", spelling.symbol);
    if (is_digit(symbol.back())) {
      const std::size_t digits = symbol.find_first_of("0123456789");
      return fmt::format("write a power as {}^{}", symbol.substr(0, digits), symbol.substr(digits));
    }
    for (std::size_t i = 1; i < symbol.size(); ++i)
      if (find_symbol(symbol.substr(0, i)) != nullptr && find_symbol(symbol.substr(i)) != nullptr)
        return fmt::format("did you mean '{} {}'? separate units by a space", symbol.substr(0, i), symbol.substr(i));
    std::vector<std::string> known;
    for (const Symbol& s : symbols) known.emplace_back(s.text);
    std::string text;
    if (const auto near = nearest(symbol, known)) text = fmt::format("did you mean '{}'? ", *near);
    return text + "units are made of kg, t, m, s, rad, deg, N, kN, tf, Pa, J, W, knot, Hz, rpm and the like";
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Unit unit_;
};

}  // namespace

Parsed<Unit> parse_unit(std::string_view text) { return Reader(text).read(); }

Unit unit(std::string_view text) {
  Parsed<Unit> parsed = parse_unit(text);
  if (!parsed.value) throw std::logic_error(parsed.mistake);
  return *std::move(parsed.value);
}

std::optional<double> factor_between(const Unit& written, const Unit& due) {
  const Dimension& from = written.dimension;
  const Dimension& to = due.dimension;
  if (from == to) return written.factor;
  if (from.kg != to.kg || from.m != to.m || from.s != to.s) return std::nullopt;
  const int missing = to.rad - from.rad;
  if (!written.names_angle && written.hertz != 0) {
    if (missing == written.hertz) return written.factor * std::pow(turn, missing);
    return std::nullopt;
  }
  if (to == frequency && from == angular_speed && written.revolutions == 1) return written.factor / turn;
  if (!written.names_angle && from != dimensionless) return written.factor;
  return std::nullopt;
}

std::string described(const Unit& unit) {
  // Energy and moment share a dimension; the joule tells them apart.
  if (unit.dimension == energy && unit.text.find('J') != std::string::npos) return "an energy";
  if (const Name* name = find_name(unit.dimension)) return std::string(name->noun);
  return fmt::format("a quantity in {}", unit.text);
}

std::string examples_of(const Unit& unit) {
  if (unit.dimension == energy && unit.text.find('J') != std::string::npos) return "5 MJ";
  if (const Name* name = find_name(unit.dimension)) return std::string(name->examples);
  return fmt::format("2.5 {}", unit.text);
}

std::string in_unit(double si, const Unit& unit) {
  if (unit.text == "1") return fmt::format("{}", si);
  return fmt::format("{} {}", si / unit.factor, unit.text);
}

}  // namespace davit::input
