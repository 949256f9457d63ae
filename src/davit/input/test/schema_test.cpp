#include "davit/input/schema.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "crane.hpp"
#include "davit/input/quantity.hpp"

namespace davit::input::test {
namespace {

using nlohmann::json;

TEST(Schema, DescribesARecord) {
  json spring = json_schema(Spring::record(), "A spring")["$defs"]["spring"];
  spring["properties"]["stiffness"]["anyOf"][1].erase("pattern");
  spring["properties"]["rest"]["anyOf"][1].erase("pattern");
  spring["properties"]["at"]["items"]["anyOf"][1].erase("pattern");
  EXPECT_EQ(spring, json::parse(R"({
    "type": "object", "additionalProperties": false, "description": "A spring in a joint",
    "required": ["joint", "stiffness"],
    "properties": {
      "joint": {"type": ["string", "number", "boolean"], "minLength": 1, "description": "the joint it acts in",
                "examples": ["king"]},
      "stiffness": {"anyOf": [{"type": "number", "minimum": 0.0}, {"type": "string"}],
                    "description": "its stiffness [N m/rad]"},
      "rest": {"anyOf": [{"type": "number"}, {"type": "string"}], "description": "where it is at rest [rad]"},
      "at": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"anyOf": [{"type": "number"}, {"type": "string"}]},
             "description": "where it sits [m]", "default": ["0 m", "0 m", "2 m"]}}})"))
      << spring.dump(2);
}

TEST(Schema, PointsAtItsDefinitions) {
  const json schema = json_schema(Crane::record(), "A crane");
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["title"], "A crane");
  EXPECT_EQ(schema["$ref"], "#/$defs/crane");
  std::vector<std::string> names;
  for (const auto& [name, definition] : schema["$defs"].items()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"body", "crane", "joint", "limit", "nothing", "slide", "spring"}));
  const json& properties = schema["$defs"]["crane"]["properties"];
  EXPECT_EQ(properties["bodies"]["additionalProperties"]["$ref"], "#/$defs/body");
  EXPECT_EQ(properties["bodies"]["propertyNames"]["pattern"], "^[A-Za-z_][A-Za-z0-9_-]*(/[A-Za-z_][A-Za-z0-9_-]*)*$");
  EXPECT_EQ(
      properties["sheaves"],
      json::parse(R"({"type": ["integer", "string"], "pattern": "^ *=", "minimum": 1.0, "maximum": 12.0, "default": 1,
                                                   "description": "how many sheaves"})"));
  EXPECT_EQ(properties["efficiency"]["anyOf"][0],
            json::parse(R"({"type": "number", "exclusiveMinimum": 0.0, "exclusiveMaximum": 1.5})"));
  EXPECT_EQ(properties["extra"], json::parse(R"({"description": "what others read"})"));
  EXPECT_EQ(schema["$defs"]["body"]["properties"]["fixed"]["type"], json::array({"boolean", "string"}));
  EXPECT_EQ(schema["$defs"]["body"]["properties"]["fixed"]["default"], false);
  // A body is made of bodies: the definition refers to itself.
  EXPECT_EQ(schema["$defs"]["body"]["properties"]["parts"]["items"]["$ref"], "#/$defs/body");
}

TEST(Schema, DescribesOneOf) {
  const json joint = json_schema(Joint::record())["$defs"]["joint"];
  EXPECT_EQ(joint["anyOf"][1], json::parse(R"({"enum": ["free"]})"));
  EXPECT_EQ(joint["anyOf"][0]["oneOf"],
            json::parse(R"([{"required": ["free"]}, {"required": ["revolute"]}, {"required": ["slide"]}])"));
  EXPECT_EQ(joint["anyOf"][0]["properties"]["revolute"]["enum"], json::parse(R"(["x", "y", "z"])"));
  EXPECT_EQ(joint["anyOf"][0]["additionalProperties"], false);
}

// The patterns must not refuse what the reader takes.
TEST(Schema, PatternsAgreeWithTheReader) {
  const json schema = json_schema(Crane::record());
  const std::regex number(
      schema["$defs"]["spring"]["properties"]["stiffness"]["anyOf"][1]["pattern"].get<std::string>());
  const std::regex threshold(schema["$defs"]["limit"]["properties"]["below"]["anyOf"][1]["pattern"].get<std::string>());
  for (const char* text : {"348 t", "348t", "-1.5e3 kN m/rad^3", ".5 m", "5.", "+2", "30 %", "30%", "2 1/s",
                           "9.81 m/s²", "3 kN·m", "5 kN*m", "2 m s^-1", "30°"}) {
    ASSERT_TRUE(parse_quantity(text).value) << text;
    EXPECT_TRUE(std::regex_match(text, number)) << text;
    EXPECT_TRUE(std::regex_match(text, threshold)) << text;
  }
  for (const char* text : {"0.3 * mbl", "2*swl"}) {
    ASSERT_TRUE(parse_threshold(text).value) << text;
    EXPECT_FALSE(std::regex_match(text, number)) << text;
    EXPECT_TRUE(std::regex_match(text, threshold)) << text;
  }
  for (const char* text : {"heavy", "", "t 5", "1,5", "5 t!", "--5", "nan"}) {
    ASSERT_FALSE(parse_quantity(text).value) << text;
    EXPECT_FALSE(std::regex_match(text, number)) << text;
    EXPECT_FALSE(std::regex_match(text, threshold)) << text;
  }
}

struct Imposter {
  double mass = 0;
  static const Record<Imposter>& record() {
    static const auto record = Record<Imposter>("spring", "Not a spring").field("mass", &Imposter::mass, "kg", "mass");
    return record;
  }
};

struct Confused {
  Spring spring;
  Imposter imposter;
};

TEST(Schema, TwoRecordsMayNotShareAName) {
  const auto record = Record<Confused>("confused", "")
                          .field("spring", &Confused::spring, "")
                          .field("imposter", &Confused::imposter, "");
  EXPECT_THROW(json_schema(record), std::logic_error);
}

TEST(Markdown, ShowsKeysTypesDefaultsAndMeaning) {
  EXPECT_EQ(markdown_table(Spring::record()),
            "| key | type | default | meaning |\n"
            "|---|---|---|---|\n"
            "| `joint` | a name | required | the joint it acts in |\n"
            "| `stiffness` | number in N m/rad, at least 0 N m/rad | required | its stiffness |\n"
            "| `rest` | number in rad | none | where it is at rest |\n"
            "| `at` | list of 3: number in m | `[0 m, 0 m, 2 m]` | where it sits |\n");
}

TEST(Markdown, ShowsAllThatIsInside) {
  const std::string text = markdown(Body::record());
  EXPECT_TRUE(text.starts_with("## body\n\nA rigid body\n\n| key |")) << text;
  EXPECT_NE(text.find("| `parts` | list: [body](#body) | `[]` | bodies \\| it is made of |\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("## joint\n\nHow a body hangs on another\n\n"), std::string::npos);
  EXPECT_NE(text.find("| `free` | [nothing](#nothing) | one of these | no joint at all |\n"), std::string::npos);
  EXPECT_LT(text.find("## joint"), text.find("## slide"));
}

}  // namespace
}  // namespace davit::input::test
