// Sections of a scenario: of one kind of element, or of several that are told apart by a key.
#include "davit/assembly/registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace davit {

Section::Section(std::string key, std::string noun, std::string help, BuildStage stage)
    : key_(std::move(key)), noun_(std::move(noun)), help_(std::move(help)), stage_(stage) {}

input::FieldInfo Section::field() const {
  input::Shape shape;
  shape.kind = input::Shape::Kind::names;
  shape.element = {shape_of_element()};
  return {key_, help_, std::move(shape), false, input::map_node()};
}

input::Named<ElementSpec> Section::read(const input::Node& node, const input::Shape& shape,
                                        input::Problems& problems) const {
  input::Named<ElementSpec> out;
  if (!input::is_map_of_names(node, shape, problems)) return out;
  for (const input::Node::Entry& entry : node.entries) {
    const std::size_t errors = problems.error_count();
    ElementSpec element = read_element(entry.value, problems);
    element.where = entry.value.where();
    if (problems.error_count() > errors) problems.add_unreadable(entry.key);
    out.emplace_back(entry.key, std::move(element));
  }
  return out;
}

std::optional<input::Node> SectionOfOneKind::wrapped(std::type_index type, input::Node element) const {
  return kind_.kind->type == type ? std::optional(std::move(element)) : std::nullopt;
}

ElementSpec SectionOfOneKind::read_element(const input::Node& node, input::Problems& problems) const {
  return kind_.read(node, problems);
}

SectionOfKinds::SectionOfKinds(std::string key, std::string noun, std::string help, BuildStage stage,
                               std::string help_of_element)
    : Section(std::move(key), noun, std::move(help), stage),
      alternatives_(std::make_shared<Alternatives>(noun, std::move(help_of_element))) {}

void SectionOfKinds::Alternatives::add_alternative(const std::string& key, const std::string& help,
                                                   const input::Shape& shape) {
  RecordInfo::add({key, help, shape, false, std::nullopt});
  set_one_of();
}

void SectionOfKinds::add(const std::string& key, const std::string& help, ReadableKind kind) {
  alternatives_->add_alternative(key, help, kind.shape);
  kinds_.push_back(std::move(kind));
}

std::optional<input::Node> SectionOfKinds::wrapped(std::type_index type, input::Node element) const {
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    if (kinds_[i].kind->type == type)
      return input::map_node({{alternatives_->fields()[i].key, {}, std::move(element)}});
  return std::nullopt;
}

std::vector<const ElementKind*> SectionOfKinds::kinds() const {
  std::vector<const ElementKind*> out;
  for (const ReadableKind& each : kinds_) out.push_back(each.kind);
  return out;
}

input::Shape SectionOfKinds::shape_of_element() const {
  input::Shape shape;
  shape.kind = input::Shape::Kind::record;
  shape.record = [all = alternatives_]() -> const input::RecordInfo& { return *all; };
  return shape;
}

ElementSpec SectionOfKinds::read_element(const input::Node& node, input::Problems& problems) const {
  ElementSpec element;
  const std::size_t errors = problems.error_count();
  alternatives_->read_fields(
      node, problems, [&](std::size_t i, const input::Node& child) { element = kinds_[i].read(child, problems); });
  return problems.error_count() > errors ? ElementSpec{} : element;  // two kinds at once are none
}

template <class S>
S& Registry::add(std::unique_ptr<S> section) {
  if (closed_) throw std::logic_error("the section '" + section->key() + "' comes after the first scenario was read");
  if (find(section->key())) throw std::logic_error("there is a section '" + section->key() + "' already");
  S& added = *section;
  const auto later = std::upper_bound(sections_.begin(), sections_.end(), added.stage(),
                                      [](BuildStage stage, const auto& other) { return stage < other->stage(); });
  sections_.insert(later, std::move(section));
  return added;
}

Registry::Registry()
    : constraints(add(std::make_unique<SectionOfKinds>(
          "constraints", "constraint", "what holds bodies together beside their joints, by name",
          BuildStage::constraints, "Something that holds bodies together beside their joints"))),
      forces(add(std::make_unique<SectionOfKinds>("forces", "force", "forces by name, each of one kind",
                                                  BuildStage::forces, "Something that acts on bodies or in joints"))),
      controllers(add(std::make_unique<SectionOfKinds>("control", "controller", "controllers by name, each of one kind",
                                                       BuildStage::control, "Something that commands actuators"))) {}

void Registry::add_section(std::unique_ptr<Section> section) { add(std::move(section)); }

const Section* Registry::find(std::string_view key) const {
  const auto at = std::find_if(sections_.begin(), sections_.end(), [&](const auto& s) { return s->key() == key; });
  return at == sections_.end() ? nullptr : at->get();
}

}  // namespace davit
