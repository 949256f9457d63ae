#include "davit/panel/job.hpp"

#include <algorithm>
#include <numbers>

#include "davit/hull/shape_text.hpp"
#include "davit/input/document.hpp"
#include "davit/input/overlay.hpp"

namespace davit::panel {

using input::Record;

std::optional<std::filesystem::path> HullSpec::mesh_file() const {
  const std::string word = hull.substr(0, hull.find(':'));
  if (hull.find(':') != std::string::npos && word.find_first_of("./\\") == std::string::npos) return std::nullopt;
  return (std::filesystem::path(where.file).parent_path() / hull).lexically_normal();
}

const Record<HullSpec>& HullSpec::record() {
  static const auto r =
      Record<HullSpec>("floating_hull", "A hull that floats, with its weight")
          .field("hull", &HullSpec::hull,
                 "a shape (barge, ship, cylinder, sphere) with its dimensions, or a mesh file (GDF, NEMOH, STL, OBJ, "
                 "PLY), "
                 "relative to the file that names it")
          .example("barge: 110 x 46 x 7.5 m")
          .field("draft", &HullSpec::draft, "m",
                 "depth of the lowest point under water; left out: where the mass floats, or as the mesh lies (water "
                 "at z = 0)")
          .above(0)
          .field("mass", &HullSpec::mass, "kg", "mass; left out: what the hull displaces at its draft")
          .above(0)
          .field("centre", &HullSpec::centre, "m",
                 "centre of gravity in the axes of the hull, z above its lowest point; left out: over the centre of "
                 "buoyancy")
          .field("kg", &HullSpec::kg, "m",
                 "height of the centre of gravity above the lowest point, instead of `centre`")
          .field("gyration", &HullSpec::gyration, "m",
                 "radii of gyration in roll, pitch and yaw about the centre of gravity; left out: typical ones")
          .above(0)
          .field("reference", &HullSpec::reference, "m",
                 "point of motions and moments in the axes of the hull, z from the still water; left out: the origin")
          .field("at", &HullSpec::at, "m", "place of the hull's origin, where there are several hulls")
          .by_default()
          .field("panel_size", &HullSpec::panel_size, "m",
                 "sides of panels of a shape, smaller towards edges; left out: an eighth of the shortest wave, and at "
                 "most a 60th "
                 "of the hull")
          .above(0)
          .located(&HullSpec::where)
          .check([](const HullSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.centre && s.kg)
              problems.error(place, "both 'centre' and 'kg' say where the centre of gravity is",
                             "leave one of them out");
            if (!s.mesh_file())
              if (const auto shape = hull::parse_shape(s.hull); !shape.value)
                problems.error(place, shape.mistake, shape.remedy);
          });
  return r;
}

const Record<WaterSpec>& WaterSpec::record() {
  static const auto r = Record<WaterSpec>("still_water", "The water that hulls float in")
                            .field("density", &WaterSpec::density, "kg/m^3", "density")
                            .above(0)
                            .by_default()
                            .field("gravity", &WaterSpec::gravity, "m/s^2", "acceleration of gravity")
                            .above(0)
                            .by_default()
                            .field("depth", &WaterSpec::depth, "m", "depth; left out: deep water")
                            .above(0);
  return r;
}

const Record<FrequencySpec>& FrequencySpec::record() {
  static const auto r =
      Record<FrequencySpec>("frequencies", "Frequencies to solve at")
          .field("from", &FrequencySpec::from, "rad/s", "the lowest; left out: the spacing")
          .above(0)
          .field("to", &FrequencySpec::to, "rad/s", "the highest; left out: waves of a tenth of the longest hull")
          .above(0)
          .field("count", &FrequencySpec::count, "how many, evenly spaced")
          .at_least(2)
          .at_most(1000)
          .by_default()
          .field("list", &FrequencySpec::list, "rad/s", "these instead, in ascending order")
          .above(0)
          .check([](const FrequencySpec& s, const input::Where& place, input::Problems& problems) {
            if (s.list && (s.from || s.to))
              problems.error(place, "the frequencies are given twice", "give 'list', or 'from' and 'to'");
            if (s.from && s.to && *s.from >= *s.to)
              problems.error(place, "'from' is not below 'to'", "give the lowest frequency as 'from'");
            if (s.list && (s.list->empty() || !std::is_sorted(s.list->begin(), s.list->end()) ||
                           std::adjacent_find(s.list->begin(), s.list->end()) != s.list->end()))
              problems.error(place, "the frequencies do not ascend", "sort them, each once");
          });
  return r;
}

const Record<JobSpec>& JobSpec::record() {
  static const auto r =
      Record<JobSpec>("hydrodynamics", "Hulls of which the hydrodynamics is wanted")
          .field("title", &JobSpec::title, "what it is called")
          .by_default()
          .field("water", &JobSpec::water, "the water")
          .by_default()
          .field("bodies", &JobSpec::bodies, "the hulls by their names")
          .field("frequencies", &JobSpec::frequencies, "frequencies to solve at")
          .by_default()
          .field("heading_step", &JobSpec::heading_step, "rad",
                 "between headings round the circle; 0: as the shortest wave needs, at most 15 degrees")
          .at_least(0)
          .at_most(std::numbers::pi)
          .by_default()
          .field("headings", &JobSpec::headings, "rad",
                 "these headings alone, where waves go: 0 along x, 90 deg along y")
          .field("lid", &JobSpec::lid, "panels on the water plane inside the hull, which remove irregular frequencies")
          .by_default()
          .field("drift", &JobSpec::drift, "mean drift in surge, sway and yaw (one hull only)")
          .by_default()
          .field("most_panels", &JobSpec::most_panels, "panels at most, of the part of hulls that symmetry leaves")
          .at_least(10)
          .at_most(20000)
          .by_default()
          .check([](const JobSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.bodies.empty()) problems.error(place, "there is no hull", "name at least one under 'bodies'");
          });
  return r;
}

std::optional<JobSpec> read_job(const std::filesystem::path& file, input::Problems& problems) {
  const auto node = input::load_with_base(file, problems);
  if (!node || problems.has_errors()) return std::nullopt;
  JobSpec job = input::read<JobSpec>(*node, problems);
  if (problems.has_errors()) return std::nullopt;
  return job;
}

}  // namespace davit::panel
