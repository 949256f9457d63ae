#include "davit/run/quality.hpp"

#include <fmt/format.h>

namespace davit {

namespace {

// Against its goal; beyond a hundred times as much again the run is broken (solve/simulation.cpp).
constexpr double most_of_goal = 100;
// Of adaptive methods, in rad, m and relative speed. A thousand such steps that all err the same way are a tenth of a
// metre.
constexpr double largest_tolerance = 1e-4;
// As a part of the energy that the motion honestly had.
constexpr double most_out_of_nothing = 0.01;
// A millimetre per second: nothing beside the speeds of impacts that are reported.
constexpr double largest_contact_misfit = 1e-3;
// Two steps a period are the least by which an oscillation can be seen at all.
constexpr double longest_step_of_period = 0.5;

}  // namespace

result::Quality judge_quality(const Scenario& scenario, const Stepper& stepper, const Preparation& prepared,
                              const RunOutcome& outcome) {
  result::Quality quality;
  const double step = scenario.options.step;
  const std::string shorter = outcome.advised_step > 0 && outcome.advised_step < step
                                  ? fmt::format("take a step of {:.2g} s", outcome.advised_step)
                                  : fmt::format("take a step of {:.2g} s or less", step / 2);
  if (stepper.adaptive())
    quality.checks.push_back({"local error per step (rad, m, relative speed), by run.tolerance",
                              scenario.specification.run.tolerance, largest_tolerance, "", "lower run.tolerance"});
  if (outcome.local_error > 0)
    quality.checks.push_back({"local error that nine in ten steps keep (rad, m, relative speed)", outcome.local_error,
                              most_of_goal * outcome.local_error_goal, "", shorter});
  if (const EnergyGain& gain = outcome.energy_gain; gain.of > 0)
    quality.checks.push_back(
        {gain.share() > most_out_of_nothing
             ? fmt::format("energy out of nothing, of the {:.2g} J that the motion had (most at {:.4g} s, {})", gain.of,
                           gain.t, gain.element)
             : "energy out of nothing, of what the motion had",
         gain.share(), most_out_of_nothing, "", shorter});
  if (!scenario.model->contacts().empty())
    quality.checks.push_back({"largest misfit of the contact laws", outcome.counts.contact_residual,
                              largest_contact_misfit, "m/s", shorter});
  if (const VibrationMode* mode = fastest_oscillation(prepared.vibration); mode && !stepper.adaptive())
    quality.checks.push_back(
        {fmt::format("step over the shortest undamped period, {:.2g} s ({})", 1 / mode->frequency, mode->description),
         step * mode->frequency, longest_step_of_period, "",
         fmt::format("take a step of {:.2g} s, or give the stiff part its damping", 0.1 / mode->frequency)});
  return quality;
}

}  // namespace davit
