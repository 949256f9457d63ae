#include "davit/vessel/vessel.hpp"

#include <fmt/format.h>

#include "davit/hull/panel_geometry.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/io/printable.hpp"
#include "davit/math/constants.hpp"
#include "davit/panel/floating_hull.hpp"
#include "davit/panel/solution_cache.hpp"
#include "davit/vessel/ties.hpp"
#include "davit/vessel/vessel_loads.hpp"

namespace davit::vessel {

namespace {

panel::HullSpec hull_spec(const VesselSpec& spec) {
  panel::HullSpec hull;
  hull.hull = *spec.hull;
  hull.draft = spec.draft;
  hull.mass = spec.mass;
  hull.kg = spec.kg;
  hull.gyration = spec.gyration;
  hull.where = spec.where;
  return hull;
}

// Displaced volume over waterplane, or twice the depth of the centre of buoyancy: exact for boxes, and little less than
// the draught of ships.
double draught_of(const hydro::Database& db) {
  const hydro::FloatingBody& body = db.bodies[0];
  const double area = body.restoring(2, 2) / (db.density * db.gravity);
  const double mass = body.loading ? body.loading->mass : db.density * body.volume;
  const double mean = area > 0 && mass > 0 ? mass / db.density / area : 0;
  return body.buoyancy.allFinite() ? std::max(mean, -2 * body.buoyancy.z()) : mean;
}

void measure(const VesselSpec& spec, Hydrodynamics& out) {
  out.draught = spec.draft.value_or(draught_of(out.database));
  if (!spec.hull) return;
  input::Problems said;  // when it was solved or planned
  if (const auto whole = panel::whole_hull(hull_spec(spec), said))
    out.height = hull::bounds(whole->mesh).high.z() - whole->lowest;
}

// Fills database and, where it is planned only, `unsolved`. False after a mistake.
bool find_hull(const std::string& name, const VesselSpec& spec, const sea::Water& water, const NewHulls& new_hulls,
               input::Problems& problems, Hydrodynamics& out) {
  panel::JobSpec job;
  job.title = name;
  job.water.gravity = water.gravity;
  job.water.density = water.density;
  if (std::isfinite(water.depth)) job.water.depth = water.depth;
  job.bodies.emplace_back(name, hull_spec(spec));
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
  if (new_hulls.told)
    new_hulls.told(
        fmt::format("solving the hull of '{}' ({}), which is done once and kept", io::printable(name), work));
  out.database = panel::run_job(*plan);
  panel::keep_in_cache(job, out.database);
  return true;
}

// What the vessel weighs: as its database has it, with what the file gives instead. Of a database that knows no weight,
// the one that the file gives is taken as part of its restoring.
std::optional<hydro::MassProperties> weigh(const VesselSpec& spec, hydro::Database& db, input::Problems& problems) {
  const input::Where& named = spec.hydrodynamics ? spec.hydrodynamics->where : spec.where;
  hydro::FloatingBody& body = db.bodies[0];
  if (!body.loading && !(spec.hydrodynamics && spec.mass && spec.centre)) {
    problems.error(named, "the database does not say with which weight it was made",
                   "give 'mass', 'centre' and 'gyration' beside it, or add the files that tell them: `davit hydro "
                   "inspect` says what is missing");
    return std::nullopt;
  }
  if (!body.loading) body.loading = hydro::MassProperties{*spec.mass, *spec.centre, Mat3::Zero()};
  hydro::MassProperties own = *body.loading;
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
                                              const NewHulls& new_hulls, input::Problems& problems) {
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
    measure(spec, out);
    const auto own = weigh(spec, db, problems);
    if (!own) return std::nullopt;
    const auto differs = [](double a, double b) { return a != b && !(std::abs(a - b) <= 0.01 * std::abs(b)); };
    if (differs(db.gravity, water.gravity) || differs(db.density, water.density) || differs(db.depth, water.depth))
      problems.warning(
          named,
          fmt::format("the database was made for other water: g = {:.5g} m/s², {:.5g} kg/m³, {}", db.gravity,
                      db.density, std::isfinite(db.depth) ? fmt::format("{:.4g} m deep", db.depth) : "without a bed"),
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

hydro::MassProperties Hydrodynamics::with_load() const {
  if (!(carried_mass.mass > 0)) return loading;
  return hydro::mass_properties_of(
      hydro::mass_matrix(loading, Vec3::Zero()) + hydro::mass_matrix(carried_mass, Vec3::Zero()), Vec3::Zero());
}

// What is left of a wave's impulse on a free vessel is a drift that never ends: 47 % of the amplitude of its speed
// after 0.8 periods, 3 % after three.
double wave_ramp(const VesselSpec& spec, double peak_frequency) {
  constexpr double periods = 3, least = 10;
  if (spec.wave_ramp) return *spec.wave_ramp;
  return peak_frequency > 0 ? std::max(least, periods * 2 * pi / peak_frequency) : least;
}

namespace {

// A hull as forces are made for it. Linear theory is about the centre of gravity, meets waves where the run begins, and
// has the forces of waves, memory and damping in the axes of the hull.
class HullOfVessel {
 public:
  HullOfVessel(const std::string& name, const VesselSpec& spec, const Hydrodynamics& given, const Frame& origin)
      : name_(name), spec_(spec), given_(given), origin_(origin) {
    if (spec.equations != Equations::linear) return;
    about_centre_ = given.database;
    hydro::move_reference(*about_centre_, 0, given.loading.centre);
  }
  Hull about_its_reference() const {
    if (!about_centre_) return about_origin();
    Frame frame = origin_;
    frame.offset.p = origin_.offset * given_.loading.centre;
    return made(*about_centre_, frame);
  }
  Hull about_origin() const { return made(given_.database, origin_); }

 private:
  Hull made(const hydro::Database& database, const Frame& frame) const {
    const auto axes = about_centre_ ? hull_load::ForceAxes::hull : hull_load::ForceAxes::heading;
    return {name_, spec_, database, given_.loading, given_.with_load(), frame, axes, given_.unsolved.empty()};
  }
  const std::string& name_;
  const VesselSpec& spec_;
  const Hydrodynamics& given_;
  Frame origin_;
  std::optional<hydro::Database> about_centre_;
};

}  // namespace

// The forces on the body of this name, which must be there, but those of waves; its own axes are those of the hull.
void VesselSpec::build(const std::string& name, Assembly& assembly) const {
  auto& fleet = assembly.notes<Fleet>();
  const auto given = fleet.hydrodynamics.find(name);
  const auto origin = assembly.body_frame(name);
  if (given == fleet.hydrodynamics.end() || !origin) return;
  const HullOfVessel vessel(name, *this, *given->second, *origin);
  const Hull at_reference = vessel.about_its_reference();
  add_restoring(at_reference, assembly.gravity(), assembly);
  const auto inertia = add_radiation(at_reference, assembly);
  if (!inertia) return;
  add_damping(at_reference, *inertia, assembly);
  add_wave_elevation(at_reference, assembly);

  // What is given about the vessel's own origin.
  const Hull at_origin = vessel.about_origin();
  add_wind_and_current(at_origin, *inertia, assembly);
  add_thrusters(at_origin, *inertia, assembly);
  fleet.built.push_back({name, *this, given->second, *inertia});
}

namespace {

// All hulls in the waves, each by itself but for what ties it.
class HullsInWaves {
 public:
  HullsInWaves(const std::vector<Fleet::Built>& vessels, Assembly& assembly) {
    const bool waves = assembly.shared<sea::Waves>() != nullptr;
    std::vector<Frame> frames;
    for (const Fleet::Built& v : vessels) {
      frames.push_back(assembly.body_frame(v.name).value());
      const HullOfVessel made(v.name, v.spec, *v.hydrodynamics, frames.back());
      const auto answering = [&](const Hull& hull, bool answers) {
        std::optional<wave_load::LinearHullData> linear;
        if (answers) linear = linear_hull(hull, assembly.gravity(), v.infinite_added_mass, assembly);
        return std::make_shared<const HullInWaves>(hull, std::move(linear));
      };
      at_origin_.push_back(answering(made.about_origin(), waves));
      met_.push_back(answering(made.about_its_reference(), waves && v.spec.equations != Equations::linear));
    }
    if (!waves) return;
    ties_ = assembly.in_environment<Ties>(
        [parts = std::make_shared<const ModelParts>(assembly.parts_so_far()), frames](const auto& around) {
          return std::make_shared<const Ties>(*parts, frames, around);
        });
  }
  const std::vector<std::shared_ptr<const HullInWaves>>& met() const { return met_; }
  TiesOfHull ties_of(size_t hull) const {
    return [ties = ties_, hulls = at_origin_,
            hull](const Environment& around) -> std::function<wave_load::Mat6c(double)> {
      const Ties& all = ties.in(&around);
      if (!all.tied(hull)) return {};
      const auto free = [hulls](size_t other, double frequency) {
        return wave_load::LinearResponse(hulls[other]->database, *hulls[other]->linear).dynamic_stiffness(frequency);
      };
      return [&all, hull, free](double frequency) { return all.felt_by(hull, frequency, free); };
    };
  }

 private:
  std::vector<std::shared_ptr<const HullInWaves>> met_, at_origin_;
  InEnvironment<Ties> ties_;
};

}  // namespace

// The forces of waves, when all that ties vessels is in the model: how a hull moves in waves, and so where it meets
// them, depends on that.
void VesselSpec::complete(Assembly& assembly) {
  const std::vector<Fleet::Built>& vessels = assembly.notes<Fleet>().built;
  const HullsInWaves hulls(vessels, assembly);
  for (size_t i = 0; i < vessels.size(); ++i) add_wave_loads(hulls.met()[i], hulls.ties_of(i), assembly);
}

}  // namespace davit::vessel
