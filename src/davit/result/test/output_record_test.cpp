// Structs described once: writing, reading back, schema.
#include "davit/result/output_record.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/result/result_error.hpp"

namespace davit::result {

namespace test {
namespace {

struct Force {
  double size = 0;
  std::array<double, 3> parts{};
  bool operator==(const Force&) const = default;
};

struct Sling {
  std::string name{}, state = "slack";
  bool steel = false;
  std::uint64_t legs = 0;
  double end = INFINITY;
  std::optional<double> mbl{};
  Force pull{};
  std::optional<Force> push{};
  std::vector<Force> lugs{};
  std::vector<std::string> remarks{};
  NamedTexts marks{};
  bool operator==(const Sling&) const = default;

  double factor() const { return mbl ? *mbl / pull.size : 0; }
};

}  // namespace
}  // namespace test

template <>
OutputRecord<test::Force> describe() {
  return OutputRecord<test::Force>().field("size_N", &test::Force::size).field("parts", &test::Force::parts);
}

template <>
OutputRecord<test::Sling> describe() {
  using test::Sling;
  return OutputRecord<Sling>()
      .field("name", &Sling::name, "of the sling")
      .field("state", &Sling::state, "at the end")
      .one_of({"taut", "slack"})
      .field("steel", &Sling::steel)
      .field("legs", &Sling::legs)
      .or_null("end", &Sling::end, "s")
      .field("mbl_N", &Sling::mbl)
      .field("pull", &Sling::pull)
      .field("pull_again", &Sling::pull, &test::Force::size, "beside the others")
      .field("push", &Sling::push)
      .left_out_if([](const Sling& sling) { return !sling.push; })
      .field("lugs", &Sling::lugs)
      .field("remarks", &Sling::remarks)
      .field("marks", &Sling::marks)
      .derived("factor", &Sling::factor);
}

namespace test {
namespace {

Sling sling() {
  return {"aft", "taut", true, 2, 60, 100, {50, {0, 30, 40}}, Force{}, {{1, {1, 0, 0}}}, {"worn"}, {{"maker", "x"}}};
}

Sling sling_of(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  Sling out;
  output_record<Sling>().read({json, ""}, out);
  return out;
}
std::string json_of(const Sling& of) { return output_record<Sling>().write(of).dump(); }

TEST(OutputRecord, ReadsBackWhatItWrote) {
  EXPECT_EQ(sling_of(json_of(sling())), sling());
  EXPECT_EQ(sling_of(json_of({})), Sling{});
}

TEST(OutputRecord, KeysAreInTheOrderOfTheDescription) {
  EXPECT_EQ(json_of(sling()),
            R"({"name":"aft","state":"taut","steel":true,"legs":2,"end":60.0,"mbl_N":100.0,)"
            R"("pull":{"size_N":50.0,"parts":[0.0,30.0,40.0]},"pull_again":50.0,"push":{"size_N":0.0,)"
            R"("parts":[0.0,0.0,0.0]},"lugs":[{"size_N":1.0,"parts":[1.0,0.0,0.0]}],"remarks":["worn"],)"
            R"("marks":{"maker":"x"},"factor":2.0})");
}

TEST(OutputRecord, WhatIsNotKnownIsNullOrLeftOut) {
  const auto json = nlohmann::json::parse(json_of({}));
  EXPECT_TRUE(json["mbl_N"].is_null());
  EXPECT_TRUE(json["end"].is_null());
  EXPECT_FALSE(json.contains("push"));
}

TEST(OutputRecord, WhatAFileLacksIsAsInANewStruct) {
  EXPECT_EQ(sling_of(R"({"another": 3, "factor": "text"})"), Sling{});
}

TEST(OutputRecord, NullIsWhatIsNotFinite) {
  EXPECT_EQ(sling_of(R"({"end": null})").end, INFINITY);
  EXPECT_TRUE(std::isnan(sling_of(R"({"pull": {"size_N": null}})").pull.size));
  EXPECT_TRUE(std::isnan(sling_of(R"({"pull": {"parts": [0, null, 0]}})").pull.parts[1]));
}

TEST(OutputRecord, SaysWhereAFileIsWrong) {
  const std::pair<const char*, const char*> wrong[] = {
      {"[]", "'the whole' is not an object"},
      {R"({"name": 3})", "'name' is not a text"},
      {R"({"state": "lost"})", "'state' is none of the words that it may be"},
      {R"({"state": 3})", "'state' is none of the words that it may be"},
      {R"({"steel": 1})", "'steel' is neither true nor false"},
      {R"({"legs": -1})", "'legs' is not a count"},
      {R"({"end": "late"})", "'end' is not a number"},
      {R"({"mbl_N": []})", "'mbl_N' is not a number"},
      {R"({"pull": {"parts": [1, 2]}})", "'pull.parts' is not a list of three numbers"},
      {R"({"pull": {"parts": [1, 2, {}]}})", "'pull.parts[2]' is not a number"},
      {R"({"lugs": {}})", "'lugs' is not a list"},
      {R"({"lugs": [{}, {"size_N": true}]})", "'lugs[1].size_N' is not a number"},
      {R"({"remarks": ["a", 1]})", "'remarks[1]' is not a text"},
      {R"({"marks": {"a": 1}})", "'marks' has a value that is not a text"},
  };
  for (const auto& [text, words] : wrong) try {
      sling_of(text);
      ADD_FAILURE() << text;
    } catch (const ResultError& error) {
      EXPECT_STREQ(error.what(), words) << text;
    }
}

TEST(OutputRecord, HasItsSchema) {
  const auto schema = nlohmann::json::parse(output_record<Sling>().schema().dump());
  const auto& of = schema["properties"];
  EXPECT_EQ(of["name"], nlohmann::json::parse(R"({"type": "string", "description": "of the sling"})"));
  EXPECT_EQ(of["state"], nlohmann::json::parse(R"({"enum": ["taut", "slack"], "description": "at the end"})"));
  EXPECT_EQ(of["legs"], nlohmann::json::parse(R"({"type": "integer", "minimum": 0})"));
  EXPECT_EQ(of["end"]["type"], nlohmann::json::parse(R"(["number", "null"])"));
  EXPECT_EQ(of["mbl_N"]["type"], nlohmann::json::parse(R"(["number", "null"])"));
  EXPECT_EQ(of["pull"]["properties"]["size_N"]["type"], "number");
  EXPECT_EQ(of["lugs"]["items"], of["pull"]);
  EXPECT_EQ(schema["required"].size(), of.size() - 1) << "all but what may be left out";
  EXPECT_EQ(schema["additionalProperties"], false);
}

}  // namespace
}  // namespace test
}  // namespace davit::result
