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

// A rope that its given length strains by more than this at the start was not meant so …
constexpr double largest_strain = 0.1;
// … nor one that its given tension draws out to this many times its length: nylon parts at a half.
constexpr double largest_stretch = 2;

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
    (surface->repaired.closed ? out.solid : out.sheet) = {surface, &surface->triangles};
    return out;
  }
  const TriangleMesh mesh = transformed(surface->repaired.mesh, offset);
  out.features = std::make_shared<Features>(find_features(mesh));
  out.edges = std::make_shared<EdgeTree>(*out.features);
  (surface->repaired.closed ? out.solid : out.sheet) = std::make_shared<TriangleTree>(mesh);
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

// What ropes and winches know of each other until they are built.
struct Ropeworks {
  std::vector<std::string> ropes;  // all names
  std::vector<Winch> winches;      // those whose ropes are still to come
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
    assembly.add_port(name, {winch.port, spec.target_unit(), winch.target, spec.mode == WinchMode::force});
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

// What can let rope run faster than the motor is to let it, of this winch.
std::string why_too_fast(const WinchSpec& spec) {
  std::string bounds;
  const auto add = [&](bool there, const char* what) {
    if (there) bounds += (bounds.empty() ? "" : " or ") + std::string(what);
  };
  add(spec.limits.torque.has_value(), "torque");
  add(spec.limits.power || spec.limits.braking_power, "power");
  std::string out = fmt::format(
      "a load that swings or an end that heaves pulls it out faster than a motor with a response of {:.3g} s can hold "
      "it back",
      spec.response);
  if (!bounds.empty()) out += fmt::format(", or the motor's limit of {} does not let it", bounds);
  if (spec.brake) out += ", or the brake slips";
  return out;
}

// `pull`: of the rope on the drum at the start.
void drive(const Winch& winch, const std::shared_ptr<const RopeForce>& rope, int slot, double pull,
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
  if (assembly.gravity() > 0) data.gravity = assembly.gravity();
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
  margin.alarm = {-0.005 * *spec.limits.speed,
                  fmt::format("the rope on winch '{}' ran faster than the winch's limit of {:.4g} m/s: {}", name,
                              *spec.limits.speed, why_too_fast(spec))};
  assembly.observables().add_scalar(
      std::move(margin), [rope, end = spec.end, most = *spec.limits.speed](const State&, const Workspace& w) {
        return most - std::abs(rate_of_giving_out(rope->setup(), end, w.kin));
      });
}

std::string shown(const Vec3& at) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}] m", at.x(), at.y(), at.z()); }

// A rope that lies in a body is a mistake. One that was laid through it and then pulled out may be on the side that was
// not meant.
void check_piercing(const RopeForce& rope, const input::Where& where, const RopeForce::View& view,
                    input::Problems& problems) {
  const Layout& layout = rope.setup().rope.layout;
  const auto surface = [&](const Piercing& p) {
    return fmt::format("{} the surface '{}' at {}{}", p.depth > 0 ? "inside" : "through",
                       layout.surfaces[static_cast<size_t>(p.surface)].name, shown(p.at),
                       p.depth > 0 ? fmt::format(", {:.3g} m deep", p.depth) : std::string());
  };
  if (const auto lies = find_piercing(layout, view.state.poses, view.state.path)) {
    problems.error(where, "the rope goes " + surface(*lies) + " at the start",
                   "lay it around with path: [{around: [x, y, z]}], or move its ends out of the body");
    return;
  }
  const auto& laid = rope.laid_through();
  if (!laid) return;
  const auto passed = [&](size_t i) {
    const Waypoint& w = layout.waypoints[i];
    return w.passing ? "'" + w.name + "'" : "around " + shown(w.frame.offset.p);
  };
  problems.warning(where,
                   fmt::format("the rope is laid {} on its way from {} to {}, so on which side of it the rope lies is "
                               "left to chance",
                               surface(*laid), passed(laid->node), passed(laid->node + 1)),
                   "give further points {around: [x, y, z]} that lead past it");
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
  check_piercing(rope, where, view, problems);
  const double strain = view.tensions.total_length / view.state.material - 1;
  if (rope.setup().length && strain > largest_strain)
    problems.error(where,
                   fmt::format("the rope is {:.4g} m long and its path {:.4g} m: it is too short", view.state.material,
                               view.tensions.total_length),
                   "give a longer rope, or 'tension' in place of its length");
  if (!rope.setup().length && 1 + strain > largest_stretch)
    problems.error(where,
                   fmt::format("its tension at the start draws the rope out from {:.3g} m to {:.4g} m",
                               view.state.material, view.tensions.total_length),
                   "give the stiffness EA of the whole rope, e.g. 60 MN, or less tension");
  if (strain < -1e-9)
    problems.warning(where,
                     fmt::format("the rope is {:.4g} m long and its path {:.4g} m: it is slack at the start",
                                 view.state.material, view.tensions.total_length),
                     "this is harmless; give 'tension' in place of its length if it should be taut");
}

// Rope that can be wound in at the start until something is two-blocked: each piece between two bodies to its least, if
// nothing else moves.
double way_to_two_block(const RopeForce& rope, double unstretched) {
  double way = 0;
  for (const TwoBlock::Piece& piece : rope.two_block().pieces()) way += piece.gap - piece.least;
  return std::min(way, unstretched - rope.two_block().least_rope());
}

// What begins two-blocked, and operations that hoist that far.
void check_two_block(const std::string& name, const RopeForce& rope, const input::Where& where, double unstretched,
                     const std::vector<Winch>& winches, Assembly& assembly) {
  const TwoBlock& two_block = rope.two_block();
  const auto waypoint = [&](int i) { return rope.setup().rope.layout.waypoints[static_cast<size_t>(i)].name; };
  for (const TwoBlock::Piece& piece : two_block.pieces())
    if (piece.gap < piece.least) {
      assembly.problems().error(
          where,
          fmt::format("the rope is two-blocked at the start: '{}' and '{}' are {:.3g} m apart from rim to rim, and its "
                      "least_length is {:.3g} m",
                      waypoint(piece.from), waypoint(piece.to), piece.gap, piece.least),
          "give more rope at the start, or a smaller least_length");
      return;
    }
  if (unstretched < two_block.least_rope()) {
    assembly.problems().error(where,
                              fmt::format("the rope is two-blocked at the start: it has {:.3g} m, and its least_length "
                                          "is {:.3g} m",
                                          unstretched, two_block.least_rope()),
                              "give more rope at the start, or a smaller least_length");
    return;
  }
  const double way = way_to_two_block(rope, unstretched);
  for (const Winch& winch : winches) {
    if (winch.spec->mode != WinchMode::length) continue;
    const double start = assembly.motion(winch.target).value(0), hoisted = start - assembly.range(winch.target).first;
    // However booms move, no more can be wound in than there is.
    assembly.bound(winch.target, start - (unstretched - two_block.least_rope()),
                   std::numeric_limits<double>::infinity());
    if (hoisted <= way) continue;
    assembly.problems().warning(
        winch.spec->where,
        fmt::format("the operation hoists {:.4g} m of rope '{}', which as it lies at the start is two-blocked after "
                    "{:.4g} m (least_length)",
                    hoisted, name, way),
        "hoist less, or begin with more rope out; the run ends where it is two-blocked");
  }
}

// What breaks as near to two-blocking as half of its least length is said to break by that.
void add_two_block_margin(const std::shared_ptr<const RopeForce>& rope, const ElementPlace& place,
                          Observables& observables) {
  const TwoBlock& two_block = rope->two_block();
  double least = two_block.least_rope();
  for (const TwoBlock::Piece& piece : two_block.pieces()) least = std::max(least, piece.least);
  ScalarInfo margin = element_scalar("rope", rope->name(), "two_block_margin", "m",
                                     "what is left until it is two-blocked, above its least length", false);
  margin.alarm = {
      0.5 * least,
      fmt::format("rope '{}' is nearly two-blocked (hoist less, begin with more rope out, or give it another "
                  "least_length)",
                  rope->name())};
  observables.add_scalar(std::move(margin), [rope, place](const State& s, const Workspace& w) {
    const RopeForce::View view = rope->view(place.context(s, w));
    return rope->two_block().margin(rope->setup().rope.layout, view.state, view.tensions);
  });
}

// Lays the rope and adds it with all that drives it.
void add_rope(const std::string& name, RopeSetup setup, const input::Where& where,
              const std::vector<const PassSpec*>& passes, const std::vector<Winch>& winches, Assembly& assembly) {
  setup.connected = assembly.take_switch(name);
  const VecX q = assembly.start_coordinates();
  Kin kin = assembly.start_kinematics();
  kin.q = q.data();
  const VecX at_rest = VecX::Zero(q.size());
  kin.u = at_rest.data();
  const auto rope = std::make_shared<RopeForce>(name, std::move(setup), kin);
  const DiscreteState discrete(rope->discrete_slots());
  const std::unique_ptr<ElementWork> work = rope->make_work(0.0);
  const RopeForce::View view = rope->view({kin, nullptr, nullptr, discrete, 0, work.get()});
  check_laying(name, *rope, where, passes, view, assembly.problems());
  check_two_block(name, *rope, where, view.state.material, winches, assembly);
  const ElementPlace place = assembly.add(rope);
  add_observables(rope, place, assembly.observables());
  if (rope->two_block().possible()) add_two_block_margin(rope, place, assembly.observables());
  for (const Winch& winch : winches) {
    const size_t leg = winch.spec->end == 0 ? 0 : view.tensions.tension.size() - 1;
    const double pull =
        material_pull(rope->setup().rope.elasticity, view.tensions.tension[leg], view.tensions.strain[leg]);
    drive(winch, rope, place.first_slot, pull, assembly);
  }
}

void build_rope(const std::string& name, const RopeSpec& spec, const std::vector<Winch>& winches, Assembly& assembly) {
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
  setup.rope.weight = spec.mass * assembly.gravity();
  setup.length = spec.length;
  setup.tension = spec.tension.value_or(0);
  // Without surfaces it touches nothing but its waypoints, and every copy of the state is as large as that.
  const bool touches = !setup.rope.layout.surfaces.empty();
  setup.most_nodes = std::max(static_cast<size_t>(touches ? spec.most_nodes : 0), waypoints.size());
  setup.least_length = spec.least_length;
  setup.breaking_load = spec.mbl;
  setup.stiffness = spec.EA;
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
    Waypoint& drum = first ? waypoints.front() : waypoints.back();
    make_round(drum, winch.spec->drum->radius, *winch.spec->drum->axis);
    drum.inertia = drum_momentum(*winch.spec->drum);
  }
  if (spec.mbl) assembly.add_value(name + ".mbl", *spec.mbl, "N");
  add_rope(name, std::move(setup), spec.where, passes, winches, assembly);
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
  setup.in_pieces = true;
  setup.breaking_load = spec.mbl;
  setup.stiffness = spec.EA;
  if (spec.mbl) assembly.add_value(name + ".mbl", *spec.mbl, "N");
  const std::vector<const PassSpec*> passes(waypoints.size(), nullptr);
  add_rope(name, std::move(setup), spec.where, passes, {}, assembly);
}

}  // namespace

void WinchSpec::declare(const std::string& name, Assembly& assembly) const {
  if (mode != WinchMode::passive) assembly.add_target(name, target_unit());
}

void WinchSpec::build(const std::string& name, Assembly& assembly) const {
  auto& works = assembly.notes<Ropeworks>();
  const bool known = std::find(works.ropes.begin(), works.ropes.end(), rope.name) != works.ropes.end();
  if (known && !assembly.is_doubtful(rope.name)) {
    works.winches.push_back(make_winch(name, *this, assembly));
    return;
  }
  if (!known) input::unknown_name(rope, "rope", works.ropes, assembly.problems());
  assembly.take_signal(name, 0);  // its moves are no further mistake
}

void RopeSpec::declare(const std::string& name, Assembly& assembly) const {
  assembly.notes<Ropeworks>().ropes.push_back(name);
}

void RopeSpec::build(const std::string& name, Assembly& assembly) const {
  std::vector<Winch> own;
  for (const Winch& winch : assembly.notes<Ropeworks>().winches)
    if (winch.spec->rope.name == name) own.push_back(winch);
  build_rope(name, *this, own, assembly);
}

void SlingsSpec::build(const std::string& name, Assembly& assembly) const { build_slings(name, *this, assembly); }

}  // namespace davit::rope
