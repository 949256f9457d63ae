#include "verify/moorings/bent_lines.hpp"

#include <algorithm>
#include <cmath>

namespace davit::verify {

BentLine::BentLine(cable::Beam made)
    : line(std::move(made)), work(line.make_work()), state(static_cast<size_t>(line.state_size())), next(state) {}

void BentLine::settle(const cable::LineEnds& ends, cable::Beam::Start start) {
  if (line.settle(ends, state.data(), work, start).converged)
    line.static_forces(state.data(), ends, forces, work);
  else
    std::fill(state.begin(), state.end(), NAN);
}
bool BentLine::step(double time, double h, const cable::LineEnds& ends) {
  const bool good = line.step(state.data(), time, h, ends, next.data(), forces, work).converged;
  state.swap(next);
  return good;
}
cable::LineView BentLine::view() const {
  cable::LineView out;
  line.look(state.data(), out);
  return out;
}

cable::Section rod(double length, int elements, double EA, double EI, double mass) {
  cable::Section s;
  s.length = length, s.elements = elements;
  s.EA = EA, s.EI = EI, s.mass = mass;
  s.displacement = 0, s.diameter = 0, s.damping_time = 0;
  return s;
}
cable::Surroundings space(double gravity) {
  cable::Surroundings around;
  around.water.gravity = gravity;
  return around;
}

}  // namespace davit::verify
