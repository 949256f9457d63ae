#include "davit/input/columns.hpp"

#include <gtest/gtest.h>

namespace davit::input {
namespace {

using Cells = std::vector<std::string>;

TEST(Columns, OneSeparatorOfALine) {
  EXPECT_EQ(cells_of("0,1, 5"), (Cells{"0", "1", "5"}));
  EXPECT_EQ(cells_of("  0  1 5 "), (Cells{"0", "1", "5"}));
  EXPECT_EQ(cells_of("0;1;;5\r"), (Cells{"0", "1", "", "5"}));
  EXPECT_EQ(cells_of("1;1,5"), (Cells{"1", "1,5"}));
  EXPECT_EQ(cells_of("1,5\t2,5"), (Cells{"1,5", "2,5"}));
  EXPECT_EQ(cells_of(""), (Cells{""}));
}

TEST(Columns, NumbersNameTheirLineAndARemedy) {
  EXPECT_EQ(number_in({"0", "-1.5e3"}, 1, "f.csv", 7), -1500);
  for (const char* wrong : {"1,5", "x", "", "1 m", "nan", "inf", "1e999"}) {
    try {
      number_in({"0", wrong}, 1, "f.csv", 7);
      FAIL() << wrong;
    } catch (const ColumnsError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("f.csv:7: ")) << error.what();
      EXPECT_FALSE(error.remedy.empty());
      if (std::string(wrong) == "1,5") EXPECT_EQ(error.remedy, "write decimals with a point, as in 1.5");
    }
  }
  EXPECT_THROW(number_in({"0"}, 1, "f.csv", 7), ColumnsError);
  EXPECT_THROW(check_width({"1", "1", "5"}, 2, "f.csv", 7), ColumnsError);
  EXPECT_NO_THROW(check_width({"1"}, 2, "f.csv", 7));
}

}  // namespace
}  // namespace davit::input
