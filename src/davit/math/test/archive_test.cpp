#include "davit/math/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace davit {
namespace {

struct Inner {
  int n = 0;
  std::optional<double> x{};
  template <class A>
  void archive(A& a) {
    a(n, x);
  }
  bool operator==(const Inner&) const = default;
};

struct Everything {
  double number = 0;
  bool yes = false;
  std::string text;
  VecX v;
  Vec3 place = Vec3::Zero();
  std::vector<bool> flags;
  std::vector<Inner> list;
  std::array<std::int64_t, 2> pair{};
  std::pair<int, std::string> named;
  template <class A>
  void archive(A& a) {
    a(number, yes, text, v, place, flags, list, pair, named);
  }
};

Everything sample() {
  Everything out;
  out.number = -std::numeric_limits<double>::denorm_min();
  out.yes = true;
  out.text = std::string("a\0b", 3);
  out.v = VecX::LinSpaced(5, -1, 1);
  out.place = {1, -0.0, INFINITY};
  out.flags = {true, false, true};
  out.list = {{3, 0.1}, {4, std::nullopt}};
  out.pair = {std::numeric_limits<std::int64_t>::min(), 7};
  out.named = {2, "two"};
  return out;
}

TEST(Archive, WhatIsReadIsWhatWasWritten) {
  const Everything one = sample();
  ArchiveWriter writer;
  writer(one, std::numeric_limits<double>::quiet_NaN());
  Everything two;
  double nan = 0;
  ArchiveReader reader(writer.bytes());
  reader(two, nan);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(one.number, two.number);
  EXPECT_EQ(one.text, two.text);
  EXPECT_EQ(one.v, two.v);
  EXPECT_EQ(one.place, two.place);
  EXPECT_TRUE(std::signbit(two.place[1]));
  EXPECT_EQ(one.flags, two.flags);
  EXPECT_EQ(one.list, two.list);
  EXPECT_EQ(one.pair, two.pair);
  EXPECT_EQ(one.named, two.named);
  EXPECT_TRUE(two.yes && std::isnan(nan));
}

// Bytes may be anybody's: they end too early, or say that there is more than there can be.
TEST(Archive, LengthsAreCheckedBeforeAnythingIsAllocated) {
  ArchiveWriter writer;
  writer(sample());
  const std::string& bytes = writer.bytes();
  for (size_t length = 0; length < bytes.size(); ++length) {
    Everything out;
    ArchiveReader reader(std::string_view(bytes).substr(0, length));
    EXPECT_THROW(reader(out), BadArchive) << length;
  }
  for (size_t at = 0; at + 8 <= bytes.size(); ++at) {
    std::string huge = bytes;
    for (size_t i = 0; i < 8; ++i) huge[at + i] = static_cast<char>(0x7f);
    Everything out;
    ArchiveReader reader(huge);
    try {
      reader(out);
    } catch (const BadArchive&) {}
  }
}

}  // namespace
}  // namespace davit
