#include "davit/result/reader.hpp"

#include <hdf5.h>

#include <atomic>
#include <thread>

#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

std::string why_not(const std::filesystem::path& path) {
  try {
    Result::open(path);
  } catch (const ResultError& error) {
    return error.what();
  }
  return {};
}

TEST(Reader, NamesTheFileAndTheRemedy) {
  TempFolder folder;
  const auto absent = folder / "absent.h5";
  EXPECT_NE(why_not(absent).find(absent.string() + ": there is no such file"), std::string::npos);

  const auto text = folder / "notes.h5";
  std::ofstream(text) << "not HDF5 at all";
  EXPECT_NE(why_not(text).find(text.string() + ": cannot be read as a result of davit"), std::string::npos);

  const auto foreign = folder / "foreign.h5";
  H5Fclose(H5Fcreate(foreign.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_NE(why_not(foreign).find("not a result of davit"), std::string::npos) << why_not(foreign);
}

// In a process of its own: HDF5 1.10 leaks what it had read of a damaged file, and says so when the process exits.
void expect_refused(const std::filesystem::path& path) {
  EXPECT_EXIT(_exit(why_not(path).empty() ? 1 : 0), testing::ExitedWithCode(0), "");
}

TEST(Reader, ADamagedFileIsAnErrorNotAHang) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, sample_header(), sample_channels(5));
    recorder.append(0, std::vector<double>(5));
    recorder.finish();
  }
  const std::string whole = read_text(path);
  std::vector<std::size_t> headers;  // of groups and datasets
  for (std::size_t at = whole.find("OHDR"); at != whole.npos; at = whole.find("OHDR", at + 1)) headers.push_back(at);
  ASSERT_GE(headers.size(), 10u);
  for (const std::size_t at : {headers[0], headers[1], headers[6]}) {
    std::string damaged = whole;
    damaged[at + 30] = static_cast<char>(~damaged[at + 30]);
    std::ofstream(path, std::ios::binary) << damaged;
    SCOPED_TRACE(at);
    expect_refused(path);
  }
  std::ofstream(path, std::ios::binary) << whole.substr(0, whole.size() / 3);
  expect_refused(path);
  std::ofstream(path, std::ios::binary) << whole;
  EXPECT_EQ(why_not(path), "");
}

// What HDF5 finds of another kind or shape than a result has.
TEST(Reader, WhatIsNotAsARecorderWritesItIsNamed) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  const auto altered = [&](const char* name, bool attribute, hid_t type, const std::vector<hsize_t>& shape) {
    {
      Recorder recorder(path, sample_header(), sample_channels(2));
      recorder.append(0, std::vector<double>(2));
      recorder.finish();
    }
    rewrite(path);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    if (attribute) {
      H5Adelete(file, name);
      H5Aclose(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    } else {
      H5Ldelete(file, name, H5P_DEFAULT);
      H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Sclose(space);
    H5Fclose(file);
    return why_not(path);
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
  EXPECT_TRUE(has(altered("step", true, H5T_NATIVE_DOUBLE, {1000}), "attribute 'step' is not one number"));
  EXPECT_TRUE(has(altered("title", true, H5T_NATIVE_DOUBLE, {1}), "attribute 'title' is not one text"));
  EXPECT_TRUE(has(altered("scenario", false, H5T_NATIVE_INT, {1000}), "'/scenario' is not one text"));
  EXPECT_TRUE(has(altered("time", false, H5T_NATIVE_DOUBLE, std::vector<hsize_t>(32, 1)), "'/time' is not a plain"));
  EXPECT_TRUE(has(altered("channels/values", false, H5T_NATIVE_DOUBLE, {1, 1, 1, 1}), "has no rows and columns"));
  EXPECT_TRUE(
      has(altered("channels/values", false, H5T_NATIVE_DOUBLE, {1, 3}), "not as many columns of values as names"));
  EXPECT_TRUE(has(altered("channels/unit", false, H5T_NATIVE_DOUBLE, {2}), "no list of texts of a fixed size"));
  EXPECT_TRUE(has(altered("channels/main", false, H5T_NATIVE_UINT8, {1}), "has only 1 rows"));
  EXPECT_TRUE(has(altered("status", false, H5T_NATIVE_DOUBLE, {1000}), "'/status' is not one text"));
  EXPECT_TRUE(has(altered("committed", false, H5T_NATIVE_DOUBLE, {3}), "'/committed' has rows of another kind"));
}

TEST(Reader, DamagedBytesAreNoCrash) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, sample_header(), sample_channels(3), {.compression = 4});
    for (int row = 0; row < 200; ++row) recorder.append(row, std::vector<double>(3, row));
    recorder.append_event(1, "rope", "slack", "it is slack", {});
    recorder.finish();
  }
  const std::string whole = read_text(path);
  unsigned seed = 1;
  const auto random = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 8u; };
  for (int i = 0; i < 40; ++i) {
    std::string damaged = whole;
    for (int k = 0; k < 6; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    std::ofstream(path, std::ios::binary) << damaged;
    try {
      const Result result = Result::open(path);
      result.times();
      for (const ChannelInfo& channel : result.channels()) result.channel(channel.name);
      result.events();
    } catch (const ResultError& error) {
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  }
}

// The child process is made while no thread is inside HDF5; else it would wait for ever for one that it does not have.
TEST(Reader, OpensWhileAnotherThreadRecords) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder(path, sample_header(), sample_channels(2)).finish();
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    Recorder recorder(folder / "other.h5", {}, sample_channels(20), {.chunk_rows = 1});
    for (int row = 0; !stop; ++row) recorder.append(row, std::vector<double>(20));
  });
  for (int i = 0; i < 30; ++i) EXPECT_EQ(why_not(path), "");
  stop = true;
  writer.join();
}

TEST(Reader, AnUnknownChannelSuggestsOthers) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder(path, {}, {{.name = "king.angle"}, {.name = "king.rate"}, {.name = "boom.angle"}}).finish();
  const Result result = Result::open(path);
  try {
    result.channel("king.speed");
    FAIL();
  } catch (const ResultError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("king.angle, king.rate"), text.npos) << text;
    EXPECT_EQ(text.find("boom"), text.npos) << text;
  }
  EXPECT_FALSE(result.find("king.speed"));
  EXPECT_EQ(result.find("boom.angle"), 2u);
}

TEST(Reader, RowsBeyondTheEndAreRefused) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  {
    Recorder recorder(path, {}, sample_channels(1));
    for (int i = 0; i < 5; ++i) recorder.append(i, std::vector<double>{10.0 * i});
    recorder.finish();
  }
  const Result result = Result::open(path);
  std::vector<double> part(2);
  result.read_channel(0, 3, part);
  EXPECT_EQ(part, (std::vector<double>{30, 40}));
  EXPECT_THROW(result.read_channel(0, 4, part), std::out_of_range);
  EXPECT_THROW(result.read_channel(1, 0, part), std::out_of_range);
}

TEST(Reader, TheWritingProcessMayReadToo) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder recorder(path, sample_header(), sample_channels(1));
  recorder.append(0, std::vector<double>{42});
  recorder.flush();
  {
    const Result result = Result::open(path);
    EXPECT_EQ(result.rows(), 1u);
    EXPECT_FALSE(result.closed());
    EXPECT_TRUE(result.being_written());
    EXPECT_EQ(result.channel("body1.x"), std::vector<double>{42});
  }
  EXPECT_TRUE(Result::open(path).being_written()) << "closing a reader dropped the writer's lock";
  recorder.append(1, std::vector<double>{43});
  recorder.finish();
  EXPECT_EQ(Result::open(path).rows(), 2u);
}

TEST(Reader, RewritingAClosedFileKeepsItsStatus) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder(path, sample_header(), sample_channels(2)).finish("broken: NaN");
  EXPECT_FALSE(rewrite_plain(path));
  rewrite(path, 3);
  const Result result = Result::open(path);
  EXPECT_EQ(result.status(), "broken: NaN");
  EXPECT_EQ(result.header(), sample_header());
  EXPECT_EQ(result.channels(), sample_channels(2));
  EXPECT_THROW(rewrite(folder / "absent.h5"), ResultError);
}

}  // namespace
}  // namespace davit::result::test
