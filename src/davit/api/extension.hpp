// Forces and controllers of one's own. A kind of element is a struct that describes its fields (`record()`) and builds
// itself (`build(name, assembly)`); once it has a key, scenarios can name it, and reader, errors and schema know it.
// Register before the first scenario is read, in one thread.
//
//   struct WindmillSpec {
//     static const davit::input::Record<WindmillSpec>& record();
//     void build(const std::string& name, davit::Assembly& assembly) const;
//   };
//   davit::add_force<WindmillSpec>("windmill");        // forces: {mill: {windmill: {…}}}
//
// What an element is: davit/model/element.hpp. Examples: examples/ in the sources.
#pragma once

#include "davit/assembly/element_channel.hpp"
#include "davit/scenario/kinds.hpp"

namespace davit {

// Throw std::logic_error where the key is taken.
template <class Spec>
void add_force(const std::string& key) {
  registry().forces.add_kind<Spec>(key);
}
template <class Spec>
void add_controller(const std::string& key) {
  registry().controllers.add_kind<Spec>(key);
}
template <class Spec>
void add_constraint(const std::string& key) {
  registry().constraints.add_kind<Spec>(key);
}

}  // namespace davit
