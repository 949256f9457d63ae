#include "davit/scenario/schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "davit/input/schema.hpp"
#include "davit/scenario/specification.hpp"

namespace davit {

namespace {

using nlohmann::json;

const std::string suffix = "_variation";

// A variation says only what differs: no key is required, and references lead to the relaxed definitions. null removes
// a key of the base.
json relaxed(const json& schema) {
  if (schema.is_array()) {
    json out = json::array();
    for (const json& each : schema) out.push_back(relaxed(each));
    return out;
  }
  if (!schema.is_object()) return schema;
  json out = json::object();
  for (const auto& [key, value] : schema.items()) {
    if (key == "required") continue;
    // Which alternative of a one-of is meant may be said by the base.
    if (key == "oneOf" && std::all_of(value.begin(), value.end(),
                                      [](const json& each) { return each.size() == 1 && each.contains("required"); }))
      continue;
    if (key == "items")
      out[key] = value;  // a list replaces that of the base, so its items are whole
    else if (key == "$ref")
      out[key] = value.get<std::string>() + suffix;
    else if (key == "properties") {
      for (const auto& [name, property] : value.items())
        out[key][name] = {{"anyOf", {relaxed(property), {{"type", "null"}}}}};
    } else if (key == "additionalProperties" && value.is_object())
      out[key] = {{"anyOf", {relaxed(value), {{"type", "null"}}}}};
    else
      out[key] = relaxed(value);
  }
  return out;
}

}  // namespace

std::string scenario_reference() {
  return "## base\n\nA file may vary another: `base: lift.yaml`, by a path from where it stands, is the file that it "
         "varies. It "
         "then says only what differs: maps are merged key by key, lists and values are replaced, and `null` takes a "
         "key of "
         "the base away (`ropes: {tagline: null}`). Elsewhere, without a base or in the items of a list, `null` is a "
         "mistake: leave the key out. A base may have a base.\n\n" +
         input::markdown(Specification::record());
}

json scenario_schema() {
  json schema = input::json_schema(Specification::record(), "Davit scenario");
  const std::string whole = schema.at("$ref");
  const std::string name = whole.substr(whole.rfind('/') + 1);
  const json definitions = schema.at("$defs");
  for (const auto& [key, definition] : definitions.items()) schema["$defs"][key + suffix] = relaxed(definition);
  schema["$defs"][name + suffix]["properties"]["base"] = {{"type", "string"},
                                                          {"description", "the file that this one varies"}};
  schema.erase("$ref");
  schema["if"] = {{"required", {"base"}}};
  schema["then"] = {{"$ref", whole + suffix}};
  schema["else"] = {{"$ref", whole}};
  return schema;
}

}  // namespace davit
