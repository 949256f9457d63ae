// A job in two steps: what it will do and need (said before it starts), and doing it.
#pragma once

#include <functional>

#include "davit/hydro/database.hpp"
#include "davit/panel/floating_hull.hpp"
#include "davit/panel/linear_flow.hpp"

namespace davit::panel {

struct JobPlan {
  std::string title;
  Water water;
  std::vector<FloatingHull> hulls;
  std::vector<double> frequencies, headings;
  bool drift = false;
  int threads = 1;

  int panels = 0, lid_panels = 0;  // that are solved for
  int images = 1;                  // of them, by symmetry
  double bytes = 0;                // that the run needs
  double finer = 1;                // than the rules say
};

// Mistakes and warnings go to `problems`. `threads` of 0: as many as the machine has. `finer`: of PanelRules.
std::optional<JobPlan> plan_job(const JobSpec& job, int threads, input::Problems& problems, double finer = 1);

// What is known of a job before it is solved: hydrostatics and weight. Added mass, damping and forces of waves are zero
// at all of its frequencies and headings.
hydro::Database unsolved_database(const JobPlan& plan);

struct JobProgress {
  int done = 0, total = 0;
  double seconds = 0;  // since the start
};
using Tell = std::function<void(const JobProgress&)>;

// What is found in two ways must be the same: forces of waves by diffraction and by Haskind's relation, damping by the
// waves that leave and by the pressure on the hull. The largest difference, in parts of the largest of each motion.
// (Damping by pressure is 2 to 4 % off in surge with lids.)
struct Accuracy {
  double force = 0, damping = 0;
  static constexpr double wanted_force = 0.02, wanted_damping = 0.06;
  bool good() const { return force <= wanted_force && damping <= wanted_damping; }
};

hydro::Database run_job(const JobPlan& plan, const Tell& tell = {}, Accuracy* accuracy = nullptr);

// The same with smaller panels, for a job that was not accurate; nothing where they cannot be made smaller: a mesh, a
// size that the user gave, or as many panels as are allowed.
std::optional<JobPlan> refined(const JobSpec& job, const JobPlan& plan, int threads);

}  // namespace davit::panel
