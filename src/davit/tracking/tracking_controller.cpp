#include "davit/tracking/tracking_controller.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/inverse_dynamics/replay.hpp"

namespace davit::tracking {

using inverse_dynamics::Instant;

namespace {

// Samples without a solution, one after the other, after which the crane is taken to be lost.
constexpr double most_unsolved = 25;

// "load" of one row, "load.2" of several.
std::vector<std::string> row_names(const inverse_dynamics::ServoProblem& problem) {
  std::vector<std::string> names;
  for (const auto& output : problem.outputs)
    for (int i = 0; i < output.rows->size(); ++i)
      names.push_back(output.rows->size() == 1 ? output.name : fmt::format("{}.{}", output.name, i + 1));
  return names;
}

std::vector<std::string> row_units(const inverse_dynamics::ServoProblem& problem) {
  std::vector<std::string> units;
  for (const auto& output : problem.outputs)
    for (int i = 0; i < output.rows->size(); ++i) units.push_back(output.rows->unit());
  return units;
}

}  // namespace

// The record in the discrete state, part by part.
class TrackingController::Memory {
 public:
  using Part = Eigen::Map<VecX>;
  Memory(std::span<double> record, int inputs, int rows, int speeds)
      : told(record.data(), inputs),
        inputs_now(told.data() + inputs, inputs),
        corrections(inputs_now.data() + inputs, inputs),
        speeds_told(corrections.data() + inputs, inputs),
        lengths_told(speeds_told.data() + inputs, inputs),
        errors(lengths_told.data() + inputs, rows),
        integrals(errors.data() + rows, rows),
        off(integrals.data() + rows, 2 * speeds),
        unsolved(off.data()[2 * speeds]),
        saturated(off.data()[2 * speeds + 1]) {}
  static int size(int inputs, int rows, int speeds) { return 5 * inputs + 2 * rows + 2 * speeds + 2; }

  Part told, inputs_now, corrections;  // to the drives; forces and torques, and what of them the law has added
  Part speeds_told, lengths_told;      // of the coordinates of drives
  Part errors, integrals;              // of outputs; errors are the true ones
  Part off;                            // coordinates and speeds, as they are measured or estimated
  double &unsolved, &saturated;        // samples: without a solution, one after the other; with a drive at its limit
};

struct TrackingController::Work final : ElementWork {
  Work(const TrackedPlan& plan, const std::optional<inverse_dynamics::LawDesign>& design,
       const std::vector<std::string>& channels)
      : system(*plan.problem.model), state(plan.problem.start), equations(plan.problem), planned(plan, channels) {
    if (design) law = design->make();
  }
  // The plan's model at coordinates and speeds.
  State& at(double t, VecX coordinates, VecX rates) {
    state.t = t;
    state.q = std::move(coordinates);
    state.u = std::move(rates);
    return state;
  }
  std::unique_ptr<inverse_dynamics::FeedbackLaw> law;
  System system;
  State state;
  inverse_dynamics::ServoEquations equations;
  PlannedChannels planned;
  VecX q, u, integral, correction;
};

TrackingController::TrackingController(std::string name, Data data)
    : ControllerOf(std::move(name)),
      data_(std::move(data)),
      speeds_(data_.plan->problem.model->nu()),
      rows_(data_.plan->problem.rows()),
      inputs_(static_cast<int>(data_.drives.size())) {
  publish_channels();
}

double TrackingController::shown(const ContextT<double>& c, size_t place) const {
  return c.discrete.record(c.first_slot + 1, 0)[place];
}

void TrackingController::publish_channels() {
  const auto& inputs = data_.plan->inputs;
  const auto add = [&](const std::string& what, const std::string& unit, const std::string& words, size_t place) {
    publish(what, unit, words, [this, place](const ContextT<double>& c) { return shown(c, place); });
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Of joints their drives show it (control/drive.hpp).
    if (inputs[i].winch)
      add(inputs[i].name + (inputs[i].unit == "N m" ? ".torque" : ".force"), inputs[i].unit,
          "wanted of " + inputs[i].name, inputs.size() + i);
    add(inputs[i].name + ".correction", inputs[i].unit, "what of it is not planned", 2 * inputs.size() + i);
  }
  const auto names = row_names(data_.plan->problem), units = row_units(data_.plan->problem);
  for (size_t i = 0; i < names.size(); ++i)
    add("error." + names[i], units[i], "how far the output is off the plan at the last sample", 5 * inputs.size() + i);
}

std::string TrackingController::summary() const {
  std::string drives;
  for (const auto& input : data_.plan->inputs) drives += (drives.empty() ? "" : ", ") + input.name;
  std::string how = data_.law ? data_.law->make()->summary() : "without feedback";
  if (data_.law)
    for (const std::string& words : data_.law->words) how += ", " + words;
  const std::string sensors = data_.channels.empty() ? "" : data_.sensors->summary();
  return fmt::format("tracks a plan of {:.4g} s with {}: {}, sampled every {} s{}{}",
                     data_.plan->track.end() - data_.plan->track.begin(), drives, how, data_.sample_time,
                     data_.channels.empty() ? "" : ", state estimated from what is measured",
                     sensors.empty() ? "" : " (" + sensors + ")");
}

std::vector<Coupling> TrackingController::couplings() const {
  Coupling held{.bodies = {}};
  for (const Drive& drive : data_.drives) held.inputs.push_back(drive.input);
  return {held};
}

std::vector<DiscreteSlot> TrackingController::discrete_slots() const {
  return {data_.sensors->discrete_slot(), {name(), Memory::size(inputs_, rows_, speeds_), 1}};
}

std::unique_ptr<ElementWork> TrackingController::make_work(double) const {
  return std::make_unique<Work>(*data_.plan, data_.law, data_.channels);
}

bool TrackingController::is_due(const ContextT<double>& c) const {
  return data_.sensors->is_due(c.kin.t, c.discrete, c.first_slot);
}

TrackingController::Memory TrackingController::memory(DiscreteState& discrete, int slot) const {
  return {discrete.record(slot, 0), inputs_, rows_, speeds_};
}

bool TrackingController::sample(const ContextT<double>& c, const double* values, DiscreteState& discrete) const {
  Work& work = *static_cast<Work*>(c.work);
  Memory memory = this->memory(discrete, c.first_slot + 1);
  if (data_.sensors->begins(c.kin.t, discrete, c.first_slot)) {
    const auto record = discrete.record(c.first_slot + 1, 0);
    std::fill(record.begin(), record.end(), 0.0);
  }
  const double t = c.kin.t - data_.from;
  estimate(work, memory, c, values, discrete, t);
  if (!correct(work, memory, t) && (memory.unsolved += 1) > most_unsolved)
    throw Breakdown(
        name(),
        fmt::format("the feedback finds no inputs from {:.6g} s on: the crane is too far off its plan", c.kin.t));
  tell(work, memory, t);
  return true;  // what drives are told jumped
}

// What is off the plan, as it is measured or estimated; and the true errors of outputs.
void TrackingController::estimate(Work& work, Memory& memory, const ContextT<double>& c, const double* values,
                                  DiscreteState& discrete, double t) const {
  const Model& model = *data_.plan->problem.model;
  const Instant planned = data_.plan->track.at(t);
  work.q = planned.q;
  work.u = planned.u;
  data_.links->state.take(c.kin, work.q, work.u);
  VecX off(2 * speeds_);
  off << inverse_dynamics::difference_of(model, planned.q, work.q), work.u - planned.u;
  memory.errors = inverse_dynamics::errors_at(work.system, data_.plan->problem, work.at(t, work.q, work.u));
  if (!data_.links->estimator) {
    const auto seen = data_.sensors->sample(c.kin.t, off.data(), discrete, c.first_slot);
    memory.off = Eigen::Map<const VecX>(seen.data(), off.size());
    return;
  }
  // What the estimate of the sample before becomes with what was measured and told then.
  VecX beside = Eigen::Map<const VecX>(values, static_cast<Eigen::Index>(data_.channels.size()));
  beside -= work.planned.at(planned);
  const bool first = data_.sensors->begins(c.kin.t, discrete, c.first_slot);
  const auto before = data_.sensors->values(discrete, c.first_slot);
  if (!first) {
    VecX x = memory.off;
    const VecX held = memory.inputs_now - data_.plan->track.at(t - 0.5 * data_.sample_time).w;
    data_.links->estimator->advance(t - data_.sample_time, Eigen::Map<const VecX>(before.data(), beside.size()), held,
                                    x);
    memory.off = x;
  }
  data_.sensors->sample(c.kin.t, beside.data(), discrete, c.first_slot);
}

// Forces and torques of the sample, within their limits. False where the law has no solution: its last correction
// stays.
bool TrackingController::correct(Work& work, Memory& memory, double t) const {
  const TrackedPlan& plan = *data_.plan;
  const Model& model = *plan.problem.model;
  const Instant planned = plan.track.at(t);
  const VecX off = memory.off;
  State& seen =
      work.at(t, inverse_dynamics::moved_by(model, planned.q, off.head(speeds_)), planned.u + off.tail(speeds_));
  work.system.satisfy_constraints(seen);
  bool solved = true;
  if (work.law) {
    work.integral = memory.integrals;
    work.law->forget();
    solved = work.law->correct({t, seen.q, seen.u, work.integral}, work.correction);
    if (solved) {
      memory.corrections = work.correction;
      memory.unsolved = 0;
    }
  }
  const VecX wanted = plan.track.at(t + 0.5 * data_.sample_time).w + memory.corrections;
  bool held = false;
  for (int i = 0; i < inputs_; ++i) {
    const double most = data_.drives[static_cast<size_t>(i)].most;
    memory.inputs_now[i] = std::clamp(wanted[i], -most, most);
    held = held || memory.inputs_now[i] != wanted[i];
  }
  memory.saturated += held ? 1 : 0;
  if (work.law && work.law->integrates() && !(held && data_.anti_windup))
    memory.integrals += data_.sample_time * inverse_dynamics::errors_at(work.system, plan.problem, seen);
  return solved;
}

// What the drives are told, each in what it takes.
void TrackingController::tell(Work& work, Memory& memory, double t) const {
  const TrackedPlan& plan = *data_.plan;
  const bool moves = std::any_of(data_.drives.begin(), data_.drives.end(), [](const Drive& drive) {
    return drive.takes == Takes::speed || drive.takes == Takes::length;
  });
  VecX accelerations;
  if (moves) {
    Instant at = plan.track.at(t);
    at.q = work.state.q;
    at.u = work.state.u;
    at.w = memory.inputs_now;
    accelerations = inverse_dynamics::accelerations_at(work.equations, at);
  }
  const double h = data_.sample_time;
  for (int i = 0; i < inputs_; ++i) {
    const TrackedPlan::Input& input = plan.inputs[static_cast<size_t>(i)];
    switch (data_.drives[static_cast<size_t>(i)].takes) {
      case Takes::force:
        memory.told[i] = memory.inputs_now[i];
        break;
      case Takes::pull:
        memory.told[i] = -memory.inputs_now[i] / input.ratio;
        break;
      case Takes::speed:
      case Takes::length: {
        const double a = input.ratio * accelerations[input.at.u], before = memory.speeds_told[i];
        memory.lengths_told[i] += h * (before + 0.5 * h * a);
        memory.speeds_told[i] += h * a;
        const bool speed = data_.drives[static_cast<size_t>(i)].takes == Takes::speed;
        // The mean speed of the sample; the length at its end.
        memory.told[i] = speed ? 0.5 * (before + memory.speeds_told[i]) : memory.lengths_told[i];
        break;
      }
    }
  }
}

}  // namespace davit::tracking

namespace davit {
template class ControllerOf<tracking::TrackingController>;
}
