#include "davit/scenario/attached.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "davit/hydro/convert.hpp"

namespace davit {

namespace {

using input::Reference;

std::string body_of(const std::string& reference) { return reference.substr(0, reference.find('.')); }

std::string body_of_surface(const std::string& name, const input::Node& root) {
  const input::Node* surfaces = root.find("surfaces");
  const input::Node* surface = surfaces ? surfaces->find(name) : nullptr;
  const input::Node* on = surface ? surface->find("on") : nullptr;
  return on ? body_of(on->text) : "world";
}

// Who may touch what by contacts of either kind.
struct Touch {
  std::string surface, point;         // bodies
  const input::Node *length, *width;  // of a plane that ends
};

std::vector<Touch> contacts_of(const input::Node& root) {
  std::vector<Touch> out;
  for (const char* section : {"constraints", "forces"}) {
    const input::Node* elements = root.find(section);
    if (!elements) continue;
    for (const auto& element : elements->entries) {
      const input::Node* contact = element.value.find("contact");
      const input::Node* plane = contact ? contact->find("surface") : nullptr;
      const input::Node* mesh = contact ? contact->find("mesh") : nullptr;
      if (!plane && !mesh) continue;
      const std::string touched = plane ? body_of(plane->text) : body_of_surface(mesh->text, root);
      const auto add = [&](std::string body) {
        out.push_back({touched, std::move(body), contact->find("length"), contact->find("width")});
      };
      if (const input::Node* point = contact->find("point")) add(body_of(point->text));
      if (const input::Node* points = contact->find("points"))
        for (const input::Node& point : points->items) add(body_of(point.text));
      if (const input::Node* other = contact->find("points_of")) add(body_of_surface(other->text, root));
    }
  }
  return out;
}

class Finder {
 public:
  Finder(const std::string& vessel, const Specification& spec, const std::shared_ptr<const Tree>& tree)
      : spec_(spec), tree_(*tree), kin_(start_of(tree)), hull_(*tree->find(vessel)) {
    const Frame frame = tree->frame(vessel);
    into_ = Pose{rotation(kin_, frame), position(kin_, frame)}.inverse();
  }

  bool on_hull(const std::string& name) const {
    const auto body = tree_.find(name);
    return body && is_descendant_of(tree_, *body, hull_);
  }
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
    const auto base = tree_.find(name);
    if (!base) {
      const BodySpec& body = *find(name);
      add_one(name, body.mass, into_ * Vec3(body.at + body.centre));
      return;
    }
    for (int i = 0; i < static_cast<int>(tree_.bodies_of_tree().size()); ++i) {
      const Body& body = tree_.bodies_of_tree()[static_cast<size_t>(i)].body;
      if (!body.weightless && is_descendant_of(tree_, i, *base))
        add_one(body.name, body.mass, place(body.name, body.centre));
    }
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
    if (!touch.length || !touch.width || !tree_.find(touch.surface) || !tree_.find(touch.point)) return true;
    const Frame plane = tree_.frame(touch.surface);
    const Vec3 away =
        rotation(kin_, plane).transpose() * Vec3(position(kin_, tree_.frame(touch.point)) - position(kin_, plane));
    const auto within = [](const input::Node& size, double x) {
      const auto parsed = input::parse_quantity(size.text);
      return !parsed.value || std::abs(x) <= parsed.value->value() / 2;
    };
    return within(*touch.length, away.x()) && within(*touch.width, away.y());
  }
  CarriedMass load() const {
    CarriedMass out;
    if (sum_(0, 0) > 0) out.weight = hydro::mass_properties_of(sum_, Vec3::Zero());
    out.hanging = hanging_;
    return out;
  }

 private:
  static Kin start_of(const std::shared_ptr<const Tree>& tree) {
    input::Problems none;
    return Assembly(tree, none).start_kinematics();
  }
  const BodySpec* find(const std::string& name) const {
    for (const auto& [each, body] : spec_.bodies)
      if (each == name) return &body;
    return nullptr;
  }
  bool is_vessel(const std::string& name) const {
    return std::any_of(spec_.vessels.begin(), spec_.vessels.end(), [&](const auto& v) { return v.first == name; });
  }
  Vec3 place(const std::string& body, const Vec3& point) const {
    const Frame frame = tree_.frame(body);
    return into_ * Vec3(position(kin_, frame) + rotation(kin_, frame) * point);
  }

  const Specification& spec_;
  const Tree& tree_;
  Kin kin_;
  int hull_;
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
  for (const auto& [name, rope] : spec.ropes) {
    if (is_slack(rope, finder)) continue;
    std::vector<std::string> strand{rope.from.name};
    for (const rope::PassSpec& pass : rope.path)
      for (const std::optional<Reference>* at : {&pass.eye, &pass.sheave, &pass.post})
        if (*at) strand.push_back((*at)->name);
    strand.push_back(rope.to.name);
    out.push_back(std::move(strand));
  }
  for (const auto& [name, slings] : spec.slings)
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

}  // namespace

Attached attached_to(const std::string& vessel, const Specification& spec, const std::shared_ptr<const Tree>& tree,
                     const input::Node& root) {
  Attached out;
  if (!tree->find(vessel)) return out;
  Finder finder(vessel, spec, tree);
  std::set<std::string> resting, elsewhere;
  for (const Touch& touch : contacts_of(root))
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

}  // namespace davit
