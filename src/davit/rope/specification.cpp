// The keys of ropes, slings and winches, with ranges and defaults. They are built in build.cpp.
#include "davit/rope/specification.hpp"

namespace davit::rope {

using input::Record;

namespace {

// Fields that ropes and slings share.
template <class T>
void add_strand(Record<T>& r) {
  const auto of = [](auto StrandSpec::*member) {
    return static_cast<std::remove_reference_t<decltype(std::declval<T>().*member)> T::*>(member);
  };
  r.field("EA", of(&StrandSpec::EA), "N", "stiffness: tension per strain, with T = EA e while it is taut")
      .above(0)
      .field("table", of(&StrandSpec::table),
             "in place of EA: points of strain and tension, both growing, from (0, 0); linear between and beyond")
      .by_default()
      .example("[[0.01, 100 kN], [0.02, 300 kN]]")
      .field("damping", of(&StrandSpec::damping), "s", "time c of damping: T = EA (e + c ė) while it is taut")
      .at_least(0)
      .by_default()
      .field("tension", of(&StrandSpec::tension), "N", "tension at the start, in place of its length")
      .at_least(0)
      .field("mbl", of(&StrandSpec::mbl), "N", "minimum breaking load, for limits such as 0.3 * mbl")
      .above(0);
}

}  // namespace

const Record<PassSpec>& PassSpec::record() {
  static const auto r =
      Record<PassSpec>("pass", "What a rope passes: one of eye, sheave, post or around")
          .field("eye", &PassSpec::eye, "a body or a point of one that the rope slides through")
          .example("hook.ring")
          .field("sheave", &PassSpec::sheave, "a body or a point of one: the centre of a sheave that turns")
          .example("boom.tip")
          .field("post", &PassSpec::post, "the centre of a round post that does not turn: the rope rubs on it")
          .field("around", &PassSpec::around, "m",
                 "a point in world axes that the rope is laid around at the start and then pulled tight from, to say "
                 "on which side of things it is")
          .field("radius", &PassSpec::radius, "m", "of a sheave or post, to the middle of the rope")
          .above(0)
          .field("axis", &PassSpec::axis,
                 "axis of a sheave or post in the axes of its body: the rope goes counter-clockwise about it")
          .field("friction", &PassSpec::friction, "coefficient of an eye or a post")
          .field("pin_radius", &PassSpec::pin_radius, "m", "radius of a sheave's bearing")
          .above(0)
          .field("bearing_friction", &PassSpec::bearing_friction, "1",
                 "coefficient of friction in a sheave's bearing: the rope loses bearing_friction · pin_radius/radius "
                 "of the load on the sheave")
          .at_least(0)
          .at_most(1)
          .field("inertia", &PassSpec::inertia, "kg m^2",
                 "moment of inertia of a sheave about its axis: the rope does not slip on it, and the body that "
                 "holds it feels no moment about that axis; not part of that body's inertia")
          .above(0)
          .field("joint", &PassSpec::joint,
                 "in place of inertia: the turning joint of a body whose angle is that of the sheave")
          .located(&PassSpec::where)
          .check([](const PassSpec& p, const input::Where& place, input::Problems& problems) {
            if (p.eye.has_value() + p.sheave.has_value() + p.post.has_value() + p.around.has_value() != 1)
              problems.error(place, "a rope passes one thing at a time", "give one of eye, sheave, post or around");
            const bool round = p.sheave || p.post;
            if (round && !p.radius) problems.error(place, "'radius' is missing", "give e.g. radius: 0.4 m");
            if (round && !p.axis)
              problems.error(place, "'axis' is missing: it says on which side the rope goes",
                             "give e.g. axis: y, about which the rope goes counter-clockwise, or axis: -y");
            if (!round && (p.radius || p.axis))
              problems.error(place, "only a sheave or a post has a radius and an axis", "leave them out");
            if (p.bearing_friction && !p.pin_radius)
              problems.error(place, "'pin_radius' is missing", "give the radius of the bearing, e.g. 0.05 m");
            if (!p.sheave && (p.pin_radius || p.bearing_friction || p.inertia || p.joint))
              problems.error(place, "only a sheave has a bearing and inertia", "leave them out");
            if ((p.inertia || p.joint) && p.bearing_friction)
              problems.error(place, "a sheave with inertia has its friction in the joint",
                             "let a body with a turning joint be the sheave ('joint'), with bearing_friction there");
            if (p.inertia && p.joint)
              problems.error(place, "the inertia of a sheave is given twice", "give 'inertia' or 'joint'");
            if (p.sheave && p.friction)
              problems.error(place, "a rope does not slip on a sheave", "give bearing_friction, or make it a post");
          });
  return r;
}

const Record<RopeSpec>& RopeSpec::record() {
  static const auto r = [] {
    Record<RopeSpec> rope("rope", "A rope between two points, over whatever it passes");
    rope.field("from", &RopeSpec::from, "a body or a point of one")
        .example("boom.tip")
        .field("to", &RopeSpec::to, "a body or a point of one")
        .example("load.lug")
        .field("path", &RopeSpec::path, "what it passes, in order")
        .by_default()
        .example("[{sheave: boom.tip, radius: 0.4 m, axis: y}]")
        .field("length", &RopeSpec::length, "m", "unstretched length at the start; that of the path if not given")
        .above(0)
        .field(
            "least_length", &RopeSpec::least_length, "m",
            "what must be left between two bodies that it joins, from rim to rim, and of a rope on a winch in all: "
            "there it is two-blocked, and the run ends with these words. If not given, a fiftieth of what there is at "
            "the start, at most 0.1 m")
        .above(0)
        .field("mass", &RopeSpec::mass, "kg/m",
               "mass per unstretched metre. Only its weight counts, half of each straight piece at either end: no sag "
               "and no inertia")
        .at_least(0)
        .by_default();
    add_strand(rope);
    rope.field("touches", &RopeSpec::touches, "surfaces that it may touch, wrap and slide over")
        .by_default()
        .example("[hull, block]")
        .field("friction", &RopeSpec::friction, "coefficient on these surfaces")
        .by_default();
    rope.choice("friction_law", &RopeSpec::friction_law,
                {{"coulomb", FrictionLaw::coulomb}, {"capstan", FrictionLaw::capstan}, {"sharp", FrictionLaw::sharp}},
                "jump of tension at an eye or edge with turn θ: coulomb 2 μ T sin(θ/2), capstan (exp(μθ) - 1) T, sharp "
                "2 μ T tan(θ/2)")
        .by_default()
        .field("most_nodes", &RopeSpec::most_nodes, "points at which it may touch, waypoints included")
        .at_least(2)
        .at_most(100000)
        .by_default()
        .located(&RopeSpec::where);
    return rope;
  }();
  return r;
}

const Record<SlingsSpec>& SlingsSpec::record() {
  static const auto r = [] {
    Record<SlingsSpec> slings("slings",
                              "Slings on an equalizer: one tension in all, and the sum of their lengths given");
    slings.field("from", &SlingsSpec::from, "a body or a point of one: the equalizer on the hook")
        .example("hook")
        .field("to", &SlingsSpec::to, "bodies or points of them: the lugs")
        .example("[block.lug1, block.lug2, block.lug3]")
        .field("total_length", &SlingsSpec::total_length, "m", "sum of the unstretched lengths")
        .above(0);
    add_strand(slings);
    slings.located(&SlingsSpec::where);
    return slings;
  }();
  return r;
}

const Record<LayersSpec>& LayersSpec::record() {
  static const auto r = Record<LayersSpec>("layers", "Rope wound in layers")
                            .field("width", &LayersSpec::width, "m", "of the drum between its flanges")
                            .above(0)
                            .field("rope_diameter", &LayersSpec::rope_diameter, "m", "diameter of the rope")
                            .above(0);
  return r;
}

const Record<DrumSpec>& DrumSpec::record() {
  static const auto r =
      Record<DrumSpec>("drum", "The drum of a winch with its motor")
          .field("radius", &DrumSpec::radius, "m", "radius at which the rope runs off at the start")
          .above(0)
          .field("inertia", &DrumSpec::inertia, "kg m^2", "moment of inertia of the drum with the rope on it")
          .at_least(0)
          .by_default()
          .field("gear", &DrumSpec::gear, "1", "turns of the motor per turn of the drum")
          .above(0)
          .by_default()
          .field("motor_inertia", &DrumSpec::motor_inertia, "kg m^2", "moment of inertia of the motor's shaft")
          .at_least(0)
          .by_default()
          .field("axis", &DrumSpec::axis,
                 "if given, the rope leaves the drum along a tangent, counter-clockwise about this axis (of the body "
                 "that holds the drum) from its first end to its last; else from the point")
          .field("layers", &DrumSpec::layers, "if given, the radius falls as rope runs off");
  return r;
}

const Record<LimitsSpec>& LimitsSpec::record() {
  static const auto r = Record<LimitsSpec>("winch_limits", "What a winch can do")
                            .field("speed", &LimitsSpec::speed, "m/s", "largest speed of the rope")
                            .above(0)
                            .field("acceleration", &LimitsSpec::acceleration, "m/s^2", "largest change of that speed")
                            .above(0)
                            .field("torque", &LimitsSpec::torque, "N m", "largest torque at the drum")
                            .above(0)
                            .field("power", &LimitsSpec::power, "W", "largest power of the motor while it drives")
                            .above(0)
                            .field("braking_power", &LimitsSpec::braking_power, "W",
                                   "largest power that it takes up while the load drives it; without end if not given")
                            .above(0);
  return r;
}

const Record<BrakeSpec>& BrakeSpec::record() {
  static const auto r = Record<BrakeSpec>("brake", "A brake that holds the drum up to its torque")
                            .field("torque", &BrakeSpec::torque, "N m", "largest torque at the drum")
                            .above(0)
                            .field("closed", &BrakeSpec::closed, "s", "times from and until which it is closed")
                            .example("[[0 s, 10 s]]");
  return r;
}

const Record<PistonSpec>& PistonSpec::record() {
  static const auto r = Record<PistonSpec>("piston", "A passive heave compensator: a piston on a gas spring")
                            .field("preload", &PistonSpec::preload, "N", "force at the start")
                            .at_least(0)
                            .field("stiffness", &PistonSpec::stiffness, "N/m", "rise of the force with travel")
                            .at_least(0)
                            .field("damping", &PistonSpec::damping, "N s/m", "viscous damping")
                            .at_least(0)
                            .by_default()
                            .field("mass", &PistonSpec::mass, "kg", "of all that moves with it")
                            .above(0);
  return r;
}

const Record<HeaveSensorSpec>& HeaveSensorSpec::record() {
  static const auto r =
      Record<HeaveSensorSpec>("heave_sensor", "How heave compensation sees the point that it follows")
          .field("filter", &HeaveSensorSpec::filter, "s", "time constant of a filter of first order; 0: none")
          .at_least(0)
          .by_default()
          .field("delay", &HeaveSensorSpec::delay, "s", "by which all is seen later; 0: none")
          .at_least(0)
          .by_default();
  return r;
}

const Record<WinchSpec>& WinchSpec::record() {
  static const auto r =
      Record<WinchSpec>("winch", "What gives out and takes in rope at one of its ends")
          .field("rope", &WinchSpec::rope, "the rope that is wound on it")
          .choice("end", &WinchSpec::end, {{"from", 0}, {"to", 1}}, "which of its ends")
          .by_default()
          .choice("mode", &WinchSpec::mode,
                  {{"length", WinchMode::length},
                   {"speed", WinchMode::speed},
                   {"tension", WinchMode::tension},
                   {"constant_tension", WinchMode::constant_tension},
                   {"force", WinchMode::force},
                   {"passive", WinchMode::passive}},
                  "what the target is: length given out since the start (m; without a drum it is followed exactly), "
                  "speed of giving out (m/s), measured tension (N; constant_tension with a dead band), force of the "
                  "motor (N); passive: a piston on a spring, without target")
          .by_default()
          .field("drum", &WinchSpec::drum, "drum and motor; without one only mode length")
          .field("target", &WinchSpec::target,
                 "at the start (m, m/s or N), 0 if not given; operation moves it by the name of the winch")
          .field("response", &WinchSpec::response, "s", "time in which the motor follows the speed that is asked for")
          .above(0)
          .by_default()
          .field("gain", &WinchSpec::gain, "m/s/N", "speed of the rope per tension beyond the target or its dead band")
          .above(0)
          .field("dead_band", &WinchSpec::dead_band, "N", "of constant_tension: no motion within it")
          .at_least(0)
          .by_default()
          .field("limits", &WinchSpec::limits, "what it can do")
          .by_default()
          .field("brake", &WinchSpec::brake, "a brake on the drum")
          .field("piston", &WinchSpec::piston, "of mode passive")
          .field("follows", &WinchSpec::follows,
                 "active heave compensation: a point whose rise is added to what is given out")
          .field("sensor", &WinchSpec::sensor, "of the point that is followed")
          .by_default()
          .field("load", &WinchSpec::load, "kg",
                 "what hangs on the rope, for the gains of the motor; by the measured tension if not given")
          .at_least(0)
          .field("sample_time", &WinchSpec::sample_time, "s",
                 "of the measured tension; a tenth of the response if not given")
          .above(0)
          .located(&WinchSpec::where)
          .check([](const WinchSpec& w, const input::Where& place, input::Problems& problems) {
            const bool passive = w.mode == WinchMode::passive;
            if (passive != w.piston.has_value())
              problems.error(place, passive ? "'piston' is missing" : "only mode passive has a piston",
                             "give mode: passive and piston: {preload: 100 kN, stiffness: 10 kN/m, mass: 500 kg}");
            if (passive && (w.drum || w.target))
              problems.error(place, "mode passive has no drum and no target", "leave them out");
            const bool drives = !passive && w.mode != WinchMode::length;
            if (drives && !w.drum)
              problems.error(place, "'drum' is missing", "give e.g. drum: {radius: 0.5 m, inertia: 800 kg m^2}");
            if (!w.drum && (w.brake || w.follows))
              problems.error(place, "a brake and heave compensation act on a drum", "give a drum");
            if (w.drum && !(w.drum->inertia + w.drum->motor_inertia > 0))
              problems.error(place, "the drum has no inertia", "give inertia or motor_inertia");
            const bool measures = w.mode == WinchMode::tension || w.mode == WinchMode::constant_tension;
            if (measures && !w.gain)
              problems.error(place, "'gain' is missing", "give the speed per tension, e.g. 1e-6 m/s/N");
            if (!w.drum && (w.limits.torque || w.limits.power))
              problems.error(place, "a winch without a drum has no torque and power", "give a drum");
          });
  return r;
}

const char* WinchSpec::target_unit() const {
  return mode == WinchMode::length ? "m" : mode == WinchMode::speed ? "m/s" : "N";
}

}  // namespace davit::rope

namespace davit::input {

namespace {

struct TwoCoefficients {
  double sticking = 0, slipping = 0;
  static const Record<TwoCoefficients>& record() {
    static const auto r = Record<TwoCoefficients>("friction", "Coefficients of friction")
                              .field("static", &TwoCoefficients::sticking, "1", "until it slips")
                              .at_least(0)
                              .field("kinetic", &TwoCoefficients::slipping, "1", "while it slips")
                              .at_least(0)
                              .check([](const TwoCoefficients& c, const Where& where, Problems& problems) {
                                if (c.slipping > c.sticking)
                                  problems.error(where, "kinetic friction is above static friction",
                                                 "give a kinetic coefficient of at most the static one");
                              });
    return r;
  }
};

}  // namespace

Shape Codec<rope::FrictionSpec>::shape(const Unit&) {
  Shape shape;
  shape.example = "0.2 or {static: 0.25, kinetic: 0.2}";
  return shape;
}

void Codec<rope::FrictionSpec>::read(const Node& node, const Shape&, Problems& problems, rope::FrictionSpec& value) {
  if (node.is_map()) {
    const auto both = input::read<TwoCoefficients>(node, problems);
    value = {both.sticking, both.slipping};
    return;
  }
  Shape number = Codec<double>::shape(unit("1"));
  number.lower = Bound{0, true};
  Codec<double>::read(node, number, problems, value.sticking);
  value.slipping = value.sticking;
}

Node Codec<rope::FrictionSpec>::write(const rope::FrictionSpec& value, const Shape&) {
  if (value.sticking == value.slipping) return write_number(value.sticking, Codec<double>::shape(unit("1")));
  return TwoCoefficients::record().write({value.sticking, value.slipping});
}

}  // namespace davit::input
