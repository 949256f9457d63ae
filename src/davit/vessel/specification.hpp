// Vessels as a file describes them: a floating body with the hydrodynamics of a database or of a hull that is solved
// when first named.
//
//   vessels:
//     ship: {hydrodynamics: vessels/supply_ship.h5, position_keeping: {period: 60 s}}
//     barge: {hull: "barge: 110 x 46 x 7.5 m", draft: 3.63 m, at: [60 m, 0]}
#pragma once

#include <optional>

#include "davit/assembly/assembly.hpp"
#include "davit/input/file_path.hpp"
#include "davit/input/record.hpp"
#include "davit/math/types.hpp"
#include "davit/panel/job.hpp"
#include "davit/vessel/air.hpp"

namespace davit::hull_load {
class FlowCoefficients;
}

namespace davit::vessel {

// Thrusters that hold a vessel about its place and heading: position_keeping.hpp.
struct PositionKeepingSpec {
  double period = 0;                   // of the slow motion that it makes, in surge, sway and yaw
  double damping = 0;                  // of that motion, as a part of critical
  std::optional<double> integral;      // time in which steady loads are found, 0: not; left out: three periods
  std::optional<double> wave_filter;   // period of the waves to be left out, 0: none; left out: peak of the sea
  std::optional<double> force_limit;   // in surge and sway together
  std::optional<double> moment_limit;  // in yaw
  input::Where where;
  static const input::Record<PositionKeepingSpec>& record();
};

// Coefficients of a flow over its angle: 0 from astern, 90 deg from starboard, 180 deg from ahead.
struct FlowTableSpec {
  std::vector<double> angles, surge, sway, yaw;
  static const input::Record<FlowTableSpec>& record();
};
hull_load::FlowCoefficients coefficients_of(const FlowTableSpec&);

// What a hull shows to a flow: ½ρV²(C_x A_f, C_y A_s, C_N A_s L), see hull_load/flow_load.hpp.
struct FlowSpec {
  double frontal_area = 0, lateral_area = 0;
  std::optional<double> length;
  double surge = 0, sway = 0, yaw = 0;
  std::optional<FlowTableSpec> table;
};
struct WindOnHullSpec : FlowSpec {
  double height = 0;
  double density = air_density;
  WindOnHullSpec() : FlowSpec{0, 0, std::nullopt, 0.6, 0.9, 0.1, std::nullopt} {}
  static const input::Record<WindOnHullSpec>& record();
};
struct CurrentOnHullSpec : FlowSpec {
  CurrentOnHullSpec() : FlowSpec{0, 0, std::nullopt, 0.3, 0.7, 0.08, std::nullopt} {}
  static const input::Record<CurrentOnHullSpec>& record();
};

// How the second order of waves acts: the drift of the database by Newman's approximation, or not at all.
enum class Drift { newman, none };

// What the weight in the database is: the vessel alone, what is on board coming on top, or all together.
enum class Weight { vessel_only, loaded };

enum class Memory { state_space, convolution, none };
// Of the hull: exact ones with linear forces of the water, or those of linear theory throughout.
enum class Equations { full, linear };

struct VesselSpec {
  std::optional<input::FilePath> hydrodynamics;
  std::optional<std::string> hull;  // or a hull: as panel::HullSpec
  std::optional<double> draft, kg;  // of the hull
  std::optional<double> mass;       // of the hull, or another than that of the database
  std::optional<Vec3> centre;       // another than that of the database
  std::optional<Vec3> gyration;     // of the hull, or other than those of the database

  Vec2 at = Vec2::Zero();
  double heading = 0;
  Equations equations = Equations::full;
  Weight weight = Weight::vessel_only;
  Memory memory = Memory::state_space;
  double memory_tolerance = 0.01;
  std::optional<Vec6> linear_damping, quadratic_damping;
  std::optional<double> roll_damping;  // beyond potential flow, as a part of critical
  bool coriolis = true;
  bool held = false;                // in surge, sway and yaw, by something stiff
  std::optional<double> wave_ramp;  // left out: vessel::wave_ramp
  std::optional<Drift> drift;       // left out: newman where the database has mean drift
  std::optional<WindOnHullSpec> wind;
  std::optional<CurrentOnHullSpec> current;
  std::optional<PositionKeepingSpec> position_keeping;
  input::Named<Vec3> points;
  input::Where where;
  static const input::Record<VesselSpec>& record();
  // The forces of still water, wind and current on its body, and of waves when all else is built (vessel.hpp).
  void build(const std::string& name, Assembly&) const;
  static void complete(Assembly&);
};

}  // namespace davit::vessel
