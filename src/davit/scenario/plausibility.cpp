#include "davit/scenario/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "davit/mesh/triangle_mesh.hpp"
#include "davit/model/workspace.hpp"
#include "davit/sea/energy.hpp"

namespace davit {

namespace {

using input::Problems;

// An empty container has 60 kg/m³, a lattice boom in its envelope 50.
constexpr double least_density = 5;  // kg/m³
// The weight of a hook block is a few hundredths of what its rope carries.
constexpr double least_weight_of_tension = 1e-3;
constexpr double least_weight_of_breaking_load = 1e-4;
// More is no mass on Earth, and its squares leave the range of numbers.
constexpr double largest_mass = 1e20;  // kg
// Of the heaviest body: a mass below is lost in the round-off of what it is joined to, and its motion in noise.
constexpr double least_share = 1e-12;
// Lugs, fenders and deck houses stand out, but not that far.
constexpr double largest_surface_of_body = 200;
constexpr double largest_surface = 5000;  // m
// A steel wire rope of 1 kg/m breaks at about this.
constexpr double breaking_load_of_steel = 150e3;  // N
constexpr double noticed_weight = 0.1;            // of the tension
constexpr double noticed_sag = 0.01;              // of the length
// The phase of methods of second order is off by (2π/n)²/12 of itself with n steps in a period: 2.3 % with these.
constexpr double least_steps_in_wave = 12;
// Waves of the tail that have less energy than this move nothing that counts.
constexpr double energy_of_tail = 0.1;

bool is_bare_number(const input::Node& root, const std::string& body, const char* key) {
  const input::Node* node = &root;
  for (const std::string_view step : {std::string_view("bodies"), std::string_view(body), std::string_view(key)})
    if (!node || !(node = node->find(step))) return false;
  const auto parsed = input::parse_quantity(node->text);
  return parsed.value && !parsed.value->has_unit;
}

double volume_of(const BodySpec& body) {
  if (body.box) return body.box->size.prod();
  if (body.cylinder) return std::numbers::pi * std::pow(body.cylinder->radius, 2) * body.cylinder->length;
  if (body.sphere) return 4.0 / 3 * std::numbers::pi * std::pow(body.sphere->radius, 3);
  return 0;
}

// The largest extent that the file tells of a body; zero: nothing.
double size_of(const BodySpec& body) {
  if (body.box) return body.box->size.maxCoeff();
  if (body.cylinder) return std::max(body.cylinder->length, 2 * body.cylinder->radius);
  if (body.sphere) return 2 * body.sphere->radius;
  double size = body.centre.norm();
  for (const auto& [name, at] : body.points) size = std::max(size, at.norm());
  return size;
}

std::string body_of(const input::Reference& reference) { return reference.name.substr(0, reference.name.find('.')); }

// The shortest wave that counts; none of a record, which is read where it is made.
std::optional<double> shortest_period(const sea::WavesSpec& waves, double gravity) {
  if (waves.spectrum == sea::SpectrumKind::regular) return waves.period;
  const auto spectrum = sea::spectrum_of(waves, gravity);
  if (!spectrum) return {};
  const sea::Energy energy(*spectrum);
  return 2 * std::numbers::pi / energy.frequency((1 - energy_of_tail) * energy.total());
}

class Masses {
 public:
  Masses(const input::Node& root, const Specification& spec, const input::Named<BodySpec>& bodies, Problems& problems)
      : root_(root), spec_(spec), problems_(problems) {
    for (const auto& [name, body] : bodies) bodies_.emplace(name, &body);
  }

  void check_shape(const std::string& name, const BodySpec& body) {
    const double volume = volume_of(body);
    if (!(volume > 0)) return;
    if (body.mass == 0)
      problems_.warning(body.where,
                        "'" + name + "' has a shape and no mass: the shape gives it neither weight nor inertia",
                        "give it a mass, or leave the shape out; what ropes touch are 'surfaces'");
    else if (body.mass < least_density * volume && is_bare_number(root_, name, "mass"))
      warn(name, body, fmt::format("for a shape of {:.3g} m³", volume));
  }

  void check_range(const std::string& name, const BodySpec& body, double heaviest) {
    const auto shows = [&](const std::string& what, const char* remedy) {
      problems_.error(body.where, fmt::format("'{}' has a mass of {:.3g} kg, {}", name, body.mass, what), remedy);
    };
    if (body.mass > largest_mass)
      shows(fmt::format("more than the {:.0e} kg that can be computed with", largest_mass), "check its unit");
    else if (body.mass > 0 && body.mass < least_share * heaviest && !body.inertia)
      shows(fmt::format("which is lost in the round-off beside the {:.3g} kg of the heaviest body", heaviest),
            "give it the mass and inertia that it really has");
  }

  void check_strand(const std::string& rope, const rope::StrandSpec& strand, const input::Reference& end) {
    const auto body = bodies_.find(body_of(end));
    if (body == bodies_.end() || !(body->second->mass > 0) || !is_bare_number(root_, body->first, "mass")) return;
    const double weight = body->second->mass * spec_.environment.gravity;
    if (weight < least_weight_of_tension * strand.tension.value_or(0))
      warn(body->first, *body->second,
           fmt::format("on the rope '{}' with a tension of {:.4g} kN", rope, *strand.tension / 1e3));
    else if (weight < least_weight_of_breaking_load * strand.mbl.value_or(0))
      warn(body->first, *body->second,
           fmt::format("on the rope '{}' that breaks at {:.4g} kN", rope, *strand.mbl / 1e3));
  }

 private:
  void warn(const std::string& name, const BodySpec& body, const std::string& beside) {
    problems_.warning(body.where, fmt::format("'{}' has {:.4g} kg {}", name, body.mass, beside),
                      fmt::format("write 'mass: {0:g} t' if tonnes are meant, 'mass: {0:g} kg' if not", body.mass));
  }

  const input::Node& root_;
  const Specification& spec_;
  Problems& problems_;
  std::map<std::string, const BodySpec*> bodies_;
};

}  // namespace

void check_sizes(const input::Node& root, const Specification& spec, const input::Named<BodySpec>& bodies,
                 Problems& problems) {
  Masses masses(root, spec, bodies, problems);
  const std::set<std::string> unreadable = problems.unreadable();  // whose mass may be what was not read
  double heaviest = 0;
  for (const auto& [name, body] : bodies) heaviest = std::max(heaviest, std::min(body.mass, largest_mass));
  for (const auto& [name, body] : bodies) {
    if (unreadable.count(name)) continue;
    masses.check_shape(name, body);
    masses.check_range(name, body, heaviest);
  }
  for (const auto& [name, rope] : spec.elements.of<rope::RopeSpec>())
    for (const input::Reference& end : {rope.from, rope.to}) masses.check_strand(name, rope, end);
  for (const auto& [name, slings] : spec.elements.of<rope::SlingsSpec>()) {
    masses.check_strand(name, slings, slings.from);
    for (const input::Reference& end : slings.to) masses.check_strand(name, slings, end);
  }
}

void check_surface_sizes(const Scenario& scenario, Assembly& assembly) {
  for (const ObservedSurface& made : assembly.observables().surfaces) {
    const SurfaceSpec* surface = scenario.specification.elements.find<SurfaceSpec>(made.name);
    if (!surface) continue;
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const Vec3& point : made.mesh->points) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
    const double size = (high - low).maxCoeff();
    const auto body = std::find_if(scenario.bodies.begin(), scenario.bodies.end(),
                                   [&](const auto& each) { return each.first == body_of(surface->on); });
    const double of_body = body == scenario.bodies.end() ? 0 : size_of(body->second);
    const bool beside_body = of_body > 0 && size > largest_surface_of_body * of_body;
    if (!beside_body && !(size > largest_surface)) continue;
    assembly.problems().warning(
        surface->where,
        fmt::format("the surface is {:.4g} m long{}", size,
                    beside_body ? fmt::format(", {:.2g} times its body '{}'", size / of_body, body->first) : ""),
        surface->mesh ? "say scale: 0.001 if the mesh is in millimetres" : "write 'mm' if millimetres are meant");
  }
}

void check_rope_weights(const Specification& spec, const Observables& observables, const State& start,
                        const Workspace& work, Problems& problems) {
  const double g = spec.environment.gravity;
  std::map<std::string, const rope::RopeSpec*> ropes;
  for (const auto& [name, rope] : spec.elements.of<rope::RopeSpec>()) ropes.emplace(name, &rope);
  Polyline line;
  for (const ObservedPolyline& drawn : observables.polylines) {
    const auto named = ropes.find(drawn.name);
    if (named == ropes.end()) continue;
    const rope::RopeSpec& rope = *named->second;
    drawn.draw(start, work, line);
    double length = 0, tension = 0, sag = 0, of_length = 0;
    for (size_t i = 0; i + 1 < line.vertices.size(); ++i) {
      if (line.vertices[i].gap_after) continue;
      const Vec3 leg = line.vertices[i + 1].at - line.vertices[i].at;
      const double pull = line.vertices[i].tension;
      length += leg.norm();
      tension = std::max(tension, pull);
      // Of a parabola, in the middle of the leg, by the tension there: at an end, where it is largest, half of the
      // leg's weight comes to it, along the leg and across.
      const double half = 0.5 * rope.mass * g * leg.norm(), across = half * leg.head<2>().norm() / leg.norm(),
                   along = half * std::abs(leg.z()) / leg.norm(),
                   middle = pull > across ? std::sqrt(pull * pull - across * across) - along : 0;
      const double own = middle > 0 ? rope.mass * g * leg.norm() * leg.head<2>().norm() / (8 * middle) : 0;
      if (own > noticed_sag * leg.norm() && own > sag) {
        sag = own;
        of_length = leg.norm();
      }
    }
    if (!(tension > 0)) continue;  // slack at the start: nothing can be said
    const double steel = rope.mbl.value_or(0) / breaking_load_of_steel;
    // The slings of parts are light beside what they will carry, which their tension at the start does not tell.
    const bool of_part = !rope.where.instance.empty();
    if (rope.mass == 0 && !of_part && steel * g * length > noticed_weight * tension)
      problems.warning(
          rope.where,
          fmt::format("the rope has no mass; in steel wire of this breaking load {:.3g} m of it weigh about "
                      "{:.3g} kN, beside a tension of {:.3g} kN",
                      length, steel * g * length / 1e3, tension / 1e3),
          fmt::format("give e.g. mass: {:.3g} kg/m", steel));
    if (sag > 0)
      problems.warning(
          rope.where,
          fmt::format("a piece of {:.3g} m would sag by {:.2g} m at the start under its own weight, and ropes "
                      "are straight here: its slope and the path of its load are not right",
                      of_length, sag),
          "tension it more, or make a chain of particles and lines of it");
  }
}

void check_step_in_waves(const Specification& spec, Problems& problems) {
  if (!spec.run.step || !spec.environment.waves) return;
  const auto period = shortest_period(*spec.environment.waves, spec.environment.gravity);
  if (!period || !(*spec.run.step * least_steps_in_wave > *period)) return;
  problems.warning(spec.run.where,
                   fmt::format("a step of {:.3g} s does not resolve the waves: {:.2g} steps in a period of {:.3g} s",
                               *spec.run.step, *period / *spec.run.step, *period),
                   fmt::format("take a step of {:.1g} s or less", *period / least_steps_in_wave / 2));
}

}  // namespace davit
