// The hydrodynamics of one or several floating bodies at zero mean speed, linear, over frequency: what a panel program
// gives and what a vessel in waves needs. Whatever file it came from, in memory there is one convention:
//
// - SI units and radians. z up, still water at z = 0, x forward, y to port; all bodies in one frame, at rest.
// - Motions in the order of naval architecture: surge, sway, heave, roll, pitch, yaw; body b has the rows 6b … 6b+5.
//   They are those of the body's reference point, moments are taken about it, axes parallel to the frame.
// - A wave of amplitude a going towards heading β (0: along x, π/2: along y) has the elevation
//   Re{a exp(i(ωt − k(x cos β + y sin β)))} and gives the force Re{a X exp(iωt)}: a phase is a lead over the crest at
//   the origin of the frame. Equation of motion: (−ω²(M + A) + iωB + C) ξ = a X.
// - Mean drift is force per squared wave amplitude.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "davit/math/types.hpp"

namespace davit::hydro {

// The weight that a body was floating with.
struct MassProperties {
  double mass = 0;
  Vec3 centre = Vec3::Zero();   // in the frame of the database
  Mat3 inertia = Mat3::Zero();  // about the centre of gravity; zero where unknown
};

struct FloatingBody {
  std::string name = "hull";
  Vec3 reference = Vec3::Zero();
  double volume = std::numeric_limits<double>::quiet_NaN();                  // displaced; NaN where unknown
  Vec3 buoyancy = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());  // its centre, in the frame
  Mat6 restoring = Mat6::Zero();          // of water and of the weight in `loading` together
  std::optional<MassProperties> loading;  // none: it is not known which weight is part of `restoring`
};

struct Database {
  std::string title;
  std::string source;              // program and files it came from
  std::vector<std::string> notes;  // what was assumed on the way
  double density = 1025;
  double gravity = 9.80665;
  double depth = std::numeric_limits<double>::infinity();
  std::vector<FloatingBody> bodies;

  std::vector<double> frequencies;        // ascending, positive
  std::vector<double> headings;           // ascending, in (−π, π]
  std::vector<MatX> added_mass, damping;  // [frequency]: 6n × 6n
  std::optional<MatX> added_mass_zero, added_mass_infinite;
  std::vector<MatXc> excitation;          // [heading]: 6n × frequencies; of incident and diffracted wave together
  std::vector<MatXc> excitation_haskind;  // the same from the radiation potentials, where the source has both; or empty
  std::vector<MatXc> froude_krylov;       // of the incident wave alone; or empty
  std::vector<MatX> drift;                // [heading]: 6n × frequencies, NaN for what is not known; or empty
  std::optional<MatX> viscous_damping;    // linear, beyond potential flow, where the source has it

  int modes() const { return 6 * static_cast<int>(bodies.size()); }
};

}  // namespace davit::hydro
