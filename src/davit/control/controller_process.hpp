// A controller of a shared library, in a process of its own.
//
// Solves: code that somebody else wrote may crash, overwrite memory, change signals or rounding, or never return. In a
// child process none of that reaches the run: its end or silence is an error with words, and what was recorded is kept.
// A guarded call in this process (sigsetjmp) would survive a wrong address, but neither memory that was overwritten
// before it nor locks that were held. Numbers go through shared memory, and a byte each way through a socket says that
// they are there: some microseconds for a sample (docs/own_controller.md).
// Does not: confine what the library may do. It is a program that the user chose to run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace davit::control {

// What a library is told, see controller.h.
struct ControllerSetup {
  struct Port {
    std::string name, unit;
  };
  std::string name;
  double sample_time = 0;
  std::vector<Port> measured, outputs;
  std::vector<std::pair<std::string, double>> parameters;
};

class ControllerError : public std::runtime_error {
 public:
  ControllerError(const std::string& message, std::string remedy_)
      : std::runtime_error(message), remedy(std::move(remedy_)) {}
  std::string remedy;
};

struct SharedNumbers;

class ControllerProcess {
 public:
  // Loads the library and creates its controller. Throws a ControllerError, as `step` does.
  // `states`: numbers of the controller's state that there is room for. `time_limit`: for one answer, a millisecond at
  // least.
  ControllerProcess(const std::filesystem::path& library, const ControllerSetup& setup, int states, double time_limit);
  ~ControllerProcess();
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  // How many numbers the controller wants to have kept.
  int states() const;
  void step(double t, std::int64_t index, std::span<const double> measured, std::span<double> outputs,
            std::span<double> state);

 private:
  void start(const std::filesystem::path& library, const ControllerSetup& setup);
  void wait_for_answer(const char* during);
  [[noreturn]] void report_end(const char* during);
  void end();

  SharedNumbers* shared_ = nullptr;
  std::size_t bytes_ = 0;
  int socket_ = -1;
  pid_t process_ = -1;
  double time_limit_;
};

// Throws a ControllerError unless the file is a shared library that exports the functions, without loading it.
void check_library(const std::filesystem::path& library);

}  // namespace davit::control
