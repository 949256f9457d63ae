// The keys of a scenario, its bodies, limits and run, and the registry of all sections of the library.
#include "davit/scenario/specification.hpp"

#include "davit/constraint/register.hpp"
#include "davit/contact/register.hpp"
#include "davit/control/register.hpp"
#include "davit/force/register.hpp"
#include "davit/mooring/register.hpp"
#include "davit/rope/register.hpp"
#include "davit/tracking/register.hpp"
#include "davit/vessel/register.hpp"

namespace davit {

using input::Record;

Registry& registry() {
  static Registry all = [] {
    Registry r;
    r.add_section<SurfaceSpec>("surfaces", "surface", "surfaces of bodies by name: what ropes and clearances see",
                               BuildStage::surfaces);
    r.add_section<ClearanceSpec>("clearances", "clearance", "distances between surfaces by name",
                                 BuildStage::measurements);
    constraint::register_elements(r);
    force::register_elements(r);
    contact::register_elements(r);
    rope::register_elements(r);
    control::register_elements(r);
    tracking::register_elements(r);
    vessel::register_elements(r);
    mooring::register_elements(r);
    return r;
  }();
  return all;
}

const Record<JointSpec>& JointSpec::record() {
  static const auto r =
      Record<JointSpec>("joint", "How a body moves against the one it is on")
          .field("revolute", &JointSpec::revolute, "turns about an axis; coordinate: angle")
          .field("prismatic", &JointSpec::prismatic, "slides along an axis; coordinate: travel")
          .field("cylindrical", &JointSpec::cylindrical,
                 "slides along and turns about an axis; coordinates: travel, angle")
          .field("universal", &JointSpec::universal,
                 "turns about a first and then a second axis; coordinates: angle1, angle2")
          .field("planar", &JointSpec::planar,
                 "slides in a plane and turns about its normal, which is given; coordinates: x, y, angle")
          .field("spherical", &JointSpec::spherical, "turns freely (quaternion inside)")
          .field("roll_pitch_yaw", &JointSpec::roll_pitch_yaw,
                 "turns by three angles, R = Rz(yaw) Ry(pitch) Rx(roll); coordinates: roll, pitch, yaw")
          .field("free", &JointSpec::free, "moves freely in six degrees of freedom (quaternion inside)")
          .field("fixed", &JointSpec::fixed, "is welded on; its reaction is recorded")
          .exactly_one();
  return r;
}

Joint JointSpec::joint() const {
  Joint j;
  const auto with_axis = [&](JointKind kind, const std::optional<AxisSpec>& axis) {
    if (!axis) return;
    j.kind = kind;
    j.axis = axis->direction;
  };
  with_axis(JointKind::revolute, revolute);
  with_axis(JointKind::prismatic, prismatic);
  with_axis(JointKind::cylindrical, cylindrical);
  with_axis(JointKind::planar, planar);
  if (universal) {
    j.kind = JointKind::universal;
    if (universal->size() == 2) {
      j.axis = (*universal)[0].direction;
      j.second_axis = (*universal)[1].direction;
    }
  }
  if (spherical) j.kind = JointKind::spherical;
  if (roll_pitch_yaw) j.kind = JointKind::roll_pitch_yaw;
  if (free) j.kind = JointKind::free;
  return j;
}

const Record<DenavitHartenbergSpec>& DenavitHartenbergSpec::record() {
  static const auto r =
      Record<DenavitHartenbergSpec>("denavit_hartenberg",
                                    "A turning link by its parameters: T = Rz(θ) Tz(d) Tx(a) Rx(α), θ = offset + q")
          .field("a", &DenavitHartenbergSpec::a, "m", "link length")
          .by_default()
          .field("alpha", &DenavitHartenbergSpec::alpha, "rad", "twist")
          .by_default()
          .field("d", &DenavitHartenbergSpec::d, "m", "offset along the joint")
          .by_default()
          .field("offset", &DenavitHartenbergSpec::offset, "rad", "θ at q = 0")
          .by_default()
          .field("reversed", &DenavitHartenbergSpec::reversed, "θ = offset - q")
          .by_default();
  return r;
}

const Record<BoxSpec>& BoxSpec::record() {
  static const auto r =
      Record<BoxSpec>("box", "A solid box").field("size", &BoxSpec::size, "m", "length along x, y and z").above(0);
  return r;
}
const Record<CylinderSpec>& CylinderSpec::record() {
  static const auto r = Record<CylinderSpec>("cylinder", "A solid cylinder")
                            .field("radius", &CylinderSpec::radius, "m", "radius")
                            .above(0)
                            .field("length", &CylinderSpec::length, "m", "length")
                            .above(0)
                            .field("axis", &CylinderSpec::axis, "direction of its axis")
                            .by_default();
  return r;
}
const Record<SphereSpec>& SphereSpec::record() {
  static const auto r =
      Record<SphereSpec>("sphere", "A solid sphere").field("radius", &SphereSpec::radius, "m", "radius").above(0);
  return r;
}

const char* name_of(BodyCoordinates coordinates) {
  switch (coordinates) {
    case BodyCoordinates::joint:
      break;
    case BodyCoordinates::particle:
      return "particle";
    case BodyCoordinates::directors:
      return "directors";
  }
  return "joint";
}

const Record<BodySpec>& BodySpec::record() {
  static const auto r =
      Record<BodySpec>("body", "A rigid body and the joint that holds it")
          .field("on", &BodySpec::on,
                 "the body it is on, or a point of one, or world; a free body begins there and then moves against the "
                 "world")
          .by_default()
          .choice("coordinates", &BodySpec::coordinates,
                  {{"joint", BodyCoordinates::joint},
                   {"particle", BodyCoordinates::particle},
                   {"directors", BodyCoordinates::directors}},
                  "joint: those of its joint; particle: the place of a point mass, which does not turn; directors: a "
                  "free body with constant mass matrix, by the place of its centre and three directors. The last two "
                  "carry no bodies; they start as a free joint does (x, x_rate, …)")
          .by_default()
          .field("at", &BodySpec::at, "m", "place of the joint in the frame of the body it is on")
          .by_default()
          .field(
              "level", &BodySpec::level,
              "of a free body: 'at' is measured level, with z up and x in the heading of what it is on, however that "
              "is inclined; as of a hook under a boom")
          .by_default()
          .field("turn", &BodySpec::turn, "turns of the joint's frame, one after the other")
          .by_default()
          .field("joint", &BodySpec::joint, "how it moves; fixed if not given")
          .example("{revolute: z} or free")
          .field("denavit_hartenberg", &BodySpec::denavit_hartenberg,
                 "a turning link by its parameters, in place of at, turn and joint")
          .field("mass", &BodySpec::mass, "kg", "mass")
          .at_least(0)
          .by_default()
          .field("centre", &BodySpec::centre, "m", "centre of mass in the body's frame")
          .by_default()
          .field("inertia", &BodySpec::inertia, "kg m^2", "moments of inertia about the centre: Ixx, Iyy, Izz")
          .field("products", &BodySpec::products, "kg m^2",
                 "products of inertia Ixy, Ixz, Iyz as they stand in the matrix (off-diagonal entries)")
          .field("box", &BodySpec::box, "inertia of a solid box, in place of inertia")
          .field("cylinder", &BodySpec::cylinder, "inertia of a solid cylinder, in place of inertia")
          .field("sphere", &BodySpec::sphere, "inertia of a solid sphere, in place of inertia")
          .field("weightless", &BodySpec::weightless,
                 "gravity does not act on it: its weight is carried by what is not modelled")
          .by_default()
          .field("start", &BodySpec::start,
                 "coordinates of the joint at the start, and their rates as name_rate; speeds of free and spherical "
                 "joints in "
                 "the axes of the body as surge_speed, sway_speed, heave_speed, roll_speed, pitch_speed, yaw_speed")
          .by_default()
          .example("{angle: 30 deg, angle_rate: 0.1 rad/s}")
          .field("points", &BodySpec::points, "m",
                 "named points in the body's frame, for lines and wrenches (boom.tip)")
          .by_default()
          .located(&BodySpec::where);
  return r;
}

const Record<EnvironmentSpec>& EnvironmentSpec::record() {
  static const auto r =
      Record<EnvironmentSpec>("environment", "What surrounds the lift")
          .field("gravity", &EnvironmentSpec::gravity, "m/s^2", "acceleration of gravity, downwards along z")
          .at_least(0)
          .by_default()
          .field("water_density", &EnvironmentSpec::water_density, "kg/m^3", "density of the water")
          .above(0)
          .by_default()
          .field("water_depth", &EnvironmentSpec::water_depth, "m", "depth of the water; left out: deep")
          .above(0)
          .field("waves", &EnvironmentSpec::waves, "the waves that vessels meet; left out: still water")
          .field("wave_probes", &EnvironmentSpec::wave_probes,
                 "bodies or points at which the undisturbed waves are recorded: elevation, air gap, velocity and "
                 "pressure, as ship.bow.wave_elevation")
          .example("[ship.bow, load]")
          .by_default()
          .field("wind", &EnvironmentSpec::wind,
                 "the wind, felt by vessels with 'wind' and by forces of kind 'wind_area'; left out: none")
          .field("current", &EnvironmentSpec::current,
                 "the current, felt by vessels with 'current', by their damping and by mooring lines; left out: none")
          .field("seabed", &EnvironmentSpec::seabed,
                 "the bed under all mooring lines that do not give their own; left out: level, at water_depth");
  return r;
}

sea::Water EnvironmentSpec::water() const {
  return {water_density, gravity, water_depth.value_or(std::numeric_limits<double>::infinity())};
}

const Record<LimitSpec>& LimitSpec::record() {
  static const auto r =
      Record<LimitSpec>("limit", "A bound that channels must keep at every step of the run, whatever is recorded")
          .field("channel", &LimitSpec::channel,
                 "name of the channel, or a pattern with * and ?: every channel that matches is a limit of its own")
          .example("king.reaction.Fz or sling*.tension")
          .field(
              "below", &LimitSpec::below,
              "upper bound: a quantity, or a multiple of a value of what the channel belongs to (0.3 * mbl of a "
              "rope, 1.5 * weight or mass of a body), of another thing (1.2 * load.weight), or of the channel itself "
              "in the equilibrium that the run starts from (1.3 * static)")
          .field("above", &LimitSpec::above, "lower bound")
          .field("from", &LimitSpec::from, "s", "time from which it holds; if not given the start")
          .at_least(0)
          .field("until", &LimitSpec::until, "s", "time until which it holds; if not given the end")
          .above(0)
          .choice("after", &LimitSpec::after_start_up, {{"start", false}, {"start-up", true}},
                  "start-up: it holds from the end of run.start_up, so that waves have come up")
          .by_default()
          .field("phase", &LimitSpec::phase, "phase of the operation during which alone it holds")
          .example("lift_off")
          .field("why", &LimitSpec::why, "reason, for the report")
          .by_default()
          .located(&LimitSpec::where)
          .check([](const LimitSpec& l, const input::Where& place, input::Problems& problems) {
            if (!l.below && !l.above) problems.error(place, "the limit has no bound", "give 'below' or 'above'");
            if (l.from && l.after_start_up)
              problems.error(place, "the limit says twice from when it holds", "give 'from' or 'after', not both");
            if (l.from.value_or(0) >= l.until.value_or(std::numeric_limits<double>::infinity()))
              problems.error(place, "the limit ends before it begins", "give 'until' after 'from'");
          });
  return r;
}

namespace {

std::vector<std::pair<std::string, std::string>> method_choices() {
  std::vector<std::pair<std::string, std::string>> choices{{"auto", "auto"}};
  for (const MethodInfo& m : methods()) choices.emplace_back(m.name, m.name);
  return choices;
}

std::string method_help() {
  std::string help = "auto: chosen by what the model contains, with the reason in the report";
  for (const MethodInfo& m : methods()) help += "; " + m.name + ": " + m.use;
  return help;
}

}  // namespace

const Record<RunSpec>& RunSpec::record() {
  static const auto r =
      Record<RunSpec>("run", "How the scenario is run")
          .field("duration", &RunSpec::duration, "s", "how long to simulate")
          .above(0)
          .example("60 s")
          .field("step", &RunSpec::step, "s", "time step; the longest one of adaptive methods")
          .above(0)
          .field("output", &RunSpec::output, "s",
                 "interval of recording; if not given the step, or a 1000th of the duration")
          .above(0)
          .field("start_up", &RunSpec::start_up, "s",
                 "what limits with after: start-up leave out; if not given the longest ramp of waves and wind")
          .at_least(0)
          .choice("method", &RunSpec::method, method_choices(), method_help())
          .by_default()
          .field("tolerance", &RunSpec::tolerance, "1",
                 "error per step of adaptive methods, in rad, m and relative speed")
          .above(0)
          .at_most(0.1)
          .by_default()
          .field("spectral_radius", &RunSpec::spectral_radius, "1",
                 "method generalised_alpha: spectral radius at infinite frequency; 1: no damping")
          .at_least(0)
          .at_most(1)
          .by_default()
          .field("dissipation", &RunSpec::dissipation, "1", "method spook: time constant of its relaxation, in steps")
          .at_least(0)
          .by_default()
          .field("reduced", &RunSpec::reduced,
                 "implicit methods: solve for the independent speeds alone, on the motions that constraints allow; the "
                 "same solution, for very short steps; up to 200 unknowns")
          .by_default()
          .field("resolve_loads", &RunSpec::resolve_loads,
                 "fixed steps are shortened where ropes come taut, loads touch down and mooring lines snap, until what "
                 "they carry is resolved; false: every step is as long as asked for")
          .by_default()
          .field("seed", &RunSpec::seed, "seed of all that is random")
          .at_least(0)
          .by_default()
          .field("channels", &RunSpec::channels,
                 "which channels to record, with * and ? as wildcards; all if not given")
          .by_default()
          .field("plot", &RunSpec::plot, "which channels the report plots; a sensible choice if not given")
          .by_default()
          .choice(
              "precision", &RunSpec::precision,
              {{"rounded", RecordedPrecision::rounded}, {"full", RecordedPrecision::full}},
              "of recorded channels: rounded keeps each number to 1.9e-9 of itself, in a file of half the size; full "
              "keeps every bit; limits and statistics are of unrounded numbers either way")
          .by_default()
          .field("frames", &RunSpec::frames, "Hz",
                 "how often the lift is recorded to be looked at (davit view, the report's picture); 0: not at all")
          .at_least(0)
          .at_most(1000)
          .by_default()
          .choice("units", &RunSpec::units,
                  {{"engineering", html::UnitSystem::engineering}, {"si", html::UnitSystem::si}},
                  "units of tables, plots and the report: deg, t, kN and MN by magnitude, or si; files have SI units")
          .by_default()
          .field("from_equilibrium", &RunSpec::from_equilibrium,
                 "start at rest in the static equilibrium near the given start: true, false, or try, which starts as "
                 "given if none is found; try if not given and there are vessels")
          .field("offset", &RunSpec::offset, "joints that begin away from there: added to the start or equilibrium")
          .example("{load.angle1: 20 deg}")
          .field("modes", &RunSpec::modes,
                 "natural modes about the static equilibrium, for the report; if not given, of models of up to 200 "
                 "speeds")
          .located(&RunSpec::where);
  return r;
}

const Record<ReportSpec>& ReportSpec::record() {
  static const auto r = Record<ReportSpec>("report", "The title block of the report, and what it shows")
                            .field("project", &ReportSpec::project, "what the lift is part of")
                            .by_default()
                            .field("client", &ReportSpec::client, "whom it is for")
                            .by_default()
                            .field("document", &ReportSpec::document, "number of the document")
                            .by_default()
                            .field("revision", &ReportSpec::revision, "of the document")
                            .by_default()
                            .field("made_by", &ReportSpec::made_by, "who made it")
                            .by_default()
                            .field("checked_by", &ReportSpec::checked_by, "who checked it")
                            .by_default()
                            .field("notes", &ReportSpec::notes, "assumptions, and what else a reader must know")
                            .by_default()
                            .field("replay", &ReportSpec::replay, "a small replay of the scene in the page")
                            .by_default();
  return r;
}

namespace {

void add_sections(Record<Specification>& record) {
  for (const auto& each : registry().sections()) {
    const Section* section = each.get();
    record.registered(
        section->field(),
        [section](const input::Node& node, const input::Shape& shape, input::Problems& problems, Specification& spec) {
          spec.elements.set(section->key(), section->read(node, shape, problems));
        },
        // What kinds have read is not written: the tree that it came from is.
        [](const Specification&, const input::Shape&) { return std::optional<input::Node>(); });
  }
}

Record<Specification> record_of_scenario() {
  Record<Specification> r("scenario", "A lift in one file");
  r.field("davit", &Specification::davit, "version of this format: 1")
      .at_least(1)
      .at_most(1)
      .example("1")
      .field("title", &Specification::title, "one line that says what is lifted")
      .field("description", &Specification::description, "more words, for the report")
      .by_default()
      .field("environment", &Specification::environment, "gravity, water, waves, wind and current")
      .by_default()
      .field("bodies", &Specification::bodies, "bodies by name")
      .by_default();
  add_sections(r);
  r.field("rigging", &Specification::rigging,
          "how exact slings and the load's centre of gravity are; left out: as given")
      .field("operation", &Specification::operation, "what happens when")
      .by_default()
      .field("levers", &Specification::levers, "what somebody outside moves while the run goes, for `davit live`")
      .field("plan", &Specification::plan, "inputs that make a load go where it should, for `davit plan`")
      .field("limits", &Specification::limits, "bounds to check")
      .by_default()
      .field("run", &Specification::run, "how to run it")
      .field("report", &Specification::report, "title block of the report")
      .by_default()
      .located(&Specification::where);
  return r;
}

}  // namespace

// Made when the first scenario is read: with all that was registered by then.
const Record<Specification>& Specification::record() {
  static const auto r = [] {
    registry().close();
    return record_of_scenario();
  }();
  return r;
}

}  // namespace davit

namespace davit::input {

Shape Codec<EquilibriumWish>::shape(const Unit&) {
  Shape shape;
  shape.example = "true, false or try";
  return shape;
}

void Codec<EquilibriumWish>::read(const Node& node, const Shape& shape, Problems& problems, EquilibriumWish& value) {
  if (node.text == "true")
    value = EquilibriumWish::yes;
  else if (node.text == "false")
    value = EquilibriumWish::no;
  else if (node.text == "try")
    value = EquilibriumWish::attempt;
  else
    problems.error(node.where(), "a run begins in equilibrium, or does not", "give " + shape.example);
}

Node Codec<EquilibriumWish>::write(EquilibriumWish value, const Shape&) {
  return scalar_node(value == EquilibriumWish::yes ? "true" : value == EquilibriumWish::no ? "false" : "try");
}

}  // namespace davit::input
