#include "davit/tracking/track_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/control/drive.hpp"
#include "davit/inverse_dynamics/closed_loop.hpp"
#include "davit/inverse_dynamics/feedback_fields.hpp"
#include "davit/tracking/held_actuator.hpp"
#include "davit/tracking/tracking_controller.hpp"

namespace davit::tracking {

using input::Record;
using inverse_dynamics::Law;
using inverse_dynamics::PlannedCrane;

namespace {

// Of joints until the run begins: how fast what holds them would let the planned inertia swing.
constexpr double holding_frequency = 10 * 2 * std::numbers::pi;  // rad/s

std::shared_ptr<const TrackedPlan> plan_of(const std::string& controller, Assembly& assembly) {
  const auto plans = assembly.shared<TrackedPlans>();
  if (!plans) return nullptr;
  const auto found = plans->of.find(controller);
  return found == plans->of.end() ? nullptr : found->second;
}

PlannedCrane crane_of(const TrackedPlan& plan) {
  PlannedCrane crane{plan.problem, plan.plan, plan.track, {}};
  for (const auto& input : plan.inputs) crane.inputs.push_back({input.name, input.unit});
  return crane;
}

// The inertia that each input meets where the plan begins, kg or kg m².
VecX inertia_met(const TrackedPlan& plan) {
  inverse_dynamics::ServoEquations equations(plan.problem);
  const auto tangent = linearise_motion(equations, plan.track.at(plan.track.begin()));
  const MatX mobility = equations.B.transpose() * tangent.T.bottomRows(equations.speeds()) * tangent.B;
  return mobility.diagonal().cwiseInverse();
}

std::optional<TrackingController::Drive> winch_drive(const TrackSpec& spec, const std::string& winch,
                                                     Assembly& assembly) {
  const auto port = assembly.port(winch);
  if (!port) {
    if (!assembly.problems().has_errors())
      assembly.problems().error(spec.where, "'" + winch + "' takes no commands from a controller",
                                "give the winch a drum");
    return std::nullopt;
  }
  TrackingController::Drive drive{port->input, TrackingController::Takes::pull, 0, 0};
  drive.first = assembly.motion(port->asked).value(0);
  if (port->unit == "m/s") drive.takes = TrackingController::Takes::speed;
  if (port->unit == "m") drive.takes = TrackingController::Takes::length;
  if (port->unit == "N" && !port->is_force) {
    assembly.problems().error(spec.where, "'" + winch + "' takes a tension, and a plan gives the torque of its drum",
                              "use mode: force, speed or length for that winch");
    return std::nullopt;
  }
  return drive;
}

// A joint, with the force that the plan begins with until the first sample.
std::optional<TrackingController::Drive> joint_drive(const std::string& name, const TrackSpec& spec,
                                                     const TrackedPlan::Input& input, double first, double stiffness,
                                                     Assembly& assembly) {
  const auto at = assembly.coordinate({input.name, spec.where});
  if (!at) return std::nullopt;
  const int port = control::add_drive(name, *at, std::nullopt, assembly);
  assembly.add(std::make_shared<HeldActuator>(name + "." + at->name, *at, port, stiffness));
  return TrackingController::Drive{port, TrackingController::Takes::force, first, 0};
}

std::shared_ptr<const control::SensorBank> state_sensors(const std::string& name, const TrackSpec& spec,
                                                         const TrackedPlan& plan) {
  const auto names = plan.problem.model->speed_names();
  std::vector<control::Sensor> sensors;
  for (const bool rates : {false, true})
    for (const std::string& coordinate : names) {
      control::Sensor sensor{coordinate + (rates ? "_rate" : "")};
      sensor.delay = spec.sensor.delay;
      sensor.noise = rates ? spec.sensor.speed_noise : spec.sensor.place_noise;
      sensors.push_back(sensor);
    }
  // Another seed is another noise of the same run.
  const std::string owner = spec.sensor.seed == 1 ? name : fmt::format("{} {}", name, spec.sensor.seed);
  return std::make_shared<control::SensorBank>(owner, std::move(sensors), spec.sample_time);
}

// A sensor without noise is taken to be as good as a thousandth of what it sees on the way.
std::vector<double> noise_of(const control::SensorBank& sensors, const TrackedPlan& plan) {
  PlannedChannels planned(plan, sensors.channels());
  VecX least, most;
  for (const auto& point : plan.plan.points) {
    const VecX values = planned.at(point);
    least = least.size() == 0 ? values : VecX(least.cwiseMin(values));
    most = most.size() == 0 ? values : VecX(most.cwiseMax(values));
  }
  std::vector<double> noise;
  for (size_t i = 0; i < sensors.size(); ++i) {
    const control::Sensor& sensor = sensors.sensor(i);
    const auto k = static_cast<Eigen::Index>(i);
    const double floor = std::max(1e-3 * (most[k] - least[k]), 1e-4);
    noise.push_back(std::max({sensor.noise, sensor.quantisation / std::sqrt(12.0), floor}));
  }
  return noise;
}

// What can be told only of the whole model: where the plan's coordinates are, and what the channels show of them.
void link(const TrackSpec& spec, const TrackingController::Data& data, const std::shared_ptr<TrackingLinks>& links,
          Assembly& assembly) {
  input::Problems& problems = assembly.problems();
  assembly.when_built([&spec, data, links, &problems](const Model& model) {
    const TrackedPlan& plan = *data.plan;
    links->state = StateMap(*plan.problem.model, model, plan.prescribed);
    for (const std::string& missing : links->state.missing())
      problems.error(spec.where, "the plan moves '" + missing + "', which is no coordinate of this model",
                     "track a plan of the same crane; winches need a drum");
    if (!spec.observer || problems.has_errors()) return;
    const PlannedChannels planned(plan, data.channels);
    for (const std::string& missing : planned.missing())
      problems.error(spec.observer->where, "the plan's model has no channel '" + missing + "'",
                     "measure joints, drums and places; a plan's ropes do not stretch");
    if (problems.has_errors()) return;
    auto estimator = std::make_shared<const Estimator>(
        plan, data.channels, EstimatorNoise{spec.observer->disturbance, noise_of(*data.sensors, plan)},
        data.sample_time);
    if (estimator->why_not())
      problems.error(spec.observer->where, *estimator->why_not(), "measure more: the places of drives and loads");
    links->estimator = std::move(estimator);
  });
}

// Errors that would grow in the sampled loop where the crane rests at the end.
void look_at_loop(const TrackSpec& spec, const TrackedPlan& plan, const inverse_dynamics::LawDesign& design,
                  input::Problems& problems) {
  const int delay = static_cast<int>(std::lround(spec.sensor.delay / spec.sample_time));
  try {
    const auto law = design.make();
    const auto loop = inverse_dynamics::linear_loop(plan.problem, plan.track, *law, plan.track.end());
    const double multiplier = loop.largest_multiplier(spec.sample_time, delay);
    if (multiplier > 1 + 1e-5)
      problems.warning(spec.where,
                       fmt::format("with samples of {:.4g} s and this delay errors grow by a factor {:.5g} from sample "
                                   "to sample",
                                   spec.sample_time, multiplier),
                       "sample faster, or ask for slower poles or larger input weights");
  } catch (const std::runtime_error& error) {
    problems.error(spec.where, error.what(), "use another law, or for law: servo a shorter horizon");
  }
}

}  // namespace

const Record<ObserverSpec>& ObserverSpec::record() {
  static const auto r =
      Record<ObserverSpec>("observer",
                           "The state of the crane is estimated from channels, by a Kalman filter on the "
                           "linear model about the plan")
          .field(
              "measure", &ObserverSpec::measure,
              "channels that it is told; the plan's model must have them too: coordinates of joints and drums, their "
              "rates, places of points")
          .example("[trolley.travel, hoist.angle, load.position_x, load.position_z]")
          .field("sensors", &ObserverSpec::sensors, "how those channels are seen that are not seen as they are")
          .by_default()
          .field("disturbance", &ObserverSpec::disturbance, "1",
                 "standard deviation of accelerations that nobody knows, m/s² or rad/s²: the larger, the more "
                 "measurements are trusted")
          .above(0)
          .by_default()
          .located(&ObserverSpec::where)
          .check([](const ObserverSpec& o, const input::Where& place, input::Problems& problems) {
            if (o.measure.empty())
              problems.error(place, "'measure' is empty", "name channels, e.g. measure: [trolley.travel]");
          });
  return r;
}

const Record<TrackSpec>& TrackSpec::record() {
  static const auto r = [] {
    auto record =
        Record<TrackSpec>("track", "Drives follow a plan, and are corrected by what is measured: feedback.md");
    record
        .field("plan", &TrackSpec::plan,
               "scenario with the plan, relative to this file; that of this file if not given")
        .example("gantry_plan.yaml")
        .field("from", &TrackSpec::from, "s", "when the plan begins; the crane is held at its start before")
        .at_least(0)
        .by_default()
        .choice("law", inverse_dynamics::in<TrackSpec>(&FeedbackSpec::law),
                {{"servo", Law::servo},
                 {"linearising", Law::linearising},
                 {"lqr", Law::lqr},
                 {"set_point", Law::set_point},
                 {"none", Law::none}},
                "as of the feedback of a plan; none: the planned forces and torques alone")
        .by_default();
    inverse_dynamics::describe_feedback(record);
    record.field("sensor", inverse_dynamics::in<TrackSpec>(&FeedbackSpec::sensor), "how the state is measured")
        .by_default()
        .field("observer", &TrackSpec::observer, "what the state is estimated from, if it is not measured")
        .located(inverse_dynamics::in<TrackSpec>(&FeedbackSpec::where))
        .check([](const TrackSpec& t, const input::Where& place, input::Problems& problems) {
          if (t.law != Law::none) inverse_dynamics::check_feedback(t, place, problems);
          const auto& s = t.sensor;
          if (t.observer && (s.delay > 0 || s.place_noise > 0 || s.speed_noise > 0))
            problems.error(place, "'sensor' is about a state that is measured, and here it is estimated",
                           "give delay and noise of the channels, in observer.sensors");
          if (t.observer && t.law == Law::none)
            problems.error(place, "an observer without feedback has nothing to do", "give a law, or leave it out");
        });
    return record;
  }();
  return r;
}

void TrackSpec::declare(const std::string& name, Assembly& assembly) const {
  if (const auto tracked = plan_of(name, assembly))
    for (const auto& input : tracked->inputs)
      if (input.winch && assembly.is_target(input.name)) assembly.command({input.name, where}, name);
}

void TrackSpec::build(const std::string& name, Assembly& assembly) const {
  input::Problems& problems = assembly.problems();
  const size_t errors = problems.error_count();
  TrackingController::Data data;
  data.plan = plan_of(name, assembly);
  if (!data.plan) return;  // which was reported
  const TrackedPlan& tracked = *data.plan;
  const PlannedCrane crane = crane_of(tracked);
  if (law != Law::none) data.law = inverse_dynamics::design_law(*this, crane, problems);
  const auto most = inverse_dynamics::by_input(limits, crane.inputs, where, problems);
  if (problems.error_count() > errors) return;
  if (data.law && !observer) look_at_loop(*this, tracked, *data.law, problems);
  const VecX stiffness = holding_frequency * holding_frequency * inertia_met(tracked);
  for (size_t i = 0; i < tracked.inputs.size(); ++i) {
    const TrackedPlan::Input& input = tracked.inputs[i];
    const auto k = static_cast<Eigen::Index>(i);
    auto drive = input.winch
                     ? winch_drive(*this, input.name, assembly)
                     : joint_drive(name, *this, input, tracked.plan.points.front().w[k], stiffness[k], assembly);
    if (!drive) return;
    drive->most = most[i].value_or(input.most);
    data.drives.push_back(*drive);
  }
  data.sample_time = sample_time;
  data.from = from;
  data.anti_windup = anti_windup;
  if (observer) {
    data.sensors = control::make_sensors(name, observer->measure, observer->sensors, sample_time, assembly);
    data.channels = data.sensors->channels();
  } else {
    data.sensors = state_sensors(name, *this, tracked);
  }
  if (problems.error_count() > errors) return;
  auto links = std::make_shared<TrackingLinks>();
  data.links = links;
  link(*this, data, links, assembly);
  assembly.add(std::make_shared<TrackingController>(name, std::move(data)));
}

}  // namespace davit::tracking
