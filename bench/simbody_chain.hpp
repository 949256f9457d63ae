// What the module with Simbody's chain offers: one function, found by name.
#pragma once

struct SimbodyRun {
  double end[3];  // of the last link
  double seconds;
  long steps;
};
using SimbodyChain = SimbodyRun(int links, double length, double tilt, double duration, double accuracy);
