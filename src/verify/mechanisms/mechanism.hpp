// One mechanism put together in three ways: by the joints of a tree, by free bodies that constraints hold, and by
// director bodies that constraints hold. What moves and what is carried is the same every time.
#pragma once

#include <functional>
#include <map>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/dynamics/system.hpp"
#include "davit/dynamics/tree.hpp"

namespace davit::verify {

struct Mechanism {
  std::vector<Body> bodies;  // on joints, parents first
  // A constraint between frames of two bodies (or the world), in every way of putting it together.
  struct Closure {
    std::string name;
    std::string from;
    Pose from_at;
    std::string to;
    Pose to_at;
    FrameConstraint::Held held;
  };
  std::vector<Closure> closures;
  Vec3 gravity = Vec3::Zero();
};

enum class Formulation { joints, free_bodies, directors };
const char* name_of(Formulation);

inline constexpr FrameConstraint::Held hinge_about_z{{true, true, true}, {true, true, false}};
// A pose whose z axis is `axis`.
Pose hinge_at(const Vec3& point, const Vec3& axis = Vec3::UnitZ());

struct Assembled {
  std::shared_ptr<const Tree> tree;     // without bodies when made of directors
  std::map<std::string, Frame> frames;  // the body's own frame, by its name; and "world"
  // What holds a body where its joint does, as frames; empty `held` for free joints.
  struct Held {
    std::string body;
    Frame a, b;
    FrameConstraint::Held held;
    int constraint = -1;                                   // in the model, when it is one
    std::shared_ptr<const CompliantConstraint> compliant;  // or this
  };
  std::vector<Held> joints;
  std::unique_ptr<Model> model;
  State start;

  Frame frame(const std::string& body, const Vec3& point = Vec3::Zero()) const;
  // Force and moment, about the joint in world axes, that a joint carries without giving way: what its rows can exert.
  // The wrench is that on the body about its frame.
  Wrench carried(const Kin&, const Held&, const Wrench& on_body) const;
  // The same of all joints by an evaluated workspace: from the tree's recursion, or from multipliers.
  std::vector<Wrench> reactions(const Workspace&, const VecX& lambda) const;
};

struct AssemblyOptions {
  double compliance = 0;  // of the constraints that stand for joints: not zero makes them springs of stiffness 1/ε
  std::function<void(const Assembled&, ModelParts&)> add_forces;
};
Assembled assemble(const Mechanism&, Formulation, const AssemblyOptions& = {});

}  // namespace davit::verify
