#include "davit/input/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>
#include <vector>

#include "davit/input/quantity.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

// Brackets and signs within one another; a hostile file could nest millions.
constexpr int deepest_expression = 50;

bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

Unit unit_of(const Dimension& dimension) {
  Unit unit;
  unit.dimension = dimension;
  unit.text.clear();
  const auto add = [&](const char* symbol, int exponent) {
    if (exponent == 0) return;
    if (!unit.text.empty()) unit.text += ' ';
    unit.text += symbol;
    if (exponent != 1) unit.text += fmt::format("^{}", exponent);
  };
  // Forces and what is made of them are read as such: N m/rad, N s/m.
  const bool of_force = dimension.kg == 1 && (dimension.s == -2 || dimension.s == -1);
  if (of_force) unit.text = "N";
  add("kg", of_force ? 0 : dimension.kg);
  add("m", of_force ? dimension.m - 1 : dimension.m);
  add("s", of_force ? dimension.s + 2 : dimension.s);
  add("rad", dimension.rad);
  if (unit.text.empty()) unit.text = "1";
  return unit;
}

// Leaves the parser; what is wrong goes with it.
struct Mistake {
  std::string what, remedy;
};

[[noreturn]] void refuse(std::string what, std::string remedy) { throw Mistake{std::move(what), std::move(remedy)}; }

const char* const names_and_operators =
    "write numbers with units, names of parameters, + - * / ^, parentheses and functions such as sqrt(x)";

// One digit is what the exponent of a unit may have.
void require_plausible(const Dimension& d) {
  if (std::max({std::abs(d.kg), std::abs(d.m), std::abs(d.s), std::abs(d.rad)}) > 9)
    refuse("no quantity has such a unit", "look at the units of the factors");
}

// ---- functions

void require_same(const Value& a, const Value& b, const char* what) {
  if (a.dimension == b.dimension) return;
  refuse(fmt::format("{} of {} and {}", what, described(a.dimension), described(b.dimension)),
         "give both the same dimension: a plain number has none, 3 m is a length");
}

double plain_number(const Value& x, std::string_view function) {
  if (x.dimension == dimensionless) return x.si;
  refuse(fmt::format("{} of {}", function, described(x.dimension)), "give it a plain number");
}

double angle_of(const Value& x, std::string_view function) {
  if (x.dimension == angle || x.dimension == dimensionless) return x.si;
  refuse(fmt::format("{} of {}", function, described(x.dimension)), "give it an angle, e.g. sin(30 deg)");
}

Value root_of(const Value& x) {
  const auto half = [&](int exponent) {
    if (exponent % 2 != 0)
      refuse(fmt::format("the root of {}", described(x.dimension)), "no unit is the root of that one");
    return exponent / 2;
  };
  if (x.si < 0) refuse("the root of a negative number", "look at the values of the parameters");
  return {std::sqrt(x.si), {half(x.dimension.kg), half(x.dimension.m), half(x.dimension.s), half(x.dimension.rad)}};
}

using Arguments = std::vector<Value>;
struct Function {
  const char* name;
  std::size_t least, most;  // arguments
  Value (*of)(const Arguments&);
};

Value extreme(const Arguments& x, const char* name, bool largest) {
  Value out = x[0];
  for (const Value& each : x) {
    require_same(out, each, name);
    out.si = largest ? std::max(out.si, each.si) : std::min(out.si, each.si);
  }
  return out;
}

constexpr std::size_t any_number = 100;
const Function functions[] = {
    {"sin", 1, 1,
     [](const Arguments& x) {
       return Value{std::sin(angle_of(x[0], "sin")), {}};
     }},
    {"cos", 1, 1,
     [](const Arguments& x) {
       return Value{std::cos(angle_of(x[0], "cos")), {}};
     }},
    {"tan", 1, 1,
     [](const Arguments& x) {
       return Value{std::tan(angle_of(x[0], "tan")), {}};
     }},
    {"asin", 1, 1,
     [](const Arguments& x) {
       return Value{std::asin(plain_number(x[0], "asin")), angle};
     }},
    {"acos", 1, 1,
     [](const Arguments& x) {
       return Value{std::acos(plain_number(x[0], "acos")), angle};
     }},
    {"atan", 1, 1,
     [](const Arguments& x) {
       return Value{std::atan(plain_number(x[0], "atan")), angle};
     }},
    {"atan2", 2, 2,
     [](const Arguments& x) {
       require_same(x[0], x[1], "atan2");
       return Value{std::atan2(x[0].si, x[1].si), angle};
     }},
    {"hypot", 2, 3,
     [](const Arguments& x) {
       double sum = 0;
       for (const Value& each : x) {
         require_same(x[0], each, "hypot");
         sum = std::hypot(sum, each.si);
       }
       return Value{sum, x[0].dimension};
     }},
    {"sqrt", 1, 1, [](const Arguments& x) { return root_of(x[0]); }},
    {"abs", 1, 1,
     [](const Arguments& x) {
       return Value{std::abs(x[0].si), x[0].dimension};
     }},
    {"min", 1, any_number, [](const Arguments& x) { return extreme(x, "min", false); }},
    {"max", 1, any_number, [](const Arguments& x) { return extreme(x, "max", true); }},
    {"floor", 1, 1,
     [](const Arguments& x) {
       return Value{std::floor(plain_number(x[0], "floor")), {}};
     }},
    {"ceil", 1, 1,
     [](const Arguments& x) {
       return Value{std::ceil(plain_number(x[0], "ceil")), {}};
     }},
    {"round", 1, 1,
     [](const Arguments& x) {
       return Value{std::round(plain_number(x[0], "round")), {}};
     }},
};

Value raised(const Value& base, const Value& exponent) {
  const double n = plain_number(exponent, "a power");
  if (base.dimension == dimensionless) return {std::pow(base.si, n), {}};
  if (n != std::round(n) || std::abs(n) > 12)
    refuse(fmt::format("{} to the power {}", described(base.dimension), n),
           "what has a unit may have whole powers up to 12; use sqrt for a root");
  const Value value{std::pow(base.si, n), base.dimension.power(static_cast<int>(n))};
  require_plausible(value.dimension);
  return value;
}

// ---- the parser: sum = product {+ product}, product = sign {* sign}, sign = [-] power, power = atom [^ sign]

class Parser {
 public:
  Parser(std::string_view text, const ValueOf& value_of) : rest_(text), value_of_(value_of) {}

  Value whole() {
    const Value value = sum();
    skip_blanks();
    if (!rest_.empty()) refuse(fmt::format("{} is not expected here", shown(rest_.substr(0, 20))), names_and_operators);
    return value;
  }

 private:
  // Counts what is within one another.
  struct Deeper {
    explicit Deeper(int& depth_of_all) : depth(depth_of_all) {
      if (++depth > deepest_expression) refuse("the expression is nested too deep", "simplify it");
    }
    ~Deeper() { --depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    int& depth;
  };

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Value sum() {
    const Deeper deeper(depth_);
    Value value = product();
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return value;
      const Value next = product();
      require_same(value, next, plus ? "the sum" : "the difference");
      value.si = plus ? value.si + next.si : value.si - next.si;
    }
  }

  Value product() {
    Value value = sign();
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return value;
      const Value next = sign();
      if (!times && next.si == 0) refuse("a division by zero", "look at the values of the parameters");
      value.si = times ? value.si * next.si : value.si / next.si;
      value.dimension = value.dimension * next.dimension.power(times ? 1 : -1);
      require_plausible(value.dimension);
    }
  }

  Value sign() {
    const Deeper deeper(depth_);
    if (take('-')) {
      Value value = sign();
      value.si = -value.si;
      return value;
    }
    take('+');
    const Value base = atom();
    return take('^') ? raised(base, sign()) : base;
  }

  Value atom() {
    if (take('(')) {
      const Value value = sum();
      if (!take(')')) refuse("a ')' is missing", "close every parenthesis");
      return value;
    }
    if (!rest_.empty() && (is_decimal(rest_.front()) || rest_.front() == '.')) return number();
    if (!rest_.empty() && begins_word(rest_.front())) return name();
    refuse(rest_.empty() ? "the expression ends too early"
                         : fmt::format("{} is not expected here", shown(rest_.substr(0, 20))),
           names_and_operators);
  }

  std::string_view take_while(const std::function<bool(std::size_t)>& belongs) {
    std::size_t end = 0;
    while (end < rest_.size() && belongs(end)) ++end;
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return taken;
  }

  Value number() {
    const auto exponent_sign = [&](std::size_t i) {
      return (rest_[i] == '-' || rest_[i] == '+') && i > 0 && (rest_[i - 1] == 'e' || rest_[i - 1] == 'E');
    };
    const auto exponent = [&](std::size_t i) {
      if ((rest_[i] != 'e' && rest_[i] != 'E') || i + 1 >= rest_.size()) return false;
      const std::size_t digit = i + (rest_[i + 1] == '-' || rest_[i + 1] == '+' ? 2 : 1);
      return digit < rest_.size() && is_decimal(rest_[digit]);
    };
    const std::string_view digits = take_while(
        [&](std::size_t i) { return is_decimal(rest_[i]) || rest_[i] == '.' || exponent(i) || exponent_sign(i); });
    const Parsed<double> parsed = parse_number(digits);
    if (!parsed.value) refuse(parsed.mistake, parsed.remedy.empty() ? names_and_operators : parsed.remedy);
    skip_blanks();
    if (rest_.empty() || !begins_unit(rest_.front())) return {*parsed.value, {}};
    // Blanks between symbols belong to it: N s/m. No name can follow a unit.
    std::string unit_text;
    for (; !rest_.empty() && begins_unit(rest_.front()); skip_blanks()) {
      if (!unit_text.empty()) unit_text += ' ';
      unit_text += take_unit();
    }
    const Parsed<Unit> unit = parse_unit(unit_text);
    if (!unit.value)
      refuse(unit.mistake, unit.remedy.empty() || unit_text.find('/') != std::string::npos
                               ? "a unit follows its number without blanks inside; to divide by a name put blanks "
                                 "about the '/'"
                               : unit.remedy);
    return {*parsed.value * unit.value->factor, unit.value->dimension};
  }
  std::string_view take_unit() {
    return take_while([&](std::size_t i) {
      const char c = rest_[i];
      const bool powered = i > 0 && (rest_[i - 1] == '^' || (c != '-' && rest_[i - 1] == '-'));
      return begins_unit(c) || c == '^' || c == '/' || (powered && (c == '-' || is_decimal(c))) ||
             (i > 0 && is_decimal(c) && is_decimal(rest_[i - 1]));
    });
  }
  // Letters, %, and the bytes of °, ², ³ and ·.
  static bool begins_unit(char c) { return begins_word(c) || c == '%' || static_cast<unsigned char>(c) >= 0x80; }

  Value name() {
    const std::string_view word = take_while([&](std::size_t i) {
      return begins_word(rest_[i]) || is_decimal(rest_[i]) ||
             (rest_[i] == '.' && i + 1 < rest_.size() && begins_word(rest_[i + 1]));
    });
    if (take('(')) return call(word);
    if (word == "pi") return {std::numbers::pi, {}};
    const Parsed<Value> value = value_of_(word);
    if (!value.value) refuse(value.mistake, value.remedy);
    return *value.value;
  }

  Value call(std::string_view word) {
    const auto at =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return word == f.name; });
    if (at == std::end(functions)) {
      std::vector<std::string> names;
      for (const Function& f : functions) names.emplace_back(f.name);
      refuse(fmt::format("there is no function {}", shown(word)), suggestion(word, "functions", names));
    }
    Arguments arguments;
    if (!take(')')) {
      do arguments.push_back(sum());
      while (arguments.size() < any_number && take(','));
      if (!take(')')) refuse("a ')' is missing", "close every parenthesis");
    }
    if (arguments.size() < at->least || arguments.size() > at->most)
      refuse(fmt::format("{} has {} argument{}", at->name, arguments.size(), arguments.size() == 1 ? "" : "s"),
             at->most == any_number  ? "give it one or more"
             : at->least == at->most ? fmt::format("give it {}", at->least)
                                     : fmt::format("give it {} or {}", at->least, at->most));
    return at->of(arguments);
  }

  std::string_view rest_;
  const ValueOf& value_of_;
  int depth_ = 0;
};

}  // namespace

std::optional<std::string_view> expression_in(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  if (!text.starts_with('=')) return std::nullopt;
  return text.substr(1);
}

Parsed<Value> evaluate(std::string_view expression, const ValueOf& value_of) {
  try {
    const Value value = Parser(expression, value_of).whole();
    if (!std::isfinite(value.si)) refuse("the result is no finite number", "look at the values of the parameters");
    return {value, "", ""};
  } catch (const Mistake& mistake) {
    return {std::nullopt, mistake.what, mistake.remedy};
  }
}

std::string to_text(const Value& value) {
  if (value.dimension == dimensionless) return fmt::format("{}", value.si);
  return fmt::format("{} {}", value.si, text_of(value.dimension));
}

std::string text_of(const Dimension& dimension) { return unit_of(dimension).text; }

std::string described(const Dimension& dimension) { return described(unit_of(dimension)); }

}  // namespace davit::input
