// What `davit linearise` says and writes of a linear model.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "davit/html/display_unit.hpp"
#include "davit/linear/state_space_file.hpp"
#include "davit/solve/linear_model.hpp"

namespace davit::app {

// A linear model and what is known of it.
struct LinearStudy {
  LinearModel model;
  Loop loop = Loop::closed;
  double t = 0;
  std::string about;               // which state it is about
  std::vector<std::string> notes;  // what is not in it, or should be known
  struct Mode {
    linear::ModeAccess reach, sight;
    std::string shape;      // in words
    double mechanical = 1;  // share of coordinates and speeds in it; the rest is of auxiliary states
  };
  std::vector<Mode> modes;
  std::optional<std::vector<linear::Complex>> zeros;  // none: there are not as many outputs as inputs …
  std::string no_zeros;                               // … or why not
};
LinearStudy study(LinearModel model, Loop loop, const Model& of);

void print(const LinearStudy&, html::UnitSystem);
nlohmann::ordered_json json_of(const LinearStudy&);
std::string poles_csv(const LinearStudy&);
// Poles, zeros and the values at the instant, for a .mat file.
std::vector<linear::NamedMatrix> further_matrices(const LinearStudy&);

}  // namespace davit::app
