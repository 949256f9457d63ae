#include "davit/operation/signal_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace davit::operation {
namespace {

SignalPoints parsed(const std::string& text, const std::string& column = "") {
  std::istringstream stream(text);
  return parse_columns(stream, "levers.csv", column);
}

std::string mistake(const std::string& text, const std::string& column = "") {
  try {
    parsed(text, column);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(SignalTable, reads_columns_by_name_or_the_second) {
  for (const char* text :
       {"0,1,5\n2,3,7\n", "0 1 5\n2  3 7\n", "0;1;5\r\n2;3;7\r\n", "# by hand\n\n0\t1\t5\n2\t3\t7"}) {
    const SignalPoints points = parsed(text);
    EXPECT_EQ(points.times, (std::vector<double>{0, 2})) << text;
    EXPECT_EQ(points.values, (std::vector<double>{1, 3})) << text;
  }
  const char* named = "time [s],hoist.target [m],king.angle [rad]\n0,1,5\n2,3,7\n";
  EXPECT_EQ(parsed(named, "king.angle").values, (std::vector<double>{5, 7}));
  EXPECT_EQ(parsed(named, "king.angle [rad]").values, (std::vector<double>{5, 7}));
  EXPECT_EQ(parsed(named).values, (std::vector<double>{1, 3}));
}

TEST(SignalTable, says_what_is_wrong_with_a_file) {
  EXPECT_NE(mistake("0,1\n2,x\n").find("levers.csv:2: not a time and a number"), std::string::npos);
  EXPECT_NE(mistake("0,1\n0,2\n").find("levers.csv:2: the time does not rise"), std::string::npos);
  EXPECT_NE(mistake("0,1\n1\n").find("levers.csv:2:"), std::string::npos);
  EXPECT_NE(mistake("time,a\n0,1\n", "b").find("has no column 'b'; its columns are time, a"), std::string::npos);
  EXPECT_NE(mistake("0,1\n", "b").find("the columns have no names"), std::string::npos);
  EXPECT_NE(mistake("").find("has no numbers"), std::string::npos);
  EXPECT_NE(mistake("0,nan\n").find("not a time and a number"), std::string::npos);
  // Decimals with a comma, whatever separates the columns.
  EXPECT_NE(mistake("0;0\n1;1,5\n").find("levers.csv:2: not a time and a number in column 2: '1,5'"),
            std::string::npos);
  EXPECT_NE(mistake("0\t0\n1\t1,5\n").find("levers.csv:2: "), std::string::npos);
  EXPECT_NE(mistake("0 0\n1 1,5\n").find("levers.csv:2: "), std::string::npos);
  EXPECT_NE(mistake("0,0\n1,1,5\n").find("levers.csv:2: the line has 3 columns"), std::string::npos);
}

}  // namespace
}  // namespace davit::operation
