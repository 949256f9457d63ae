// Where an implicit method evaluates the equations of motion in a step, and how its rows and laws are taken there.
#pragma once

#include "davit/math/types.hpp"

namespace davit {

// Where a method evaluates: vectors are the parts that do not depend on x, numbers the factors of x.
struct Stage {
  struct Affine {
    VecX constant;
    double factor = 0;
  };
  double h = 0;
  double t_point = 0, t_end = 0;
  Affine d_point, u_point, a_point, d_end;
  double z_share = 1;  // z_point = z₀ + z_share (z₁ - z₀)
  VecX z_rate;         // empty: zero
  double z_weight = 1;
  enum class Gradient { at_point, discrete_gradient, at_start } gradient = Gradient::at_point;
  // Laws of elastic rows act at the point, by their discrete gradient over the step, or as plain forces; or all rows,
  // rigid ones too, are relaxed: linear in the new speeds, as discrete Euler-Lagrange steps have them.
  enum class Laws { at_point, discrete_gradient, as_forces, relaxed } laws = Laws::at_point;
  struct Relaxation {
    bool at_velocity = false;  // SPOOK; else only regularised by compliance
    double tau = 0;            // s, of SPOOK
  } relaxation;
  // Contacts hold at velocity level, with impacts by Newton's law. Or the stage is a mere displacement x of least
  // M-norm that ends the penetration of contacts and closes the rigid rows.
  enum class Purpose { motion, displacement } purpose = Purpose::motion;

  // All but the constants: what the matrix of a step depends on beside the point where it is taken.
  struct Kind {
    double h, d_point, u_point, a_point, d_end, z_share, z_weight, tau;
    Gradient gradient;
    Laws laws;
    Purpose purpose;
    bool at_velocity;
    bool operator==(const Kind&) const = default;
  };
  Kind kind() const {
    return {h,        d_point.factor, u_point.factor, a_point.factor, d_end.factor, z_share,
            z_weight, relaxation.tau, gradient,       laws,           purpose,      relaxation.at_velocity};
  }

  // As new, for so many speeds; allocates only the first time.
  void clear(Eigen::Index speeds) {
    for (Affine* map : {&d_point, &u_point, &a_point, &d_end}) {
      map->constant.setZero(speeds);
      map->factor = 0;
    }
    z_share = z_weight = 1;
    z_rate.resize(0);
    gradient = Gradient::at_point;
    laws = Laws::at_point;
    relaxation = {};
    purpose = Purpose::motion;
  }
};

}  // namespace davit
