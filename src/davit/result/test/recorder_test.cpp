#include "davit/result/recorder.hpp"

#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <thread>

#include "davit/result/reader.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

void append_rows(Recorder& recorder, std::uint64_t from, std::uint64_t to, std::size_t channels) {
  std::vector<double> row(channels);
  for (std::uint64_t r = from; r < to; ++r) {
    fill_row(r, row);
    recorder.append(time_of(r), row);
  }
}

void expect_rows(const Result& result, std::uint64_t rows) {
  ASSERT_EQ(result.rows(), rows);
  const auto times = result.times();
  ASSERT_EQ(times.size(), rows);
  for (std::uint64_t r = 0; r < rows; ++r) ASSERT_EQ(times[r], time_of(r)) << "row " << r;
  for (std::size_t c = 0; c < result.channels().size(); ++c) {
    const auto values = result.channel(result.channels()[c].name);
    ASSERT_EQ(values.size(), rows);
    for (std::uint64_t r = 0; r < rows; ++r) ASSERT_EQ(values[r], value_of(r, c)) << "row " << r << " channel " << c;
  }
}

// Of the process, bytes.
std::size_t resident() {
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0, held = 0;
  in >> all >> held;
  return held * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// 80 MB in chunks of 8 kB: HDF5 would keep all of them in memory for as long as readers may look on.
TEST(Recorder, MemoryDoesNotGrowWithTheFile) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps freed memory";
#endif
#endif
  TempFolder folder;
  constexpr std::size_t channels = 50;
  Recorder recorder(folder / "result.h5", sample_header(), sample_channels(channels), {.chunk_rows = 1024});
  append_rows(recorder, 0, 40'000, channels);
  const std::size_t before = resident();
  append_rows(recorder, 40'000, 200'000, channels);
  EXPECT_LT(static_cast<double>(resident()) - static_cast<double>(before), 8e6);
  recorder.finish();
  EXPECT_EQ(Result::open(folder / "result.h5").rows(), 200'000u);
}

TEST(Recorder, RoundTripKeepsEveryBit) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  const std::vector<double> many{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::string long_text;
  for (int i = 0; i < 100; ++i) long_text += "\xC3\xA9t\xE2\x82\xAC ";
  {
    Recorder recorder(path, sample_header(), sample_channels(7), {.chunk_rows = 50});
    append_rows(recorder, 0, 123, 7);
    recorder.append_hash(0.5, 0xDEADBEEFCAFEF00Du);
    recorder.append_hash(1.0, 0);
    recorder.append_event(0.25, "hoist", "slack", "rope went slack");
    recorder.append_event(0.5, "hoist", "contact", "", many);
    recorder.append_event(0.75, std::string(100, 'e'), std::string(70, 'k'), long_text, many);
    recorder.append_event(0.8, "", "");
    EXPECT_EQ(recorder.rows(), 123u);
    recorder.finish();
  }
  const Result result = Result::open(path);
  EXPECT_EQ(result.header(), sample_header());
  EXPECT_EQ(result.channels(), sample_channels(7));
  EXPECT_EQ(result.status(), "complete");
  EXPECT_TRUE(result.closed());
  EXPECT_FALSE(result.being_written());
  expect_rows(result, 123);
  EXPECT_EQ(result.hashes(), (std::vector<StateHash>{{0.5, 0xDEADBEEFCAFEF00Du}, {1.0, 0}}));
  const std::vector<Event> expected{{0.25, "hoist", "slack", "rope went slack", {}},
                                    {0.5, "hoist", "contact", "", many},
                                    {0.75, std::string(100, 'e'), std::string(70, 'k'), long_text, many},
                                    {0.8, "", "", "", {}}};
  EXPECT_EQ(result.events(), expected);
}

TEST(Recorder, KeepsNumbersThatAreNoNumbers) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  const std::vector<double> row{std::nan(""), INFINITY, -0.0, 5e-324};
  {
    Recorder recorder(path, sample_header(), sample_channels(4));
    recorder.append(0, row);
    recorder.finish();
  }
  const Result result = Result::open(path);
  const auto names = result.channels();
  EXPECT_TRUE(std::isnan(result.channel(names[0].name)[0]));
  EXPECT_EQ(result.channel(names[1].name)[0], INFINITY);
  EXPECT_TRUE(std::signbit(result.channel(names[2].name)[0]));
  EXPECT_EQ(result.channel(names[3].name)[0], 5e-324);
}

TEST(Recorder, ManyEventsAndHashesSpanBuffers) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, sample_header(), sample_channels(1));
    for (int i = 0; i < 1000; ++i) {
      recorder.append_event(i, "rope", "node", std::string(300, static_cast<char>('a' + i % 26)));
      recorder.append_hash(i, static_cast<std::uint64_t>(i) * 7);
    }
    recorder.finish("broken: the load fell");
  }
  const Result result = Result::open(path);
  EXPECT_EQ(result.status(), "broken: the load fell");
  const auto events = result.events();
  ASSERT_EQ(events.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(events[i].time, i);
    ASSERT_EQ(events[i].text, std::string(300, static_cast<char>('a' + i % 26)));
  }
  ASSERT_EQ(result.hashes().size(), 1000u);
  EXPECT_EQ(result.hashes()[999].hash, 6993u);
}

TEST(Recorder, LeavesAnInterruptedFileWithoutFinish) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, sample_header(), sample_channels(2));
    append_rows(recorder, 0, 10, 2);
  }
  const Result result = Result::open(path);
  EXPECT_EQ(result.status(), "interrupted");
  EXPECT_TRUE(result.closed());
  expect_rows(result, 10);
}

TEST(Recorder, AnEmptyRunIsReadable) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder(path, sample_header(), {}).finish();
  const Result result = Result::open(path);
  EXPECT_EQ(result.rows(), 0u);
  EXPECT_TRUE(result.channels().empty());
  EXPECT_TRUE(result.times().empty());
  EXPECT_TRUE(result.events().empty());
}

TEST(Recorder, CompressionShrinksAndChangesNothing) {
  TempFolder folder;
  const auto plain = folder / "plain.h5";
  const auto packed = folder / "packed.h5";
  for (const int level : {0, 6}) {
    Recorder recorder(level ? packed : plain, sample_header(), sample_channels(3), {.compression = level});
    for (int r = 0; r < 5000; ++r) recorder.append(r, std::vector<double>{1.0 * r, 2.0, r % 7 * 0.5});
    recorder.append_event(1, "a", "b", "c");
    recorder.finish();
  }
  const Result a = Result::open(plain);
  const Result b = Result::open(packed);
  for (const auto& info : a.channels()) EXPECT_EQ(a.channel(info.name), b.channel(info.name));
  EXPECT_EQ(a.times(), b.times());
  EXPECT_EQ(a.events(), b.events());
  EXPECT_EQ(b.status(), "complete");
  EXPECT_LT(std::filesystem::file_size(packed) * 2, std::filesystem::file_size(plain));
}

// To the nearest of those with so many bits, whatever the number; what was rounded stays, and what is not finite.
TEST(Recorder, RoundingKeepsTheBitsItSays) {
  const Rounding rounding(rounded_mantissa_bits);
  for (std::uint64_t r = 0; r < 1000; ++r)
    for (const double scale : {1e-300, 1e-3, 1.0, 1e9, 1e300}) {
      const double value = scale * value_of(r, r % 17), kept = rounding(value);
      EXPECT_LE(std::abs(kept - value), std::ldexp(std::abs(value), -29));
      EXPECT_EQ(std::bit_cast<std::uint64_t>(kept) & 0xffffffu, 0u);
      EXPECT_EQ(rounding(kept), kept);
      EXPECT_EQ(Rounding(all_mantissa_bits)(value), value);
    }
  EXPECT_EQ(Rounding(51)(1 + std::ldexp(1, -52)), 1.0) << "a tie, to even";
  EXPECT_EQ(Rounding(51)(1 + std::ldexp(3, -52)), 1 + std::ldexp(1, -50)) << "a tie, to even";
  constexpr double most = std::numeric_limits<double>::max();
  for (const double stays : {0.0, -0.0, most, -most, double{INFINITY}})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(rounding(stays)), std::bit_cast<std::uint64_t>(stays));
  EXPECT_TRUE(std::isnan(rounding(NAN)));
  EXPECT_TRUE(std::isnan(rounding(std::bit_cast<double>(~std::uint64_t{0}))));
}

TEST(Recorder, RoundedChannelsPackToAThirdAndTimesKeepEveryBit) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  RunHeader header = sample_header();
  header.mantissa_bits = rounded_mantissa_bits;
  {
    Recorder recorder(path, header, sample_channels(5), {.compression = 1});
    append_rows(recorder, 0, 20'000, 5);
    recorder.finish();
  }
  const Result result = Result::open(path);
  EXPECT_EQ(result.header(), header);
  const Rounding rounding(rounded_mantissa_bits);
  for (std::size_t c = 0; c < 5; ++c) {
    const auto values = result.channel(result.channels()[c].name);
    for (std::uint64_t r = 0; r < 20'000; ++r) ASSERT_EQ(values[r], rounding(value_of(r, c)));
  }
  for (std::uint64_t r = 0; r < 20'000; ++r) ASSERT_EQ(result.times()[r], time_of(r));
  EXPECT_LT(std::filesystem::file_size(path), 20'000 * (6 * 8 / 1.8));
}

// For instance because there is no room for another file beside it.
TEST(Recorder, AResultThatCannotBePackedIsWhole) {
  TempFolder folder;
  std::filesystem::create_directory(folder / "before");
  Recorder recorder(folder / "before/result.h5", sample_header(), sample_channels(3), {.compression = 1});
  append_rows(recorder, 0, 100, 3);
  std::filesystem::rename(folder / "before", folder / "after");
  EXPECT_NO_THROW(recorder.finish());
  const Result result = Result::open(folder / "after/result.h5");
  EXPECT_EQ(result.status(), "complete");
  EXPECT_TRUE(result.closed());
  EXPECT_FALSE(result.being_written());
  expect_rows(result, 100);
}

TEST(Recorder, SmallRunsMakeSmallFiles) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder recorder(path, sample_header(), sample_channels(20), {.expected_rows = 100});
  append_rows(recorder, 0, 100, 20);
  recorder.finish();
  EXPECT_LT(std::filesystem::file_size(path), 21u * 100 * 8 + 21 * 2000 + 16000);
}

TEST(Recorder, ChunkSizeFollowsTheRun) {
  EXPECT_EQ(choose_chunk_rows(10, 5), 32u);
  EXPECT_EQ(choose_chunk_rows(6000, 100), 1024u);
  EXPECT_EQ(choose_chunk_rows(10'000'000, 10), 4096u);
  EXPECT_LE(choose_chunk_rows(10'000'000, 5000) * 5001 * 8, 32u << 20);
  EXPECT_EQ(choose_chunk_rows(10'000'000, 100'000'000), 32u);
}

TEST(Recorder, RefusesBadChannels) {
  TempFolder folder;
  const auto with = [&](const std::vector<std::string>& names) {
    std::vector<ChannelInfo> channels;
    for (const auto& name : names) channels.push_back({.name = name});
    Recorder(folder / "x.h5", {}, channels);
  };
  EXPECT_THROW(with({"a", "a"}), std::invalid_argument);
  EXPECT_THROW(with({""}), std::invalid_argument);
  // All texts take as much room as the longest.
  std::vector<std::string> many(70'000, "");
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = std::to_string(i);
  many[0] += std::string(8000, 'x');
  EXPECT_THROW(with(many), std::invalid_argument);
  EXPECT_NO_THROW(with({"a b <&> \"\xC3\xA9\"", "..", "a.", "/a", "a/", "a"}));
  Recorder recorder(folder / "y.h5", {}, sample_channels(2));
  EXPECT_THROW(recorder.append(0, std::vector<double>{1}), std::invalid_argument);
}

TEST(Recorder, ChannelsOfPartsKeepTheirNamesAndOrder) {
  TempFolder folder;
  const std::vector<std::string> names{"quay.x", "west/boom.angle", "west/hook/block.x", "east/boom.angle", "energy"};
  {
    std::vector<ChannelInfo> channels;
    for (const auto& name : names) channels.push_back({.name = name});
    Recorder recorder(folder / "x.h5", sample_header(), channels);
    append_rows(recorder, 0, 100, names.size());
  }
  const Result result = Result::open(folder / "x.h5");
  ASSERT_EQ(result.channels().size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(result.channels()[i].name, names[i]);
  expect_rows(result, 100);
  rewrite(folder / "x.h5", 1);
  expect_rows(Result::open(folder / "x.h5"), 100);
}

TEST(Recorder, SaysWhyAFileCannotBeMade) {
  TempFolder folder;
  const auto path = folder / "absent/result.h5";
  try {
    Recorder recorder(path, {}, {});
    FAIL();
  } catch (const ResultError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(path.string()), text.npos) << text;
    EXPECT_NE(text.find("No such file or directory"), text.npos) << text;
  }
}

TEST(Recorder, RefusesAFileAnotherRunIsWriting) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder recorder(path, {}, sample_channels(1));
  EXPECT_THROW(Recorder(path, {}, sample_channels(1)), ResultError);
  EXPECT_THROW(rewrite(path), ResultError);
  append_rows(recorder, 0, 3, 1);
  recorder.finish();
  expect_rows(Result::open(path), 3);
}

TEST(Recorder, ReplacesAnOlderResultAndItsReadersKeepTheOldOne) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, sample_header(), sample_channels(1));
    append_rows(recorder, 0, 5, 1);
    recorder.finish();
  }
  const Result old = Result::open(path);
  {
    Recorder recorder(path, sample_header(), sample_channels(1));
    append_rows(recorder, 0, 9, 1);
    recorder.finish();
  }
  expect_rows(old, 5);
  expect_rows(Result::open(path), 9);
}

TEST(Recorder, FlushesByTheClock) {
  TempFolder folder;
  Recorder recorder(folder / "result.h5", {}, sample_channels(1), {.chunk_rows = 1000, .flush_seconds = 0.02});
  append_rows(recorder, 0, 1, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  append_rows(recorder, 1, 2, 1);
  EXPECT_EQ(recorder.rows_committed(), 2u);
  Recorder lazy(folder / "lazy.h5", {}, sample_channels(1), {.chunk_rows = 1000, .flush_seconds = 1000});
  append_rows(lazy, 0, 999, 1);
  EXPECT_EQ(lazy.rows_committed(), 0u);
  append_rows(lazy, 999, 1000, 1);
  EXPECT_EQ(lazy.rows_committed(), 1000u);
}

// Every file is limited to `bytes` while one lives, which a writer meets as it meets a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_signal_);
  }

 private:
  rlimit old_{};
  void (*old_signal_)(int);
};

TEST(Recorder, AFullDiskThrowsOnceAndKeepsWhatWasWritten) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  std::uint64_t committed = 0;
  {
    FileSizeLimit limit(200'000);
    Recorder recorder(path, sample_header(), sample_channels(10), {.chunk_rows = 64});
    int thrown = 0;
    std::string message;
    std::vector<double> row(10);
    for (std::uint64_t r = 0; r < 10'000; ++r) {
      fill_row(r, row);
      try {
        recorder.append(time_of(r), row);
      } catch (const ResultError& error) {
        ++thrown;
        message = error.what();
      }
    }
    EXPECT_EQ(thrown, 1);
    EXPECT_TRUE(recorder.failed());
    EXPECT_NE(message.find(path.string()), message.npos) << message;
    EXPECT_NE(message.find("File too large"), message.npos) << message;
    committed = recorder.rows_committed();
    EXPECT_GT(committed, 100u);
    EXPECT_NO_THROW(recorder.finish());
  }
  expect_rows(Result::open(path), committed);
  rewrite(path);
  const Result plain = Result::open(path);
  expect_rows(plain, committed);
  EXPECT_EQ(plain.status(), "interrupted");
}

TEST(Recorder, AFullDiskAtTheStartLeavesNoFile) {
  TempFolder folder;
  FileSizeLimit limit(3000);
  EXPECT_THROW(Recorder(folder / "result.h5", sample_header(), sample_channels(100)), ResultError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Recorder, HdfNeverPrintsAndItsSettingComesBack) {
  TempFolder folder;
  H5E_auto2_t before = nullptr;
  H5E_auto2_t after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  testing::internal::CaptureStderr();
  EXPECT_THROW(Recorder(folder / "no/result.h5", {}, {}), ResultError);
  EXPECT_THROW(Result::open(folder.path()), ResultError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
}

TEST(Recorder, AnyHdfReaderFindsTheChannels) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, sample_header(), sample_channels(2));
    append_rows(recorder, 0, 4, 2);
    recorder.finish();
  }
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t values = H5Dopen2(file, "/channels/values", H5P_DEFAULT);
  const hid_t names = H5Dopen2(file, "/channels/name", H5P_DEFAULT);
  ASSERT_GE(values, 0);
  ASSERT_GE(names, 0);
  std::array<double, 8> rows{};
  EXPECT_GE(H5Dread(values, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), 0);
  EXPECT_EQ(rows[3 * 2 + 0], value_of(3, 0));
  EXPECT_EQ(rows[3 * 2 + 1], value_of(3, 1));
  const hid_t type = H5Dget_type(names);
  ASSERT_EQ(H5Tget_size(type), 7u);
  std::array<char, 14> text{};
  EXPECT_GE(H5Dread(names, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), 0);
  EXPECT_EQ(std::string(text.data(), text.size()), "body2.xbody1.x");
  H5Tclose(type);
  H5Dclose(names);
  H5Dclose(values);
  EXPECT_GT(H5Aexists_by_name(file, "/", "davit_version", H5P_DEFAULT), 0);
  H5Fclose(file);
}

// What HDF5 keeps of a dataset is much: there are as many for a hundred thousand channels as for one, and the file is
// little more than its numbers.
TEST(Recorder, AHundredThousandChannels) {
  TempFolder folder;
  constexpr std::size_t channels = 100'000;
  constexpr std::uint64_t rows = 70;
  const auto infos = sample_channels(channels);
  {
    Recorder recorder(folder / "many.h5", sample_header(), infos, {.expected_rows = rows});
    append_rows(recorder, 0, rows, channels);
    recorder.finish();
  }
  {
    const Result result = Result::open(folder / "many.h5");
    EXPECT_EQ(result.rows(), rows);
    EXPECT_EQ(result.channels(), infos);
    for (const std::size_t c : {std::size_t{0}, channels / 3, channels - 1}) {
      const auto values = result.channel(infos[c].name);
      for (std::uint64_t r = 0; r < rows; ++r) ASSERT_EQ(values[r], value_of(r, c));
    }
  }
  const double numbers = 96.0 * (channels + 1) * sizeof(double);  // chunks of 32 rows
  EXPECT_LT(static_cast<double>(std::filesystem::file_size(folder / "many.h5")), 1.05 * numbers);

  const auto objects = [](const std::filesystem::path& path) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    int count = 0;
    H5Ovisit(
        file, H5_INDEX_NAME, H5_ITER_INC,
        [](hid_t, const char*, const H5O_info_t*, void* data) -> herr_t { return ++*static_cast<int*>(data), 0; },
        &count);
    H5Fclose(file);
    return count;
  };
  Recorder(folder / "one.h5", sample_header(), sample_channels(1)).finish();
  EXPECT_EQ(objects(folder / "many.h5"), objects(folder / "one.h5"));
}

// Whatever the width of the last block of channels.
TEST(Recorder, AnyNumberOfChannelsAndRows) {
  TempFolder folder;
  for (const std::size_t channels : {1u, 2u, 31u, 127u, 128u, 129u, 257u, 1000u})
    for (const std::size_t chunk : {1u, 32u, 4096u}) {
      SCOPED_TRACE(fmt::format("{} channels, chunks of {} rows", channels, chunk));
      const auto path = folder / "result.h5";
      Recorder recorder(path, sample_header(), sample_channels(channels), {.chunk_rows = chunk});
      append_rows(recorder, 0, 40, channels);
      recorder.flush();
      append_rows(recorder, 40, 75, channels);
      recorder.finish();
      expect_rows(Result::open(path), 75);
      rewrite(path, 1);
      expect_rows(Result::open(path), 75);
    }
}

}  // namespace
}  // namespace davit::result::test
