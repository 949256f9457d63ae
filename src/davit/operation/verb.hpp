// What a phase does: verbs by their keys in a file, `{hoist: {main: 4 m}}`. A verb is a struct that is read as every
// field is (Codec: a record, or a list, or targets) and says what it moves: `void plan(PhaseMoves&) const`. Who uses
// the library adds verbs of his own by add_verb (davit/api/extension.hpp).
#pragma once

#include <memory>
#include <typeindex>

#include "davit/input/codec.hpp"
#include "davit/input/record_info.hpp"
#include "davit/math/export.hpp"

namespace davit::operation {

class PhaseMoves;

// What is known of a verb but its type.
struct VerbKind {
  std::type_index type;
  input::FieldInfo field;
  std::shared_ptr<const void> (*read)(const input::Node&, const input::Shape&, input::Problems&);
  input::Node (*write)(const void*, const input::Shape&);
  void (*plan)(const void*, PhaseMoves&);
};

class DAVIT_API Verbs {
 public:
  // Throws std::logic_error where the key is taken, or after close(). The example is what a file would have after the
  // key.
  template <class Verb>
  void add(const std::string& key, const std::string& help, const std::string& example = {}) {
    input::FieldInfo field{key, help, input::Codec<Verb>::shape({}), false, std::nullopt};
    if (!example.empty()) field.shape.example = example;
    add({typeid(Verb), std::move(field),
         [](const input::Node& node, const input::Shape& shape,
            input::Problems& problems) -> std::shared_ptr<const void> {
           auto verb = std::make_shared<Verb>();
           input::Codec<Verb>::read(node, shape, problems, *verb);
           return verb;
         },
         [](const void* verb, const input::Shape& shape) {
           return input::Codec<Verb>::write(*static_cast<const Verb*>(verb), shape);
         },
         [](const void* verb, PhaseMoves& moves) { static_cast<const Verb*>(verb)->plan(moves); }});
  }
  const std::vector<std::unique_ptr<const VerbKind>>& all() const { return all_; }
  // Throws std::logic_error where no verb has this type.
  const VerbKind& of(std::type_index type) const;
  // The first phase is read: verbs that come now would stay unknown.
  void close() { closed_ = true; }

 private:
  void add(VerbKind kind);
  std::vector<std::unique_ptr<const VerbKind>> all_;
  bool closed_ = false;
};

// Those of Davit, and those that were added.
DAVIT_API Verbs& verbs();

// What one phase does by one verb.
class Action {
 public:
  Action(const VerbKind& kind, std::shared_ptr<const void> what) : kind_(&kind), what_(std::move(what)) {}
  template <class Verb>
  explicit Action(Verb verb) : Action(verbs().of(typeid(Verb)), std::make_shared<const Verb>(std::move(verb))) {}
  const VerbKind& kind() const { return *kind_; }
  input::Node write(const input::Shape& shape) const { return kind_->write(what_.get(), shape); }
  void plan(PhaseMoves& moves) const { kind_->plan(what_.get(), moves); }

 private:
  const VerbKind* kind_;
  std::shared_ptr<const void> what_;
};

}  // namespace davit::operation
