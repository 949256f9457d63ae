// The recorded motion of a hull as functions of time that can be differentiated as often as a plan needs: splines of
// degree nine through the places of a result.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "davit/input/problems.hpp"
#include "davit/inverse_dynamics/specification.hpp"
#include "davit/math/motion.hpp"

namespace davit {

// x, y and z of its origin, roll, pitch and yaw against the world, from zero to a time.
using HullMotion = std::array<Motion, 6>;

// Where a result has bodies at a time: place, and roll, pitch and yaw of what turns. Without those that it does not
// have.
struct RecordedPlace {
  Vec3 at = Vec3::Zero();
  std::optional<Vec3> angles;
};
std::map<std::string, RecordedPlace> recorded_places(const inverse_dynamics::HullMotionSpec&,
                                                     const std::vector<std::string>& bodies);

// Nothing after a mistake, which is reported: no such result, no such vessel in it, or one that ends too early.
std::optional<HullMotion> recorded_motion(const inverse_dynamics::HullMotionSpec&, const std::string& vessel,
                                          double end, input::Problems&);

// The spline of degree nine, with eight continuous derivatives, that fits values at times from the first to the last.
Motion smooth_through(const std::vector<double>& times, const std::vector<double>& values);

}  // namespace davit
