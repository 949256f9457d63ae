// What `davit hydro solve` is asked: hulls, water, frequencies and headings, as a file or a command line gives them.
//
//   water: {depth: 50 m}
//   bodies:
//     barge: {hull: "barge: 110 x 46 x 7.5 m", draft: 3.63 m, kg: 6 m}
//     block_carrier: {hull: carrier.gdf, at: [0, 60 m]}
//   frequencies: {to: 2 rad/s, count: 50}
#pragma once

#include <filesystem>
#include <limits>
#include <optional>

#include "davit/input/record.hpp"
#include "davit/math/types.hpp"

namespace davit::panel {

// A hull that floats, and its weight. What is left out is worked out or typical, and said.
struct HullSpec {
  std::string hull;               // a shape (hull/shape_text.hpp) or the path of a mesh
  std::optional<double> draft;    // of the lowest point
  std::optional<double> mass;     // not given: what it displaces
  std::optional<Vec3> centre;     // of gravity, in the axes of the hull, z above its lowest point
  std::optional<double> kg;       // that height alone instead, over the centre of buoyancy
  std::optional<Vec3> gyration;   // radii about it, for roll, pitch and yaw
  std::optional<Vec3> reference;  // of motions and moments, z from the still water; not given: the hull's origin there
  Vec2 at = Vec2::Zero();         // place of the hull's origin among several
  std::optional<double> panel_size;
  input::Where where;

  static const input::Record<HullSpec>& record();
  // The mesh file that `hull` names, if it names one.
  std::optional<std::filesystem::path> mesh_file() const;
};

struct WaterSpec {
  double density = 1025, gravity = 9.80665;
  std::optional<double> depth;  // not given: deep
  static const input::Record<WaterSpec>& record();
  double depth_or_infinite() const { return depth.value_or(std::numeric_limits<double>::infinity()); }
};

// Evenly spaced, `from` not given: the spacing.
struct FrequencySpec {
  std::optional<double> from, to;
  int count = 60;
  std::optional<std::vector<double>> list;
  static const input::Record<FrequencySpec>& record();
};

struct JobSpec {
  std::string title;
  WaterSpec water;
  input::Named<HullSpec> bodies;
  FrequencySpec frequencies;
  double heading_step = 0;                      // between headings round the circle
  std::optional<std::vector<double>> headings;  // these alone instead
  bool lid = true;                              // against irregular frequencies
  bool drift = true;
  int most_panels = 3000;  // listed panels of all hulls
  static const input::Record<JobSpec>& record();
};

// From a file; mistakes go to `problems`.
std::optional<JobSpec> read_job(const std::filesystem::path& file, input::Problems& problems);

}  // namespace davit::panel
