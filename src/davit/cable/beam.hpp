// A line that bends: ANCF cable elements, two nodes with position r and slope r' = ∂r/∂s each (s the unstretched
// length), cubic between them. At three Gauss points of an element there are
//   tension         T = EA (ε + τ ε̇), ε = |r'| − 1, or Green and Lagrange's ε = (r'·r' − 1)/2 as in the thesis;
//   bending         W = ½ EI κ², κ = |r' × r''|/|r'|² = |∂t/∂s|, the turn of the tangent per unstretched length, exact for
//                   any rotation and with energy that axial strain does not change (Gerstmayr & Irschik 2008; the
//                   curvature of the curve, with |r'|³, is the same to the strain), and damping τ of κ̇;
//   mass, added mass, drag, weight, bed and friction, by the laws of bars (point_laws.hpp).
// Three points for the axial strain lock little (a cubic that is bent cannot have the same strain everywhere), and
// leave no shape of the slopes without energy as long as it is taut; for when it is not, EI is never less than
// `least_stiffness`. A line with EI = 0 cannot push.
//
// Newton's method, steps and state are those of `Line`, with six coordinates to a node and blocks of 6×6.
#pragma once

#include "davit/cable/divided_line.hpp"

namespace davit::cable {

using Mat12 = Eigen::Matrix<double, 12, 12>;
using Vec12 = Eigen::Matrix<double, 12, 1>;

enum class Strain { engineering, green };
// ball: position given; clamped: position and direction of the line; free: neither.
enum class Hold { ball, clamped, free };

struct BeamOptions {
  Strain strain = Strain::engineering;
  Hold a = Hold::ball, b = Hold::ball;
};

// Where an end is and, where it is clamped, the direction from A towards B that the line has there. What acts on an end
// beside its holder: a force and a moment.
struct BeamEnd {
  Vec3 position = Vec3::Zero(), direction = Vec3::UnitX();
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};

// Forces and moments of the line on what holds its ends, and their derivatives by positions and directions:
// ∂(force a, force b, moment a, moment b)/∂(a, b, direction a, direction b). (Moments change with the stretch of the
// line at its end; that is left out of the derivative.)
struct BeamEndForces {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero(), moment_a = Vec3::Zero(), moment_b = Vec3::Zero();
  Mat12 tangent = Mat12::Zero();
  bool anchored = false;  // set by the caller: a never moves, only derivatives by b are wanted
};

// What four elements give: residual of positions and slopes of their two nodes and the upper blocks of the tangent
// between them, in the order first position, first slope, second position, second slope.
struct BeamEquationPack {
  Pack residual[4][3];
  Pack tangent[4][4][9];
};

// Δ = y − G Δ of the next node; `inverse` of the pivot.
struct EliminatedBeamNode {
  Mat6 inverse, gain;
  Vec6 y;
};

struct BeamWork : NodeWork {
  std::vector<BeamEquationPack> equations;
  std::vector<EliminatedBeamNode> eliminated;
  std::vector<Vec6> change;
  Mat6 first_pivot, last_pivot;  // of the end nodes before anything is given
};

class Beam final : public DividedLine {
 public:
  // Throws std::invalid_argument with what is wrong.
  Beam(const std::vector<Section>&, std::vector<Attachment>, Bed, Surroundings, BeamOptions = {}, Numerics = {});
  BeamWork make_work() const;

  // As those of Line.
  Outcome settle(const BeamEnd& a, const BeamEnd& b, double* state, BeamWork&, Start = Start::catenary) const;
  Outcome step(const double* before, double time, double h, const BeamEnd& a, const BeamEnd& b, double* after,
               BeamEndForces&, BeamWork&, Guess = Guess::prediction) const;
  void static_forces(const double* state, const BeamEnd& a, const BeamEnd& b, BeamEndForces&, BeamWork&) const;
  LineEnergy energy(const double* state) const;
  Vec3 slope(const double* state, int node) const;
  double curvature(const double* state, int element) const;  // 1/m, largest of its Gauss points
  const BeamOptions& options() const { return options_; }

  // N m², of elements of a length in a line of a weight per metre (N/m).
  static double least_stiffness(double weight, double length);

 private:
  friend class BeamEquations;
  double tension(const double* state, int element) const override;
  void lay_slopes(const BeamEnd& a, const BeamEnd& b, double* state) const;
  void keep_forces(const BeamEndForces&, double* state) const;

  BeamOptions options_;
};

}  // namespace davit::cable
