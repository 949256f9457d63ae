// Small models, one for each kind of thing that a method of integration may or may not be able to take. Every method is
// run on every one of them (test/method_suite_test.cpp), and the table of docs/methods_table.md is made of them.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit::verify {

struct MethodProblem {
  std::string name;  // of the kind of model
  std::string has;   // what is special about it
  std::shared_ptr<const Model> model;
  Frame watched;       // the point whose motion is compared
  double end = 0.4;    // s, of the runs that show the order of convergence
  int steps = 40;      // of the coarsest of them
  bool smooth = true;  // motions have as many derivatives as the order of a method asks for
  bool keeps_energy = true;
  // The same motion by a model that explicit methods can take; the model itself where they can.
  std::shared_ptr<const Model> equivalent;
  Frame equivalent_watched;
  // Linear and angular momentum, where both are kept.
  std::function<Eigen::Matrix<double, 6, 1>(const State&)> momentum;
};

const std::vector<MethodProblem>& method_problems();

// Methods against kinds of model: "yes", or in short why not.
std::string compatibility_table();

}  // namespace davit::verify
