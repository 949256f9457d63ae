// Maps of heights from files: read as they are, and refused with the line of what is wrong.
#include <gtest/gtest.h>

#include <sstream>

#include "davit/mooring/height_map_file.hpp"

namespace davit::mooring {
namespace {

const std::string heading = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -9999\n";

cable::HeightMap parse(const std::string& text, const Vec2& origin = Vec2::Zero()) {
  std::istringstream stream(text);
  return parse_height_map(stream, "bed.asc", origin);
}

TEST(HeightMapFile, RowsGoFromNorthToSouth) {
  const cable::HeightMap map = parse(heading + "-1 -2 -3\n-4 -5 -6\n", {5, 15});
  EXPECT_EQ(map.low(), Vec2(100, 190));
  EXPECT_EQ(map.high(), Vec2(120, 200));
  EXPECT_EQ(map.at(100, 190).height, -4);
  EXPECT_EQ(map.at(120, 200).height, -3);
  EXPECT_TRUE(map.covers(110, 195));
  EXPECT_FALSE(map.covers(121, 195));
}

TEST(HeightMapFile, SaysWhatIsWrongAndWhere) {
  const auto says = [](const std::string& text) {
    try {
      parse(text);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(says(heading + "-1 -2 -3\n-4 -5\n"), "bed.asc:8: the file ends before the height of row 2, column 3");
  EXPECT_EQ(says(heading + "-1 -2 -3\n-4 five -6\n"),
            "bed.asc:8: 'five' is not a number (the height of row 2, column 2)");
  EXPECT_EQ(says(heading + "-1 -2 -3\n-4 -9999 -6\n"),
            "bed.asc:8: there is no data for the height of row 2, column 2: fill the holes of the map");
  EXPECT_EQ(says(heading + "1 2 3 4 5 6 7"), "bed.asc:7: there are more heights than the 3 x 2 of the heading");
  EXPECT_EQ(says("ncols 3\nrows 2\n"), "bed.asc:2: 'rows' is no word of an ASCII grid's heading");
  EXPECT_EQ(says("ncols 3\nnrows 2\n1 2 3"), "bed.asc:1: 'cellsize' is missing in the heading of the map");
  EXPECT_NE(says("ncols 1e300\nnrows 1e300\ncellsize 1").find("4e+06 at most"), std::string::npos);
  EXPECT_NE(says("ncols 100000\nnrows 100000\ncellsize 1").find("4e+06 at most"), std::string::npos);
  EXPECT_NE(says("ncols -3\nnrows 2.5\ncellsize 1").find("two at least"), std::string::npos);
  EXPECT_NE(says("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n1 2 3 4").find("positive"),
            std::string::npos);
  EXPECT_NE(says("").find("missing"), std::string::npos);
  EXPECT_EQ(says(heading + "-1 -2 -3\n-4 -5 1e300\n"), "bed.asc:1: 1e+300 m is no height of a bed");
  const std::string corner = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner ";
  EXPECT_NE(says(corner + "0\ncellsize 1e-200\n1 2 3 4").find("not 1e-200 m"), std::string::npos);
  EXPECT_NE(says(corner + "1e300\ncellsize 1\n1 2 3 4").find("too far away"), std::string::npos);
}

}  // namespace
}  // namespace davit::mooring
