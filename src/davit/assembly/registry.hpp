// What a scenario may contain, by section and key. A module registers its kinds of elements in its register_elements,
// and whoever uses the library adds more (davit/api/extension.hpp); reader, errors, schema and docs follow from what a
// kind describes. A section has elements of one kind, `ropes: {hoist: {…}}`, or of one of several, `forces: {hoist:
// {line: {…}}}`.
#pragma once

#include <memory>

#include "davit/assembly/element_kind.hpp"
#include "davit/input/record.hpp"

namespace davit {

// Elements are built section by section in this order. Measurements look at what is there when all else is.
enum class BuildStage { surfaces, hulls, constraints, forces, winches, ropes, control, measurements };
inline constexpr BuildStage build_stages[] = {BuildStage::surfaces, BuildStage::hulls,       BuildStage::constraints,
                                              BuildStage::forces,   BuildStage::winches,     BuildStage::ropes,
                                              BuildStage::control,  BuildStage::measurements};

class Section {
 public:
  // `noun`: what one of its elements is called.
  Section(std::string key, std::string noun, std::string help, BuildStage stage);
  virtual ~Section() = default;

  const std::string& key() const { return key_; }
  const std::string& noun() const { return noun_; }
  BuildStage stage() const { return stage_; }
  // How the whole section is described and read.
  input::FieldInfo field() const;
  input::Named<ElementSpec> read(const input::Node&, const input::Shape&, input::Problems&) const;

  // The tree that reads back as an element of this type; nothing when the section has no kind of this type.
  virtual std::optional<input::Node> wrapped(std::type_index type, input::Node element) const = 0;
  // The kinds with something left to do when all elements are built.
  virtual std::vector<const ElementKind*> kinds() const = 0;

 protected:
  virtual input::Shape shape_of_element() const = 0;
  virtual ElementSpec read_element(const input::Node&, input::Problems&) const = 0;

 private:
  std::string key_, noun_, help_;
  BuildStage stage_;
};

// How a kind is described and read.
struct ReadableKind {
  const ElementKind* kind;
  input::Shape shape;
  ElementSpec (*read)(const input::Node&, input::Problems&);

  template <class Spec>
  static ReadableKind of() {
    return {&element_kind<Spec>(), input::Codec<Spec>::shape({}),
            [](const input::Node& node, input::Problems& problems) {
              auto spec = std::make_shared<Spec>();
              input::Codec<Spec>::read(node, input::Codec<Spec>::shape({}), problems, *spec);
              return ElementSpec(std::shared_ptr<const Spec>(std::move(spec)), node.where());
            }};
  }
};

// All elements are of one kind.
class SectionOfOneKind final : public Section {
 public:
  SectionOfOneKind(std::string key, std::string noun, std::string help, BuildStage stage, ReadableKind kind)
      : Section(std::move(key), std::move(noun), std::move(help), stage), kind_(std::move(kind)) {}
  std::optional<input::Node> wrapped(std::type_index type, input::Node element) const override;
  std::vector<const ElementKind*> kinds() const override { return {kind_.kind}; }

 private:
  input::Shape shape_of_element() const override { return kind_.shape; }
  ElementSpec read_element(const input::Node& node, input::Problems& problems) const override;
  ReadableKind kind_;
};

// Each element names its kind by a key.
class SectionOfKinds final : public Section {
 public:
  SectionOfKinds(std::string key, std::string noun, std::string help, BuildStage stage, std::string help_of_element);
  template <class Spec>
  void add_kind(const std::string& key) {
    add(key, Spec::record().help(), ReadableKind::of<Spec>());
  }
  std::optional<input::Node> wrapped(std::type_index type, input::Node element) const override;
  std::vector<const ElementKind*> kinds() const override;

 private:
  // A one-of record whose alternatives are registered at start-up.
  class Alternatives final : public input::RecordInfo {
   public:
    using RecordInfo::RecordInfo;
    void add_alternative(const std::string& key, const std::string& help, const input::Shape& shape);
    using RecordInfo::fields;
    using RecordInfo::read_fields;
  };
  void add(const std::string& key, const std::string& help, ReadableKind kind);
  input::Shape shape_of_element() const override;
  ElementSpec read_element(const input::Node& node, input::Problems& problems) const override;

  std::shared_ptr<Alternatives> alternatives_;  // shared with the shapes that describe it
  std::vector<ReadableKind> kinds_;
};

class Registry {
 public:
  Registry();

  // A section of elements of one kind. Throws std::logic_error when there is one of this key, or after close().
  template <class Spec>
  void add_section(std::string key, std::string noun, std::string help, BuildStage stage) {
    add_section(std::make_unique<SectionOfOneKind>(std::move(key), std::move(noun), std::move(help), stage,
                                                   ReadableKind::of<Spec>()));
  }
  void add_section(std::unique_ptr<Section> section);
  // The first scenario is read: sections that come now would stay unknown.
  void close() { closed_ = true; }
  // In the order in which they are built.
  const std::vector<std::unique_ptr<Section>>& sections() const { return sections_; }
  // Null when there is none.
  const Section* find(std::string_view key) const;

 private:
  template <class S>
  S& add(std::unique_ptr<S> section);
  std::vector<std::unique_ptr<Section>> sections_;
  bool closed_ = false;

 public:
  SectionOfKinds &constraints, &forces, &controllers;
};

}  // namespace davit
