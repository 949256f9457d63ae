// The fields of a feedback in the record of what is one: of a plan that is played back, and of one that is tracked in a
// run (tracking/track_spec.hpp).
#pragma once

#include "davit/inverse_dynamics/feedback_specification.hpp"

namespace davit::inverse_dynamics {

// A member of a feedback as one of what is derived from it.
template <class S, class M>
constexpr M S::*in(M FeedbackSpec::*member) {
  return member;
}

// Those between its law and its sensor.
template <class S>
void describe_feedback(input::Record<S>& record) {
  record.field("sample_time", in<S>(&FeedbackSpec::sample_time), "s", "time for which inputs are held")
      .above(0)
      .by_default()
      .field("poles", in<S>(&FeedbackSpec::poles), "1/s",
             "how errors decay: each output takes as many as its error dynamics have, the first ones first")
      .by_default()
      .field("a", in<S>(&FeedbackSpec::a), "1/s", "of servo: s'' + a s' + b s + c ∫s dt = 0")
      .field("b", in<S>(&FeedbackSpec::b), "1/s^2", "of servo")
      .field("c", in<S>(&FeedbackSpec::c), "1/s^3", "of servo: integral action")
      .field("horizon", in<S>(&FeedbackSpec::horizon), "s",
             "of servo: the time in which drives come to where the load wants them; five samples if not given")
      .above(0)
      .field("integral", in<S>(&FeedbackSpec::integral), "of linearising: with the integral of errors, one pole more")
      .by_default()
      .field("weights", in<S>(&FeedbackSpec::weights), "of lqr")
      .by_default()
      .field("frequency", in<S>(&FeedbackSpec::frequency), "rad/s", "of set_point: spring of each drive by its inertia")
      .above(0)
      .by_default()
      .field("damping", in<S>(&FeedbackSpec::damping), "1", "of set_point: part of critical damping of each drive")
      .above(0)
      .by_default()
      .field("inertia", in<S>(&FeedbackSpec::inertia), "1",
             "of set_point: inertia that each drive pretends to have, part of its own")
      .at_least(0)
      .by_default()
      .field("energy", in<S>(&FeedbackSpec::energy), "1/J",
             "of set_point: how much softer drives are with energy about")
      .at_least(0)
      .by_default()
      .field("limits", in<S>(&FeedbackSpec::limits),
             "largest force or torque of inputs, by their names; else the limits of the plan and of its winches")
      .by_default()
      .field("anti_windup", in<S>(&FeedbackSpec::anti_windup), "integrals wait while an input is at its limit")
      .by_default();
}

}  // namespace davit::inverse_dynamics
