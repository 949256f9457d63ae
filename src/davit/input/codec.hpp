// Which C++ types a field may have, and how each is read, written and described. To teach the module a new type,
// specialise Codec for it; a struct that has a static record() needs no more than that.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "davit/input/values.hpp"

namespace davit::input {

template <class T>
class Record;

// Things that the user names, in the order of the file.
template <class X>
using Named = std::vector<std::pair<std::string, X>>;

// A Codec<X> has
//   takes_unit                                    whether a field of it is declared with a unit
//   shape(unit)                                   what the file may hold
//   read(node, shape, problems, X& value)         mistakes go to problems; the value is then without meaning
//   write(value, shape)                           the node that reads back as the value
// Nested records are the general case.
template <class X>
struct Codec {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&) {
    Shape shape;
    shape.kind = Shape::Kind::record;
    shape.record = []() -> const RecordInfo& { return X::record(); };
    return shape;
  }
  static void read(const Node& node, const Shape&, Problems& problems, X& value) {
    value = X::record().read(node, problems);
  }
  static Node write(const X& value, const Shape&) { return X::record().write(value); }
};

namespace detail {

// What the codecs of single values share: a kind, and two of the functions of values.hpp.
template <class X, Shape::Kind kind, bool (*read_value)(const Node&, const Shape&, Problems&, X&)>
struct ValueCodec {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&) {
    Shape shape;
    shape.kind = kind;
    return shape;
  }
  static void read(const Node& node, const Shape& shape, Problems& problems, X& value) {
    read_value(node, shape, problems, value);
  }
};

template <class X>
struct IntegerCodec {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&) {
    Shape shape;
    shape.kind = Shape::Kind::integer;
    return shape;
  }
  static void read(const Node& node, const Shape& shape, Problems& problems, X& value) {
    constexpr std::int64_t lowest = std::numeric_limits<X>::min();
    constexpr std::int64_t highest = std::numeric_limits<X>::max();
    std::int64_t wide = 0;
    if (read_integer(node, shape, problems, lowest, highest, wide)) value = static_cast<X>(wide);
  }
  static Node write(const X& value, const Shape&) { return scalar_node(std::to_string(value)); }
};

}  // namespace detail

template <>
struct Codec<double> {
  static constexpr bool takes_unit = true;
  static Shape shape(const Unit& unit) {
    Shape shape;
    shape.kind = Shape::Kind::number;
    shape.unit = unit;
    return shape;
  }
  static void read(const Node& node, const Shape& shape, Problems& problems, double& value) {
    read_number(node, shape, problems, value);
  }
  static Node write(double value, const Shape& shape) { return write_number(value, shape); }
};

template <>
struct Codec<int> : detail::IntegerCodec<int> {};

template <>
struct Codec<std::int64_t> : detail::IntegerCodec<std::int64_t> {};

template <>
struct Codec<bool> : detail::ValueCodec<bool, Shape::Kind::boolean, read_boolean> {
  static Node write(bool value, const Shape&) { return scalar_node(value ? "true" : "false"); }
};

template <>
struct Codec<std::string> : detail::ValueCodec<std::string, Shape::Kind::text, read_text> {
  static Node write(const std::string& value, const Shape&) { return write_text(value); }
};

template <>
struct Codec<Quantity> : detail::ValueCodec<Quantity, Shape::Kind::quantity, read_quantity> {
  static Node write(const Quantity& value, const Shape&) { return write_quantity(value); }
};

template <>
struct Codec<Threshold> : detail::ValueCodec<Threshold, Shape::Kind::threshold, read_threshold> {
  static Node write(const Threshold& value, const Shape&) { return write_threshold(value); }
};

template <>
struct Codec<Reference> : detail::ValueCodec<Reference, Shape::Kind::reference, read_reference> {
  static Node write(const Reference& value, const Shape&) { return write_text(value.name); }
};

// A part of the tree as it is, for something else to read.
template <>
struct Codec<Node> {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&) { return {}; }
  static void read(const Node& node, const Shape&, Problems&, Node& value) { value = node; }
  static Node write(const Node& value, const Shape&) { return value; }
};

template <int length>
struct Codec<Eigen::Matrix<double, length, 1>> {
  static_assert(length > 0, "give the vector a fixed length, or use std::vector<double>");
  using Vector = Eigen::Matrix<double, length, 1>;

  static constexpr bool takes_unit = true;
  static Shape shape(const Unit& unit) {
    Shape shape;
    shape.kind = Shape::Kind::list;
    shape.element = {Codec<double>::shape(unit)};
    shape.length = length;
    return shape;
  }
  static void read(const Node& node, const Shape& shape, Problems& problems, Vector& value) {
    if (!is_list(node, shape, problems)) return;
    for (int i = 0; i < length; ++i)
      read_number(node.items[static_cast<std::size_t>(i)], shape.element.front(), problems, value[i]);
  }
  static Node write(const Vector& value, const Shape& shape) {
    Node node = sequence_node();
    for (int i = 0; i < length; ++i) node.items.push_back(write_number(value[i], shape.element.front()));
    return node;
  }
};

template <class X>
struct Codec<std::vector<X>> {
  static constexpr bool takes_unit = Codec<X>::takes_unit;
  static Shape shape(const Unit& unit) {
    Shape shape;
    shape.kind = Shape::Kind::list;
    shape.element = {Codec<X>::shape(unit)};
    return shape;
  }
  static void read(const Node& node, const Shape& shape, Problems& problems, std::vector<X>& value) {
    if (!is_list(node, shape, problems)) return;
    value.clear();
    for (const Node& item : node.items) {
      X one{};
      Codec<X>::read(item, shape.element.front(), problems, one);
      value.push_back(std::move(one));
    }
  }
  static Node write(const std::vector<X>& value, const Shape& shape) {
    Node node = sequence_node();
    for (const X& one : value) node.items.push_back(Codec<X>::write(one, shape.element.front()));
    return node;
  }
};

template <class X>
struct Codec<Named<X>> {
  static constexpr bool takes_unit = Codec<X>::takes_unit;
  static Shape shape(const Unit& unit) {
    Shape shape;
    shape.kind = Shape::Kind::names;
    shape.element = {Codec<X>::shape(unit)};
    return shape;
  }
  static void read(const Node& node, const Shape& shape, Problems& problems, Named<X>& value) {
    if (!is_map_of_names(node, shape, problems)) return;
    value.clear();
    for (const Node::Entry& entry : node.entries) {
      X one{};
      const std::size_t errors = problems.error_count();
      Codec<X>::read(entry.value, shape.element.front(), problems, one);
      if (problems.error_count() > errors) problems.add_unreadable(entry.key);
      value.emplace_back(entry.key, std::move(one));
    }
  }
  static Node write(const Named<X>& value, const Shape& shape) {
    Node node = map_node();
    for (const auto& [name, one] : value)
      node.entries.push_back({name, {}, Codec<X>::write(one, shape.element.front())});
    return node;
  }
};

}  // namespace davit::input
