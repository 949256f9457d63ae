// Reading from HDF5 files that somebody else may have made, for every module that has a file in this format.
//
// Solves: HDF5 copies as much as a file holds into whatever it is given. So class, shape and size are checked before
// every read, and before memory is asked for; links and storage that lead out of the file, and filters that would load
// a plug-in, are refused; rows that are claimed must be in storage. All throw a Failure that names the object.
// Does not: protect from HDF5's own mistakes with damaged files: see trial.hpp.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "davit/hdf5/handle.hpp"

namespace davit::hdf5 {

using Shape = std::vector<hsize_t>;

bool has(hid_t where, const char* name);
Handle open_group(hid_t where, const char* name);
// Rows are read in their order, so that one chunk at a time is enough: a file may have thousands of datasets open. Who
// reads column by column wants a cache that keeps the chunks of a column.
constexpr std::size_t one_chunk = std::size_t{1} << 20u;
Handle open_dataset(hid_t where, const char* name, std::size_t cache_bytes = one_chunk);
bool is_group(hid_t where, const char* name);
// In the order in which they were made where the file keeps it, else by name; at most `most` of them.
std::vector<std::string> names_in(hid_t group, hsize_t most);

// A missing attribute reads as nothing: files of older versions stay readable.
std::string read_text_attribute(hid_t object, const char* name);
double read_number_attribute(hid_t object, const char* name);
std::uint64_t read_integer_attribute(hid_t object, const char* name);

Shape shape_of(hid_t where, const char* name);
// Of a dataset that is a plain list.
hsize_t length_of(hid_t dataset);
// Of one that has rows and columns.
struct TableSize {
  hsize_t rows, columns;
};
TableSize size_of_table(hid_t dataset);

// Row-major; another shape than the expected one is named.
std::vector<double> read_array(hid_t where, const char* name, const Shape& expected);
std::vector<std::complex<double>> read_complex_array(hid_t where, const char* name, const Shape& expected);
// A list of at most `most` texts, and a single one.
std::vector<std::string> read_texts(hid_t where, const char* name, hsize_t most);
std::string read_text(hid_t dataset);
// A list of `count` texts of a fixed size, without the zeros that fill them up.
std::vector<std::string> read_fixed_texts(hid_t where, const char* name, hsize_t count);
// A single text of fixed size, cut at its first zero byte and at `most` bytes.
std::string read_fixed_text(hid_t dataset, std::size_t most);
// Before memory is asked for: so many values of a dataset are no more than a file of its size can hold.
void check_room(hid_t dataset, hsize_t count, std::size_t value_size);
// Rows of a list of numbers or of a table, as many as there is room for: `data` has `count` times the memory type.
void read_rows(hid_t dataset, hid_t memory_type, hsize_t first, hsize_t count, void* data);

// A part of a table of numbers, row by row.
struct TablePart {
  hsize_t first_row, rows, first_column, columns;
};
void read_table(hid_t dataset, hid_t memory_type, const TablePart& part, void* data);

// What a file can hold of what its datasets claim. A dataset may claim any number of rows, because chunks that were
// never written take no room: read, they are zeros without end. So what is claimed must be in storage, and the storage
// of all datasets that are asked about is together no more than the file, whatever their indices say.
class Storage {
 public:
  explicit Storage(hid_t file);
  // The first `rows` of a dataset, which has no more than these to be read. Throws a Failure that names it.
  void claim(hid_t dataset, hsize_t rows);

 private:
  hsize_t left_;
};

// Looks at all that HDF5 needs to find the values of a list or table, and at those of its first rows where they are
// compressed.
void look_through(hid_t dataset, hsize_t rows);

}  // namespace davit::hdf5
