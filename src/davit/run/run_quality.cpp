// The bounds by which a run is called green, amber or red.
#include "davit/run/run_quality.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace davit {

namespace {

// Against its goal, where no peak was confirmed; beyond a hundred times as much again the run is broken
// (solve/step_loop.cpp). Where peaks were confirmed, they are the better judge of the step than errors of motions that
// nobody reports.
constexpr double most_of_goal = 100, most_of_goal_confirmed = 1e4;
// Of adaptive methods, in rad, m and relative speed. A thousand such steps that all err the same way are a tenth of a
// metre.
constexpr double largest_tolerance = 1e-4;
// As a part of the energy that the motion honestly had.
constexpr double most_out_of_nothing = 0.01;
// A millimetre per second: nothing beside the speeds of impacts that are reported.
constexpr double largest_contact_misfit = 1e-3;
// Two steps a period are the least by which an oscillation can be seen at all.
constexpr double longest_step_of_period = 0.5;
// By which a peak may change when it is repeated at half the step, as a part of it or of its bound.
constexpr double most_moved = 0.05;

std::string peak_text(const result::Peak& peak) {
  return fmt::format("{} at {:.4g} s, {:.4g} {} and {:.4g} {} at half the step", peak.channel, peak.t, peak.value,
                     peak.unit, peak.at_half_step, peak.unit);
}

// The peak that moves most, and limits whose verdict hangs on the step.
void judge_peaks(const result::Confirmation& confirmation, const std::string& remedy, result::Quality& quality) {
  for (const std::string& broken : confirmation.broken)
    quality.checks.push_back(
        {fmt::format("peak whose repetition at half the step broke off ({})", broken), 1, 0, "", remedy});
  const std::vector<result::Peak>& peaks = confirmation.peaks;
  if (peaks.empty()) return;
  const auto worst = std::max_element(
      peaks.begin(), peaks.end(), [](const result::Peak& a, const result::Peak& b) { return a.moved() < b.moved(); });
  quality.checks.push_back({worst->moved() > most_moved
                                ? fmt::format("change of a peak repeated at half the step ({})", peak_text(*worst))
                                : "largest change of a peak repeated at half the step",
                            worst->moved(), most_moved, "", remedy});
  for (const result::Peak& peak : peaks)
    if (peak.verdict_changes)
      quality.checks.push_back(
          {fmt::format("verdict of a limit that changes with the step ({})", peak_text(peak)), 1, 0, "", remedy});
}

}  // namespace

result::Quality judge_quality(const Scenario& scenario, const Stepper& stepper, const Preparation& prepared,
                              const RunOutcome& outcome, result::Confirmation confirmation) {
  result::Quality quality;
  const double step = scenario.options.step;
  const std::string shorter = outcome.advised_step > 0 && outcome.advised_step < step
                                  ? fmt::format("take a step of {:.2g} s", outcome.advised_step)
                                  : fmt::format("take a step of {:.2g} s or less", step / 2);
  const bool confirmed =
      !confirmation.peaks.empty() && confirmation.broken.empty() &&
      std::all_of(confirmation.peaks.begin(), confirmation.peaks.end(),
                  [](const result::Peak& peak) { return peak.moved() <= most_moved && !peak.verdict_changes; });
  judge_peaks(confirmation, shorter, quality);
  quality.peaks = std::move(confirmation.peaks);
  quality.remarks = std::move(confirmation.remarks);
  if (const LoadSteps& loads = outcome.load_steps; loads.unresolved > 0)
    quality.checks.push_back(
        {fmt::format("steps that do not resolve a load (first that of {} at {:.4g} s)", loads.element, loads.t),
         static_cast<double>(loads.unresolved), 0, "", "give what is stiff there its damping, or less stiffness"});
  if (stepper.adaptive())
    quality.checks.push_back({"local error per step (rad, m, relative speed), by run.tolerance",
                              scenario.specification.run.tolerance, largest_tolerance, "", "lower run.tolerance"});
  if (outcome.local_error > 0)
    quality.checks.push_back({"local error that nine in ten steps keep (rad, m, relative speed)", outcome.local_error,
                              (confirmed ? most_of_goal_confirmed : most_of_goal) * outcome.local_error_goal, "",
                              shorter});
  if (const EnergyGain& gain = outcome.energy_gain; gain.of > 0)
    quality.checks.push_back(
        {gain.share() > most_out_of_nothing
             ? fmt::format("energy out of nothing, of the {:.2g} J that the motion had (most at {:.4g} s, {})", gain.of,
                           gain.t, gain.element)
             : "energy out of nothing, of what the motion had",
         gain.share(), most_out_of_nothing, "", shorter});
  if (!scenario.model->contacts().empty()) {
    quality.checks.push_back({"largest misfit of the contact laws", outcome.counts.contact_residual,
                              largest_contact_misfit, "m/s", shorter});
    quality.checks.push_back({"energy of putting bodies back onto contacts, of what the motion had",
                              outcome.energy_gain.contact_share(), most_out_of_nothing, "", shorter});
  }
  if (const VibrationMode* mode = fastest_oscillation(prepared.vibration); mode && !stepper.adaptive() && !confirmed)
    quality.checks.push_back(
        {fmt::format("step over the shortest undamped period, {:.2g} s ({})", 1 / mode->frequency, mode->description),
         step * mode->frequency, longest_step_of_period, "",
         fmt::format("take a step of {:.2g} s, or give the stiff part its damping", 0.1 / mode->frequency)});
  return quality;
}

}  // namespace davit
