// A controller of the user's own, in a shared library (controller.h): sampled, with its outputs held in between. What
// its sensors remember, its outputs and the state that it lets Davit keep are discrete state; what it keeps inside
// itself is not.
#pragma once

#include <filesystem>
#include <memory>

#include "davit/control/controller_process.hpp"
#include "davit/control/sensor.hpp"
#include "davit/model/measuring.hpp"

namespace davit::control {

class LibraryController final : public ControllerOf<LibraryController>, public Measuring {
 public:
  struct Output {
    int input = 0;     // the port that it writes
    double first = 0;  // until the first sample
  };
  struct Data {
    std::filesystem::path library;
    ControllerSetup setup;
    std::vector<Output> outputs;
    std::shared_ptr<const SensorBank> sensors;
    int states = 0;          // that the library lets Davit keep
    double time_limit = 10;  // s, for one answer
  };
  explicit LibraryController(Data data);

  std::string summary() const override;
  std::vector<Coupling> couplings() const override;
  std::vector<DiscreteSlot> discrete_slots() const override;
  double sample_time() const override { return data_.sensors->sample_time(); }
  bool remembers_outside() const override { return true; }
  // The process that the library runs in belongs to whoever evaluates.
  using ControllerOf::make_work;
  std::unique_ptr<ElementWork> make_work(double) const override;

  const std::vector<std::string>& measured() const override { return data_.sensors->channels(); }
  bool is_due(const ContextT<double>&) const override;
  bool sample(const ContextT<double>&, const double* values, DiscreteState&) const override;

  template <class S>
  void control(const ContextT<S>& c, S* w, S*) const {
    const bool begun = data_.sensors->count(c.discrete, c.first_slot) > 0;
    for (size_t i = 0; i < data_.outputs.size(); ++i)
      w[data_.outputs[i].input] = S(begun ? c.discrete.record(c.first_slot + 1, 0)[i] : data_.outputs[i].first);
  }

 private:
  Data data_;
};

}  // namespace davit::control

namespace davit {
extern template class ControllerOf<control::LibraryController>;
}
