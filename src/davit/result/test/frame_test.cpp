// Scenes and frames: packed and back, in a file, after a kill, in files of others.
#include <hdf5.h>
#include <rapidcheck.h>

#include <cmath>
#include <fstream>

#include "davit/result/frame_packing.hpp"
#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

Scene sample_scene() {
  Scene scene;
  scene.document = R"({"version": 1, "bodies": []})";
  scene.meshes.points = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  scene.meshes.triangles = {0, 1, 2};
  scene.frames = {.bodies = 2, .lines = 2, .length_step = 1e-3, .attitude_step = 1e-6, .tension_step = 10};
  return scene;
}

// A rope that comes to touch an edge and leaves it again: its vertices change in number.
Frame frame_at(std::uint64_t number) {
  const double t = 0.1 * static_cast<double>(number);
  Frame frame;
  frame.time = t;
  for (const double side : {-1.0, 1.0})
    frame.bodies.push_back(
        {{side * std::sin(t), 10 * t, std::cos(0.3 * t)}, {std::cos(0.2 * t), 0, side * std::sin(0.2 * t), 0}});
  frame.lines.resize(2);
  const std::size_t vertices = number % 50 < 20 ? 3 : 4;
  for (std::size_t i = 0; i < vertices; ++i)
    frame.lines[0].push_back({{static_cast<double>(i), t, std::sin(t)},
                              1e5 * (1 + std::sin(t)),
                              i == 1 ? LineVertex::slips : std::uint8_t{0}});
  if (number % 7 != 0) frame.lines[1] = {{{0, 0, 0}, 1, LineVertex::gap_after}, {{1, 1, 1}, 0, 0}};
  return frame;
}

// A quaternion and its opposite are one attitude.
double apart(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  double same = 0, opposite = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    same = std::max(same, std::abs(a[k] - b[k]));
    opposite = std::max(opposite, std::abs(a[k] + b[k]));
  }
  return std::min(same, opposite);
}

void expect_like(const Frame& got, const Frame& wanted, const FrameShape& shape) {
  EXPECT_EQ(got.time, wanted.time);
  ASSERT_EQ(got.bodies.size(), wanted.bodies.size());
  const double half = 0.5 * (1 + 1e-9);
  for (std::size_t b = 0; b < got.bodies.size(); ++b) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(got.bodies[b].at[k], wanted.bodies[b].at[k], half * shape.length_step);
    EXPECT_LE(apart(got.bodies[b].attitude, wanted.bodies[b].attitude), half * shape.attitude_step);
  }
  ASSERT_EQ(got.lines.size(), wanted.lines.size());
  for (std::size_t l = 0; l < got.lines.size(); ++l) {
    ASSERT_EQ(got.lines[l].size(), wanted.lines[l].size());
    for (std::size_t i = 0; i < got.lines[l].size(); ++i) {
      const LineVertex &a = got.lines[l][i], &b = wanted.lines[l][i];
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.at[k], b.at[k], half * shape.length_step);
      EXPECT_NEAR(a.tension, b.tension, half * shape.tension_step);
      EXPECT_EQ(a.flags, b.flags);
    }
  }
}

constexpr std::uint64_t frame_count = 300;

std::filesystem::path written(const TempFolder& folder, const char* name = "result.h5") {
  const auto path = folder / name;
  Recorder recorder(path, sample_header(), sample_channels(2), {.vertices_per_frame = 5}, sample_scene());
  for (std::uint64_t f = 0; f < frame_count; ++f) {
    recorder.append(0.1 * static_cast<double>(f), std::vector<double>(2));
    recorder.append_frame(frame_at(f));
  }
  recorder.finish();
  return path;
}

void expect_all_frames(const Result& result) {
  ASSERT_EQ(result.frames(), frame_count);
  const Scene& scene = *result.scene();
  EXPECT_EQ(scene, sample_scene());
  for (const std::uint64_t first : {0UL, frames_per_block, 3 * frames_per_block}) {
    const auto frames = unpack(scene.frames, result.read_frames(first, frame_count - first));
    ASSERT_EQ(frames.size(), frame_count - first);
    for (std::size_t f = 0; f < frames.size(); ++f) expect_like(frames[f], frame_at(first + f), scene.frames);
  }
  EXPECT_EQ(result.frame_times().back(), frame_at(frame_count - 1).time);
}

TEST(Frames, ComeBackToHalfAStepFromAnyBlockOn) {
  TempFolder folder;
  expect_all_frames(Result::open(written(folder)));
}

TEST(Frames, AreTheSameInAFileThatWasRewritten) {
  TempFolder folder;
  const auto path = written(folder);
  rewrite(path, 6);
  expect_all_frames(Result::open(path));
}

TEST(Frames, ARunWithoutASceneHasNone) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder(path, sample_header(), sample_channels(2)).finish();
  const Result result = Result::open(path);
  EXPECT_EQ(result.scene(), nullptr);
  EXPECT_EQ(result.frames(), 0u);
  EXPECT_TRUE(result.frame_times().empty());
  EXPECT_THROW(result.read_frames(0, 0), std::out_of_range);
}

// What is in the file before it is finished is whole, and only that is counted.
TEST(Frames, AreReadableWhileTheyAreWritten) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  Recorder recorder(path, sample_header(), sample_channels(2), {.vertices_per_frame = 5}, sample_scene());
  for (std::uint64_t f = 0; f < frame_count; ++f) recorder.append_frame(frame_at(f));
  recorder.flush();
  const Result result = Result::open(path, Origin::this_process);
  ASSERT_GE(result.frames(), frame_count - 3 * frames_per_block);
  EXPECT_LT(result.frames(), frame_count);
  const auto frames = unpack(result.scene()->frames, result.read_frames(0, result.frames()));
  for (std::size_t f = 0; f < frames.size(); ++f) expect_like(frames[f], frame_at(f), result.scene()->frames);
}

TEST(Frames, SmoothMotionTakesLittleRoom) {
  PackedFrames packed;
  FramePacker packer(sample_scene().frames);
  for (std::uint64_t f = 0; f < frames_per_block; ++f) packer.pack(frame_at(f), packed);
  // Second differences: of the bodies' 7 numbers, all but those of the first two frames fit a byte or two.
  std::size_t large = 0;
  for (const std::uint32_t number : packed.poses) large += number > 0xFFFF;
  EXPECT_LE(large, 2 * 2 * numbers_per_pose + 4);
}

TEST(Frames, AnyNumbersComeBack) {
  EXPECT_TRUE(rc::check("packed and unpacked", [] {
    const FrameShape shape{.bodies = 1, .lines = 1};
    const auto values = *rc::gen::container<std::vector<std::int32_t>>(rc::gen::arbitrary<std::int32_t>());
    FramePacker packer(shape);
    PackedFrames packed;
    for (const std::int32_t x : values) {
      Frame frame;
      frame.bodies.resize(1);
      frame.bodies[0].at = {1e-3 * x, -1e-3 * x, 0};
      frame.lines.resize(1);
      frame.lines[0].resize(static_cast<std::size_t>(std::abs(x % 4)), LineVertex{{1e-3 * x, 0, 0}, 1.0 * x, 0});
      packer.pack(frame, packed);
    }
    const auto frames = unpack(shape, packed);
    RC_ASSERT(frames.size() == values.size());
    for (std::size_t f = 0; f < values.size(); ++f) {
      // One number has no opposite.
      const double x = std::max(values[f], -2147483647);
      RC_ASSERT(std::abs(frames[f].bodies[0].at[0] - 1e-3 * x) < 1e-6);
      RC_ASSERT(std::abs(frames[f].bodies[0].at[1] + 1e-3 * x) < 1e-6);
      for (const LineVertex& vertex : frames[f].lines[0]) RC_ASSERT(vertex.tension == x);
    }
  }));
}

TEST(Frames, WhatIsNotANumberIsNoReasonToStop) {
  const FrameShape shape{.bodies = 1};
  FramePacker packer(shape);
  PackedFrames packed;
  Frame frame;
  frame.bodies.push_back({{NAN, INFINITY, -INFINITY}});
  packer.pack(frame, packed);
  const auto back = unpack(shape, packed);
  EXPECT_EQ(back[0].bodies[0].at[0], 0);
  EXPECT_GT(back[0].bodies[0].at[1], 1e6);
  EXPECT_LT(back[0].bodies[0].at[2], -1e6);
}

TEST(Frames, NumbersThatDoNotFitEachOtherAreRefused) {
  const FrameShape shape{.bodies = 1, .lines = 1};
  PackedFrames packed;
  packed.times = {0};
  packed.poses.resize(7);
  packed.counts = {1000000};
  EXPECT_THROW(unpack(shape, packed), std::runtime_error);
}

// Every dataset and attribute replaced by one of another kind, length or shape: an error that names the file, or fewer
// frames, and never more than there are.
TEST(Frames, OfOthersFilesAreCheckedBeforeTheyAreRead) {
  TempFolder folder;
  const auto good = written(folder, "good.h5");
  rewrite(good);
  const std::string bytes = read_text(good);
  const auto read_all = [](const std::filesystem::path& path) {
    try {
      const Result result = Result::open(path);
      result.frame_times();
      if (result.frames() > 0) {
        const auto packed = result.read_frames(0, result.frames());
        unpack(result.scene()->frames, packed);
      }
      return std::string(result.frames() > 0 ? "read" : "no frames");
    } catch (const ResultError& error) {
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
      return std::string("refused");
    }
  };
  EXPECT_EQ(read_all(good), "read");
  const auto replaced = [&](const char* name, hid_t type, const std::vector<hsize_t>& shape) {
    const auto path = folder / "bad.h5";
    std::ofstream(path, std::ios::binary) << bytes;
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t size = H5Tget_size(type);
    for (const hsize_t n : shape) size *= n;
    if (size < 1 << 20) {
      const std::vector<char> ones(size, '\x7f');
      H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, ones.data());
    }
    H5Dclose(dataset);
    H5Sclose(space);
    H5Fclose(file);
    return read_all(path);
  };
  for (const char* name : {"frames/time", "frames/poses", "frames/counts", "frames/vertices", "frames/flags",
                           "frames/ends", "frames/committed", "scene/points", "scene/triangles", "scene/document"}) {
    SCOPED_TRACE(name);
    replaced(name, H5T_NATIVE_UINT32, {3});
    replaced(name, H5T_NATIVE_UINT64, {100000});
    replaced(name, H5T_NATIVE_UINT8, {});
    replaced(name, H5T_NATIVE_DOUBLE, {5, 5});
    EXPECT_NE(replaced(name, H5T_C_S1, {4}), "read");
    replaced(name, H5T_NATIVE_UINT32, {hsize_t{1} << 50U});
  }
  EXPECT_EQ(replaced("frames/counts", H5T_NATIVE_UINT32, {2 * frame_count}), "refused");
  EXPECT_EQ(replaced("frames/ends", H5T_NATIVE_UINT64, {frame_count}), "refused");
}

// Overwrites the first packed chunk of a dataset.
void damage(const std::filesystem::path& path, const char* dataset) {
  haddr_t address = 0;
  hsize_t size = 0;
  {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), of = H5Dopen2(file, dataset, H5P_DEFAULT);
    const hid_t space = H5Dget_space(of);
    hsize_t offset = 0;
    unsigned mask = 0;
    ASSERT_GE(H5Dget_chunk_info(of, space, 0, &offset, &mask, &address, &size), 0);
    H5Sclose(space);
    H5Dclose(of);
    H5Fclose(file);
  }
  std::fstream out(path, std::ios::in | std::ios::out | std::ios::binary);
  out.seekp(static_cast<std::streamoff>(address));
  for (hsize_t i = 0; i < size; ++i) out.put('\x5a');
}

TEST(Frames, PackedOnesAreTriedWhenTheyAreRead) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  constexpr std::uint64_t count = 3000;
  {
    Recorder recorder(path, sample_header(), {{.name = "a.x"}}, {}, sample_scene());
    for (std::uint64_t i = 0; i < count; ++i) recorder.append_frame(frame_at(i));
    recorder.finish();
  }
  {
    const Result good = Result::open(path, Origin::anyone, Trial::as_read);
    const Result whole = Result::open(path);
    for (const std::uint64_t first : {0U, 640U, 64U, 640U, 2944U})
      EXPECT_EQ(good.read_frames(first, std::min<std::uint64_t>(200, count - first)).poses,
                whole.read_frames(first, std::min<std::uint64_t>(200, count - first)).poses);
  }
  damage(path, "frames/poses");
  EXPECT_THROW(Result::open(path), ResultError) << "all of it is looked at";
  const Result damaged = Result::open(path, Origin::anyone, Trial::as_read);
  EXPECT_EQ(damaged.frames(), count);
  for (int again = 0; again < 2; ++again) try {
      damaged.read_frames(0, 64);
      FAIL() << "the first chunk is damaged";
    } catch (const ResultError& error) {
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  EXPECT_EQ(damaged.read_frames(2944, 56).times.size(), 56u) << "what is not damaged can be read";
}

}  // namespace
}  // namespace davit::result::test
