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

// By python3's jsonschema, in one process for the schema and all files: it takes a quarter of a second to begin.
class Judge {
 public:
  void expect(const std::filesystem::path& yaml, bool good) { asked_.push_back({yaml, good}); }
  void ask(const TempFolder& folder) const {
    // PyYAML speaks YAML 1.1, in which the key `on` is true; scenarios and editors speak 1.2.
    const auto script = folder.write("validate.py",
                                     "import json, re, sys, yaml, jsonschema\n"
                                     "class Loader(yaml.SafeLoader): pass\n"
                                     "boolean = 'tag:yaml.org,2002:bool'\n"
                                     "Loader.yaml_implicit_resolvers = {key: [r for r in list if r[0] != boolean] for "
                                     "key, list in yaml.SafeLoader.yaml_implicit_resolvers.items()}\n"
                                     "Loader.add_implicit_resolver(boolean, re.compile('^(true|false)$'), list('tf'))\n"
                                     "schema = json.load(open(sys.argv[1]))\n"
                                     "jsonschema.Draft202012Validator.check_schema(schema)\n"
                                     "validator = jsonschema.Draft202012Validator(schema)\n"
                                     "for name in sys.argv[2:]:\n"
                                     "  wrong = next(validator.iter_errors(yaml.load(open(name), Loader)), None)\n"
                                     "  print(' '.join(wrong.message.split())[:500] if wrong else '')\n");
    std::string command =
        "python3 '" + script.string() + "' '" + folder.write("schema.json", schema().dump()).string() + "'";
    for (const Asked& each : asked_) command += " '" + each.yaml.string() + "'";
    ASSERT_EQ(std::system((command + " >'" + (folder / "words").string() + "'").c_str()), 0) << "the schema is none";
    std::ifstream in(folder / "words");
    for (const Asked& each : asked_) {
      std::string words;
      ASSERT_TRUE(std::getline(in, words));
      EXPECT_EQ(words.empty(), each.good) << each.yaml << ": " << words;
    }
  }

 private:
  struct Asked {
    std::filesystem::path yaml;
    bool good;
  };
  std::vector<Asked> asked_;
};

TEST(Schema, takes_our_scenarios_and_refuses_bad_ones) {
  if (std::system("python3 -c 'import jsonschema, yaml' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3 has no jsonschema and yaml here";
  const TempFolder folder;
  Judge judge;
  judge.expect(in_source("src/davit/scenario/fuzz/seeds/everything.yaml"), true);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(in_source("scenarios")))
    if (entry.path().extension() == ".yaml") judge.expect(entry.path(), true);
  for (const char* part : {"examples/gantry.yaml", "cranes/pedestal.yaml", "surroundings/fender.yaml"})
    judge.expect(std::filesystem::path(in_source("parts")) / part, true);
  const std::string body = "  a: {joint: {prismatic: z}, mass: 1 kg}\n";
  judge.expect(folder.write("part.yaml", "part: {title: a}\nrun: {duration: 1 s}\n"), false);
  judge.expect(folder.write("good.yaml", lift(body)), true);
  judge.expect(folder.write("key.yaml", lift(body, "enviroment: {gravity: 1}")), false);
  judge.expect(folder.write("type.yaml", lift(body, "limits: {channel: a.travel, below: 1}")), false);
  judge.expect(folder.write("joints.yaml", lift("  a: {joint: {prismatic: z, revolute: z}, mass: 1 kg}\n")), false);
  judge.expect(folder.write("run.yaml", "davit: 1\ntitle: a\nbodies: {}\n"), false);

  // null is taken where the reader takes it: for a key of the base, and nowhere else.
  const auto expect_of_both = [&](const std::filesystem::path& path, bool good) {
    input::Problems problems;
    EXPECT_EQ(load_scenario(path, {}, problems).has_value(), good) << path;
    judge.expect(path, good);
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
  int number = 0;
  for (const auto& [text, good] : variations)
    expect_of_both(
        folder.write("variation" + std::to_string(++number) + ".yaml", std::string("base: whole.yaml\n") + text + "\n"),
        good);
  expect_of_both(folder.write("alone.yaml", lift(body, "limits: null\n")), false);
  judge.ask(folder);
}

}  // namespace
}  // namespace davit::test
