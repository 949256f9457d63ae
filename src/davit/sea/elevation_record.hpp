// A measured elevation as waves: the Fourier components of the record, all going in one direction. They give the record
// back within its length and then repeat it, so a record should end about where it began; its mean (the tide) is not a
// wave and is left out.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "davit/sea/realisation.hpp"

namespace davit::sea {

struct ElevationRecord {
  std::vector<double> times, elevations;
};

// Two columns, time and elevation in s and m, separated by blanks, commas or semicolons; lines that do not begin with a
// number are skipped before the first that does. std::runtime_error with the line that cannot be read.
ElevationRecord read_record(const std::filesystem::path&);
// The same of a text; `name` is for messages.
ElevationRecord parse_record(std::istream& text, const std::string& name);

struct RecordedWaves {
  std::vector<Component> components;
  double mean;
};

// Times that are not evenly spaced are first brought to even ones of the shortest spacing (but no more than four times
// as many) by cubics through neighbours; then the components are changed by the least that lets them go through all
// points. Components outside the range, if there is one, are left out.
// std::invalid_argument if there is nothing to transform.
RecordedWaves waves_of(const ElevationRecord&, double heading, const Vec2& place, const Water&,
                       std::optional<FrequencyRange> range = std::nullopt);

}  // namespace davit::sea
