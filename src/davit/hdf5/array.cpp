#include "davit/hdf5/array.hpp"

#include <algorithm>

namespace davit::hdf5 {
namespace {

constexpr hsize_t worth_packing = 16 * 1024;  // bytes

// Large arrays are packed, without loss: bytes of the same rank together, then deflated.
Handle create(hid_t where, const char* name, const Shape& shape, hid_t type) {
  const Handle space{H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                     "making a data space"};
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "making properties"};
  hsize_t bytes = H5Tget_size(type);
  for (const hsize_t n : shape) bytes *= n;
  if (bytes >= worth_packing && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    check(H5Pset_chunk(properties.id(), static_cast<int>(shape.size()), shape.data()), "packing a dataset");
    check(H5Pset_shuffle(properties.id()), "packing a dataset");
    check(H5Pset_deflate(properties.id(), 6), "packing a dataset");
  }
  return {H5Dcreate2(where, name, type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose,
          "making a dataset"};
}

void write(hid_t where, const char* name, const Shape& shape, hid_t type, const void* values, const char* unit,
           const char* description) {
  const Handle dataset = create(where, name, shape, type);
  check(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "writing a dataset");
  write_attribute(dataset.id(), "unit", std::string(unit));
  write_attribute(dataset.id(), "description", std::string(description));
}

}  // namespace

Handle complex_type() {
  Handle type{H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)), H5Tclose, "making a complex type"};
  check(H5Tinsert(type.id(), "r", 0, H5T_NATIVE_DOUBLE), "making a complex type");
  check(H5Tinsert(type.id(), "i", sizeof(double), H5T_NATIVE_DOUBLE), "making a complex type");
  return type;
}

void write_array(hid_t where, const char* name, const Shape& shape, const std::vector<double>& values, const char* unit,
                 const char* description) {
  write(where, name, shape, H5T_NATIVE_DOUBLE, values.data(), unit, description);
}

void write_array(hid_t where, const char* name, const Shape& shape, const std::vector<std::complex<double>>& values,
                 const char* unit, const char* description) {
  const Handle type = complex_type();
  write(where, name, shape, type.id(), values.data(), unit, description);
}

void write_texts(hid_t where, const char* name, const std::vector<std::string>& texts) {
  const Handle type = text_type();
  const Handle dataset = create(where, name, {texts.size()}, type.id());
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (!texts.empty())
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "writing a dataset");
}

void write_fixed_texts(hid_t where, const char* name, const std::vector<std::string>& texts, const char* description) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string all(texts.size() * longest, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(all.data() + i * longest, longest);
  const Handle type = fixed_text_type(longest);
  const Handle dataset = create(where, name, {texts.size()}, type.id());
  if (!texts.empty())
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "writing a dataset");
  write_attribute(dataset.id(), "description", std::string(description));
}

}  // namespace davit::hdf5
