#include "davit/hull/shape_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "davit/input/quantity.hpp"

namespace davit::hull {

namespace {

// What is wrong with a text, on its way out to parse_shape.
struct Mistake {
  std::string what, remedy;
};

struct Kind {
  std::string_view name;
  std::vector<std::string> sizes;       // in the order of writing
  std::vector<std::string> properties;  // that it may have
  std::string_view example;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"barge", {"length", "beam", "depth"}, {"draft"}, "barge: 110 x 46 x 7.5 m, draft 4 m"},
      {"cylinder", {"diameter", "depth"}, {"draft"}, "cylinder: 20 m x 10 m"},
      {"sphere", {"diameter"}, {"draft"}, "sphere: 10 m"},
      {"ship",
       {"length", "beam", "depth"},
       {"draft", "cb", "cm", "cw", "lcb"},
       "ship: 82.8 x 19.2 x 8 m, draft 6 m, cb 0.65"}};
  return all;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(at, begin);
    parts.push_back(trimmed(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string listed(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

input::Quantity quantity(std::string_view text, std::string_view what) {
  input::Parsed<input::Quantity> parsed = input::parse_quantity(text);
  if (!parsed.value)
    throw Mistake{fmt::format("the {}: {}", what, parsed.mistake),
                  parsed.remedy.empty() ? "give a number with a unit, such as 12.5 m" : parsed.remedy};
  return *parsed.value;
}

double metres(const input::Quantity& q, const input::Unit& otherwise, std::string_view what) {
  const auto factor = input::factor_between(q.has_unit ? q.unit : otherwise, input::unit("m"));
  if (!factor) throw Mistake{fmt::format("the {} of {} is no length", what, q.text), "give a length, such as 12.5 m"};
  return q.number * *factor;
}

Shape shape_of(std::string_view whole) {
  // The sign × as the letter.
  std::string text(whole);
  for (size_t at; (at = text.find("×")) != std::string::npos;) text.replace(at, std::string_view("×").size(), "x");

  const size_t colon = text.find(':');
  const std::string_view name = trimmed(std::string_view(text).substr(0, colon));
  const Kind* kind = nullptr;
  for (const Kind& k : kinds())
    if (k.name == name) kind = &k;
  if (!kind || colon == std::string::npos)
    throw Mistake{fmt::format("'{}' is no shape of a hull", whole),
                  "shapes are barge, cylinder, sphere and ship, followed by a colon and sizes: " +
                      std::string(kind ? kind->example : kinds()[0].example)};

  const std::vector<std::string_view> parts = split(std::string_view(text).substr(colon + 1), ',');
  const std::vector<std::string_view> sizes = split(parts[0], 'x');
  if (sizes.size() != kind->sizes.size() || sizes[0].empty())
    throw Mistake{fmt::format("a {} has the sizes {}, but {} are given", name, listed(kind->sizes),
                              parts[0].empty() ? 0 : sizes.size()),
                  "write it like this: " + std::string(kind->example)};
  std::map<std::string, double, std::less<>> values;
  input::Unit following = input::unit("m");
  for (size_t i = sizes.size(); i-- > 0;) {
    const input::Quantity q = quantity(sizes[i], kind->sizes[i]);
    if (q.has_unit) following = q.unit;
    const double size = values[kind->sizes[i]] = metres(q, following, kind->sizes[i]);
    if (!(size > 0))
      throw Mistake{fmt::format("the {} of {} is not positive", kind->sizes[i], q.text), "give a length"};
  }

  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t space = parts[i].find_first_of(" \t");
    const std::string property(parts[i].substr(0, space));
    if (std::find(kind->properties.begin(), kind->properties.end(), property) == kind->properties.end())
      throw Mistake{fmt::format("a {} has no '{}'", name, property), "it may have: " + listed(kind->properties)};
    if (values.contains(property)) throw Mistake{fmt::format("{} is given twice", property), "leave one of them out"};
    const input::Quantity q =
        quantity(space == std::string_view::npos ? std::string_view() : trimmed(parts[i].substr(space)), property);
    if (property == "draft" || property == "lcb") {
      values[property] = metres(q, input::unit("m"), property);
    } else {
      if (q.dimension() != input::dimensionless)
        throw Mistake{fmt::format("{} of {} has a unit", property, q.text),
                      "coefficients are plain numbers, such as 0.65"};
      values[property] = q.value();
    }
  }
  const auto optional = [&](const char* key) {
    const auto it = values.find(key);
    return it == values.end() ? std::nullopt : std::optional(it->second);
  };

  Shape shape;
  if (name == "barge") {
    shape = Barge{values["length"], values["beam"], values["depth"], optional("draft")};
  } else if (name == "cylinder") {
    shape = Cylinder{values["diameter"], values["depth"], optional("draft")};
  } else if (name == "sphere") {
    shape = Sphere{values["diameter"], optional("draft")};
  } else {
    for (const char* key : {"draft", "cb"})
      if (!values.contains(key))
        throw Mistake{fmt::format("a ship needs its {}", key), "write it like this: " + std::string(kind->example)};
    shape = Ship{values["length"], values["beam"], values["depth"], values["draft"],
                 values["cb"],     optional("cm"), optional("cw"),  optional("lcb")};
  }
  try {
    // Panels tell whether such a hull exists.
    panelled(shape, {0.03 * values.at(kind->sizes[0]), 4000, 0});
  } catch (const std::invalid_argument& error) {
    throw Mistake{error.what(), "correct the sizes of this " + std::string(name)};
  }
  return shape;
}

std::string with(const char* name, const std::optional<double>& x, const char* unit) {
  return x ? fmt::format(", {} {}{}", name, *x, unit) : "";
}

struct Describe {
  std::string operator()(const Barge& s) const {
    return fmt::format("barge: {} x {} x {} m", s.length, s.beam, s.depth) + with("draft", s.draft, " m");
  }
  std::string operator()(const Cylinder& s) const {
    return fmt::format("cylinder: {} x {} m", s.diameter, s.depth) + with("draft", s.draft, " m");
  }
  std::string operator()(const Sphere& s) const {
    return fmt::format("sphere: {} m", s.diameter) + with("draft", s.draft, " m");
  }
  std::string operator()(const Ship& s) const {
    return fmt::format("ship: {} x {} x {} m, draft {} m, cb {}", s.length, s.beam, s.depth, s.draft, s.block) +
           with("cm", s.midship, "") + with("cw", s.waterplane, "") + with("lcb", s.lcb, " m");
  }
};

}  // namespace

input::Parsed<Shape> parse_shape(std::string_view text) {
  try {
    return {shape_of(text), "", ""};
  } catch (const Mistake& mistake) {
    return {std::nullopt, mistake.what, mistake.remedy};
  }
}

std::string described(const Shape& shape) { return std::visit(Describe{}, shape); }

}  // namespace davit::hull
