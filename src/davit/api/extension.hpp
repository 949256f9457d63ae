// Elements and phase verbs of one's own. A kind of element is a struct that describes its fields (`record()`) and
// builds itself (`build(name, assembly)`); once it has a key, scenarios can name it, and reader, errors, schema and
// docs know it. Register before the first scenario is read, in one thread.
//
//   struct WindmillSpec {
//     static const davit::input::Record<WindmillSpec>& record();
//     void build(const std::string& name, davit::Assembly& assembly) const;
//   };
//   davit::add_force<WindmillSpec>("windmill");        // forces: {mill: {windmill: {…}}}
//
// A verb of phases is a struct that is read as a field is and says what it moves: davit/operation/verb.hpp.
//
// What an element is: davit/model/element.hpp. Examples: examples/ in the sources.
#pragma once

#include "davit/assembly/element_channel.hpp"
#include "davit/operation/phase_moves.hpp"
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
// A section of its own for elements of one kind, as `ropes` are: `fenders: {bow: {…}}`. `noun`: what one of them is
// called.
template <class Spec>
void add_section(const std::string& key, const std::string& noun, const std::string& help, BuildStage stage) {
  registry().add_section<Spec>(key, noun, help, stage);
}
// `operation: [{reel: {…}}]`. The example is what a file has after the key.
template <class Verb>
void add_verb(const std::string& key, const std::string& help, const std::string& example = {}) {
  operation::verbs().add<Verb>(key, help, example);
}

}  // namespace davit
