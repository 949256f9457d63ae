// Units in which people read numbers: degrees, tonnes, kilonewtons and meganewtons, by the size of what is shown.
//
// Solves: values that are compared (curves of one plot, rows of one group) share a unit. Files keep SI; who wants SI
// everywhere says so.
// Does not: read units (davit/input).
#pragma once

#include <map>
#include <string>
#include <utility>

namespace davit::html {

enum class UnitSystem { engineering, si };

// A value in SI times `scale` is in the unit.
struct DisplayUnit {
  std::string name;
  double scale = 1;
  bool operator==(const DisplayUnit&) const = default;
};

// For values of an SI unit of which the largest has this size.
DisplayUnit display_unit(const std::string& unit, double largest, UnitSystem system = UnitSystem::engineering);

// Four digits; what has more before its point is written out up to a million, as people do, and not as 1.885e+04.
std::string readable(double value);
// "12.5 kN", by the value's own size.
std::string with_unit(double value, const std::string& unit, UnitSystem system = UnitSystem::engineering);

// One unit for each group of values that are compared: first show it every value that will appear, then ask.
class DisplayUnits {
 public:
  explicit DisplayUnits(UnitSystem system = UnitSystem::engineering) : system_(system) {}
  void see(const std::string& group, const std::string& unit, double value);
  DisplayUnit of(const std::string& group, const std::string& unit) const;

 private:
  UnitSystem system_;
  std::map<std::pair<std::string, std::string>, double> largest_;
};

}  // namespace davit::html
