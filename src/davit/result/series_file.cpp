#include "davit/result/series_file.hpp"

#include <algorithm>

namespace davit::result {

using hdf5::Handle;

namespace {

constexpr hsize_t most_channels = 1'000'000;
constexpr int deepest_group = 16;
// Of a table whose columns are read one after the other: the chunks of a column have those of its neighbours as well.
constexpr std::size_t column_cache = std::size_t{64} << 20u;

}  // namespace

SeriesReader::SeriesReader(hid_t file, std::uint64_t layout) : time_(hdf5::open_dataset(file, "time")) {
  const Handle group = hdf5::open_group(file, "channels");
  if (layout == 1)
    open_lists(group.id(), "", 0);
  else
    open_table(group.id());
}

void SeriesReader::open_table(hid_t group) {
  const hsize_t count = hdf5::length_of(hdf5::open_dataset(group, "name").id());
  if (count > most_channels) throw hdf5::Failure("there are too many channels");
  const auto texts = [&](const char* name) { return hdf5::read_fixed_texts(group, name, count); };
  std::vector<std::string> name = texts("name"), unit = texts("unit"), description = texts("description"),
                           source = texts("source"), of_plot = texts("group");
  std::vector<std::uint8_t> main(count);
  hdf5::read_rows(hdf5::open_dataset(group, "main").id(), H5T_NATIVE_UINT8, 0, count, main.data());
  for (hsize_t i = 0; i < count; ++i)
    channels_.push_back({.name = std::move(name[i]),
                         .unit = std::move(unit[i]),
                         .description = std::move(description[i]),
                         .source = std::move(source[i]),
                         .main = main[i] != 0,
                         .group = std::move(of_plot[i])});
  if (count == 0) return;
  values_ = hdf5::open_dataset(group, "values", column_cache);
  if (hdf5::size_of_table(values_.id()).columns != count)
    throw hdf5::Failure("there are not as many columns of values as names of channels");
}

// Those of a part are in a group of its name.
void SeriesReader::open_lists(hid_t group, const std::string& before, int depth) {
  if (depth > deepest_group) throw hdf5::Failure("the groups of channels are nested too deep");
  for (const std::string& own : hdf5::names_in(group, most_channels)) {
    const std::string name = before + own;
    if (channels_.size() > most_channels) throw hdf5::Failure("there are too many channels");
    if (hdf5::is_group(group, own.c_str())) {
      open_lists(hdf5::open_group(group, own.c_str()).id(), name + "/", depth + 1);
      continue;
    }
    Handle dataset = hdf5::open_dataset(group, own.c_str());
    channels_.push_back({.name = name,
                         .unit = hdf5::read_text_attribute(dataset.id(), "unit"),
                         .description = hdf5::read_text_attribute(dataset.id(), "description"),
                         .source = hdf5::read_text_attribute(dataset.id(), "source"),
                         .main = hdf5::read_integer_attribute(dataset.id(), "main") != 0,
                         .group = hdf5::read_text_attribute(dataset.id(), "group")});
    series_.push_back(std::move(dataset));
  }
}

template <class Visitor>
void SeriesReader::each_dataset(Visitor&& visit) const {
  visit(time_.id());
  if (values_.id() >= 0) visit(values_.id());
  for (const Handle& each : series_) visit(each.id());
}

std::uint64_t SeriesReader::rows() const {
  std::uint64_t rows = hdf5::length_of(time_.id());
  if (values_.id() >= 0) rows = std::min<std::uint64_t>(rows, hdf5::size_of_table(values_.id()).rows);
  for (const Handle& each : series_) rows = std::min<std::uint64_t>(rows, hdf5::length_of(each.id()));
  return rows;
}

void SeriesReader::claim(hdf5::Storage& storage, std::uint64_t rows) const {
  each_dataset([&](hid_t dataset) { storage.claim(dataset, rows); });
}

void SeriesReader::look_through(std::uint64_t rows) const {
  each_dataset([&](hid_t dataset) { hdf5::look_through(dataset, rows); });
}

void SeriesReader::read_times(std::uint64_t first, std::span<double> out) const {
  hdf5::read_rows(time_.id(), H5T_NATIVE_DOUBLE, first, out.size(), out.data());
}

void SeriesReader::read(std::size_t channel, std::size_t width, std::uint64_t first, std::span<double> out) const {
  const std::size_t rows = out.size() / width;
  if (values_.id() >= 0) {
    hdf5::read_table(values_.id(), H5T_NATIVE_DOUBLE,
                     {.first_row = first, .rows = rows, .first_column = channel, .columns = width}, out.data());
    return;
  }
  std::vector<double> column(rows);
  for (std::size_t c = 0; c < width; ++c) {
    hdf5::read_rows(series_.at(channel + c).id(), H5T_NATIVE_DOUBLE, first, rows, column.data());
    for (std::size_t r = 0; r < rows; ++r) out[r * width + c] = column[r];
  }
}

}  // namespace davit::result
