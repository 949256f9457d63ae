// Forces between the headings of a database.
//
// The force of a wave going towards β is an integral of exp(−ik(x cos β + y sin β)) over the hull: a series of
// exp(inβ) that ends soon after |n| = ka, with a the distance of the hull's ends from the point of the phase (Jacobi
// and Anger; the coefficients are Bessel functions Jₙ(ka), which fall off over some (ka)^⅓ beyond it). Even headings
// round the circle that are more than twice as many therefore give it at every heading, and to all digits with a few
// more: trigonometric interpolation. A local spline has the error of its own steps long before: barge of 110 m at 15°,
// 31 % in pitch at 1.5 rad/s. With fewer headings no interpolation can know what lies between.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "davit/hydro/database.hpp"

namespace davit::hydro {

// Whether headings, ascending, go round the circle in even steps.
bool evenly_round(const std::vector<double>& headings);

// Weights of the values at the headings of a database for the values at others.
class HeadingInterpolation {
 public:
  // Ascending, within a turn. Even ones round the circle: trigonometric; others: a periodic cubic spline.
  explicit HeadingInterpolation(const std::vector<double>& headings);
  Eigen::RowVectorXd weights(double heading) const;
  // Values at `count` even headings from 0. A column for each heading.
  MatX upsampled(const MatX& values, int count) const;

 private:
  Eigen::Index count() const { return static_cast<Eigen::Index>(headings_.size()); }
  double at(Eigen::Index i) const { return headings_[static_cast<size_t>(i)]; }
  double gap(Eigen::Index i) const;
  Eigen::RowVectorXd trigonometric(double heading) const;
  Eigen::RowVectorXd spline(double heading) const;

  std::vector<double> headings_;
  bool even_ = false;
  MatX curvature_;  // second derivatives of the spline from values
};

// What waves meet: the middle of all bodies, and how far from it they reach (by area and moments of their waterplanes).
struct Extent {
  Vec2 centre = Vec2::Zero();
  double half_length = 0;
};
Extent extent_of(const Database& database);

// The highest wave number that even headings with this gap follow within 2 %: half of their number is
// ka + 1.8 (ka)^⅓. Measured on barges of 110 m at 10 and 5°: 2 % at ka = 13.8 and 31. Mean drift, which is quadratic in
// the wave, has twice the orders: `of_drift`.
double followed_wave_number(double gap, double half_length, bool of_drift = false);
// The widest gap that follows this wave number.
double heading_gap_for(double wave_number, double half_length, bool of_drift = false);

// The highest frequency at which the headings of the database, expanded by symmetry, follow its forces or drift (it may
// lie above the frequencies of the database).
double followed_frequency(const Database& database, bool of_drift = false);

}  // namespace davit::hydro
