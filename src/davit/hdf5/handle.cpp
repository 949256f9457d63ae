#include "davit/hdf5/handle.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace davit::hdf5 {
namespace {

std::recursive_mutex*& lock_of_hdf5() {
  static auto* lock = new std::recursive_mutex;  // for ever: files may be closed when all else has gone
  return lock;
}

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

Quiet::Quiet() : lock_(*lock_of_hdf5()) {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

void Quiet::renew_lock() { lock_of_hdf5() = new std::recursive_mutex; }

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

Handle block_space(std::span<const hsize_t> shape) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, "making a data space"};
}

namespace {

void write_scalar(hid_t object, const char* name, hid_t type, const void* value) {
  const Handle space = scalar_space();
  const Handle attribute{H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "making an attribute"};
  check(H5Awrite(attribute.id(), type, value), "writing an attribute");
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

}  // namespace davit::hdf5
