// The other side of ControllerProcess: the child process in which a library is loaded and its controller runs.
#pragma once

#include <sys/time.h>

#include <filesystem>

#include "davit/control/controller.h"
#include "davit/control/controller_process.hpp"

namespace davit::control {

// What both sides see. Doubles follow it: measured, outputs, state.
struct SharedNumbers {
  int failed = 0;
  char error[DAVIT_CONTROLLER_ERROR_SIZE] = {};
  int states = 0;  // that the controller wants
  std::size_t measured = 0, outputs = 0;
  double time = 0;
  std::int64_t index = 0;

  double* values() { return reinterpret_cast<double*>(this + 1); }
  static std::size_t bytes(const ControllerSetup& setup, int states) {
    return sizeof(SharedNumbers) +
           sizeof(double) * (setup.measured.size() + setup.outputs.size() + static_cast<std::size_t>(states));
  }
};

// What a library is told, in its own terms; `from` must outlive it.
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

// The functions of controller.h.
inline constexpr const char* controller_functions[] = {"davit_controller_version", "davit_controller_create",
                                                       "davit_controller_step", "davit_controller_destroy"};

// A byte says that the numbers are there. False when the other side is gone.
bool receive_byte(int socket);
void send_byte(int socket);
timeval time_of(double seconds);

// The life of the child, from load to destroy.
[[noreturn]] void serve(int socket, SharedNumbers& shared, const std::filesystem::path& library,
                        const davit_controller_setup& setup, double time_limit);

}  // namespace davit::control
