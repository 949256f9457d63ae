// A line that bends: ANCF cable elements, two nodes with position r and slope r' = ∂r/∂s each (s the unstretched
// length), cubic between them. At three Gauss points of an element there are
//   tension         T = EA (ε + τ ε̇), ε = |r'| − 1, or Green and Lagrange's ε = (r'·r' − 1)/2 as in the thesis;
//   bending         W = ½ EI κ², κ = |r' × r''|/|r'|² = |∂t/∂s|, the turn of the tangent per unstretched length, exact
//   for
//                   any rotation and with energy that axial strain does not change (Gerstmayr & Irschik 2008; the
//                   curvature of the curve, with |r'|³, is the same to the strain), and damping τ of κ̇;
//   mass, added mass, drag, weight, bed and friction, by the laws of bars (point_laws.hpp).
// Three points for the axial strain lock little (a cubic that is bent cannot have the same strain everywhere), and
// leave no shape of the slopes without energy as long as it is taut; for when it is not, EI is never less than
// `least_stiffness`. A line with EI = 0 cannot push.
//
// Ends are held as by a ball, clamped, or free.
//
// Newton's method, steps and state are those of `Line`, with six coordinates to a node and blocks of 6×6.
#pragma once

#include "davit/cable/divided_line.hpp"

namespace davit::cable {

enum class Strain { engineering, green };
// ball: position given; clamped: position and direction of the line; free: neither.
enum class Hold { ball, clamped, free };

// What acts on an end beside its holder.
struct EndLoad {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};

struct BeamOptions {
  Strain strain = Strain::engineering;
  Hold a = Hold::ball, b = Hold::ball;
  EndLoad load_a = {}, load_b = {};
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
  Outcome settle(const LineEnds&, double* state, BeamWork&, Start = Start::catenary) const;
  Outcome settle_slack(const LineEnds&, double* state, BeamWork&) const;
  Outcome step(const double* before, double time, double h, const LineEnds&, double* after, EndForces&, BeamWork&,
               Guess = Guess::prediction) const;
  void differentiate(const double* before, double time, double h, const LineEnds&, const double* after, EndForces&,
                     BeamWork&) const;
  // What is slack has no stiffness, and is kept in place by a share of its mass (1/s²) where it was settled as slack.
  static constexpr double firm = 1e-9, loose = 1e-4;
  void static_forces(const double* state, const LineEnds&, EndForces&, BeamWork&, double hold = firm) const;
  void look(const double* state, LineView&) const;
  LineEnergy energy(const double* state) const;
  Vec3 slope(const double* state, int node) const;
  Beam piece(const Parting& at, Piece which) const {
    Beam out = *this;
    out.become_piece(at, which, false);
    (which == Piece::first ? out.options_.b : out.options_.a) = Hold::free;
    return out;
  }
  double curvature(const double* state, int element) const;  // 1/m, largest of its Gauss points
  const BeamOptions& options() const { return options_; }

  // N m², of elements of a length in a line of a weight per metre (N/m).
  static double least_stiffness(double weight, double length);

 private:
  friend class BeamEquations;
  double tension(const double* state, int element) const override;
  void gauss_points(const double* coordinates, int stride, int elements, Vec3* out) const override;
  int branch_of(int element, int point) const { return layout_.branch() + layout_.branches * element + point; }
  double strain(const double* state, int element, int point) const;
  void begin_branches(const double* before, double h, BeamWork&) const;
  void keep_branches(double* after, const BeamWork&) const;
  void lay_slopes(const LineEnds&, double* state) const;
  void keep_at_rest(const LineEnds&, BeamWork&, double* state, double hold) const;
  void keep_forces(const EndForces&, double* state) const;

  BeamOptions options_;
};

}  // namespace davit::cable
