// An element of a scenario describes its fields once, here; reading, writing, JSON Schema and docs derive from it.
//
//   struct Spring {
//     Reference joint;
//     double stiffness = 0;
//     std::optional<double> rest;
//     static const Record<Spring>& record();
//   };
//   const Record<Spring>& Spring::record() {
//     static const auto record = Record<Spring>("spring", "A spring in a joint")
//         .field("joint", &Spring::joint, "the joint it acts in")                  // required
//         .field("stiffness", &Spring::stiffness, "N m/rad", "...").at_least(0)    // with a unit, in SI
//         .field("rest", &Spring::rest, "rad", "...");                             // std::optional: may be left out
//     return record;
//   }
//
// It does not check one element against another: names are resolved when all is read (reference.hpp).
// A mistake in a description throws std::logic_error when the record is first used, so any test of the element finds
// it.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "davit/input/codec.hpp"
#include "davit/input/record_info.hpp"

namespace davit::input {

template <class T>
class Record : public RecordInfo {
 public:
  using RecordInfo::RecordInfo;

  template <class M>
  Record& field(std::string key, M T::*member, std::string help) {
    static_assert(!Codec<Value<M>>::takes_unit, "give the unit of this field; \"1\" for a plain number");
    return add_field(std::move(key), member, {}, std::move(help));
  }

  template <class M>
  Record& field(std::string key, M T::*member, std::string_view unit_text, std::string help) {
    static_assert(Codec<Value<M>>::takes_unit, "a field of this type has no unit");
    return add_field(std::move(key), member, unit(unit_text), std::move(help));
  }

  // A word that stands for a value; the member is an E or an std::optional<E>.
  template <class E>
  using Choices = std::vector<std::pair<std::string, std::type_identity_t<E>>>;

  template <class E>
  Record& choice(std::string key, E T::*member, Choices<E> choices, std::string help) {
    return add_choice<E>(
        std::move(key), true, choices, std::move(help), [member](T& to, E value) { to.*member = value; },
        [member](const T& from) { return std::optional<E>(from.*member); });
  }

  template <class E>
  Record& choice(std::string key, std::optional<E> T::*member, Choices<E> choices, std::string help) {
    return add_choice<E>(
        std::move(key), false, choices, std::move(help), [member](T& to, E value) { to.*member = value; },
        [member](const T& from) { return from.*member; });
  }

  // The modifiers concern the field before them.
  Record& at_least(double bound) { return set_lower({bound, true}), *this; }
  Record& above(double bound) { return set_lower({bound, false}), *this; }
  Record& at_most(double bound) { return set_upper({bound, true}), *this; }
  Record& below(double bound) { return set_upper({bound, false}), *this; }
  Record& example(std::string text) { return set_example(std::move(text)), *this; }
  // May be left out: then the member keeps the value that T{} gives it.
  Record& by_default() {
    std::optional<Node> value = accesses_.at(accesses_.size() - 1).write(T{}, last().shape);
    if (!value)
      throw std::logic_error(name() + "." + last().key + ": by_default() needs a value, not an empty optional");
    return set_default(*std::move(value)), *this;
  }

  // The record as a whole.
  Record& located(Where T::*member) {
    return locate_ = [member](T& value, Where where) { value.*member = std::move(where); }, *this;
  }
  // Exactly one of the fields may be given. The bare word will do where the field is a record that needs nothing.
  Record& exactly_one() { return set_one_of(), *this; }
  // Runs when the fields had no mistakes of their own.
  Record& check(std::function<void(const T&, const Where&, Problems&)> check) {
    return checks_.push_back(std::move(check)), *this;
  }

  T read(const Node& node, Problems& problems) const {
    T value{};
    if (locate_) locate_(value, node.where());
    const std::size_t errors = problems.error_count();
    read_fields(node, problems, [&](std::size_t i, const Node& child) {
      accesses_[i].read(child, fields()[i].shape, problems, value);
    });
    if (problems.error_count() == errors)
      for (const auto& check : checks_) check(value, node.where(), problems);
    return value;
  }

  Node write(const T& value) const {
    Node node = map_node();
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      if (std::optional<Node> child = accesses_[i].write(value, fields()[i].shape))
        node.entries.push_back({fields()[i].key, {}, *std::move(child)});
    return node;
  }

 private:
  template <class M>
  struct Unwrapped {
    using type = M;
    static constexpr bool is_optional = false;
  };
  template <class X>
  struct Unwrapped<std::optional<X>> {
    using type = X;
    static constexpr bool is_optional = true;
  };
  template <class M>
  using Value = typename Unwrapped<M>::type;

  struct Access {
    std::function<void(const Node&, const Shape&, Problems&, T&)> read;
    std::function<std::optional<Node>(const T&, const Shape&)> write;
  };

  template <class M>
  Record& add_field(std::string key, M T::*member, const Unit& in, std::string help) {
    using X = Value<M>;
    constexpr bool is_optional = Unwrapped<M>::is_optional;
    add({std::move(key), std::move(help), Codec<X>::shape(in), !is_optional, std::nullopt});
    accesses_.push_back({[member](const Node& node, const Shape& shape, Problems& problems, T& to) {
                           if constexpr (is_optional)
                             Codec<X>::read(node, shape, problems, (to.*member).emplace());
                           else
                             Codec<X>::read(node, shape, problems, to.*member);
                         },
                         [member](const T& from, const Shape& shape) -> std::optional<Node> {
                           if constexpr (is_optional)
                             return from.*member ? std::optional(Codec<X>::write(*(from.*member), shape))
                                                 : std::nullopt;
                           else
                             return Codec<X>::write(from.*member, shape);
                         }});
    return *this;
  }

  template <class E>
  Record& add_choice(std::string key, bool required, Choices<E> choices, std::string help,
                     std::function<void(T&, E)> set, std::function<std::optional<E>(const T&)> get) {
    Shape shape;
    shape.kind = Shape::Kind::choice;
    std::vector<E> values;
    for (const auto& [word, value] : choices) {
      shape.choices.emplace_back(word);
      values.push_back(value);
    }
    add({std::move(key), std::move(help), std::move(shape), required, std::nullopt});
    accesses_.push_back({[values, set](const Node& node, const Shape& due, Problems& problems, T& to) {
                           std::size_t index = 0;
                           if (read_choice(node, due, problems, index)) set(to, values[index]);
                         },
                         [values, get](const T& from, const Shape& due) -> std::optional<Node> {
                           const std::optional<E> value = get(from);
                           const auto at = value ? std::find(values.begin(), values.end(), *value) : values.end();
                           if (at == values.end()) return std::nullopt;
                           return scalar_node(due.choices[static_cast<std::size_t>(at - values.begin())]);
                         }});
    return *this;
  }

  std::vector<Access> accesses_;
  std::vector<std::function<void(const T&, const Where&, Problems&)>> checks_;
  // A function and not the member itself, which gcc 12 warns of in types that have no Where.
  std::function<void(T&, Where)> locate_;
};

// An alternative that is only a word: {free: {}} or just free.
struct Nothing {
  static const Record<Nothing>& record();
};

// Reads the node as a T, which has a static record().
template <class T>
T read(const Node& node, Problems& problems) {
  return T::record().read(node, problems);
}

}  // namespace davit::input
