// append() allocates nothing. HDF5's own memory at a flush comes from malloc and is not counted here.
#include <cstdlib>
#include <new>

#include "davit/result/limit.hpp"
#include "davit/result/recorder.hpp"
#include "davit/result/statistics.hpp"
#include "support.hpp"

namespace {

std::size_t allocations = 0;

void* count_and_allocate(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return count_and_allocate(size); }
void* operator new[](std::size_t size) { return count_and_allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace davit::result::test {
namespace {

TEST(Allocation, TheCounterCounts) {
  const std::size_t before = allocations;
  std::vector<double> something(1000);
  something[999] = static_cast<double>(before);
  EXPECT_EQ(allocations, before + 1) << something[999];
}

TEST(Allocation, AppendAllocatesNothing) {
  TempFolder folder;
  constexpr std::size_t channels = 50;
  Recorder recorder(folder / "result.h5", sample_header(), sample_channels(channels), {.chunk_rows = 64});
  const std::vector<Limit> limits{{.channel = "body1.x", .bound = 3.0},
                                  {.channel = "body2.x", .side = Limit::Side::above, .bound = -3.0}};
  LimitMonitor monitor(limits, sample_channels(channels));
  StatisticsMonitor statistics(channels);
  std::vector<double> row(channels);
  const std::string text(500, 't');

  const std::size_t before = allocations;
  for (std::uint64_t r = 0; r < 1000; ++r) {
    fill_row(r, row);
    recorder.append(time_of(r), row);
    recorder.append_hash(time_of(r), r);
    recorder.append_event(time_of(r), "rope", "contact", text, row);
    monitor.add(time_of(r), row);
    statistics.add(time_of(r), row);
  }
  recorder.flush();
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(recorder.rows_committed(), 1000u);
}

}  // namespace
}  // namespace davit::result::test
