// What clients say to a live run, and what is no message.
#include "davit/live/message.hpp"

#include <gtest/gtest.h>

namespace davit::live {
namespace {

using operation::LeverCommand;
using operation::LeverVerb;

std::string mistake(std::string_view text) {
  try {
    parse_request(text);
    return {};
  } catch (const BadMessage& error) {
    return error.what();
  }
}

TEST(Message, HasCommandsOfLevers) {
  const Request request =
      parse_request(R"({"speed": {"main": 0.25, "king": -0.01}, "move": {"sea.height": 1.5}, "stop": true,
                        "phase": "lift_off", "automatic": false})");
  EXPECT_EQ(request.commands, (std::vector<LeverCommand>{{LeverVerb::automatic, "", 0},
                                                         {LeverVerb::move, "sea.height", 1.5},
                                                         {LeverVerb::phase, "lift_off", 0},
                                                         {LeverVerb::speed, "king", -0.01},
                                                         {LeverVerb::speed, "main", 0.25},
                                                         {LeverVerb::stop, "", 0}}));
}

TEST(Message, HasWishesOfTheRun) {
  const Request request = parse_request(R"({"pause": true, "factor": 2.5, "ticks": 3, "reset": true, "end": false})");
  EXPECT_EQ(request.pause, true);
  EXPECT_EQ(request.factor, 2.5);
  EXPECT_EQ(request.ticks, 3);
  EXPECT_TRUE(request.reset);
  EXPECT_FALSE(request.end);
  EXPECT_TRUE(request.commands.empty());
}

TEST(Message, HasTheHelloOfAController) {
  const Request request =
      parse_request(R"({"hello": {"mode": "real-time", "channels": ["a.b", "c"], "deadline": 0.005}, "tick": 12})");
  ASSERT_TRUE(request.hello);
  EXPECT_EQ(request.hello->mode, Hello::Mode::real_time);
  EXPECT_EQ(request.hello->channels, (std::vector<std::string>{"a.b", "c"}));
  EXPECT_EQ(request.hello->deadline, 0.005);
  EXPECT_EQ(request.tick, 12);
}

TEST(Message, SaysWhatIsWrong) {
  EXPECT_EQ(mistake("POST / HTTP/1.1"), "a message is one JSON object");
  EXPECT_EQ(mistake("[1, 2]"), "a message is one JSON object");
  EXPECT_EQ(mistake(R"({"speed": 3})"), "'speed' is an object of levers and numbers");
  EXPECT_EQ(mistake(R"({"speed": {"main": "fast"}})"), "'speed' of a lever is a number");
  EXPECT_EQ(mistake(R"({"speed": {"main": 1e999}})"), "a message is one JSON object");
  EXPECT_EQ(mistake(R"({"pause": 1})"), "'pause' is true or false");
  EXPECT_EQ(mistake(R"({"factor": -1})"), "'factor' is a number from 0 to 1000");
  EXPECT_EQ(mistake(R"({"ticks": 1.5})"), "'ticks' is a whole number from 0 to 1000000");
  EXPECT_EQ(mistake(R"({"tick": -1})"), "'tick' is a whole number from 0 to 9007199254740992");
  EXPECT_EQ(mistake(R"({"hello": {"mode": "soon"}})"), "'mode' is lock-step or real-time");
  EXPECT_TRUE(mistake(R"({"jump": 1})").starts_with("there is no such key"));
  EXPECT_EQ(mistake(std::string(longest_message + 1, ' ')), "the message is too long");
  EXPECT_EQ(mistake(std::string(60'000, '[')), "a message is one JSON object");
}

}  // namespace
}  // namespace davit::live
