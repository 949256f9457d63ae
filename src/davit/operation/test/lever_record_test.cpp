// What is done with levers, written and read back.
#include "davit/operation/lever_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace davit::operation {
namespace {

std::vector<RecordedCommand> read_record(const std::string& text) {
  std::istringstream in(text);
  return parse_lever_record(in, "levers.csv");
}

std::string mistake_in_record(const std::string& text) {
  try {
    read_record(text);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(LeverRecord, IsReadBackToTheLastBit) {
  const std::vector<RecordedCommand> commands = {
      {0, {LeverVerb::speed, "main", 0.1 + 0.2}}, {7, {LeverVerb::move, "a name, with a comma", -1.0 / 3}},
      {7, {LeverVerb::phase, "lift_off", 0}},     {9, {LeverVerb::automatic, "", 1}},
      {4'000'000'000, {LeverVerb::stop, "", 0}},  {4'000'000'000, {LeverVerb::speed, "x", 5e-324}}};
  std::string text = std::string(lever_record_head) + "\n";
  for (const RecordedCommand& command : commands) text += line_of(command);
  EXPECT_EQ(read_record(text), commands);
}

TEST(LeverRecord, ALineIsACommandWhateverIsInAName) {
  for (const char* name : {"lift\noff", "lift\r\noff\n", "\n1,stop,,0\n", "a\\nb", "a\\", "\\\\n", "a\\x"}) {
    const std::vector<RecordedCommand> commands = {{1, {LeverVerb::phase, name, 0}}, {2, {LeverVerb::stop, "", 0}}};
    const std::string text = line_of(commands[0]) + line_of(commands[1]);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
    EXPECT_EQ(text.find('\r'), std::string::npos) << text;
    EXPECT_EQ(read_record(text), commands) << text;
  }
  // As it was written before line breaks were.
  EXPECT_EQ(read_record("1,phase,a\\x,0\n")[0].command.name, "a\\x");
}

TEST(LeverRecord, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(mistake_in_record("tick,command,name,value\n1,speed,main\n"),
            "levers.csv:2: tick, command, name and value are expected");
  EXPECT_EQ(mistake_in_record("-1,speed,main,2\n"), "levers.csv:1: the tick is a whole number from 0 on");
  EXPECT_EQ(mistake_in_record("1,jump,main,2\n"),
            "levers.csv:1: the command is one of speed, move, phase, automatic and stop");
  EXPECT_EQ(mistake_in_record("1,speed,main,fast\n"), "levers.csv:1: the value is a number");
  EXPECT_EQ(mistake_in_record("1,speed,main,inf\n"), "levers.csv:1: the value is a number");
  EXPECT_EQ(mistake_in_record("2,stop,,0\n1,stop,,0\n"), "levers.csv:2: ticks must not fall");
  EXPECT_EQ(mistake_in_record("1,speed," + std::string(200'000, 'x') + ",1\n"), "levers.csv:1: the line is too long");
}

}  // namespace
}  // namespace davit::operation
