#include "davit/run/quality.hpp"

#include <fmt/format.h>

namespace davit {

namespace {

// In rad, m and relative speed. A thousand such steps that all err the same way are a tenth of a metre.
constexpr double largest_local_error = 1e-4;
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
                              scenario.specification.run.tolerance, largest_local_error, "", "lower run.tolerance"});
  if (outcome.local_error > 0)
    quality.checks.push_back({"local error that nine in ten steps keep (rad, m, relative speed)", outcome.local_error,
                              largest_local_error, "", shorter});
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
