// Typical properties of chain and rope by kind and nominal diameter.
//
// Mass, stiffness and volume of chain and of rope, per squared diameter, and the width of links: OrcaFlex documentation
// (Orcina), "Line types: chain" and "rope/wire". Coefficients of drag on the nominal diameter, across and along:
// DNV-OS-E301 (2018), ch. 2 sec. 1, table 6.
// Breaking load of chain: c d²(44 − 80 d) N, d in m and c = 22.3e6 for grade R3 (DNV-OS-E302); of rope per squared
// diameter as Orcina has it.
#pragma once

#include "davit/cable/properties.hpp"

namespace davit::mooring {

enum class LineKind { studless_chain, studlink_chain, wire, polyester };
enum class ChainGrade { R3, R3S, R4, R5 };

// Per metre, without length and elements. `diameter`: nominal, in m.
cable::Section typical_section(LineKind kind, double diameter, ChainGrade grade);

}  // namespace davit::mooring
