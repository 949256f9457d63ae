#include "davit/input/problems.hpp"

#include <gtest/gtest.h>

#include "davit/input/reference.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {
namespace {

TEST(Problems, PrintsPlaceKeyAndRemedy) {
  Problems problems;
  problems.error({"lift.yaml", 12, 5, "bodies.king.mass"}, "too heavy", "eat less");
  problems.warning({"lift.yaml", 0, 0, ""}, "an old file", "");
  EXPECT_EQ(problems.to_text(),
            "lift.yaml: warning: an old file\n"
            "lift.yaml:12:5: error: bodies.king.mass: too heavy\n"
            "    remedy: eat less\n");
}

TEST(Problems, AWarningIsNoError) {
  Problems problems;
  problems.warning({}, "hm", "");
  EXPECT_FALSE(problems.has_errors());
  EXPECT_EQ(problems.count(), 1u);
  problems.error({}, "no", "");
  EXPECT_TRUE(problems.has_errors());
  EXPECT_EQ(problems.error_count(), 1u);
  EXPECT_EQ(problems.count(), 2u);
}

TEST(Problems, AreSortedByPlaceAndShownOnce) {
  Problems problems;
  problems.error({"b", 1, 1, ""}, "last", "");
  problems.error({"a", 10, 1, ""}, "third", "");
  problems.error({"a", 2, 9, ""}, "second", "");
  problems.error({"a", 2, 3, ""}, "first", "");
  problems.error({"a", 2, 9, ""}, "second", "");
  const auto all = problems.all();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].message, "first");
  EXPECT_EQ(all[1].message, "second");
  EXPECT_EQ(all[2].message, "third");
  EXPECT_EQ(all[3].message, "last");
}

TEST(Problems, ShowsAHundredAndCountsTheRest) {
  Problems problems;
  for (int i = 1; i <= 100; ++i) problems.error({"f", i, 1, ""}, "wrong", "");
  EXPECT_EQ(problems.to_text().find("more"), std::string::npos);
  for (int i = 101; i <= 103; ++i) problems.error({"f", i, 1, ""}, "wrong", "");
  const std::string text = problems.to_text();
  EXPECT_NE(text.find("f:100:1"), std::string::npos);
  EXPECT_EQ(text.find("f:101:1"), std::string::npos);
  EXPECT_TRUE(text.ends_with("... and 3 more\n")) << text;
}

TEST(Problems, CountsThoseItDoesNotKeep) {
  Problems problems;
  for (int i = 1; i <= 5000; ++i) problems.error({"f", i, 1, ""}, "wrong", "");
  EXPECT_EQ(problems.error_count(), 5000u);
  EXPECT_TRUE(problems.to_text().ends_with("... and 4900 more\n"));
}

TEST(Wording, ShowsTextSafely) {
  EXPECT_EQ(shown("king"), "'king'");
  EXPECT_EQ(shown("a\x1b[31m\n"), "'a\\x1b[31m\\x0a'");
  EXPECT_EQ(shown(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
  // A character of two bytes across the limit is kept whole.
  EXPECT_EQ(shown(std::string(59, 'x') + "²y"), "'" + std::string(59, 'x') + "²...'");
}

TEST(Wording, MakesPlurals) {
  EXPECT_EQ(plural("body"), "bodies");
  EXPECT_EQ(plural("key"), "keys");
  EXPECT_EQ(plural("winch"), "winches");
  EXPECT_EQ(plural("rope"), "ropes");
}

TEST(Wording, FindsTheNearestName) {
  EXPECT_EQ(nearest("kign", {"ship", "king", "boom"}), "king");  // two letters changed places: one step
  EXPECT_EQ(nearest("mas", {"max", "mass"}), "max");             // the first of equals
  EXPECT_EQ(nearest("MASS", {"mast", "mass"}), "mass");
  EXPECT_EQ(nearest("KN", {"kn", "kN"}), "kN");
  EXPECT_EQ(nearest("stiffnes", {"stiffness"}), "stiffness");
  EXPECT_EQ(nearest("crane", {"ship", "king"}), std::nullopt);
  EXPECT_EQ(nearest("x", {"y"}), std::nullopt);
  EXPECT_EQ(nearest("", {"y"}), std::nullopt);
}

TEST(Wording, CutsLongLists) {
  EXPECT_EQ(listed({"a", "b"}), "a, b");
  EXPECT_TRUE(listed(std::vector<std::string>(23, "a")).ends_with("a, a and 3 more"));
}

TEST(Reference, AnUnknownNameSuggestsTheNearest) {
  Problems problems;
  const Reference reference{"kign", {"f", 3, 4, "ropes.hoist.from"}};
  unknown_name(reference, "body", {"ship", "king", "boom"}, problems);
  EXPECT_EQ(problems.to_text(),
            "f:3:4: error: ropes.hoist.from: there is no body 'kign'\n"
            "    remedy: did you mean 'king'? bodies are: ship, king, boom\n");
}

TEST(Reference, SaysWhenThereIsNothingToChooseFrom) {
  Problems problems;
  unknown_name({"x", {"f", 1, 1, ""}}, "body", {}, problems);
  EXPECT_EQ(problems.all().at(0).remedy, "there are no bodies");
}

TEST(Reference, NamesSplitAtTheirDots) {
  for (const char* good : {"king", "_a", "A-1", "k_2"}) EXPECT_TRUE(is_name(good)) << good;
  for (const char* bad : {"", "1a", "-a", "a.b", "a b", "å", "a["}) EXPECT_FALSE(is_name(bad)) << bad;
}

}  // namespace
}  // namespace davit::input
