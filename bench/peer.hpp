// What the benchmark asks of a code: the ship crane and the chain, at given states. Davit stands behind it as well as
// every peer. Plain numbers only: a peer is a module of its own, loaded at run time and built as its package was, so
// nothing of Davit's (least of all Eigen's alignment, which depends on the instruction set) may cross this line.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace davit::bench {

using Triple = std::array<double, 3>;
using Quadruple = std::array<double, 4>;
using Rotation = std::array<double, 9>;  // row by row

// A body of a tree. Its frame has its origin on the joint and the principal axes of inertia as its axes.
enum class Joint { free, revolute, universal };
struct Link {
  std::string name;
  int parent = -1;  // -1: the world
  Joint joint = Joint::revolute;
  Triple position{};                 // of the frame in that of the parent, with all coordinates zero
  Rotation rotation{};               // takes this frame's axes to the parent's
  Quadruple quaternion{1, 0, 0, 0};  // the same as (w, x, y, z)
  Triple axis{};                     // in this frame, with all coordinates zero
  Triple second_axis{};              // universal only: square to the first, turns with it
  double mass = 0;
  Triple centre{};
  Triple inertia{};  // principal, about the centre
  bool weight = true;
};
using Links = std::vector<Link>;

inline constexpr double gravity = 9.81;  // along z, which is down

// Hull in NED axes, velocities in hull axes, crane angles q1-q5; what is applied: a wrench on the hull in hull axes
// about its origin, beside the restoring one, and torques of the joints.
struct CraneState {
  Triple position{};
  Quadruple quaternion{1, 0, 0, 0};
  std::array<double, 5> q{};
  Triple v{}, w{};
  std::array<double, 5> qd{};
  Triple force{}, moment{};
  std::array<double, 5> tau{};
};

using CraneRates = std::array<double, 11>;  // v̇, ω̇ in hull axes, q̈
using CraneWrenches =
    std::array<std::array<double, 6>, 5>;  // force and moment about each joint, NED, on the outer link

// Linear restoring of the hull: force along NED z, moments about the hull's x and y axes.
struct Restoring {
  double force, roll_moment, pitch_moment;
};
inline Restoring restoring(const Quadruple& e, double z) {
  const double r20 = 2 * (e[1] * e[3] - e[0] * e[2]), r21 = 2 * (e[2] * e[3] + e[0] * e[1]);
  const double r22 = 1 - 2 * (e[1] * e[1] + e[2] * e[2]);
  return {-1.5e7 * z, -1.1e8 * std::atan2(r21, r22), -6e9 * std::atan2(-r20, std::sqrt(r21 * r21 + r22 * r22))};
}

// PD control of q1-q3 about the start angles, for the run.
struct Run {
  double kp = 1e8, kd = 1e7, step = 0.01;
  int steps = 6000;
};

class Crane {
 public:
  virtual ~Crane() = default;
  // What is timed: the state goes in, accelerations (and with them all joint wrenches) are there at the end in the
  // code's own form.
  virtual void compute(const CraneState&) = 0;
  virtual void compute_with_wrenches(const CraneState&) {}
  // What is not timed: results of the last computation in the form of this file.
  virtual CraneRates rates() const = 0;
  virtual CraneWrenches wrenches() const { return {}; }
  // Explicit Runge-Kutta of order four with fixed steps; timed as a whole.
  virtual CraneState run(const CraneState& start, const Run&) { return start; }
};

class Chain {
 public:
  virtual ~Chain() = default;
  virtual void compute(const std::vector<double>& q, const std::vector<double>& qd) = 0;
  virtual std::vector<double> rates() const = 0;
};

struct Peer {
  std::string name;
  std::string about;  // version and what it does differently, in a line
  bool has_wrenches = false;
  bool has_run = false;
  std::unique_ptr<Crane> (*make_crane)(const Links&) = nullptr;
  std::unique_ptr<Chain> (*make_chain)(const Links&) = nullptr;
};

// The one symbol of a peer's module.
inline constexpr const char* peer_symbol = "davit_bench_peer";

}  // namespace davit::bench

#define DAVIT_BENCH_PEER extern "C" __attribute__((visibility("default"))) const davit::bench::Peer* davit_bench_peer()
