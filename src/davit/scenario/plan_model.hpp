// The model of a scenario's plan: its bodies, joints, constraints and forces with rigid ropes, with a port for each
// input, and its outputs as servo constraints. Vessels stay where they are at the start; controllers, waves and what
// touches are left out. The same with elastic ropes, driven where the plan has inputs, is what a plan is played back
// on.
#pragma once

#include <map>

#include "davit/inverse_dynamics/servo_problem.hpp"
#include "davit/math/bspline.hpp"
#include "davit/rope/rigid_build.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

// How the motion of a plan goes in time.
struct Course {
  double over = 10;  // s
  int smoothness = 4;
  // From rest to rest, one after the other: how long, and for each output how it goes on its way, from 0 to 1. None: by
  // the plan's polynomial.
  struct Stage {
    double over;  // s
    std::map<std::string, BSpline> share;
  };
  std::vector<Stage> stages;
};

// A joint coordinate or winch that is driven.
struct PlannedInput {
  std::string name, unit;
  CoordinateIndex at;
  bool angle = false;  // its coordinate is an angle
  bool winch = false;
  double ratio = 1;    // of a winch: rope given out by its coordinate
  Signal feedforward;  // of its force, in the rigid model
};

struct PlanModel {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  inverse_dynamics::ServoProblem problem;  // with its motion over a time
  std::vector<PlannedInput> inputs;
  std::vector<rope::BuiltRope> ropes;
  std::vector<std::string> notes;       // what the plan leaves out
  std::vector<std::string> prescribed;  // bodies that move as recorded: hulls, and what carries them here
  std::vector<double> rests;        // parts of the outputs' ways at which they come to rest: 0, of points on the way, 1
  std::vector<std::string> moving;  // outputs that do not stay where they are
};

// With the motion of a course. Nothing after a mistake, which is reported.
std::optional<PlanModel> build_plan_model(const Scenario&, const Course&, input::Problems&);

// The elastic model: signals give the coordinate of every joint that is an input, and the rope that each winch has
// given out since the start; outputs as in the plan.
struct PlaybackModel {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  std::vector<Signal> signals;  // in the order of the plan's inputs
  inverse_dynamics::ServoProblem problem;
};
std::optional<PlaybackModel> build_playback_model(const Scenario&, const Course&, input::Problems&);

// The elastic model driven by forces and torques as the plan's own is, with the same coordinates: signals give the
// force of joints and the pull of winches, minus their torque over the radius of the drum. Nothing where a winch of the
// plan has no drum.
std::optional<PlanModel> build_elastic_plant(const Scenario&, const Course&, input::Problems&);

}  // namespace davit
