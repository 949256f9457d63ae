// The schema that editors check scenarios with is true to what the reader reads.
#include "davit/input/schema.hpp"

#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

#include "davit/scenario/scenario_schema.hpp"
#include "davit/scenario/test/support.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::test {
namespace {

nlohmann::json schema() { return scenario_schema(); }

// What a file without a base, or with one, must be.
const nlohmann::json& scenario(const nlohmann::json& root, const char* branch) {
  const nlohmann::json& chosen = root.at(branch);
  const std::string ref = (chosen.contains("$ref") ? chosen : chosen.at("else")).at("$ref");
  return root.at(nlohmann::json::json_pointer(ref.substr(1)));
}

TEST(Schema, has_every_section_and_kind) {
  const auto root = schema();
  const auto& top = scenario(root, "else").at("properties");
  for (const char* key :
       {"davit", "title", "description", "environment", "bodies", "forces", "control", "operation", "limits", "run"})
    EXPECT_TRUE(top.contains(key)) << key;
  const std::string all = root.dump();
  for (const char* key :
       {"joint_spring", "joint_damper", "bearing_friction", "wrench", "line", "pid", "denavit_hartenberg", "cylinder",
        "sample_time", "integral_limit", "from_equilibrium", "roll_pitch_yaw", "universal", "weightless", "smoothness"})
    EXPECT_NE(all.find(std::string("\"") + key + "\""), std::string::npos) << key;
  // Editors find mistakes only where unknown keys are refused.
  EXPECT_EQ(scenario(root, "else").at("additionalProperties"), false);
}

TEST(Schema, a_variation_requires_nothing_but_its_base) {
  const auto root = schema();
  EXPECT_EQ(root.at("if").at("required"), nlohmann::json::array({"base"}));
  EXPECT_TRUE(scenario(root, "else").contains("required"));
  EXPECT_FALSE(scenario(root, "then").contains("required"));
  EXPECT_TRUE(scenario(root, "then").at("properties").contains("base"));
  EXPECT_FALSE(scenario(root, "else").at("properties").contains("base"));
  EXPECT_EQ(scenario(root, "then").at("additionalProperties"), false);
  EXPECT_TRUE(root.at("$defs").at("run").contains("required"));
  EXPECT_FALSE(root.at("$defs").at("run_variation").contains("required"));
  // Every reference leads somewhere.
  const std::function<void(const nlohmann::json&)> follow = [&](const nlohmann::json& node) {
    if (node.is_object() && node.contains("$ref")) {
      EXPECT_TRUE(root.contains(nlohmann::json::json_pointer(node.at("$ref").get<std::string>().substr(1))))
          << node.at("$ref");
    }
    if (node.is_structured())
      for (const auto& each : node) follow(each);
  };
  follow(root);
}

TEST(Schema, knows_parts_and_their_files) {
  const auto root = schema();
  const auto& top = scenario(root, "else").at("properties");
  for (const char* key : {"parts", "parameters", "cases"}) EXPECT_TRUE(top.contains(key)) << key;
  const auto& file = root.at("$defs").at("part_file");
  EXPECT_EQ(root.at("else").at("then").at("$ref"), "#/$defs/part_file");
  for (const char* key : {"part", "parameters", "exports", "parts", "bodies", "ropes"})
    EXPECT_TRUE(file.at("properties").contains(key)) << key;
  EXPECT_FALSE(file.at("properties").contains("run"));
}

TEST(Schema, the_markdown_names_every_key) {
  const std::string text = input::markdown(Specification::record());
  for (const char* key : {"gravity", "denavit_hartenberg", "joint_spring", "integral_limit", "from_equilibrium"})
    EXPECT_NE(text.find(key), std::string::npos) << key;
}

// With python3's jsonschema, where it is there.
TEST(Schema, takes_our_scenarios_and_refuses_bad_ones) {
  if (std::system("python3 -c 'import jsonschema, yaml' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3 has no jsonschema and yaml here";
  const TempFolder folder;
  const std::string file = folder.write("schema.json", schema().dump()).string();
  // PyYAML speaks YAML 1.1, in which the key `on` is true; scenarios and editors speak 1.2.
  const auto script =
      folder.write("validate.py",
                   "import json, re, sys, yaml, jsonschema\n"
                   "class Loader(yaml.SafeLoader): pass\n"
                   "boolean = 'tag:yaml.org,2002:bool'\n"
                   "Loader.yaml_implicit_resolvers = {key: [r for r in list if r[0] != boolean] for "
                   "key, list in yaml.SafeLoader.yaml_implicit_resolvers.items()}\n"
                   "Loader.add_implicit_resolver(boolean, re.compile('^(true|false)$'), list('tf'))\n"
                   "schema = json.load(open(sys.argv[1]))\n"
                   "if len(sys.argv) == 2: jsonschema.Draft202012Validator.check_schema(schema)\n"
                   "else: jsonschema.Draft202012Validator(schema).validate(yaml.load(open(sys.argv[2]), "
                   "Loader))\n");
  const auto passes = [&](const std::string& arguments) {
    const std::string command =
        "python3 '" + script.string() + "' '" + file + "' " + arguments + " 2>'" + (folder / "words").string() + "'";
    return std::system(command.c_str()) == 0;
  };
  const auto valid = [&](const std::filesystem::path& yaml) { return passes("'" + yaml.string() + "'"); };
  const auto words = [&] {
    std::ifstream in(folder / "words");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_TRUE(passes("")) << words();  // the schema itself, once: it takes seconds
  EXPECT_TRUE(valid(in_source("src/davit/scenario/fuzz/seeds/everything.yaml"))) << words();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(in_source("scenarios")))
    if (entry.path().extension() == ".yaml") EXPECT_TRUE(valid(entry.path())) << entry.path() << words();
  for (const char* part : {"examples/gantry.yaml", "cranes/pedestal.yaml", "surroundings/fender.yaml"})
    EXPECT_TRUE(valid(std::filesystem::path(in_source("parts")) / part)) << part << words();
  const std::string body = "  a: {joint: {prismatic: z}, mass: 1 kg}\n";
  EXPECT_FALSE(valid(folder.write("part.yaml", "part: {title: a}\nrun: {duration: 1 s}\n")));
  EXPECT_TRUE(valid(folder.write("good.yaml", lift(body)))) << words();
  EXPECT_FALSE(valid(folder.write("key.yaml", lift(body, "enviroment: {gravity: 1}"))));
  EXPECT_FALSE(valid(folder.write("type.yaml", lift(body, "limits: {channel: a.travel, below: 1}"))));
  EXPECT_FALSE(valid(folder.write("joints.yaml", lift("  a: {joint: {prismatic: z, revolute: z}, mass: 1 kg}\n"))));
  EXPECT_FALSE(valid(folder.write("run.yaml", "davit: 1\ntitle: a\nbodies: {}\n")));

  // null is taken where the reader takes it: for a key of the base, and nowhere else.
  const auto read = [](const std::filesystem::path& path) {
    input::Problems problems;
    return load_scenario(path, {}, problems).has_value();
  };
  folder.write("whole.yaml", lift("  a: {joint: {prismatic: z}, mass: 1 kg, centre: [0, 0, 1 m]}\n",
                                  "limits: [{channel: a.travel, below: 1, why: b}]\n"));
  const std::pair<const char*, bool> variations[] = {
      {"limits: null", true},
      {"bodies: {a: {centre: null}}", true},
      {"limits: [{channel: a.travel, below: 2}]", true},
      {"limits: [{channel: a.travel, below: 2, why: null}]", false},
      {"limits: [{below: 2}]", false},
  };
  for (const auto& [text, good] : variations) {
    const auto variation = folder.write("variation.yaml", std::string("base: whole.yaml\n") + text + "\n");
    EXPECT_EQ(valid(variation), good) << text << words();
    EXPECT_EQ(read(variation), good) << text;
  }
  const auto without_base = folder.write("alone.yaml", lift(body, "limits: null\n"));
  EXPECT_FALSE(valid(without_base));
  EXPECT_FALSE(read(without_base));
}

}  // namespace
}  // namespace davit::test
