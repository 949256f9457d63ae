#include "davit/input/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/input/columns.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

// Letters, digits, '_' and dots: what an expression takes for a name.
bool is_parameter_name(std::string_view text) {
  bool begins = true;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (begins ? !letter : !letter && c != '.' && !(c >= '0' && c <= '9')) return false;
    begins = c == '.';
  }
  return !begins;
}

// {boom: {length: 54 m}} sets boom.length, because a setting of the command line makes maps on its way.
void flatten(const Node& map, const std::string& before, std::map<std::string, const Node::Entry*>& out) {
  for (const Node::Entry& entry : map.entries) {
    const std::string name = before + entry.key;
    if (entry.value.is_map())
      flatten(entry.value, name + ".", out);
    else
      out.emplace(name, &entry);
  }
}

}  // namespace

const Record<PartInfo>& PartInfo::record() {
  static const auto r = Record<PartInfo>("part", "What a part is")
                            .field("title", &PartInfo::title, "one line that says what it is")
                            .field("description", &PartInfo::description, "more words: what it has, what it leaves out")
                            .by_default()
                            .field("source", &PartInfo::source, "where its figures come from, or that they are assumed")
                            .by_default();
  return r;
}

const Record<ParameterSpec>& ParameterSpec::record() {
  static const auto r =
      Record<ParameterSpec>("parameter",
                            "A value that whoever uses the part may choose; `name: 54 m` alone is a default")
          .choice("kind", &ParameterSpec::kind,
                  {{"number", ParameterKind::number},
                   {"name", ParameterKind::name},
                   {"text", ParameterKind::text},
                   {"boolean", ParameterKind::boolean}},
                  "number: with a unit; name: of something outside the part, as a body or a point; text: a word; "
                  "boolean: true or false")
          .by_default()
          .field("unit", &ParameterSpec::unit, "of a number, an SI unit; 1 for a plain one")
          .example("N")
          .by_default()
          .field("default", &ParameterSpec::standard, "its value if none is given; without one it must be given")
          .field("min", &ParameterSpec::least, "least value")
          .field("max", &ParameterSpec::most, "largest value")
          .field("whole", &ParameterSpec::whole, "a whole number")
          .by_default()
          .field("choices", &ParameterSpec::choices, "of a text: the words that it may be")
          .by_default()
          .field("meaning", &ParameterSpec::meaning, "what it is")
          .by_default()
          .located(&ParameterSpec::where);
  return r;
}

const Record<InstanceSpec>& InstanceSpec::record() {
  static const auto r =
      Record<InstanceSpec>("part_used", "A part put into the scenario: what it names is named NAME/… here")
          .field("part", &InstanceSpec::part,
                 "its file, relative to the file that names it, else in the program's own folder of parts")
          .example("cranes/pedestal.yaml")
          .field("as", &InstanceSpec::as, "its name, where parts are given as a list")
          .by_default()
          .field("on", &InstanceSpec::on, "the body that it stands on, or a point of one")
          .by_default()
          .field("at", &InstanceSpec::at, "m", "place of its origin, in the frame of that body")
          .by_default()
          .field("heading", &InstanceSpec::heading, "rad", "turn about z: 0 along x, 90 deg along y")
          .by_default()
          .field("set", &InstanceSpec::set, "values of its parameters, by name")
          .example("{boom_length: 54 m}");
  return r;
}

ParameterSpec parameter_of(const Node& node, Problems& problems) {
  if (node.is_map()) return input::read<ParameterSpec>(node, problems);
  ParameterSpec spec;
  spec.where = node.where();
  spec.standard = node;
  const Parsed<Quantity> quantity = parse_quantity(node.text);
  if (expression_in(node.text)) {
    spec.unit.clear();  // that of the result
  } else if (!quantity.value) {
    problems.error(node.where(), quantity.mistake, "give a quantity, or a map with 'kind: name' or the like");
    spec.standard.reset();
  } else {
    spec.unit = text_of(quantity.value->dimension());
  }
  return spec;
}

void name_parts(Node& root, Problems& problems) {
  Node* parts = root.find("parts");
  if (parts == nullptr || !parts->is_sequence()) return;
  Node named = map_node();
  named.place = parts->place;
  named.path = parts->path;
  for (Node& item : parts->items) {
    const Node* as = item.find("as");
    if (as == nullptr || !as->is_scalar() || !is_name(as->text)) {
      problems.error(as ? as->where() : item.where(), "the part has no name",
                     "write e.g. {part: cranes/pedestal.yaml, as: west}");
      continue;
    }
    if (named.find(as->text)) {
      problems.error(as->where(), fmt::format("there are two parts {}", shown(as->text)), "give each its own name");
      continue;
    }
    named.entries.push_back({as->text, as->place, std::move(item)});
  }
  set_paths(named, named.path);
  *parts = std::move(named);
}

Scope::Scope(const Node* declared, const Node* given, const Where& user, Problems& problems) {
  if (given && !given->is_map()) {
    problems.error(given->where(), fmt::format("found {}; values of parameters are expected here", found(*given)),
                   "write e.g. set: {boom_length: 54 m}");
    given = nullptr;
  }
  if (declared && !declared->is_map()) {
    problems.error(declared->where(), fmt::format("found {}; parameters are expected here", found(*declared)),
                   "write e.g. parameters: {boom_length: {unit: m, default: 54 m}}");
    declared = nullptr;
  }
  std::map<std::string, const Node::Entry*> values;
  if (given) flatten(*given, "", values);
  if (declared)
    for (const Node::Entry& entry : declared->entries) {
      const auto value = values.find(entry.key);
      declare(entry, value == values.end() ? nullptr : &value->second->value, user, problems);
    }
  for (const auto& [name, entry] : values)
    if (!parameters_.count(name))
      problems.error(entry->where(), fmt::format("the part has no parameter {}", shown(name)),
                     parameters_.empty() ? "it has none: leave 'set' out" : suggestion(name, "parameters", names()));
}

void Scope::declare(const Node::Entry& entry, const Node* given, const Where& user, Problems& problems) {
  if (!is_parameter_name(entry.key) || entry.key == "pi") {
    problems.error(entry.where(), fmt::format("{} is not the name of a parameter", shown(entry.key)),
                   "begin with a letter or '_', go on with letters, digits, '_' and '.'; pi is taken");
    return;
  }
  const std::size_t errors = problems.error_count();
  const ParameterSpec spec = parameter_of(entry.value, problems);
  Parameter parameter;
  parameter.kind = spec.kind;
  if (problems.error_count() == errors) {
    const bool from_outside = given && !given->is_null();
    if (from_outside || spec.standard)
      parameter = read(spec, from_outside ? *given : *spec.standard, from_outside, problems);
    else
      problems.error(
          user,
          fmt::format("the parameter '{}' has no value{}", entry.key, spec.meaning.empty() ? "" : ": " + spec.meaning),
          fmt::format("give it with set: {{{}: …}}", entry.key));
  }
  parameters_[entry.key] = std::move(parameter);
}

Scope::Parameter Scope::read(const ParameterSpec& spec, const Node& value, bool from_outside,
                             Problems& problems) const {
  if (!value.is_scalar()) {
    problems.error(value.where(), fmt::format("found {}; a value is expected here", found(value)), "give one value");
    return {spec.kind, false, {}, {}};
  }
  if (spec.kind == ParameterKind::number) return read_number(spec, value, problems);
  if (expression_in(value.text)) {  // the value of a parameter before it
    std::string_view rest;
    const Parameter* other = text_parameter(without_blanks(*expression_in(value.text)), rest);
    if (other && other->kind == spec.kind) return {spec.kind, other->good, {}, other->text + std::string(rest)};
  }
  Parameter parameter{spec.kind, true, {}, value.text};
  const auto fail = [&](std::string what, std::string remedy) {
    problems.error(value.where(), std::move(what), std::move(remedy));
    parameter.good = false;
  };
  switch (spec.kind) {
    case ParameterKind::name:
      if (value.text.empty()) fail("the name is empty", "give the name of a body, a point or the like");
      if (from_outside) parameter.text = outside + value.text;
      break;
    case ParameterKind::boolean:
      if (value.text != "true" && value.text != "false")
        fail(fmt::format("{} is neither true nor false", shown(value.text)), "write true or false");
      break;
    default:
      if (!spec.choices.empty() &&
          std::find(spec.choices.begin(), spec.choices.end(), value.text) == spec.choices.end())
        fail(fmt::format("{} is not a choice here", shown(value.text)),
             suggestion(value.text, "choices", spec.choices));
  }
  return parameter;
}

Scope::Parameter Scope::read_number(const ParameterSpec& spec, const Node& node, Problems& problems) const {
  Parameter parameter;
  Node value = node;
  if (expression_in(value.text)) {  // of the parameters before it
    substitute(value, {}, problems);
    if (expression_in(value.text)) return parameter;  // which was reported
  }
  const Parsed<Quantity> parsed = parse_quantity(value.text);
  if (!parsed.value) {
    problems.error(value.where(), parsed.mistake, parsed.remedy.empty() ? "give a quantity" : parsed.remedy);
    return parameter;
  }
  Quantity quantity = *parsed.value;
  quantity.where = value.where();
  const Parsed<Unit> unit = parse_unit(spec.unit.empty() ? text_of(quantity.dimension()) : spec.unit);
  if (!unit.value) {
    problems.error(spec.where, unit.mistake, unit.remedy);
    return parameter;
  }
  if (unit.value->factor != 1) {
    problems.error(spec.where, fmt::format("{} is no SI unit, and a bare number is in SI units", shown(spec.unit)),
                   "give the unit as kg, m, N or the like; values may have any unit of that dimension");
    return parameter;
  }
  const auto si = require(quantity, *unit.value, problems);
  if (!si) return parameter;
  const auto bound = [&](const std::optional<Quantity>& of) {
    return of ? require(*of, *unit.value, problems) : std::nullopt;
  };
  const std::optional<double> least = bound(spec.least), most = bound(spec.most);
  if ((least && *si < *least) || (most && *si > *most)) {
    std::string range;
    if (spec.least) range = "at least " + spec.least->text;
    if (spec.most) range += (range.empty() ? "at most " : " and at most ") + spec.most->text;
    problems.error(value.where(),
                   fmt::format("{} is too {}", shown(quantity.text), least && *si < *least ? "small" : "large"),
                   fmt::format("it must be {}{}", range, spec.meaning.empty() ? "" : ": " + spec.meaning));
    return parameter;
  }
  if (spec.whole && *si != std::round(*si)) {
    problems.error(value.where(), fmt::format("{} is not a whole number", shown(quantity.text)), "give e.g. 4");
    return parameter;
  }
  parameter.number = {*si, unit.value->dimension};
  parameter.good = true;
  return parameter;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> out;
  for (const auto& [name, parameter] : parameters_) out.push_back(name);
  return out;
}

Parsed<Value> Scope::value_of(std::string_view name) const {
  const auto at = parameters_.find(name);
  if (at == parameters_.end())
    return {std::nullopt, fmt::format("there is no parameter {}", shown(name)),
            parameters_.empty() ? "declare it under 'parameters'" : suggestion(name, "parameters", names())};
  if (at->second.kind != ParameterKind::number)
    return {std::nullopt, fmt::format("the parameter {} is no number", shown(name)), "compute with numbers only"};
  if (!at->second.good) return {};
  return {at->second.number, "", ""};
}

const Scope::Parameter* Scope::text_parameter(std::string_view expression, std::string_view& rest) const {
  for (std::size_t end = expression.size(); end != std::string_view::npos && end > 0;
       end = expression.rfind('.', end - 1)) {
    const auto at = parameters_.find(expression.substr(0, end));
    if (at != parameters_.end() && at->second.kind != ParameterKind::number) {
      rest = expression.substr(end);
      return &at->second;
    }
    if (end == 0) break;
  }
  return nullptr;
}

void Scope::substitute(Node& scalar, const Shape& shape, Problems& problems) const {
  const auto expression = expression_in(scalar.text);
  if (!expression) return;
  std::string_view rest;
  if (const Parameter* parameter = text_parameter(without_blanks(*expression), rest)) {
    if (!parameter->good) return;
    if (!rest.empty() && parameter->kind != ParameterKind::name)
      problems.error(scalar.where(), fmt::format("{} follows what is no name", shown(rest)), "leave it out");
    scalar.text = parameter->text + std::string(rest);
    return;
  }
  if (shape.kind == Shape::Kind::text || shape.kind == Shape::Kind::choice) return;  // text may begin with '='
  const Parsed<Value> value = evaluate(*expression, [this](std::string_view name) { return value_of(name); });
  if (!value.value) {
    // Without words it is about a parameter whose own mistake was reported.
    if (!value.mistake.empty())
      problems.error(scalar.where(), fmt::format("in {}: {}", shown(scalar.text), value.mistake), value.remedy);
    return;
  }
  // A bare number would be taken for SI units.
  const bool plain = value.value->dimension == dimensionless && value.value->si != 0;
  if (plain && shape.kind == Shape::Kind::number && shape.unit.dimension != dimensionless) {
    problems.error(scalar.where(),
                   fmt::format("{} is a plain number; {} is expected here", shown(scalar.text), due(shape)),
                   fmt::format("give it a unit, as in {} * 1 {}", scalar.text, shape.unit.text));
    return;
  }
  scalar.text = to_text(*value.value);
  scalar.quoted = false;
}

}  // namespace davit::input
