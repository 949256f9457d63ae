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
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "davit/input/record_members.hpp"
#include "davit/math/export.hpp"

namespace davit::input {

template <class T>
class Record : public RecordMembers {
 public:
  using RecordMembers::RecordMembers;

  template <class M>
  Record& field(std::string_view key, M T::*member, std::string_view help) {
    static_assert(!Codec<Value<M>>::takes_unit, "give the unit of this field; \"1\" for a plain number");
    return add_member(key, offset_of(member), member_type<M>, {}, help), *this;
  }

  template <class M>
  Record& field(std::string_view key, M T::*member, std::string_view unit_text, std::string_view help) {
    static_assert(Codec<Value<M>>::takes_unit, "a field of this type has no unit");
    return add_member(key, offset_of(member), member_type<M>, unit_text, help), *this;
  }

  // A word that stands for a value; the member is an E or an std::optional<E>.
  template <class E>
  using Choices = std::vector<std::pair<std::string, std::type_identity_t<E>>>;

  template <class E>
  Record& choice(std::string_view key, E T::*member, Choices<E> choices, std::string_view help) {
    return add_choice_of<E>(key, offset_of(member), true, choices, help);
  }
  template <class E>
  Record& choice(std::string_view key, std::optional<E> T::*member, Choices<E> choices, std::string_view help) {
    return add_choice_of<std::optional<E>>(key, offset_of(member), false, choices, help);
  }

  // A field of kinds that others registered, such as a section of a scenario: `read` and `write` find in the record
  // what belongs to it. It may be left out.
  using Read = std::function<void(const Node&, const Shape&, Problems&, T&)>;
  using Write = std::function<std::optional<Node>(const T&, const Shape&)>;
  Record& registered(FieldInfo field, Read read, Write write) {
    add_registered(
        std::move(field),
        [read](const Node& node, const Shape& shape, Problems& problems, void* record) {
          read(node, shape, problems, *static_cast<T*>(record));
        },
        [write](const void* record, const Shape& shape) { return write(*static_cast<const T*>(record), shape); });
    return *this;
  }

  // The modifiers concern the field before them.
  Record& at_least(double bound) { return set_lower({bound, true}), *this; }
  Record& above(double bound) { return set_lower({bound, false}), *this; }
  Record& at_most(double bound) { return set_upper({bound, true}), *this; }
  Record& below(double bound) { return set_upper({bound, false}), *this; }
  Record& example(std::string_view text) { return set_example(std::string(text)), *this; }
  // Another key that means the same.
  Record& also(std::string_view key) { return set_also(std::string(key)), *this; }
  // May be left out: then the member keeps the value that T{} gives it.
  Record& by_default() { return default_of_last(&blank()), *this; }

  // The record as a whole.
  Record& located(Where T::*member) { return locate_at(offset_of(member)), *this; }
  // Exactly one of the fields may be given. The bare word will do where the field is a record that needs nothing.
  Record& exactly_one() { return set_one_of(), *this; }
  // Runs when the fields had no mistakes of their own.
  template <class F>
  Record& check(F find_mistakes) {
    add_check([find_mistakes](const void* record, const Where& where, Problems& problems) {
      find_mistakes(*static_cast<const T*>(record), where, problems);
    });
    return *this;
  }

  T read(const Node& node, Problems& problems) const {
    T value{};
    read_members(node, problems, &value);
    return value;
  }
  Node write(const T& value) const { return write_members(&value); }

 private:
  template <class M>
  struct Unwrapped {
    using type = M;
  };
  template <class X>
  struct Unwrapped<std::optional<X>> {
    using type = X;
  };
  template <class M>
  using Value = typename Unwrapped<M>::type;

  static const T& blank() {
    static const T value{};
    return value;
  }
  template <class M>
  static std::size_t offset_of(M T::*member) {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(blank().*member)) -
                                    reinterpret_cast<const std::byte*>(&blank()));
  }

  // M is an E or an std::optional<E>.
  template <class M>
  class ValuesOf final : public ChoiceValues {
   public:
    explicit ValuesOf(std::vector<Value<M>> values) : values_(std::move(values)) {}
    void set(void* member, std::size_t index) const override { *static_cast<M*>(member) = values_[index]; }
    std::optional<std::size_t> index_of(const void* member) const override {
      const auto at = std::find(values_.begin(), values_.end(), *static_cast<const M*>(member));
      return at == values_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - values_.begin()));
    }

   private:
    std::vector<Value<M>> values_;
  };

  template <class M>
  Record& add_choice_of(std::string_view key, std::size_t offset, bool required, const Choices<Value<M>>& choices,
                        std::string_view help) {
    std::vector<std::string> words;
    std::vector<Value<M>> values;
    for (const auto& [word, value] : choices) {
      words.push_back(word);
      values.push_back(value);
    }
    return add_choice(key, offset, required, std::move(words), std::make_unique<ValuesOf<M>>(std::move(values)), help),
           *this;
  }
};

// An alternative that is only a word: {free: {}} or just free.
struct DAVIT_API Nothing {
  static const Record<Nothing>& record();
};

// Reads the node as a T, which has a static record().
template <class T>
T read(const Node& node, Problems& problems) {
  return T::record().read(node, problems);
}

}  // namespace davit::input
