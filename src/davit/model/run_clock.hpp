// Whether a run has begun, for elements whose laws at rest differ from those in motion: some doubles of a record in the
// discrete state. Elements are committed at the start, again when an equilibrium was found, and then after every step.
#pragma once

#include <span>

namespace davit {

struct RunClock {
  enum : int { seen, begun, time, size };
  static bool has_begun(std::span<const double> record) { return record[begun] > 0; }
  static void begin(std::span<double> record) { record[begun] = 1; }
  // As if nothing had been committed yet.
  static void forget(std::span<double> record) { record[seen] = record[begun] = record[time] = 0; }
  // To be called once in every commit. Gives the time since the last one.
  static double advance(std::span<double> record, double t) {
    const double passed = record[seen] > 0 ? t - record[time] : 0;
    if (passed > 0) begin(record);
    record[seen] = 1;
    record[time] = t;
    return passed;
  }
};

}  // namespace davit
