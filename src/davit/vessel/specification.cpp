#include "davit/vessel/specification.hpp"

namespace davit::vessel {

using input::Record;

const Record<PositionKeepingSpec>& PositionKeepingSpec::record() {
  static const auto r =
      Record<PositionKeepingSpec>("position_keeping", "Thrusters that hold a vessel at its place and heading")
          .field("period", &PositionKeepingSpec::period, "s",
                 "period of the slow motion in surge, sway and yaw that it makes")
          .example("60 s")
          .above(0)
          .field("damping", &PositionKeepingSpec::damping, "1", "damping of that motion, as a part of critical; 0: 0.7")
          .at_least(0)
          .at_most(5)
          .by_default()
          .field("force_limit", &PositionKeepingSpec::force_limit, "N", "largest force in surge and sway together")
          .above(0)
          .field("moment_limit", &PositionKeepingSpec::moment_limit, "N m", "largest moment in yaw")
          .above(0);
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
          .field("mass", &VesselSpec::mass, "kg", "of the hull; left out: what it displaces")
          .above(0)
          .field("kg", &VesselSpec::kg, "m", "height of the hull's centre of gravity above its lowest point")
          .field("gyration", &VesselSpec::gyration, "m", "radii of gyration of the hull in roll, pitch and yaw")
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
          .choice("memory", &VesselSpec::memory,
                  {{"state_space", Memory::state_space}, {"convolution", Memory::convolution}, {"none", Memory::none}},
                  "how the water remembers waves that the vessel made: a fitted system, or a convolution (steps of one "
                  "size)")
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
                 "terms of second order of the added mass, with which it keeps energy")
          .by_default()
          .field("wave_ramp", &VesselSpec::wave_ramp, "s",
                 "time over which wave forces come up at the start; before it the water is still")
          .at_least(0)
          .by_default()
          .field("position_keeping", &VesselSpec::position_keeping,
                 "thrusters that hold it; left out: it drifts freely")
          .field("points", &VesselSpec::points, "m", "named points in its axes, z from the still water: ship.crane")
          .by_default()
          .located(&VesselSpec::where)
          .check([](const VesselSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.hydrodynamics.has_value() == s.hull.has_value())
              problems.error(place, s.hull ? "the vessel has a database and a hull" : "the vessel has no hydrodynamics",
                             "give 'hydrodynamics' (a file) or 'hull' (a shape or mesh)");
            if (s.hydrodynamics && (s.draft || s.mass || s.kg || s.gyration))
              problems.error(place, "draft, mass, kg and gyration belong to a 'hull'",
                             "leave them out: the database says what the vessel weighs");
          });
  return r;
}

}  // namespace davit::vessel
