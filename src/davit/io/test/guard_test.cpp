#include "davit/io/guard.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

namespace davit::io {
namespace {

std::string mistake(const std::function<std::string()>& trial, const Limits& limits = {}) {
  try {
    in_child(trial, limits);
  } catch (const FileError& error) {
    EXPECT_FALSE(error.remedy.empty());
    return error.message;
  }
  return "";
}

TEST(Guard, ReturnsWhatTheTrialReturned) {
  int here = 1;
  EXPECT_EQ(in_child([] { return std::string(); }, {}), "");
  EXPECT_EQ(in_child(
                [&] {
                  here = 2;
                  return std::string(1'000'000, 'x');
                },
                {}),
            std::string(1'000'000, 'x'));
  EXPECT_EQ(here, 1) << "the trial runs in another process";
}

TEST(Guard, ACrashIsAMessage) {
  EXPECT_EQ(mistake([]() -> std::string { std::abort(); }), "the library that reads it crashed on it (signal 6)");
  EXPECT_EQ(mistake([]() -> std::string { std::_Exit(0); }), "the library that reads it crashed on it");
  EXPECT_EQ(mistake([]() -> std::string { throw std::runtime_error("no"); }), "it cannot be read (no)");
}

TEST(Guard, WhatHasNoEndIsStopped) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(mistake(
                []() -> std::string {
                  for (std::atomic<int> i = 0;; ++i) {}
                },
                {.seconds = 1}),
            "reading it has no end (stopped after 1 s)");
  EXPECT_EQ(mistake(
                []() -> std::string {
                  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
                },
                {.seconds = 1}),
            "reading it has no end (stopped after 1 s)");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Guard, MemoryIsBounded) {
  if (!memory_is_bounded) GTEST_SKIP() << "the address sanitizer has no bound";
  const Limits limits{.memory = std::size_t{64} << 20u};
  EXPECT_EQ(mistake(
                [] {
                  std::vector<std::string> much;
                  for (;;) much.emplace_back(1'000'000, 'x');
                  return much[0];
                },
                limits),
            "reading it takes more than 64 MiB of memory");
  EXPECT_EQ(mistake([] { return std::string(std::string(30'000'000, 'x').size() ? "" : "?"); }, limits), "");
}

// A program that does not care for its children is not told how they ended.
TEST(Guard, NeedsNoNewsOfChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(in_child([] { return std::string("good"); }, {}), "good");
  EXPECT_EQ(mistake([]() -> std::string { std::abort(); }), "the library that reads it crashed on it");
  std::signal(SIGCHLD, before);
}

TEST(Guard, ThreadsTryAtTheSameTime) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      for (int k = 0; k < 20; ++k)
        EXPECT_EQ(in_child([&] { return std::to_string(i); }, {.seconds = 4}), std::to_string(i));
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace davit::io
