// A live run over its sockets: a controller in lock-step and in real time, a page, and clients that mean no good.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstring>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "davit/live/live_server.hpp"
#include "davit/live/replay_file.hpp"
#include "davit/result/reader.hpp"
#include "davit/run/sinks.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::live {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using nlohmann::json;

const std::string trolley_crane = R"(davit: 1
title: a trolley on levers
bodies:
  trolley: {at: [0, 0, 18 m], joint: {prismatic: x}, mass: 8 t}
  rope: {on: trolley, joint: {revolute: -y}}
  load: {on: rope, at: [0, 0, -12 m], joint: {fixed: {}}, mass: 20 t, sphere: {radius: 1 m}}
constraints:
  drive: {motion: {joint: trolley}}
levers: {of: {trolley: {speed: 1 m/s, acceleration: 0.5 m/s^2}}}
run: {duration: 600 s, step: 10 ms, output: 20 ms}
)";

tcp::endpoint here(unsigned short port) { return {asio::ip::address_v4::loopback(), port}; }

// Speaks lines of JSON.
class LineClient {
 public:
  explicit LineClient(unsigned short port) : socket_(context_) { socket_.connect(here(port)); }
  void say(const std::string& line) { asio::write(socket_, asio::buffer(line + "\n")); }
  // The next line; empty when the other side has closed.
  std::string hear() {
    beast::error_code error;
    const std::size_t size = asio::read_until(socket_, asio::dynamic_buffer(text_), '\n', error);
    if (error) return {};
    std::string line = text_.substr(0, size - 1);
    text_.erase(0, size);
    return line;
  }
  json hear_json() { return json::parse(hear()); }

 private:
  asio::io_context context_;
  tcp::socket socket_;
  std::string text_;
};

// A page, as far as the program can tell.
class Page {
 public:
  explicit Page(unsigned short port, const std::string& origin = {}, const std::string& host = {}) : socket_(context_) {
    beast::get_lowest_layer(socket_).connect(here(port));
    const std::string own = "127.0.0.1:" + std::to_string(port);
    socket_.set_option(beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
      request.set(beast::http::field::origin, origin.empty() ? "http://" + own : origin);
    }));
    socket_.handshake(host.empty() ? own : host, "/live");
  }
  void say(const json& message) { socket_.write(asio::buffer(message.dump())); }
  // The next message of this kind; numbers counts the binary ones on the way.
  json hear(const std::string& key) {
    while (true) {
      beast::flat_buffer buffer;
      socket_.read(buffer);
      const std::string bytes(static_cast<const char*>(buffer.data().data()), buffer.size());
      if (!socket_.got_text()) {
        double kind = 0;
        std::memcpy(&kind, bytes.data(), sizeof kind);
        ++(kind == 1 ? frames : rows);
        continue;
      }
      json message = json::parse(bytes);
      if (message.contains(key)) return message[key];
    }
  }
  int frames = 0, rows = 0;

 private:
  asio::io_context context_;
  beast::websocket::stream<beast::tcp_stream> socket_;
};

class Live : public ::testing::Test {
 protected:
  void start(double factor = 0, double patience = 10) {
    input::Problems problems;
    scenario = load_scenario(folder.write("crane.yaml", trolley_crane), {}, problems);
    if (!scenario) throw std::runtime_error(problems.to_text());
    session.emplace(*scenario, server, SessionOptions{factor, patience, [this] { return stopped.load(); }});
    std::promise<Server::Ports> listening;
    auto known = listening.get_future();
    simulation = std::thread([this, &listening] {
      RunSettings settings;
      settings.directory = folder / "live-1";
      settings.proceed = [this](double) { return session->goes_on(); };
      settings.commands = &*session;
      settings.sinks = {&*session, &events};
      settings.begins = [&](const RunSettings::Beginning& beginning) {
        session->begin(1, settings.directory, beginning);
        listening.set_value(server.start(*session, {0, static_cast<unsigned short>(0)}));
      };
      report = run_scenario(*scenario, settings);
    });
    ports = known.get();
  }
  void end() {
    stopped = true;
    if (simulation.joinable()) simulation.join();
    server.stop();
  }
  ~Live() override { end(); }
  int count(const std::string& key) const {
    return static_cast<int>(std::count_if(events.events.begin(), events.events.end(),
                                          [&](const result::Event& event) { return event.key == key; }));
  }

  test::TempFolder folder;
  std::optional<Scenario> scenario;
  Server server;
  std::optional<Session> session;
  MemorySink events;
  std::atomic<bool> stopped = false;
  std::thread simulation;
  Server::Ports ports;
  RunReport report;
};

TEST_F(Live, GoesInLockStepWithAController) {
  start();
  LineClient controller(ports.controller);
  controller.say(R"({"hello": {"mode": "lock-step", "channels": ["trolley.travel", "trolley.travel_rate"]}})");
  const json welcome = controller.hear_json()["welcome"];
  EXPECT_DOUBLE_EQ(welcome["tick"], 0.02);
  EXPECT_EQ(welcome["levers"][0]["name"], "trolley");
  EXPECT_EQ(welcome["channels"][0]["unit"], "m");
  json last;
  for (int tick = 0; tick <= 200; ++tick) {
    last = controller.hear_json();
    ASSERT_EQ(last["tick"], tick);
    EXPECT_NEAR(last["t"], 0.02 * tick, 1e-12);
    controller.say(json{{"tick", tick}, {"speed", {{"trolley", tick < 100 ? 0.5 : 0.0}}}}.dump());
  }
  // Speeding up and slowing down take the same time, in which half of the way is made: 0.5 m/s for 2 s.
  EXPECT_NEAR(last["values"][0], 0.5 * 2, 1e-6);
  EXPECT_NEAR(last["values"][1], 0, 1e-6);
  controller.say(R"({"tick": 201, "end": true})");
  EXPECT_NE(controller.hear().find("values"), std::string::npos);  // 201, which has come before the answer, or not
  end();
  EXPECT_EQ(report.outcome.status, RunStatus::interrupted);
}

TEST_F(Live, SaysWhenADeadlineIsMissed) {
  start(10);  // a tick is 2 ms on the wall
  LineClient controller(ports.controller);
  controller.say(R"({"hello": {"mode": "real-time", "channels": []}})");
  EXPECT_TRUE(controller.hear_json().contains("welcome"));
  controller.say(R"({"speed": {"trolley": 0.5}})");
  std::vector<std::string> late;
  json last;
  while (late.size() < 2) {
    const json message = controller.hear_json();
    if (message.contains("late")) late.push_back(message["late"]);
    if (message.contains("tick")) last = message;
  }
  EXPECT_NE(late[0].find("missed its deadline: no answer to tick"), std::string::npos) << late[0];
  EXPECT_NE(late[1].find("silent for 1 s: levers to zero"), std::string::npos) << late[1];
  end();
  EXPECT_GE(count("late"), 1);
  EXPECT_EQ(count("silent"), 1);
}

TEST_F(Live, PausesWhenAControllerInLockStepIsSilent) {
  start(0, 0.2);
  LineClient controller(ports.controller);
  controller.say(R"({"hello": {"mode": "lock-step", "channels": []}})");
  controller.hear();
  controller.hear();  // tick 0, which it does not answer
  const json message = controller.hear_json();
  EXPECT_NE(message["error"].get<std::string>().find("levers to zero, and the run pauses"), std::string::npos);
  end();
  EXPECT_LT(report.outcome.t, 1);
}

TEST_F(Live, ShowsItselfToAPage) {
  start(20);
  {
    Page page(ports.page);
    EXPECT_EQ(page.hear("began")["run"], 1);
    page.say({{"speed", {{"trolley", 0.5}}}});
    json state = page.hear("state");
    while (state["levers"][0][0] < 0.4) state = page.hear("state");
    EXPECT_DOUBLE_EQ(state["levers"][0][2], 0.5);
    EXPECT_GT(page.frames, 0);
    EXPECT_GT(page.rows, 0);
    page.say({{"pause", true}});
    while (!state["paused"]) state = page.hear("state");
    const double t = state["t"];
    page.say({{"ticks", 5}});
    while (state["t"] < t + 0.09) state = page.hear("state");
    page.say({{"pause", false}, {"factor", 30}});
    page.say({{"speed", {{"winch", 1}}}});
    EXPECT_EQ(page.hear("error"), "there is no lever 'winch'");
    page.say({{"move", {{"trolley", 0.25}}}});
    while (state["levers"][0][0] != 0.25) state = page.hear("state");
    page.say({{"speed", {{"trolley", -0.5}}}});
    while (state["levers"][0][1] != -0.5) state = page.hear("state");
  }
  // The lever that the page held is let go when it has gone.
  Page other(ports.page);
  json state = other.hear("state");
  while (state["levers"][0][1] != 0) state = other.hear("state");
  other.say({{"end", true}});
  simulation.join();
  write_replay(*scenario, {}, {}, report.outcome.t, folder / "live-1");
  // What was done over sockets is done again, bit for bit.
  input::Problems problems;
  const auto again = load_scenario(folder / "live-1" / "replay.yaml", {}, problems);
  ASSERT_TRUE(again) << problems.to_text();
  EXPECT_GE(again->levers->recorded.size(), 4u);
  RunSettings settings;
  settings.directory = folder / "again";
  EXPECT_EQ(run_scenario(*again, settings).outcome.t, report.outcome.t);
  const result::Result a = result::Result::open(folder / "live-1" / "result.h5"),
                       b = result::Result::open(folder / "again" / "result.h5");
  ASSERT_EQ(a.rows(), b.rows());
  for (size_t c = 0; c < a.channels().size(); ++c) {
    std::vector<double> x(a.rows()), y(a.rows());
    a.read_channel(c, 0, x);
    b.read_channel(c, 0, y);
    EXPECT_EQ(x, y) << a.channels()[c].name;
  }
}

TEST_F(Live, KeepsStrangersOut) {
  start();
  EXPECT_THROW(Page(ports.page, "http://elsewhere.example"), beast::system_error);
  EXPECT_THROW(Page(ports.page, "", "elsewhere.example"), beast::system_error);
  {
    // A browser that another site led here.
    LineClient browser(ports.controller);
    browser.say("POST / HTTP/1.1");
    EXPECT_EQ(browser.hear_json()["error"], "a message is one JSON object");
    EXPECT_EQ(browser.hear(), "");
  }
  {
    LineClient rude(ports.controller);
    rude.say(R"({"speed": {"trolley": 1}})");
    EXPECT_NE(rude.hear().find("first"), std::string::npos);
    EXPECT_EQ(rude.hear(), "");
  }
  {
    LineClient endless(ports.controller);
    try {
      endless.say(std::string(10 * longest_message, 'x'));
    } catch (const std::exception&) {}
    EXPECT_EQ(endless.hear(), "");
  }
  // What follows a line for which the connection is closed is not heard, also if it came with it.
  for (const char* after :
       {R"({"hello": {}})", R"({"hello": {}, "end": true})", R"({"hello": {}, "speed": {"trolley": 1}})"}) {
    LineClient ghost(ports.controller);
    ghost.say(std::string("nonsense\n") + after);
    EXPECT_EQ(ghost.hear_json()["error"], "a message is one JSON object");
    EXPECT_EQ(ghost.hear(), "");
  }
  EXPECT_TRUE(session->goes_on());
  LineClient controller(ports.controller);
  controller.say(R"({"hello": {"mode": "lock-step", "channels": ["no.such"]}})");
  EXPECT_NE(controller.hear().find("there is no channel 'no.such'"), std::string::npos);
  LineClient good(ports.controller);
  good.say(R"({"hello": {}})");
  EXPECT_TRUE(good.hear_json().contains("welcome"));
  LineClient second(ports.controller);
  second.say(R"({"hello": {}})");
  EXPECT_EQ(second.hear_json()["error"], "another controller has the levers");
}

TEST_F(Live, CommandsDoNotPileUpWhileItIsPaused) {
  start(1);
  Page page(ports.page);
  page.hear("began");
  page.say({{"pause", true}});
  json state = page.hear("state");
  while (!state["paused"]) state = page.hear("state");
  Request drive;
  drive.commands = {{operation::LeverVerb::speed, "trolley", 0.1}};
  int heard = 0;
  std::string refused;
  for (; heard < 100'000 && refused.empty(); ++heard) try {
      session->request(0, drive);
    } catch (const BadMessage& mistake) {
      refused = mistake.what();
    }
  EXPECT_EQ(heard, 10'001);
  EXPECT_NE(refused.find("10000 commands wait for the next tick already, and the run is paused"), std::string::npos)
      << refused;
  // What stops everything is heard, as often as it is said.
  Request stop;
  stop.commands = {{operation::LeverVerb::stop}};
  for (int i = 0; i < 20'000; ++i) EXPECT_NO_THROW(session->request(0, stop));
  // The next tick takes all that wait. Until it has come they are in the way, and states are told meanwhile.
  page.say({{"ticks", 1}});
  // Hundreds of states from before it may wait to be read.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool accepted = false;
  while (!accepted && std::chrono::steady_clock::now() < patience) try {
      session->request(0, drive);
      accepted = true;
    } catch (const BadMessage&) {
      page.hear("state");
    }
  EXPECT_TRUE(accepted);
}

}  // namespace
}  // namespace davit::live
