#include "davit/vessel/specification.hpp"

#include <stdexcept>

#include "davit/hull_load/flow_load.hpp"

namespace davit::vessel {

using input::Record;

const Record<PositionKeepingSpec>& PositionKeepingSpec::record() {
  static const auto r =
      Record<PositionKeepingSpec>("position_keeping", "Thrusters that hold a vessel at its place and heading")
          .field("period", &PositionKeepingSpec::period, "s",
                 "natural period of the controlled motion in surge, sway and yaw")
          .example("60 s")
          .above(0)
          .field("damping", &PositionKeepingSpec::damping, "1", "damping of that motion, as a part of critical; 0: 0.7")
          .at_least(0)
          .at_most(5)
          .by_default()
          .field("integral", &PositionKeepingSpec::integral, "s",
                 "time in which a steady load (wind, current, mean drift) is found and balanced, so that the vessel "
                 "comes back to its place; 0: not at all; left out: three periods")
          .at_least(0)
          .field("wave_filter", &PositionKeepingSpec::wave_filter, "s",
                 "period of waves that the thrusters do not work against; 0: no filter; left out: the peak period of "
                 "environment.waves, none in still water")
          .at_least(0)
          .field("force_limit", &PositionKeepingSpec::force_limit, "N", "largest force in surge and sway together")
          .above(0)
          .field("moment_limit", &PositionKeepingSpec::moment_limit, "N m", "largest moment in yaw")
          .above(0)
          .located(&PositionKeepingSpec::where);
  return r;
}

const Record<FlowTableSpec>& FlowTableSpec::record() {
  static const auto r =
      Record<FlowTableSpec>("flow_table", "Coefficients of drag over the angle of a flow")
          .field(
              "angles", &FlowTableSpec::angles, "rad",
              "to which the flow goes, from the bow to port: 0 from astern, 90 deg from starboard, 180 deg from ahead; "
              "from 0 to 180 deg for a hull that is its own mirror image, or from -180 deg to 180 deg")
          .example("[0, 45 deg, 90 deg, 135 deg, 180 deg]")
          .field("surge", &FlowTableSpec::surge, "1", "coefficients forward, of the frontal area")
          .field("sway", &FlowTableSpec::sway, "1", "coefficients to port, of the lateral area")
          .field("yaw", &FlowTableSpec::yaw, "1", "coefficients of the moment to port, of lateral area times length")
          .check([](const FlowTableSpec& s, const input::Where& place, input::Problems& problems) {
            const size_t n = s.angles.size();
            if (s.surge.size() != n || s.sway.size() != n || s.yaw.size() != n) {
              problems.error(place, "the table has not as many coefficients as angles",
                             "give 'surge', 'sway' and 'yaw' for each of 'angles'");
              return;
            }
            try {
              std::vector<hull_load::FlowCoefficients::Knot> knots;
              for (const double angle : s.angles) knots.push_back({angle, Vec3::Zero()});
              hull_load::FlowCoefficients{knots};
            } catch (const std::invalid_argument& mistake) {
              problems.error(place, mistake.what(), "give them in order, the first 0 or -180 deg and the last 180 deg");
            }
          });
  return r;
}

namespace {

template <class Spec>
Record<Spec> flow_record(const char* name, const char* help, const char* where, const char* source) {
  const std::string coefficient = std::string("; ") + source;
  return Record<Spec>(name, help)
      .template field<double>("frontal_area", &Spec::frontal_area, "m^2", std::string("seen from ahead, ") + where)
      .above(0)
      .template field<double>("lateral_area", &Spec::lateral_area, "m^2", std::string("seen from the side, ") + where)
      .above(0)
      .template field<std::optional<double>>(
          "length", &Spec::length, "m",
          "of the moment in yaw; left out: of a rectangle with area and moment of the waterplane")
      .above(0)
      .template field<double>("surge", &Spec::surge, "1", "C_x of surge C_x cos(angle)" + coefficient)
      .at_least(0)
      .by_default()
      .template field<double>("sway", &Spec::sway, "1", "C_y of sway C_y sin(angle)" + coefficient)
      .at_least(0)
      .by_default()
      .template field<double>("yaw", &Spec::yaw, "1",
                              "C_N of yaw -C_N sin(2 angle), which turns the hull broadside on; a rule of thumb")
      .by_default()
      .template field<std::optional<FlowTableSpec>>("table", &Spec::table,
                                                    "coefficients over the angle, in place of the three");
}

}  // namespace

const Record<WindOnHullSpec>& WindOnHullSpec::record() {
  static const auto r = flow_record<WindOnHullSpec>("wind_on_hull", "What a vessel shows to the wind",
                                                    "above the water", "about an offshore ship's (Blendermann, 1994)")
                            .field("height", &WindOnHullSpec::height, "m",
                                   "of the middle of the areas above the water: where the wind is taken and acts")
                            .above(0)
                            .field("density", &WindOnHullSpec::density, "kg/m^3", "of the air")
                            .above(0)
                            .by_default();
  return r;
}

const Record<CurrentOnHullSpec>& CurrentOnHullSpec::record() {
  static const auto r = flow_record<CurrentOnHullSpec>(
      "current_on_hull", "What a vessel shows to the water that flows past it, at its centre of buoyancy",
      "under water", "a rule of thumb");
  return r;
}

const Record<VesselSpec>& VesselSpec::record() {
  static const auto r =
      Record<VesselSpec>("vessel", "A floating body with its hydrodynamics; other bodies may be on it")
          .field("hydrodynamics", &VesselSpec::hydrodynamics,
                 "its database: Davit's .h5, Capytaine's .nc, .mat of MSS, stem of a WAMIT run, folder of a NEMOH run; "
                 "relative to "
                 "the file that names it")
          .example("supply_ship.h5")
          .field("hull", &VesselSpec::hull,
                 "instead: a shape with dimensions or a mesh, solved when first named and then kept")
          .example("barge: 110 x 46 x 7.5 m")
          .field("draft", &VesselSpec::draft, "m", "of the hull")
          .above(0)
          .field(
              "mass", &VesselSpec::mass, "kg",
              "left out: what the hull displaces, or that of the database; a vessel of another mass than that of its "
              "database floats higher or deeper")
          .above(0)
          .field("kg", &VesselSpec::kg, "m", "height of the hull's centre of gravity above its lowest point")
          .field(
              "centre", &VesselSpec::centre, "m",
              "centre of gravity beside a database, in the axes of the vessel, z from the still water; left out: that "
              "of the database")
          .field("gyration", &VesselSpec::gyration, "m",
                 "radii of gyration in roll, pitch and yaw about the centre of gravity; left out: typical ones of the "
                 "hull, or those of the database")
          .above(0)
          .field("at", &VesselSpec::at, "m", "where its origin floats")
          .by_default()
          .field("heading", &VesselSpec::heading, "rad", "heading: 0 along x, 90 deg along y")
          .by_default()
          .choice("equations", &VesselSpec::equations, {{"full", Equations::full}, {"linear", Equations::linear}},
                  "linear: those of linear theory about the centre of gravity, without Coriolis terms, restoring by "
                  "small angles in the hull's axes, waves met where the run begins; to compare with models that have "
                  "these")
          .by_default()
          .choice("weight", &VesselSpec::weight, {{"alone", Weight::vessel_only}, {"laden", Weight::loaded}},
                  "what the mass of the database or hull includes: the vessel alone, and bodies on board are added to "
                  "it; or bodies on board too, so that with them it floats as in the database")
          .by_default()
          .choice("memory", &VesselSpec::memory,
                  {{"state_space", Memory::state_space}, {"convolution", Memory::convolution}, {"none", Memory::none}},
                  "radiation memory: a fitted state-space model, or the convolution integral (fixed steps)")
          .by_default()
          .field("memory_tolerance", &VesselSpec::memory_tolerance, "1",
                 "of the fitted system, of the largest of kernel and damping")
          .above(0)
          .below(1)
          .by_default()
          .field("linear_damping", &VesselSpec::linear_damping, "1",
                 "beyond potential flow, surge to yaw, N s/m and N m s/rad: force per velocity")
          .at_least(0)
          .field("quadratic_damping", &VesselSpec::quadratic_damping, "1",
                 "surge to yaw, N s²/m² and N m s²/rad²: force per squared velocity")
          .at_least(0)
          .field("roll_damping", &VesselSpec::roll_damping, "1", "in roll beyond potential flow, as a part of critical")
          .at_least(0)
          .field("coriolis", &VesselSpec::coriolis,
                 "Coriolis and centripetal terms of the added mass, with which it conserves energy")
          .by_default()
          .field(
              "held", &VesselSpec::held,
              "something stiff holds it in surge, sway and yaw (a constraint, a jetty), so that waves do not move it "
              "there: no motion in waves is taken off the place at which it meets them")
          .by_default()
          .field(
              "wave_ramp", &VesselSpec::wave_ramp, "s",
              "time over which wave forces come up at the start, before which the water is still; if not given, three "
              "periods of the peak of the sea, and at least 10 s: a sudden start would push a free vessel away")
          .at_least(0)
          .choice("drift", &VesselSpec::drift, {{"newman", Drift::newman}, {"none", Drift::none}},
                  "mean and slowly varying drift in waves: from the mean drift of the database by Newman's "
                  "approximation, or none; left out: newman where the database has mean drift")
          .field("wind", &VesselSpec::wind, "areas above the water, on which environment.wind acts; left out: none")
          .field("current", &VesselSpec::current,
                 "areas under water, for drag by environment.current and by the vessel's own speed; left out: none")
          .field("position_keeping", &VesselSpec::position_keeping,
                 "thrusters that hold it (also: station_keeping); left out: it drifts freely")
          .also("station_keeping")
          .field("points", &VesselSpec::points, "m", "named points in its axes, z from the still water: ship.crane")
          .by_default()
          .located(&VesselSpec::where)
          .check([](const VesselSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.hydrodynamics.has_value() == s.hull.has_value())
              problems.error(place, s.hull ? "the vessel has a database and a hull" : "the vessel has no hydrodynamics",
                             "give 'hydrodynamics' (a file) or 'hull' (a shape or mesh)");
            if (s.equations == Equations::linear && s.weight == Weight::loaded)
              problems.error(place, "weight: laden is not for equations: linear, whose restoring has the weight in it",
                             "leave one of them out");
            if (s.hydrodynamics && (s.draft || s.kg))
              problems.error(place, "draft and kg belong to a 'hull'",
                             "leave them out: the database says how the vessel floats; give 'mass', 'centre' and "
                             "'gyration' where it weighs something else");
            if (s.hull && s.centre)
              problems.error(place, "'centre' belongs to a database", "give 'kg', the height of the hull's centre");
            if (s.equations == Equations::linear && s.hydrodynamics && (s.mass || s.centre))
              problems.error(place,
                             "mass and centre are not for equations: linear, whose restoring has the weight in it",
                             "leave one of them out");
          });
  return r;
}

}  // namespace davit::vessel
