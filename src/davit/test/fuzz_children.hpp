// For fuzz targets whose readers try a file in a child process first: what goes wrong there is what the child is for,
// and is no finding. Included by the one source of a target.
#pragma once

#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

// Without names of functions in the reports that nobody reads: looking them up takes a second for every child that
// dies. ASAN_OPTIONS=symbolize=1 shows them for a finding.
extern "C" const char* __asan_default_options() { return "symbolize=0:allocator_may_return_null=1"; }

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // libFuzzer would keep the input as a finding.
  pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback([] { _exit(1); }); });
  return 0;
}
