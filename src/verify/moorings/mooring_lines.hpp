// Lines of the mooring groups: the chain of the block-erection thesis, and its motion when the fairlead is forced.
#pragma once

#include <string>
#include <vector>

#include "davit/cable/line.hpp"

namespace davit::verify {

constexpr double tonne_force = 9806.65;

// A line with its scratch and its state.
struct MooredLine {
  explicit MooredLine(cable::Line made)
      : line(std::move(made)), work(line.make_work()), state(static_cast<size_t>(line.state_size())), next(state) {}
  // NaN in the forces where no equilibrium was found.
  void settle(const Vec3& a, const Vec3& b);
  bool step(double time, double h, const Vec3& a, const Vec3& b);
  void step_paying_out(double time, double h, const Vec3& a, const Vec3& b, const cable::PaidOut&);
  cable::LineView view() const;

  cable::Line line;
  cable::LineWork work;
  std::vector<double> state, next;
  cable::EndForces forces;
  const cable::Sea* sea = nullptr;  // that it meets
};

// 203.9 kg/m in water, 234.52 in air, d 0.195 m, EA 61,560 kN.
cable::Section thesis_chain(double length, int elements);
// 4785 N/m per m, without friction.
cable::Bed thesis_bed(double height);

// A fairlead that is moved by A r(t) sin 2πt/T about a mean place, 10 m below the surface; r grows over 10 s.
struct ForcedLine {
  std::string name;
  double depth, span;  // of the fairlead above the bed, and of its mean place from the anchor
  double period, cycles;
  double amplitude = 5, EA = 61.56e6;
  Vec3 anchor() const { return {0, 0, -10 - depth}; }
  Vec3 fairlead(double time) const;
};
ForcedLine forced_g1(double period);
ForcedLine forced_g2(double period);

// Times and tensions of the fairlead.
struct TensionHistory {
  std::vector<double> time, tension;
  double at(double time) const;  // straight between its points
  // Of the last two cycles.
  double largest = 0, least = 0;
};
TensionHistory run_forced(const ForcedLine&, const cable::LineModel&, double step);
// 170 m of the thesis' chain in bars, or in ANCF beams with no bending stiffness of its own.
enum class Element { bar, beam };
TensionHistory run_forced(const ForcedLine&, int elements, double step, double damping_time, Element = Element::bar);
// Root mean square of the difference to a reference over the last two cycles, over the reference's standard deviation.
double rms_error(const TensionHistory&, const std::string& embedded_name);
// The same beside another run, from a time on.
double rms_difference(const TensionHistory&, const TensionHistory& reference, double from);

}  // namespace davit::verify
