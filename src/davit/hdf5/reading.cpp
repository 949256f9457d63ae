#include "davit/hdf5/reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "davit/hdf5/array.hpp"

namespace davit::hdf5 {
namespace {

constexpr std::size_t longest_text = std::size_t{64} << 20u;
constexpr std::size_t largest_number = 16, longest_row = std::size_t{64} << 10u;
constexpr hsize_t most_text_bytes = hsize_t{1} << 30u;
// Deflate packs at most 258 bytes into two bits.
constexpr hsize_t most_packing = 1032;

// Values take no more memory than this: a compressed file holds more than its size, but not without a limit.
hsize_t most_bytes(hid_t object) {
  const Handle file{H5Iget_file_id(object), H5Fclose, "asking for the file"};
  hsize_t size = 0;
  check(H5Fget_filesize(file.id(), &size), "asking for the size of the file");
  return (hsize_t{64} << 20u) + 16 * size;
}

std::string name_of(hid_t object) {
  std::array<char, 256> text{};
  return H5Iget_name(object, text.data(), text.size()) > 0 ? std::string(text.data()) : "?";
}

// Product of the sizes, which is at most `most`; nothing if it is more.
std::optional<hsize_t> product(const Shape& shape, hsize_t most) {
  hsize_t count = 1;
  for (const hsize_t n : shape) {
    if (n > 0 && count > most / n) return std::nullopt;
    count *= n;
  }
  return count;
}

Shape shape_of_space(hid_t space) {
  if (H5Sget_simple_extent_type(space) == H5S_NULL) throw Failure("there are no values");
  Shape shape(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space), "asking for a shape")));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "asking for a shape");
  return shape;
}

Shape shape_of_dataset(hid_t dataset) {
  const Handle space{H5Dget_space(dataset), H5Sclose, "asking for the shape of a dataset"};
  return shape_of_space(space.id());
}

bool is_complex(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2 || H5Tget_size(type) > 2 * largest_number)
    return false;
  return H5Tget_member_class(type, 0) == H5T_FLOAT && H5Tget_member_class(type, 1) == H5T_FLOAT &&
         H5Tget_member_index(type, "r") == 0 && H5Tget_member_index(type, "i") == 1;
}

bool is_number(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return (kind == H5T_FLOAT || kind == H5T_INTEGER) && H5Tget_size(type) <= largest_number;
}

bool is_table(hid_t type) {
  return H5Tget_class(type) == H5T_COMPOUND && H5Tdetect_class(type, H5T_VLEN) == 0 && H5Tget_size(type) <= longest_row;
}

// What HDF5 can and may convert to the memory type.
bool is_like(hid_t type, hid_t memory_type) {
  switch (H5Tget_class(memory_type)) {
    case H5T_FLOAT:
      return is_number(type);
    case H5T_INTEGER:
      return is_number(type) && H5Tget_class(type) == H5T_INTEGER;
    case H5T_COMPOUND:
      return is_table(type);
    default:
      return false;
  }
}

void check_link(hid_t where, const char* name) {
  H5L_info_t link;
  check(H5Lget_info(where, name, &link, H5P_DEFAULT), "looking at a link");
  if (link.type != H5L_TYPE_HARD) throw Failure(fmt::format("'{}' is a link that may lead elsewhere", name));
}

std::vector<H5Z_filter_t> filters_of(hid_t creation) {
  std::vector<H5Z_filter_t> filters(static_cast<std::size_t>(check(H5Pget_nfilters(creation), "looking at filters")));
  for (std::size_t i = 0; i < filters.size(); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    filters[i] =
        check(H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr),
              "looking at filters");
  }
  return filters;
}

// All of the dataset where it is in one piece.
Shape chunk_of(hid_t dataset, hid_t creation) {
  Shape chunk = shape_of_dataset(dataset);
  if (check(H5Pget_layout(creation), "looking at a dataset") == H5D_CHUNKED)
    check(H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), "looking at chunks");
  return chunk;
}

// Where the values are: in this file, and in pieces that fit into memory.
void check_storage(hid_t dataset, const char* name) {
  const Handle creation{H5Dget_create_plist(dataset), H5Pclose, "looking at a dataset"};
  const H5D_layout_t layout = check(H5Pget_layout(creation.id()), "looking at a dataset");
  if (layout == H5D_VIRTUAL || check(H5Pget_external_count(creation.id()), "looking at a dataset") > 0)
    throw Failure(fmt::format("the values of '{}' are in other files", name));
  const std::vector<H5Z_filter_t> filters = filters_of(creation.id());
  for (const H5Z_filter_t filter : filters)
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      throw Failure(fmt::format("'{}' is packed in a way that is not read", name));
  if (std::count(filters.begin(), filters.end(), H5Z_FILTER_DEFLATE) > 1)
    throw Failure(fmt::format("'{}' is packed more than once", name));
  if (layout != H5D_CHUNKED) return;
  const Shape chunk = chunk_of(dataset, creation.id());
  const Handle type{H5Dget_type(dataset), H5Tclose, "looking at a dataset"};
  if (!product(chunk, most_bytes(dataset) / std::max<std::size_t>(H5Tget_size(type.id()), 1)))
    throw Failure(fmt::format("the chunks of '{}' are larger than the file can hold", name));
}

hsize_t checked_count(hid_t dataset, const Shape& shape, std::size_t value_size) {
  const auto count = product(shape, most_bytes(dataset) / value_size);
  if (!count)
    throw Failure(fmt::format("dataset '{}' has the shape [{}], more than a file of this size can hold",
                              name_of(dataset), fmt::join(shape, ", ")));
  return *count;
}

template <class T>
std::vector<T> read_values(hid_t where, const char* name, const Shape& expected, hid_t memory_type,
                           bool (*is_readable)(hid_t)) {
  const Handle dataset = open_dataset(where, name);
  const Shape shape = shape_of_dataset(dataset.id());
  if (shape != expected)
    throw Failure(fmt::format("dataset '{}' has the shape [{}] and not [{}]", name, fmt::join(shape, ", "),
                              fmt::join(expected, ", ")));
  const Handle type{H5Dget_type(dataset.id()), H5Tclose, "looking at a dataset"};
  if (!is_readable(type.id())) throw Failure(fmt::format("dataset '{}' has values of another kind", name));
  std::vector<T> values(checked_count(dataset.id(), shape, sizeof(T)));
  check(H5Dread(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading a dataset");
  return values;
}

// Texts of variable length, as we write them. HDF5 allocates each; it is freed here.
bool is_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0; }

std::string taken(char* text) {
  if (!text) return {};
  std::string copy(text, ::strnlen(text, longest_text));
  H5free_memory(text);
  return copy;
}

// An attribute of one value that `is_readable`, into `value`, which has room for one of the memory type. False when
// there is none.
bool read_attribute(hid_t object, const char* name, hid_t memory_type, bool (*is_readable)(hid_t), const char* expected,
                    void* value) {
  if (check(H5Aexists(object, name), "looking for an attribute") == 0) return false;
  const Handle attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "opening an attribute"};
  const Handle space{H5Aget_space(attribute.id()), H5Sclose, "looking at an attribute"};
  const Handle type{H5Aget_type(attribute.id()), H5Tclose, "looking at an attribute"};
  if (H5Sget_simple_extent_npoints(space.id()) != 1 || !is_readable(type.id()))
    throw Failure(fmt::format("attribute '{}' is not {}", name, expected));
  check(H5Aread(attribute.id(), memory_type, value), "reading an attribute");
  return true;
}

// Whether the first rows of a dataset are in its storage, of which the file has `most` bytes. Returns the storage.
hsize_t check_stored(hid_t dataset, hsize_t rows, hsize_t most) {
  const hsize_t stored = H5Dget_storage_size(dataset);
  if (stored > most) throw Failure(fmt::format("dataset '{}' claims more storage than the file has", name_of(dataset)));
  const Handle creation{H5Dget_create_plist(dataset), H5Pclose, "looking at a dataset"};
  const std::vector<H5Z_filter_t> filters = filters_of(creation.id());
  const bool packed = std::find(filters.begin(), filters.end(), H5Z_FILTER_DEFLATE) != filters.end();
  const Handle type{H5Dget_type(dataset), H5Tclose, "looking at a dataset"};
  Shape claimed = shape_of_dataset(dataset);
  if (claimed.empty()) return stored;
  claimed[0] = rows;
  claimed.push_back(H5Tget_size(type.id()));
  if (!product(claimed, packed ? most_packing * stored : stored))
    throw Failure(
        fmt::format("dataset '{}' claims {} rows, and the file does not hold so many", name_of(dataset), rows));
  return stored;
}

// Of what is there to read, with room for chunks at its end that are allocated and not yet written: a file grows.
hsize_t file_size(hid_t object) {
  constexpr hsize_t unwritten = hsize_t{16} << 20u;
  const Handle file{H5Iget_file_id(object), H5Fclose, "asking for the file"};
  void* descriptor = nullptr;
  struct stat now {};
  // What HDF5 says is the size at which it was opened.
  if (H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) >= 0 && descriptor != nullptr &&
      ::fstat(*static_cast<int*>(descriptor), &now) == 0)
    return static_cast<hsize_t>(now.st_size) + unwritten;
  hsize_t size = 0;
  check(H5Fget_filesize(file.id(), &size), "asking for the size of the file");
  return size + unwritten;
}

void check_rows(hid_t dataset, hsize_t length, hsize_t first, hsize_t count) {
  if (first > length || count > length - first)
    throw Failure(fmt::format("dataset '{}' has only {} rows", name_of(dataset), length));
}

// `data` has room for all of the block.
void read_block(hid_t dataset, hid_t memory_type, const Shape& first, const Shape& count, void* data) {
  const Handle type{H5Dget_type(dataset), H5Tclose, "looking at a dataset"};
  if (!is_like(type.id(), memory_type))
    throw Failure(fmt::format("dataset '{}' has rows of another kind", name_of(dataset)));
  const Handle file_space{H5Dget_space(dataset), H5Sclose, "reading"};
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), "reading");
  const Handle memory_space = block_space(count);
  check(H5Dread(dataset, memory_type, memory_space.id(), file_space.id(), H5P_DEFAULT, data), "reading");
}

bool is_integer(hid_t type) { return is_number(type) && H5Tget_class(type) == H5T_INTEGER; }

}  // namespace

bool has(hid_t where, const char* name) {
  return check(H5Lexists(where, name, H5P_DEFAULT), "looking for an object") > 0;
}

Handle open_group(hid_t where, const char* name) {
  if (!has(where, name)) throw Failure(fmt::format("there is no group '{}'", name));
  check_link(where, name);
  return {H5Gopen2(where, name, H5P_DEFAULT), H5Gclose, "opening a group"};
}

Handle open_dataset(hid_t where, const char* name, std::size_t cache_bytes) {
  if (!has(where, name)) throw Failure(fmt::format("there is no dataset '{}'", name));
  check_link(where, name);
  // Chunks share a slot by a remainder: a prime, ten times as many as chunks of 32 kB fit.
  constexpr std::size_t many_slots = 20011;
  const Handle access = property_list(H5P_DATASET_ACCESS);
  check(H5Pset_chunk_cache(access.id(), cache_bytes > one_chunk ? many_slots : 1, cache_bytes, 1.0),
        "choosing a cache size");
  Handle dataset{H5Dopen2(where, name, access.id()), H5Dclose, "opening a dataset"};
  check_storage(dataset.id(), name);
  return dataset;
}

bool is_group(hid_t where, const char* name) {
  check_link(where, name);
  const Handle object{H5Oopen(where, name, H5P_DEFAULT), H5Oclose, "opening an object"};
  return H5Iget_type(object.id()) == H5I_GROUP;
}

std::vector<std::string> names_in(hid_t group, hsize_t most) {
  H5G_info_t info;
  check(H5Gget_info(group, &info), "counting the members of a group");
  if (info.nlinks > most) throw Failure(fmt::format("group '{}' has more than {} members", name_of(group), most));
  const Handle creation{H5Gget_create_plist(group), H5Pclose, "looking at a group"};
  unsigned order = 0;
  check(H5Pget_link_creation_order(creation.id(), &order), "looking at a group");
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group, (order & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME, H5_ITER_INC,
                   nullptr, collect, &names),
        "listing the members of a group");
  return names;
}

std::string read_text_attribute(hid_t object, const char* name) {
  const Handle type = text_type();
  char* text = nullptr;
  read_attribute(object, name, type.id(), is_text, "one text of variable length", &text);
  return taken(text);
}

double read_number_attribute(hid_t object, const char* name) {
  double value = std::numeric_limits<double>::quiet_NaN();
  read_attribute(object, name, H5T_NATIVE_DOUBLE, is_number, "one number", &value);
  return value;
}

std::uint64_t read_integer_attribute(hid_t object, const char* name) {
  std::uint64_t value = 0;
  read_attribute(object, name, H5T_NATIVE_UINT64, is_integer, "one whole number", &value);
  return value;
}

Shape shape_of(hid_t where, const char* name) { return shape_of_dataset(open_dataset(where, name).id()); }

hsize_t length_of(hid_t dataset) {
  const Shape shape = shape_of_dataset(dataset);
  if (shape.size() != 1) throw Failure(fmt::format("dataset '{}' is not a plain list", name_of(dataset)));
  return shape[0];
}

TableSize size_of_table(hid_t dataset) {
  const Shape shape = shape_of_dataset(dataset);
  if (shape.size() != 2) throw Failure(fmt::format("dataset '{}' has no rows and columns", name_of(dataset)));
  return {shape[0], shape[1]};
}

std::vector<double> read_array(hid_t where, const char* name, const Shape& expected) {
  return read_values<double>(where, name, expected, H5T_NATIVE_DOUBLE, is_number);
}

std::vector<std::complex<double>> read_complex_array(hid_t where, const char* name, const Shape& expected) {
  const Handle type = complex_type();
  return read_values<std::complex<double>>(where, name, expected, type.id(), is_complex);
}

std::vector<std::string> read_texts(hid_t where, const char* name, hsize_t most) {
  const Handle dataset = open_dataset(where, name);
  const Handle type{H5Dget_type(dataset.id()), H5Tclose, "looking at a dataset"};
  const Shape shape = shape_of_dataset(dataset.id());
  if (shape.size() != 1 || shape[0] > most || !is_text(type.id()))
    throw Failure(fmt::format("dataset '{}' is no list of texts", name));
  std::vector<char*> pointers(checked_count(dataset.id(), shape, sizeof(char*)), nullptr);
  const Handle memory_type = text_type();
  if (!pointers.empty())
    check(H5Dread(dataset.id(), memory_type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "reading a dataset");
  std::vector<std::string> texts;
  for (char* text : pointers) texts.push_back(taken(text));
  return texts;
}

std::string read_text(hid_t dataset) {
  const Handle type{H5Dget_type(dataset), H5Tclose, "looking at a dataset"};
  if (product(shape_of_dataset(dataset), 1) != 1 || !is_text(type.id()))
    throw Failure(fmt::format("dataset '{}' is not one text of variable length", name_of(dataset)));
  const Handle memory_type = text_type();
  char* text = nullptr;
  check(H5Dread(dataset, memory_type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text), "reading a text");
  return taken(text);
}

std::string read_fixed_text(hid_t dataset, std::size_t most) {
  const Handle type{H5Dget_type(dataset), H5Tclose, "looking at a dataset"};
  if (product(shape_of_dataset(dataset), 1) != 1 || H5Tget_class(type.id()) != H5T_STRING ||
      H5Tis_variable_str(type.id()) != 0 || H5Tget_size(type.id()) > most)
    throw Failure(fmt::format("dataset '{}' is not one text of at most {} bytes", name_of(dataset), most));
  std::string text(most, '\0');
  const Handle memory_type = fixed_text_type(most);
  check(H5Dread(dataset, memory_type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "reading a text");
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::vector<std::string> read_fixed_texts(hid_t where, const char* name, hsize_t count) {
  const Handle dataset = open_dataset(where, name);
  const Handle type{H5Dget_type(dataset.id()), H5Tclose, "looking at a dataset"};
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0)
    throw Failure(fmt::format("dataset '{}' is no list of texts of a fixed size", name_of(dataset.id())));
  if (length_of(dataset.id()) != count)
    throw Failure(fmt::format("dataset '{}' has not {} texts", name_of(dataset.id()), count));
  const std::size_t size = H5Tget_size(type.id());
  check_stored(dataset.id(), count, file_size(dataset.id()));
  if (!product({count, size}, most_text_bytes))
    throw Failure(fmt::format("the texts of dataset '{}' are too long", name_of(dataset.id())));
  std::vector<char> all(count * size);
  const Handle memory_type = fixed_text_type(size);
  if (!all.empty())
    check(H5Dread(dataset.id(), memory_type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "reading texts");
  std::vector<std::string> texts;
  for (hsize_t i = 0; i < count; ++i) {
    const std::string_view padded(all.data() + i * size, size);
    texts.emplace_back(padded.substr(0, padded.find_last_not_of('\0') + 1));
  }
  return texts;
}

void check_room(hid_t dataset, hsize_t count, std::size_t value_size) { checked_count(dataset, {count}, value_size); }

void read_rows(hid_t dataset, hid_t memory_type, hsize_t first, hsize_t count, void* data) {
  if (count == 0) return;
  check_rows(dataset, length_of(dataset), first, count);
  read_block(dataset, memory_type, {first}, {count}, data);
}

void read_table(hid_t dataset, hid_t memory_type, const TablePart& part, void* data) {
  if (part.rows == 0 || part.columns == 0) return;
  const TableSize size = size_of_table(dataset);
  check_rows(dataset, size.rows, part.first_row, part.rows);
  if (part.first_column > size.columns || part.columns > size.columns - part.first_column)
    throw Failure(fmt::format("dataset '{}' has only {} columns", name_of(dataset), size.columns));
  read_block(dataset, memory_type, {part.first_row, part.first_column}, {part.rows, part.columns}, data);
}

Storage::Storage(hid_t file) : left_(file_size(file)) {}

void Storage::claim(hid_t dataset, hsize_t rows) { left_ -= check_stored(dataset, rows, left_); }

void look_through(hid_t dataset, hsize_t rows) {
  H5Dget_storage_size(dataset);  // goes through the whole index of chunks
  const Handle creation{H5Dget_create_plist(dataset), H5Pclose, "looking at a dataset"};
  if (filters_of(creation.id()).empty()) return;
  const Handle type{H5Dget_type(dataset), H5Tclose, "looking at a dataset"};
  const Shape shape = shape_of_dataset(dataset), chunk = chunk_of(dataset, creation.id());
  if (shape.empty() || shape.size() > 2)
    throw Failure(fmt::format("dataset '{}' is neither a list nor a table", name_of(dataset)));
  // Chunk after chunk, several at once where they are small.
  constexpr hsize_t many_values = 1u << 16u;
  const bool table = shape.size() == 2;
  const hsize_t columns = table ? shape[1] : 1, width = table ? chunk[1] : 1;
  const hsize_t height = chunk[0] * std::max<hsize_t>(many_values / (chunk[0] * width), 1);
  std::vector<char> values;
  for (hsize_t column = 0; column < columns; column += width)
    for (hsize_t row = 0; row < rows; row += height) {
      Shape first{row}, count{std::min(height, rows - row)};
      if (table) {
        first.push_back(column);
        count.push_back(std::min(width, columns - column));
      }
      values.resize(checked_count(dataset, count, H5Tget_size(type.id())) * H5Tget_size(type.id()));
      read_block(dataset, type.id(), first, count, values.data());
    }
}

}  // namespace davit::hdf5
