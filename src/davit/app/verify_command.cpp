// `davit verify`: calls the program davit-verify with the same arguments.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "davit/app/commands.hpp"
#include "davit/app/terminal.hpp"

namespace davit::app {

// The program stands beside this one where it was built and where it is installed.
int verify_command(const std::vector<std::string>& arguments) {
  std::error_code unreadable;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unreadable).replace_filename("davit-verify");
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  complain(
      "error: the published experiments are a program of their own, {}, which is not there\n"
      "remedy: build it from the sources of Davit: tools/build release davit-verify\n",
      program.string());
  return exit_bad_input;
}

}  // namespace davit::app
