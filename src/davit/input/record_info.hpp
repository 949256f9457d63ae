// The part of a record that does not depend on the C++ type of the element: names, help, shapes, and the walk over the
// keys of a map. Schema and docs are made from this alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "davit/input/node.hpp"
#include "davit/input/problems.hpp"
#include "davit/input/shape.hpp"
#include "davit/math/export.hpp"

namespace davit::input {

struct FieldInfo {
  std::string key;
  std::string help;
  Shape shape;
  bool required = true;
  std::optional<Node> default_value;
  std::string also = {};  // another key that means the same
};

class DAVIT_API RecordInfo {
 public:
  RecordInfo(std::string name, std::string help);

  const std::string& name() const { return name_; }
  const std::string& help() const { return help_; }
  const std::vector<FieldInfo>& fields() const { return fields_; }
  std::vector<std::string> keys() const;
  bool is_one_of() const { return one_of_; }

  // Whether {} is enough, so that as an alternative of a one-of the bare word will do.
  bool needs_nothing() const;
  // Whether this alternative of a one-of may be written as a bare word.
  static bool may_be_bare(const FieldInfo& field);

 protected:
  void add(FieldInfo field);
  void set_lower(Bound bound) { last_numeric().lower = bound; }
  void set_upper(Bound bound) { last_numeric().upper = bound; }
  void set_default(Node value);
  void set_example(std::string text) { last().shape.example = std::move(text); }
  void set_also(std::string key);
  void set_one_of();
  FieldInfo& last();

  // Calls `read_field` with the index of each field that is given and its value; reports keys that are unknown, missing
  // or one too many.
  void read_fields(const Node& node, Problems& problems,
                   const std::function<void(std::size_t, const Node&)>& read_field) const;

 private:
  Shape& last_numeric();
  std::optional<std::size_t> index_of(std::string_view key) const;
  void read_bare_word(const Node& node, Problems& problems,
                      const std::function<void(std::size_t, const Node&)>& read_field) const;

  std::string name_;
  std::string help_;
  std::vector<FieldInfo> fields_;
  bool one_of_ = false;
};

}  // namespace davit::input
