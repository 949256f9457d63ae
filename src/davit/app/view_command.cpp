// davit view: a result in a browser.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "davit/app/commands.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/result/result_error.hpp"
#include "davit/view/html_page.hpp"
#include "davit/view/result_server.hpp"

namespace davit::app {

namespace {

volatile std::sig_atomic_t view_stopped = 0;

// The first one lets an answer that is under way come to its end, the second does not wait for it.
void stop_viewing(int signal) {
  if (view_stopped) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  view_stopped = 1;
}

int write_one_page(const result::Result& result, const result::Result* other, const std::string& path) {
  const view::WrittenPage written = view::write_page(result, path, {}, other);
  fmt::print("{}: {:.1f} MB, opens in any browser without a network\n", path, static_cast<double>(written.bytes) / 1e6);
  if (written.stride > 1)
    fmt::print("  curves: the least and the greatest of every {} rows; davit view RESULT shows all\n", written.stride);
  if (written.frame_stride > 1) fmt::print("  scene: every {}th frame\n", written.frame_stride);
  return exit_ok;
}

}  // namespace

// The desktop's own browser; where there is none, the address was printed.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const pid_t child = fork();
  if (child > 0) waitpid(child, nullptr, 0);
  if (child != 0) return;
  if (fork() != 0) _exit(0);  // nobody waits for the browser
  if (std::freopen("/dev/null", "w", stdout) && std::freopen("/dev/null", "w", stderr))
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

int view_command(const ViewArguments& arguments) {
  try {
    // A page has everything in it; a server is asked for what is looked at.
    const auto trial = arguments.html.empty() ? result::Trial::as_read : result::Trial::whole;
    const auto open = [&](const std::string& named) {
      return result::Result::open(result_file(named), result::Origin::anyone, trial);
    };
    result::Result result = open(arguments.result);
    std::optional<result::Result> other;
    if (!arguments.other.empty()) other = open(arguments.other);
    if (!result.scene())
      complain("note: the result has no scene (made before davit recorded any, or with run.frames: 0): only curves\n");
    if (is_same_file(result.path(), arguments.html) || (other && is_same_file(other->path(), arguments.html))) {
      complain("error: {} is a result itself\nremedy: give the page another name\n", arguments.html);
      return exit_bad_input;
    }
    if (!arguments.html.empty()) return write_one_page(result, other ? &*other : nullptr, arguments.html);
    view::ServerOptions options;
    options.port = static_cast<unsigned short>(arguments.port);
    options.listening = [&](unsigned short port) {
      const std::string address = fmt::format("http://127.0.0.1:{}/", port);
      fmt::print("{}\nCtrl-C ends it.\n", address);
      std::fflush(stdout);
      if (!arguments.stay_here) open_browser(address);
    };
    options.stop = [] { return view_stopped != 0; };
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, stop_viewing);
    view::serve(result, options, other ? &*other : nullptr);
    return exit_ok;
  } catch (const result::ResultError& error) {
    complain("error: {}\n", error.what());
    return exit_bad_input;
  } catch (const std::runtime_error& error) {
    complain("error: {}\n", error.what());
    return exit_broken;
  }
}

}  // namespace davit::app
