#include "davit/control/controller_process.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "davit/control/controller.h"
#include "davit/file/printable.hpp"
#include "davit/file/read_file.hpp"

namespace davit::control {

// Doubles follow it: measured, outputs, state.
struct SharedNumbers {
  int failed = 0;
  char error[DAVIT_CONTROLLER_ERROR_SIZE] = {};
  int states = 0;  // that the controller wants
  int most_states = 0;
  std::size_t measured = 0, outputs = 0;
  double time = 0;
  std::int64_t index = 0;

  double* values() { return reinterpret_cast<double*>(this + 1); }
  static std::size_t bytes(const ControllerSetup& setup, int states) {
    return sizeof(SharedNumbers) +
           sizeof(double) * (setup.measured.size() + setup.outputs.size() + static_cast<std::size_t>(states));
  }
};

namespace {

constexpr std::uintmax_t largest_library = std::uintmax_t{256} << 20u;  // bytes
constexpr const char* functions[] = {"davit_controller_version", "davit_controller_create", "davit_controller_step",
                                     "davit_controller_destroy"};
constexpr const char* build_remedy =
    "export the functions of davit/control/controller.h and build it with cc -shared -fPIC, see docs/own_controller.md";
// How long a controller may take to be destroyed before it is ended.
constexpr std::chrono::seconds patience{1};

timeval time_of(double seconds) {
  const double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<suseconds_t>(1e6 * (seconds - whole))};
}

// What the child does.
// -------------------------------------------------------------------------------------------------

// The library's functions.
struct Functions {
  decltype(&davit_controller_version) version;
  decltype(&davit_controller_create) create;
  decltype(&davit_controller_step) step;
  decltype(&davit_controller_destroy) destroy;
};

void say(char* error, const std::string& words) {
  std::snprintf(error, DAVIT_CONTROLLER_ERROR_SIZE, "%s", words.c_str());
}

template <class F>
bool find(void* library, const char* name, F& function, char* error) {
  function = reinterpret_cast<F>(::dlsym(library, name));
  if (!function) say(error, fmt::format("it has no function {}", name));
  return function != nullptr;
}

bool load(const std::filesystem::path& file, Functions& out, char* error) {
  void* library = ::dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    say(error, fmt::format("it cannot be loaded ({})", ::dlerror()));
    return false;
  }
  if (!find(library, functions[0], out.version, error) || !find(library, functions[1], out.create, error) ||
      !find(library, functions[2], out.step, error) || !find(library, functions[3], out.destroy, error))
    return false;
  if (const int version = out.version(); version != DAVIT_CONTROLLER_VERSION) {
    say(error, fmt::format("it was built for version {} of the interface, and this is version {}", version,
                           DAVIT_CONTROLLER_VERSION));
    return false;
  }
  return true;
}

// Whatever a C++ library throws is an error with words too.
template <class F>
bool guarded(char* error, F call) {
  error[0] = '\0';
  try {
    if (call() == 0) return true;
    if (error[0] == '\0') say(error, "it gave no reason");
  } catch (const std::exception& thrown) {
    say(error, fmt::format("an exception: {}", thrown.what()));
  } catch (...) {
    say(error, "an exception");
  }
  return false;
}

// The program's own handlers would take a crash for its own. A Ctrl-C is for the program, which then ends this process
// by closing its end of the socket. What the library prints goes to the terminal and not into the program's output.
void become_a_host(int socket) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGCHLD}) std::signal(signal, SIG_DFL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  if (socket != 3) ::dup2(socket, 3);
  ::close_range(4, ~0u, 0);
}

// Ends this process should the library hang and nobody be left to notice.
void bound_time(double seconds) {
  const itimerval timer{{0, 0}, time_of(seconds)};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

bool receive_byte(int socket) {
  char byte;
  ssize_t count;
  do count = ::recv(socket, &byte, 1, 0);
  while (count < 0 && errno == EINTR);
  return count == 1;
}
void send_byte(int socket) {
  const char byte = 1;
  while (::send(socket, &byte, 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
}

// What the library is told, in its own terms.
struct SetupInC {
  std::vector<davit_port> measured, outputs;
  std::vector<davit_parameter> parameters;
  davit_controller_setup setup;

  explicit SetupInC(const ControllerSetup& from) {
    for (const auto& port : from.measured) measured.push_back({port.name.c_str(), port.unit.c_str()});
    for (const auto& port : from.outputs) outputs.push_back({port.name.c_str(), port.unit.c_str()});
    for (const auto& [name, value] : from.parameters) parameters.push_back({name.c_str(), value});
    setup = {from.name.c_str(),
             from.sample_time,
             static_cast<int>(measured.size()),
             static_cast<int>(outputs.size()),
             static_cast<int>(parameters.size()),
             measured.data(),
             outputs.data(),
             parameters.data()};
  }
};

[[noreturn]] void serve(int socket, SharedNumbers& shared, const std::filesystem::path& library,
                        const davit_controller_setup& setup, double time_limit) {
  become_a_host(socket);
  // The program notices first; this is for when it is not there any more.
  bound_time(2 * time_limit);
  Functions call{};
  davit_controller controller{};
  const bool created = load(library, call, shared.error) &&
                       guarded(shared.error, [&] { return call.create(&setup, &controller, shared.error); });
  shared.failed = !created;
  shared.states = controller.state_count;
  bound_time(0);
  send_byte(3);
  double* values = shared.values();
  const davit_controller_sample places{0, 0, values, values + shared.measured,
                                       values + shared.measured + shared.outputs};
  while (created && receive_byte(3)) {
    davit_controller_sample sample = places;
    sample.time = shared.time;
    sample.index = shared.index;
    bound_time(2 * time_limit);
    shared.failed = !guarded(shared.error, [&] { return call.step(&controller, &sample, shared.error); });
    bound_time(0);
    send_byte(3);
  }
  bound_time(2 * time_limit);
  if (created) call.destroy(&controller);
  ::_exit(0);
}

// What the program does.
// -----------------------------------------------------------------------------------------------

std::string end_in_words(int status) {
  if (WIFSIGNALED(status)) return fmt::format("crashed ({})", ::strsignal(WTERMSIG(status)));
  return fmt::format("ended its process (exit code {})", WEXITSTATUS(status));
}

}  // namespace

void check_library(const std::filesystem::path& library) {
  std::string bytes;
  try {
    bytes = file::read_file(library, largest_library);
  } catch (const file::FileError& error) {
    throw ControllerError(error.message, error.remedy);
  }
  if (!bytes.starts_with("\177ELF"))
    throw ControllerError("this is not a shared library", "give the .so file that the linker made");
  for (const char* name : functions)
    if (bytes.find(name) == std::string::npos)
      throw ControllerError(fmt::format("it has no function {}", name), build_remedy);
}

ControllerProcess::ControllerProcess(const std::filesystem::path& library, const ControllerSetup& setup,
                                     int most_states, double time_limit)
    : bytes_(SharedNumbers::bytes(setup, most_states)), time_limit_(time_limit) {
  void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (memory == MAP_FAILED || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw ControllerError(fmt::format("it cannot be started ({})", std::strerror(errno)), "close other programs");
  shared_ = new (memory) SharedNumbers;
  shared_->most_states = most_states;
  shared_->measured = setup.measured.size();
  shared_->outputs = setup.outputs.size();
  const SetupInC in_c(setup);
  std::fflush(nullptr);  // or the child might print it again
  process_ = ::fork();
  if (process_ == 0) serve(ends[1], *shared_, library, in_c.setup, time_limit);
  const int fork_error = errno;
  ::close(ends[1]);
  socket_ = ends[0];
  if (process_ < 0) {
    end();
    throw ControllerError(fmt::format("it cannot be started ({})", std::strerror(fork_error)), "close other programs");
  }
  const timeval limit = time_of(time_limit);
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  try {
    wait_for_answer("while it was created");
  } catch (...) {
    end();
    throw;
  }
}

ControllerProcess::~ControllerProcess() { end(); }

int ControllerProcess::states() const { return shared_->states; }

void ControllerProcess::step(double t, std::int64_t index, std::span<const double> measured, std::span<double> outputs,
                             std::span<double> state) {
  double* values = shared_->values();
  shared_->time = t;
  shared_->index = index;
  double* const at_outputs = std::copy(measured.begin(), measured.end(), values);
  double* const at_state = std::copy(outputs.begin(), outputs.end(), at_outputs);
  std::copy(state.begin(), state.end(), at_state);
  send_byte(socket_);
  wait_for_answer("in a step");
  std::copy_n(at_outputs, outputs.size(), outputs.begin());
  std::copy_n(at_state, state.size(), state.begin());
}

void ControllerProcess::wait_for_answer(const char* during) {
  char byte;
  for (;;) {
    const ssize_t count = ::recv(socket_, &byte, 1, 0);
    if (count == 1) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      ::kill(process_, SIGKILL);
      throw ControllerError(fmt::format("it gave no answer within {:.4g} s {}", time_limit_, during),
                            "look for a loop without end, or give it more time with time_limit");
    }
    report_end(during);
  }
  if (!shared_->failed) return;
  shared_->error[DAVIT_CONTROLLER_ERROR_SIZE - 1] = '\0';
  throw ControllerError(file::printable(shared_->error), "correct the controller, or what the file tells it");
}

void ControllerProcess::report_end(const char* during) {
  int status = 0;
  pid_t ended;
  do ended = ::waitpid(process_, &status, 0);
  while (ended < 0 && errno == EINTR);
  const bool known = ended == process_;
  process_ = -1;
  throw ControllerError(fmt::format("it {} {}", known ? end_in_words(status) : "ended", during),
                        "build it with -g -fsanitize=address,undefined and call it from a program of its own");
}

// A closed socket asks the child to end.
void ControllerProcess::end() {
  if (socket_ >= 0) ::close(socket_);
  if (process_ > 0) {
    const auto is_there = [&](int how) {
      pid_t ended;
      do ended = ::waitpid(process_, nullptr, how);
      while (ended < 0 && errno == EINTR);
      return ended == 0;
    };
    const auto last = std::chrono::steady_clock::now() + patience;
    while (is_there(WNOHANG) && std::chrono::steady_clock::now() < last) ::usleep(200);
    if (is_there(WNOHANG)) {
      ::kill(process_, SIGKILL);
      is_there(0);
    }
  }
  if (shared_) ::munmap(shared_, bytes_);
  socket_ = -1;
  process_ = -1;
  shared_ = nullptr;
}

}  // namespace davit::control
