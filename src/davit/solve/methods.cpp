#include "davit/solve/methods.hpp"

#include <algorithm>
#include <stdexcept>

namespace davit {

namespace {

MethodInfo implicit(const char* name, ImplicitMethod method, const char* use) {
  return {name, use, true,
          [method](const Model& model, const MethodOptions& o) { return make_implicit(method, model, o.implicit); }};
}

}  // namespace

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> all = {
      {"rk4", "smooth motion with a given step, order 4", true,
       [](const Model& model, const MethodOptions&) { return make_rk4(model); }},
      {"dopri5", "smooth motion to a given error, order 5 with steps of its own", false,
       [](const Model& model, const MethodOptions& o) {
         AdaptiveOptions adaptive;
         adaptive.tolerance = o.tolerance;
         adaptive.longest = o.step;
         adaptive.first_step = std::min(1e-3, o.step);
         return make_dormand_prince(model, adaptive);
       }},
      implicit("conserving", ImplicitMethod::conserving,
               "ropes, contact, loops and anything stiff: rows make and lose no energy, order 2"),
      implicit("energy_momentum", ImplicitMethod::energy_momentum,
               "the same on coordinates with constant mass, where energy and momentum are kept to round-off"),
      implicit("midpoint", ImplicitMethod::midpoint, "smooth constrained motion, order 2, symmetric in time"),
      implicit("implicit_euler", ImplicitMethod::implicit_euler, "to settle a model: damps strongly, order 1"),
      implicit("generalised_alpha", ImplicitMethod::generalised_alpha,
               "stiff smooth models: damps what the step does not resolve, order 2"),
      implicit("variational_midpoint", ImplicitMethod::variational_midpoint,
               "long runs on coordinates with constant mass: symplectic, order 2"),
      implicit("stoermer_verlet", ImplicitMethod::stoermer_verlet,
               "the same with explicit forces: cheap steps that must resolve the fastest motion"),
      {"minimal_extension",
       "smooth constrained motion with speeds, accelerations and forces on the constraints too, order 2", true,
       [](const Model& model, const MethodOptions& o) { return make_minimal_extension(model, o.implicit); }},
      implicit("dele", ImplicitMethod::dele,
               "the published discrete Euler-Lagrange step: one linear solve, loses energy, order 1"),
      implicit("spook", ImplicitMethod::spook,
               "the same relaxed at velocity level: rough and steady, for real time, order 1")};
  return all;
}

const MethodInfo& method(const std::string& name) {
  const auto& all = methods();
  const auto found = std::find_if(all.begin(), all.end(), [&](const MethodInfo& m) { return m.name == name; });
  if (found == all.end()) throw std::invalid_argument("there is no method '" + name + "'");
  return *found;
}

MethodAdvice advise_method(const Model& model, bool has_step) {
  if (!model.contacts().empty())
    return {"conserving", "auto: contact '" + model.contacts()[0].name + "' opens and closes"};
  for (const auto& f : model.forces())
    if (f.element->acts_over_step())
      return {"conserving", "auto: '" + f.element->name() + "' is a rope, line or contact, which acts one way only"};
  for (const auto& f : model.forces())
    if (const ConstraintEquation* row = f.element->row())
      for (const auto& law : row->laws)
        if (law->only_pulls() && has_step)
          return {"conserving", "auto: line '" + f.element->name() + "' goes slack and taut"};
  if (!model.servos().empty())
    return {has_step ? "rk4" : "dopri5", "auto: drives of '" + model.servos()[0].element->name() +
                                             "' are solved for together with the accelerations"};
  if (!has_step) return {"dopri5", "auto: no step is given, so the error decides"};
  if (model.rows() > 0) return {"conserving", "auto: constraints close loops"};
  for (const auto& f : model.forces())
    if (f.element->row()) return {"conserving", "auto: '" + f.element->name() + "' is an elastic row"};
  return {"rk4", "auto: a step is given, and nothing in the model is stiff, unilateral or held by constraints"};
}

}  // namespace davit
