// Sections of chain and rope with their typical properties, and the bed under them with its stiffness and damping.
#include "davit/mooring/line_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/mooring/height_map_file.hpp"

namespace davit::mooring {

// A section with all its properties; nothing after a mistake.
std::optional<cable::Section> section_of(const SectionSpec& spec, const sea::Water& water, input::Problems& problems) {
  cable::Section out;
  if (spec.type) {
    if (!spec.diameter) {
      problems.error(spec.where, "typical properties need a diameter", "give 'diameter', of a chain that of its bar");
      return std::nullopt;
    }
    out = typical_section(*spec.type, *spec.diameter, spec.grade);
  } else if (!spec.EA || !spec.mass || !spec.submerged_weight) {
    problems.error(spec.where, "a section without 'type' needs EA, mass and submerged_weight",
                   "give them, or a type with a diameter: {type: studless_chain, diameter: 76 mm}");
    return std::nullopt;
  }
  out.length = spec.length;
  if (spec.diameter) out.diameter = *spec.diameter;
  if (spec.EA) out.EA = *spec.EA;
  if (spec.EI) out.EI = *spec.EI;
  if (spec.mass) {
    if (spec.type) out.displacement *= *spec.mass / out.mass;
    out.mass = *spec.mass;
  }
  if (spec.submerged_weight) out.displacement = (out.mass - *spec.submerged_weight / water.gravity) / water.density;
  // A line that displaces nothing, up to the digits of its weight.
  if (std::abs(out.displacement) * water.density < 1e-6 * out.mass) out.displacement = 0;
  if (out.displacement < 0) {
    problems.error(spec.where,
                   fmt::format("a line of {:.4g} kg/m cannot weigh {:.4g} N/m in water", out.mass,
                               (out.mass - water.density * out.displacement) * water.gravity),
                   "mass is that in air, submerged_weight is in N/m: 100 kg/m of steel weigh about 850 N/m in water");
    return std::nullopt;
  }
  if (spec.mbl) out.breaking_load = *spec.mbl;
  if (spec.drag_normal) out.drag_normal = *spec.drag_normal;
  if (spec.drag_tangential) out.drag_tangential = *spec.drag_tangential;
  if (spec.added_mass_normal) out.added_mass_normal = *spec.added_mass_normal;
  if (spec.added_mass_tangential) out.added_mass_tangential = *spec.added_mass_tangential;
  if (spec.axis_height) out.axis_height = *spec.axis_height;
  out.damping_time = spec.damping_time;
  if (spec.dynamic_EA) {
    out.EA_dynamic = *spec.dynamic_EA;
    out.relaxation_time = *spec.relaxation_time;
  }
  return out;
}

std::optional<Seabed> seabed_of(const SeabedSpec& spec, input::Problems& problems) {
  if (!spec.map) return Seabed{spec, nullptr};
  try {
    return Seabed{spec,
                  std::make_shared<const cable::HeightMap>(read_height_map(spec.map->resolved(), spec.map_origin))};
  } catch (const std::runtime_error& mistake) {
    problems.error(spec.map->where, mistake.what(), "give an Esri ASCII grid of heights, z up from still water");
  }
  return std::nullopt;
}

std::optional<cable::Bed> bed_of(const Seabed* seabed, const sea::Water& water, double weight,
                                 const input::Where& where, input::Problems& problems) {
  const SeabedSpec* spec = seabed ? &seabed->spec : nullptr;
  constexpr double sinks = 0.2, softest = 100;  // m, N/m per m
  const double depth = spec && spec->depth ? *spec->depth : water.depth;
  cable::Bed bed;
  if (seabed) bed.map = seabed->map;
  if (!bed.map && !std::isfinite(depth)) {
    if (!spec) return bed;
    problems.error(where, "there is a seabed, and its depth is not known",
                   "give environment.water_depth or seabed.depth");
    return std::nullopt;
  }
  if (!bed.map) bed.height = -depth;
  bed.stiffness = std::max(softest, weight / sinks);
  if (!spec) return bed;
  if (spec->stiffness) bed.stiffness = *spec->stiffness;
  bed.damping = spec->damping;
  bed.friction_along = spec->friction;
  bed.friction_across = spec->friction_across.value_or(spec->friction);
  if (spec->slope) {
    const double down = std::tan(*spec->slope);
    bed.normal = Vec3(down * std::cos(*spec->slope_heading), down * std::sin(*spec->slope_heading), 1).normalized();
  }
  return bed;
}

}  // namespace davit::mooring
