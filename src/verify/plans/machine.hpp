// Small mechanisms on a tree with drives in some joints, as servo problems with closed forms.
#pragma once

#include <complex>

#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/replay.hpp"
#include "verify/plans/servo_cranes.hpp"

namespace davit::verify {

inline constexpr double gravity = 9.81;

// A tree with actuators on some joints.
struct Machine {
  std::shared_ptr<Tree> tree;
  ModelParts parts;
  ServoCrane out;

  explicit Machine(std::vector<Body> bodies) : tree(std::make_shared<Tree>(std::move(bodies))) {
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    for (const TreeBody& b : tree->bodies_of_tree()) out.at[b.body.name] = {b.q, b.u};
  }
  JointCoordinate joint(const std::string& body) const { return {body, out.at.at(body).q, out.at.at(body).u}; }
  void weigh() {
    std::vector<Gravity::Weight> weights;
    for (const TreeBody& b : tree->bodies_of_tree())
      if (b.body.mass > 0) {
        const Frame frame = tree->frame(b.body.name);
        weights.push_back({frame.body, b.body.mass, frame.offset * b.body.centre});
      }
    parts.forces.push_back(std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights));
  }
  void drive(const std::string& body) {
    const int port = parts.add(Input{body, "N"});
    parts.forces.push_back(std::make_shared<JointActuator>(body, joint(body), port));
    out.problem.inputs.push_back(port);
  }
  ServoCrane finish(double end) {
    std::vector<inverse_dynamics::Feedforward::Channel> feedforward;
    for (const int input : out.problem.inputs) {
      out.signals.push_back(parts.add(SignalInfo{parts.inputs[static_cast<size_t>(input)].name, "N"}));
      feedforward.push_back({out.signals.back(), input});
    }
    parts.controllers.push_back(std::make_shared<inverse_dynamics::Feedforward>("plan", feedforward));
    out.model = std::make_unique<Model>(std::move(parts));
    out.problem.model = out.model.get();
    out.problem.start = out.model->initial_state();
    out.problem.end = end;
    return std::move(out);
  }
};

inline Body sliding(const std::string& name, const std::string& on, double mass) {
  Body b;
  b.name = name;
  b.on = on;
  b.joint.kind = JointKind::prismatic;
  b.joint.axis = Vec3::UnitX();
  b.mass = mass;
  return b;
}

inline Motion smooth_move(double from, double to, double over, int smoothness) {
  Motion m(from);
  m.move(0, over, to, {.smoothness = smoothness});
  return m;
}

// How far poles are from those that are exact; huge where there are not as many.
inline double pole_error(const std::vector<std::complex<double>>& found,
                         const std::vector<std::complex<double>>& exact) {
  double most = found.size() == exact.size() ? 0 : 1e300;
  for (const auto& pole : exact) {
    double nearest = 1e300;
    for (const auto& other : found) nearest = std::min(nearest, std::abs(other - pole));
    most = std::max(most, nearest);
  }
  return most;
}

}  // namespace davit::verify
