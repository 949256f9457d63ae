// Control of a crane's tip as a file describes it:
//
//   control:
//     tip: {tip: {point: outer.tip, joints: [king, inner, outer], period: 2 s}}
//   operation:
//     - {at: 10 s, over: 2 s, move: {tip.z: 0.5 m}}       # from where it was at the start, along world axes
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/input/record.hpp"

namespace davit::control {

struct DAVIT_API TipSpec {
  input::Reference point;
  std::vector<input::Reference> joints;
  std::optional<input::Reference> base;
  double period = 0;
  double damping = 1;
  std::optional<Vec3> from;
  std::optional<input::Quantity> limit;
  std::optional<double> sample_time;
  input::Where where;
  static const input::Record<TipSpec>& record();
  void declare(const std::string& name, Assembly& assembly) const;
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::control
