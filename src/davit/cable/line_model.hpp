// What a mooring line is to whoever holds its ends: forces for the places of the ends, at rest or at the end of a step.
// How the line is described inside (bars, a catenary in equilibrium at every instant, a spring) is the model's own.
//
// A model never changes. Its state is `state_size()` doubles of the caller's; scratch is made once, and `step` takes
// nothing from the heap.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::cable {

struct Outcome {
  bool converged = false;
  int iterations = 0;
  double change = 0;    // m, of the last iteration, largest of all nodes
  double residual = 0;  // N, largest unbalanced force of a node inside when that iteration began
};

// Line that a winch at B has given out since the start, negative when taken in, and how that changes.
struct PaidOut {
  double length = 0, rate = 0, acceleration = 0;  // m, m/s, m/s²
  bool operator==(const PaidOut&) const = default;
};

// Waves that a line meets, so many times as high; none where there is no sea.
struct Sea;
struct MetWaves {
  const Sea* sea = nullptr;
  double times = 1;
  bool operator==(const MetWaves&) const = default;
};

// How the ends of a line are held. Directions count where an end is clamped.
struct LineEnds {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // m, places
  // Of the line there, from A towards B, of length 1.
  Vec3 direction_a = Vec3::UnitX(), direction_b = Vec3::UnitX();
  PaidOut paid_out = {};
  MetWaves waves = {};  // on the way there
  bool operator==(const LineEnds&) const = default;
};
// Which ends are clamped.
struct Clamps {
  bool a = false, b = false;
  bool any() const { return a || b; }
};
using Mat12 = Eigen::Matrix<double, 12, 12>;

// Forces of the line on what holds its ends, and their derivatives by the positions (a, b) of the ends.
struct EndForces {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  Mat6 tangent = Mat6::Zero();  // ∂(force a, force b)/∂(a, b), with what follows from the scheme's velocities
  bool anchored = false;        // set by the caller: a never moves, only the derivative by b is wanted
  // Of lines that bend: N m, and ∂(force a, force b, moment a, moment b)/∂(a, b, direction a, direction b).
  Vec3 moment_a = Vec3::Zero(), moment_b = Vec3::Zero();
  Mat12 bending = Mat12::Zero();
};

struct LineEnergy {
  double kinetic = 0;  // with that of added mass
  double elastic = 0, weight = 0, bed = 0;
  double total() const { return kinetic + elastic + weight + bed; }
};

// Where a line parts: at which of its nodes, from A, and what was out of it then.
struct Parting {
  int node = 0, elements = 0;
  double last_length = 0;  // m, unstretched, of the last element
  double length = 0;       // m, unstretched, from A
  bool operator==(const Parting&) const = default;
};
enum class Piece { first, second };  // that at A and that at B; their other ends are free

// What there is to see of a line.
struct LineView {
  std::vector<Vec3> positions;  // of the nodes, from A to B
  std::vector<double> tension;  // N, of the elements, from A to B
  Vec3 force_a = Vec3::Zero(), force_b = Vec3::Zero();
  double tension_a = 0, tension_b = 0;  // N, at the very ends
  double grounded_length = 0;           // m, unstretched, in touch with the bed
  double touchdown = 0;  // m of unstretched length from A to where it leaves the bed towards B; zero: none
  Vec3 touchdown_point = Vec3::Zero();
  double uplift_angle = 0;        // rad, of the pull on A above the bed
  double safety_factor = 0;       // lowest of breaking load over tension; zero: not known
  std::vector<double> curvature;  // 1/m, of the elements, where they bend
  Vec3 moment_a = Vec3::Zero(), moment_b = Vec3::Zero();

  // The end of a piece that follows, behind a gap.
  size_t gap = 0;  // index of the node after which there is one; zero: none
  void add_piece(const LineView& piece, Piece which);

  double lowest_tension() const { return tension.empty() ? 0 : *std::min_element(tension.begin(), tension.end()); }
  double largest_curvature() const {
    return curvature.empty() ? 0 : *std::max_element(curvature.begin(), curvature.end());
  }
  double greatest_tension() const {
    const double inside = tension.empty() ? 0 : *std::max_element(tension.begin(), tension.end());
    return std::max({inside, tension_a, tension_b});
  }
};

class LineModel {
 public:
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };
  virtual ~LineModel() = default;

  virtual std::string describe() const = 0;  // in a few words: "80 bars"
  virtual double length() const = 0;         // m, unstretched
  virtual int state_size() const = 0;
  virtual bool bends() const { return false; }
  virtual Clamps clamps() const { return {}; }
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;

  // At rest, with the derivatives of its forces by slow motions of the ends. `near`: a state at rest or in motion to
  // begin with, if there is one.
  virtual Outcome settle(const LineEnds&, double* state, EndForces&, Scratch&, const double* near = nullptr) const = 0;
  // From `before` at `time` to `after` at time + h, with the ends as they are held then.
  virtual Outcome step(const double* before, double time, double h, const LineEnds&, double* after, EndForces&,
                       Scratch&) const = 0;

  // After a step that was accepted: a line on a winch changes its elements there, and nothing else.
  virtual void commit(double* /*state*/) const {}

  // Where it breaks: at the node that is nearest to a length from A, or beside the element with the least of breaking
  // load over tension. Lines without an inside have no pieces.
  virtual std::optional<Parting> parting(const double* /*state*/, std::optional<double> /*length*/) const { return {}; }
  // What is left of it on one side, nothing where it parts at that end; and its state at the moment of parting.
  virtual std::unique_ptr<const LineModel> piece(const Parting&, Piece) const { return nullptr; }
  virtual void part(const Parting&, Piece, const double* /*state*/, double* /*of_piece*/) const {}
  virtual int size_of_pieces() const { return 0; }  // the states of both have at most so many doubles

  virtual LineEnds ends(const double* state) const = 0;
  virtual void look(const double* state, LineView&) const = 0;
  virtual LineEnergy energy(const double* state) const = 0;
};

}  // namespace davit::cable
