#include "davit/scenario/attached.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "davit/contact/compliant_contact_spec.hpp"
#include "davit/contact/rigid_contact_spec.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/scenario/carried_mass.hpp"
#include "davit/vessel/floating_condition.hpp"

namespace davit {

namespace {

using input::Reference;

std::string body_of(const std::string& reference) { return reference.substr(0, reference.find('.')); }

std::string body_of_surface(const input::Reference& name, const ElementSpecs& elements) {
  const SurfaceSpec* surface = elements.find<SurfaceSpec>(name.name);
  return surface ? body_of(surface->on.name) : "world";
}

// Who may touch what by contacts of either kind.
struct Touch {
  std::string surface, point;           // bodies
  std::optional<double> length, width;  // of a plane that ends
};

std::vector<Touch> contacts_of(const ElementSpecs& elements) {
  std::vector<Touch> out;
  for (const auto& [name, contact] : elements.of<contact::RigidContactSpec>())
    out.push_back({body_of(contact.surface.name), body_of(contact.point.name), {}, {}});
  for (const auto& each : elements.of<contact::CompliantContactSpec>()) {
    const contact::CompliantContactSpec& contact = each.second;
    if (!contact.surface && !contact.mesh) continue;
    const std::string touched =
        contact.surface ? body_of(contact.surface->name) : body_of_surface(*contact.mesh, elements);
    const auto add = [&](const std::string& body) { out.push_back({touched, body, contact.length, contact.width}); };
    for (const Reference& point : contact.points) add(body_of(point.name));
    if (contact.points_of) add(body_of_surface(*contact.points_of, elements));
  }
  return out;
}

class Finder {
 public:
  Finder(const std::string& vessel, const Specification& spec, const Resolution& resolved)
      : spec_(spec),
        resolved_(resolved),
        places_(resolved.parts.of_tree),
        hull_(vessel),
        into_(places_.place(vessel).inverse()) {}

  bool on_hull(const std::string& name) const { return places_.is_descendant_of(name, hull_); }
  // A body that nothing but ropes and contacts holds.
  bool loose(const std::string& name) const {
    const BodySpec* body = find(name);
    if (!body || body->on.name != "world" || is_vessel(name)) return false;
    return body->coordinates != BodyCoordinates::joint || (body->joint && body->joint->joint().kind == JointKind::free);
  }
  // A body with all that stands on it, hung up at a place in the axes of the hull, or where it is.
  void add(const std::string& name, const std::optional<Vec3>& hung_at) {
    const auto add_one = [&](const std::string& each, double mass, const Vec3& centre) {
      if (!(mass > 0) || !counted_.insert(each).second) return;
      sum_ += hydro::mass_matrix({mass, centre, Mat3::Zero()}, Vec3::Zero());
      if (hung_at) hanging_ += mass * (*hung_at - centre);
    };
    if (!places_.find(name)) {
      const BodySpec& body = *find(name);
      add_one(name, body.mass, into_ * Vec3(body.at + body.centre));
      return;
    }
    for (const Body* body : places_.bodies())
      if (!body->weightless && places_.is_descendant_of(body->name, name))
        add_one(body->name, body->mass, place(body->name, body->centre));
  }
  // Of a body, or a point of one, in the axes of the hull.
  Vec3 place(const std::string& reference) const {
    const BodySpec* body = find(body_of(reference));
    const size_t dot = reference.find('.');
    Vec3 point = Vec3::Zero();
    if (body && dot != std::string::npos)
      for (const auto& [name, at] : body->points)
        if (name == reference.substr(dot + 1)) point = at;
    return place(body_of(reference), point);
  }
  double distance(const std::string& a, const std::string& b) const {
    const bool known = find(body_of(a)) && find(body_of(b));
    return known ? (place(a) - place(b)).norm() : 0;
  }
  // Whether a body is above a plane, which may end.
  bool is_above(const Touch& touch) const {
    if (!touch.length || !touch.width || !places_.has(touch.surface) || !places_.has(touch.point)) return true;
    const Vec3 away = places_.place(touch.surface).inverse() * places_.place(touch.point).p;
    return std::abs(away.x()) <= *touch.length / 2 && std::abs(away.y()) <= *touch.width / 2;
  }
  CarriedMass load() const {
    CarriedMass out;
    if (sum_(0, 0) > 0) out.weight = hydro::mass_properties_of(sum_, Vec3::Zero());
    out.hanging = hanging_;
    return out;
  }

 private:
  const BodySpec* find(const std::string& name) const {
    for (const auto& [each, body] : resolved_.bodies)
      if (each == name) return &body;
    return nullptr;
  }
  bool is_vessel(const std::string& name) const { return spec_.elements.find<vessel::VesselSpec>(name); }
  Vec3 place(const std::string& body, const Vec3& point) const { return into_ * (places_.place(body) * point); }

  const Specification& spec_;
  const Resolution& resolved_;
  StartPlaces places_;
  std::string hull_;
  Pose into_;
  std::set<std::string> counted_;
  Mat6 sum_ = Mat6::Zero();
  Vec3 hanging_ = Vec3::Zero();
};

// Whether a rope is slack at the start: its file says so, or it is straight and longer than its way.
bool is_slack(const rope::RopeSpec& rope, const Finder& finder) {
  if (rope.tension && *rope.tension == 0) return true;
  return rope.length && rope.path.empty() && *rope.length > finder.distance(rope.from.name, rope.to.name);
}

// What each rope that is not slack goes past, in order.
std::vector<std::vector<std::string>> strands_of(const Specification& spec, const Finder& finder) {
  std::vector<std::vector<std::string>> out;
  for (const auto& [name, rope] : spec.elements.of<rope::RopeSpec>()) {
    if (is_slack(rope, finder)) continue;
    std::vector<std::string> strand{rope.from.name};
    for (const rope::PassSpec& pass : rope.path)
      for (const std::optional<Reference>* at : {&pass.eye, &pass.sheave, &pass.post})
        if (*at) strand.push_back((*at)->name);
    strand.push_back(rope.to.name);
    out.push_back(std::move(strand));
  }
  for (const auto& [name, slings] : spec.elements.of<rope::SlingsSpec>())
    for (const Reference& lug : slings.to) out.push_back({slings.from.name, lug.name});
  return out;
}

// Loose bodies that ropes tie together, what else their ropes are tied to, and where that is next to them.
struct Cluster {
  std::set<std::string> bodies, others;
  std::vector<std::string> held_at;
};

std::vector<Cluster> clusters_of(const std::vector<std::vector<std::string>>& strands, const Finder& finder) {
  std::vector<Cluster> out;
  for (const auto& strand : strands) {
    Cluster now;
    for (size_t i = 0; i < strand.size(); ++i) {
      const std::string body = body_of(strand[i]);
      if (finder.loose(body)) {
        now.bodies.insert(body);
        continue;
      }
      now.others.insert(body);
      const bool next = (i > 0 && finder.loose(body_of(strand[i - 1]))) ||
                        (i + 1 < strand.size() && finder.loose(body_of(strand[i + 1])));
      if (next) now.held_at.push_back(strand[i]);
    }
    // Joined with all that share a body.
    for (auto other = out.begin(); other != out.end();) {
      const bool shared = std::any_of(now.bodies.begin(), now.bodies.end(),
                                      [&](const std::string& body) { return other->bodies.count(body) > 0; });
      if (!shared) {
        ++other;
        continue;
      }
      now.bodies.insert(other->bodies.begin(), other->bodies.end());
      now.others.insert(other->others.begin(), other->others.end());
      now.held_at.insert(now.held_at.end(), other->held_at.begin(), other->held_at.end());
      other = out.erase(other);
    }
    if (!now.bodies.empty()) out.push_back(std::move(now));
  }
  return out;
}

struct Attached {
  CarriedMass load;  // in the axes of the hull; what hangs pulls where its ropes leave what stands on the vessel
  std::vector<std::string> resting, hanging;
};

// What also rests elsewhere, or hangs on ropes from elsewhere too, is not counted.
Attached attached_to(const std::string& vessel, const Specification& spec, const Resolution& resolved) {
  Attached out;
  Finder finder(vessel, spec, resolved);
  std::set<std::string> resting, elsewhere;
  for (const Touch& touch : contacts_of(spec.elements))
    if (finder.loose(touch.point) && finder.is_above(touch))
      (finder.on_hull(touch.surface) ? resting : elsewhere).insert(touch.point);
  for (const std::string& body : resting) {
    if (elsewhere.count(body)) continue;
    finder.add(body, std::nullopt);
    out.resting.push_back(body);
  }
  for (const Cluster& cluster : clusters_of(strands_of(spec, finder), finder)) {
    const auto lies = [&](const std::string& body) { return resting.count(body) || elsewhere.count(body); };
    if (cluster.held_at.empty() || std::any_of(cluster.bodies.begin(), cluster.bodies.end(), lies) ||
        !std::all_of(cluster.others.begin(), cluster.others.end(),
                     [&](const std::string& body) { return finder.on_hull(body); }))
      continue;
    Vec3 hung_at = Vec3::Zero();
    for (const std::string& reference : cluster.held_at)
      hung_at += finder.place(reference) / static_cast<double>(cluster.held_at.size());
    for (const std::string& body : cluster.bodies) {
      finder.add(body, hung_at);
      out.hanging.push_back(body);
    }
  }
  out.load = finder.load();
  return out;
}

}  // namespace

std::string floating_note(const std::string& name, const Specification& spec, const Resolution& resolved,
                          input::Problems& problems) {
  const vessel::VesselSpec& vessel_spec = *spec.elements.find<vessel::VesselSpec>(name);
  const vessel::Hydrodynamics& hydrodynamics = *resolved.hulls.at(name);
  const Attached attached = attached_to(name, spec, resolved);
  const auto note = [&](const vessel::VesselSpec& of, const vessel::Hydrodynamics& h) {
    return vessel::check_floating(name, of, h, spec.environment.water(), spec.run.units, problems);
  };
  if (!(attached.load.weight.mass > 0)) return note(vessel_spec, hydrodynamics);
  // It comes on top of a weight that has what is on board in it already.
  vessel::Hydrodynamics with = hydrodynamics;
  vessel::VesselSpec of = vessel_spec;
  of.weight = vessel::Weight::vessel_only;
  with.carried_mass = hydro::mass_properties_of(
      hydro::mass_matrix(with.carried_mass, Vec3::Zero()) + hydro::mass_matrix(attached.load.weight, Vec3::Zero()),
      Vec3::Zero());
  with.hanging += attached.load.hanging;
  std::string words;
  const auto list = [&](const std::vector<std::string>& bodies, const char* how) {
    for (const std::string& body : bodies) words += (words.empty() ? "'" : ", '") + body + "' " + how;
  };
  list(attached.resting, "by contact");
  list(attached.hanging, "on ropes");
  return note(of, with) +
         fmt::format("; {} of that are {}", html::with_unit(attached.load.weight.mass, "kg", spec.run.units), words);
}

}  // namespace davit
