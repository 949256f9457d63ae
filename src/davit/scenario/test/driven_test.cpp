// What is said of drives that hold a joint exactly and cannot follow, and of booms that are luffed too far.
#include "davit/scenario/test/support.hpp"

namespace davit::test {

namespace {

std::string said_of(const std::string& drive, const std::string& phase) {
  input::Problems problems;
  parse_scenario(lift("  slide: {joint: {prismatic: x}, mass: 1 t}\n"
                      "  boom: {joint: {revolute: -y}, mass: 1 t, inertia: [1, 1, 1], centre: [5 m, 0, 0], start: "
                      "{angle: 50 deg}}\n",
                      "constraints: {drive: {motion: {joint: slide" + drive +
                          "}}, luff: {motion: {joint: boom}}}\noperation:\n  - {" + phase + "}",
                      "{duration: 5 s, step: 10 ms}"),
                 "lift.yaml", problems);
  return problems.to_text();
}

bool has(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST(Driven, JumpsOfATableAreNamed) {
  const std::string corners = "table: [[0 s, 0 m], [1 s, 0 m], [3 s, 1 m]]";
  const std::string straight = said_of("", "follow: {slide: {" + corners + ", interpolation: linear}}");
  EXPECT_TRUE(has(straight, "lift.yaml:8:22: warning: operation[0].follow.slide")) << straight;
  EXPECT_TRUE(has(straight, "jumps 2 times, at most by 0.5 m/s at 1 s")) << straight;
  const std::string held = said_of("", "follow: {slide: {" + corners + ", interpolation: hold}}");
  EXPECT_TRUE(has(held, "error: operation[0].follow.slide")) << held;
  EXPECT_TRUE(has(held, "its table jumps by 1 m at 3 s")) << held;
  EXPECT_EQ(said_of("", "follow: {slide: {" + corners + "}}"), "");
  EXPECT_EQ(said_of(", compliance: 1 mm/kN", "follow: {slide: {" + corners + ", interpolation: linear}}"), "");
  // After the run nothing jumps.
  EXPECT_EQ(said_of("",
                    "follow: {slide: {table: [[0 s, 0 m], [1 s, 0.1 m], [7 s, 1 m]], start_speed: 0 m/s, "
                    "end_speed: 2 m/s}}"),
            "");
}

TEST(Driven, SpeedsAtTheEndsAreThoseOfASmoothTable) {
  const std::string mistaken =
      said_of("", "follow: {slide: {table: [[0 s, 0 m], [1 s, 1 m]], interpolation: linear, start_speed: 1 m/s}}");
  EXPECT_TRUE(has(mistaken, "only a smooth table has speeds of its own")) << mistaken;
  EXPECT_TRUE(has(said_of("", "follow: {slide: {table: [[0 s, 0 m], [1 s, 1 m]], start_speed: 1 deg/s}}"), "error"));
}

TEST(Driven, AMoveWithoutSmoothnessIsNamed) {
  EXPECT_TRUE(has(said_of("", "move: {slide: 1 m}, over: 2 s, smoothness: 0"), "begins and ends with a jump"));
  EXPECT_EQ(said_of("", "move: {slide: 1 m}, over: 2 s, smoothness: 1"), "");
}

TEST(Driven, ABoomThatIsLuffedThroughTheVerticalIsTold) {
  const std::string over = said_of("", "luff: {boom: 120 deg}, over: 2 s");
  EXPECT_TRUE(has(over, "goes to 120 deg, through the vertical at 90 deg")) << over;
  EXPECT_EQ(said_of("", "luff: {boom: 80 deg}, over: 2 s"), "");
  EXPECT_EQ(said_of("", "luff: {boom: -20 deg}, over: 2 s"), "");
}

}  // namespace davit::test
