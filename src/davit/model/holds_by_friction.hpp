// Elements that hold by friction what touches them. Before a run begins they hold it where the file has it, whatever
// that takes, so that equilibria with friction are found. That may be far away where one rest follows another (statics
// phase by phase), and too much where a load tilts and settles: there it is held where it came to touch, and slips
// where friction gives way, as in motion. An element derives from this beside its own interface.
#pragma once

#include "davit/math/export.hpp"
#include "davit/model/element.hpp"

namespace davit {

class DAVIT_API HoldsByFriction {
 public:
  virtual ~HoldsByFriction() = default;
  // From here on what touches is held as in motion.
  virtual void hold_where_it_touches(const ContextT<double>&, DiscreteState&) const = 0;
  // On the way to a rest: what came to touch is held from here on, what has left is forgotten, and all else is held as
  // it was. Nothing while it is held where the file has it. No force changes here.
  virtual void meet_what_touches(const ContextT<double>&, DiscreteState&) const = 0;
};

}  // namespace davit
