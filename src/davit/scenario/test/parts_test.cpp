// Parts: what their expansion makes of a scenario, and every mistake with its place.
#include "davit/scenario/parts.hpp"

#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <set>

#include "davit/input/document.hpp"
#include "davit/input/emit.hpp"
#include "davit/input/overlay.hpp"
#include "davit/test/source_tree.hpp"
#include "support.hpp"

namespace davit {
namespace {

using test::TempFolder;

using Files = std::map<std::string, std::string>;

// The tree of the first text with the parts that the files describe; problems as text.
struct Expanded {
  std::string yaml, problems;
};
Expanded expand(const std::string& text, const Files& files, const std::vector<std::string>& settings = {}) {
  input::Problems problems;
  auto root = input::parse_document(text, "lift.yaml", problems);
  input::name_parts(*root, problems);
  for (const std::string& setting : settings) input::apply_setting(*root, setting, problems);
  expand_parts(*root, problems,
               [&](const input::FilePath& part, input::Problems& of) -> std::optional<input::LoadedPart> {
                 const auto at = files.find(part.text);
                 if (at == files.end()) {
                   of.error(part.where, "no such file", "");
                   return std::nullopt;
                 }
                 auto tree = input::parse_document(at->second, at->first, of);
                 if (!tree) return std::nullopt;
                 return input::LoadedPart{*std::move(tree), at->first};
               });
  return {problems.has_errors() ? "" : input::to_flow(*root), problems.to_text()};
}

const char* const davit_crane = R"(part: {title: A crane, source: assumed}
parameters:
  boom_length: {unit: m, default: 30 m, min: 10 m, max: 60 m, meaning: from heel to tip}
  mass: 5 t
  load: {kind: name}
bodies:
  king: {joint: {revolute: z}, mass: =mass, inertia: [1, 1, 1]}
  boom: {on: king, at: [0, 0, 2 m], mass: =mass / 2, points: {tip: [=boom_length, 0, 0]}}
ropes:
  hoist: {from: boom.tip, to: =load, EA: 1 MN}
winches:
  main: {rope: hoist}
operation:
  - {at: 0, over: 5 s, move: {king: 20 deg, main: -1 m}}
limits:
  - {channel: hoist.tension, below: 0.3 * mbl}
  - {channel: "*.reaction.Fz", below: 1.2 * king.weight, why: king is not a name here}
exports: {tip: boom.tip, main: main}
)";

TEST(Parts, BecomeWhatOneWouldWrite) {
  const auto out = expand(R"(
bodies: {quay: {}, load: {mass: 1 t}}
parts:
  west: {part: crane.yaml, on: quay, at: [1 m, 2 m, 0], heading: 30 deg, set: {boom_length: 54 m, load: load}}
limits:
  - {channel: west.tip.z, above: 3 m}
operation:
  - {at: 6 s, over: 5 s, move: {west.main: -2 m, west/king: 0}}
)",
                          {{"crane.yaml", davit_crane}});
  EXPECT_EQ(out.problems, "");
  EXPECT_EQ(
      out.yaml,
      "{bodies: {quay: {}, load: {mass: 1 t}, west: {on: quay, at: [1 m, 2 m, 0], turn: [{z: 30 deg}]}, "
      "west/king: {joint: {revolute: z}, mass: 5000 kg, inertia: [1, 1, 1], on: west}, "
      "west/boom: {on: west/king, at: [0, 0, 2 m], mass: 2500 kg, points: {tip: [54 m, 0, 0]}}}, "
      "limits: [{channel: west/boom.tip.z, above: 3 m}, {channel: west/hoist.tension, below: 0.3 * mbl}, "
      "{channel: \"west/*.reaction.Fz\", below: 1.2 * west/king.weight, why: king is not a name here}], "
      "operation: [{at: 6 s, over: 5 s, move: {west/main: -2 m, west/king: 0}}, "
      "{at: 0, over: 5 s, move: {west/king: 20 deg, west/main: -1 m}}], "
      "ropes: {west/hoist: {from: west/boom.tip, to: load, EA: 1 MN}}, winches: {west/main: {rope: west/hoist}}}");
}

TEST(Parts, PhasesOfAPartHaveItsName) {
  const auto out = expand("parts: {a: {part: p.yaml}}\nlimits: [{channel: a/k.angle, below: 1, phase: a/up}]\n",
                          {{"p.yaml", R"(part: {title: p}
bodies: {k: {joint: {revolute: z}}}
operation:
  - {name: up, slew: {k: 1 rad}, until: {channel: k.angle, above: 0.5 rad}}
  - {parallel: [{name: down, after: [up], follow: {k: {table: [[0, 1], [1, 2]]}}}]}
)"}});
  EXPECT_EQ(out.problems, "");
  EXPECT_NE(out.yaml.find("operation: [{name: a/up, slew: {a/k: 1 rad}, until: {channel: a/k.angle, above: 0.5 rad}}, "
                          "{parallel: [{name: a/down, after: [a/up], follow: {a/k: {table: [[0, 1], [1, 2]]}}}]}]"),
            std::string::npos)
      << out.yaml;
}

TEST(Parts, HoldParts) {
  const char* const pair = R"(part: {title: Two cranes}
parameters: {apart: 40 m, load: {kind: name}}
bodies: {gantry: {mass: 1 t}}
parts:
  - {part: crane.yaml, as: a, on: gantry, at: [=-apart / 2, 0, 0], set: {load: =load}}
  - {part: crane.yaml, as: b, at: [=apart / 2, 0, 0], set: {load: a.tip, boom_length: =apart - 10 m}}
exports: {tip: a.tip}
)";
  const auto out = expand(
      "bodies: {load: {}}\nparts: {p: {part: pair.yaml, set: {load: load}}}\n"
      "forces: {f: {wrench: {on: p.tip}}}\nrun: {plot: [p.tip.z, \"p/*\"]}\n",
      {{"crane.yaml", davit_crane}, {"pair.yaml", pair}});
  EXPECT_EQ(out.problems, "");
  const auto has = [&](const char* text) {
    EXPECT_NE(out.yaml.find(text), std::string::npos) << text << "\n" << out.yaml;
  };
  has("p: {}, p/gantry: {mass: 1 t, on: p}, p/a: {on: p/gantry, at: [-20 m, 0, 0]}");
  has("p/b: {at: [20 m, 0, 0], on: p}");
  has("p/a/king: {joint: {revolute: z}, mass: 5000 kg, inertia: [1, 1, 1], on: p/a}");
  has("p/b/boom: {on: p/b/king, at: [0, 0, 2 m], mass: 2500 kg, points: {tip: [30 m, 0, 0]}}");
  has("p/a/hoist: {from: p/a/boom.tip, to: load, EA: 1 MN}");          // two levels up
  has("p/b/hoist: {from: p/b/boom.tip, to: p/a/boom.tip, EA: 1 MN}");  // what a sibling exports
  has("wrench: {on: p/a/boom.tip}");
  has("run: {plot: [p/a/boom.tip.z, \"p/*\"]}");
}

TEST(Parts, AreChangedBySettingsAndByWhatTheScenarioSays) {
  const char* const text = R"(
bodies: {load: {}, west/boom: {mass: 1 t}}
winches: {west/main: null}
operation: []
parts: [{part: crane.yaml, as: west, set: {load: load}}]
)";
  const auto out = expand(text, {{"crane.yaml", davit_crane}}, {"parts.west.set.boom_length=60 m"});
  EXPECT_EQ(out.problems, "");
  const auto has = [&](const char* part) {
    EXPECT_NE(out.yaml.find(part), std::string::npos) << part << "\n" << out.yaml;
  };
  has("west/boom: {on: west/king, at: [0, 0, 2 m], mass: 1 t, points: {tip: [60 m, 0, 0]}}");
  has("winches: {}");
}

TEST(Parts, ParametersOfAScenarioAndDottedNames) {
  const auto out = expand(R"~(
parameters: {length: 12 m, half: =length / 2}
bodies: {a: {at: [=half, "=max(length, 20 m)", 0]
}
}
parts: {p: {part: p.yaml, set: {boom: {length: =length}}}}
)~",
                          {{"p.yaml",
                            "part: {title: p}\nparameters: {boom.length: {unit: m}}\n"
                            "bodies: {b: {at: [=boom.length, 0, 0]}}\n"}});
  EXPECT_EQ(out.problems, "");
  EXPECT_EQ(out.yaml, "{bodies: {a: {at: [6 m, 20 m, 0]}, p: {}, p/b: {at: [12 m, 0, 0], on: p}}}");
}

TEST(Parts, EveryExampleRuns) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(in_source("parts/examples"))) {
    input::Problems problems;
    const auto scenario = load_scenario(entry.path(), {}, problems);
    ASSERT_TRUE(scenario) << problems.to_text();
    EXPECT_EQ(problems.to_text(), "") << entry.path();
    System system(*scenario->model);
    State state = scenario->initial_state();
    const auto stepper = scenario->make_stepper();
    system.commit(state);
    stepper->restart(state);
    for (int i = 0; i < 5; ++i) {
      const StepOutcome outcome = stepper->step(system, state, scenario->options.step);
      ASSERT_TRUE(outcome.ok) << entry.path() << ": " << outcome.why.why;
      if (system.commit(state)) stepper->restart(state);
    }
    // What hangs begins nearly at rest: nothing is drawn together or apart.
    EXPECT_LT(state.u.cwiseAbs().maxCoeff(), 0.5) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 11);
}

// Every part is used by an example, directly or by another part, and the page of parts has all of its parameters.
TEST(Parts, EveryPartHasAnExampleAndIsOnItsPage) {
  const auto text_of = [](const std::filesystem::path& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::filesystem::path folder = in_source("parts");
  std::string used;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) used += text_of(entry.path());
  const std::string page = text_of(in_source("docs/parts.md"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (!entry.is_regular_file() || name.starts_with("examples")) continue;
    EXPECT_NE(used.find("part: " + name), std::string::npos) << name;
    const std::size_t section = page.find("### " + name + "\n");
    ASSERT_NE(section, std::string::npos) << name;
    const std::string own = page.substr(section, page.find("\n### ", section + 1) - section);
    input::Problems problems;
    const auto tree = input::load_document(entry.path(), problems);
    ASSERT_TRUE(tree) << problems.to_text();
    for (const auto& parameter : tree->find("parameters")->entries)
      EXPECT_NE(own.find("| `" + parameter.key + "` |"), std::string::npos) << name << " " << parameter.key;
    for (const auto& exported : tree->find("exports")->entries)
      EXPECT_NE(own.find("`" + exported.key + "`"), std::string::npos) << name << " " << exported.key;
  }
}

// Names are found by the shapes of fields (reference, targets, threshold). Whoever adds a field that is read in a way
// of its own looks here: if names can stand in it, it needs such a shape, or parts will not rename them.
TEST(Parts, FieldsOfNoShapeHoldNoNames) {
  std::set<std::string> found;
  std::set<const input::RecordInfo*> seen;
  const std::function<void(const input::RecordInfo&)> visit = [&](const input::RecordInfo& record) {
    if (!seen.insert(&record).second) return;
    for (const input::FieldInfo& field : record.fields()) {
      const input::Shape& leaf = field.shape.leaf();
      if (leaf.kind == input::Shape::Kind::any) found.insert(field.key);
      if (leaf.kind == input::Shape::Kind::record) visit(leaf.record());
    }
  };
  visit(Specification::record());
  const std::set<std::string> directions{"revolute", "prismatic",   "cylindrical", "planar", "universal",
                                         "axis",     "second_axis", "across",      "normal", "clamp"},
      others{"friction", "from_equilibrium"};
  for (const std::string& key : found) EXPECT_TRUE(directions.count(key) || others.count(key)) << key;
}

struct Bad {
  const char* name;
  const char* scenario;
  Files files;
  const char* due;  // the beginning of what is reported first
};

const std::string simple =
    "part: {title: p}\nparameters: {a: {unit: m, min: 1 m, max: 2 m}, n: {default: 2, whole: true}}\n"
    "bodies:\n  b:\n    at: [=a, 0, 0]\n";
std::string part_of(const std::string& more) { return "part: {title: p}\n" + more; }

const std::vector<Bad> mistakes{
    {"holds_itself",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("parts:\n  q: {part: p.yaml}\n")}},
     "p.yaml:3:13: error: parts.q.part: the part 'p.yaml' holds itself (in part 'p')\n    remedy: take it out"},
    {"holds_itself_by_another",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("parts: {q: {part: q.yaml}}")}, {"q.yaml", part_of("parts: {p: {part: p.yaml}}")}},
     "q.yaml:2:19: error: parts.p.part: the part 'p.yaml' holds itself (in part 'p/q')"},
    {"no_value",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", simple}},
     "lift.yaml:1:9: error: parts.p: the parameter 'a' has no value\n    remedy: give it with set: {a: …}"},
    {"out_of_range",
     "parts: {p: {part: p.yaml, set: {a: 3 m}}}",
     {{"p.yaml", simple}},
     "lift.yaml:1:36: error: parts.p.set.a: '3 m' is too large\n    remedy: it must be at least 1 m and at most 2 m"},
    {"of_another_dimension",
     "parts: {p: {part: p.yaml, set: {a: 3 t}}}",
     {{"p.yaml", simple}},
     "lift.yaml:1:36: error: parts.p.set.a: '3 t' is a mass; a length is expected here"},
    {"not_whole",
     "parts: {p: {part: p.yaml, set: {a: 1 m, n: 2.5}}}",
     {{"p.yaml", simple}},
     "lift.yaml:1:44: error: parts.p.set.n: '2.5' is not a whole number"},
    {"no_such_parameter",
     "parts: {p: {part: p.yaml, set: {a: 1 m, m: 1}}}",
     {{"p.yaml", simple}},
     "lift.yaml:1:41: error: parts.p.set.m: the part has no parameter 'm'"},
    {"name_taken",
     "bodies: {p: {}}\nparts: {p: {part: p.yaml, set: {a: 1 m}}}",
     {{"p.yaml", simple}},
     "lift.yaml:2:9: error: parts.p: the part 'p' has the name of something else"},
    {"two_of_a_name",
     "parts: [{part: p.yaml, as: p, set: {a: 1 m}}, {part: p.yaml, as: p, set: {a: 1 m}}]",
     {{"p.yaml", simple}},
     "lift.yaml:1:66: error: parts[1].as: there are two parts 'p'"},
    {"without_a_name",
     "parts: [{part: p.yaml}]",
     {{"p.yaml", simple}},
     "lift.yaml:1:9: error: parts[0]: the part has no name"},
    {"no_part",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", "bodies: {}\n"}},
     "lift.yaml:1:19: error: parts.p.part: 'p.yaml' is no part"},
    {"a_part_alone",
     "part: {title: p}\nbodies: {}",
     {},
     "lift.yaml:1:7: error: part: this file is a part and no scenario"},
    {"has_a_run",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("run: {}\n")}},
     "p.yaml:2:1: error: run: a part has no key 'run' (in part 'p')"},
    {"unknown_name_in_arithmetic",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies:\n  b: {mass: =masss}\nparameters: {mass: 3 t}\n")}},
     "p.yaml:3:13: error: bodies.b.mass: in '=masss': there is no parameter 'masss' (in part 'p')\n"
     "    remedy: did you mean 'mass'?"},
    {"division_by_zero",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies:\n  b: {mass: =mass / (n - 4)}\nparameters: {mass: 3 t, n: 4}\n")}},
     "p.yaml:3:13: error: bodies.b.mass: in '=mass / (n - 4)': a division by zero (in part 'p')"},
    {"plain_number_for_a_mass",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies:\n  b: {mass: =n}\nparameters: {n: 4}\n")}},
     "p.yaml:3:13: error: bodies.b.mass: '=n' is a plain number; a mass is expected here (in part 'p')"},
    {"no_such_name",
     "bodies: {quay: {}}\nparts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies:\n  b: {on: quay}\n")}},
     "p.yaml:3:11: error: bodies.b.on: the part has no 'quay' (in part 'p')"},
    {"exports_nothing",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies: {b: {}}\nexports: {tip: c.tip}\n")}},
     "p.yaml:3:16: error: exports.tip: the part has no 'c' (in part 'p')"},
    {"changes_what_is_not_there",
     "bodies: {p/c: {mass: 1 t}}\nparts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies: {b: {}}\n")}},
     "lift.yaml:1:10: error: bodies.p/c: the part 'p' has no 'p/c'"},
    {"changes_a_section_that_is_not_there",
     "ropes: {p/c: {EA: 1 MN}}\nparts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies: {b: {}}\n")}},
     "lift.yaml:1:9: error: ropes.p/c: the part 'p' has no 'ropes'"},
    {"a_place_in_the_world",
     "parts: {p: {part: p.yaml}}",
     {{"p.yaml", part_of("bodies: {b: {}}\nforces:\n  f: {mooring_line: {anchor: [0, 0, 0], to: b}}\n")}},
     "p.yaml:4:30: error: forces.f.mooring_line.anchor: 'anchor' is a place in the world"},
    {"too_deep",
     "parts: {p: {part: 0}}",
     {{"0", part_of("parts: {p: {part: 1}}")},
      {"1", part_of("parts: {p: {part: 2}}")},
      {"2", part_of("parts: {p: {part: 3}}")},
      {"3", part_of("parts: {p: {part: 4}}")},
      {"4", part_of("parts: {p: {part: 5}}")},
      {"5", part_of("parts: {p: {part: 6}}")},
      {"6", part_of("parts: {p: {part: 7}}")},
      {"7", part_of("parts: {p: {part: 8}}")},
      {"8", part_of("bodies: {b: {}}")}},
     "7:2:19: error: parts.p.part: parts in parts, more than 8 levels deep"},
    {"bad_unit",
     "parts: {p: {part: p.yaml, set: {a: 1}}}",
     {{"p.yaml", part_of("parameters: {a: {unit: foo}}\n")}},
     "p.yaml:2:17: error: parameters.a: 'foo' has an unknown unit 'foo' (in part 'p')"},
    {"bad_choice",
     "parts: {p: {part: p.yaml, set: {a: blue}}}",
     {{"p.yaml", part_of("parameters: {a: {kind: text, choices: [red, green]}}\n")}},
     "lift.yaml:1:36: error: parts.p.set.a: 'blue' is not a choice here"},
    {"no_list", "parts: 3", {}, "lift.yaml:1:8: error: parts: found '3'; parts are expected here"},
    {"no_file", "parts: {p: {part: q.yaml}}", {}, "lift.yaml:1:19: error: parts.p.part: no such file"},
};

TEST(Parts, EveryMistakeIsToldWithItsPlaceAndThePart) {
  for (const Bad& bad : mistakes) {
    const auto out = expand(bad.scenario, bad.files);
    EXPECT_TRUE(out.problems.starts_with(bad.due)) << bad.name << ":\n" << out.problems << "due:\n" << bad.due;
  }
}

TEST(Parts, GrowNoFurtherThanTheMachineAllows) {
  std::string ten = "part: {title: p}\nparts:\n";
  Files files;
  for (int level = 0; level < 7; ++level) {
    std::string text = "part: {title: p}\nparts:\n";
    for (int i = 0; i < 20; ++i)
      text += "  p" + std::to_string(i) + ": {part: \"" + std::to_string(level + 1) + "\"}\n";
    files[std::to_string(level)] = text;
  }
  files["7"] = "part: {title: p}\nbodies: {b: {}}\n";
  const auto out = expand("parts: {p: {part: \"0\"}}", files);
  EXPECT_NE(out.problems.find("the parts are more than"), std::string::npos) << out.problems;
}

TEST(Parts, ManyPartsAreQuick) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 20'000; ++i) text += "  b" + std::to_string(i) + ": {mass: 1 t}\n";
  text += "parts:\n";
  for (int i = 0; i < 5'000; ++i) text += "  p" + std::to_string(i) + ": {part: p.yaml, set: {m: 2 t}}\n";
  const auto begin = std::chrono::steady_clock::now();
  const auto out = expand(text, {{"p.yaml", "part: {title: p}\nparameters: {m: 1 t}\nbodies: {a: {mass: =m}}\n"}});
  EXPECT_EQ(out.problems, "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Parts, MistakesOfValuesNameTheLineInThePart) {
  const TempFolder folder;
  folder.write("p.yaml", "part: {title: p}\nparameters: {m: -3 t}\nbodies:\n  b:\n    joint: free\n    mass: =m\n");
  const auto file =
      folder.write("lift.yaml", "davit: 1\ntitle: t\nparts: {west: {part: p.yaml}}\nrun: {duration: 1 s}\n");
  input::Problems problems;
  EXPECT_FALSE(load_scenario(file, {}, problems));
  const std::string text = problems.to_text();
  EXPECT_NE(text.find("p.yaml:6:11: error: bodies.west/b.mass: '-3000 kg' is too small (in part 'west')"),
            std::string::npos)
      << text;
}

TEST(Parts, WhatTheUserChangedIsShownAtTheUsersLineAndThePartsBesideIt) {
  const TempFolder folder;
  folder.write("p.yaml",
               "part: {title: p}\nparameters: {lug: {kind: name}}\nbodies: {bar: {at: [0, 0, 9 m]}}\nropes:\n"
               "  leg: {from: bar, to: =lug, tension: 1 kN, EA: 1 MN}\n");
  const auto file = folder.write("lift.yaml",
                                 "davit: 1\ntitle: t\nbodies: {load: {joint: free, mass: 1 t, box: {size: [1 m, 1 m, 1 "
                                 "m]}}}\nparts: {west: {part: p.yaml, set: {lug: load}}}\nropes:\n"
                                 "  west/leg: {length: 3 m, tension: null}\nrun: {duration: 1 s, step: 10 ms}\n");
  input::Problems problems;
  EXPECT_FALSE(load_scenario(file, {}, problems));
  const std::string text = problems.to_text();
  EXPECT_NE(text.find("lift.yaml:6:13: error: ropes.west/leg: the rope is 3 m long and its path 9 m: it is too short "
                      "(in part 'west', "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("p.yaml:5)"), std::string::npos) << text;
}

TEST(Parts, PartsThatAreTooDeepAreOneMistakeHoweverManyTheyAre) {
  Files files;
  for (int level = 0; level < 9; ++level) {
    std::string parts = "part: {title: p}\nparts:\n";
    for (int i = 0; i < 20; ++i) parts += "  p" + std::to_string(i) + ": {part: '" + std::to_string(level + 1) + "'}\n";
    files[std::to_string(level)] = parts;
  }
  files["9"] = "part: {title: p}\nbodies: {b: {}}\n";
  const std::string text = expand("parts: {p: {part: '0'}}", files).problems;
  EXPECT_NE(text.find("more than 8 levels deep"), std::string::npos) << text;
  EXPECT_EQ(text.find("error", text.find("error") + 1), std::string::npos) << text;
}

TEST(Parts, LimitsOfAPartThatRepeatTheScenariosAreLeftOut) {
  const TempFolder folder;
  folder.write("p.yaml",
               "part: {title: p}\nbodies: {b: {joint: {prismatic: x}, mass: 1 t}}\n"
               "limits: [{channel: b.travel, below: 2 m, above: -2 m}]\n");
  const auto limits_with = [&](const std::string& own) {
    const auto file = folder.write("lift.yaml", "davit: 1\ntitle: t\nparts: {w: {part: p.yaml}}\nlimits: [" + own +
                                                    "]\nrun: {duration: 1 s, step: 10 ms}\n");
    input::Problems problems;
    const auto scenario = load_scenario(file, {}, problems);
    EXPECT_TRUE(scenario) << problems.to_text();
    return scenario ? scenario->limits.size() : 0;
  };
  EXPECT_EQ(limits_with(""), 2u);
  EXPECT_EQ(limits_with("{channel: w/b.travel, below: 1 m}"), 2u) << "the part's upper bound says nothing more";
  EXPECT_EQ(limits_with("{channel: w/b.travel, below: 3 m}"), 3u) << "the part's is stricter";
  EXPECT_EQ(limits_with("{channel: w/b.travel, below: 1 m, until: 0.5 s}"), 3u) << "the part's holds for longer";
}

TEST(Parts, AFreeBodyOfAPartMovesAgainstTheWorld) {
  const TempFolder folder;
  folder.write("p.yaml",
               "part: {title: p}\nbodies:\n  b: {at: [1 m, 0, 0], joint: free, mass: 1 t, inertia: [1, 2, 3]}\n"
               "  c: {at: [1 m, 0, 0], coordinates: particle, mass: 1 t, start: {x_rate: 2 m/s}}\n");
  const auto file = folder.write("lift.yaml", R"(davit: 1
title: t
bodies:
  ship: {joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 1], start: {angle: 90 deg}, points: {bow: [10 m, 0, 0]}}
parts: {p: {part: p.yaml, on: ship.bow, at: [0, 1 m, 2 m], heading: 90 deg}}
run: {duration: 1 s, step: 10 ms}
)");
  input::Problems problems;
  const auto scenario = load_scenario(file, {}, problems);
  ASSERT_TRUE(scenario) << problems.to_text();
  // (10, 1, 2) of the ship that points along y, and from there 1 m along −x.
  const Body& b = test::body_of(*scenario, "p/b");
  EXPECT_EQ(b.on, "world");
  EXPECT_LT((b.at.p - Vec3(-2, 10, 2)).norm(), 1e-14);
  EXPECT_LT((b.at.R * Vec3::UnitX() - Vec3(-1, 0, 0)).norm(), 1e-15);
  const State start = scenario->initial_state();
  const auto frame = start.q.tail(3);
  EXPECT_LT((frame - Vec3(-2, 10, 2)).norm(), 1e-14);
  EXPECT_LT((start.u.tail(3) - Vec3(-2, 0, 0)).norm(), 1e-14);
}

TEST(Parts, ALevelBodyHangsBelowAnInclinedBoom) {
  const auto scenario = test::read_lift(R"(davit: 1
title: t
bodies:
  load: {on: hook.eye, level: true, at: [0, 1 m, -3 m], joint: free, mass: 1 t, inertia: [1, 1, 1]}
  boom: {on: king, joint: {revolute: -y}, mass: 1 t, inertia: [1, 1, 1], start: {angle: 60 deg}, points: {tip: [10 m, 0, 0]}}
  king: {at: [0, 0, 5 m], joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 1], start: {angle: 90 deg}}
  hook: {on: boom.tip, level: true, at: [0, 0, -4 m], joint: free, mass: 1 t, inertia: [1, 1, 1], points: {eye: [0, 0, -1 m]}}
run: {duration: 1 s, step: 10 ms}
)");
  // The tip is at (0, 5, 5 + 5√3) with the heading of y, so y of the load is −x.
  const double tip = 5 + 5 * std::sqrt(3.0);
  EXPECT_LT((test::body_of(scenario, "hook").at.p - Vec3(0, 5, tip - 4)).norm(), 1e-14);
  EXPECT_LT((test::body_of(scenario, "load").at.p - Vec3(-1, 5, tip - 8)).norm(), 1e-14);
  EXPECT_LT((test::body_of(scenario, "load").at.R - axis_rotation(2, std::numbers::pi / 2)).norm(), 1e-15);
}

}  // namespace
}  // namespace davit
