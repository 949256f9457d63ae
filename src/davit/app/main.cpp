// The program davit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "davit/app/options.hpp"
#include "davit/app/terminal.hpp"
#include "davit/run/run.hpp"

namespace {

using namespace davit::app;

// `davit FILE.yaml …` is `davit run FILE.yaml …`.
std::vector<std::string> with_command(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && (words[0].ends_with(".yaml") || words[0].ends_with(".yml"))) words.insert(words.begin(), "run");
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  return words;
}

int dispatch(int argc, char** argv) {
  CLI::App program{"Simulates, checks and automates crane lifts on ships, on barges and in shipyards"};
  program.set_version_flag("--version", davit::version());
  program.require_subcommand(1);
  int code = exit_ok;

  Arguments arguments;
  add_commands(program, arguments, code);

  std::vector<std::string> words = with_command(argc, argv);
  if (!words.empty() && words.back() == "verify") return verify_command({words.rbegin() + 1, words.rend()});
  if (!words.empty() && !words.back().starts_with('-')) {
    std::string commands;
    bool known = false;
    for (const CLI::App* command : program.get_subcommands({})) {
      commands += (commands.empty() ? "" : ", ") + command->get_name();
      known = known || command->get_name() == words.back();
    }
    if (!known) {
      complain("there is no command '{}': commands are {}\nRun with --help for more information.\n", words.back(),
               commands);
      return exit_bad_input;
    }
  }
  try {
    program.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    const int result = program.exit(error);
    return result == 0 ? exit_ok : exit_bad_input;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = dispatch(argc, argv);
    // What was said must have arrived: a full disk shows only now.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    complain("error: not all of the output could be written: {}\n", std::strerror(errno));
    return code == exit_ok ? exit_broken : code;
  } catch (const std::exception& error) {
    complain("error: {}\n", error.what());
    return exit_broken;
  }
}
