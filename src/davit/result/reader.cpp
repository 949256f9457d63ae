#include "davit/result/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "davit/file/error.hpp"
#include "davit/hdf5/trial.hpp"
#include "davit/result/error.hpp"
#include "davit/result/event_rows.hpp"
#include "davit/result/frame_file.hpp"
#include "davit/result/layout.hpp"
#include "davit/result/writer_lock.hpp"

namespace davit::result {

using hdf5::check;
using hdf5::Handle;

namespace {

constexpr hsize_t most_channels = 1'000'000;
constexpr int deepest_group = 16;
constexpr std::uintmax_t largest_result = std::uintmax_t{1} << 40u;

}  // namespace

struct Result::File {
  std::filesystem::path path;
  Origin origin = Origin::anyone;
  Trial trial = Trial::whole;
  mutable std::vector<bool> tried;  // by block of frames: a child has read it
  Handle file;
  Handle time;
  std::vector<Handle> series;
  std::optional<FrameReader> frames;
  bool closed = false;
  RunHeader header;
  std::vector<ChannelInfo> channels;
  std::unordered_map<std::string, std::size_t> index;
  std::string status;
  layout::Committed committed;

  [[noreturn]] void fail(const std::string& why) const { throw ResultError(fmt::format("{}: {}", path.string(), why)); }

  // A killed run leaves its mark in the file, and HDF5 then lets only readers in that expect a writer.
  void open_file() {
    const Handle access = hdf5::property_list(H5P_FILE_ACCESS);
    check(H5Pset_file_locking(access.id(), false, true), "choosing file locking");
    // HDF5 reads a header again when it meets one that is being written, and doubles its patience each time: its
    // default of 100 readings would take for ever on a damaged file, this takes a tenth of a second.
    check(H5Pset_metadata_read_attempts(access.id(), 26), "choosing how often to read");
    hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
    closed = id >= 0;
    if (!closed) id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
    file = Handle(id, H5Fclose, "opening");
    if (is_being_written(path)) closed = false;  // by this very process, where HDF5 sees one file opened twice
  }

  void read_header() {
    const Handle root{H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose, "opening the root group"};
    const std::uint64_t version = hdf5::read_integer_attribute(root.id(), "layout");
    if (version == 0)
      throw ResultError("an HDF5 file, but not a result of davit: name the file that 'davit run' wrote");
    if (version > layout::version) {
      throw ResultError(
          fmt::format("written by a newer davit (layout {}, this one knows up to {}): update davit to read it", version,
                      layout::version));
    }
    header.davit_version = hdf5::read_text_attribute(root.id(), "davit_version");
    header.title = hdf5::read_text_attribute(root.id(), "title");
    header.method = hdf5::read_text_attribute(root.id(), "method");
    header.step = hdf5::read_number_attribute(root.id(), "step");
    header.seed = hdf5::read_integer_attribute(root.id(), "seed");
    header.created = hdf5::read_text_attribute(root.id(), "created");
    header.scenario_file = hdf5::read_text_attribute(root.id(), "scenario_file");

    const Handle scenario = hdf5::open_dataset(file.id(), "scenario");
    header.scenario = hdf5::read_text(scenario.id());
    header.provenance = hdf5::read_text_attribute(scenario.id(), "provenance");
  }

  void open_channels() {
    time = hdf5::open_dataset(file.id(), "time");
    open_channels(hdf5::open_group(file.id(), "channels"), "", 0);
  }

  // Those of a part are in a group of its name.
  void open_channels(const Handle& group, const std::string& before, int depth) {
    if (depth > deepest_group) throw hdf5::Failure("the groups of channels are nested too deep");
    for (const std::string& own : hdf5::names_in(group.id(), most_channels)) {
      const std::string name = before + own;
      if (channels.size() > most_channels) throw hdf5::Failure("there are too many channels");
      if (hdf5::is_group(group.id(), own.c_str())) {
        open_channels(hdf5::open_group(group.id(), own.c_str()), name + "/", depth + 1);
        continue;
      }
      Handle dataset = hdf5::open_dataset(group.id(), own.c_str());
      index.emplace(name, channels.size());
      channels.push_back({.name = name,
                          .unit = hdf5::read_text_attribute(dataset.id(), "unit"),
                          .description = hdf5::read_text_attribute(dataset.id(), "description"),
                          .source = hdf5::read_text_attribute(dataset.id(), "source"),
                          .main = hdf5::read_integer_attribute(dataset.id(), "main") != 0,
                          .group = hdf5::read_text_attribute(dataset.id(), "group")});
      series.push_back(std::move(dataset));
    }
  }

  void load() {
    const hdf5::Quiet quiet;
    try {
      open_file();
      read_header();
      // The counts first: a writer may add rows between this and the lengths below, never take any away.
      status = layout::read_status(file.id());
      committed = layout::read_committed(file.id());
      open_channels();
      committed.rows = std::min<std::uint64_t>(committed.rows, hdf5::length_of(time.id()));
      for (const Handle& each : series) {
        committed.rows = std::min<std::uint64_t>(committed.rows, hdf5::length_of(each.id()));
      }
      frames = FrameReader::open(file.id());
    } catch (const hdf5::Failure& failure) {
      throw ResultError(
          fmt::format("cannot be read as a result of davit ({}): the file is damaged or of another kind; run the "
                      "scenario again",
                      failure.what()));
    }
  }

  // All that is read when a file is opened, and all that HDF5 needs to read the rest of it.
  void look_through() {
    load();
    const hdf5::Quiet quiet;
    hdf5::look_through(time.id());
    for (const Handle& each : series) hdf5::look_through(each.id());
    for (const char* table : {"events", "hashes"}) hdf5::look_through(hdf5::open_dataset(file.id(), table).id());
    if (frames) frames->look_through(trial == Trial::whole);
  }

  // In another process, which may crash: `reading` gets a file of its own.
  void try_out(const std::function<void(File&)>& reading) const {
    std::string wrong;
    try {
      wrong = hdf5::trial(path, largest_result, [&]() -> std::string {
        try {
          File another;
          another.path = path;
          another.trial = trial;
          reading(another);
          return "";
        } catch (const std::runtime_error& error) {  // ResultError or hdf5::Failure
          return error.what();
        }
      });
    } catch (const file::FileError& error) {
      throw ResultError(error.what());
    }
    if (!wrong.empty()) throw ResultError(wrong);
  }

  void read(const Handle& dataset, std::uint64_t first, std::span<double> out) const {
    if (first + out.size() > committed.rows) throw std::out_of_range("rows beyond the end of the result");
    hdf5::Quiet quiet;
    try {
      hdf5::read_rows(dataset.id(), H5T_NATIVE_DOUBLE, first, out.size(), out.data());
    } catch (const hdf5::Failure& failure) {
      fail(fmt::format("cannot be read ({}): is the disk in order?", failure.what()));
    }
  }

  // Frames that no child has read so far are read in one.
  void try_frames(std::uint64_t first, std::uint64_t count) const {
    if (origin != Origin::anyone || trial == Trial::whole || count == 0) return;
    const hdf5::Quiet quiet;
    tried.resize(frames->frames() / frames_per_block + 1);
    const std::uint64_t begin = first / frames_per_block, end = (first + count - 1) / frames_per_block + 1;
    const auto is_tried = [&](std::uint64_t block) { return block < tried.size() && tried[block]; };
    std::uint64_t block = begin;
    while (block < end && is_tried(block)) ++block;
    if (block == end) return;
    try {
      try_out([&](File& another) {
        another.open_file();
        another.frames = FrameReader::open(another.file.id());
        if (another.frames) another.frames->read(first, count);
      });
    } catch (const ResultError& error) {
      fail(error.what());
    }
    // Those of which all frames were read.
    for (block = begin; (block + 1) * frames_per_block <= first + count; ++block) tried[block] = true;
    if (first + count == frames->frames() && end <= tried.size()) tried[end - 1] = true;
  }

  template <typename Reading>
  auto read_of_frames(const Reading& reading) const {
    hdf5::Quiet quiet;
    try {
      return reading(*frames);
    } catch (const hdf5::Failure& failure) {
      fail(fmt::format("its frames cannot be read ({}): is the disk in order?", failure.what()));
    }
  }

  template <typename Row>
  std::vector<Row> read_table(const char* name, const Handle& type, std::uint64_t rows) const {
    hdf5::Quiet quiet;
    try {
      const Handle dataset = hdf5::open_dataset(file.id(), name);
      std::vector<Row> table(std::min<std::uint64_t>(rows, hdf5::length_of(dataset.id())));
      hdf5::read_rows(dataset.id(), type.id(), 0, table.size(), table.data());
      return table;
    } catch (const hdf5::Failure& failure) {
      fail(fmt::format("cannot be read ({}): is the disk in order?", failure.what()));
    }
  }
};

Result::Result(std::unique_ptr<File> file) : file_(std::move(file)) {}
Result::Result(Result&&) noexcept = default;
Result& Result::operator=(Result&&) noexcept = default;
Result::~Result() = default;

Result Result::open(const std::filesystem::path& path, Origin origin, Trial trial) {
  auto file = std::make_unique<File>();
  file->path = path;
  file->origin = origin;
  file->trial = trial;
  try {
    if (origin == Origin::anyone) file->try_out([](File& another) { another.look_through(); });
    file->load();
  } catch (const ResultError& error) {
    file->fail(error.what());
  }
  return Result(std::move(file));
}

void Result::refresh() {
  const std::filesystem::path path = file_->path;
  const Origin origin = file_->origin;
  const Trial trial = file_->trial;
  file_.reset();  // HDF5 forgets what it has cached of a file only when nobody has it open
  *this = open(path, origin, trial);
}

const std::filesystem::path& Result::path() const { return file_->path; }
const RunHeader& Result::header() const { return file_->header; }
const std::vector<ChannelInfo>& Result::channels() const { return file_->channels; }
std::uint64_t Result::rows() const { return file_->committed.rows; }
const std::string& Result::status() const { return file_->status; }
bool Result::closed() const { return file_->closed; }
bool Result::being_written() const { return is_being_written(file_->path); }

std::optional<std::size_t> Result::find(std::string_view channel) const {
  const auto found = file_->index.find(std::string(channel));
  if (found == file_->index.end()) return std::nullopt;
  return found->second;
}

std::vector<double> Result::times() const {
  std::vector<double> values(rows());
  read_times(0, values);
  return values;
}

std::vector<double> Result::channel(std::string_view name) const {
  const auto index = find(name);
  if (!index) {
    // What shares the element's name is what a mistyped quantity was meant to be.
    const std::string_view element = name.substr(0, name.find('.'));
    std::vector<std::string> similar;
    for (const ChannelInfo& info : channels()) {
      if (info.name.starts_with(element) && similar.size() < 5) similar.push_back(info.name);
    }
    file_->fail(similar.empty() ? fmt::format("has no channel '{}' (it has {} others)", name, channels().size())
                                : fmt::format("has no channel '{}'; there is {}", name, fmt::join(similar, ", ")));
  }
  std::vector<double> values(rows());
  read_channel(*index, 0, values);
  return values;
}

const Scene* Result::scene() const { return file_->frames ? &file_->frames->scene() : nullptr; }
std::uint64_t Result::frames() const { return file_->frames ? file_->frames->frames() : 0; }

std::vector<double> Result::frame_times() const {
  return file_->frames ? file_->read_of_frames([](const FrameReader& of) { return of.times(); })
                       : std::vector<double>{};
}

PackedFrames Result::read_frames(std::uint64_t first, std::uint64_t count) const {
  if (!file_->frames) throw std::out_of_range("a result without frames");
  file_->try_frames(first, count);
  return file_->read_of_frames([&](const FrameReader& of) { return of.read(first, count); });
}

void Result::read_times(std::uint64_t first, std::span<double> out) const { file_->read(file_->time, first, out); }

void Result::read_channel(std::size_t index, std::uint64_t first, std::span<double> out) const {
  file_->read(file_->series.at(index), first, out);
}

std::vector<Event> Result::events() const {
  return join_events(file_->read_table<layout::EventRow>("events", layout::event_type(), file_->committed.events));
}

std::vector<StateHash> Result::hashes() const {
  std::vector<StateHash> hashes;
  for (const layout::HashRow& row :
       file_->read_table<layout::HashRow>("hashes", layout::hash_type(), file_->committed.hashes)) {
    hashes.push_back({row.time, row.hash});
  }
  return hashes;
}

}  // namespace davit::result
