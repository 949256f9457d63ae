// When a line snaps: its tension rises above that at rest after it was slack, below a tenth of that at rest. (A tenth
// is DNV-RP-N103's margin to the start of slack slings.)
#pragma once

namespace davit::cable {

// Looks at the tension after a step; true when the line has just snapped. `slack` remembers, and begins as false.
template <class Flag>
bool snaps(double tension, double at_rest, Flag& slack) {
  constexpr double slack_share = 0.1;
  if (tension < slack_share * at_rest) {
    slack = true;
  } else if (slack && tension > at_rest) {
    slack = false;
    return true;
  }
  return false;
}

}  // namespace davit::cable
