// The plan of a scenario as a file describes it.
#pragma once

#include "davit/assembly/axis.hpp"
#include "davit/input/file_path.hpp"
#include "davit/input/quantity.hpp"
#include "davit/input/record.hpp"
#include "davit/inverse_dynamics/feedback_specification.hpp"
#include "davit/inverse_dynamics/plan.hpp"
#include "davit/operation/specification.hpp"

namespace davit::inverse_dynamics {

// An output: the place of a point, the orientation of a body, a combination of coordinates, or the offset of two
// points.
struct OutputSpec {
  std::optional<input::Reference> point, turn;
  std::optional<TargetsSpec> combination;
  std::vector<input::Reference> offset;
  std::string along = "xyz";
  std::optional<Vec3> to, by;
  std::vector<Vec3> via;
  AxisSpec axis;
  std::optional<double> angle;
  std::optional<input::Quantity> change;
  input::Where where;
  static const input::Record<OutputSpec>& record();
};

// What an input or a rope may do.
struct PlanLimitSpec {
  std::optional<input::Quantity> force, speed, acceleration, tension, least_tension;
  std::optional<double> sway;
  input::Where where;
  static const input::Record<PlanLimitSpec>& record();
};

// Where the plan begins: where the file has the crane, or at the nearest place from which the motion can begin.
enum class Start { as_given, consistent };

// How more inputs than outputs share.
struct AllocationSpec {
  input::Named<double> weights;
  input::Where where;
  static const input::Record<AllocationSpec>& record();
};

// How outputs go in time where the plan finds the shortest.
enum class PlanProfile { polynomial, shortest };

// How a vessel moves while the plan goes on: as in a result.
struct HullMotionSpec {
  input::FilePath motion;
  double from = 0;
  static const input::Record<HullMotionSpec>& record();
};

struct PlanSpec {
  std::vector<input::Reference> inputs, hold;
  std::vector<input::Reference> massless;  // bodies whose mass the plan leaves out
  input::Named<OutputSpec> outputs;
  std::optional<double> over;  // none: the shortest that keeps the limits
  PlanProfile profile = PlanProfile::polynomial;
  std::optional<int> smoothness;
  double ramp = 0;
  double rest = 0;  // after the motion, s
  double step = 0.01;
  Method method = Method::algebraic;
  std::optional<AllocationSpec> allocation;
  input::Named<HullMotionSpec> hulls;
  std::optional<Scheme> scheme;  // of minimal_extension
  Start start = Start::as_given;
  input::Named<PlanLimitSpec> limits;
  std::optional<FeedbackSpec> feedback;
  std::optional<DisturbSpec> disturb;
  input::Where where;
  static const input::Record<PlanSpec>& record();
};

}  // namespace davit::inverse_dynamics
