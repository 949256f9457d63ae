// A plan as the controller of a run: at every sample the planned inputs, corrected by what a law finds from the
// measured state (inverse_dynamics/feedback_law.hpp), go to the drives, and are held until the next.
//
// State. The coordinates that the plan's model has are found in the run by their names; how far they are off the plan
// is what is measured, by sensors, or estimated from some channels (estimator.hpp). What the constraints of the plan's
// model rule out (the stretch of ropes, noise) is taken out again.
//
// Drives take a force or torque, or of winches what their mode is about. One that takes a speed or a length is told
// that of the plan's own model under the same inputs: its acceleration where the crane is, integrated from sample to
// sample.
//
// What it remembers (sensors, integrals, estimate, commands) is discrete state, so a saved run goes on with the same
// bits.
#pragma once

#include "davit/control/sensor.hpp"
#include "davit/inverse_dynamics/law_design.hpp"
#include "davit/model/measuring.hpp"
#include "davit/tracking/estimator.hpp"
#include "davit/tracking/state_map.hpp"

namespace davit::tracking {

// What is known only when the model of the run is there.
struct TrackingLinks {
  StateMap state;
  std::shared_ptr<const Estimator> estimator;  // null: the state is measured
};

class TrackingController final : public ControllerOf<TrackingController>, public Measuring {
 public:
  enum class Takes { force, pull, speed, length };
  struct Drive {
    int input = 0;  // the port that it reads
    Takes takes = Takes::force;
    double first = 0;  // until the first sample
    double most = 0;   // of force or torque
  };
  struct Data {
    std::shared_ptr<const TrackedPlan> plan;
    std::optional<inverse_dynamics::LawDesign> law;  // none: the plan's inputs alone
    std::vector<Drive> drives;                       // of the plan's inputs
    double sample_time = 0.02;
    double from = 0;  // when the plan begins, s
    bool anti_windup = true;
    // Of deviations of coordinates and speeds from the plan; with an estimator of the channels that it wants.
    std::shared_ptr<const control::SensorBank> sensors;
    std::vector<std::string> channels;
    std::shared_ptr<const TrackingLinks> links;
  };
  TrackingController(std::string name, Data data);

  std::string summary() const override;
  std::vector<Coupling> couplings() const override;
  std::vector<DiscreteSlot> discrete_slots() const override;
  double sample_time() const override { return data_.sample_time; }
  using ControllerOf::make_work;
  std::unique_ptr<ElementWork> make_work(double) const override;

  const std::vector<std::string>& measured() const override { return data_.channels; }
  bool is_due(const ContextT<double>&) const override;
  bool sample(const ContextT<double>&, const double* values, DiscreteState&) const override;

  template <class S>
  void control(const ContextT<S>& c, S* w, S*) const {
    const bool begun = data_.sensors->count(c.discrete, c.first_slot) > 0;
    const auto record = c.discrete.record(c.first_slot + 1, 0);
    for (size_t i = 0; i < data_.drives.size(); ++i)
      w[data_.drives[i].input] = S(begun ? record[i] : data_.drives[i].first);
  }

 private:
  class Memory;
  struct Work;
  Memory memory(DiscreteState&, int slot) const;
  void estimate(Work&, Memory&, const ContextT<double>&, const double* values, DiscreteState&, double t) const;
  bool correct(Work&, Memory&, double t) const;
  void tell(Work&, Memory&, double t) const;
  double shown(const ContextT<double>&, size_t place) const;
  void publish_channels();

  Data data_;
  int speeds_, rows_, inputs_;
};

}  // namespace davit::tracking

namespace davit {
extern template class ControllerOf<tracking::TrackingController>;
}
