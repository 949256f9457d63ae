// A vessel in a model: its database, the body that carries it, and the forces of water on that body.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "davit/assembly/assembly.hpp"
#include "davit/hydro/database.hpp"
#include "davit/sea/realisation.hpp"
#include "davit/vessel/specification.hpp"

namespace davit::vessel {

// The hydrodynamics of a vessel, about its origin amidships in the waterplane, with headings all round.
struct Hydrodynamics {
  hydro::Database database;
  hydro::MassProperties loading;  // of the vessel itself: that of the database, less what is on board if it has it in
  hydro::MassProperties carried_mass;  // what stands on it; of no mass when nothing does
  Vec3 hanging = Vec3::Zero();  // kg m: what hangs free pulls where it is hung up, not where it is; Σ m (there − here)
  double draught = 0;           // of its lowest point, in the condition of the database; 0 where unknown (m)
  std::optional<double> height;    // of the hull from there to its deck, where the hull is known (m)
  std::vector<std::string> notes;  // what was assumed
  // Of a hull that was only planned: how much there is to solve. Its weight and hydrostatics are known, its added mass,
  // damping and forces of waves are zero.
  std::string unsolved;

  hydro::MassProperties with_load() const;  // the vessel with all on board
};
// What is done with a hull that was not solved before: solving can take minutes, and whoever waits is told in words.
struct NewHulls {
  enum What { solve, plan };
  NewHulls(What to_do, std::function<void(const std::string&)> tell = {})  // NOLINT(google-explicit-constructor)
      : what(to_do), told(std::move(tell)) {}
  What what;
  std::function<void(const std::string&)> told;

  bool operator==(What other) const { return what == other; }
};
// Reads the database, or finds the hull solved before, or solves or plans it. Mistakes go to `problems`.
std::optional<Hydrodynamics> hydrodynamics_of(const std::string& name, const VesselSpec& spec, const sea::Water& water,
                                              const NewHulls& new_hulls, input::Problems& problems);

// Time (s) over which the waves on a vessel come up, for their peak frequency (rad/s).
double wave_ramp(const VesselSpec& spec, double peak_frequency);

// What vessels know of each other while they are built (Assembly::notes).
struct Fleet {
  // By name; must be known before vessels are built, and those of which it is not are left out.
  std::map<std::string, std::shared_ptr<const Hydrodynamics>> hydrodynamics;
  struct Built {
    std::string name;
    const VesselSpec& spec;
    std::shared_ptr<const Hydrodynamics> hydrodynamics;
    Mat6 infinite_added_mass;
  };
  std::vector<Built> built;
};

}  // namespace davit::vessel
