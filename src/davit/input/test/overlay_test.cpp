#include "davit/input/overlay.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "davit/input/emit.hpp"
#include "helpers.hpp"

namespace davit::input {
namespace {

Node parsed_as(const char* text, const char* file) {
  Problems problems;
  return parse_document(text, file, problems).value();
}

TEST(Overlay, MergesMapsAndReplacesTheRest) {
  const Node base = parsed_as("run: {step: 1, method: auto}\nlist: [1, 2, 3]\nold: {a: 1}\ngone: 5\n", "base");
  const Node variation = parsed_as("run: {step: 2, end: 9}\nlist: [4]\nold: word\ngone: ~\nnew: {b: 1}\n", "variation");
  const Node result = overlay(base, variation);
  EXPECT_EQ(result, parsed("{run: {step: 2, method: auto, end: 9}, list: [4], old: word, new: {b: 1}}"))
      << to_yaml(result);
}

TEST(Overlay, EveryNodeKeepsItsPlace) {
  const Node result =
      overlay(parsed_as("run:\n  step: 1\n  method: auto\n", "base"), parsed_as("\n\n\nrun: {step: 2}\n", "variation"));
  EXPECT_EQ(result.find("run")->find("step")->where(), (Where{"variation", 4, 13, "run.step"}));
  EXPECT_EQ(result.find("run")->entries.at(0).where(), (Where{"variation", 4, 7, "run.step"}));
  EXPECT_EQ(result.find("run")->find("method")->where(), (Where{"base", 3, 11, "run.method"}));
  EXPECT_EQ(result.find("run")->where().file, "base");
}

TEST(Overlay, ANullThatRemovesNothingStays) {
  const Node result = overlay(parsed("{a: 1}"), parsed("{b: ~}"));
  ASSERT_NE(result.find("b"), nullptr);
  EXPECT_TRUE(result.find("b")->is_null());
}

TEST(Overlay, TheDifferenceMakesOneOfTheOther) {
  const char* const trees[] = {"{run: {step: 1, method: auto}, list: [1, 2], old: {a: 1}, gone: 5}",
                               "{run: {step: 2, end: 9}, list: [1, 3], old: word, new: {b: 1}}",
                               "{run: 3, list: {a: 1}, old: {a: 1, b: {c: [1]}}}", "{}"};
  for (const char* before : trees)
    for (const char* after : trees) {
      const Node base = parsed(before), changed = parsed(after), made = overlay(base, difference(base, changed));
      EXPECT_EQ(overlay(changed, made), changed) << before << " -> " << after << ": " << to_flow(made);
      EXPECT_EQ(made.entries.size(), changed.entries.size());
    }
  EXPECT_EQ(to_flow(difference(parsed(trees[0]), parsed(trees[1]))),
            "{run: {step: 2, end: 9, method: null}, list: [1, 3], old: word, new: {b: 1}, gone: null}");
}

TEST(Overlay, IsQuickForManyKeys) {
  Node base = map_node();
  for (int i = 0; i < 200'000; ++i) base.entries.push_back({fmt::format("k{}", i), {}, scalar_node("1")});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(overlay(base, base), base);
  EXPECT_TRUE(difference(base, base).entries.empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

// The tree after a setting, and the problems.
std::pair<Node, std::string> set(const char* text, const char* setting) {
  Node root = parsed(text);
  Problems problems;
  apply_setting(root, setting, problems);
  return {root, problems.to_text()};
}

TEST(Setting, ReplacesAndMakes) {
  const auto expect = [](const char* text, const char* setting, const char* due) {
    const auto [root, problems] = set(text, setting);
    EXPECT_EQ(problems, "") << setting;
    EXPECT_EQ(root, parsed(due)) << setting << "\n" << to_yaml(root);
  };
  expect("{run: {step: 1}}", "run.step=5 ms", "{run: {step: 5 ms}}");
  expect("{a: 1}", "run.step=5 ms", "{a: 1, run: {step: 5 ms}}");
  expect("{a: 1}", "b.c.d={x: [1, 2]}", "{a: 1, b: {c: {d: {x: [1, 2]}}}}");
  expect("{l: [{x: 1}, {x: 2}]}", "l[1].x=0.3 * mbl", "{l: [{x: 1}, {x: 0.3 * mbl}]}");
  expect("{l: [[1, 2], 3]}", "l[0][1]=7", "{l: [[1, 7], 3]}");
  expect("{a: 1, b: 2}", "a=null", "{b: 2}");
  expect("{a: 1, b: 2}", "a=", "{b: 2}");
  expect("{l: [1, 2, 3]}", "l[0]=~", "{l: [2, 3]}");
  expect("{a: 1}", "a='null'", "{a: 'null'}");
  expect("{a: 1}", "a=x=y", "{a: x=y}");
}

TEST(Setting, KnowsItsPlace) {
  const auto [root, problems] = set("{run: {step: 1, end: 2}}", "run.step={a: 5 ms}");
  EXPECT_EQ(root.find("run")->find("step")->where(), (Where{"--set", 1, 10, "run.step"}));
  EXPECT_EQ(root.find("run")->find("step")->find("a")->where(), (Where{"--set", 1, 14, "run.step.a"}));
  EXPECT_EQ(root.find("run")->entries.at(0).where().file, "--set");
  EXPECT_EQ(root.find("run")->entries.at(1).where().file, "lift.yaml");
  const auto [shorter, none] = set("{l: [1, 2]}", "l[0]=null");
  EXPECT_EQ(shorter.find("l")->items.at(0).where().path, "l[0]");
}

TEST(Setting, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> bad[] = {
      {"run.step", "--set:1:1: error: 'run.step' has no '='\n    remedy: write it as run.step=5 ms\n"},
      {"=5",
       "--set:1:1: error: '' is not the path of a key\n    remedy: write a path such as run.step or limits[2].below\n"},
      {"l[2]=5", "--set:1:6: error: l[2]: l has no item [2]\n    remedy: it has 2, counted from 0\n"},
      {"a.b=5", "--set:1:5: error: a.b: a is not a map but '1'\n    remedy: set it as a whole\n"},
      {"l.b=5", "--set:1:5: error: l.b: l is not a map but a list\n    remedy: give an index, as in limits[2]\n"},
      {"a[0]=5", "--set:1:6: error: a[0]: a is not a list but '1'\n    remedy: give a key, not an index\n"},
      {"aa=null", "--set:1:4: error: aa: there is no 'aa' to remove\n    remedy: did you mean 'a'? keys are: a, l\n"},
  };
  for (const auto& [setting, message] : bad) {
    const auto [root, problems] = set("{a: 1, l: [1, 2]}", setting);
    EXPECT_EQ(problems, message);
    EXPECT_EQ(root, parsed("{a: 1, l: [1, 2]}")) << setting;
  }
  for (const char* setting : {".a=1", "a.=1", "a..b=1", "[0]=1", "a[=1", "a[x]=1", "a[-1]=1", "a]=1", "l[0]b=1",
                              "l.[0]=1", "l[99999999999999999999]=1"})
    EXPECT_NE(set("{a: 1, l: [1, 2]}", setting).second, "") << setting;
  for (const std::string& setting : {std::string("a\xC5=1"), std::string("a\x1b=1"), std::string(257, 'k') + "=1"})
    EXPECT_TRUE(set("{a: 1}", setting.c_str()).second.starts_with("--set:1:")) << setting;
  EXPECT_TRUE(set("{a: 1}", "a=[1").second.starts_with("--set:1:")) << set("{a: 1}", "a=[1").second;
}

class BaseFiles : public testing::Test {
 protected:
  BaseFiles() : folder_(std::filesystem::temp_directory_path() / fmt::format("davit-base-{}", ::getpid())) {
    std::filesystem::create_directories(folder_ / "sub");
  }
  ~BaseFiles() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return path(name);
  }

  std::filesystem::path folder_;
  Problems problems_;
};

TEST_F(BaseFiles, LieBelow) {
  write("lift.yaml", "title: calm\nrun: {step: 1, end: 2}\n");
  write("sub/middle.yaml", "base: ../lift.yaml\nrun: {step: 2}\n");
  const auto node = load_with_base(write("rough.yaml", "title: rough\nbase: sub/middle.yaml\n"), problems_);
  EXPECT_EQ(problems_.to_text(), "");
  ASSERT_TRUE(node);
  EXPECT_EQ(*node, parsed("{title: rough, run: {step: 2, end: 2}}")) << to_yaml(*node);
  EXPECT_EQ(node->find("run")->find("end")->where(), (Where{path("lift.yaml"), 2, 21, "run.end"}));
}

TEST_F(BaseFiles, AFileWithoutABaseIsItself) {
  const auto node = load_with_base(write("a.yaml", "a: ~\n"), problems_);
  ASSERT_TRUE(node);
  EXPECT_TRUE(node->find("a")->is_null());
}

TEST_F(BaseFiles, ACycleIsAMistake) {
  write("b.yaml", "base: ./sub/../a.yaml\n");
  const std::string a = write("a.yaml", "base: b.yaml\n");
  EXPECT_FALSE(load_with_base(a, problems_));
  EXPECT_EQ(problems_.to_text(), fmt::format("{}:1:7: error: base: the bases of {} form a cycle\n"
                                             "    remedy: remove one of them\n",
                                             path("b.yaml"), a));
}

TEST_F(BaseFiles, AtMostEightLieBelow) {
  write("0.yaml", "a: 1\n");
  for (int i = 1; i <= 9; ++i) write(fmt::format("{}.yaml", i), fmt::format("base: {}.yaml\nb: {}\n", i - 1, i));
  EXPECT_TRUE(load_with_base(path("8.yaml"), problems_));
  EXPECT_EQ(problems_.to_text(), "");
  EXPECT_FALSE(load_with_base(path("9.yaml"), problems_));
  EXPECT_EQ(problems_.all().at(0).message, "more than 8 levels of bases");
}

TEST_F(BaseFiles, AMissingBaseIsReportedWhereItIsNamed) {
  const std::string a = write("a.yaml", "x: 1\nbase: none.yaml\n");
  EXPECT_FALSE(load_with_base(a, problems_));
  EXPECT_EQ(problems_.to_text(), fmt::format("{}:2:7: error: base: {}: there is no such file\n"
                                             "    remedy: check the path; in a file it is relative to that file\n",
                                             a, path("none.yaml")));
}

TEST_F(BaseFiles, ABaseIsAPath) {
  const std::string a = write("a.yaml", "base: [b.yaml]\n");
  EXPECT_FALSE(load_with_base(a, problems_));
  EXPECT_EQ(problems_.all().at(0).message, "found a list; the path of a file is expected here");
}

TEST(Emit, QuotesWhereNeeded) {
  const Node node =
      map_node({{"plain", {}, scalar_node("12 t")},
                {"quoted", {}, scalar_node("12", true)},
                {"null", {}, scalar_node("null", true)},
                {"a: b", {}, scalar_node("x # y")},
                {"list", {}, sequence_node({scalar_node("a, b"), Node(), sequence_node()})},
                {"deep", {}, sequence_node({map_node({{"k", {}, map_node()}}), scalar_node("tab\t\n")})}});
  EXPECT_EQ(to_yaml(node),
            "plain: 12 t\n"
            "quoted: \"12\"\n"
            "\"null\": \"null\"\n"
            "\"a: b\": \"x # y\"\n"
            "list:\n"
            "  - a, b\n"
            "  - null\n"
            "  - []\n"
            "deep:\n"
            "  -\n"
            "    k: {}\n"
            "  - \"tab\\t\\n\"\n");
  EXPECT_EQ(to_flow(*node.find("list")), "[\"a, b\", null, []]");
}

// Text that must be told from structure, and any other.
rc::Gen<std::string> any_text() {
  const auto awkward = rc::gen::elementOf(std::vector<std::string>{
      "",   "null",     "~",    "true",      "12",           "-",    "- a",   "a: b", "a:",  "a #b", "#a",
      "[a", "a]",       "{",    "a, b",      "&a",           "*a",   "!a",    "|",    ">",   "'",    "\"",
      "%",  "@",        "`",    "?",         "? a",          "---",  "...",   "<<",   " a",  "a ",   "a\nb",
      "\t", "\x01\x7f", "å²",   "0.3 * mbl", "\xEF\xBB\xBF", "a\\b", "=",     "::",   "a:b", "-1",   "--x",
      ".5", "a'b",      "a\"b", "x?",        "\r\n",         "€",    "-a: b", "a\\"});
  const auto ascii = rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  const auto words = rc::gen::container<std::string>(rc::gen::elementOf(std::string("abz09 .:-_/#,[]{}'\"*&!?%@|>~=")));
  return rc::gen::oneOf(awkward, ascii, words);
}

rc::Gen<Node> any_node(int depth) {
  const auto text = rc::gen::map(any_text(), [](std::string s) { return scalar_node(std::move(s), true); });
  const auto plain =
      rc::gen::map(rc::gen::elementOf(std::vector<std::string>{"12 t", "free", "0.3 * mbl", "-1e3", "king.tip"}),
                   [](std::string s) { return scalar_node(std::move(s)); });
  const auto null = rc::gen::construct<Node>();
  if (depth == 0) return rc::gen::oneOf(text, plain, null);
  const auto below = rc::gen::container<std::vector<Node>>(any_node(depth - 1));
  const auto list = rc::gen::map(below, [](std::vector<Node> items) { return sequence_node(std::move(items)); });
  const auto map = rc::gen::map(
      rc::gen::container<std::vector<std::pair<std::string, Node>>>(rc::gen::pair(any_text(), any_node(depth - 1))),
      [](const std::vector<std::pair<std::string, Node>>& pairs) {
        Node node = map_node();
        for (const auto& [key, value] : pairs)
          if (node.find(key) == nullptr) node.entries.push_back({key, {}, value});
        return node;
      });
  return rc::gen::oneOf(text, plain, null, list, map);
}

void comes_back(const Node& node, const std::string& yaml) {
  Problems problems;
  const auto back = parse_document(yaml, "f", problems);
  if (!(back && problems.count() == 0 && *back == node)) RC_LOG() << yaml << "\n" << problems.to_text();
  RC_ASSERT(problems.to_text() == "");
  RC_ASSERT(*back == node);
}

RC_GTEST_PROP(EmitProperty, WhatIsWrittenReadsBack, ()) {
  const int depth = *rc::gen::inRange(1, 4);
  const Node node = *rc::gen::resize(8, any_node(depth)).as("tree");
  RC_PRE(!node.is_null());
  comes_back(node, to_yaml(node));
  comes_back(node, to_flow(node));
}

// The tree with a case, and the problems.
std::pair<std::string, std::string> with_case(const char* text, const char* name) {
  Node root = parsed(text);
  Problems problems;
  apply_case(root, name, problems);
  return {to_flow(root), problems.to_text()};
}

TEST(Cases, AreLaidOverTheScenario) {
  const char* const text =
      "a: {b: 1, c: 2}\nlist: [1, 2]\ncases:\n  x: {a: {c: 3}, list: null}\n  y: {a.c: 4, \"list[1]\": 5, d.e: {f: "
      "6}}\n"
      "  z: {a.b: null, parts: [{part: p, as: q}]}\n";
  EXPECT_EQ(case_names(parsed(text)), (std::vector<std::string>{"x", "y", "z"}));
  using Both = std::pair<std::string, std::string>;
  EXPECT_EQ(with_case(text, ""), Both("{a: {b: 1, c: 2}, list: [1, 2]}", ""));
  EXPECT_EQ(with_case(text, "x"), Both("{a: {b: 1, c: 3}}", ""));
  EXPECT_EQ(with_case(text, "y"), Both("{a: {b: 1, c: 4}, list: [1, 5], d: {e: {f: 6}}}", ""));
  EXPECT_EQ(with_case(text, "z"), Both("{a: {c: 2}, list: [1, 2], parts: {q: {part: p, as: q}}}", ""));
}

TEST(Cases, MistakesAreTold) {
  const auto told = [](const char* text, const char* name) { return with_case(text, name).second; };
  EXPECT_EQ(told("a: 1\ncases: {storm: {a: 2}}\n", "strom"),
            "lift.yaml:1:1: error: there is no case 'strom'\n    remedy: did you mean 'storm'? cases are: storm\n");
  EXPECT_EQ(told("a: 1\n", "x"), "lift.yaml:1:1: error: there is no case 'x'\n    remedy: the file has no 'cases'\n");
  EXPECT_EQ(told("cases: 3\n", ""),
            "lift.yaml:1:8: error: cases: found '3'; cases by name are expected here\n"
            "    remedy: write e.g. cases: {storm: {run.seed: 3}}\n");
  EXPECT_EQ(told("cases: {../x: {a: 1}}\n", "").find("lift.yaml:1:9: error: cases.../x: '../x' is not a name"), 0u);
  EXPECT_EQ(told("cases: {x: 3}\n", "x").find("lift.yaml:1:12: error: cases.x: found '3'; what differs"), 0u);
  EXPECT_EQ(
      told("a: [1]\ncases: {x: {\"a[3]\": 1}}\n", "x").find("lift.yaml:2:13: error: cases.x.a[3]: a has no item [3]"),
      0u);
}

}  // namespace

// For RapidCheck, which looks for it in the namespace of the type.
static void showValue(const Node& node, std::ostream& out) { out << to_flow(node); }

}  // namespace davit::input
