// The part of a record that knows where its fields are in the struct, but not the C++ type of the struct: members are
// read and written at their offset, by a table of two functions for each type of member. So a field costs the compiler
// nothing but a call.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "davit/input/codec.hpp"
#include "davit/input/record_info.hpp"
#include "davit/math/export.hpp"

namespace davit::input {

// How a member of one type is described, read and written.
struct MemberType {
  bool required;
  Shape (*shape)(const Unit&);
  void (*read)(const Node&, const Shape&, Problems&, void* member);
  std::optional<Node> (*write)(const void* member, const Shape&);  // nothing of an empty optional
};

template <class M>
inline constexpr MemberType member_type = {true, Codec<M>::shape,
                                           [](const Node& node, const Shape& shape, Problems& problems, void* member) {
                                             Codec<M>::read(node, shape, problems, *static_cast<M*>(member));
                                           },
                                           [](const void* member, const Shape& shape) -> std::optional<Node> {
                                             return Codec<M>::write(*static_cast<const M*>(member), shape);
                                           }};

// An std::optional may be left out.
template <class X>
inline constexpr MemberType member_type<std::optional<X>> = {
    false, Codec<X>::shape,
    [](const Node& node, const Shape& shape, Problems& problems, void* member) {
      Codec<X>::read(node, shape, problems, static_cast<std::optional<X>*>(member)->emplace());
    },
    [](const void* member, const Shape& shape) -> std::optional<Node> {
      const auto& value = *static_cast<const std::optional<X>*>(member);
      return value ? std::optional(Codec<X>::write(*value, shape)) : std::nullopt;
    }};

// The values that words stand for.
class ChoiceValues {
 public:
  virtual ~ChoiceValues() = default;
  virtual void set(void* member, std::size_t index) const = 0;
  virtual std::optional<std::size_t> index_of(const void* member) const = 0;
};

class DAVIT_API RecordMembers : public RecordInfo {
 public:
  using RecordInfo::RecordInfo;

 protected:
  void add_member(std::string_view key, std::size_t offset, const MemberType& type, std::string_view unit,
                  std::string_view help);
  void add_choice(std::string_view key, std::size_t offset, bool required, std::vector<std::string> words,
                  std::unique_ptr<const ChoiceValues> values, std::string_view help);
  // A field whose kinds were registered: the record knows by functions how it is read and written. May be left out.
  using Reader = std::function<void(const Node&, const Shape&, Problems&, void* record)>;
  using Writer = std::function<std::optional<Node>(const void* record, const Shape&)>;
  void add_registered(FieldInfo field, Reader read, Writer write);
  // The last field may be left out: then it is as in the struct given here.
  void default_of_last(const void* record);

  using Check = std::function<void(const void* record, const Where&, Problems&)>;
  void add_check(Check check) { checks_.push_back(std::move(check)); }
  void locate_at(std::size_t offset) { where_ = offset; }

  void read_members(const Node& node, Problems& problems, void* record) const;
  Node write_members(const void* record) const;

 private:
  struct Member {
    std::size_t offset;
    const MemberType* type;                      // of a value, or …
    std::shared_ptr<const ChoiceValues> values;  // … of a choice, or …
    Reader read = {};                            // … of a registered field
    Writer write = {};
  };
  void read_member(const Member&, const Node&, const Shape&, Problems&, void* record) const;
  std::optional<Node> write_member(const Member&, const Shape&, const void* record) const;

  std::vector<Member> members_;
  std::vector<Check> checks_;
  std::optional<std::size_t> where_;  // offset of a Where
};

}  // namespace davit::input
