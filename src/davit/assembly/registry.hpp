// The kinds of elements a scenario may contain, by section and key: `forces: {name: {kind: {…}}}`. A room registers its
// kinds by name in its register_elements; each kind is a struct that describes its fields once (`record()`) and builds
// itself (`build(name, assembly)`). Reader, schema and docs follow from that.
#pragma once

#include <functional>
#include <memory>

#include "davit/assembly/assembly.hpp"
#include "davit/input/record.hpp"

namespace davit {

// One section's kinds: a one-of record whose alternatives are registered at start-up.
class ElementKinds final : public input::RecordInfo {
 public:
  using Builder = std::function<void(const std::string& name, Assembly&)>;
  using RecordInfo::RecordInfo;

  template <class Spec>
  void add_kind(const std::string& key) {
    add({key, Spec::record().help(), input::Codec<Spec>::shape({}), false, std::nullopt});
    set_one_of();
    readers_.push_back([](const input::Node& node, input::Problems& problems) -> Builder {
      auto spec = std::make_shared<Spec>(input::read<Spec>(node, problems));
      return [spec](const std::string& name, Assembly& assembly) { spec->build(name, assembly); };
    });
  }

  Builder read(const input::Node& node, input::Problems& problems) const {
    Builder builder;
    read_fields(node, problems,
                [&](std::size_t i, const input::Node& child) { builder = readers_[i](child, problems); });
    return builder;
  }

 private:
  std::vector<std::function<Builder(const input::Node&, input::Problems&)>> readers_;
};

struct Registry {
  ElementKinds constraints{"constraint", "Something that holds bodies together beside their joints"};
  ElementKinds forces{"force", "Something that acts on bodies or in joints"};
  ElementKinds controllers{"controller", "Something that commands actuators"};
};

}  // namespace davit
