#include "davit/control/library_controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace davit::control {

namespace {

struct LibraryWork final : ElementWork {
  std::unique_ptr<ControllerProcess> process;
};

}  // namespace

LibraryController::LibraryController(Data data) : ControllerOf(data.setup.name), data_(std::move(data)) {
  for (size_t i = 0; i < data_.setup.measured.size(); ++i) {
    const auto& [channel, unit] = data_.setup.measured[i];
    publish(
        "sees." + channel, unit, "what the controller is told of " + channel,
        [this, i](const ContextT<double>& c) { return data_.sensors->values(c.discrete, c.first_slot)[i]; }, false);
  }
}

std::string LibraryController::summary() const {
  const auto listed = [](const std::vector<ControllerSetup::Port>& ports) {
    std::string names;
    for (const auto& port : ports) names += (names.empty() ? "" : ", ") + port.name;
    return names;
  };
  const std::string sensors = data_.sensors->summary();
  return fmt::format("{} drives {}, sampled every {} s{}{}", data_.library.filename().string(),
                     listed(data_.setup.outputs), data_.setup.sample_time,
                     data_.setup.measured.empty() ? "" : ", measures " + listed(data_.setup.measured),
                     sensors.empty() ? "" : " (" + sensors + ")");
}

std::vector<Coupling> LibraryController::couplings() const {
  Coupling held{.bodies = {}};
  for (const Output& output : data_.outputs) held.inputs.push_back(output.input);
  return {held};
}

// Sensors; outputs, then the state.
std::vector<DiscreteSlot> LibraryController::discrete_slots() const {
  return {data_.sensors->discrete_slot(), {name(), static_cast<int>(data_.outputs.size()) + data_.states, 1}};
}

std::unique_ptr<ElementWork> LibraryController::make_work(double) const { return std::make_unique<LibraryWork>(); }

bool LibraryController::is_due(const ContextT<double>& c) const {
  return data_.sensors->is_due(c.kin.t, c.discrete, c.first_slot);
}

bool LibraryController::sample(const ContextT<double>& c, const double* values, DiscreteState& discrete) const {
  const double t = c.kin.t;
  auto& process = static_cast<LibraryWork*>(c.work)->process;
  const auto record = discrete.record(c.first_slot + 1, 0);
  const size_t n = data_.outputs.size();
  if (data_.sensors->begins(t, discrete, c.first_slot)) {
    process.reset();
    std::fill(record.begin(), record.end(), 0.0);
    for (size_t i = 0; i < n; ++i) record[i] = data_.outputs[i].first;
  }
  const auto measured = data_.sensors->sample(t, values, discrete, c.first_slot);
  const auto fail = [&](const std::string& why, const std::string& remedy) {
    throw Breakdown(name(), fmt::format("the controller in {} failed at {:.6g} s: {}; {}",
                                        data_.library.filename().string(), t, why, remedy));
  };
  try {
    if (!process)
      process = std::make_unique<ControllerProcess>(data_.library, data_.setup, data_.states, data_.time_limit);
    if (process->states() != data_.states)
      fail("it wants another number of states than before", "give always the same");
    process->step(t, data_.sensors->count(discrete, c.first_slot) - 1, measured, record.first(n), record.subspan(n));
  } catch (const ControllerError& error) {
    process.reset();
    fail(error.what(), error.remedy);
  }
  for (size_t i = 0; i < n; ++i)
    if (!std::isfinite(record[i]))
      fail(fmt::format("its output for '{}' is {}", data_.setup.outputs[i].name, record[i]),
           "look for a division by zero or a measured value that it does not expect");
  return true;  // the outputs jumped
}

}  // namespace davit::control

namespace davit {
template class ControllerOf<control::LibraryController>;
}
