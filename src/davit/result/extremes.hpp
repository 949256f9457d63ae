// How far things moved and what they carried, over every step of a run: motions of bodies and named points, reactions
// of joints and constraints, forces at lugs, hook loads, contacts and clearances.
//
// Solves: the tables of motions and reactions of report and summary have plain numbers in SI.
// Does not: know bodies or joints; the run fills it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace davit::result {

using Triple = std::array<double, 3>;  // x, y, z

// A vector at the first instant at which it was longest.
struct LargestVector {
  double size = 0, time = 0;
  Triple parts{};

  void see(double t, const Triple& vector);
  bool operator==(const LargestVector&) const = default;

  template <class A>
  void archive(A& a) {
    a(size, time, parts);
  }
};

struct LargestValue {
  double value = 0, time = 0;
  bool operator==(const LargestValue&) const = default;

  template <class A>
  void archive(A& a) {
    a(value, time);
  }
};

struct TurnRange {
  Triple low{}, high{};  // roll, pitch and yaw [rad]
  bool operator==(const TurnRange&) const = default;

  template <class A>
  void archive(A& a) {
    a(low, high);
  }
};

// Of a point, or of the origin of a body, in world axes. Accelerations are changes of velocity over a step.
struct PointMotion {
  std::string name{};
  Triple low{}, high{};                   // [m]
  LargestVector speed{}, acceleration{};  // [m/s, m/s²]
  std::optional<TurnRange> turn{};        // of bodies that turn freely

  // Farther than round-off.
  bool moved() const;

  bool operator==(const PointMotion&) const = default;
  // What was seen.
  template <class A>
  void archive(A& a) {
    a(low, high, speed, acceleration, turn);
  }
};

// Of a joint on its body about the joint, in the axes of the body; of a constraint in world axes.
struct Reaction {
  std::string name{};
  bool in_body_axes = true;
  LargestVector force{}, moment{};  // [N, N m], each when it was largest
  bool operator==(const Reaction&) const = default;
};

// The pull of a rope at one of its ends, in the axes of the body there.
struct LugForce {
  std::string lug{}, rope{}, body{};
  LargestVector pull{};  // [N]

  double from_z() const;  // [rad] between the pull and the body's z axis
  double plane() const;   // [rad] of the plane through z that it is in, from x towards y

  bool operator==(const LugForce&) const = default;
};

// What the ropes above a body carry of it and of all that hangs below.
struct HookLoad {
  std::string name{};
  double weight = 0;  // [N] its own
  std::optional<double> at_rest{};
  LargestValue largest{};
  bool operator==(const HookLoad&) const = default;

  template <class A>
  void archive(A& a) {
    a(name, weight, at_rest, largest);
  }
};

struct NamedExtreme {
  std::string name{};
  LargestValue at{};
  bool operator==(const NamedExtreme&) const = default;
};

struct Extremes {
  std::vector<PointMotion> motions{};
  std::vector<Reaction> reactions{};
  std::vector<LugForce> lugs{};
  std::vector<HookLoad> hooks{};
  std::vector<NamedExtreme> contacts{};    // largest normal force [N]
  std::vector<NamedExtreme> clearances{};  // least distance [m]
  bool operator==(const Extremes&) const = default;
};

}  // namespace davit::result
