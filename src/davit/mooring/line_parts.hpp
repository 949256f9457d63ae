// From what a file says of sections and bed to the parts that a line is made of. After a mistake, which is reported:
// nothing.
#pragma once

#include "davit/mooring/line_spec.hpp"

namespace davit::mooring {

std::optional<cable::Section> section_of(const SectionSpec& spec, const sea::Water& water, input::Problems& problems);

// A bed with its map, which is read once for all lines of an environment.
struct Seabed {
  SeabedSpec spec;
  std::shared_ptr<const cable::HeightMap> map;
};
std::optional<Seabed> seabed_of(const SeabedSpec& spec, input::Problems& problems);

// `weight`: that of the heaviest section in water, N/m; without a stiffness the line sinks in by 0.2 m of it. Without a
// depth there is no bed.
std::optional<cable::Bed> bed_of(const Seabed* seabed, const sea::Water& water, double weight,
                                 const input::Where& where, input::Problems& problems);

}  // namespace davit::mooring
