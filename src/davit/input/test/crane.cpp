#include "crane.hpp"

namespace davit::input::test {

const Record<Slide>& Slide::record() {
  static const auto record =
      Record<Slide>("slide", "A joint that slides")
          .choice("along", &Slide::along, {{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}}, "axis")
          .by_default()
          .field("travel", &Slide::travel, "m", "how far it goes")
          .above(0);
  return record;
}

const Record<Joint>& Joint::record() {
  static const auto record =
      Record<Joint>("joint", "How a body hangs on another")
          .field("free", &Joint::free, "no joint at all")
          .choice("revolute", &Joint::revolute, {{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}}, "turns about an axis")
          .field("slide", &Joint::slide, "slides along an axis")
          .exactly_one();
  return record;
}

const Record<Spring>& Spring::record() {
  static const auto record = Record<Spring>("spring", "A spring in a joint")
                                 .field("joint", &Spring::joint, "the joint it acts in")
                                 .example("king")
                                 .field("stiffness", &Spring::stiffness, "N m/rad", "its stiffness")
                                 .at_least(0)
                                 .field("rest", &Spring::rest, "rad", "where it is at rest")
                                 .field("at", &Spring::at, "m", "where it sits")
                                 .by_default()
                                 .located(&Spring::where);
  return record;
}

const Record<Body>& Body::record() {
  static const auto record =
      Record<Body>("body", "A rigid body")
          .field("mass", &Body::mass, "kg", "how heavy it is")
          .above(0)
          .field("joint", &Body::joint, "how it hangs")
          .choice("up", &Body::up, {{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}}, "which axis is up")
          .by_default()
          .field("fixed", &Body::fixed, "whether it stands still")
          .by_default()
          .field("parts", &Body::parts, "bodies | it is made of")
          .by_default();
  return record;
}

const Record<Limit>& Limit::record() {
  static const auto record = Record<Limit>("limit", "What a channel must keep to")
                                 .field("channel", &Limit::channel, "what is watched")
                                 .field("below", &Limit::below, "its upper limit")
                                 .field("above", &Limit::above, "its lower limit")
                                 .check([](const Limit& limit, const Where& where, Problems& problems) {
                                   if (!limit.below && !limit.above)
                                     problems.error(where, "a limit limits nothing", "give below or above");
                                 });
  return record;
}

const Record<Crane>& Crane::record() {
  static const auto record = Record<Crane>("crane", "A crane")
                                 .field("title", &Crane::title, "what it is called")
                                 .field("bodies", &Crane::bodies, "its bodies")
                                 .field("springs", &Crane::springs, "its springs")
                                 .by_default()
                                 .field("limits", &Crane::limits, "its limits")
                                 .by_default()
                                 .field("sheaves", &Crane::sheaves, "how many sheaves")
                                 .by_default()
                                 .at_least(1)
                                 .at_most(12)
                                 .field("seed", &Crane::seed, "where randomness begins")
                                 .by_default()
                                 .field("efficiency", &Crane::efficiency, "1", "of a sheave")
                                 .by_default()
                                 .above(0)
                                 .below(1.5)
                                 .field("speeds", &Crane::speeds, "m/s", "of the hook")
                                 .by_default()
                                 .at_least(0)
                                 .field("extra", &Crane::extra, "what others read");
  return record;
}

}  // namespace davit::input::test
