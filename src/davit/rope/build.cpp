// From descriptions to ropes, drums and drives.
#include <fmt/format.h>

#include <numbers>

#include "davit/assembly/element_channel.hpp"
#include "davit/assembly/spring_table.hpp"
#include "davit/assembly/surface.hpp"
#include "davit/math/rotation.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/rope/observables.hpp"
#include "davit/rope/specification.hpp"
#include "davit/rope/waypoints.hpp"

namespace davit::rope {

namespace {

// A rope that its given length strains by more than this at the start was not meant so.
constexpr double largest_strain = 0.1;

std::optional<Elasticity> elasticity(const StrandSpec& spec, const input::Where& where, input::Problems& problems) {
  if (spec.EA.has_value() == !spec.table.empty()) {
    problems.error(where, spec.EA ? "the stiffness is given twice" : "the stiffness is missing",
                   "give EA, e.g. 200 MN, or a table of strain and tension");
    return std::nullopt;
  }
  if (spec.EA) return Elasticity(*spec.EA, spec.damping);
  const auto points =
      read_spring_table(spec.table, {"strain", "1", "0.01"}, {"tension", "N", "100 kN"}, where, problems);
  if (!points) return std::nullopt;
  return Elasticity(*points, spec.damping);
}

// In the axes of the body as the kinematics has them, which are those of the surface for most bodies.
TouchedSurface touched(const std::shared_ptr<const BodySurface>& surface, const FrictionSpec& friction) {
  TouchedSurface out;
  out.name = surface->name;
  out.body = surface->frame.body;
  out.size = bounds(surface->repaired.mesh).size();
  out.static_friction = friction.sticking;
  out.kinetic_friction = friction.slipping;
  const Pose& offset = surface->frame.offset;
  if (offset.R == Mat3::Identity() && offset.p == Vec3::Zero()) {
    out.features = {surface, &surface->features};
    out.edges = {surface, &surface->edges};
    if (surface->repaired.closed) out.solid = {surface, &surface->triangles};
    return out;
  }
  const TriangleMesh mesh = transformed(surface->repaired.mesh, offset);
  out.features = std::make_shared<Features>(find_features(mesh));
  out.edges = std::make_shared<EdgeTree>(*out.features);
  if (surface->repaired.closed) out.solid = std::make_shared<TriangleTree>(mesh);
  return out;
}

// A winch while its rope is built.
struct Winch {
  std::string name;
  const WinchSpec* spec;
  std::shared_ptr<const Reel> reel;
  std::shared_ptr<const DrumReel> drum;  // if it has one
  Signal target;
  int port = -1;  // of a controller that commands it
};

// Extremes of a motion's derivative, from samples between its breakpoints.
double largest(const Motion& motion, int derivative) {
  double most = 0;
  const auto& joins = motion.breakpoints();
  for (size_t i = 0; i + 1 < joins.size(); ++i)
    for (int k = 0; k <= 200; ++k)
      most = std::max(most,
                      std::abs(motion.derivative(derivative, joins[i] + (joins[i + 1] - joins[i]) * (k + 0.5) / 201)));
  return most;
}

void check_limits(const WinchSpec& spec, const Motion& target, input::Problems& problems) {
  const auto check = [&](const std::optional<double>& limit, int derivative, const char* what, const char* unit) {
    const double most = largest(target, derivative);
    if (!limit || most <= *limit) return;
    problems.error(spec.where,
                   fmt::format("the operation asks for {} of {:.3g} {}, above the winch's {:.3g} {}", what, most, unit,
                               *limit, unit),
                   "give the moves more time, or the winch a larger limit");
  };
  if (spec.mode == WinchMode::length) {
    check(spec.limits.speed, 1, "a speed", "m/s");
    check(spec.limits.acceleration, 2, "an acceleration", "m/s^2");
  } else if (spec.mode == WinchMode::speed) {
    check(spec.limits.speed, 0, "a speed", "m/s");
    check(spec.limits.acceleration, 1, "an acceleration", "m/s^2");
  }
}

// Of what its signal is: a length of rope, or a speed of it. A tension or a force has none.
DriveLimits limits_of(const WinchSpec& spec) {
  const double none = std::numeric_limits<double>::infinity();
  const double speed = spec.limits.speed.value_or(none), acceleration = spec.limits.acceleration.value_or(none);
  if (spec.mode == WinchMode::length) return {speed, acceleration};
  if (spec.mode == WinchMode::speed) return {acceleration, none};
  return {};
}

Winch make_winch(const std::string& name, const WinchSpec& spec, Assembly& assembly) {
  Winch winch{name, &spec, nullptr, nullptr, Signal{}, -1};
  if (spec.mode == WinchMode::passive) {
    const CoordinateIndex at = assembly.add_scalar({name + ".travel", "m", spec.piston->mass, 0, 0});
    winch.reel = std::make_shared<PistonReel>(at);
    assembly.add(
        std::make_shared<Piston>(name, at, spec.piston->preload, spec.piston->stiffness, spec.piston->damping));
    return winch;
  }
  const double start =
      spec.target ? input::require(*spec.target, input::unit(spec.target_unit()), assembly.problems()).value_or(0) : 0;
  winch.target = assembly.take_signal(name, start, limits_of(spec));
  check_limits(spec, assembly.motion(winch.target), assembly.problems());
  if (spec.drum && assembly.is_commanded(name)) {
    winch.port = assembly.add_input({name + ".target", spec.target_unit()});
    assembly.add_port(name, {winch.port, spec.target_unit(), winch.target});
  }
  if (!spec.drum) {
    winch.reel = std::make_shared<CommandedReel>(winch.target);
    return winch;
  }
  const DrumSpec& drum = *spec.drum;
  const CoordinateIndex at = assembly.add_scalar({name + ".angle", "rad", drum_inertia(drum), 0, 0});
  double thinning = 0;
  if (drum.layers)
    thinning = drum.layers->rope_diameter * drum.layers->rope_diameter / (2 * std::numbers::pi * drum.layers->width);
  winch.drum = std::make_shared<DrumReel>(at, 0, drum.radius, thinning);
  winch.reel = winch.drum;
  return winch;
}

// `pull`: of the rope on the drum at the start.
void drive(const Winch& winch, const std::shared_ptr<const RopeForce>& rope, int slot, double pull, double gravity,
           Assembly& assembly) {
  const WinchSpec& spec = *winch.spec;
  const std::string& name = winch.name;
  const auto add = [&](const char* what, const char* unit, const char* description, bool main, auto value) {
    add_element_channel(assembly, "winch", name, what, unit, description, main, value);
  };
  add("paid_out", "m", "rope given out since the start", true,
      [rope, slot, end = spec.end](const State& s, const Workspace& w) {
        return given_out(rope->setup(), end, w.kin, rope->reel_mark(s.discrete, slot, end));
      });
  add("speed", "m/s", "speed of giving out", false, [rope, end = spec.end](const State&, const Workspace& w) {
    return rate_of_giving_out(rope->setup(), end, w.kin);
  });
  if (spec.mode != WinchMode::passive)
    add("target", spec.target_unit(), "what is asked for", false,
        [target = winch.target, port = winch.port](const State&, const Workspace& w) {
          return port < 0 ? target.value(w.kin) : w.w[static_cast<size_t>(port)];
        });
  if (!winch.drum) return;
  WinchDrive::Data data;
  data.mode = spec.mode;
  data.target = winch.target;
  data.port = winch.port;
  data.first_target = assembly.motion(winch.target).value(0);
  data.inertia = drum_inertia(*spec.drum);
  data.response = spec.response;
  data.gain = spec.gain.value_or(0);
  data.dead_band = spec.mode == WinchMode::constant_tension ? spec.dead_band : 0;
  const double none = std::numeric_limits<double>::infinity();
  data.limits = {spec.limits.speed.value_or(none), spec.limits.acceleration.value_or(none),
                 spec.limits.torque.value_or(none), spec.limits.power.value_or(none),
                 spec.limits.braking_power.value_or(none)};
  data.load = spec.load;
  data.sample_time = spec.sample_time.value_or(0);
  if (gravity > 0) data.gravity = gravity;
  if (spec.follows)
    if (const auto point = assembly.frame(*spec.follows))
      data.follows =
          HeaveSensor{*point, position(assembly.start_kinematics(), *point).z(), spec.sensor.filter, spec.sensor.delay};
  if (spec.brake) {
    data.brake = spec.brake->torque;
    for (const Vec2& span : spec.brake->closed) data.closed.emplace_back(span[0], span[1]);
  }
  data.first_pull = pull;
  const auto force = std::make_shared<WinchDrive>(name, std::move(data), winch.drum, rope, slot, spec.end);
  const ElementPlace place = assembly.add(force);
  assembly.observables().add_scalars(
      {element_scalar("winch", name, "torque", "N m", "of motor and brake at the drum, positive as it gives out rope",
                      true),
       element_scalar("winch", name, "power", "W", "of motor and brake", false)},
      [force, place](const State& s, const Workspace& w, double* values) {
        values[0] = force->torque(place.context(s, w));
        values[1] = force->speed(w.kin) * values[0];
      });
  if (!spec.limits.speed) return;
  ScalarInfo margin =
      element_scalar("winch", name, "speed_margin", "m/s", "largest speed less that of the rope", false);
  margin.alarm = {
      -0.02 * *spec.limits.speed,
      fmt::format("the rope on winch '{}' ran faster than the winch's limit of {:.4g} m/s: torque, power or "
                  "an open brake do not let it hold the load back",
                  name, *spec.limits.speed)};
  assembly.observables().add_scalar(
      std::move(margin), [rope, end = spec.end, most = *spec.limits.speed](const State&, const Workspace& w) {
        return most - std::abs(rate_of_giving_out(rope->setup(), end, w.kin));
      });
}

void check_laying(const std::string& name, const RopeForce& rope, const input::Where& where,
                  const std::vector<const PassSpec*>& passes, const RopeForce::View& view, input::Problems& problems) {
  const Layout& layout = rope.setup().rope.layout;
  const auto station_name = [&](const PathNode& n) {
    return n.waypoint < 0 ? std::string("a surface") : "'" + layout.waypoint(n).name + "'";
  };
  const auto& path = view.state.path;
  if (!(view.tensions.total_length > 1e-9 && view.state.material > 1e-9)) {
    problems.error(where, "the rope has no length: it begins where it ends", "let it end somewhere else");
    return;
  }
  for (size_t j = 0; j + 1 < path.size(); ++j)
    if (!view.tensions.legs[j].tangent) {
      problems.error(where,
                     fmt::format("the rope has no way from {} to {}: a sheave is too near", station_name(path[j]),
                                 station_name(path[j + 1])),
                     "move them apart, give smaller radii, or turn the axis of a sheave around");
      return;
    }
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    if (layout.radius(path[i]) == 0) continue;
    const double wrap = wrap_angle(path[i], view.tensions.legs[i - 1], view.tensions.legs[i]);
    const PassSpec* pass = passes[static_cast<size_t>(path[i].waypoint)];
    if (wrap > 1.75 * std::numbers::pi)
      problems.warning(
          pass ? pass->where : where,
          fmt::format("the rope goes round {} by {:.0f} degrees", station_name(path[i]), wrap * 180 / std::numbers::pi),
          "turn the axis around if it should pass on the other side");
  }
  if (!rope.laying().settled || !rope.laying().balanced)
    problems.error(where, "the rope '" + name + "' could not be pulled tight",
                   "say with 'around' on which side of things it lies");
  const double deepest = deepest_penetration(rope.setup().rope, view.state.poses, path);
  if (deepest > 1e-6)
    problems.error(where, fmt::format("the rope passes {:.3g} m deep through a surface at the start", deepest),
                   "lay it around with path: [{around: [x, y, z]}], or move its ends out of the body");
  const double strain = view.tensions.total_length / view.state.material - 1;
  if (rope.setup().length && strain > largest_strain)
    problems.error(where,
                   fmt::format("the rope is {:.4g} m long and its path {:.4g} m: it is too short", view.state.material,
                               view.tensions.total_length),
                   "give a longer rope, or 'tension' in place of its length");
  if (strain < -1e-9)
    problems.warning(where,
                     fmt::format("the rope is {:.4g} m long and its path {:.4g} m: it is slack at the start",
                                 view.state.material, view.tensions.total_length),
                     "this is harmless; give 'tension' in place of its length if it should be taut");
}

// Lays the rope and adds it with all that drives it.
void add_rope(const std::string& name, RopeSetup setup, const input::Where& where,
              const std::vector<const PassSpec*>& passes, const std::vector<Winch>& winches, double gravity,
              Assembly& assembly) {
  setup.connected = assembly.take_switch(name);
  const VecX q = assembly.start_coordinates();
  Kin kin = assembly.start_kinematics();
  kin.q = q.data();
  const auto rope = std::make_shared<RopeForce>(name, std::move(setup), kin);
  const DiscreteState discrete(rope->discrete_slots());
  const std::unique_ptr<ElementWork> work = rope->make_work(0.0);
  const RopeForce::View view = rope->view({kin, nullptr, nullptr, discrete, 0, work.get()});
  check_laying(name, *rope, where, passes, view, assembly.problems());
  const ElementPlace place = assembly.add(rope);
  add_observables(rope, place, assembly.observables());
  for (const Winch& winch : winches) {
    const size_t leg = winch.spec->end == 0 ? 0 : view.tensions.tension.size() - 1;
    const double pull =
        material_pull(rope->setup().rope.elasticity, view.tensions.tension[leg], view.tensions.strain[leg]);
    drive(winch, rope, place.first_slot, pull, gravity, assembly);
  }
}

void build_rope(const std::string& name, const RopeSpec& spec, double gravity, const std::vector<Winch>& winches,
                Assembly& assembly) {
  input::Problems& problems = assembly.problems();
  const size_t errors = problems.error_count();
  const auto from = assembly.frame(spec.from), to = assembly.frame(spec.to);
  const auto law = elasticity(spec, spec.where, problems);
  if (spec.length && spec.tension)
    problems.error(spec.where, "length and tension at the start are both given", "give one of them");
  RopeSetup setup;
  std::vector<Waypoint>& waypoints = setup.rope.layout.waypoints;
  std::vector<const PassSpec*> passes{nullptr};
  if (from) waypoints.push_back(point(spec.from.name, *from));
  for (size_t i = 0; i < spec.path.size(); ++i) {
    const auto waypoint = station_of(spec.path[i], name + ".pass" + std::to_string(i + 1), assembly);
    if (!waypoint) continue;
    waypoints.push_back(*waypoint);
    passes.push_back(&spec.path[i]);
  }
  if (to) waypoints.push_back(point(spec.to.name, *to));
  passes.push_back(nullptr);
  bool surfaces = true;
  for (const input::Reference& reference : spec.touches) {
    const auto surface = assembly.surface(reference);
    surfaces = surfaces && surface;
    if (surface) setup.rope.layout.surfaces.push_back(touched(surface, spec.friction));
  }
  // What is not known may have been reported elsewhere.
  const bool complete = law && surfaces && waypoints.size() == spec.path.size() + 2;
  if (!complete || problems.error_count() > errors) return;
  if (spec.path.empty() && from->body == to->body) {
    problems.error(spec.where, "the rope begins and ends on one body", "let it end on another, or pass one");
    return;
  }
  setup.rope.elasticity = *law;
  setup.rope.law = spec.friction_law;
  setup.rope.weight = spec.mass * gravity;
  setup.length = spec.length;
  setup.tension = spec.tension.value_or(0);
  setup.most_nodes = std::max(static_cast<size_t>(spec.most_nodes), waypoints.size());
  for (const Winch& winch : winches) {
    auto& reel = winch.spec->end == 0 ? setup.first_reel : setup.last_reel;
    if (reel) {
      problems.error(winch.spec->where, "the end of the rope is on two winches", "give it one, or use the other end");
      return;
    }
    reel = winch.reel;
    if (!winch.spec->drum || !winch.spec->drum->axis) continue;
    const bool first = winch.spec->end == 0;
    if (!assembly.can_rotate(first ? *from : *to, first ? spec.from : spec.to)) return;
    make_round(first ? waypoints.front() : waypoints.back(), winch.spec->drum->radius, *winch.spec->drum->axis);
  }
  if (spec.mbl) assembly.add_value(name + ".mbl", *spec.mbl, "N");
  add_rope(name, std::move(setup), spec.where, passes, winches, gravity, assembly);
}

// Slings on an equalizer are one rope in pieces: lug, hook, lug, then a gap, and so on. A last single lug has the hook
// alone.
void build_slings(const std::string& name, const SlingsSpec& spec, Assembly& assembly) {
  input::Problems& problems = assembly.problems();
  const auto hook = assembly.frame(spec.from);
  const auto law = elasticity(spec, spec.where, problems);
  if (spec.to.empty()) problems.error(spec.where, "the slings have no lugs", "name them, e.g. to: [block.lug1]");
  if (spec.total_length && spec.tension)
    problems.error(spec.where, "total_length and tension at the start are both given", "give one of them");
  RopeSetup setup;
  std::vector<Waypoint>& waypoints = setup.rope.layout.waypoints;
  bool found = true;
  for (size_t i = 0; i < spec.to.size(); ++i) {
    const auto lug = assembly.frame(spec.to[i]);
    found = found && lug;
    if (!lug || !hook) continue;
    if (i % 2 == 1) {
      waypoints.push_back(point(spec.to[i].name, *lug));
      continue;
    }
    if (!waypoints.empty()) waypoints.back().gap_after = true;
    waypoints.push_back(point(spec.to[i].name, *lug));
    waypoints.push_back(point(spec.from.name, *hook));
  }
  if (!hook || !law || !found || spec.to.empty()) return;
  setup.rope.elasticity = *law;
  setup.length = spec.total_length;
  setup.tension = spec.tension.value_or(0);
  setup.most_nodes = waypoints.size();
  if (spec.mbl) assembly.add_value(name + ".mbl", *spec.mbl, "N");
  const std::vector<const PassSpec*> passes(waypoints.size(), nullptr);
  add_rope(name, std::move(setup), spec.where, passes, {}, 0, assembly);
}

}  // namespace

void add_targets(const RopesSpec& specs, Assembly& assembly) {
  for (const auto& [name, winch] : specs.winches)
    if (winch.mode != WinchMode::passive) assembly.add_target(name, winch.target_unit());
}

void build(const RopesSpec& specs, const std::set<std::string>& doubtful, Assembly& assembly) {
  std::vector<std::string> ropes;
  for (const auto& [name, rope] : specs.ropes) ropes.push_back(name);
  std::vector<Winch> winches;
  for (const auto& [name, winch] : specs.winches) {
    const bool known = std::find(ropes.begin(), ropes.end(), winch.rope.name) != ropes.end();
    const bool readable = !doubtful.count(name);
    if (known && readable && !doubtful.count(winch.rope.name)) {
      winches.push_back(make_winch(name, winch, assembly));
      continue;
    }
    if (!known && readable) input::unknown_name(winch.rope, "rope", ropes, assembly.problems());
    assembly.take_signal(name, 0);  // its moves are no further mistake
  }
  for (const auto& [name, rope] : specs.ropes) {
    if (doubtful.count(name)) continue;
    std::vector<Winch> own;
    for (const Winch& w : winches)
      if (w.spec->rope.name == name) own.push_back(w);
    build_rope(name, rope, specs.gravity, own, assembly);
  }
  for (const auto& [name, slings] : specs.slings)
    if (!doubtful.count(name)) build_slings(name, slings, assembly);
}

}  // namespace davit::rope
