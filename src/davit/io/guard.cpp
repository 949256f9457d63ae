#include "davit/io/guard.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <mutex>
#include <new>

namespace davit::io {

#if defined(__SANITIZE_ADDRESS__)
const bool memory_is_bounded = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
const bool memory_is_bounded = false;
#else
const bool memory_is_bounded = true;
#endif
#else
const bool memory_is_bounded = true;
#endif

namespace {

// The first byte that a child sends; what follows is text. A child that ends without a word has crashed.
enum class Verdict : char { returned = 'r', threw = 't', no_memory = 'm' };

std::size_t bytes_of_addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void bound(__rlimit_resource resource, rlim_t most) {
  struct rlimit limit {};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  ::setrlimit(resource, &limit);
}

void send(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void send(int to, Verdict verdict, std::string_view text) {
  const char first = static_cast<char>(verdict);
  send(to, {&first, 1});
  send(to, text);
}

// What a library prints when it dies is not for the user's terminal.
void be_silent() {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, descriptor);
}

[[noreturn]] void be_child(int to, const std::function<std::string()>& trial, const Limits& limits,
                           std::size_t addresses) {
  // The program's own handlers would take a crash for its own, or a Ctrl-C for a wish to end in order.
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    std::signal(signal, SIG_DFL);
  be_silent();
  bound(RLIMIT_CORE, 0);
  bound(RLIMIT_CPU, limits.seconds);
  if (memory_is_bounded) bound(RLIMIT_AS, addresses + limits.memory);
  // Memory that a library uses without having set it is most often zero and does no harm here, but may do so when this
  // process reads the same file: fill it with something that does harm.
  ::mallopt(M_PERTURB, 0xA5);
  try {
    send(to, Verdict::returned, trial());
  } catch (const std::bad_alloc&) {
    send(to, Verdict::no_memory, "");
  } catch (const std::exception& error) {
    send(to, Verdict::threw, error.what());
  }
  ::_exit(0);
}

struct Child {
  pid_t process;
  int from;  // where its answer comes from
};

Child make_child(const std::function<std::string()>& trial, const Limits& limits) {
  // One at a time: a child of another thread would keep our end of the pipe open.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw FileError(fmt::format("it cannot be tried ({})", std::strerror(errno)), "close other files or programs");
  const std::size_t addresses = bytes_of_addresses();
  const pid_t process = ::fork();
  if (process == 0) be_child(ends[1], trial, limits, addresses);
  const int fork_error = errno;
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    throw FileError(fmt::format("it cannot be tried ({})", std::strerror(fork_error)), "close other programs");
  }
  return {process, ends[0]};
}

// All that the child sends until it ends; nothing more after the time is over.
std::string receive(int from, std::chrono::milliseconds most, bool& too_long) {
  const auto end = std::chrono::steady_clock::now() + most;
  std::string text;
  char chunk[65536];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd wanted{from, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&wanted, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    too_long = ready == 0;
    if (ready <= 0) return text;
    const ssize_t count = ::read(from, chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(chunk, static_cast<std::size_t>(count));
  }
}

// How the child ended, where the system still knows (a program may have told it to forget its children).
int end_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 0;
  return status;
}

constexpr const char* remedy = "it is damaged or made to do harm: make it again with the program it comes from";

}  // namespace

std::string in_child(const std::function<std::string()>& trial, const Limits& limits) {
  const Child child = make_child(trial, limits);
  bool too_long = false;
  const std::string answer = receive(child.from, std::chrono::seconds(5 * limits.seconds), too_long);
  ::close(child.from);
  if (too_long) ::kill(child.process, SIGKILL);
  const int status = end_of(child.process);
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (too_long || signal == SIGXCPU)
    throw FileError(fmt::format("reading it has no end (stopped after {} s)", limits.seconds), remedy);
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)
    throw FileError("reading it was interrupted", "read it again");
  if (answer.empty() || signal != 0)
    throw FileError(fmt::format("the library that reads it crashed on it{}",
                                signal != 0 ? fmt::format(" (signal {})", signal) : ""),
                    remedy);
  switch (static_cast<Verdict>(answer[0])) {
    case Verdict::returned:
      return answer.substr(1);
    case Verdict::no_memory:
      throw FileError(fmt::format("reading it takes more than {} MiB of memory", limits.memory >> 20u), remedy);
    default:
      throw FileError(fmt::format("it cannot be read ({})", answer.substr(1)), remedy);
  }
}

}  // namespace davit::io
