#include "davit/hdf5/handle.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string_view>

namespace davit::hdf5 {
namespace {

// Walked from the innermost frame outwards: the first description is the cause, unless the operating system's word
// turns up, which says more to a user ("... error message = 'No space left on device' ...").
herr_t find_cause(unsigned, const H5E_error2_t* entry, void* data) {
  auto& cause = *static_cast<std::string*>(data);
  const std::string_view text = entry->desc ? entry->desc : "";
  constexpr std::string_view mark = "error message = '";
  if (const auto at = text.find(mark); at != text.npos) {
    const auto rest = text.substr(at + mark.size());
    cause = rest.substr(0, rest.find('\''));
    return 1;
  }
  if (cause.empty()) cause = text;
  return 0;
}

}  // namespace

void fail(const char* doing) {
  std::string cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_cause, &cause);
  H5Eclear2(H5E_DEFAULT);
  throw Failure(cause.empty() ? std::string(doing) : fmt::format("{}: {}", doing, cause));
}

Handle property_list(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "making a property list"}; }

Handle text_type() {
  Handle type{H5Tcopy(H5T_C_S1), H5Tclose, "making a text type"};
  check(H5Tset_size(type.id(), H5T_VARIABLE), "making a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "making a text type");
  return type;
}

Handle fixed_text_type(std::size_t size) {
  Handle type{H5Tcopy(H5T_C_S1), H5Tclose, "making a text type"};
  check(H5Tset_size(type.id(), size), "making a text type");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "making a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "making a text type");
  return type;
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "making a data space"}; }

Handle vector_space(hsize_t length, hsize_t greatest) {
  return {H5Screate_simple(1, &length, &greatest), H5Sclose, "making a data space"};
}

namespace {

void write_scalar(hid_t object, const char* name, hid_t type, const void* value) {
  const Handle space = scalar_space();
  const Handle attribute{H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "making an attribute"};
  check(H5Awrite(attribute.id(), type, value), "writing an attribute");
}

bool read_scalar(hid_t object, const char* name, hid_t type, void* value) {
  if (check(H5Aexists(object, name), "looking for an attribute") == 0) return false;
  const Handle attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "opening an attribute"};
  check(H5Aread(attribute.id(), type, value), "reading an attribute");
  return true;
}

}  // namespace

void write_attribute(hid_t object, const char* name, const std::string& value) {
  const Handle type = text_type();
  const char* text = value.c_str();
  write_scalar(object, name, type.id(), &text);
}

void write_attribute(hid_t object, const char* name, double value) {
  write_scalar(object, name, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const char* name, std::uint64_t value) {
  write_scalar(object, name, H5T_NATIVE_UINT64, &value);
}

std::string read_text_attribute(hid_t object, const char* name) {
  const Handle type = text_type();
  char* text = nullptr;
  if (!read_scalar(object, name, type.id(), &text) || !text) return {};
  std::string value(text);
  H5free_memory(text);
  return value;
}

double read_number_attribute(hid_t object, const char* name) {
  double value = std::numeric_limits<double>::quiet_NaN();
  read_scalar(object, name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::uint64_t read_integer_attribute(hid_t object, const char* name) {
  std::uint64_t value = 0;
  read_scalar(object, name, H5T_NATIVE_UINT64, &value);
  return value;
}

hsize_t length_of(hid_t dataset) {
  const Handle space{H5Dget_space(dataset), H5Sclose, "asking for the length of a dataset"};
  hsize_t length = 0;
  check(H5Sget_simple_extent_dims(space.id(), &length, nullptr), "asking for the length of a dataset");
  return length;
}

}  // namespace davit::hdf5
