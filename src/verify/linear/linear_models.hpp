// What the cases of linear models share.
#pragma once

#include "davit/solve/linear_model.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

// Ports, signals and channels by their names.
PortSelection ports(const Model&, Loop, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs);

// How far two sets of numbers are apart, each number beside its nearest partner, over the largest of all or one;
// infinite where there are more of one than of the other.
double apart(std::vector<linear::Complex> a, std::vector<linear::Complex> b);

// Largest |a - b| over the largest |b|.
double apart(const MatX& a, const MatX& b);
double apart(const MatXc& a, const MatXc& b);

// One mechanism in three kinds of coordinates.
void linear_mechanism(Checker&);
// Small motions of runs.
void linear_runs(Checker&);

}  // namespace davit::verify
