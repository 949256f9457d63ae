// A struct that goes into a file of results describes its fields once, here; writing, reading, JSON Schema and with it
// the docs derive from it. What a user writes has records of its own (input/record.hpp).
//
//   template <>
//   OutputRecord<Mode> describe() {
//     return OutputRecord<Mode>()
//         .or_null("period_s", &Mode::period)
//         .or_null("damping_ratio", &Mode::damping_ratio, "of critical")
//         .field("shape", &Mode::shape);
//   }
//
// Numbers are in SI and come out in the shortest form that reads back the same; what is not finite is null, because
// JSON has no word for it. A key that an older file lacks leaves its member as T{} has it; one that is not known is not
// looked at. Whatever else is wrong is a ResultError that says where.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace davit::result {

using OutputJson = nlohmann::ordered_json;  // keys in the order of the fields

// A value of a file, and its place there.
class PlacedJson {
 public:
  PlacedJson(const nlohmann::json& json, std::string place) : json_(json), place_(std::move(place)) {}

  const nlohmann::json& json() const { return json_; }
  // None where the object lacks the key.
  std::optional<PlacedJson> member(const std::string& key) const;
  PlacedJson item(std::size_t index) const;
  void require(bool right, const char* what) const {
    if (!right) fail(what);
  }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  const nlohmann::json& json_;
  std::string place_;
};

template <class T>
class OutputRecord;
// What a struct says of itself: one specialisation for each.
template <class T>
OutputRecord<T> describe();
template <class T>
const OutputRecord<T>& output_record() {
  static const OutputRecord<T> record = describe<T>();
  return record;
}

// How a member of one type is described, written and read; in general it is a struct that has a record.
template <class M>
struct OutputCodec {
  static OutputJson schema() { return output_record<M>().schema(); }
  static OutputJson write(const M& value) { return output_record<M>().write(value); }
  static void read(const PlacedJson& in, M& out) { output_record<M>().read(in, out); }
};

// What JSON has a word for: its schema, how it is recognised, and what to say where it is something else.
struct PlainKind {
  const char* schema = nullptr;
  bool (nlohmann::json::*fits)() const noexcept = nullptr;
  const char* wrong = nullptr;
};
template <class M>
inline constexpr PlainKind plain{};
template <>
inline constexpr PlainKind plain<std::string>{R"({"type": "string"})", &nlohmann::json::is_string, "is not a text"};
template <>
inline constexpr PlainKind plain<bool>{R"({"type": "boolean"})", &nlohmann::json::is_boolean,
                                       "is neither true nor false"};
template <>
inline constexpr PlainKind plain<std::uint64_t>{R"({"type": "integer", "minimum": 0})",
                                                &nlohmann::json::is_number_unsigned, "is not a count"};
template <class M>
requires(plain<M>.schema != nullptr) struct OutputCodec<M> {
  static OutputJson schema() { return OutputJson::parse(plain<M>.schema); }
  static OutputJson write(const M& value) { return value; }
  static void read(const PlacedJson& in, M& out) {
    in.require((in.json().*plain<M>.fits)(), plain<M>.wrong);
    out = in.json().get<M>();
  }
};

// Null is what is not finite: on reading what the member has by default where that is not, and else no number.
template <>
struct OutputCodec<double> {
  static OutputJson schema() { return {{"type", "number"}}; }
  static OutputJson write(double value) { return value; }
  static void read(const PlacedJson& in, double& out);
};

template <>
struct OutputCodec<std::array<double, 3>> {
  static OutputJson schema();
  static OutputJson write(const std::array<double, 3>& value) { return value; }
  static void read(const PlacedJson& in, std::array<double, 3>& out);
};

// The schema of a number that may be null; any other as it is.
OutputJson or_null(OutputJson schema);

// Null where there is none.
template <class X>
struct OutputCodec<std::optional<X>> {
  static OutputJson schema() { return or_null(OutputCodec<X>::schema()); }
  static OutputJson write(const std::optional<X>& value) {
    return value ? OutputCodec<X>::write(*value) : OutputJson(nullptr);
  }
  static void read(const PlacedJson& in, std::optional<X>& out) {
    if (!in.json().is_null()) OutputCodec<X>::read(in, out.emplace());
  }
};

template <class X>
struct OutputCodec<std::vector<X>> {
  static OutputJson schema() { return {{"type", "array"}, {"items", OutputCodec<X>::schema()}}; }
  static OutputJson write(const std::vector<X>& list) {
    OutputJson out = OutputJson::array();
    for (const X& item : list) out.push_back(OutputCodec<X>::write(item));
    return out;
  }
  static void read(const PlacedJson& in, std::vector<X>& out) {
    in.require(in.json().is_array(), "is not a list");
    for (std::size_t i = 0; i < in.json().size(); ++i) OutputCodec<X>::read(in.item(i), out.emplace_back());
  }
};

// Texts by name.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;
template <>
struct OutputCodec<NamedTexts> {
  static OutputJson schema();
  static OutputJson write(const NamedTexts& named);
  static void read(const PlacedJson& in, NamedTexts& out);
};

template <class T>
class OutputRecord {
 public:
  template <class M>
  OutputRecord& field(std::string key, M T::*member, const char* help = "") {
    return add_member<M>(
        std::move(key), [member](auto& of) -> auto& { return of.*member; }, help);
  }
  // A member of a part, written beside the other fields.
  template <class P, class M>
  OutputRecord& field(std::string key, P T::*part, M P::*member, const char* help = "") {
    return add_member<M>(
        std::move(key), [ part, member ](auto& of) -> auto& { return of.*part.*member; }, help);
  }

  // A number that may be not finite.
  template <class... Members>
  OutputRecord& or_null(std::string key, Members... members) {
    field(std::move(key), members...);
    fields_.back().schema = result::or_null(fields_.back().schema);
    return *this;
  }

  // What is said by several members together: get(const T&), set(T&, value).
  template <class Get, class Set>
  OutputRecord& property(std::string key, Get get, Set set, const char* help = "") {
    using M = std::decay_t<std::invoke_result_t<Get, const T&>>;
    const auto read = [set](const PlacedJson& in, T& of) {
      M value{};
      OutputCodec<M>::read(in, value);
      set(of, std::move(value));
    };
    return add({std::move(key), OutputCodec<M>::schema(), written_by(get), read}, help);
  }
  // What follows from other fields: written for whoever reads the file, not read back.
  template <class Get>
  OutputRecord& derived(std::string key, Get get, const char* help = "") {
    using M = std::decay_t<std::invoke_result_t<Get, const T&>>;
    return add({std::move(key), OutputCodec<M>::schema(), written_by(get), {}}, help);
  }

  // The modifiers concern the field before them.
  // The only texts that there are.
  OutputRecord& one_of(std::vector<std::string> words) {
    OutputJson schema = {{"enum", words}};
    if (const auto help = fields_.back().schema.find("description"); help != fields_.back().schema.end())
      schema["description"] = *help;
    fields_.back().schema = std::move(schema), fields_.back().words = std::move(words);
    return *this;
  }
  OutputRecord& left_out_if(std::function<bool(const T&)> is_absent) {
    fields_.back().left_out = std::move(is_absent);
    return *this;
  }

  OutputJson write(const T& value) const {
    OutputJson out = OutputJson::object();
    for (const Field& field : fields_)
      if (!field.left_out || !field.left_out(value)) out[field.key] = field.write(value);
    return out;
  }

  void read(const PlacedJson& in, T& out) const {
    in.require(in.json().is_object(), "is not an object");
    for (const Field& field : fields_) {
      if (!field.read) continue;
      const auto found = in.member(field.key);
      if (!found) continue;
      const auto& words = field.words;
      found->require(words.empty() || std::find(words.begin(), words.end(), found->json()) != words.end(),
                     "is none of the words that it may be");
      field.read(*found, out);
    }
  }

  OutputJson schema() const {
    OutputJson properties = OutputJson::object(), required = OutputJson::array();
    for (const Field& field : fields_) {
      properties[field.key] = field.schema;
      if (!field.left_out) required.push_back(field.key);
    }
    return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
  }

 private:
  struct Field {
    std::string key;
    OutputJson schema;
    std::function<OutputJson(const T&)> write;
    std::function<void(const PlacedJson&, T&)> read;  // none: it follows from others
    std::function<bool(const T&)> left_out{};         // none: never
    std::vector<std::string> words{};                 // none: any text
  };

  template <class Get>
  static auto written_by(Get get) {
    return [get](const T& of) {
      return OutputCodec<std::decay_t<std::invoke_result_t<Get, const T&>>>::write(std::invoke(get, of));
    };
  }
  template <class M, class Access>
  OutputRecord& add_member(std::string key, Access member, const char* help) {
    return add(
        {std::move(key), OutputCodec<M>::schema(), [member](const T& of) { return OutputCodec<M>::write(member(of)); },
         [member](const PlacedJson& in, T& of) { OutputCodec<M>::read(in, member(of)); }},
        help);
  }
  OutputRecord& add(Field field, const char* help) {
    if (*help) field.schema["description"] = help;
    fields_.push_back(std::move(field));
    return *this;
  }

  std::vector<Field> fields_;
};

}  // namespace davit::result
