// Fields of a record read into and written from a struct, each at its offset.
#include "davit/input/record_members.hpp"

#include <stdexcept>

namespace davit::input {

namespace {

void* at(void* record, std::size_t offset) { return static_cast<std::byte*>(record) + offset; }
const void* at(const void* record, std::size_t offset) { return static_cast<const std::byte*>(record) + offset; }

}  // namespace

void RecordMembers::add_member(std::string_view key, std::size_t offset, const MemberType& type,
                               std::string_view unit_text, std::string_view help) {
  const Unit in = unit_text.empty() ? Unit{} : unit(unit_text);
  add({std::string(key), std::string(help), type.shape(in), type.required, std::nullopt});
  members_.push_back({offset, &type, nullptr});
}

void RecordMembers::add_choice(std::string_view key, std::size_t offset, bool required, std::vector<std::string> words,
                               std::unique_ptr<const ChoiceValues> values, std::string_view help) {
  Shape shape;
  shape.kind = Shape::Kind::choice;
  shape.choices = std::move(words);
  add({std::string(key), std::string(help), std::move(shape), required, std::nullopt});
  members_.push_back({offset, nullptr, std::move(values)});
}

void RecordMembers::add_registered(FieldInfo field, Reader read, Writer write) {
  field.required = false;
  add(std::move(field));
  members_.push_back({0, nullptr, nullptr, std::move(read), std::move(write)});
}

void RecordMembers::default_of_last(const void* record) {
  const FieldInfo& field = last();
  std::optional<Node> value = write_member(members_.back(), field.shape, record);
  if (!value) throw std::logic_error(name() + "." + field.key + ": by_default() needs a value, not an empty optional");
  set_default(*std::move(value));
}

void RecordMembers::read_member(const Member& member, const Node& node, const Shape& shape, Problems& problems,
                                void* record) const {
  if (member.read) return member.read(node, shape, problems, record);
  void* value = at(record, member.offset);
  if (member.type) return member.type->read(node, shape, problems, value);
  std::size_t index = 0;
  if (read_choice(node, shape, problems, index)) member.values->set(value, index);
}

std::optional<Node> RecordMembers::write_member(const Member& member, const Shape& shape, const void* record) const {
  if (member.write) return member.write(record, shape);
  const void* value = at(record, member.offset);
  if (member.type) return member.type->write(value, shape);
  const std::optional<std::size_t> index = member.values->index_of(value);
  return index ? std::optional(scalar_node(shape.choices[*index])) : std::nullopt;
}

void RecordMembers::read_members(const Node& node, Problems& problems, void* record) const {
  if (where_) *static_cast<Where*>(at(record, *where_)) = node.where();
  const std::size_t errors = problems.error_count();
  read_fields(node, problems, [&](std::size_t i, const Node& child) {
    read_member(members_[i], child, fields()[i].shape, problems, record);
  });
  if (problems.error_count() > errors) return;
  for (const Check& check : checks_) check(record, node.where(), problems);
}

Node RecordMembers::write_members(const void* record) const {
  Node node = map_node();
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (std::optional<Node> child = write_member(members_[i], fields()[i].shape, record))
      node.entries.push_back({fields()[i].key, {}, *std::move(child)});
  return node;
}

}  // namespace davit::input
