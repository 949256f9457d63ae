#include "davit/result/output_record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "davit/result/result_error.hpp"

namespace davit::result {

std::optional<PlacedJson> PlacedJson::member(const std::string& key) const {
  const auto found = json_.find(key);
  if (found == json_.end()) return std::nullopt;
  return PlacedJson(*found, place_.empty() ? key : place_ + "." + key);
}

PlacedJson PlacedJson::item(std::size_t index) const { return {json_[index], fmt::format("{}[{}]", place_, index)}; }

void PlacedJson::fail(const std::string& what) const {
  throw ResultError(fmt::format("'{}' {}", place_.empty() ? "the whole" : place_, what));
}

void OutputCodec<double>::read(const PlacedJson& in, double& out) {
  in.require(in.json().is_number() || in.json().is_null(), "is not a number");
  if (!in.json().is_null())
    out = in.json().get<double>();
  else if (std::isfinite(out))
    out = std::numeric_limits<double>::quiet_NaN();
}

OutputJson or_null(OutputJson schema) {
  if (schema["type"] == "number") schema["type"] = {"number", "null"};
  return schema;
}

OutputJson OutputCodec<std::array<double, 3>>::schema() {
  return {{"type", "array"}, {"items", or_null(OutputCodec<double>::schema())}, {"minItems", 3}, {"maxItems", 3}};
}
void OutputCodec<std::array<double, 3>>::read(const PlacedJson& in, std::array<double, 3>& out) {
  in.require(in.json().is_array() && in.json().size() == 3, "is not a list of three numbers");
  for (std::size_t i = 0; i < 3; ++i) OutputCodec<double>::read(in.item(i), out[i]);
}

OutputJson OutputCodec<NamedTexts>::schema() {
  return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
}
OutputJson OutputCodec<NamedTexts>::write(const NamedTexts& named) {
  OutputJson out = OutputJson::object();
  for (const auto& [name, text] : named) out[name] = text;
  return out;
}
void OutputCodec<NamedTexts>::read(const PlacedJson& in, NamedTexts& out) {
  in.require(in.json().is_object(), "is not an object");
  for (const auto& [name, text] : in.json().items()) {
    in.require(text.is_string(), "has a value that is not a text");
    out.emplace_back(name, text.get<std::string>());
  }
}

}  // namespace davit::result
