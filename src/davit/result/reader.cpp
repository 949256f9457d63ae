// A result file opened, tried in a child process if others made it, and read; one that grows can be read again.
#include "davit/result/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "davit/hdf5/trial.hpp"
#include "davit/io/file_error.hpp"
#include "davit/result/event_rows.hpp"
#include "davit/result/frame_file.hpp"
#include "davit/result/layout.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/series_file.hpp"
#include "davit/result/writer_lock.hpp"

namespace davit::result {

using hdf5::check;
using hdf5::Handle;

namespace {

constexpr std::uintmax_t largest_result = std::uintmax_t{1} << 40u;

int read_mantissa_bits(hid_t root) {
  const std::uint64_t bits = hdf5::read_integer_attribute(root, "mantissa_bits");  // 0 in files of older versions
  return bits == 0 || bits > all_mantissa_bits ? all_mantissa_bits : static_cast<int>(bits);
}

}  // namespace

struct Result::File {
  std::filesystem::path path;
  Origin origin = Origin::anyone;
  Trial trial = Trial::whole;
  mutable std::vector<bool> tried;  // by block of frames: a child has read it
  Handle file;
  SeriesReader series;
  std::optional<FrameReader> frames;
  bool closed = false;
  std::uint64_t version = 0;  // of the layout
  RunHeader header;
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
    version = hdf5::read_integer_attribute(root.id(), "layout");
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
    header.mantissa_bits = read_mantissa_bits(root.id());
    header.created = hdf5::read_text_attribute(root.id(), "created");
    header.scenario_file = hdf5::read_text_attribute(root.id(), "scenario_file");

    const Handle scenario = hdf5::open_dataset(file.id(), "scenario");
    header.scenario = hdf5::read_text(scenario.id());
    header.provenance = hdf5::read_text_attribute(scenario.id(), "provenance");
  }

  void load() {
    const hdf5::Quiet quiet;
    try {
      open_file();
      read_header();
      // The counts first: a writer may add rows between this and the lengths below, never take any away.
      status = layout::read_status(file.id());
      committed = layout::read_committed(file.id());
      series = SeriesReader(file.id(), version);
      for (std::size_t i = 0; i < series.channels().size(); ++i) index.emplace(series.channels()[i].name, i);
      committed.rows = std::min(committed.rows, series.rows());
      frames = FrameReader::open(file.id());
      check_storage();
    } catch (const hdf5::Failure& failure) {
      throw ResultError(
          fmt::format("cannot be read as a result of davit ({}): the file is damaged or of another kind; run the "
                      "scenario again",
                      failure.what()));
    }
  }

  // That all of it is there: what is not would be read as zeros without end.
  void check_storage() {
    hdf5::Storage storage(file.id());
    series.claim(storage, committed.rows);
    for (const auto& [name, rows] : {std::pair{"events", &committed.events}, std::pair{"hashes", &committed.hashes}}) {
      const Handle table = hdf5::open_dataset(file.id(), name);
      *rows = std::min<std::uint64_t>(*rows, hdf5::length_of(table.id()));
      storage.claim(table.id(), *rows);
    }
    if (frames) frames->claim(storage);
  }

  // All that is read when a file is opened, and all that HDF5 needs to read the rest of it.
  void look_through() {
    load();
    const hdf5::Quiet quiet;
    series.look_through(committed.rows);
    hdf5::look_through(hdf5::open_dataset(file.id(), "events").id(), committed.events);
    hdf5::look_through(hdf5::open_dataset(file.id(), "hashes").id(), committed.hashes);
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
    } catch (const io::FileError& error) {
      throw ResultError(error.what());
    }
    if (!wrong.empty()) throw ResultError(wrong);
  }

  // Of `count` rows from `first` on.
  template <typename Reading>
  void read(std::uint64_t first, std::size_t count, const Reading& reading) const {
    if (first > committed.rows || count > committed.rows - first)
      throw std::out_of_range("rows beyond the end of the result");
    hdf5::Quiet quiet;
    try {
      reading(series);
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
      std::vector<Row> table(rows);
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
const std::vector<ChannelInfo>& Result::channels() const { return file_->series.channels(); }
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

void Result::read_times(std::uint64_t first, std::span<double> out) const {
  file_->read(first, out.size(), [&](const SeriesReader& series) { series.read_times(first, out); });
}

void Result::read_channel(std::size_t index, std::uint64_t first, std::span<double> out) const {
  read_channels(index, 1, first, out);
}

void Result::read_channels(std::size_t index, std::size_t width, std::uint64_t first, std::span<double> out) const {
  if (width == 0 || index >= channels().size() || width > channels().size() - index)
    throw std::out_of_range("there is no such channel");
  file_->read(first, out.size() / width, [&](const SeriesReader& series) { series.read(index, width, first, out); });
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
