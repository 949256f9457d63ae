#include "davit/vessel/floating_condition.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <numbers>

#include "davit/hull/floating_equilibrium.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/vessel/vessel_loads.hpp"

namespace davit::vessel {

namespace {

double degrees(double angle) { return angle * 180 / std::numbers::pi; }

// A vessel's mass to six digits: tonnes of what is on board count.
std::string shown_mass(double mass, html::UnitSystem units = html::UnitSystem::engineering) {
  const html::DisplayUnit unit = html::display_unit("kg", mass, units);
  return fmt::format("{:.6g} {}", mass * unit.scale, unit.name);
}

std::string placed(const hydro::MassProperties& load, html::UnitSystem units = html::UnitSystem::engineering) {
  // Round-off of a centre on the centreline is no news.
  const auto coordinate = [](double x) { return fmt::format("{:.3g}", std::abs(x) < 5e-4 ? 0.0 : x); };
  return fmt::format("{} at ({}, {}, {}) m", shown_mass(load.mass, units), coordinate(load.centre.x()),
                     coordinate(load.centre.y()), coordinate(load.centre.z()));
}

}  // namespace

FloatingCondition floating_condition(const Hydrodynamics& h, double gravity) {
  const hydro::FloatingBody& body = h.database.bodies[0];
  const hydro::MassProperties all = h.with_load();
  const Vec3 centre = all.centre + h.hanging / all.mass;  // where the weight acts
  const double weight = all.mass * gravity, displaced = body.loading->mass * gravity;
  const Vec3 buoyancy = buoyancy_centre(body);
  // Heave, roll and pitch: the water, and the weight that turns over with its height.
  Mat3 restoring = hydro::buoyancy_restoring(body, h.database.gravity).value().block<3, 3>(2, 2);
  restoring(1, 1) -= weight * centre.z();
  restoring(2, 2) -= weight * centre.z();
  FloatingCondition out;
  out.mass = all.mass;
  out.gm = restoring(1, 1) / weight;
  const Vec3 load(displaced - weight, displaced * buoyancy.y() - weight * centre.y(),
                  weight * centre.x() - displaced * buoyancy.x());
  const Vec3 moved = restoring.partialPivLu().solve(load);
  out.sinkage = -moved[0];
  out.heel = moved[1];
  out.trim = moved[2];
  return out;
}

namespace {

// A hull that floats deeper than it is high, than its database can be about, or than the water is deep.
void check_draught(const VesselSpec& spec, const Hydrodynamics& h, const FloatingCondition& now,
                   const sea::Water& water, const std::string& with, input::Problems& problems) {
  if (!(h.draught > 0)) return;
  const double draught = h.draught + now.sinkage;
  const std::string weighs = fmt::format("{} it weighs {}", with, shown_mass(now.mass));
  if (h.height && draught > *h.height)
    problems.error(spec.where,
                   fmt::format("the vessel sinks: {} and would float {:.3g} m deep, and its hull is {:.3g} m high",
                               weighs, draught, *h.height),
                   "lighten what is on board, or take a larger hull");
  else if (!h.height && now.sinkage > h.draught)
    problems.error(
        spec.where,
        fmt::format("the vessel sinks: {} and would float {:.3g} m deep, {:.3g} m deeper than in its database, "
                    "which is more than twice as deep",
                    weighs, draught, now.sinkage),
        "lighten what is on board, or take a larger vessel; of one whose height is known, give the hull: "
        "hull: \"barge: 110 x 46 x 7.5 m\"");
  else if (draught < 0)
    problems.error(spec.where,
                   fmt::format("the vessel is too light for its database: {} and would float {:.3g} m above the water",
                               weighs, -draught),
                   "give the mass that it has, or a database for this weight");
  if (draught >= water.depth)
    problems.error(spec.where,
                   fmt::format("the vessel is aground: it floats {:.3g} m deep, and the water is {:.3g} m deep",
                               draught, water.depth),
                   "give a larger environment.water_depth, or lighten the vessel");
}

}  // namespace

std::string check_floating(const std::string& name, const VesselSpec& spec, const Hydrodynamics& h,
                           const sea::Water& water, html::UnitSystem units, input::Problems& problems) {
  const double gravity = water.gravity;
  if (!(gravity > 0)) return name + ": floats without gravity";
  const FloatingCondition now = floating_condition(h, gravity);
  const bool carries = h.carried_mass.mass > 0;
  const std::string with = carries ? "with " + placed(h.carried_mass) + " on board" : "with nothing on board";
  const std::string remedy = "lower, shift or lighten what is on board, or take a wider vessel";
  const double largest = std::max(std::abs(now.heel), std::abs(now.trim));
  if (!(now.gm > 0)) {
    problems.error(spec.where,
                   fmt::format("the vessel capsizes: {} it weighs {} and has a GM of {:.3g} m", with,
                               shown_mass(now.mass), now.gm),
                   remedy + (carries && spec.weight == Weight::vessel_only
                                 ? "; if the weight in the database has it in already, say weight: laden"
                                 : ""));
    return name + ": capsizes";
  }
  check_draught(spec, h, now, water, with, problems);
  const std::string tilt = hull::tilt_in_words(now.heel, now.trim);
  if (degrees(largest) > 30)
    problems.error(spec.where,
                   fmt::format("the vessel has no equilibrium within 30 deg: {} it weighs {}, and with a GM of {:.3g} "
                               "m linear hydrostatics gives {}",
                               with, shown_mass(now.mass), now.gm, tilt),
                   remedy);
  else if (degrees(largest) > 10)
    problems.warning(
        spec.where,
        fmt::format("the vessel has a large heel or trim: {} it has a GM of {:.3g} m, {}", with, now.gm, tilt),
        "linear hydrostatics is for small angles: shift what is on board, or ballast the vessel");
  const std::string stability = fmt::format("displaces {}, GM {:.4g} m", shown_mass(now.mass, units), now.gm);
  const bool as_in_database = !spec.hydrodynamics || !(spec.mass || spec.centre);
  if (!carries)
    return fmt::format(
        "{}: {}; nothing is on board{}", name, stability,
        as_in_database ? "" : fmt::format(", {:.3g} m deeper than in its database, {}", now.sinkage, tilt));
  if (spec.weight == Weight::loaded && as_in_database)
    return fmt::format("{}: {}; {} of that are on board, and it floats as in its database", name, stability,
                       placed(h.carried_mass, units));
  Hydrodynamics alone = h;
  alone.carried_mass = {};
  alone.hanging.setZero();
  return fmt::format("{}: carries {} on board beside its own {}: {} ({:.4g} m without), {:.3g} m deeper, {}", name,
                     placed(h.carried_mass, units), shown_mass(h.loading.mass, units), stability,
                     floating_condition(alone, gravity).gm, now.sinkage, tilt);
}

}  // namespace davit::vessel
