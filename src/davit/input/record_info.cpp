// What a record knows of its fields, whatever their types: keys, defaults, alternatives, and reading with all mistakes.
#include "davit/input/record_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

// "mass: 2,5 t" between braces is a mass of 2 and a key "5 t".
bool is_cut_decimal(const Node::Entry& before, const Node::Entry& entry) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return entry.value.is_null() && !entry.key.empty() && is_digit(entry.key.front()) && before.value.is_scalar() &&
         !before.value.text.empty() && is_digit(before.value.text.back());
}

}  // namespace

RecordInfo::RecordInfo(std::string name, std::string help) : name_(std::move(name)), help_(std::move(help)) {}

std::vector<std::string> RecordInfo::keys() const {
  std::vector<std::string> result;
  for (const FieldInfo& field : fields_) result.push_back(field.key);
  return result;
}

bool RecordInfo::needs_nothing() const {
  return !one_of_ &&
         std::none_of(fields_.begin(), fields_.end(), [](const FieldInfo& field) { return field.required; });
}

bool RecordInfo::may_be_bare(const FieldInfo& field) {
  return field.shape.kind == Shape::Kind::record && field.shape.record().needs_nothing();
}

void RecordInfo::add(FieldInfo field) {
  if (index_of(field.key)) throw std::logic_error(fmt::format("{}: the field '{}' is there twice", name_, field.key));
  // A bare number is SI, so a field in kN would mislead: its bare numbers are newtons.
  if (field.shape.leaf().unit.factor != 1.0)
    throw std::logic_error(
        fmt::format("{}.{}: '{}' is not a coherent SI unit", name_, field.key, field.shape.leaf().unit.text));
  fields_.push_back(std::move(field));
}

FieldInfo& RecordInfo::last() {
  if (fields_.empty()) throw std::logic_error(fmt::format("{}: a modifier before the first field", name_));
  return fields_.back();
}

Shape& RecordInfo::last_numeric() {
  Shape& leaf = last().shape.leaf();
  if (leaf.kind != Shape::Kind::number && leaf.kind != Shape::Kind::integer)
    throw std::logic_error(fmt::format("{}.{}: bounds need a number", name_, last().key));
  return leaf;
}

void RecordInfo::set_default(Node value) {
  last().required = false;
  last().default_value = std::move(value);
}

void RecordInfo::set_also(std::string key) {
  if (index_of(key)) throw std::logic_error(fmt::format("{}: the field '{}' is there twice", name_, key));
  last().also = std::move(key);
}

void RecordInfo::set_one_of() {
  one_of_ = true;
  for (const FieldInfo& field : fields_)
    if (field.required)
      throw std::logic_error(fmt::format("{}.{}: an alternative must be std::optional", name_, field.key));
}

std::optional<std::size_t> RecordInfo::index_of(std::string_view key) const {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (fields_[i].key == key || (!fields_[i].also.empty() && fields_[i].also == key)) return i;
  return std::nullopt;
}

void RecordInfo::read_bare_word(const Node& node, Problems& problems,
                                const std::function<void(std::size_t, const Node&)>& read_field) const {
  const std::optional<std::size_t> index = index_of(node.text);
  if (!index) {
    problems.error(node.where(), fmt::format("there is no {} {}", name_, shown(node.text)),
                   suggestion(node.text, "alternatives", keys()));
    return;
  }
  const FieldInfo& field = fields_[*index];
  if (!may_be_bare(field)) {
    problems.error(node.where(), fmt::format("'{}' needs {}", field.key, due(field.shape)),
                   fmt::format("write {{{}: ...}}; {}", field.key, remedy(field.shape)));
    return;
  }
  Node nothing = map_node();
  nothing.place = node.place;
  nothing.path = key_path(node.path, field.key);
  read_field(*index, nothing);
}

void RecordInfo::read_fields(const Node& node, Problems& problems,
                             const std::function<void(std::size_t, const Node&)>& read_field) const {
  if (one_of_ && node.is_scalar()) {
    read_bare_word(node, problems, read_field);
    return;
  }
  if (!node.is_map()) {
    problems.error(node.where(), fmt::format("found {}; a map ({}) is expected here", found(node), name_),
                   fields_.empty() ? "write {}" : fmt::format("the keys are: {}", listed(keys())));
    return;
  }

  std::vector<bool> given(fields_.size(), false);
  std::vector<std::string> alternatives;
  bool all_known = true;
  for (const Node::Entry& entry : node.entries) {
    const std::optional<std::size_t> index = index_of(entry.key);
    if (!index) {
      all_known = false;
      const auto before = &entry == node.entries.data() ? nullptr : &entry - 1;
      problems.error(entry.where(), fmt::format("{} has no key {}", name_, shown(entry.key)),
                     before && is_cut_decimal(*before, entry) ? fmt::format("write decimals with a point: {}: {}.{}",
                                                                            before->key, before->value.text, entry.key)
                                                              : suggestion(entry.key, "keys", keys()));
      continue;
    }
    if (given[*index] && !fields_[*index].also.empty()) {
      problems.error(entry.where(),
                     fmt::format("'{}' and '{}' mean the same", fields_[*index].key, fields_[*index].also),
                     "give one of them");
      continue;
    }
    given[*index] = true;
    alternatives.push_back(entry.key);
    if (entry.value.is_null() && fields_[*index].shape.kind != Shape::Kind::any) {
      problems.error(entry.where(),
                     fmt::format("'{}' has no value; {} is expected here", entry.key, due(fields_[*index].shape)),
                     fields_[*index].required || one_of_ ? remedy(fields_[*index].shape)
                                                         : remedy(fields_[*index].shape) + ", or leave the key out");
      continue;
    }
    read_field(*index, entry.value);
  }

  if (one_of_) {
    // An unknown key is the alternative that was meant: to say that none was given would be the same mistake again.
    if (alternatives.size() > 1 || (alternatives.empty() && all_known))
      problems.error(node.where(),
                     alternatives.empty() ? fmt::format("the {} is empty", name_)
                                          : fmt::format("the {} is given as {} at once", name_, listed(alternatives)),
                     fmt::format("give exactly one of: {}", listed(keys())));
    return;
  }
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const FieldInfo& field = fields_[i];
    if (field.required && !given[i])
      problems.error(node.where(), fmt::format("'{}' is missing: {}", field.key, field.help), remedy(field.shape));
  }
}

}  // namespace davit::input
