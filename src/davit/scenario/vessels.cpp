#include "davit/scenario/vessels.hpp"

#include <algorithm>

#include "davit/scenario/wave_probes.hpp"
#include "davit/sea/wave_field.hpp"

namespace davit {

namespace {

// Of the spectrum, or where there is none (regular waves, a record) the mean frequency of the energy.
double peak_frequency(const sea::WavesSpec& spec, const std::vector<sea::Component>& waves, double gravity) {
  if (const auto spectrum = sea::spectrum_of(spec, gravity)) return spectrum->peak_frequency();
  double sum = 0, energy = 0;
  for (const sea::Component& c : waves) {
    sum += c.amplitude * c.amplitude * c.frequency;
    energy += c.amplitude * c.amplitude;
  }
  return energy > 0 ? sum / energy : 0;
}

}  // namespace

BodySpec vessel_body(const vessel::VesselSpec& spec, const hydro::Loading& loading) {
  BodySpec body;
  body.at = {spec.at.x(), spec.at.y(), 0};
  if (spec.heading != 0) {
    TurnSpec turn;
    turn.z = spec.heading;
    body.turn.push_back(turn);
  }
  body.joint.emplace().free.emplace();
  body.mass = loading.mass;
  body.centre = loading.centre;
  const Mat3& I = loading.inertia;
  body.inertia = I.diagonal();
  if (!I.isDiagonal()) body.products = Vec3(I(0, 1), I(0, 2), I(1, 2));
  body.weightless = spec.equations == vessel::Equations::linear;  // its weight is part of the restoring
  body.points = spec.points;
  body.where = spec.where;
  return body;
}

std::vector<std::optional<vessel::Hydrodynamics>> add_vessel_bodies(Specification& spec, vessel::NewHulls new_hulls,
                                                                    input::Problems& problems) {
  std::vector<std::optional<vessel::Hydrodynamics>> out;
  input::Named<BodySpec> bodies;
  for (const auto& [name, vessel_spec] : spec.vessels) {
    std::optional<vessel::Hydrodynamics> found;
    const bool complete = vessel_spec.hydrodynamics.has_value() != vessel_spec.hull.has_value();
    if (complete) found = vessel::hydrodynamics_of(name, vessel_spec, spec.environment.water(), new_hulls, problems);
    // A stand-in, so that what is on a vessel with mistakes can be checked.
    const hydro::Loading stand_in{1, Vec3::Zero(), Mat3::Identity()};
    bodies.emplace_back(name, vessel_body(vessel_spec, found ? found->loading : stand_in));
    out.push_back(std::move(found));
  }
  spec.bodies.insert(spec.bodies.begin(), std::make_move_iterator(bodies.begin()),
                     std::make_move_iterator(bodies.end()));
  return out;
}

BuiltVessels build_vessels(const Specification& spec,
                           const std::vector<std::optional<vessel::Hydrodynamics>>& hydrodynamics,
                           const std::set<std::string>& doubtful, double step, Assembly& assembly) {
  const std::vector<input::Reference>& probes = spec.environment.wave_probes;
  if (!probes.empty() && !spec.environment.waves)
    assembly.problems().error(probes.front().where, "there are no waves for 'wave_probes'",
                              "give environment.waves, or leave the probes out");
  BuiltVessels out;
  vessel::Surroundings& around = out.around;
  around = {spec.environment.gravity, {}, 0, step};
  if (spec.vessels.empty() && !spec.environment.waves) return out;
  // Waves with mistakes of their own are not made.
  const auto& said = assembly.problems().all();
  const bool good_waves = std::none_of(said.begin(), said.end(), [](const input::Problem& p) {
    return p.severity == input::Problem::error && p.where.path.starts_with("environment.waves");
  });
  if (spec.environment.waves && good_waves)
    if (auto waves = sea::make_waves(*spec.environment.waves, spec.environment.water(), assembly.problems())) {
      around.waves = *std::move(waves);
      around.peak_frequency = peak_frequency(*spec.environment.waves, around.waves, spec.environment.gravity);
      add_wave_probes(probes, around.waves, spec.environment.water(), assembly);
    }
  double& ramp = out.wave_ramp;
  for (size_t i = 0; i < spec.vessels.size(); ++i) {
    const auto& [name, described] = spec.vessels[i];
    if (hydrodynamics[i] && !doubtful.count(name))
      if (const auto infinite = vessel::build(name, described, *hydrodynamics[i], around, assembly))
        out.built.push_back({name, described, *hydrodynamics[i], *infinite});
    if (!around.waves.empty()) ramp = std::max(ramp, vessel::wave_ramp(described, around));
  }
  if (!around.waves.empty())
    assembly.share(std::make_shared<const sea::WaveField>(around.waves, spec.environment.water(),
                                                          spec.vessels.empty() ? vessel::wave_ramp({}, around) : ramp));
  return out;
}

}  // namespace davit
