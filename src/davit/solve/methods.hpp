// All methods by name, with what they are for: what a file may ask for, what `auto` chooses from, what the docs list.
#pragma once

#include "davit/solve/stepper.hpp"

namespace davit {

struct MethodOptions {
  double step = 0.01;  // of fixed methods; the longest of adaptive ones
  double tolerance = 1e-8;
  ImplicitOptions implicit;
};

struct MethodInfo {
  std::string name;
  std::string use;  // one line: what it is good for
  bool fixed_step = true;
  std::function<std::unique_ptr<Stepper>(const Model&, const MethodOptions&)> make;
};
const std::vector<MethodInfo>& methods();
const MethodInfo& method(const std::string& name);

// What `auto` takes for a model, and why. `has_step`: the user gave a step.
struct MethodAdvice {
  std::string name;
  std::string reason;
};
MethodAdvice advise_method(const Model&, bool has_step);

}  // namespace davit
