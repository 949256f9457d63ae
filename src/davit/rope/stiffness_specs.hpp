// Bending and torsional stiffness of a rope as a file describes them.
#pragma once

#include "davit/assembly/assembly.hpp"
#include "davit/assembly/axis.hpp"
#include "davit/input/record.hpp"

namespace davit::rope {

struct DAVIT_API BendingSpec {
  std::vector<input::Reference> along;
  double EI = 0;
  std::optional<AxisSpec> clamp;
  input::Where where;

  static const input::Record<BendingSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

struct DAVIT_API TorsionSpec {
  input::Reference from, to;
  double GJ = 0;

  static const input::Record<TorsionSpec>& record();
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::rope
