// The kinds of elements a scenario may contain, by section and key: `forces: {name: {kind: {…}}}`. A module registers
// its kinds by name in its register_elements; each kind is a struct that describes its fields once (`record()`) and
// builds itself (`build(name, assembly)`). One that moves of the operation may be about says so before they are read
// (`add_targets(name, assembly)`). Reader, schema and docs follow from that.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <typeindex>

#include "davit/assembly/assembly.hpp"
#include "davit/input/record.hpp"

namespace davit {

// One section's kinds: a one-of record whose alternatives are registered at start-up.
class ElementKinds final : public input::RecordInfo {
 public:
  using Builder = std::function<void(const std::string& name, Assembly&)>;
  struct Element {
    Builder add_targets, build;  // either may be empty
  };
  using RecordInfo::RecordInfo;

  template <class Spec>
  void add_kind(const std::string& key) {
    add({key, Spec::record().help(), input::Codec<Spec>::shape({}), false, std::nullopt});
    set_one_of();
    types_.push_back(typeid(Spec));
    readers_.push_back([](const input::Node& node, input::Problems& problems) -> Element {
      auto spec = std::make_shared<Spec>(input::read<Spec>(node, problems));
      Element element;
      element.build = [spec](const std::string& name, Assembly& assembly) { spec->build(name, assembly); };
      if constexpr (requires(const std::string& name, Assembly& assembly) { spec->add_targets(name, assembly); })
        element.add_targets = [spec](const std::string& name, Assembly& assembly) {
          spec->add_targets(name, assembly);
        };
      return element;
    });
  }

  // The key of the kind that a struct describes; null when there is none.
  const std::string* key_of(std::type_index spec) const {
    const auto at = std::find(types_.begin(), types_.end(), spec);
    return at == types_.end() ? nullptr : &fields()[static_cast<std::size_t>(at - types_.begin())].key;
  }

  Element read(const input::Node& node, input::Problems& problems) const {
    Element element;
    const std::size_t errors = problems.error_count();
    read_fields(node, problems,
                [&](std::size_t i, const input::Node& child) { element = readers_[i](child, problems); });
    return problems.error_count() > errors ? Element{} : element;  // nothing is built of what could not be read
  }

 private:
  std::vector<std::function<Element(const input::Node&, input::Problems&)>> readers_;
  std::vector<std::type_index> types_;
};

struct Registry {
  ElementKinds constraints{"constraint", "Something that holds bodies together beside their joints"};
  ElementKinds forces{"force", "Something that acts on bodies or in joints"};
  ElementKinds controllers{"controller", "Something that commands actuators"};
};

}  // namespace davit
