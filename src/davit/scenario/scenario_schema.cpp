#include "davit/scenario/scenario_schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "davit/input/schema.hpp"
#include "davit/scenario/parts.hpp"
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

// What is put in before a scenario is read (input/expand.hpp): parts, parameters, cases.
json parts_schema() {
  return {{"description", "parts of the scenario, by name"},
          {"anyOf",
           {{{"type", "object"}, {"additionalProperties", {{"$ref", "#/$defs/part_used"}}}},
            {{"type", "array"}, {"items", {{"$ref", "#/$defs/part_used"}}}}}}};
}
json parameters_schema() {
  return {{"description", "values that arithmetic (=name / 2) is on, by name"},
          {"type", "object"},
          {"additionalProperties", {{"anyOf", {{{"$ref", "#/$defs/parameter"}}, {{"type", {"string", "number"}}}}}}}};
}

json part_file_schema(const json& scenario) {
  json properties = {{"part", {{"$ref", "#/$defs/part"}}},
                     {"parameters", parameters_schema()},
                     {"parts", parts_schema()},
                     {"exports",
                      {{"description", "what others may call NAME.export, by name"},
                       {"type", "object"},
                       {"additionalProperties", {{"type", "string"}}}}},
                     {"davit", scenario.at("properties").at("davit")},
                     {"base", {{"type", "string"}, {"description", "the part that this one varies"}}}};
  for (const std::string& section : sections_of_parts()) properties[section] = scenario.at("properties").at(section);
  return {{"type", "object"},
          {"description", "A part of scenarios"},
          {"properties", properties},
          {"required", {"part"}},
          {"additionalProperties", false}};
}

}  // namespace

std::string scenario_reference() {
  return "## base\n\nA file may vary another: `base: lift.yaml`, by a path from where it stands, is the file that it "
         "varies. It "
         "then says only what differs: maps are merged key by key, lists and values are replaced, and `null` takes a "
         "key of "
         "the base away (`ropes: {tagline: null}`). Elsewhere, without a base or in the items of a list, `null` is a "
         "mistake: leave the key out. A base may have a base.\n\n"
         "## parts, parameters and cases\n\n`parts` are components from files of their own ([parts.md](parts.md)), by "
         "name: "
         "`parts: {west: {part: cranes/pedestal.yaml, on: quay, set: {boom_length: 54 m}}}`, or a list of them, each "
         "with `as: NAME`. `parameters` are values by name that arithmetic may be on: a value that begins with `=` is "
         "computed. `cases` are variations by name, each a map as of a file with a base, or of paths: `cases: {storm: "
         "{environment: {waves: …}, run.seed: 3}}`; `davit run FILE --case storm` runs one, `--cases` all.\n\n" +
         input::markdown(input::InstanceSpec::record()) + input::markdown(input::ParameterSpec::record()) +
         input::markdown(input::PartInfo::record()) + input::markdown(Specification::record());
}

json scenario_schema() {
  json schema = input::json_schema(Specification::record(), "Davit scenario");
  const std::string whole = schema.at("$ref");
  const std::string name = whole.substr(whole.rfind('/') + 1);
  for (const input::RecordInfo* record : {static_cast<const input::RecordInfo*>(&input::InstanceSpec::record()),
                                          static_cast<const input::RecordInfo*>(&input::ParameterSpec::record()),
                                          static_cast<const input::RecordInfo*>(&input::PartInfo::record())})
    schema["$defs"][record->name()] = input::json_schema(*record, "").at("$defs").at(record->name());
  schema["$defs"]["part_file"] = part_file_schema(schema.at("$defs").at(name));
  json& whole_scenario = schema["$defs"][name]["properties"];
  whole_scenario["parts"] = parts_schema();
  whole_scenario["parameters"] = parameters_schema();
  whole_scenario["cases"] = {{"description", "variations of the scenario, by name"},
                             {"type", "object"},
                             {"additionalProperties", {{"type", "object"}}}};
  const json definitions = schema.at("$defs");
  for (const auto& [key, definition] : definitions.items()) schema["$defs"][key + suffix] = relaxed(definition);
  schema["$defs"][name + suffix]["properties"]["base"] = {{"type", "string"},
                                                          {"description", "the file that this one varies"}};
  schema.erase("$ref");
  schema["if"] = {{"required", {"base"}}};
  schema["then"] = {{"$ref", whole + suffix}};
  schema["else"] = {
      {"if", {{"required", {"part"}}}}, {"then", {{"$ref", "#/$defs/part_file"}}}, {"else", {{"$ref", whole}}}};
  return schema;
}

}  // namespace davit
