#include "davit/operation/lever_spec.hpp"

namespace davit {

using input::Record;

const Record<LeverSpec>& LeverSpec::record() {
  static const auto r = Record<LeverSpec>("lever", "How far and how fast a lever moves what it drives")
                            .field("speed", &LeverSpec::speed, "at full lever; if not given that of the drive")
                            .example("0.5 m/s")
                            .field("acceleration", &LeverSpec::acceleration,
                                   "with which the speed follows the lever; if not given that of the drive")
                            .example("0.2 m/s^2")
                            .field("least", &LeverSpec::least, "where it stops on its way down")
                            .example("5 m")
                            .field("most", &LeverSpec::most, "where it stops on its way up")
                            .example("60 m")
                            .located(&LeverSpec::where);
  return r;
}

const Record<LeversSpec>& LeversSpec::record() {
  static const auto r =
      Record<LeversSpec>("levers",
                         "What a person or a program outside moves while the run goes, at ticks of a clock: for `davit "
                         "live`, which adds this section itself where a file has none, and to do a recorded one again")
          .field("tick", &LeversSpec::tick, "s",
                 "time between two looks at the levers: a whole number of steps; if not given about 20 ms")
          .above(0)
          .at_most(10)
          .example("20 ms")
          .field("automatic", &LeversSpec::automatic,
                 "whether phases of the operation begin by themselves from the start on, or only when they are told to")
          .by_default()
          .field("file", &LeversSpec::file, "what was done with the levers, as `davit live` recorded it")
          .example("levers.csv")
          .field("of", &LeversSpec::of, "levers by the name of what they drive: a joint, a winch, a tip")
          .by_default()
          .located(&LeversSpec::where);
  return r;
}

}  // namespace davit
