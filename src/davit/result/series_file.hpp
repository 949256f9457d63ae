// Times and channels of a result file, of every layout that there has been, private to this module.
//
// Solves: the reader need not know whether the channels are columns of one dataset or datasets of their own.
// Does not: know which rows are whole; all throw hdf5::Failure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "davit/hdf5/reading.hpp"
#include "davit/result/channel_info.hpp"

namespace davit::result {

class SeriesReader {
 public:
  SeriesReader() = default;
  SeriesReader(hid_t file, std::uint64_t layout);

  const std::vector<ChannelInfo>& channels() const { return channels_; }
  // That every series has.
  std::uint64_t rows() const;
  // That they are in the file.
  void claim(hdf5::Storage& storage, std::uint64_t rows) const;
  void look_through(std::uint64_t rows) const;

  void read_times(std::uint64_t first, std::span<double> out) const;
  // Rows from `first` on of `width` channels that follow each other, row by row.
  void read(std::size_t channel, std::size_t width, std::uint64_t first, std::span<double> out) const;

 private:
  void open_table(hid_t group);
  void open_lists(hid_t group, const std::string& before, int depth);
  template <class Visitor>
  void each_dataset(Visitor&& visit) const;

  std::vector<ChannelInfo> channels_;
  hdf5::Handle time_;
  hdf5::Handle values_;               // a column for each channel; none where there are no channels, and in layout 1:
  std::vector<hdf5::Handle> series_;  // a list for each
};

}  // namespace davit::result
