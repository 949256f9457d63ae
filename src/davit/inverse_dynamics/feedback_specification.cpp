#include "davit/inverse_dynamics/feedback_specification.hpp"

#include "davit/inverse_dynamics/error_dynamics.hpp"
#include "davit/inverse_dynamics/feedback_fields.hpp"

namespace davit::inverse_dynamics {

using input::Record;

const Record<WeightsSpec>& WeightsSpec::record() {
  static const auto r =
      Record<WeightsSpec>("feedback weights", "Deviations that cost the same, of linear-quadratic feedback")
          .field("error", &WeightsSpec::error, "1", "error of an output, m or rad")
          .above(0)
          .by_default()
          .field("rate", &WeightsSpec::rate, "1", "its rate, m/s or rad/s")
          .above(0)
          .by_default()
          .field("integral", &WeightsSpec::integral, "1",
                 "integral of an error, m s or rad s: takes out what lasts; without it there is no integral action")
          .above(0)
          .field("inputs", &WeightsSpec::inputs,
                 "force or torque of inputs, by their names; those that are not named: a tenth of the largest planned")
          .by_default();
  return r;
}

const Record<StateSensorSpec>& StateSensorSpec::record() {
  static const auto r = Record<StateSensorSpec>("state sensor", "How the state is measured")
                            .field("delay", &StateSensorSpec::delay, "s", "how late it is known; rounded to samples")
                            .at_least(0)
                            .by_default()
                            .field("place_noise", &StateSensorSpec::place_noise, "1",
                                   "standard deviation of coordinates at each sample, m or rad")
                            .at_least(0)
                            .by_default()
                            .field("speed_noise", &StateSensorSpec::speed_noise, "1", "that of speeds, m/s or rad/s")
                            .at_least(0)
                            .by_default()
                            .field("seed", &StateSensorSpec::seed, "of the noise: the same seed, the same noise")
                            .at_least(0)
                            .by_default();
  return r;
}

void check_feedback(const FeedbackSpec& f, const input::Where& place, input::Problems& problems) {
  const Poles poles(f.poles.begin(), f.poles.end());
  if (const auto why = why_not_stable(poles))
    problems.error(place, *why, "give negative poles, e.g. poles: [-1, -1.3]");
  const bool gains = f.a || f.b || f.c;
  if (f.law != Law::servo) {
    if (gains) problems.error(place, "a, b and c are gains of the law 'servo'", "give poles, or law: servo");
    return;
  }
  if (gains && !poles.empty()) problems.error(place, "gains and poles are both given", "give one of them");
  if (gains && (!f.a || !f.b)) problems.error(place, "a or b is missing", "give both, and c for integral action");
  if (f.a && f.b)
    if (const auto why = ServoGains{*f.a, *f.b, f.c.value_or(0)}.why_not_stable())
      problems.error(place, *why, "choose gains with a b > c, or give poles");
  if (!poles.empty() && poles.size() != 2 && poles.size() != 3)
    problems.error(place, "the law 'servo' has two poles, or three with integral action", "give two or three");
  if (f.horizon && *f.horizon < f.sample_time)
    problems.error(place, "the horizon is shorter than a sample", "give at least the sample time");
}

const Record<FeedbackSpec>& FeedbackSpec::record() {
  static const auto r = [] {
    auto record = Record<FeedbackSpec>("feedback", "What corrects the planned inputs by the measured state");
    record
        .choice("law", &FeedbackSpec::law,
                {{"servo", Law::servo},
                 {"linearising", Law::linearising},
                 {"lqr", Law::lqr},
                 {"set_point", Law::set_point}},
                "servo: the plan's equations solved again from the measured state; linearising: exact error dynamics "
                "with the given poles; lqr: linear-quadratic gains along the plan; set_point: passivity-based, "
                "spring and damper at each drive")
        .by_default();
    describe_feedback(record);
    record.field("sensor", &FeedbackSpec::sensor, "how the state is measured")
        .by_default()
        .located(&FeedbackSpec::where)
        .check(check_feedback);
    return record;
  }();
  return r;
}

const Record<ShiftSpec>& ShiftSpec::record() {
  static const auto r =
      Record<ShiftSpec>("shifted start", "A body or point that is not where it should be at the start")
          .field("of", &ShiftSpec::of, "the body or point")
          .example("load")
          .field("by", &ShiftSpec::by, "m",
                 "how far, in the world; it goes as far as its ropes let it, with drives held");
  return r;
}

const Record<PushSpec>& PushSpec::record() {
  static const auto r = Record<PushSpec>("push", "A force that the plan does not know")
                            .field("on", &PushSpec::on, "the body or point that it acts on")
                            .example("load")
                            .field("force", &PushSpec::force, "N", "in the world")
                            .field("from", &PushSpec::from, "s", "when it begins")
                            .at_least(0)
                            .by_default()
                            .field("until", &PushSpec::until, "s", "when it ends; it lasts if not given")
                            .above(0);
  return r;
}

const Record<DisturbSpec>& DisturbSpec::record() {
  static const auto r =
      Record<DisturbSpec>("disturbance", "How the crane differs from the planned one when the plan is played back")
          .field("shift", &DisturbSpec::shift, "a start beside the planned one")
          .field("mass", &DisturbSpec::mass, "1", "factors on the masses of bodies, by their names")
          .by_default()
          .field("push", &DisturbSpec::push, "a force")
          .located(&DisturbSpec::where)
          .check([](const DisturbSpec& d, const input::Where& place, input::Problems& problems) {
            for (const auto& [name, factor] : d.mass)
              if (!(factor > 0))
                problems.error(place, "the mass of '" + name + "' would vanish", "give a factor above 0");
          });
  return r;
}

}  // namespace davit::inverse_dynamics
