// The elements of a scenario: those of all registered sections, in the order of the file.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "davit/assembly/registry.hpp"

namespace davit {

// The elements of one kind, by name, as long as the specifications live.
template <class Spec>
using SpecsOf = std::vector<std::pair<const std::string&, const Spec&>>;

class ElementSpecs {
 public:
  void add(const std::string& section, const std::string& name, ElementSpec element) {
    sections_[section].emplace_back(name, std::move(element));
  }
  void set(const std::string& section, input::Named<ElementSpec> elements) { sections_[section] = std::move(elements); }
  const input::Named<ElementSpec>& in(const Section& section) const {
    static const input::Named<ElementSpec> none;
    const auto found = sections_.find(section.key());
    return found == sections_.end() ? none : found->second;
  }
  const ElementSpec* find(const Section& section, const std::string& name) const {
    for (const auto& [each, element] : in(section))
      if (each == name) return &element;
    return nullptr;
  }

  // Those of one kind that could be read.
  template <class Spec>
  SpecsOf<Spec> of() const {
    SpecsOf<Spec> out;
    for (const auto& [section, elements] : sections_)
      for (const auto& [name, element] : elements)
        if (const Spec* spec = element.template as<Spec>()) out.emplace_back(name, *spec);
    return out;
  }
  template <class Spec>
  const Spec* find(const std::string& name) const {
    for (const auto& [each, spec] : of<Spec>())
      if (each == name) return &spec;
    return nullptr;
  }
  void erase(const Section& section, const std::set<std::string>& names) {
    std::erase_if(sections_[section.key()], [&](const auto& each) { return names.count(each.first) > 0; });
  }
  // Others in the place of those of one kind.
  template <class Spec, class Change>
  void change(Change&& change) {
    for (auto& [section, elements] : sections_)
      for (auto& [name, element] : elements)
        if (const Spec* spec = element.template as<Spec>()) {
          auto other = std::make_shared<Spec>(*spec);
          change(name, *other);
          element = ElementSpec(std::shared_ptr<const Spec>(std::move(other)), element.where);
        }
  }

 private:
  std::map<std::string, input::Named<ElementSpec>> sections_;
};

// What stands in the sections of a stage. What has mistakes of its own is not built: its values mean nothing.
void declare(const Registry&, const ElementSpecs&, BuildStage, Assembly&);
void build(const Registry&, const ElementSpecs&, BuildStage, Assembly&);
// What is left to do of each kind when all but the measurements are built.
void complete(const Registry&, Assembly&);

}  // namespace davit
