// Motions of a hull in waves by linear theory, ξ = H X with the receptance H = (−ω²(M + A) + iω(B + D) + C)⁻¹, and the
// mean loads that equations of motion make of them.
//
// Equations that hold for motions of any size have products of first-order motions in them: a force of first order that
// acts where the hull is at the moment, and turns with it, has a moment and a part to the side. Their mean is a part of
// the drift that a database has already, and only a part of it; without drift there should be none. `mean_loads` says
// what it is, for a force that takes it away.
//
// A hull that is moored moves otherwise than a free one: H has what ties it beside the water. The ties themselves are
// in the model as they are, and what they pull on average is no mistake.
#pragma once

#include <functional>

#include "davit/hull_load/buoyancy.hpp"
#include "davit/hull_load/flow_load.hpp"
#include "davit/hydro/database.hpp"

namespace davit::wave_load {

using Mat6c = Eigen::Matrix<std::complex<double>, 6, 6>;

// One hull with all on board, all about the origin of its database.
struct LinearHullData {
  Mat6 mass;
  double weight = 0;                                                // N, of hull and load
  Vec3 centre = Vec3::Zero();                                       // of gravity
  Mat6 restoring;                                                   // of water and weight
  Vec6 held_stiffness = Vec6::Zero(), held_damping = Vec6::Zero();  // of what holds it in its place
  hull_load::Buoyancy::Data buoyancy;                               // of water alone
  Mat6 damping = Mat6::Zero();                                      // linear, beyond potential flow
  Mat6 infinite_added_mass;
  bool coriolis = true;                           // of the added mass
  std::optional<hull_load::FlowLoad::Data> drag;  // of the water
  // Dynamic stiffness, by the frequency, of what ties it to the world and to other bodies; none: nothing does.
  std::function<Mat6c(double)> ties;
};

class LinearResponse {
 public:
  // The database is of one body.
  LinearResponse(const hydro::Database& database, LinearHullData hull) : database_(database), hull_(std::move(hull)) {}

  // At a frequency of the database's range; beyond it, those of its ends are taken.
  Mat6c receptance(double frequency) const;
  // Its inverse, H⁻¹.
  Mat6c dynamic_stiffness(double frequency) const { return dynamic_stiffness(frequency, radiation(frequency)); }

  // What waves at the mean place, memory, damping and drag in axes of the heading, buoyancy, weight and added mass have
  // on average in a regular wave, per squared amplitude: a column for each heading of the database; forces in axes of
  // the mean heading and moments about the hull's mean place.
  MatX mean_loads(double frequency) const;

 private:
  struct Radiation {
    Mat6 added_mass, damping;
  };
  Radiation radiation(double frequency) const;
  Mat6c dynamic_stiffness(double frequency, const Radiation& radiation) const;
  Mat6c receptance(double frequency, const Radiation& radiation) const;
  // By heading of the database.
  Eigen::Matrix<std::complex<double>, 6, Eigen::Dynamic> excitation(double frequency) const;

  const hydro::Database& database_;
  LinearHullData hull_;
};

}  // namespace davit::wave_load
