// The clock of all benchmarks: processor time of the thread that asks. Machines are shared, and the clock on the wall
// would count what others do. Everything that is timed here runs on one thread.
#pragma once

#include <ctime>

namespace davit::bench {

inline double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace davit::bench
