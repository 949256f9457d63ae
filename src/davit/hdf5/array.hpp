// Arrays of numbers and lists of texts as HDF5 datasets, for every module that has a file in this format.
//
// Solves: a dataset is written with its unit and meaning. Row-major, as HDF5 and numpy have it; reading.hpp reads it.
// Does not: datasets that grow.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "davit/hdf5/reading.hpp"

namespace davit::hdf5 {

// Complex numbers are pairs (r, i), which h5py shows as complex128.
void write_array(hid_t where, const char* name, const Shape& shape, const std::vector<double>& values, const char* unit,
                 const char* description);
void write_array(hid_t where, const char* name, const Shape& shape, const std::vector<std::complex<double>>& values,
                 const char* unit, const char* description);
void write_texts(hid_t where, const char* name, const std::vector<std::string>& texts);
// Each as long as the longest: what repeats packs to almost nothing, and a hundred thousand are read in one go.
void write_fixed_texts(hid_t where, const char* name, const std::vector<std::string>& texts, const char* description);

Handle complex_type();

}  // namespace davit::hdf5
