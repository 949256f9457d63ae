#include "davit/result/csv.hpp"

#include <rapidcheck.h>

#include <bit>
#include <charconv>

#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

Result record(const TempFolder& folder, const std::vector<ChannelInfo>& channels,
              const std::vector<std::vector<double>>& rows) {
  Recorder recorder(folder / "result.h5", {}, channels);
  for (std::size_t r = 0; r < rows.size(); ++r) recorder.append(0.1 * static_cast<double>(r), rows[r]);
  recorder.finish();
  return Result::open(folder / "result.h5");
}

const std::vector<ChannelInfo> named{{.name = "king.angle", .unit = "rad"},
                                     {.name = "king.rate", .unit = "rad/s"},
                                     {.name = "hoist.tension", .unit = "N"},
                                     {.name = "a,\"b\""}};

TEST(Csv, HeaderAndShortestDigits) {
  TempFolder folder;
  const Result result = record(folder, named, {{0.1, -2, 1e300, 1.0 / 3}, {std::nan(""), -0.0, 5e-324, INFINITY}});
  std::stringstream out;
  export_csv(result, out);
  EXPECT_EQ(out.str(),
            "time [s],king.angle [rad],king.rate [rad/s],hoist.tension [N],\"a,\"\"b\"\"\"\n"
            "0,0.1,-2,1e+300,0.3333333333333333\n"
            "0.1,nan,-0,5e-324,inf\n");
}

TEST(Csv, RoundedChannelsHaveAsManyDigitsAsTheyKeep) {
  TempFolder folder;
  Recorder recorder(folder / "result.h5", {.mantissa_bits = rounded_mantissa_bits}, {{.name = "a"}, {.name = "b"}});
  recorder.append(1.0 / 3, std::vector<double>{0.1, -666666666.2});
  recorder.finish();
  std::stringstream out;
  export_csv(Result::open(folder / "result.h5"), out);
  EXPECT_EQ(out.str(), "time [s],a,b\n0.3333333333333333,0.1,-666666666\n");
}

// A name that a spreadsheet would compute, in a result from elsewhere.
TEST(Csv, NamesAreNoFormulas) {
  TempFolder folder;
  const Result result = record(folder,
                               {{.name = "=HYPERLINK(\"http://a.b\",1)"},
                                {.name = "+1", .unit = "N"},
                                {.name = "@SUM(A1)"},
                                {.name = "-2", .unit = "m"},
                                {.name = "a=b"}},
                               {{1, 2, 3, 4, -5}});
  std::stringstream out;
  export_csv(result, out);
  EXPECT_EQ(out.str(),
            "time [s],\"'=HYPERLINK(\"\"http://a.b\"\",1)\",\"'+1 [N]\",\"'@SUM(A1)\",\"'-2 [m]\",a=b\n0,1,2,3,4,-5\n");
}

TEST(Csv, EveryBitComesBack) {
  EXPECT_TRUE(rc::check("a number reads back as it was", [](const std::vector<std::uint64_t>& bits) {
    TempFolder folder;
    std::vector<std::vector<double>> rows;
    for (const std::uint64_t each : bits) rows.push_back({std::bit_cast<double>(each)});
    const Result result = record(folder, {{.name = "x"}}, rows);
    std::stringstream out;
    export_csv(result, out);
    const auto lines = split(out.str(), '\n');
    RC_ASSERT(lines.size() == rows.size() + 1);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto cells = split(lines[r + 1], ',');
      double back = 0;
      std::from_chars(cells[1].data(), cells[1].data() + cells[1].size(), back);
      const double wanted = rows[r][0];
      RC_ASSERT((std::isnan(wanted) ? std::isnan(back) : std::bit_cast<std::uint64_t>(back) == bits[r]));
    }
  }));
}

TEST(Csv, LongRunsGoBlockByBlock) {
  TempFolder folder;
  std::vector<std::vector<double>> rows;
  for (int r = 0; r < 10'000; ++r) rows.push_back({1.0 * r, -1.0 * r});
  const Result result = record(folder, {{.name = "a"}, {.name = "b"}}, rows);
  export_csv(result, folder / "out.csv");
  const auto lines = split(read_text(folder / "out.csv"), '\n');
  ASSERT_EQ(lines.size(), 10'001u);
  for (int r = 0; r < 10'000; ++r) {
    const auto cells = split(lines[r + 1], ',');
    ASSERT_EQ(cells[1], std::to_string(r));
    ASSERT_EQ(cells[2], r ? "-" + std::to_string(r) : "-0");
  }
}

TEST(Csv, PatternsChooseChannels) {
  TempFolder folder;
  const Result result = record(folder, named, {{1, 2, 3, 4}});
  const auto chosen = [&](std::vector<std::string> patterns) { return select_channels(result, patterns); };
  EXPECT_EQ(chosen({}), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(chosen({"king.*"}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(chosen({"hoist.tension", "*.angle"}), (std::vector<std::size_t>{0, 2}));
  EXPECT_THROW(chosen({"king.*", "boom.*"}), ResultError);
  EXPECT_THROW(export_csv(result, folder / "absent/out.csv"), ResultError);
}

TEST(Csv, GlobMatches) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a__b__b__c"));
  EXPECT_TRUE(matches("*.x", "a.x.x"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_FALSE(matches("a?c", "ac"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_FALSE(matches("a*b", "abc"));
  EXPECT_FALSE(matches("king", "king.angle"));
  EXPECT_TRUE(rc::check("a name matches itself with any part starred", [](const std::string& name) {
    const auto from = *rc::gen::inRange<std::size_t>(0, name.size() + 1);
    const auto to = *rc::gen::inRange<std::size_t>(from, name.size() + 1);
    RC_ASSERT(matches(name.substr(0, from) + "*" + name.substr(to), name));
  }));
}

}  // namespace
}  // namespace davit::result::test
