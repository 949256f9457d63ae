#include "davit/vessel/vessel.hpp"

#include <fmt/format.h>

#include "davit/file/printable.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/error.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/math/constants.hpp"
#include "davit/panel/cache.hpp"
#include "davit/vessel/loads.hpp"

namespace davit::vessel {

namespace {

// Fills database and, where it is planned only, `unsolved`. False after a mistake.
bool find_hull(const std::string& name, const VesselSpec& spec, const sea::Water& water, NewHulls new_hulls,
               input::Problems& problems, Hydrodynamics& out) {
  panel::JobSpec job;
  job.title = name;
  job.water.gravity = water.gravity;
  job.water.density = water.density;
  if (std::isfinite(water.depth)) job.water.depth = water.depth;
  panel::HullSpec hull;
  hull.hull = *spec.hull;
  hull.draft = spec.draft;
  hull.mass = spec.mass;
  hull.kg = spec.kg;
  hull.gyration = spec.gyration;
  hull.where = spec.where;
  job.bodies.emplace_back(name, hull);
  if (auto found = panel::find_in_cache(job)) {
    out.database = *std::move(found);
    return true;
  }
  // Mistakes elsewhere in the file do not keep the hull from being looked at.
  input::Problems of_hull;
  const auto plan = panel::plan_job(job, 0, of_hull);
  problems.add(of_hull);
  if (!plan) return false;
  const std::string work = fmt::format("{} panels, {} frequencies", plan->panels, plan->frequencies.size());
  if (new_hulls == NewHulls::plan) {
    out.database = panel::unsolved_database(*plan);
    out.unsolved = work;
    return true;
  }
  // It can take minutes: whoever waits should know why.
  fmt::print(stderr, "solving the hull of '{}' ({}), which is done once and kept\n", file::printable(name), work);
  out.database = panel::run_job(*plan);
  panel::keep_in_cache(job, out.database);
  return true;
}

// What the vessel weighs: as its database has it, with what the file gives instead. Of a database that knows no weight,
// the one that the file gives is taken as part of its restoring.
std::optional<hydro::Loading> weigh(const VesselSpec& spec, hydro::Database& db, input::Problems& problems) {
  const input::Where& named = spec.hydrodynamics ? spec.hydrodynamics->where : spec.where;
  hydro::FloatingBody& body = db.bodies[0];
  if (!body.loading && !(spec.hydrodynamics && spec.mass && spec.centre)) {
    problems.error(named, "the database does not say with which weight it was made",
                   "give 'mass', 'centre' and 'gyration' beside it, or add the files that tell them: `davit hydro "
                   "inspect` says what is missing");
    return std::nullopt;
  }
  if (!body.loading) body.loading = hydro::Loading{*spec.mass, *spec.centre, Mat3::Zero()};
  hydro::Loading own = *body.loading;
  if (spec.hydrodynamics) {
    // Radii of gyration stay as they are with another mass.
    if (spec.gyration) body.loading->inertia = own.mass * Mat3(spec.gyration->cwiseAbs2().asDiagonal());
    own.mass = spec.mass.value_or(own.mass);
    own.centre = spec.centre.value_or(own.centre);
    own.inertia = own.mass / body.loading->mass * body.loading->inertia;
  }
  if (!hydro::has_rotational_inertia(own)) {
    problems.error(named, "the vessel has a mass and no moments of inertia: its database does not tell them",
                   "give radii of gyration beside it, of a ship about 0.35 beam, 0.25 length and 0.26 length: "
                   "gyration: [7 m, 25 m, 26 m]");
    return std::nullopt;
  }
  return own;
}

}  // namespace

std::optional<Hydrodynamics> hydrodynamics_of(const std::string& name, const VesselSpec& spec, const sea::Water& water,
                                              NewHulls new_hulls, input::Problems& problems) {
  try {
    Hydrodynamics out;
    if (spec.hydrodynamics)
      out.database = hydro::open_database(spec.hydrodynamics->resolved());
    else if (!find_hull(name, spec, water, new_hulls, problems, out))
      return std::nullopt;
    hydro::Database& db = out.database;
    const input::Where& named = spec.hydrodynamics ? spec.hydrodynamics->where : spec.where;
    if (db.bodies.size() != 1) {
      problems.error(named, fmt::format("the database has {} bodies", db.bodies.size()),
                     "vessels that feel each other's waves are not simulated yet: give each a database of its own");
      return std::nullopt;
    }
    hydro::move_reference(db, 0, Vec3::Zero());
    const auto own = weigh(spec, db, problems);
    if (!own) return std::nullopt;
    const auto differs = [](double a, double b) { return a != b && !(std::abs(a - b) <= 0.01 * std::abs(b)); };
    if (differs(db.gravity, water.gravity) || differs(db.density, water.density) || differs(db.depth, water.depth))
      problems.warning(
          named,
          fmt::format("the database was made for other water: g = {:.5g} m/s², {:.5g} kg/m³, {:.4g} m deep", db.gravity,
                      db.density, db.depth),
          "give the same in 'environment', or solve the hull for this water");
    if (hydro::is_port_starboard_symmetric(db)) hydro::expand_headings(db);
    out.loading = *own;
    out.notes = db.notes;
    return out;
  } catch (const hydro::DatabaseError& error) {
    problems.error(spec.hydrodynamics ? spec.hydrodynamics->where : spec.where, error.file + ": " + error.message,
                   error.remedy);
    return std::nullopt;
  }
}

hydro::Loading Hydrodynamics::with_load() const {
  if (!(on_board.mass > 0)) return loading;
  return hydro::loading_of(hydro::mass_matrix(loading, Vec3::Zero()) + hydro::mass_matrix(on_board, Vec3::Zero()),
                           Vec3::Zero());
}

// What is left of a wave's impulse on a free vessel is a drift that never ends: 47 % of the amplitude of its speed
// after 0.8 periods, 3 % after three.
double wave_ramp(const VesselSpec& spec, const Surroundings& around) {
  constexpr double periods = 3, least = 10;
  if (spec.wave_ramp) return *spec.wave_ramp;
  return around.peak_frequency > 0 ? std::max(least, periods * 2 * pi / around.peak_frequency) : least;
}

void build(const std::string& name, const VesselSpec& spec, const Hydrodynamics& given, const Surroundings& around,
           Assembly& assembly) {
  const auto origin = assembly.body_frame(name);
  if (!origin) return;
  // Linear theory is about the centre of gravity, meets waves where the run begins, and has the forces of waves,
  // memory and damping in the axes of the hull.
  const bool by_linear_theory = spec.equations == Equations::linear;
  Frame frame = *origin;
  std::optional<hydro::Database> about_centre;
  if (by_linear_theory) {
    about_centre = given.database;
    hydro::move_reference(*about_centre, 0, given.loading.centre);
    frame.offset.p = origin->offset * given.loading.centre;
  }
  const hydro::ForceAxes axes = by_linear_theory ? hydro::ForceAxes::hull : hydro::ForceAxes::heading;
  const bool solved = given.unsolved.empty();
  const Hull hull{
      name, spec,  by_linear_theory ? *about_centre : given.database, given.loading, given.with_load(), frame,
      axes, solved};
  add_restoring(hull, around.gravity, assembly);
  const auto inertia = add_radiation(hull, assembly);
  if (!inertia) return;
  add_damping(hull, *inertia, assembly);
  add_wave_loads(hull, around, *inertia, assembly);

  // What is given about the vessel's own origin.
  const Hull at_origin{name, spec, given.database, given.loading, given.with_load(), *origin, axes, solved};
  add_wind_and_current(at_origin, *inertia, assembly);
  add_thrusters(at_origin, around, *inertia, assembly);
}

}  // namespace davit::vessel
