// The forces on a vessel by subject; vessel::build calls them in order.
#pragma once

#include "davit/hull_load/flow_load.hpp"
#include "davit/hull_load/load_axes.hpp"
#include "davit/sea/waves.hpp"
#include "davit/vessel/vessel.hpp"
#include "davit/wave_load/linear_response.hpp"

namespace davit::vessel {

// What the forces on one vessel are made from.
struct Hull {
  const std::string& name;
  const VesselSpec& spec;
  const hydro::Database& database;
  hydro::MassProperties own;      // of the vessel itself
  hydro::MassProperties loading;  // with all on board
  Frame frame;
  hull_load::ForceAxes axes;  // of waves, memory and damping
  bool solved;                // false: added mass, damping and forces of waves are zero
};

// Whether its added mass has Coriolis terms.
inline bool adds_coriolis(const VesselSpec& spec) { return spec.coriolis && spec.equations == Equations::full; }

// Centre of buoyancy; of a hull whose own is not known, below its centre of gravity in the waterplane.
Vec3 buoyancy_centre(const hydro::FloatingBody& body);

// What the water does to a hull that floats in it: buoyancy, or restoring of linear theory.
void add_restoring(const Hull& hull, double gravity, Assembly& assembly);

// Added mass and memory. Returns the added mass at infinite frequency; none after a mistake.
std::optional<Mat6> add_radiation(const Hull& hull, Assembly& assembly);

// Linear damping beyond potential flow: given, of the database, and in roll as a part of critical. `infinite`: added
// mass at infinite frequency.
Mat6 linear_damping(const Hull& hull, const Mat6& infinite);

// Damping beyond potential flow.
void add_damping(const Hull& hull, const Mat6& infinite, Assembly& assembly);

// The channel of the sea at the hull.
void add_wave_elevation(const Hull& hull, Assembly& assembly);

// The hull with all on board, as far as linear theory knows it.
wave_load::LinearHullData linear_hull(const Hull& hull, double gravity, const Mat6& infinite, Assembly& assembly);

// A hull with all that answers its waves, which outlives the building of the model.
struct HullInWaves {
  HullInWaves(const Hull& hull, std::optional<wave_load::LinearHullData> linear);
  hydro::Database database;
  // How it moves in waves by linear theory, where its mean place is told from its motion in waves.
  std::optional<wave_load::LinearHullData> linear;
  std::string name;
  VesselSpec spec;
  Frame frame;
  hull_load::ForceAxes axes;
};
// Dynamic stiffness of what ties a hull, in an environment; empty: nothing does.
using TiesOfHull = std::function<std::function<wave_load::Mat6c(double)>(const Environment&)>;

// Waves on the hull: excitation of first order and slow drift.
void add_wave_loads(const std::shared_ptr<const HullInWaves>& hull, const TiesOfHull& ties, Assembly& assembly);

// Whether the database covers a sea: what it does not is refused, or said.
void check_waves(const HullInWaves& hull, const sea::Waves& waves, input::Problems& problems);

// Velocity of the current that the hull is in: at its centre of buoyancy.
Vec3 current_at(const Hull& hull, Assembly& assembly);

// Drag of water that flows past the hull, where it is given.
std::optional<hull_load::FlowLoad::Data> drag_of_water(const Hull& hull, const Mat6& infinite);

// Drag of air and water that flow past the hull.
void add_wind_and_current(const Hull& hull, const Mat6& infinite, Assembly& assembly);

// What holds a vessel in its place while waves move it, per unit of motion: surge to yaw.
struct Hold {
  Vec6 stiffness = Vec6::Zero(), damping = Vec6::Zero();
};
// Thrusters that work against waves too, or whatever it is that holds a vessel which the file calls held.
Hold hold_of(const Hull& hull, const Mat6& infinite, Assembly& assembly);

// Position keeping, where it is asked for. `infinite`: added mass at infinite frequency.
void add_thrusters(const Hull& hull, const Mat6& infinite, Assembly& assembly);

}  // namespace davit::vessel
