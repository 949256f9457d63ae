#include "davit/assembly/element_specs.hpp"

namespace davit {

void declare(const Registry& registry, const ElementSpecs& elements, BuildStage stage, Assembly& assembly) {
  for (const auto& section : registry.sections())
    if (section->stage() == stage)
      for (const auto& [name, element] : elements.in(*section)) element.declare(name, assembly);
}

void build(const Registry& registry, const ElementSpecs& elements, BuildStage stage, Assembly& assembly) {
  for (const auto& section : registry.sections())
    if (section->stage() == stage)
      for (const auto& [name, element] : elements.in(*section))
        if (!assembly.is_doubtful(name)) element.build(name, assembly);
}

void complete(const Registry& registry, Assembly& assembly) {
  for (const auto& section : registry.sections())
    for (const ElementKind* kind : section->kinds())
      if (kind->complete) kind->complete(assembly);
}

}  // namespace davit
