#include "davit/mooring/catalogue.hpp"

#include <algorithm>

#include "davit/math/constants.hpp"

namespace davit::mooring {

namespace {

constexpr double steel = 7850;  // kg/m³

double breaking_load_factor(ChainGrade grade) {
  switch (grade) {
    case ChainGrade::R3:
      return 22.3e6;
    case ChainGrade::R3S:
      return 24.9e6;
    case ChainGrade::R4:
      return 27.4e6;
    case ChainGrade::R5:
      return 32.0e6;
  }
  return 0;
}

// All by the diameter d of its bar; `width`: of a link.
cable::Section chain(double d, double mass, double stiffness, double width, double across, double along,
                     ChainGrade grade) {
  cable::Section out;
  out.mass = mass * d * d;
  out.EA = stiffness * d * d;
  out.displacement = out.mass / steel;
  out.diameter = d;
  out.drag_normal = across;
  out.drag_tangential = along;
  // Every other link stands on its side, half its width above the bed.
  out.axis_height = 0.5 * width * d;
  out.breaking_load = breaking_load_factor(grade) * d * d * std::max(0.0, 44 - 80 * d);
  return out;
}

cable::Section rope(double d, double mass, double stiffness, double outer, double across, double strength) {
  cable::Section out;
  out.mass = mass * d * d;
  out.EA = stiffness * d * d;
  out.displacement = 0.25 * pi * outer * outer * d * d;
  out.diameter = d;
  out.drag_normal = across;
  out.drag_tangential = 0.05;
  out.added_mass_tangential = 0;
  out.breaking_load = strength * d * d;
  return out;
}

}  // namespace

cable::Section typical_section(LineKind kind, double d, ChainGrade grade) {
  switch (kind) {
    case LineKind::studless_chain:
      return chain(d, 19.9e3, 0.854e11, 3.35, 2.4, 1.15, grade);
    case LineKind::studlink_chain:
      return chain(d, 21.9e3, 1.01e11, 3.6, 2.6, 1.4, grade);
    case LineKind::wire:
      return rope(d, 3.9897e3, 4.04e10, 0.80, 1.8, 633.358e6);
    case LineKind::polyester:
      return rope(d, 0.7978e3, 1.09e9, 0.86, 1.6, 170.466e6);
  }
  return {};
}

}  // namespace davit::mooring
