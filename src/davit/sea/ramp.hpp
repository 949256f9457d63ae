// How waves and gusts come up at the start of a run: nothing up to the start, so that equilibrium and natural modes are
// those of still water and steady wind, and then smoothly to 1 over the time of the ramp.
#pragma once

namespace davit::sea {

inline double ramp_up(double t, double over) {
  if (t <= 0) return 0;
  if (t >= over) return 1;
  const double s = t / over;
  return s * s * (3 - 2 * s);
}

}  // namespace davit::sea
