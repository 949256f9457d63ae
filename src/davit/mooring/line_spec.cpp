// The keys of a mooring line, of its sections, bed and ends, with what they cannot be together. It is built in
// line_build.cpp.
#include "davit/mooring/line_spec.hpp"

#include "davit/math/constants.hpp"

namespace davit::mooring {

const input::Record<SectionSpec>& SectionSpec::record() {
  static const auto r =
      input::Record<SectionSpec>("section", "A piece of a mooring line; sections follow one another from the anchor")
          .choice("type", &SectionSpec::type,
                  {{"studless_chain", LineKind::studless_chain},
                   {"studlink_chain", LineKind::studlink_chain},
                   {"wire", LineKind::wire},
                   {"polyester", LineKind::polyester}},
                  "typical properties by nominal diameter; what is given beside it comes first")
          .choice("grade", &SectionSpec::grade,
                  {{"R3", ChainGrade::R3}, {"R3S", ChainGrade::R3S}, {"R4", ChainGrade::R4}, {"R5", ChainGrade::R5}},
                  "of chain, for its breaking load")
          .by_default()
          .field("diameter", &SectionSpec::diameter, "m", "nominal, of the bar of a chain; drag is on it")
          .above(0)
          .at_most(2)
          .field("length", &SectionSpec::length, "m", "unstretched")
          .above(0)
          .at_most(1e5)
          .field("elements", &SectionSpec::elements,
                 "bars that it is divided into; if not given, as many as the way it touches the bed needs")
          .at_least(1)
          .at_most(2000)
          .field("EA", &SectionSpec::EA, "N", "axial stiffness")
          .above(0)
          .field("EI", &SectionSpec::EI, "N m^2", "bending stiffness; none if not given")
          .at_least(0)
          .field("mass", &SectionSpec::mass, "kg/m", "in air")
          .above(0)
          .field("submerged_weight", &SectionSpec::submerged_weight, "N/m", "in water")
          .field("mbl", &SectionSpec::mbl, "N", "breaking load")
          .above(0)
          .field("drag_normal", &SectionSpec::drag_normal, "1", "coefficient across: ½ρ d C v² per metre")
          .at_least(0)
          .field("drag_tangential", &SectionSpec::drag_tangential, "1", "coefficient along: ½ρ d C v² per metre")
          .at_least(0)
          .field("added_mass_normal", &SectionSpec::added_mass_normal, "1",
                 "coefficient across, of the water displaced")
          .at_least(0)
          .field("added_mass_tangential", &SectionSpec::added_mass_tangential, "1",
                 "coefficient along, of the water displaced")
          .at_least(0)
          .field(
              "axis_height", &SectionSpec::axis_height, "m",
              "of its axis above the bed where it rests: of chain by type half the width of its links, which it lies "
              "on; else 0")
          .at_least(0)
          .at_most(10)
          .field("damping_time", &SectionSpec::damping_time, "s", "of the material: T = EA (strain + time * its rate)")
          .at_least(0)
          .at_most(10)
          .by_default()
          .field("dynamic_EA", &SectionSpec::dynamic_EA, "N",
                 "of fibre: axial stiffness of changes that are fast beside 'relaxation_time'; EA is that of slow ones")
          .above(0)
          .field("relaxation_time", &SectionSpec::relaxation_time, "s",
                 "in which the tension beyond that of EA falls to 37 % at constant length")
          .above(0)
          .located(&SectionSpec::where)
          .check([](const SectionSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.dynamic_EA.has_value() != s.relaxation_time.has_value())
              problems.error(place, "stiffness by rate needs 'dynamic_EA' and 'relaxation_time'",
                             "give both, e.g. dynamic_EA: 250 MN, relaxation_time: 10 min, or neither");
          });
  return r;
}

const input::Record<AttachmentSpec>& AttachmentSpec::record() {
  static const auto r = input::Record<AttachmentSpec>("attachment", "A clump weight or a buoy on a mooring line")
                            .field("at", &AttachmentSpec::at, "m", "unstretched length from the anchor")
                            .above(0)
                            .field("mass", &AttachmentSpec::mass, "kg", "in air")
                            .at_least(0)
                            .field("volume", &AttachmentSpec::volume, "m^3", "of water that it displaces")
                            .at_least(0)
                            .by_default()
                            .field("drag_area", &AttachmentSpec::drag_area, "m^2", "coefficient of drag times area")
                            .at_least(0)
                            .by_default()
                            .field("added_mass", &AttachmentSpec::added_mass, "kg", "of the water around it")
                            .at_least(0)
                            .by_default()
                            .located(&AttachmentSpec::where);
  return r;
}

const input::Record<SeabedSpec>& SeabedSpec::record() {
  static const auto r =
      input::Record<SeabedSpec>("seabed", "The bed under mooring lines")
          .field("depth", &SeabedSpec::depth, "m",
                 "below still water, of a slope at x = y = 0; if not given, that of the environment")
          .above(0)
          .field("slope", &SeabedSpec::slope, "rad", "angle at which it goes down; level if not given")
          .at_least(0)
          .at_most(pi / 3)
          .field("slope_heading", &SeabedSpec::slope_heading, "rad", "where it goes down to: 0 along x, 90 deg along y")
          .field("stiffness", &SeabedSpec::stiffness, "N/m^2",
                 "per metre of line; if not given, the line sinks in by 0.2 m of its own weight")
          .above(0)
          .field("damping", &SeabedSpec::damping, "N s/m^2",
                 "per metre of line; if not given, critical damping of the line on the bed")
          .at_least(0)
          .field("friction", &SeabedSpec::friction, "1",
                 "coefficient of Coulomb's friction along the line, and across it if that is not given")
          .at_least(0)
          .at_most(5)
          .by_default()
          .field("friction_across", &SeabedSpec::friction_across, "1", "coefficient of friction across the line")
          .at_least(0)
          .at_most(5)
          .field("map", &SeabedSpec::map,
                 "in place of a depth: a file of heights on a regular grid (Esri ASCII grid, z up from still water)")
          .example("bathymetry.asc")
          .field("map_origin", &SeabedSpec::map_origin, "m", "where x = y = 0 is in the coordinates of the map")
          .by_default()
          .located(&SeabedSpec::where)
          .check([](const SeabedSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.slope.has_value() != s.slope_heading.has_value())
              problems.error(place, "a slope has an angle and a heading",
                             "give 'slope' and 'slope_heading', or neither");
            if (s.map && (s.slope || s.depth))
              problems.error(place, "the bed is given by a map and by a depth or a slope", "give one of them");
          });
  return r;
}

const input::Record<SpringSpec>& SpringSpec::record() {
  static const auto r =
      input::Record<SpringSpec>("spring", "A mooring line as a spring along the straight line between its ends")
          .field("stiffness", &SpringSpec::stiffness, "N/m",
                 "tension per distance; the tension at the start is 'tension' of the line")
          .above(0)
          .field("table", &SpringSpec::table,
                 "instead: points of the distance between the ends and the tension, growing; straight between, and on "
                 "beyond the last")
          .by_default()
          .example("[[380 m, 0 kN], [400 m, 300 kN], [405 m, 900 kN]]")
          .field("mbl", &SpringSpec::mbl, "N", "breaking load")
          .above(0)
          .check([](const SpringSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.stiffness.has_value() == !s.table.empty())
              problems.error(place, s.stiffness ? "the spring is given twice" : "the spring has no stiffness",
                             "give 'stiffness', e.g. 40 kN/m, or 'table'");
          });
  return r;
}

const input::Record<BreakSpec>& BreakSpec::record() {
  static const auto r =
      input::Record<BreakSpec>("break", "When a mooring line breaks, and where")
          .field("at", &BreakSpec::at, "s", "at this time")
          .at_least(0)
          .field("above", &BreakSpec::above,
                 "when the greatest tension along it is above this: a force, or a multiple of the breaking load of its "
                 "weakest section")
          .example("1 * mbl")
          .field("along", &BreakSpec::along, "m",
                 "where, in unstretched length from the first end; if not given, where the breaking load over the "
                 "tension is least, without breaking loads where the tension is greatest")
          .at_least(0)
          .located(&BreakSpec::where)
          .check([](const BreakSpec& s, const input::Where& place, input::Problems& problems) {
            if (!s.at && !s.above)
              problems.error(place, "it is not said when the line breaks", "give 'at: 100 s' or 'above: 1 * mbl'");
          });
  return r;
}

const input::Record<MooringLineSpec>& MooringLineSpec::record() {
  static const auto r =
      input::Record<MooringLineSpec>("mooring_line", "A line from an anchor, or a body, to a body: chain, wire, fibre")
          .field("anchor", &MooringLineSpec::anchor, "m", "place of the anchor in the world, z up from still water")
          .example("[300 m, 0, -50 m]")
          .field("from", &MooringLineSpec::from, "instead: a body or a named point that holds the first end")
          .field("to", &MooringLineSpec::to, "the body or named point that holds the other end: a fairlead")
          .field("sections", &MooringLineSpec::sections, "what it is made of, from the anchor on")
          .example("[{type: studless_chain, diameter: 76 mm, length: 290 m}]")
          .by_default()
          .field("attachments", &MooringLineSpec::attachments, "clump weights and buoys")
          .by_default()
          .field("seabed", &MooringLineSpec::seabed, "on which it lies; none in water without a depth")
          .field("tension", &MooringLineSpec::tension, "N",
                 "at the fairlead at the start: the length of the last section is found for it")
          .above(0)
          .field("horizontal_tension", &MooringLineSpec::horizontal_tension, "N",
                 "instead: the horizontal part of the tension at the fairlead")
          .above(0)
          .field("angle", &MooringLineSpec::angle, "rad",
                 "instead: the angle at which the line leaves the fairlead, downwards from the horizontal")
          .above(-pi / 2)
          .below(pi / 2)
          .choice(
              "model", &MooringLineSpec::model,
              {{"dynamic", LineModelKind::dynamic},
               {"quasi_static", LineModelKind::quasi_static},
               {"spring", LineModelKind::spring}},
              "dynamic: with its inertia, drag and friction; quasi_static: in equilibrium at every instant; spring: "
              "as 'spring' says, or the line made linear about its place at the start")
          .by_default()
          .field("spring", &MooringLineSpec::spring,
                 "of model spring, in place of sections: stiffness (with 'tension' at the start) or a table")
          .example("{stiffness: 40 kN/m}")
          .choice(
              "element", &MooringLineSpec::element,
              {{"auto", ElementKind::automatic}, {"bar", ElementKind::bar}, {"ancf", ElementKind::ancf}},
              "bars, which do not bend, or ANCF beams; auto: beams where an end is clamped, or where the line bends "
              "over more than a fifth of a bar, sqrt(EI/T)")
          .by_default()
          .choice("strain", &MooringLineSpec::strain,
                  {{"engineering", cable::Strain::engineering}, {"green", cable::Strain::green}},
                  "of beams; Green and Lagrange's is stiffer by 1.5 times the strain")
          .by_default()
          .field(
              "clamped_from", &MooringLineSpec::clamped_from, "1",
              "clamped at its first end: direction in which it leaves, in the axes of the body, of an anchor those of "
              "the world")
          .example("[1, 0, 0]")
          .field("clamped_to", &MooringLineSpec::clamped_to, "1",
                 "clamped at the fairlead: direction in which it leaves, in the axes of the body")
          .example("[0, 0, -1]")
          .field(
              "accuracy", &MooringLineSpec::accuracy, "1",
              "error of the tension under the motion of the waves, over its deviation, that elements are chosen for; "
              "a step of the run that is too long for it is reported")
          .at_least(finest_accuracy)
          .at_most(coarsest_accuracy)
          .by_default()
          .field("breaks", &MooringLineSpec::breaks, "when it breaks: at a time or beyond a tension, and where")
          .example("{at: 100 s}")
          .field("winch", &MooringLineSpec::winch,
                 "the line runs onto a winch at the fairlead: 'operation' moves the length paid out since the start by "
                 "the name of the line, negative to take it in")
          .by_default()
          .located(&MooringLineSpec::where)
          .check([](const MooringLineSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.spring && s.model != LineModelKind::spring)
              problems.error(place, "only a line with 'model: spring' has a spring", "give the model, or sections");
            if (!s.spring && s.sections.empty())
              problems.error(place, "the line has no sections",
                             "give one: sections: [{type: wire, diameter: 60 mm, length: 200 m}]");
            for (const auto& direction : {s.clamped_from, s.clamped_to})
              if (direction && !(direction->norm() > 0))
                problems.error(place, "the direction of a clamped end has no length",
                               "give one: clamped_to: [0, 0, -1]");
            if (s.clamped() && s.element == ElementKind::bar)
              problems.error(place, "bars do not bend, and an end of the line is clamped",
                             "leave out 'element: bar', or let the end turn");
            if (s.model != LineModelKind::dynamic && (s.clamped() || s.element == ElementKind::ancf))
              problems.error(place, "only a line with 'model: dynamic' bends",
                             "leave out 'model', or 'element: ancf' and clamped ends");
            if (s.winch && (s.clamped() || s.element == ElementKind::ancf))
              problems.error(
                  place, "a line on a winch is made of bars",
                  "take 'element: bar' and ends that turn (bars of sqrt(EI/T) and less follow it as if it bent), "
                  "or leave out the winch");
            if (s.winch && s.model == LineModelKind::spring)
              problems.error(place, "a spring has no winch", "take model dynamic or quasi_static");
            if (s.targets() > 1)
              problems.error(place, "one length cannot give two of tension, horizontal_tension and angle",
                             "give one of them");
            if (s.spring && (s.horizontal_tension || s.angle))
              problems.error(place, "a spring pulls along the straight line between its ends",
                             "give 'tension' at the start");
            if (s.spring && !s.spring->table.empty() && s.tension)
              problems.error(place, "the tension of the spring is given twice", "leave out 'tension', or the table");
          });
  return r;
}

}  // namespace davit::mooring
