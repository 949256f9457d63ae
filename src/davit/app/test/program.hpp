// Runs the built program as a user would: words in; exit code, what it printed and files out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "davit/test/source_tree.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::app::test {

namespace fs = std::filesystem;

inline std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Outcome {
  int code = -1;    // of exit, or -1 …
  int signal = 0;   // … when a signal ended it
  std::string out;  // stdout
  std::string err;  // stderr
};

class Program : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) { return temp.write(name, text); }

  // In `folder`; `meanwhile` gets the process while it runs. A program that takes a minute is killed: it hangs.
  Outcome davit(const std::vector<std::string>& words, const std::function<void(pid_t)>& meanwhile = {},
                const fs::path& stdout_to = {}) {
    const fs::path out = stdout_to.empty() ? folder / ".stdout" : stdout_to, err = folder / ".stderr";
    std::vector<std::string> all{in_build("bin/davit")};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      const auto redirect = [](const char* path, int flags, int to) {
        const int file = open(path, flags, 0600);
        if (file < 0 || dup2(file, to) < 0) _exit(120);
      };
      redirect("/dev/null", O_RDONLY, STDIN_FILENO);
      redirect(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
      redirect(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
      if (chdir(folder.c_str()) != 0) _exit(121);
      execv(argv[0], argv.data());
      _exit(122);
    }
    if (child < 0) throw std::runtime_error("cannot start the program");
    if (meanwhile) meanwhile(child);
    int status = 0;
    const auto begin = std::chrono::steady_clock::now();
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(60)) {
        ADD_FAILURE() << "the program hangs";
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    Outcome outcome;
    if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    if (stdout_to.empty()) outcome.out = text_of(out);
    outcome.err = text_of(err);
    return outcome;
  }

  davit::test::TempFolder temp;
  const fs::path folder = temp.path();
};

inline ::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << part << "' is not in:\n" << text;
}

}  // namespace davit::app::test
