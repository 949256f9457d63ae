#include "davit/simulation/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/input/emit.hpp"
#include "davit/math/constants.hpp"
#include "davit/simulation/rest_cautions.hpp"

namespace davit {

namespace {

// Beyond this many speeds a run would wait seconds for an equilibrium and modes that nobody asked for.
constexpr int most_for_modes = 200;
// A measure of all elements, each of which is evaluated with its derivatives in hundreds of steps of the search.
constexpr size_t most_channels_for_modes = 6000;

// Of critical: what has more is gone after a few periods, and a method that steps over it loses nothing.
constexpr double next_to_no_damping = 0.1;

// Of critical: an oscillation that grows faster than this is fed, and by no error of the eigenvalues.
constexpr double fed = -0.02;

// An oscillation that feeds itself grows in any method and with any step. What grows by less than a tenth in the whole
// run is no matter, or the round-off of a motion that nothing holds.
std::string growing_oscillation(const VibrationResult& vibration, double duration) {
  constexpr double least_growth = 0.1;
  for (const VibrationMode& mode : vibration.modes)
    if (mode.frequency > 0 && mode.damping_ratio < fed &&
        -mode.damping_ratio * 2 * pi * mode.frequency * duration > least_growth)
      return fmt::format(
          "the model is unstable at the start: an oscillation of {:.3g} Hz ({}) grows by itself, with {:.1f} "
          "% of critical damping; look for negative damping, and for gains of controllers (ki, kd, delays)",
          mode.frequency, mode.description, 100 * mode.damping_ratio);
  return {};
}

void find_modes(const Scenario& scenario, const Stepper& stepper, System& system, Preparation& out) {
  const Equilibrium& equilibrium = out.start.equilibrium;
  if (equilibrium.converged) {
    out.modes_about = "the static equilibrium near the start";
    if (!equilibrium.stable) out.modes_about += ", which is not stable";
  } else {
    out.modes_about = (scenario.model->rows() > 0 ? "nothing: " : "the state at the start: ") + equilibrium.why;
  }
  out.vibration = vibration_modes(system, equilibrium.converged ? equilibrium.state : out.start.given);
  out.instability = growing_oscillation(out.vibration, scenario.options.end);
  if (!out.instability.empty()) out.warnings.push_back(out.instability);
  if (out.vibration.only_slowest) out.modes_about += fmt::format(": the {} slowest", out.vibration.modes.size());
  if (!stepper.adaptive() && stepper.is_explicit() && out.vibration.fastest * scenario.options.step > stability_limit)
    out.warnings.push_back(
        fmt::format("the step of {:.3g} s is longer than {:.2g} s, to which the method is stable at the start: expect "
                    "the run to break",
                    scenario.options.step, stability_limit / out.vibration.fastest));
  else if (const VibrationMode* mode = fastest_oscillation(out.vibration);
           !stepper.adaptive() && mode && scenario.options.step * mode->frequency > 1)
    out.warnings.push_back(
        fmt::format("the step of {:.3g} s is longer than the shortest undamped period, {:.2g} s ({}): that oscillation "
                    "and its loads are not resolved; take a step of {:.2g} s, or give the stiff part its damping",
                    scenario.options.step, 1 / mode->frequency, mode->description, 0.1 / mode->frequency));
}

}  // namespace

Start find_start(const Scenario& scenario, System& system, bool find_equilibrium_anyway) {
  Start out;
  out.given = scenario.first_state();
  system.commit(out.given);
  out.state = out.equilibrium.state = out.given;
  if (scenario.from_equilibrium || find_equilibrium_anyway) out.equilibrium = find_equilibrium(system, out.given);
  if (scenario.from_equilibrium) {
    const auto& controllers = scenario.model->controllers();
    // Sampled drives of servos take their first sample where the run begins.
    if (std::any_of(controllers.begin(), controllers.end(), [](const auto& c) { return c.element->sample_time() > 0; }))
      out.warnings.push_back(
          "the equilibrium is that of the commands which sampled controllers hold at the given start: expect a jerk at "
          "their next sample");
    for (std::string& caution : cautions_on(out.equilibrium, out.given, scenario, system))
      out.warnings.push_back(std::move(caution));
    if (out.equilibrium.converged)
      out.state = out.equilibrium.state;
    else if (!scenario.needs_equilibrium)
      out.warnings.push_back("the run does not start from equilibrium: " + out.equilibrium.why);
  }
  for (const Scenario::Offset& offset : scenario.offsets) out.state.q[offset.q] += offset.by;
  // Whatever a search for equilibrium has passed, the sea is met where the run begins.
  out.state = scenario.model->moved(out.state, scenario.environment);
  return out;
}

Start find_start(const Scenario& scenario) {
  System system(*scenario.model);
  return find_start(scenario, system);
}

namespace {

// What acts before anything has come up: all of the environment but waves and gusts.
std::string at_rest(const Scenario& scenario) {
  input::Node source = scenario.source;
  input::Node* environment = source.find("environment");
  if (!environment) return {};
  std::erase_if(environment->entries, [](const input::Node::Entry& e) { return e.key == "waves"; });
  if (input::Node* wind = environment->find("wind"))
    std::erase_if(wind->entries, [](const input::Node::Entry& e) { return e.key == "seed"; });
  return input::to_yaml(*environment);
}

}  // namespace

std::optional<Start> same_start(const Start& start, const Scenario& of, const Scenario& another) {
  if (of.model != another.model || at_rest(of) != at_rest(another)) return std::nullopt;
  Start out = start;
  for (State* state : {&out.given, &out.equilibrium.state, &out.state})
    *state = another.model->moved(*state, another.environment);
  return out;
}

std::optional<std::string> cannot_begin(const Scenario& scenario, const Start& start) {
  if (!scenario.needs_equilibrium || start.equilibrium.converged) return std::nullopt;
  return "the run should begin in equilibrium: " + start.equilibrium.why +
         "; from_equilibrium: try begins as given where none is found";
}

std::vector<result::Limit> limits_from(const Start& start, const Scenario& scenario) {
  std::vector<result::Limit> limits = scenario.limits;
  for (result::Limit& limit : limits)
    if (limit.of_first && !start.equilibrium.converged) limit.bound = NAN;
  return limits;
}

const VibrationMode* fastest_oscillation(const VibrationResult& vibration) {
  const VibrationMode* fastest = nullptr;
  for (const VibrationMode& mode : vibration.modes)
    if (mode.frequency > 0 && std::abs(mode.damping_ratio) < next_to_no_damping &&
        (!fastest || mode.frequency > fastest->frequency))
      fastest = &mode;
  return fastest;
}

bool wants_modes(const Scenario& scenario) {
  const Model& model = *scenario.model;
  return scenario.modes.value_or(model.nu() <= most_for_modes && model.channels().size() <= most_channels_for_modes);
}

Preparation prepare(const Scenario& scenario, const Stepper& stepper, System& system) {
  const bool smooth = scenario.model->contacts().empty(), solved = scenario.unsolved_hulls.empty();
  const bool wanted = solved && wants_modes(scenario);
  Preparation out;
  out.start = find_start(scenario, system, smooth && wanted);
  out.warnings = out.start.warnings;
  if (!solved)
    out.modes_about = "nothing: there is a hull without its added mass";
  else if (!wanted)
    out.modes_about =
        scenario.modes
            ? "nothing: the file does not want them"
            : fmt::format("nothing: beyond {} speeds or {} channels they are found with modes: true under run",
                          most_for_modes, most_channels_for_modes);
  else if (!smooth)
    out.modes_about = "nothing: contacts open and close";
  else
    find_modes(scenario, stepper, system, out);
  return out;
}

}  // namespace davit
