#include "davit/scene/scenario_scene.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "davit/input/problems.hpp"
#include "davit/model/forces_with.hpp"
#include "davit/model/strand.hpp"
#include "davit/scene/scene_shapes.hpp"
#include "davit/sea/waves.hpp"

namespace davit {

namespace {

using nlohmann::json;

constexpr double finest = 1e-3;        // m: what can be told apart in a picture of a lift
constexpr double of_the_whole = 1e-5;  // lengths and tensions are told apart by this part of the largest
constexpr double attitude_step = 1.0 / (1 << 20);
constexpr std::size_t most_shown = 2000;  // bodies beyond which nothing is recorded
constexpr std::size_t most_beams = 300;   // bodies beyond which nothing is guessed

// The next lower power of ten.
double rounded_step(double x) { return std::pow(10.0, std::floor(std::log10(x))); }

class SceneBuilder {
 public:
  SceneBuilder(const Scenario& scenario, const State& start)
      : scenario_(scenario),
        spec_(scenario.specification),
        observables_(scenario.model->observables()),
        system_(*scenario.model) {
    system_.evaluate(start);
    for (const ObservedPolyline& line : observables_.polylines)
      line.draw(start, system_.workspace(), lines_.emplace_back());
    for (const ObservedPose& pose : observables_.poses) poses_.push_back(pose.pose(kin()));
  }

  RecordedScene build() {
    add_bodies();
    add_surfaces();
    add_vessels();
    add_solids();
    add_ropes();
    RecordedScene out;
    find_extent();
    out.scene.frames = {observables_.poses.size(), observables_.polylines.size(),
                        std::min(finest, rounded_step(of_the_whole * std::max(extent(), 1e-3))), attitude_step,
                        rounded_step(of_the_whole * std::max(largest_pull(), 1e-3))};
    for (const Polyline& line : lines_) out.vertices += line.vertices.size();
    out.interval = 1 / spec_.run.frames;
    document_["version"] = 1;
    document_["rate"] = spec_.run.frames;
    document_["units"] = spec_.run.units == html::UnitSystem::si ? "si" : "engineering";
    document_["gravity"] = spec_.environment.gravity;
    document_["meshes"] = meshes_.list;
    add_sea();
    add_limits();
    document_["camera"] = {{"low", as_json(low_)}, {"high", as_json(high_)}};
    out.scene.document = document_.dump();
    out.scene.meshes = std::move(meshes_.meshes);
    return out;
  }

 private:
  const Kin& kin() { return system_.workspace().kin; }
  json& body(std::size_t i) { return document_["bodies"][i]; }
  void add_shape(std::optional<std::size_t> of, json shape) {
    (of ? body(*of)["shapes"] : document_["world"]).push_back(std::move(shape));
  }

  // The body that a frame is fixed in, and where in its own axes; none: the world.
  std::pair<std::optional<std::size_t>, Pose> placed(const Frame& frame) const {
    for (std::size_t i = 0; i < observables_.poses.size(); ++i)
      if (observables_.poses[i].frame.body == frame.body)
        return {i, observables_.poses[i].frame.offset.inverse() * frame.offset};
    return {std::nullopt, frame.offset};
  }
  std::optional<std::size_t> pose_of(const std::string& name) const {
    for (std::size_t i = 0; i < observables_.poses.size(); ++i)
      if (observables_.poses[i].name == name) return i;
    return std::nullopt;
  }

  void add_bodies() {
    document_["bodies"] = json::array();
    document_["world"] = json::array();
    for (const ObservedPose& pose : observables_.poses)
      document_["bodies"].push_back({{"name", pose.name}, {"shapes", json::array()}});
    spec_of_.assign(observables_.poses.size(), nullptr);
    for (const auto& [name, of] : scenario_.bodies) {
      const auto i = pose_of(name);
      if (!i) continue;
      spec_of_[*i] = &of;
      body(*i)["mass"] = of.mass;
      if (of.weightless) body(*i)["weightless"] = true;
      body(*i)["centre"] = as_json(of.centre);
      body(*i)["on"] = of.on.name;
      if (of.on.name == "world" && of.joint && of.joint->fixed) body(*i)["fixed"] = true;
      for (const auto& [label, at] : of.points) body(*i)["points"][label] = as_json(at);
    }
  }

  void add_surfaces() {
    for (const ObservedSurface& surface : observables_.surfaces) {
      const auto [of, at] = placed(surface.frame);
      add_shape(of, {{"kind", "mesh"},
                     {"role", "surface"},
                     {"name", surface.name},
                     {"mesh", meshes_.add(surface.name, *surface.mesh)},
                     {"pose", as_json(at)}});
      const bool solid = surface.mesh->triangles.size() > 2;
      if (of) (solid ? has_surface_ : has_plate_)[*of] = true;
      if (of && !solid) decks_.push_back({*of, at.p.z()});
    }
  }

  // The deck is the lowest thing above the water that something stands on.
  std::optional<double> deck_of(std::size_t of, const std::string& name) const {
    std::optional<double> deck;
    const auto see = [&](double z) {
      if (z > 0.1 && (!deck || z < *deck)) deck = z;
    };
    for (const auto& [body, z] : decks_)
      if (body == of) see(z);
    if (deck) return deck;
    for (const auto& [child, spec] : scenario_.bodies)
      if (spec.on.name == name) see(spec.at.z());
    return deck;
  }

  void add_vessels() {
    const auto vessels = spec_.elements.of<vessel::VesselSpec>();
    for (std::size_t i = 0; i < vessels.size(); ++i) {
      const std::string& name = vessels[i].first;
      const auto of = pose_of(name);
      if (!of || has_surface_.count(*of)) continue;
      const auto hull = hull_mesh(scenario_, i, deck_of(*of, name));
      if (!hull) continue;
      add_shape(of, {{"kind", "mesh"},
                     {"role", "hull"},
                     {"guess", hull->guessed},
                     {"mesh", meshes_.add(name, hull->mesh)},
                     {"pose", as_json(Pose{})}});
      has_surface_[*of] = true;
    }
  }

  void add_solids() {
    const auto& tree = *scenario_.tree;
    std::vector<const TreeBody*> by_segment(kin().body.size());
    for (const TreeBody& b : tree.bodies_of_tree()) by_segment[static_cast<std::size_t>(b.last_segment)] = &b;
    const bool guess = scenario_.bodies.size() <= most_beams;
    for (const auto& [name, of] : scenario_.bodies) {
      const auto i = pose_of(name);
      if (!i || has_surface_.count(*i)) continue;
      const json solid = given_solid(of);
      const Pose inverse = poses_[*i].inverse();
      const int segment = observables_.poses[*i].frame.body;
      const TreeBody* in_tree = by_segment[static_cast<std::size_t>(segment)];
      const Vec3 joint =
          in_tree ? Vec3(inverse * kin().body[static_cast<std::size_t>(in_tree->first_segment)].p) : Vec3::Zero();
      if (!solid.empty()) {
        for (const json& shape : solid) add_shape(i, shape);
        // What hangs on a joint far from itself hangs on something.
        if (guess && in_tree && !of.joint.value_or(JointSpec{}).free && (of.centre - joint).norm() > 1.5 * size_of(of))
          for (const json& shape : guessed_shapes(0, of.centre, joint, {of.centre})) add_shape(i, shape);
        continue;
      }
      if (!guess || (of.mass == 0 && has_plate_.count(*i))) continue;
      std::vector<Vec3> ends;
      for (const auto& [label, at] : of.points) ends.push_back(at);
      for (const TreeBody& child : tree.bodies_of_tree())
        if (child.body.on == name)
          ends.push_back(inverse * kin().body[static_cast<std::size_t>(child.first_segment)].p);
      if (ends.empty()) ends.push_back(of.centre);
      for (const json& shape : guessed_shapes(of.mass, of.centre, joint, ends)) add_shape(i, shape);
    }
  }

  static double size_of(const BodySpec& of) {
    if (of.box) return of.box->size.norm() / 2;
    if (of.cylinder) return std::hypot(of.cylinder->radius, of.cylinder->length / 2);
    return of.sphere ? of.sphere->radius : 0;
  }

  void add_wheel(const Strand::Wheel& wheel, const std::string& rope) {
    const auto [of, at] = placed(wheel.frame);
    add_shape(of, {{"kind", "cylinder"},
                   {"role", "sheave"},
                   {"name", wheel.name},
                   {"rope", rope},
                   {"radius", wheel.radius},
                   {"length", 0.25 * wheel.radius},
                   {"pose", as_json(at)}});
  }

  void add_ropes() {
    document_["lines"] = json::array();
    for (const ObservedPolyline& line : observables_.polylines) {
      json entry = {{"name", line.name}, {"kind", "line"}};
      for (const auto& strand : forces_with<Strand>(*scenario_.model)) {
        if (strand.name() != line.name) continue;
        entry["kind"] = strand.as->kind();
        for (const Strand::Wheel& wheel : strand.as->wheels()) add_wheel(wheel, line.name);
      }
      for (const auto& rope : forces_with<RiggingStrand>(*scenario_.model))
        if (const auto mbl = rope.as->breaking_load(); mbl && rope.name() == line.name) entry["mbl"] = *mbl;
      entry["winches"] = json::array();
      for (const auto& [name, winch] : spec_.elements.of<rope::WinchSpec>())
        if (winch.rope.name == line.name)
          entry["winches"].push_back({{"name", name}, {"end", winch.end == 0 ? "from" : "to"}});
      document_["lines"].push_back(std::move(entry));
    }
  }

  void add_sea() {
    const EnvironmentSpec& around = spec_.environment;
    if (scenario_.forms.empty() && !around.waves && !around.seabed && !around.water_depth) return;
    json sea = {{"ramp", scenario_.wave_ramp}, {"waves", json::array()}};
    if (around.water_depth) sea["depth"] = *around.water_depth;
    if (around.seabed && around.seabed->depth) sea["depth"] = *around.seabed->depth;
    if (const auto waves = scenario_.waves())
      for (const sea::Component& c : waves->components)
        sea["waves"].push_back({c.amplitude, c.frequency, c.wave_number, c.heading, c.phase});
    document_["sea"] = std::move(sea);
  }

  void add_limits() {
    document_["limits"] = json::array();
    for (const result::Limit& limit : scenario_.limits)
      if (!limit.of_first)
        document_["limits"].push_back({{"channel", limit.channel},
                                       {"bound", limit.bound},
                                       {"side", limit.side == result::Limit::Side::above ? "above" : "below"},
                                       {"text", limit.text}});
  }

  // Of everything but mooring lines, which would make all else small.
  void find_extent() {
    low_.setConstant(1e30);
    high_.setConstant(-1e30);
    const auto see = [&](const Vec3& p) {
      low_ = low_.cwiseMin(p);
      high_ = high_.cwiseMax(p);
    };
    const auto see_mesh = [&](const Pose& at, const json& shape) {
      const json& mesh = meshes_.list[shape["mesh"].get<std::size_t>()];
      const std::size_t first = mesh["first_point"], count = mesh["points"];
      const json& n = shape["pose"];
      const Pose own{Eigen::Quaterniond(n[3].get<double>(), n[4].get<double>(), n[5].get<double>(), n[6].get<double>())
                         .toRotationMatrix(),
                     Vec3(n[0].get<double>(), n[1].get<double>(), n[2].get<double>())};
      for (std::size_t k = first; k < first + count; ++k) {
        const float* p = meshes_.meshes.points.data() + 3 * k;
        see(at * (own * Vec3(p[0], p[1], p[2])));
      }
    };
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      see(poses_[i].p);
      for (const json& shape : body(i)["shapes"])
        if (shape["kind"] == "mesh") see_mesh(poses_[i], shape);
      if (i < spec_of_.size() && spec_of_[i] && !has_surface_.count(i))
        for (int k = 0; k < 6; ++k)
          see(poses_[i] * Vec3(spec_of_[i]->centre + (k % 2 ? 1 : -1) * size_of(*spec_of_[i]) * Vec3::Unit(k / 2)));
      if (body(i).contains("points"))
        for (const auto& [label, at] : body(i)["points"].items())
          see(poses_[i] * Vec3(at[0].get<double>(), at[1].get<double>(), at[2].get<double>()));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (document_["lines"][i]["kind"] == "rope")
        for (const auto& vertex : lines_[i].vertices) see(vertex.at);
    if (poses_.empty() && lines_.empty()) low_ = high_ = Vec3::Zero();
  }
  double extent() const { return std::max((high_ - low_).norm(), high_.cwiseAbs().cwiseMax(low_.cwiseAbs()).norm()); }

  // What ropes carry is of the size of what hangs on them.
  double largest_pull() const {
    double pull = 0, mass = 0;
    for (const Polyline& line : lines_)
      for (const auto& vertex : line.vertices) pull = std::max(pull, vertex.tension);
    for (const auto& [name, body] : spec_.bodies) mass = std::max(mass, body.mass);
    return std::max(pull, mass * spec_.environment.gravity);
  }

  const Scenario& scenario_;
  const Specification& spec_;
  const Observables& observables_;
  System system_;
  std::vector<Polyline> lines_;
  std::vector<Pose> poses_;
  std::vector<const BodySpec*> spec_of_;  // by pose
  std::map<std::size_t, bool> has_surface_, has_plate_;
  std::vector<std::pair<std::size_t, double>> decks_;
  MeshStore meshes_;
  json document_;
  Vec3 low_, high_;
};

}  // namespace

std::optional<RecordedScene> scene_of(const Scenario& scenario, const State& start) {
  const Observables& seen = scenario.model->observables();
  if (scenario.specification.run.frames == 0 || (seen.poses.empty() && seen.polylines.empty()) ||
      seen.poses.size() > most_shown)
    return std::nullopt;
  return SceneBuilder(scenario, start).build();
}

void fill_frame(const Snapshot& now, result::Frame& frame) {
  frame.time = now.state.t;
  frame.bodies.resize(now.poses.size());
  for (std::size_t i = 0; i < now.poses.size(); ++i) {
    const Eigen::Quaterniond turned(now.poses[i].R);
    frame.bodies[i] = {{now.poses[i].p.x(), now.poses[i].p.y(), now.poses[i].p.z()},
                       {turned.w(), turned.x(), turned.y(), turned.z()}};
  }
  frame.lines.resize(now.polylines.size());
  for (std::size_t i = 0; i < now.polylines.size(); ++i) {
    const auto& vertices = now.polylines[i].vertices;
    frame.lines[i].resize(vertices.size());
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const Polyline::Vertex& v = vertices[k];
      const unsigned flags = (v.contact == Polyline::Contact::sticks  ? result::LineVertex::sticks
                              : v.contact == Polyline::Contact::slips ? result::LineVertex::slips
                                                                      : 0U) |
                             (v.gap_after ? result::LineVertex::gap_after : 0U);
      frame.lines[i][k] = {{v.at.x(), v.at.y(), v.at.z()}, v.tension, static_cast<std::uint8_t>(flags)};
    }
  }
}

}  // namespace davit
