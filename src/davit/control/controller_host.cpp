#include "davit/control/controller_host.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>

namespace davit::control {

namespace {

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
  if (!find(library, controller_functions[0], out.version, error) ||
      !find(library, controller_functions[1], out.create, error) ||
      !find(library, controller_functions[2], out.step, error) ||
      !find(library, controller_functions[3], out.destroy, error))
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

}  // namespace

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

timeval time_of(double seconds) {
  const double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<suseconds_t>(1e6 * (seconds - whole))};
}

void serve(int socket, SharedNumbers& shared, const std::filesystem::path& library, const davit_controller_setup& setup,
           double time_limit) {
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

}  // namespace davit::control
