// Elements of a scenario, known by their kind alone. A kind is a struct that describes its fields (`record()`) and
// builds itself (`build(name, assembly)`). It may say more:
//   declare(name, assembly)   what others must know before anything is built, such as what the operation may move
//   complete(assembly)        static; called once, when all is built but measurements
//   parts()                   how many elements it counts for
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <typeindex>

#include "davit/assembly/assembly.hpp"
#include "davit/input/record_members.hpp"

namespace davit {

// What is known of a kind; a function that it does not have is null.
struct ElementKind {
  std::type_index type;
  void (*declare)(const void* spec, const std::string& name, Assembly&);
  void (*build)(const void* spec, const std::string& name, Assembly&);
  void (*complete)(Assembly&);
  std::size_t (*parts)(const void* spec);
};

template <class Spec>
const ElementKind& element_kind() {
  static const ElementKind kind = [] {
    ElementKind k{typeid(Spec), nullptr, nullptr, nullptr, nullptr};
    k.build = [](const void* spec, const std::string& name, Assembly& assembly) {
      static_cast<const Spec*>(spec)->build(name, assembly);
    };
    if constexpr (requires(const Spec& spec, const std::string& name, Assembly& a) { spec.declare(name, a); })
      k.declare = [](const void* spec, const std::string& name, Assembly& assembly) {
        static_cast<const Spec*>(spec)->declare(name, assembly);
      };
    if constexpr (requires(Assembly & a) { Spec::complete(a); }) k.complete = [](Assembly& a) { Spec::complete(a); };
    if constexpr (requires(const Spec& spec) { spec.parts(); })
      k.parts = [](const void* spec) { return static_cast<const Spec*>(spec)->parts(); };
    return k;
  }();
  return kind;
}

// One element: what its kind has read of it, shared and constant.
class ElementSpec {
 public:
  ElementSpec() = default;  // of no kind: it could not be read
  template <class Spec>
  explicit ElementSpec(std::shared_ptr<const Spec> spec, input::Where at = {})
      : where(std::move(at)), kind_(&element_kind<Spec>()), spec_(std::move(spec)) {}

  const ElementKind* kind() const { return kind_; }
  // Null when it is of another kind.
  template <class Spec>
  const Spec* as() const {
    return kind_ && kind_->type == typeid(Spec) ? static_cast<const Spec*>(spec_.get()) : nullptr;
  }
  void declare(const std::string& name, Assembly& assembly) const {
    if (kind_ && kind_->declare) kind_->declare(spec_.get(), name, assembly);
  }
  void build(const std::string& name, Assembly& assembly) const {
    if (kind_) kind_->build(spec_.get(), name, assembly);
  }
  std::size_t parts() const { return kind_ && kind_->parts ? kind_->parts(spec_.get()) : 1; }

  input::Where where;

 private:
  const ElementKind* kind_ = nullptr;
  std::shared_ptr<const void> spec_;
};

// An element that a program makes and no file can describe.
struct BuiltByProgram {
  std::function<void(const std::string& name, Assembly&)> how;
  void build(const std::string& name, Assembly& assembly) const { how(name, assembly); }
};

}  // namespace davit
