// Bodies of a file checked and built: who is on whom, mass and inertia, values at the start, particles and director
// bodies.
#include "davit/scenario/bodies.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "davit/math/rotation.hpp"
#include "davit/scenario/start_places.hpp"

namespace davit {

namespace {

using input::Problems;

Sym3 solid_inertia(const BodySpec& spec) {
  const double m = spec.mass;
  if (spec.box) {
    const Vec3 s = spec.box->size.cwiseAbs2();
    return Sym3::diagonal(m * (s.y() + s.z()) / 12, m * (s.x() + s.z()) / 12, m * (s.x() + s.y()) / 12);
  }
  if (spec.cylinder) {
    const double r2 = spec.cylinder->radius * spec.cylinder->radius, l2 = spec.cylinder->length * spec.cylinder->length;
    const double across = m * (3 * r2 + l2) / 12;
    return congruence(rotation_from_z(spec.cylinder->axis.direction), Sym3::diagonal(across, across, m * r2 / 2));
  }
  if (spec.sphere) return Sym3::scaled_identity(0.4 * m * spec.sphere->radius * spec.sphere->radius);
  Sym3 I;
  if (spec.inertia) I = Sym3::diagonal(spec.inertia->x(), spec.inertia->y(), spec.inertia->z());
  if (spec.products) I.xy = spec.products->x(), I.xz = spec.products->y(), I.yz = spec.products->z();
  return I;
}

void check_inertia(const std::string& name, const BodySpec& spec, const Sym3& inertia, Problems& problems) {
  const int given =
      (spec.inertia || spec.products ? 1 : 0) + (spec.box ? 1 : 0) + (spec.cylinder ? 1 : 0) + (spec.sphere ? 1 : 0);
  if (given > 1)
    problems.error(spec.where, "the inertia is given in more than one way",
                   "keep one of inertia, box, cylinder, sphere");
  if (spec.products && !spec.inertia)
    problems.error(spec.where, "'products' without 'inertia'", "give 'inertia' too: Ixx, Iyy, Izz");
  if (const std::string why = unphysical_inertia(spec.mass, inertia); !why.empty())
    problems.error(spec.where, "no body can have the inertia of '" + name + "': " + why,
                   "check the moments: each is at most the sum of the other two; they are about the centre of mass");
}

// Values and rates of a list of coordinates at the start; and, of bodies that turn freely, speeds in their own axes.
struct Start {
  std::vector<double> position, rate, speed;
};

// What the speeds of a free body are called, in the order of its coordinates; those of a spherical joint come first.
constexpr const char* body_speeds[] = {"roll_speed",  "pitch_speed", "yaw_speed",
                                       "surge_speed", "sway_speed",  "heave_speed"};

Start read_start(const std::string& name, const BodySpec& spec, const std::vector<Coordinate>& list, bool has_speeds,
                 Problems& problems) {
  const std::vector<double> zeros(list.size(), 0.0);
  Start start{zeros, zeros, zeros};
  std::vector<std::string> names;
  for (const Coordinate& c : list) names.push_back(c.name);
  for (const Coordinate& c : list) names.push_back(c.name + "_rate");
  if (has_speeds) names.insert(names.end(), body_speeds, body_speeds + list.size());
  for (const auto& [key, quantity] : spec.start) {
    const auto at = std::find(names.begin(), names.end(), key);
    if (at == names.end()) {
      if (names.empty())
        problems.error(quantity.where, "'" + name + "' is fixed and has no coordinates",
                       "give it a joint, or leave 'start' out");
      else
        input::unknown_name({key, quantity.where}, "start coordinate", names, problems);
      continue;
    }
    const auto i = static_cast<size_t>(at - names.begin());
    const size_t kind = i / list.size();
    const bool angle = list[i % list.size()].angle;
    const auto value = input::require(
        quantity, input::unit(angle ? (kind > 0 ? "rad/s" : "rad") : (kind > 0 ? "m/s" : "m")), problems);
    (kind == 0 ? start.position : kind == 1 ? start.rate : start.speed)[i % list.size()] = value.value_or(0);
  }
  return start;
}

// (ω; v) in the axes of the body of rates of roll, pitch, yaw, x, y and z, and of speeds that are given as such.
std::vector<double> speeds_in_body_axes(const Start& start) {
  const Vec3 rpy(start.position.data()), rates(start.rate.data());
  // ω = φ̇ x + Rxᵀ (θ̇ y + Ryᵀ ψ̇ z)
  const Vec3 turn = Vec3(rates.x(), 0, 0) +
                    axis_rotation(0, rpy.x()).transpose() *
                        (Vec3(0, rates.y(), 0) + axis_rotation(1, rpy.y()).transpose() * Vec3(0, 0, rates.z()));
  std::vector<double> out = start.speed;
  for (int i = 0; i < 3; ++i) out[static_cast<size_t>(i)] += turn[i];
  if (out.size() == 6) {
    const Vec3 v = rotation_of_rpy(rpy).transpose() * Vec3(start.rate.data() + 3);
    for (int i = 0; i < 3; ++i) out[static_cast<size_t>(i + 3)] += v[i];
  }
  return out;
}

// Who is on whom: reports missing parents and cycles, each once, and returns the bodies concerned.
std::set<std::string> check_tree(const input::Named<BodySpec>& specs, Problems& problems) {
  std::map<std::string, const BodySpec*> by_name;
  std::vector<std::string> names{"world"};
  for (const auto& [name, spec] : specs) {
    by_name[name] = &spec;
    names.push_back(name);
    if (name == "world") problems.error(spec.where, "'world' is the name of the ground", "choose another name");
  }
  std::set<std::string> astray;
  std::map<std::string, bool> settled{{"world", true}};
  for (const auto& [start, unused] : specs) {
    std::vector<std::string> chain;
    std::string name = start;
    while (!settled[name]) {
      settled[name] = true;
      chain.push_back(name);
      const BodySpec& spec = *by_name[name];
      const std::string& parent = spec.on.name;
      if (parent != "world" && !by_name.count(parent)) {
        input::unknown_name(spec.on.where.path.empty() ? input::Reference{parent, spec.where} : spec.on, "body", names,
                            problems);
        astray.insert(name);
        break;
      }
      if (parent != "world" && by_name[parent]->coordinates != BodyCoordinates::joint) {
        problems.error(spec.where,
                       "'" + name + "' is on '" + parent + "', which has coordinates: " +
                           name_of(by_name[parent]->coordinates) + " and carries no bodies",
                       "put it on world and hold it by a constraint, or give '" + parent + "' a joint");
        astray.insert(name);
        break;
      }
      // A settled parent that is in this chain closes a circle; one that is not was looked at before.
      if (settled[parent] && std::find(chain.begin(), chain.end(), parent) != chain.end()) {
        std::string loop;
        int shown = 0;
        for (auto i = std::find(chain.begin(), chain.end(), parent); i != chain.end(); ++i)
          if (++shown <= 8) loop += *i + " on ";
        if (shown > 8) loop += "… on ";
        problems.error(spec.where, "the bodies are on each other in a cycle: " + loop + parent,
                       "let one of them be on world or on another body");
        astray.insert(name);
        break;
      }
      name = parent;
    }
  }
  return astray;
}

// Keys that a body of these coordinates cannot have.
void refuse(const BodySpec& spec, std::initializer_list<std::pair<const char*, bool>> keys, const char* remedy,
            Problems& problems) {
  for (const auto& [key, given] : keys)
    if (given)
      problems.error(spec.where, std::string("'") + key + "' beside coordinates: " + name_of(spec.coordinates), remedy);
}

Particle build_particle(const std::string& name, const BodySpec& spec, Problems& problems) {
  refuse(spec,
         {{"joint", spec.joint.has_value()},
          {"denavit_hartenberg", spec.denavit_hartenberg.has_value()},
          {"turn", !spec.turn.empty()},
          {"centre", !spec.centre.isZero(0)},
          {"inertia", spec.inertia.has_value()},
          {"products", spec.products.has_value()},
          {"box", spec.box.has_value()},
          {"cylinder", spec.cylinder.has_value()},
          {"sphere", spec.sphere.has_value()},
          {"points", !spec.points.empty()}},
         "leave it out: a particle is a point that does not turn; or choose coordinates: directors", problems);
  if (!(spec.mass > 0)) problems.error(spec.where, "the particle '" + name + "' has no mass", "give e.g. mass: 100 kg");
  static const std::vector<Coordinate> place{{"x", false}, {"y", false}, {"z", false}};
  const Start start = read_start(name, spec, place, false, problems);
  return {name, spec.mass, spec.at + Vec3(start.position.data()), Vec3(start.rate.data())};
}

Body build_body(const std::string& name, const BodySpec& spec, Problems& problems) {
  Body body;
  body.name = name;
  body.on = spec.on.name;
  if (spec.level && spec.coordinates == BodyCoordinates::joint && !(spec.joint && spec.joint->free))
    problems.error(spec.where, "'level' of a body that is not free", "leave it out: its joint holds it");
  if (spec.denavit_hartenberg) {
    if (!spec.at.isZero(0) || !spec.turn.empty() || spec.joint)
      problems.error(spec.where, "'denavit_hartenberg' stands beside at, turn or joint",
                     "leave those out: the parameters place the link and make it turn");
    const DenavitHartenbergSpec& dh = *spec.denavit_hartenberg;
    set_denavit_hartenberg(body, dh.a, dh.alpha, dh.d, dh.offset, dh.reversed);
  } else {
    body.at = placed(spec.at, spec.turn);
    if (spec.joint) body.joint = spec.joint->joint();
    if (spec.coordinates == BodyCoordinates::directors) body.joint.kind = JointKind::free;
    if (spec.joint && spec.joint->universal && spec.joint->universal->size() != 2)
      problems.error(spec.where, "a universal joint has two axes", "write e.g. {universal: [x, y]}");
    if (body.joint.kind == JointKind::universal &&
        body.joint.axis.cross(body.joint.second_axis).norm() < 1e-6 * body.joint.axis.norm())
      problems.error(spec.where, "the two axes of the universal joint are parallel",
                     "choose axes that cross, e.g. [x, y]");
  }
  body.mass = spec.mass;
  body.centre = spec.centre;
  body.inertia = solid_inertia(spec);
  body.weightless = spec.weightless;
  check_inertia(name, spec, body.inertia, problems);
  const bool free = type_of(body.joint.kind).quaternion;
  const Start start = read_start(name, spec, body.joint.type().coordinates, free, problems);
  body.joint.position = start.position;
  body.joint.rate = free ? speeds_in_body_axes(start) : start.rate;
  return body;
}

// The same heading without heel and trim: that of x, or where x points up or down that of y.
Mat3 level(const Mat3& R) {
  const bool upright = R.col(0).head<2>().norm() > 1e-6;
  const Vec3 forward = upright ? R.col(0) : Vec3(R(1, 1), -R(0, 1), 0);
  return axis_rotation(2, std::atan2(forward.y(), forward.x()));
}

template <class List>
auto find_named(List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; });
}

// From the body that it is on, where that is at the start, to the world.
void release(const std::string& name, BodySpec& spec, const StartPlaces& places, Bodies& bodies) {
  Pose parent = places.place(spec.on.name);
  if (spec.level) parent = {level(parent.R), parent * spec.on_point};
  if (const auto body = find_named(bodies.of_tree, name); body != bodies.of_tree.end()) {
    body->on = "world";
    body->at = parent * body->at;
  } else if (const auto particle = find_named(bodies.particles, name); particle != bodies.particles.end()) {
    particle->position = parent * particle->position;
    particle->velocity = parent.R * particle->velocity;
  } else if (const auto free = find_named(bodies.of_directors, name); free != bodies.of_directors.end()) {
    free->at = parent * free->at;
  }
  spec.at = parent * spec.at;
  if (spec.coordinates != BodyCoordinates::particle) {
    const std::vector<RotationSpec> turned = turns_to(parent.R);
    spec.turn.insert(spec.turn.begin(), turned.begin(), turned.end());
  }
  spec.on.name = "world";
}

}  // namespace

void resolve_points(input::Named<BodySpec>& specs, Problems& problems) {
  for (auto& [name, spec] : specs) {
    const size_t dot = spec.on.name.find('.');
    if (dot == std::string::npos) continue;
    const std::string body = spec.on.name.substr(0, dot), point = spec.on.name.substr(dot + 1);
    const auto parent = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.first == body; });
    spec.on.name = body;
    if (parent == specs.end()) continue;  // which the check of the tree reports
    const auto& points = parent->second.points;
    const auto at = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.first == point; });
    if (at == points.end()) {
      std::vector<std::string> names;
      for (const auto& [each, place] : points) names.push_back(body + "." + each);
      input::unknown_name({body + "." + point, spec.on.where}, "point", names, problems);
    } else if (spec.denavit_hartenberg) {
      problems.error(spec.on.where, "a link by its parameters is on a point",
                     "name the body, and place the link by its parameters");
    } else {
      (spec.level ? spec.on_point : spec.at) += at->second;
    }
  }
}

Bodies build_bodies(const input::Named<BodySpec>& specs, const std::set<std::string>& doubtful, Problems& problems) {
  const auto astray = check_tree(specs, problems);
  Bodies bodies;
  for (const auto& [name, spec] : specs) {
    Problems consequences;
    Problems& own = doubtful.count(name) ? consequences : problems;
    if (spec.coordinates != BodyCoordinates::joint && name == "world") continue;  // a mistake, and not a body
    if (spec.coordinates == BodyCoordinates::particle) {
      bodies.particles.push_back(build_particle(name, spec, own));
      continue;
    }
    const bool free = spec.coordinates == BodyCoordinates::directors;
    if (free)
      refuse(spec,
             {{"joint", spec.joint && !spec.joint->free}, {"denavit_hartenberg", spec.denavit_hartenberg.has_value()}},
             "leave it out: the body moves freely; hold it by constraints or lines", own);
    auto& list = free ? bodies.of_directors : bodies.of_tree;
    list.push_back(build_body(name, spec, own));
    if (free || astray.count(name)) list.back().on = "world";
  }
  return bodies;
}

void release_free_bodies(input::Named<BodySpec>& specs, Bodies& bodies) {
  const StartPlaces given(bodies.of_tree);
  std::map<std::string, BodySpec*> waiting, by_name;
  for (auto& [name, spec] : specs) {
    by_name[name] = &spec;
    const auto of_tree = find_named(bodies.of_tree, name);
    const bool free = of_tree == bodies.of_tree.end() || of_tree->joint.kind == JointKind::free;
    if (free && spec.on.name != "world" && given.find(spec.on.name)) waiting[name] = &spec;
  }
  // What stands on a body that waits has no place yet.
  const auto stands_on_waiting = [&](const BodySpec& spec) {
    const BodySpec* at = &spec;
    for (size_t i = 0; i <= specs.size() && at->on.name != "world"; ++i) {
      if (waiting.count(at->on.name)) return true;
      const auto parent = by_name.find(at->on.name);
      if (parent == by_name.end()) return false;
      at = parent->second;
    }
    return false;
  };
  while (!waiting.empty()) {
    std::vector<std::string> now;
    for (const auto& [name, spec] : waiting)
      if (!stands_on_waiting(*spec)) now.push_back(name);
    if (now.empty()) break;  // on each other in a cycle, which was reported
    const StartPlaces places(bodies.of_tree);
    for (const std::string& name : now) {
      release(name, *waiting[name], places, bodies);
      waiting.erase(name);
    }
  }
}

}  // namespace davit
