#include "davit/control/controller_process.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "davit/control/controller_host.hpp"
#include "davit/io/printable.hpp"
#include "davit/io/read_file.hpp"

namespace davit::control {

namespace {

constexpr std::uintmax_t largest_library = std::uintmax_t{256} << 20u;  // bytes
constexpr const char* build_remedy =
    "export the functions of davit/control/controller.h and build it with cc -shared -fPIC, see docs/own_controller.md";
// How long a controller may take to be destroyed before it is ended.
constexpr std::chrono::seconds patience{1};

std::string end_in_words(int status) {
  if (WIFSIGNALED(status)) return fmt::format("crashed ({})", ::strsignal(WTERMSIG(status)));
  return fmt::format("ended its own process (it called exit, with code {})", WEXITSTATUS(status));
}

}  // namespace

void check_library(const std::filesystem::path& library) {
  std::string bytes;
  try {
    bytes = io::read_file(library, largest_library);
  } catch (const io::FileError& error) {
    throw ControllerError(error.message, error.remedy);
  }
  if (!bytes.starts_with("\177ELF"))
    throw ControllerError("this is not a shared library", "give the .so file that the linker made");
  for (const char* name : controller_functions)
    if (bytes.find(name) == std::string::npos)
      throw ControllerError(fmt::format("it has no function {}", name), build_remedy);
}

ControllerProcess::ControllerProcess(const std::filesystem::path& library, const ControllerSetup& setup, int states,
                                     double time_limit)
    : bytes_(SharedNumbers::bytes(setup, states)), time_limit_(time_limit) {
  try {
    start(library, setup);
    wait_for_answer("while it was created");
  } catch (...) {
    end();
    throw;
  }
}

void ControllerProcess::start(const std::filesystem::path& library, const ControllerSetup& setup) {
  const auto insist = [](bool done) {
    if (!done)
      throw ControllerError(fmt::format("it cannot be started ({})", std::strerror(errno)), "close other programs");
  };
  void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  insist(memory != MAP_FAILED);
  shared_ = new (memory) SharedNumbers;
  shared_->measured = setup.measured.size();
  shared_->outputs = setup.outputs.size();
  int ends[2];
  insist(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  socket_ = ends[0];
  const SetupInC in_c(setup);
  std::fflush(nullptr);  // or the child might print it again
  process_ = ::fork();
  if (process_ == 0) serve(ends[1], *shared_, library, in_c.setup, time_limit_);
  const int fork_error = errno;
  ::close(ends[1]);
  errno = fork_error;
  insist(process_ > 0);
  const timeval limit = time_of(time_limit_);
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
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
  throw ControllerError(io::printable(shared_->error), "correct the controller, or what the file tells it");
}

void ControllerProcess::report_end(const char* during) {
  int status = 0;
  pid_t ended;
  do ended = ::waitpid(process_, &status, 0);
  while (ended < 0 && errno == EINTR);
  const bool known = ended == process_;
  process_ = -1;
  const bool by_itself = known && WIFEXITED(status);
  throw ControllerError(fmt::format("it {} {}", known ? end_in_words(status) : "ended", during),
                        by_itself
                            ? "let the library return an error in words where it cannot go on, and call neither exit "
                              "nor _exit in it"
                            : "build it with -g -fsanitize=address,undefined and call it from a program of its own");
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
