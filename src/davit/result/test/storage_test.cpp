// Results that claim what they do not hold: rows, events and frames without storage, documents that are nested without
// end. Made of good ones through HDF5 itself.
#include <hdf5.h>

#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "davit/test/source_tree.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

constexpr hsize_t too_many = hsize_t{1} << 40u;

Scene scene_with(std::string document) {
  Scene scene;
  scene.document = std::move(document);
  scene.frames = {.bodies = 1, .lines = 0, .length_step = 1, .attitude_step = 1, .tension_step = 1};
  return scene;
}

void record(const std::filesystem::path& path, const std::string& document = "{}") {
  Recorder recorder(path, sample_header(), sample_channels(3), {.chunk_rows = 32}, scene_with(document));
  for (int row = 0; row < 40; ++row) {
    recorder.append(row, std::vector<double>(3, row));
    recorder.append_frame({1.0 * row, {{{1.0 * row, 0, 0}, {1, 0, 0, 0}}}, {}});
  }
  recorder.append_event(1, "rope", "slack", "it is slack");
  recorder.append_hash(1, 2);
  recorder.finish();
}

// As any program may open and change it.
void record_plain(const std::filesystem::path& path, int compression) {
  record(path);
  rewrite(path, compression);
}

void lengthen(hid_t file, const char* name) {
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  std::array<hsize_t, 2> size{};
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  size[0] = too_many;
  H5Dset_extent(dataset, size.data());
  H5Sclose(space);
  H5Dclose(dataset);
}

// `which` of the counts in `counts`.
void commit(hid_t file, const char* counts, std::size_t which) {
  const hid_t dataset = H5Dopen2(file, counts, H5P_DEFAULT);
  std::array<std::uint64_t, 3> values{};
  H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  values[which] = too_many;
  H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(dataset);
}

std::string complaint(const std::filesystem::path& path) {
  try {
    Result::open(path);
  } catch (const ResultError& error) {
    return error.what();
  }
  return {};
}

TEST(Storage, WhatIsClaimedMustBeThere) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  struct Claim {
    std::vector<const char*> lists;
    const char* counts;
    std::size_t which;
    const char* named;
  };
  const std::vector<Claim> claims{
      {{"time", "channels/values"}, "committed", 0, "'/time' claims 1099511627776 rows"},
      {{"hashes"}, "committed", 1, "'/hashes' claims 1099511627776 rows"},
      {{"events"}, "committed", 2, "'/events' claims 1099511627776 rows"},
      {{"frames/time", "frames/poses", "frames/ends"}, "frames/committed", 0, "'/frames/time' claims "}};
  for (const int compression : {0, 6})
    for (const Claim& claim : claims) {
      SCOPED_TRACE(fmt::format("{}, compression {}", claim.named, compression));
      record_plain(path, compression);
      EXPECT_EQ(complaint(path), "");
      const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      for (const char* list : claim.lists) lengthen(file, list);
      commit(file, claim.counts, claim.which);
      H5Fclose(file);
      const std::string said = complaint(path);
      EXPECT_NE(said.find(claim.named), said.npos) << said;
      EXPECT_NE(said.find("the file does not hold so many"), said.npos) << said;
    }
}

// The channels alone, of which the time has as many rows.
TEST(Storage, RowsOfChannelsMustBeThere) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  record_plain(path, 0);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "channels/values", H5P_DEFAULT);
  const std::array<hsize_t, 2> size{40, 3}, chunk{8, 3};
  const hid_t space = H5Screate_simple(2, size.data(), nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk.data());
  H5Dclose(H5Dcreate2(file, "channels/values", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
  const std::string said = complaint(path);
  EXPECT_NE(said.find("'/channels/values' claims 40 rows"), said.npos) << said;
}

// Packed twice, a kilobyte could hold a gigabyte.
TEST(Storage, NothingIsPackedTwice) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  record_plain(path, 0);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "time", H5P_DEFAULT);
  const hsize_t size = 40;
  const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &size);
  H5Pset_deflate(creation, 1);
  H5Pset_deflate(creation, 1);
  const hid_t dataset = H5Dcreate2(file, "time", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  const std::vector<double> zeros(size);
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
  const std::string said = complaint(path);
  EXPECT_NE(said.find("'time' is packed more than once"), said.npos) << said;
}

TEST(Storage, NestedDocumentsAreRefused) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  const auto nested = [](int depth, const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "1";
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  for (const std::string& deep :
       {nested(100'000, "[", "]"), nested(100'000, "{\"a\":", "}"), std::string(100'000, '[')}) {
    record(path, deep);
    const std::string said = complaint(path);
    EXPECT_NE(said.find("the document of the scene is nested too deeply"), said.npos) << said;
  }
  // Brackets in texts nest nothing.
  for (const std::string& good : {nested(20, "[", "]"), "{\"a\": \"\\\"" + std::string(1000, '[') + "\"}"}) {
    record(path, good);
    EXPECT_EQ(complaint(path), "") << good;
  }
}

// A file of the first layout, with a dataset for each channel, as davit wrote it before there was another.
TEST(Storage, TheFirstLayoutIsStillRead) {
  const Result result = Result::open(in_source("src/davit/result/test/data/layout_1.h5"));
  std::vector<ChannelInfo> channels = sample_channels(4);
  for (const char* name : {"west/boom.angle", "west/hook/block.x", "east/boom.angle"})
    channels.push_back({.name = name, .unit = "rad", .description = "of a part", .source = "joint", .group = "angles"});
  EXPECT_EQ(result.header(), sample_header());
  EXPECT_EQ(result.status(), "complete");
  EXPECT_EQ(result.channels(), channels);
  ASSERT_EQ(result.rows(), 50u);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const auto values = result.channel(channels[c].name);
    for (std::uint64_t r = 0; r < 50; ++r) ASSERT_EQ(values[r], value_of(r, c)) << "row " << r << " channel " << c;
  }
  EXPECT_EQ(result.times()[49], time_of(49));
  EXPECT_EQ(result.hashes(), (std::vector<StateHash>{{0.1, 42}}));
  EXPECT_EQ(result.events(), (std::vector<Event>{{0.25, "hoist", "slack", "rope went slack", {1, 2}}}));
  ASSERT_EQ(result.frames(), 50u);
  ASSERT_NE(result.scene(), nullptr);
  EXPECT_EQ(unpack(result.scene()->frames, result.read_frames(0, 50))[49].bodies[0].at[0], 49);
}

TEST(Storage, TheFirstLayoutIsRewrittenAsTheNewest) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  std::filesystem::copy_file(in_source("src/davit/result/test/data/layout_1.h5"), path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
  const Result before = Result::open(path);
  rewrite(path);
  const Result after = Result::open(path);
  EXPECT_EQ(before.channels(), after.channels());
  EXPECT_EQ(before.events(), after.events());
  for (const ChannelInfo& info : before.channels()) EXPECT_EQ(before.channel(info.name), after.channel(info.name));
}

}  // namespace
}  // namespace davit::result::test
