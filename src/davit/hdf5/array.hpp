// Arrays of numbers and lists of texts as HDF5 datasets, for every module that has a file in this format.
//
// Solves: a dataset is written with its unit and meaning, and read only if it has the shape that was expected, before
// memory is asked for. Row-major, as HDF5 and numpy have it.
// Does not: datasets that grow.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "davit/hdf5/handle.hpp"

namespace davit::hdf5 {

using Shape = std::vector<hsize_t>;

// Complex numbers are pairs (r, i), which h5py shows as complex128.
void write_array(hid_t where, const char* name, const Shape& shape, const std::vector<double>& values, const char* unit,
                 const char* description);
void write_array(hid_t where, const char* name, const Shape& shape, const std::vector<std::complex<double>>& values,
                 const char* unit, const char* description);
void write_texts(hid_t where, const char* name, const std::vector<std::string>& texts);

bool has(hid_t where, const char* name);
Shape shape_of(hid_t where, const char* name);

// Throws a Failure that names the dataset and both shapes when it has another one.
std::vector<double> read_array(hid_t where, const char* name, const Shape& expected);
std::vector<std::complex<double>> read_complex_array(hid_t where, const char* name, const Shape& expected);
// At most `most` of them.
std::vector<std::string> read_texts(hid_t where, const char* name, hsize_t most);

}  // namespace davit::hdf5
