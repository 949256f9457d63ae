#include "davit/hdf5/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace davit::hdf5 {
namespace {

Handle complex_type() {
  Handle type{H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)), H5Tclose, "making a complex type"};
  check(H5Tinsert(type.id(), "r", 0, H5T_NATIVE_DOUBLE), "making a complex type");
  check(H5Tinsert(type.id(), "i", sizeof(double), H5T_NATIVE_DOUBLE), "making a complex type");
  return type;
}

Handle create(hid_t where, const char* name, const Shape& shape, hid_t type) {
  const Handle space{H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                     "making a data space"};
  return {H5Dcreate2(where, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
          "making a dataset"};
}

void write(hid_t where, const char* name, const Shape& shape, hid_t type, const void* values, const char* unit,
           const char* description) {
  const Handle dataset = create(where, name, shape, type);
  check(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "writing a dataset");
  write_attribute(dataset.id(), "unit", std::string(unit));
  write_attribute(dataset.id(), "description", std::string(description));
}

Handle open(hid_t where, const char* name) {
  if (!has(where, name)) throw Failure(fmt::format("there is no dataset '{}'", name));
  return {H5Dopen2(where, name, H5P_DEFAULT), H5Dclose, "opening a dataset"};
}

Shape shape_of_dataset(hid_t dataset) {
  const Handle space{H5Dget_space(dataset), H5Sclose, "asking for the shape of a dataset"};
  Shape shape(static_cast<size_t>(check(H5Sget_simple_extent_ndims(space.id()), "asking for a shape")));
  check(H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr), "asking for the shape of a dataset");
  return shape;
}

template <class T>
std::vector<T> read(hid_t where, const char* name, const Shape& expected, hid_t type) {
  const Handle dataset = open(where, name);
  const Shape shape = shape_of_dataset(dataset.id());
  if (shape != expected)
    throw Failure(fmt::format("dataset '{}' has the shape [{}] and not [{}]", name, fmt::join(shape, ", "),
                              fmt::join(expected, ", ")));
  hsize_t count = 1;
  for (const hsize_t n : shape) count *= n;
  std::vector<T> values(count);
  check(H5Dread(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading a dataset");
  return values;
}

}  // namespace

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

bool has(hid_t where, const char* name) {
  return check(H5Lexists(where, name, H5P_DEFAULT), "looking for a dataset") > 0;
}

Shape shape_of(hid_t where, const char* name) { return shape_of_dataset(open(where, name).id()); }

std::vector<double> read_array(hid_t where, const char* name, const Shape& expected) {
  return read<double>(where, name, expected, H5T_NATIVE_DOUBLE);
}

std::vector<std::complex<double>> read_complex_array(hid_t where, const char* name, const Shape& expected) {
  const Handle type = complex_type();
  return read<std::complex<double>>(where, name, expected, type.id());
}

std::vector<std::string> read_texts(hid_t where, const char* name, hsize_t most) {
  const Handle dataset = open(where, name);
  const Shape shape = shape_of_dataset(dataset.id());
  if (shape.size() != 1 || shape[0] > most) throw Failure(fmt::format("dataset '{}' is no list of texts", name));
  const Handle type = text_type();
  std::vector<char*> pointers(shape[0], nullptr);
  if (!pointers.empty())
    check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "reading a dataset");
  std::vector<std::string> texts;
  for (char* text : pointers) {
    texts.emplace_back(text ? text : "");
    H5free_memory(text);
  }
  return texts;
}

}  // namespace davit::hdf5
