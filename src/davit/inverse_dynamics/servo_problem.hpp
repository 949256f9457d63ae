// The servo problem: a Model, inputs that are free, and outputs that shall follow desired motions,
//   M a + c - f(q, u, t) - Gᵀλ - Bᵀw = 0,   g(q, t) = 0,   s(q) - γ(t) = 0,
// for as many outputs as inputs. What follows from it is analysis (what kind of problem is it?), a Plan (how do inputs,
// coordinates and rope forces go?) and a replay (does the model do it?).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "davit/model/model.hpp"

namespace davit::inverse_dynamics {

// Rows that shall follow.
struct Output {
  std::string name;
  std::shared_ptr<const Geometry> rows;
  int continuous_derivatives = 1000;  // of its desired motion, at the least
};

struct ServoProblem {
  const Model* model = nullptr;
  State start;              // where the desired motion begins; its time is the plan's first
  std::vector<int> inputs;  // among Model::inputs()
  std::vector<Output> outputs;
  double end = 0;

  int rows() const {
    int n = 0;
    for (const Output& o : outputs) n += o.rows->size();
    return n;
  }
  // Times between start and end at which some desired motion is not smooth.
  std::vector<double> breakpoints() const;
  // "load.place, row 2 of 3"
  std::string row_name(int row) const;
};

// A time in which the desired motion changes: what Taylor coefficients are scaled by.
double time_scale_of(const ServoProblem&);

// Why inverse dynamics cannot take a model at all, in words: what remembers, is sampled or touches has no place in it.
std::vector<std::string> unsupported(const Model&);

}  // namespace davit::inverse_dynamics
