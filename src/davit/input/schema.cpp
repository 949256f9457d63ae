#include "davit/input/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "davit/input/emit.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

using nlohmann::json;

// Number and unit as parse_quantity reads them, but with any letters for a unit.
const char* const number_pattern = R"([-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?)";
const char* const unit_pattern = R"(( *[A-Za-z1%°][-A-Za-z0-9%°·²³*/^ ]*)?)";
const char* const name_pattern = "[A-Za-z_][A-Za-z0-9_-]*(/[A-Za-z_][A-Za-z0-9_-]*)*";

std::vector<const RecordInfo*> reachable(const RecordInfo& root) {
  std::vector<const RecordInfo*> found{&root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const FieldInfo& field : found[i]->fields()) {
      const Shape& leaf = field.shape.leaf();
      if (leaf.kind != Shape::Kind::record) continue;
      const RecordInfo* next = &leaf.record();
      if (std::find(found.begin(), found.end(), next) != found.end()) continue;
      for (const RecordInfo* other : found)
        if (other->name() == next->name())
          throw std::logic_error(fmt::format("two records have the name '{}'", next->name()));
      found.push_back(next);
    }
  }
  return found;
}

json reference_to(const RecordInfo& record) { return {{"$ref", "#/$defs/" + record.name()}}; }

void add_bounds(json& schema, const Shape& shape) {
  if (shape.lower) schema[shape.lower->included ? "minimum" : "exclusiveMinimum"] = shape.lower->value;
  if (shape.upper) schema[shape.upper->included ? "maximum" : "exclusiveMaximum"] = shape.upper->value;
}

// Arithmetic on parameters: =boom_length / 2.
const char* const expression_pattern = "^ *=";

json number_or_text(const std::string& pattern, const Shape& shape) {
  json number{{"type", "number"}};
  add_bounds(number, shape);
  return {{"anyOf", {number, {{"type", "string"}, {"pattern", fmt::format("{}|{}", pattern, expression_pattern)}}}}};
}

json schema_of(const Shape& shape) {
  const std::string quantity = fmt::format("{}{}", number_pattern, unit_pattern);
  switch (shape.kind) {
    case Shape::Kind::any:
      return json::object();
    case Shape::Kind::number:
    case Shape::Kind::quantity:
      return number_or_text(fmt::format("^ *{} *$", quantity), shape);
    case Shape::Kind::threshold:
      return number_or_text(fmt::format(R"(^ *({0}|{1} *\* *{2}(\.{2})?) *$)", quantity, number_pattern, name_pattern),
                            shape);
    case Shape::Kind::integer: {
      json schema{{"type", {"integer", "string"}}, {"pattern", expression_pattern}};
      add_bounds(schema, shape);
      return schema;
    }
    case Shape::Kind::boolean:
      return {{"type", {"boolean", "string"}}, {"pattern", expression_pattern}};
    // Plain numbers and true are text too where text is due: a title may be 12.
    case Shape::Kind::text:
      return {{"type", {"string", "number", "boolean"}}};
    case Shape::Kind::choice:
      return {{"enum", shape.choices}};
    case Shape::Kind::reference:
      return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
    case Shape::Kind::list: {
      json schema{{"type", "array"}, {"items", schema_of(shape.element.front())}};
      if (shape.length > 0) {
        schema["minItems"] = shape.length;
        schema["maxItems"] = shape.length;
      }
      return schema;
    }
    case Shape::Kind::names:
      return {{"type", "object"},
              {"propertyNames", {{"pattern", fmt::format("^{}$", name_pattern)}}},
              {"additionalProperties", schema_of(shape.element.front())}};
    case Shape::Kind::targets:
      return {{"type", "object"}, {"additionalProperties", schema_of(shape.element.front())}};
    case Shape::Kind::record:
      return reference_to(shape.record());
  }
  return json::object();
}

json to_json(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return nullptr;
    case Node::Kind::scalar: {
      if (node.quoted) return node.text;
      json parsed = json::parse(node.text, nullptr, false);
      return parsed.is_number() || parsed.is_boolean() ? parsed : json(node.text);
    }
    case Node::Kind::sequence: {
      json list = json::array();
      for (const Node& item : node.items) list.push_back(to_json(item));
      return list;
    }
    case Node::Kind::map: {
      json map = json::object();
      for (const Node::Entry& entry : node.entries) map[entry.key] = to_json(entry.value);
      return map;
    }
  }
  return nullptr;
}

std::string unit_of(const Shape& shape) {
  const Shape& leaf = shape.leaf();
  return leaf.kind == Shape::Kind::number && leaf.unit.text != "1" ? leaf.unit.text : "";
}

json schema_of(const RecordInfo& record) {
  json object{{"type", "object"}, {"additionalProperties", false}, {"properties", json::object()}};
  json required = json::array();
  json bare_words = json::array();
  json exactly_one = json::array();
  for (const FieldInfo& field : record.fields()) {
    json& property = object["properties"][field.key];
    property = schema_of(field.shape);
    const std::string unit_text = unit_of(field.shape);
    property["description"] = unit_text.empty() ? field.help : fmt::format("{} [{}]", field.help, unit_text);
    if (field.default_value) property["default"] = to_json(*field.default_value);
    if (!field.shape.example.empty()) property["examples"] = {field.shape.example};
    if (field.required) required.push_back(field.key);
    if (!field.also.empty()) {
      json same = property;
      same["description"] = fmt::format("the same as {}", field.key);
      object["properties"][field.also] = std::move(same);
    }
    if (RecordInfo::may_be_bare(field)) bare_words.push_back(field.key);
    exactly_one.push_back({{"required", {field.key}}});
  }
  if (!record.is_one_of()) {
    object["description"] = record.help();
    if (!required.empty()) object["required"] = required;
    return object;
  }
  object["oneOf"] = exactly_one;
  if (bare_words.empty()) {
    object["description"] = record.help();
    return object;
  }
  return {{"description", record.help()}, {"anyOf", {object, {{"enum", bare_words}}}}};
}

std::string type_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::any:
      return "any";
    case Shape::Kind::number:
      return shape.unit.text == "1" ? "number" : fmt::format("number in {}", shape.unit.text);
    case Shape::Kind::list:
      return shape.length > 0 ? fmt::format("list of {}: {}", shape.length, type_of(shape.element.front()))
                              : fmt::format("list: {}", type_of(shape.element.front()));
    case Shape::Kind::names:
      return fmt::format("by name: {}", type_of(shape.element.front()));
    case Shape::Kind::targets:
      return fmt::format("by joint or the like: {}", type_of(shape.element.front()));
    case Shape::Kind::record:
      return fmt::format("[{0}](#{0})", shape.record().name());
    default:
      return due(shape);
  }
}

// In a cell a bar would begin the next one and a newline end the table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string presence(const RecordInfo& record, const FieldInfo& field) {
  if (record.is_one_of()) return "one of these";
  if (field.default_value) return fmt::format("`{}`", to_flow(*field.default_value));
  return field.required ? "required" : "none";
}

}  // namespace

json json_schema(const RecordInfo& root, const std::string& title) {
  json schema = reference_to(root);
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  if (!title.empty()) schema["title"] = title;
  for (const RecordInfo* record : reachable(root)) schema["$defs"][record->name()] = schema_of(*record);
  return schema;
}

std::string markdown_table(const RecordInfo& record) {
  std::string text = "| key | type | default | meaning |\n|---|---|---|---|\n";
  for (const FieldInfo& field : record.fields()) {
    std::string type = type_of(field.shape);
    const std::string limits = bounds(field.shape.leaf());
    if (!limits.empty()) type += ", " + limits;
    text += fmt::format("| `{}` | {} | {} | {} |\n", field.key, cell(type), cell(presence(record, field)),
                        cell(field.help));
  }
  return text;
}

std::string markdown(const RecordInfo& root) {
  std::string text;
  for (const RecordInfo* record : reachable(root)) {
    text += fmt::format("## {}\n\n{}\n\n", record->name(), record->help());
    if (!record->fields().empty()) text += markdown_table(*record) + "\n";
  }
  return text;
}

}  // namespace davit::input
