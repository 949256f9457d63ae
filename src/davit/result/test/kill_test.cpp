// A run is killed, or looked at while it goes on. The writer is another process, as in life.
#include <sys/mman.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <random>
#include <thread>

#include "davit/result/reader.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/rewrite.hpp"
#include "support.hpp"

namespace davit::result::test {
namespace {

constexpr std::size_t channel_count = 12;

// What the writer says about itself, in memory that outlives it.
struct Progress {
  std::atomic<std::uint64_t> appended{0};
  std::atomic<std::uint64_t> committed{0};
  std::atomic<bool> stop{false};
};

class SharedProgress {
 public:
  SharedProgress()
      : memory_(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::runtime_error("no shared memory");
    new (memory_) Progress;
  }
  ~SharedProgress() { munmap(memory_, sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  Progress* operator->() const { return static_cast<Progress*>(memory_); }

 private:
  void* memory_;
};

// A body that moves and a line whose vertices change in number; whole steps, so that they come back as they were.
Scene kill_scene() {
  Scene scene;
  scene.document = "{}";
  scene.frames = {.bodies = 1, .lines = 1, .length_step = 1, .attitude_step = 1, .tension_step = 1};
  return scene;
}
Frame kill_frame(std::uint64_t number) {
  const double x = static_cast<double>(number * number % 1000);
  Frame frame{time_of(number), {{{x, -x, 1}, {1, 0, 0, 0}}}, {{}}};
  for (std::uint64_t i = 0; i < 2 + number % 3; ++i) frame.lines[0].push_back({{x, 0, 2}, x, LineVertex::sticks});
  return frame;
}

// Writes until it is told to stop or killed. The events are longer than a row of their table.
[[noreturn]] void write_forever(const std::filesystem::path& path, const SharedProgress& progress, std::size_t chunk,
                                double flush_seconds, std::chrono::microseconds pause) {
  try {
    Recorder recorder(path, sample_header(), sample_channels(channel_count),
                      {.chunk_rows = chunk, .vertices_per_frame = 3, .flush_seconds = flush_seconds}, kill_scene());
    std::vector<double> row(channel_count);
    for (std::uint64_t r = 0; !progress->stop; ++r) {
      fill_row(r, row);
      progress->appended = r + 1;
      recorder.append_frame(kill_frame(r));
      recorder.append(time_of(r), row);
      if (r % 5 == 0) recorder.append_hash(time_of(r), r * 31);
      if (r % 11 == 0) recorder.append_event(time_of(r), "rope", "node", std::string(200, 'x'), row);
      progress->committed = recorder.rows_committed();
      if (pause.count() > 0) std::this_thread::sleep_for(pause);
    }
    recorder.finish();
    _exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "writer: %s\n", error.what());
    _exit(3);
  }
}

pid_t start_writer(const std::filesystem::path& path, const SharedProgress& progress, std::size_t chunk,
                   double flush_seconds, std::chrono::microseconds pause = {}) {
  const pid_t child = fork();
  if (child == 0) write_forever(path, progress, chunk, flush_seconds, pause);
  return child;
}

void wait_for_rows(const std::atomic<std::uint64_t>& rows) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (rows == 0 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
}

// Frames reach the file a block later than rows.
void expect_prefix_of_frames(const Result& result) {
  const std::uint64_t frames = result.frames();
  EXPECT_LE(result.rows(), frames + 4 * frames_per_block);
  const auto unpacked = unpack(result.scene()->frames, result.read_frames(0, frames));
  for (std::uint64_t f = 0; f < frames; ++f) {
    const Frame wanted = kill_frame(f);
    ASSERT_EQ(unpacked[f].time, wanted.time) << "frame " << f;
    ASSERT_EQ(unpacked[f].bodies[0].at, wanted.bodies[0].at) << "frame " << f;
    ASSERT_EQ(unpacked[f].lines[0].size(), wanted.lines[0].size()) << "frame " << f;
    for (const LineVertex& vertex : unpacked[f].lines[0]) ASSERT_EQ(vertex.tension, wanted.bodies[0].at[0]);
  }
}

void expect_prefix(const Result& result) {
  const auto times = result.times();
  ASSERT_EQ(times.size(), result.rows());
  for (std::uint64_t r = 0; r < times.size(); ++r) ASSERT_EQ(times[r], time_of(r)) << "row " << r;
  ASSERT_EQ(result.channels(), sample_channels(channel_count));
  for (std::size_t c = 0; c < channel_count; ++c) {
    const auto values = result.channel(result.channels()[c].name);
    ASSERT_EQ(values.size(), result.rows());
    for (std::uint64_t r = 0; r < values.size(); ++r) ASSERT_EQ(values[r], value_of(r, c)) << "row " << r << ", " << c;
  }
  const auto hashes = result.hashes();
  for (std::uint64_t i = 0; i < hashes.size(); ++i) {
    ASSERT_EQ(hashes[i], (StateHash{time_of(5 * i), 5 * i * 31}));
  }
  const auto events = result.events();
  std::vector<double> row(channel_count);
  for (std::uint64_t i = 0; i < events.size(); ++i) {
    fill_row(11 * i, row);
    ASSERT_EQ(events[i], (Event{time_of(11 * i), "rope", "node", std::string(200, 'x'), row})) << "event " << i;
  }
  // Hashes and events come right after their row, so a flush has at most one of them more or less than the rows say.
  const std::uint64_t rows = result.rows();
  EXPECT_LE(rows / 5, hashes.size() + 1);
  EXPECT_LE(rows / 11, events.size() + 1);
  expect_prefix_of_frames(result);
}

TEST(Kill, EveryKillLeavesAWholePrefix) {
  std::random_device entropy;
  const auto seed = entropy();
  std::mt19937 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  const char* wanted = std::getenv("DAVIT_TEST_KILLS");  // for a long soak
  const int kills = wanted ? std::atoi(wanted) : 40;
  std::uint64_t rows_read = 0;
  int opened = 0;
  for (int kill_number = 0; kill_number < kills; ++kill_number) {
    TempFolder folder;
    const auto path = folder / "result.h5";
    const SharedProgress progress;
    // Every third writer flushes after every row, so that most kills hit the middle of a flush.
    const double flush_seconds = kill_number % 3 == 0 ? 0.0 : 1000.0;
    const pid_t writer = start_writer(path, progress, kill_number % 2 ? 16 : 100, flush_seconds);
    ASSERT_GT(writer, 0);
    // Every fifth is killed early, perhaps before its file is there; the others somewhere in the run.
    if (kill_number % 5 != 0) wait_for_rows(progress->appended);
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<>(0, 40'000)(random)));
    ASSERT_EQ(kill(writer, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";

    if (!std::filesystem::exists(path)) {
      ASSERT_EQ(progress->appended, 0u) << "rows were taken before the file was there";
      continue;
    }
    ++opened;
    {
      const Result killed = Result::open(path);
      EXPECT_EQ(killed.status(), "running");
      EXPECT_FALSE(killed.closed());
      EXPECT_FALSE(killed.being_written());
      EXPECT_EQ(killed.header(), sample_header());
      ASSERT_GE(killed.rows(), progress->committed);
      ASSERT_LE(killed.rows(), progress->appended);
      expect_prefix(killed);
      if (HasFatalFailure()) return;
      rows_read += killed.rows();
    }
    const auto rows = Result::open(path).rows();
    EXPECT_TRUE(rewrite_plain(path));
    const Result plain = Result::open(path);
    EXPECT_TRUE(plain.closed());
    EXPECT_EQ(plain.status(), "interrupted");
    EXPECT_EQ(plain.header(), sample_header());
    EXPECT_EQ(plain.rows(), rows);
    expect_prefix(plain);
    if (HasFatalFailure()) return;
    EXPECT_FALSE(rewrite_plain(path));
  }
  // The point of the test: most kills met a file with rows in it.
  EXPECT_GE(opened, kills * 4 / 5);
  EXPECT_GT(rows_read, 500u);
  RecordProperty("files_opened", opened);
  RecordProperty("rows_read", static_cast<int>(rows_read));
  std::printf("%d kills, %d of them after the first row could be written, %lu rows read back\n", kills, opened,
              static_cast<unsigned long>(rows_read));
}

TEST(Kill, AFileIsReadWhileItGrows) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  const SharedProgress progress;
  // It pauses, or the file would grow faster than it can be checked.
  const pid_t writer = start_writer(path, progress, 16, 1000, std::chrono::microseconds(100));
  ASSERT_GT(writer, 0);
  wait_for_rows(progress->committed);

  Result result = Result::open(path);
  EXPECT_TRUE(result.being_written());
  EXPECT_FALSE(result.closed());
  std::uint64_t before = 0;
  int grown = 0;
  for (int look = 0; look < 20; ++look) {
    const std::uint64_t committed = progress->committed;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    result.refresh();
    EXPECT_EQ(result.status(), "running");
    EXPECT_GE(result.rows(), committed);
    EXPECT_GE(result.rows(), before);
    grown += result.rows() > before;
    before = result.rows();
    expect_prefix(result);
    if (HasFatalFailure()) break;
  }
  EXPECT_GT(grown, 3);
  EXPECT_THROW(rewrite_plain(path), ResultError);

  progress->stop = true;
  int status = 0;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  result.refresh();
  EXPECT_EQ(result.status(), "complete");
  EXPECT_TRUE(result.closed());
  EXPECT_FALSE(result.being_written());
  EXPECT_EQ(result.rows(), progress->appended);
  expect_prefix(result);
}

}  // namespace
}  // namespace davit::result::test
