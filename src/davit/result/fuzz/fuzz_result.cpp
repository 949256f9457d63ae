// libFuzzer target: result files. An input that begins as HDF5 does is such a file, read as a user's, in a child
// process first; any other describes changes of a good result, made through HDF5, which is then read in this very
// process.
#include <cstdlib>

#include "davit/result/csv.hpp"
#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "davit/test/fuzz_children.hpp"
#include "davit/test/hdf5_edits.hpp"

namespace {

using namespace davit::result;

void read_all(const std::filesystem::path& path, Origin origin, Trial trial = Trial::whole) {
  try {
    const Result result = Result::open(path, origin, trial);
    result.times();
    for (const ChannelInfo& channel : result.channels()) result.channel(channel.name);
    result.events();
    result.hashes();
    result.frame_times();
    if (result.frames() > 0) unpack(result.scene()->frames, result.read_frames(0, result.frames()));
  } catch (const ResultError& error) {
    if (std::string_view(error.what()).find(path.string()) == std::string_view::npos) std::abort();
  }
}

std::filesystem::path good_result(const davit::test::FuzzFolder& folder) {
  const auto path = folder.write("good.h5", "");
  const Scene scene{"{}", {{0, 0, 0}, {0, 0, 0}}, {.bodies = 1, .lines = 1}};
  Recorder recorder(path, {.title = "t", .scenario = "davit: 1\n"}, {{.name = "a.x", .unit = "m"}, {.name = "b.y"}}, {},
                    scene);
  for (int row = 0; row < 3; ++row) {
    recorder.append(row, std::vector<double>{1, 2});
    recorder.append_frame({static_cast<double>(row), {{}}, {{{}, {}}}});
  }
  recorder.append_hash(1, 2);
  recorder.append_event(1, "rope", "slack", "text", {});
  recorder.finish();
  rewrite(path);
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const davit::test::FuzzFolder folder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("\x89HDF")) {
    const auto path = folder.write("fuzz.h5", bytes);
    read_all(path, Origin::anyone, Trial::whole);
    read_all(path, Origin::anyone, Trial::as_read);
    return 0;
  }
  static const std::string whole = davit::test::content_of(good_result(folder));
  const auto edited = davit::test::edited_copy(folder, whole, data, size);
  read_all(edited, Origin::this_process);
  return 0;
}
