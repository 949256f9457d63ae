// Forces that have an interface beside their own (strand.hpp, held_before_run.hpp), whatever they are.
#pragma once

#include <vector>

#include "davit/model/model.hpp"

namespace davit {

template <class Interface>
struct ForceWith {
  const Interface* as;
  const Model::Placed<Force>* force;

  const std::string& name() const { return force->element->name(); }
  ContextT<double> context(const State& state, const Workspace& work) const { return force->context(state, work); }
};

// In the order of the model.
template <class Interface>
std::vector<ForceWith<Interface>> forces_with(const Model& model) {
  std::vector<ForceWith<Interface>> out;
  for (const auto& force : model.forces())
    if (const auto* as = dynamic_cast<const Interface*>(force.element.get())) out.push_back({as, &force});
  return out;
}

}  // namespace davit
