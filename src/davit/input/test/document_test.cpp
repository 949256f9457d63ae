#include "davit/input/document.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "davit/input/emit.hpp"
#include "helpers.hpp"

namespace davit::input {
namespace {

TEST(Document, KnowsThePlaceOfEveryNodeAndKey) {
  const Node root = parsed(
      "davit: 1\n"
      "bodies:\n"
      "  king: {mass: 12 t, at: [0, 1]}\n"
      "limits:\n"
      "  - below: 3\n"
      "  - \"two words\": '4'\n");
  EXPECT_EQ(root.where().file, "lift.yaml");
  EXPECT_EQ(place(root.where()), "@1:1");
  const Node& king = root.entries.at(1).value.entries.at(0).value;
  EXPECT_EQ(place(root.entries[1].where()), "bodies@2:1");
  EXPECT_EQ(place(root.entries[1].value.where()), "bodies@3:3");
  EXPECT_EQ(place(king.where()), "bodies.king@3:9");
  EXPECT_EQ(place(king.entries.at(0).where()), "bodies.king.mass@3:10");
  EXPECT_EQ(place(king.find("mass")->where()), "bodies.king.mass@3:16");
  EXPECT_EQ(king.find("mass")->text, "12 t");
  EXPECT_EQ(place(king.find("at")->items.at(1).where()), "bodies.king.at[1]@3:30");
  const Node& limit = root.find("limits")->items.at(1);
  EXPECT_EQ(place(limit.entries.at(0).where()), "limits[1].two words@6:5");
  EXPECT_TRUE(limit.entries[0].value.quoted);
  EXPECT_FALSE(root.find("davit")->quoted);
  EXPECT_EQ(root.find("nothing"), nullptr);
}

TEST(Document, ColumnsCountCharacters) {
  const Node root = parsed("{å: µm, æøå: 3}");
  EXPECT_EQ(place(root.entries.at(1).where()), "æøå@1:9");
  EXPECT_EQ(place(root.entries.at(1).value.where()), "æøå@1:14");
}

TEST(Document, AnEmptyValueIsAtItsKey) {
  const Node root = parsed("a: 1\nb:\nc: ~\nd:");
  EXPECT_TRUE(root.find("b")->is_null());
  EXPECT_EQ(place(root.find("b")->where()), "b@2:1");
  EXPECT_EQ(place(root.find("c")->where()), "c@3:4");
  EXPECT_EQ(place(root.find("d")->where()), "d@4:1");
}

TEST(Document, QuotedNullIsText) {
  const Node root = parsed("{a: 'null', b: null, c: \"\"}");
  EXPECT_TRUE(root.find("a")->is_scalar());
  EXPECT_TRUE(root.find("b")->is_null());
  EXPECT_TRUE(root.find("c")->is_scalar());
}

TEST(Document, ToleratesByteOrderMarkAndLineEnds) {
  for (const char* text : {"\xEF\xBB\xBF"
                           "a: 1\nb: 2\n",
                           "a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r"}) {
    const Node root = parsed(text);
    ASSERT_EQ(root.entries.size(), 2u);
    EXPECT_EQ(place(root.entries[0].value.where()), "a@1:4");
    EXPECT_EQ(place(root.entries[1].value.where()), "b@2:4");
    EXPECT_EQ(root.entries[0].value.text, "1");
  }
}

TEST(Document, RefusesDuplicateKeysAndReadsOn) {
  Problems problems;
  const auto root = parse_document("a: 1\nb: {x: 1, y: 2,\n  x: 3}\na: 4\n", "f", problems);
  EXPECT_EQ(problems.to_text(),
            "f:3:3: error: b.x: the key 'x' is given twice, first in line 2\n"
            "f:4:1: error: a: the key 'a' is given twice, first in line 1\n"
            "    remedy: keep one of the two\n");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("a")->text, "1");
  EXPECT_EQ(root->find("b")->entries.size(), 2u);
}

TEST(Document, RefusesWhatAScenarioDoesNotNeed) {
  EXPECT_EQ(mistakes("a: &x {b: 1}\nc: {<<: *x}\n"),
            "lift.yaml:2:5: error: c.<<: merge keys are not used in a scenario\n"
            "    remedy: write the values out, or start from another file with base:\n");
  EXPECT_EQ(mistakes("b: 1\n? [a]\n: 1\n"),
            "lift.yaml:2:3: error: a list stands where a key is expected\n    remedy: write a name before the colon\n");
  EXPECT_EQ(mistakes("a: !!str b"),
            "lift.yaml:1:4: error: a: the tag 'tag:yaml.org,2002:str' has no meaning in a scenario\n"
            "    remedy: leave it out\n");
  EXPECT_EQ(mistakes("a: 1\n---\nb: 2\n"),
            "lift.yaml:2:1: error: there is more after the end of the document\n"
            "    remedy: keep one document in a file, and look for a wrong indent or bracket\n");
  EXPECT_TRUE(mistakes(fmt::format("a: {{{}: 1}}", std::string(257, 'k'))).find("longer than 256") !=
              std::string::npos);
  EXPECT_EQ(mistakes(std::string(256, 'k') + ": 1"), "");
}

TEST(Document, ReportsSyntaxWithItsPlace) {
  EXPECT_TRUE(mistakes("a: 1\nb: [1, 2\nc: 3\n").starts_with("lift.yaml:3:2: error: this is not valid YAML"));
  EXPECT_TRUE(mistakes("a: b: c").starts_with("lift.yaml:1:5: error: this is not valid YAML: illegal map value"));
  EXPECT_TRUE(mistakes("a: \"\\q\"").starts_with("lift.yaml:1:7: error: "));
  EXPECT_TRUE(mistakes("ø: *x").starts_with("lift.yaml:1:4: error: "));
}

TEST(Document, NamesTabs) {
  EXPECT_EQ(mistakes("a:\n\tb: 1\n"),
            "lift.yaml:2:3: error: this is not valid YAML: illegal map value\n"
            "    remedy: indent with spaces, not with tabs\n");
  EXPECT_TRUE(mistakes("a:\n\t- 1\n").find("not with tabs") != std::string::npos);
  EXPECT_TRUE(mistakes("a:\n  b: 1\n\tc: 2\n").starts_with("lift.yaml:3:1: error"));
  EXPECT_EQ(parsed("a:\t1\n").find("a")->text, "1");
}

TEST(Document, AnEmptyFileIsAMistake) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "null"})
    EXPECT_EQ(mistakes(text),
              "lift.yaml: error: there is nothing in it\n    remedy: describe a lift, beginning with 'davit: 1'\n");
}

TEST(Document, RefusesBytesThatAreNoText) {
  const std::pair<std::string, std::string> bad[] = {
      {"a: 1\nb: \xFF\n", "lift.yaml:2:4: error"},
      {"å: \xC3(", "lift.yaml:1:4: error"},
      {"a: \xC0\xAF", "lift.yaml:1:4: error"},          // overlong
      {"a: \xED\xA0\x80", "lift.yaml:1:4: error"},      // a surrogate
      {"a: \xF4\x90\x80\x80", "lift.yaml:1:4: error"},  // past Unicode
      {"a: \xE2\x82", "lift.yaml:1:4: error"},          // cut short
      {std::string("a: b\0c", 6), "lift.yaml:1:5: error"},
      {"a: 1\nb\x04: 2\n", "lift.yaml:2:2: error"},  // the parser would stop here in silence
      {"\xFF\xFE"
       "a",
       "lift.yaml:1:1: error"},
  };
  for (const auto& [text, start] : bad) EXPECT_TRUE(mistakes(text).starts_with(start)) << mistakes(text);
  EXPECT_EQ(parsed("a: €😀").find("a")->text, "€😀");
}

TEST(Document, ExpandsAliases) {
  const Node root = parsed("a: &x {b: [1, 2]}\nc: *x\n");
  EXPECT_EQ(*root.find("a"), *root.find("c"));
  // It was written in line 1, and is used as c.
  EXPECT_EQ(place(root.find("c")->find("b")->where()), "c.b@1:11");
}

std::string nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Document, LimitsDepth) {
  EXPECT_EQ(mistakes(fmt::format("a: {}", nested(63))), "");
  EXPECT_EQ(mistakes(fmt::format("a: {}", nested(64))),
            "lift.yaml:1:67: error: nested more than 64 levels deep\n"
            "    remedy: look for brackets that are not closed\n");
  for (const std::string& text : {std::string(100'000, '['), nested(100'000), std::string(100'000, '{'), nested(5000)})
    EXPECT_NE(mistakes(text).find("nested more than 64"), std::string::npos);
  std::string dashes;
  for (int i = 0; i < 100'000; ++i) dashes += "- ";
  EXPECT_NE(mistakes(dashes).find("nested more than 64"), std::string::npos);
  // Through aliases too: 40 levels in 40 levels.
  const std::string forty = nested(40);
  const std::string use = fmt::format("b: {}*x{}", std::string(40, '['), std::string(40, ']'));
  EXPECT_NE(mistakes(fmt::format("a: &x {}\n{}", forty, use)).find("nested"), std::string::npos);
}

TEST(Document, SurvivesABillionLaughs) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    text += fmt::format("a{0}: &a{0} [", i);
    for (int j = 0; j < 10; ++j) text += fmt::format("*a{}, ", i - 1);
    text += "]\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(mistakes(text).find("more than 1000000 values"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Document, LimitsTheTextThatAliasesMake) {
  std::string text = fmt::format("a: &a {}\nb: [", std::string(1'000'000, 'x'));
  for (int i = 0; i < 100; ++i) text += "*a, ";
  EXPECT_NE(mistakes(text + "]").find("more than 64 MiB of text"), std::string::npos);
}

TEST(Document, AnAliasInsideItselfIsAMistake) {
  EXPECT_EQ(mistakes("a: &x [*x]"),
            "lift.yaml:1:8: error: a[0]: this alias is inside what it stands for\n    remedy: write the value out\n");
}

TEST(Document, LimitsTheNumberOfNodes) {
  std::string text = "[";
  for (int i = 0; i < 1'000'000; ++i) text += "1,";
  EXPECT_NE(mistakes(text + "]").find("more than 1000000 values"), std::string::npos);
}

RC_GTEST_PROP(DocumentProperty, AnyBytesAreReadOrRefused, (const std::vector<char>& bytes)) {
  Problems problems;
  const auto node = parse_document(std::string(bytes.begin(), bytes.end()), "f", problems);
  RC_ASSERT(node.has_value() || problems.has_errors());
}

// Random bytes are seldom YAML: random pieces of YAML are so more often.
RC_GTEST_PROP(DocumentProperty, AnyPiecesAreReadOrRefused, ()) {
  const std::vector<std::string> pieces{"a",  ": ", "- ",  "\n", "  ",    "[",     "]",  "{",    "}",
                                        ", ", "? ", "&x ", "*x", "!t ",   "'",     "\"", "|\n",  ">\n",
                                        "#",  "%",  "<<",  "\t", "---\n", "...\n", "å",  "1.5 t"};
  const auto chosen = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces));
  std::string text;
  for (const std::string& piece : chosen) text += piece;
  Problems problems;
  const auto node = parse_document(text, "f", problems);
  RC_ASSERT(node.has_value() || problems.has_errors());
  if (!node || problems.has_errors()) return;
  // What was read can be written and read again.
  const auto again = parse_document(to_yaml(*node), "again", problems);
  RC_ASSERT(problems.to_text() == "");
  RC_ASSERT(to_yaml(*again) == to_yaml(*node));
}

class Files : public testing::Test {
 protected:
  Files() : folder_(std::filesystem::temp_directory_path() / fmt::format("davit-input-{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
};

std::string load_mistakes(const std::string& file) {
  Problems problems;
  EXPECT_FALSE(load_document(file, problems));
  return problems.to_text();
}

TEST_F(Files, AreRead) {
  Problems problems;
  const std::string file = write("lift.yaml", "a: 1\n");
  const auto node = load_document(file, problems);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->find("a")->where(), (Where{file, 1, 4, "a"}));
}

TEST_F(Files, MissingOrNotAFileIsSaid) {
  const std::string missing = (folder_ / "none.yaml").string();
  EXPECT_EQ(
      load_mistakes(missing),
      missing + ": error: there is no such file\n    remedy: check the path; in a file it is relative to that file\n");
  EXPECT_EQ(load_mistakes(folder_.string()),
            folder_.string() + ": error: this is a directory\n    remedy: give the file inside it\n");
  EXPECT_EQ(load_mistakes("/dev/zero"),
            "/dev/zero: error: this is not a regular file\n    remedy: give a regular file\n");
  EXPECT_NE(load_mistakes(""), "");
  EXPECT_NE(load_mistakes(std::string(5000, 'a')), "");
}

TEST_F(Files, UnreadableIsSaid) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string file = write("secret.yaml", "a: 1\n");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  EXPECT_EQ(load_mistakes(file),
            file + ": error: the file cannot be opened (Permission denied)\n    remedy: check the permissions\n");
}

TEST_F(Files, ThatSayTheyAreEmptyAreReadToTheirEnd) {
  Problems problems;
  const auto node = load_document("/proc/self/comm", problems);  // the name of this program, in a file of size 0
  std::string name;
  std::getline(std::ifstream("/proc/self/comm"), name);
  ASSERT_GT(name.size(), 1u);
  ASSERT_TRUE(node) << problems.to_text();
  EXPECT_EQ(node->text, name);
}

TEST_F(Files, AFailedReadIsSaid) {
  // Address 0 of a process cannot be read, by anyone.
  EXPECT_EQ(load_mistakes("/proc/self/mem"),
            "/proc/self/mem: error: the file cannot be read to its end (Input/output error)\n"
            "    remedy: check the disk and the permissions\n");
}

TEST_F(Files, TooLargeIsRefusedWithoutReading) {
  const std::string file = write("large.yaml", "");
  std::filesystem::resize_file(file, 20'000'000);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(load_mistakes(file), file + ": error: the file is larger than 16 MiB\n    remedy: reduce it\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(50));
  EXPECT_NE(mistakes(std::string(most_bytes + 1, 'a')).find("larger than 16 MiB"), std::string::npos);
}

}  // namespace
}  // namespace davit::input
