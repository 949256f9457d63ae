// From what a file says of a feedback to the law of a planned crane.
#pragma once

#include <functional>

#include "davit/inverse_dynamics/feedback_law.hpp"
#include "davit/inverse_dynamics/feedback_specification.hpp"

namespace davit::inverse_dynamics {

// A plan with what its inputs are called, and their units. All that it refers to outlives the laws made for it.
struct PlannedCrane {
  const ServoProblem& problem;
  const Plan& plan;
  const PlanTrack& track;
  struct Input {
    std::string name, unit;
  };
  std::vector<Input> inputs;
};

struct LawDesign {
  std::function<std::unique_ptr<FeedbackLaw>()> make;  // each time another one, of the same gains
  std::vector<std::string> words;                      // orders of error dynamics, gains
};

// Nothing after a mistake, which is reported. `feedback.law` is not none.
std::optional<LawDesign> design_law(const FeedbackSpec& feedback, const PlannedCrane&, input::Problems&);

// The value of every input in a list by names; nothing where it has none.
std::vector<std::optional<double>> by_input(const input::Named<input::Quantity>&,
                                            const std::vector<PlannedCrane::Input>&, const input::Where&,
                                            input::Problems&);

}  // namespace davit::inverse_dynamics
