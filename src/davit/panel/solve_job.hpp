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
};

// Mistakes and warnings go to `problems`. `threads` of 0: as many as the machine has.
std::optional<JobPlan> plan_job(const JobSpec& job, int threads, input::Problems& problems);

// What is known of a job before it is solved: hydrostatics and weight. Added mass, damping and forces of waves are zero
// at all of its frequencies and headings.
hydro::Database unsolved_database(const JobPlan& plan);

struct JobProgress {
  int done = 0, total = 0;
  double seconds = 0;  // since the start
};
hydro::Database run_job(const JobPlan& plan, const std::function<void(const JobProgress&)>& tell = {});

}  // namespace davit::panel
