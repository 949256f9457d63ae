// Lines that several tests use.
#pragma once

#include <vector>

#include "davit/cable/line.hpp"

namespace davit::cable {

// How often something was taken from the heap so far.
long allocated();

// The chain of the thesis: 203.9 kg/m in water, 61,560 kN.
inline Section chain(double length, int elements) {
  Section s;
  s.length = length;
  s.elements = elements;
  s.EA = 61.56e6;
  s.mass = 234.52;
  s.displacement = (234.52 - 203.9) / 1025;
  s.diameter = 0.195;
  return s;
}
inline Bed winkler_bed(double height) {
  Bed bed;
  bed.height = height;
  bed.stiffness = 4785;
  return bed;
}
// A line with its work and its state at rest.
struct Moored {
  explicit Moored(Line made)
      : line(std::move(made)), work(line.make_work()), state(static_cast<size_t>(line.state_size())), next(state) {}
  Outcome settle(const Vec3& a, const Vec3& b, Line::Start start = Line::Start::catenary) {
    return line.settle(a, b, state.data(), work, start);
  }
  Outcome step(double time, double h, const Vec3& a, const Vec3& b) {
    const Outcome outcome =
        line.step(state.data(), time, h, a, b, next.data(), forces, work, Guess::prediction, {}, {sea});
    state.swap(next);
    return outcome;
  }
  LineView view() const {
    LineView out;
    line.look(state.data(), out);
    return out;
  }
  Line line;
  LineWork work;
  std::vector<double> state, next;
  EndForces forces;
  const Sea* sea = nullptr;
};

}  // namespace davit::cable
