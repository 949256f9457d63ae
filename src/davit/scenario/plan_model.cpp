#include "davit/scenario/plan_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/joint_specs.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/replay.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
#include "davit/scenario/hull_motion.hpp"
#include "davit/scenario/model_building.hpp"
#include "davit/vessel/wind_area_spec.hpp"

namespace davit {

namespace {

using inverse_dynamics::CoordinateServo;
using inverse_dynamics::Feedforward;
using inverse_dynamics::OffsetServo;
using inverse_dynamics::OrientationServo;
using inverse_dynamics::OutputSpec;
using inverse_dynamics::PlaceServo;
using inverse_dynamics::PlanSpec;

// What both models have in common, while they are built.
struct Ground {
  Specification spec;
  std::vector<std::string> notes;  // what is left out
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Assembly> assembly;
  std::vector<std::string> prescribed;  // bodies that move as recorded
};

// Constraints that make an input of the plan follow a motion: in a plan it is free.
std::set<std::string> drives_of_inputs(const Specification& spec) {
  std::set<std::string> names;
  for (const auto& [name, motion] : spec.elements.of<constraint::MotionSpec>())
    for (const input::Reference& input : spec.plan->inputs)
      if (input.name == motion.joint.name) names.insert(name);
  return names;
}

// Wind does not act in a plan, which is of no environment.
void leave_out_wind(Ground& ground) {
  std::set<std::string> names;
  for (const auto& [name, area] : ground.spec.elements.of<vessel::WindAreaSpec>()) {
    names.insert(name);
    ground.notes.push_back("the wind on '" + area.on.name + "' is left out");
  }
  ground.spec.elements.erase(registry().forces, names);
}

// Mooring lines hold vessels, which stay or move as recorded.
void leave_out_moorings(Ground& ground) {
  std::set<std::string> names;
  for (const auto& [name, line] : ground.spec.elements.of<mooring::MooringLineSpec>()) {
    names.insert(name);
    ground.notes.push_back("the mooring line '" + name + "' is left out");
  }
  ground.spec.elements.erase(registry().forces, names);
}

input::Quantity quantity(double value, const char* unit) {
  input::Quantity out;
  out.number = value;
  out.unit = input::unit(unit);
  out.has_unit = true;
  out.text = fmt::format("{:.17g} {}", value, unit);
  return out;
}

// A vessel that moves as it was recorded: on three slides and three turns, each of which follows its part of it.
struct MovingHull {
  std::string vessel;
  HullMotion motion;

  static constexpr const char* slides[] = {"x", "y", "z"};
  static constexpr const char* turns[] = {"roll", "pitch", "yaw"};
  std::string slide(size_t k) const { return vessel + " (" + slides[k] + ")"; }

  // The bodies that its own is on, which come before it, and its own joint with where it begins.
  void put_on_slides(BodySpec& hull, input::Named<BodySpec>& bodies) const {
    const auto start = [&](size_t k, const std::string& coordinate, const char* unit, BodySpec& body) {
      const std::string per_second = std::string(unit) + "/s";
      body.start.emplace_back(coordinate, quantity(motion[k].value(0), unit));
      body.start.emplace_back(coordinate + "_rate", quantity(motion[k].derivative(1, 0.0), per_second.c_str()));
    };
    for (size_t k = 0; k < 3; ++k) {
      BodySpec body;
      if (k > 0) body.on.name = slide(k - 1);
      body.joint = JointSpec{};
      body.joint->prismatic = AxisSpec{};
      body.joint->prismatic->direction = Vec3::Unit(static_cast<Eigen::Index>(k));
      start(k, "travel", "m", body);
      bodies.emplace_back(slide(k), body);
    }
    BodySpec on_slides = hull;
    on_slides.on.name = slide(2);
    on_slides.at = Vec3::Zero();
    on_slides.turn.clear();
    on_slides.joint = JointSpec{};
    on_slides.joint->roll_pitch_yaw = input::Nothing{};
    on_slides.start.clear();
    for (size_t k = 0; k < 3; ++k) start(3 + k, turns[k], "rad", on_slides);
    hull = std::move(on_slides);
  }
  void follow(Assembly& assembly) const {
    for (size_t k = 0; k < 6; ++k) {
      const std::string name = k < 3 ? slide(k) : vessel + "." + turns[k - 3];
      if (const auto at = assembly.coordinate({name, {}}))
        assembly.add(
            Constraint{name + " as recorded",
                       std::make_shared<inverse_dynamics::CoordinateServo>(
                           std::vector<inverse_dynamics::CoordinateServo::Term>{{{at->q, at->u}, 1}}, motion[k])});
    }
  }
};

// What hangs from a hull that moves begins where the result has it: the hull is not where the file has it.
void begin_as_recorded(const inverse_dynamics::HullMotionSpec& motion, input::Named<BodySpec>& bodies) {
  std::vector<std::string> free;
  for (const auto& [name, body] : bodies)
    if (body.coordinates != BodyCoordinates::joint || (body.joint && body.joint->free)) free.push_back(name);
  const auto places = recorded_places(motion, free);
  for (auto& [name, body] : bodies) {
    const auto found = places.find(name);
    if (found == places.end()) continue;
    body.at = found->second.at;
    body.turn.clear();
    body.start.clear();
    if (found->second.angles)
      for (size_t k = 0; k < 3; ++k)
        body.start.emplace_back(MovingHull::turns[k], quantity((*found->second.angles)[static_cast<long>(k)], "rad"));
  }
}

// Vessels held where they are, or moving as recorded.
std::vector<MovingHull> place_vessels(const Specification& spec, double end, input::Named<BodySpec>& bodies,
                                      input::Problems& problems) {
  std::vector<MovingHull> moving;
  for (const auto& [vessel, motion] : spec.plan->hulls) {
    if (!spec.elements.find<vessel::VesselSpec>(vessel))
      problems.error(motion.motion.where, "there is no vessel '" + vessel + "'", "name one of the file");
    else if (auto recorded = recorded_motion(motion, vessel, end, problems))
      moving.push_back({vessel, std::move(*recorded)});
  }
  if (!moving.empty()) begin_as_recorded(spec.plan->hulls.front().second, bodies);
  input::Named<BodySpec> placed;
  for (auto& [name, body] : bodies) {
    const auto hull =
        std::find_if(moving.begin(), moving.end(), [&, &of = name](const MovingHull& h) { return h.vessel == of; });
    if (hull != moving.end()) {
      hull->put_on_slides(body, placed);
    } else if (spec.elements.find<vessel::VesselSpec>(name)) {
      body.joint = JointSpec{};
      body.joint->fixed = input::Nothing{};
      body.start.clear();
    }
    placed.emplace_back(name, body);
  }
  bodies = std::move(placed);
  return moving;
}

// Bodies that the plan takes to have no mass.
void leave_out_masses(const PlanSpec& plan, input::Named<BodySpec>& bodies, Bodies& parts, input::Problems& problems) {
  std::vector<std::string> names;
  for (const auto& [name, body] : bodies) names.push_back(name);
  const auto find = [](auto& list, const std::string& name) {
    return std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; });
  };
  for (const input::Reference& body : plan.massless) {
    const auto spec = std::find_if(bodies.begin(), bodies.end(), [&](const auto& b) { return b.first == body.name; });
    if (spec == bodies.end()) {
      input::unknown_name(body, "body", names, problems);
      continue;
    }
    spec->second.mass = 0;
    if (const auto of_tree = find(parts.of_tree, body.name); of_tree != parts.of_tree.end())
      of_tree->mass = 0, of_tree->inertia = Sym3{};
    else if (const auto particle = find(parts.particles, body.name); particle != parts.particles.end())
      particle->mass = 0;
    else
      problems.error(body.where, "'" + body.name + "' has coordinates: directors, which need its mass",
                     "give it a joint or coordinates: particle");
  }
}

enum class BodyMasses { all, of_plan };

// Bodies with vessels held where they are or moving as recorded, gravity, constraints and forces.
std::optional<Ground> lay_ground(const Scenario& scenario, double over, BodyMasses masses, input::Problems& problems) {
  Ground out;
  out.spec = scenario.specification;
  input::Named<BodySpec> bodies = scenario.bodies;
  const std::vector<MovingHull> moving = place_vessels(out.spec, over + out.spec.plan->rest, bodies, problems);
  Bodies parts = build_bodies(bodies, {}, problems);
  if (masses == BodyMasses::of_plan) leave_out_masses(*out.spec.plan, bodies, parts, problems);
  if (problems.has_errors()) return std::nullopt;
  out.tree = std::make_shared<Tree>(parts.of_tree);
  out.spec.elements.erase(registry().constraints, drives_of_inputs(out.spec));
  leave_out_wind(out);
  leave_out_moorings(out);
  out.assembly = std::make_unique<Assembly>(out.tree, problems);
  out.assembly->set_gravity(out.spec.environment.gravity);
  add_bodies(bodies, parts, out.spec.environment.gravity, *out.assembly);
  build(registry(), out.spec.elements, BuildStage::constraints, *out.assembly);
  build(registry(), out.spec.elements, BuildStage::forces, *out.assembly);
  for (const MovingHull& hull : moving) {
    hull.follow(*out.assembly);
    out.prescribed.push_back(hull.vessel);
    for (size_t k = 0; k < 3; ++k) out.prescribed.push_back(hull.slide(k));
  }
  return out;
}

bool is_winch(const Specification& spec, const std::string& name) {
  return spec.elements.find<rope::WinchSpec>(name) != nullptr;
}

void hold_joints(const PlanSpec& plan, Assembly& assembly) {
  const VecX q = assembly.start_coordinates();
  for (const input::Reference& joint : plan.hold)
    if (const auto at = assembly.coordinate(joint))
      assembly.add(Constraint{at->name + " held",
                              std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{at->q, at->u, 1}},
                                                                 q[at->q], at->angle)});
}

// A value at rest at the points of a way, each at its part of it, with a time for each piece in proportion to its
// length.
Motion polynomial(const std::vector<double>& points, const std::vector<double>& parts, double over,
                  const Profile& profile) {
  Motion m(points.front());
  for (size_t i = 1; i < points.size(); ++i)
    if (const double begin = over * parts[i - 1], length = over * parts[i] - begin; length > 0)
      m.move(begin, length, points[i], {profile.smoothness, std::min(profile.ramp, 0.5 * length)});
  return m;
}

// Where a way of points is at a part of it.
double place_on_way(const std::vector<double>& points, const std::vector<double>& parts, double part) {
  size_t i = 1;
  while (i + 1 < points.size() && parts[i] < part) ++i;
  const double length = parts[i] - parts[i - 1];
  return length > 0 ? points[i - 1] + (part - parts[i - 1]) / length * (points[i] - points[i - 1]) : points[i];
}

// The same way as the stages of a course have it, which rest at given parts.
Motion in_stages(const std::string& output, const std::vector<double>& points, const std::vector<double>& parts,
                 const Course& course, const std::vector<double>& rests) {
  std::vector<double> times{0};
  std::vector<std::vector<double>> pieces;
  for (size_t k = 0; k < course.stages.size(); ++k) {
    const Course::Stage& stage = course.stages[k];
    const BSpline& share = stage.share.at(output);
    const double from = place_on_way(points, parts, rests[k]), to = place_on_way(points, parts, rests[k + 1]);
    const double begin = times.back();
    for (int span = 0; span < share.spans; ++span) {
      const double s = double(span + 1) / share.spans;
      std::vector<double> d = share.derivatives(span, s);
      double rate = to - from;
      for (double& x : d) x *= rate, rate /= stage.over;
      d.front() += from;
      times.push_back(begin + s * stage.over);
      pieces.push_back(std::move(d));
    }
  }
  return Motion::in_pieces(points.front(), times, pieces);
}

// How a coordinate of the plan is called in an output: rope given out by a winch, or a joint coordinate.
struct Term {
  CoordinateIndex at;
  double factor = 1;
  bool angle = false;
};

class OutputBuilder {
 public:
  using FindTerm = std::function<std::optional<Term>(const input::Reference&)>;
  OutputBuilder(const PlanSpec& plan, const Course& course, Assembly& assembly, FindTerm find)
      : course_(course),
        ramp_(plan.ramp),
        assembly_(assembly),
        find_(std::move(find)),
        q_(assembly.start_coordinates()),
        start_(assembly.start_kinematics()) {
    start_.q = q_.data();
    find_rests(plan);
  }

  // Those without mistakes, which are reported.
  std::vector<inverse_dynamics::Output> build_all(const PlanSpec& plan) {
    std::vector<inverse_dynamics::Output> all;
    for (const auto& [name, output] : plan.outputs)
      if (auto built = build(name, output)) all.push_back(std::move(*built));
    return all;
  }
  const std::vector<double>& rests() const { return rests_; }
  const std::vector<std::string>& moving() const { return moving_; }

 private:
  std::optional<inverse_dynamics::Output> build(const std::string& name, const OutputSpec& spec) {
    if (spec.point) return place(name, spec);
    if (spec.turn) return orientation(name, spec);
    if (spec.combination) return combination(name, spec);
    return offset(name, spec);
  }
  inverse_dynamics::Output output(const std::string& name, std::shared_ptr<const Geometry> rows) const {
    return {name, std::move(rows), course_.smoothness};
  }
  std::optional<inverse_dynamics::Output> place(const std::string& name, const OutputSpec& spec) {
    const auto frame = assembly_.frame(*spec.point);
    if (!frame) return std::nullopt;
    const std::vector<Vec3> stops = stops_of(*frame, spec);
    const std::vector<double> parts = parts_of(stops, spec);
    std::vector<PlaceServo::Along> along;
    for (int k = 0; k < 3; ++k) {
      if (!followed(spec, k)) continue;
      std::vector<double> points;
      for (const Vec3& stop : stops) points.push_back(stop[k]);
      along.push_back({Vec3::Unit(k), way(name, points, parts)});
    }
    return output(name, std::make_shared<PlaceServo>(*frame, std::move(along)));
  }
  std::optional<inverse_dynamics::Output> orientation(const std::string& name, const OutputSpec& spec) {
    const auto frame = assembly_.frame(*spec.turn);
    if (!frame || !assembly_.can_rotate(*frame, *spec.turn)) return std::nullopt;
    return output(name,
                  std::make_shared<OrientationServo>(*frame, rotation(start_, *frame), spec.axis.direction.normalized(),
                                                     way(name, {0, spec.angle.value_or(0)}, {0, 1})));
  }
  std::optional<inverse_dynamics::Output> combination(const std::string& name, const OutputSpec& spec) {
    std::vector<CoordinateServo::Term> terms;
    double value = 0;
    bool angle = false;
    for (const auto& [reference, factor] : spec.combination->targets) {
      const auto term = find_(reference);
      const auto number = input::require(factor, input::unit("1"), assembly_.problems());
      if (!term || !number) return std::nullopt;
      angle = term->angle;
      terms.push_back({term->at, *number * term->factor});
      value += terms.back().coefficient * q_[term->at.q];
    }
    return output(name,
                  std::make_shared<CoordinateServo>(std::move(terms), changed(name, value, spec, angle ? "rad" : "m")));
  }
  std::optional<inverse_dynamics::Output> offset(const std::string& name, const OutputSpec& spec) {
    const auto from = assembly_.frame(spec.offset[0]), to = assembly_.frame(spec.offset[1]);
    if (!from || !to) return std::nullopt;
    const Vec3 direction = spec.axis.direction.normalized();
    const double value = direction.dot(position(start_, *to) - position(start_, *from));
    return output(name, std::make_shared<OffsetServo>(*from, *to, direction, changed(name, value, spec, "m")));
  }
  Motion changed(const std::string& name, double value, const OutputSpec& spec, const char* unit) {
    const double by =
        spec.change ? input::require(*spec.change, input::unit(unit), assembly_.problems()).value_or(0) : 0;
    return way(name, {value, value + by}, {0, 1});
  }

  static bool followed(const OutputSpec& spec, int axis) { return spec.along.find("xyz"[axis]) != std::string::npos; }
  std::vector<Vec3> stops_of(const Frame& frame, const OutputSpec& spec) const {
    std::vector<Vec3> stops{position(start_, frame)};
    stops.insert(stops.end(), spec.via.begin(), spec.via.end());
    stops.push_back(spec.to ? *spec.to : Vec3(stops.front() + spec.by.value_or(Vec3::Zero())));
    return stops;
  }
  // How much of the way is behind when it comes to each of its points.
  static std::vector<double> parts_of(const std::vector<Vec3>& stops, const OutputSpec& spec) {
    std::vector<double> lengths{0};
    for (size_t i = 1; i < stops.size(); ++i) {
      Vec3 piece = stops[i] - stops[i - 1];
      for (int k = 0; k < 3; ++k)
        if (!followed(spec, k)) piece[k] = 0;
      lengths.push_back(lengths.back() + piece.norm());
    }
    const double all = lengths.back();
    for (size_t i = 0; i < lengths.size(); ++i)
      lengths[i] = all > 0 ? lengths[i] / all : double(i) / double(lengths.size() - 1);
    return lengths;
  }
  void find_rests(const PlanSpec& plan) {
    rests_ = {0, 1};
    for (const auto& [name, output] : plan.outputs) {
      if (!output.point || output.via.empty()) continue;
      const auto frame = assembly_.frame(*output.point);
      if (!frame) continue;
      const std::vector<double> parts = parts_of(stops_of(*frame, output), output);
      rests_.insert(rests_.end(), parts.begin(), parts.end());
    }
    std::sort(rests_.begin(), rests_.end());
    const auto near = [](double a, double b) { return b - a < 1e-9; };
    rests_.erase(std::unique(rests_.begin(), rests_.end(), near), rests_.end());
  }
  Motion way(const std::string& name, const std::vector<double>& points, const std::vector<double>& parts) {
    const bool moves = std::any_of(points.begin(), points.end(), [&](double x) { return x != points.front(); });
    if (moves && (moving_.empty() || moving_.back() != name)) moving_.push_back(name);
    if (moves && !course_.stages.empty()) return in_stages(name, points, parts, course_, rests_);
    return polynomial(points, parts, course_.over, {course_.smoothness, ramp_});
  }

  const Course& course_;
  double ramp_;
  std::vector<double> rests_;
  std::vector<std::string> moving_;
  Assembly& assembly_;
  FindTerm find_;
  VecX q_;
  Kin start_;
};

// The model of all that was added, with the plan's time. False after a mistake.
template <class PlansModel>
bool finish(Ground& ground, double over, const input::Problems& problems, PlansModel& out) {
  if (problems.has_errors()) return false;
  out.tree = ground.tree;
  out.model = ground.assembly->finish();
  if (problems.has_errors()) return false;
  out.problem.model = out.model.get();
  out.problem.start = out.model->initial_state();
  out.problem.end = over + ground.spec.plan->rest;
  return true;
}

void lay_elastic_ropes(Ground& ground) {
  const Specification& spec = ground.spec;
  for (const auto act : {declare, build})
    for (const BuildStage stage : {BuildStage::surfaces, BuildStage::winches, BuildStage::ropes})
      act(registry(), spec.elements, stage, *ground.assembly);
  hold_joints(*spec.plan, *ground.assembly);
}

// The signal that a winch has taken when it was built.
Signal signal_named(const Model& model, const std::string& name) {
  int index = -1;
  for (size_t k = 0; k < model.signals().size(); ++k)
    if (model.signals()[k].name == name) index = static_cast<int>(k);
  return Signal(index);
}

}  // namespace

std::optional<PlanModel> build_plan_model(const Scenario& scenario, const Course& course, input::Problems& problems) {
  auto ground = lay_ground(scenario, course.over, BodyMasses::of_plan, problems);
  if (!ground) return std::nullopt;
  const Specification& spec = ground->spec;
  const PlanSpec& plan = *spec.plan;
  Assembly& assembly = *ground->assembly;
  PlanModel out;
  std::set<std::string> winches;
  for (const input::Reference& input : plan.inputs)
    if (is_winch(spec, input.name)) winches.insert(input.name);
  rope::RigidRopes rigid = rope::build_rigid(spec.elements, winches, assembly);
  out.ropes = rigid.ropes;
  out.notes = ground->notes;
  out.notes.insert(out.notes.end(), rigid.notes.begin(), rigid.notes.end());
  for (const input::Reference& body : plan.massless) out.notes.push_back("the mass of '" + body.name + "' is left out");
  out.prescribed = ground->prescribed;
  for (const auto& [vessel, of] : spec.elements.of<vessel::VesselSpec>())
    out.notes.push_back(spec.plan->hulls.empty() ||
                                std::none_of(spec.plan->hulls.begin(), spec.plan->hulls.end(),
                                             [&, &name = vessel](const auto& hull) { return hull.first == name; })
                            ? "'" + vessel + "' stays where it is at the start"
                            : "'" + vessel + "' moves as recorded");
  hold_joints(plan, assembly);
  for (const input::Reference& reference : plan.inputs) {
    PlannedInput input;
    input.name = reference.name;
    for (const PlannedInput& other : out.inputs)
      if (other.name == reference.name)
        problems.error(reference.where, "'" + reference.name + "' is named twice", "name each input once");
    if (winches.count(reference.name)) {
      for (const rope::RigidWinch& winch : rigid.winches)
        if (winch.name == reference.name) {
          input.at = winch.at;
          input.ratio = winch.ratio;
          input.unit = winch.unit;
          input.angle = winch.unit == "N m";
          out.problem.inputs.push_back(winch.input);
        }
      input.winch = true;
    } else if (const auto at = assembly.coordinate(reference)) {
      input.at = {at->q, at->u};
      input.angle = at->angle;
      input.unit = at->angle ? "N m" : "N";
      const int port = assembly.add_input({reference.name, input.unit});
      assembly.add(std::make_shared<JointActuator>(reference.name, *at, port));
      out.problem.inputs.push_back(port);
    }
    out.inputs.push_back(std::move(input));
  }
  const auto find = [&](const input::Reference& reference) -> std::optional<Term> {
    for (const PlannedInput& input : out.inputs)
      if (input.name == reference.name && input.winch) return Term{input.at, input.ratio, false};
    if (const auto at = assembly.coordinate(reference)) return Term{{at->q, at->u}, 1, at->angle};
    return std::nullopt;
  };
  OutputBuilder outputs(plan, course, assembly, find);
  out.problem.outputs = outputs.build_all(plan);
  out.rests = outputs.rests();
  out.moving = outputs.moving();
  std::vector<Feedforward::Channel> feedforward;
  for (size_t i = 0; i < out.inputs.size() && i < out.problem.inputs.size(); ++i) {
    assembly.add_target(out.inputs[i].name + ".force", out.inputs[i].unit);
    out.inputs[i].feedforward = assembly.take_signal(out.inputs[i].name + ".force", 0);
    feedforward.push_back({out.inputs[i].feedforward, out.problem.inputs[i]});
  }
  assembly.add(std::make_shared<Feedforward>("plan", std::move(feedforward)));
  if (!finish(*ground, course.over, problems, out)) return std::nullopt;
  return out;
}

std::optional<PlaybackModel> build_playback_model(const Scenario& scenario, const Course& course,
                                                  input::Problems& problems) {
  auto ground = lay_ground(scenario, course.over, BodyMasses::all, problems);
  if (!ground) return std::nullopt;
  Specification& spec = ground->spec;
  const PlanSpec& plan = *spec.plan;
  Assembly& assembly = *ground->assembly;
  PlaybackModel out;
  // Winches follow what they are told, whatever it takes; those that are no inputs hold their rope.
  spec.elements.change<rope::WinchSpec>([](const std::string&, rope::WinchSpec& winch) {
    if (winch.mode == rope::WinchMode::passive) return;
    winch.mode = rope::WinchMode::length;
    winch.drum.reset();
    winch.target.reset();
  });
  lay_elastic_ropes(*ground);
  for (const input::Reference& reference : plan.inputs) {
    out.signals.emplace_back();
    if (is_winch(spec, reference.name)) continue;  // its reel has taken one
    const auto at = assembly.coordinate(reference);
    if (!at) continue;
    out.signals.back() = assembly.take_signal(*at);
    assembly.add(Constraint{reference.name + " driven",
                            std::make_shared<JointCombination>(std::vector<JointCombination::Term>{{at->q, at->u, 1}},
                                                               out.signals.back(), at->angle)});
  }
  const auto find = [&](const input::Reference& reference) -> std::optional<Term> {
    if (is_winch(spec, reference.name)) return std::nullopt;  // no coordinate of the elastic model
    if (const auto at = assembly.coordinate(reference)) return Term{{at->q, at->u}, 1, at->angle};
    return std::nullopt;
  };
  out.problem.outputs = OutputBuilder(plan, course, assembly, find).build_all(plan);
  if (!finish(*ground, course.over, problems, out)) return std::nullopt;
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    if (is_winch(spec, plan.inputs[i].name)) out.signals[i] = signal_named(*out.model, plan.inputs[i].name);
  return out;
}

std::optional<PlanModel> build_elastic_plant(const Scenario& scenario, const Course& course,
                                             input::Problems& problems) {
  auto ground = lay_ground(scenario, course.over, BodyMasses::all, problems);
  if (!ground) return std::nullopt;
  Specification& spec = ground->spec;
  const PlanSpec& plan = *spec.plan;
  Assembly& assembly = *ground->assembly;
  std::set<std::string> driven;
  for (const input::Reference& input : plan.inputs) driven.insert(input.name);
  for (const auto& [name, winch] : spec.elements.of<rope::WinchSpec>())
    if (winch.mode != rope::WinchMode::passive && driven.count(name) && !winch.drum) return std::nullopt;
  spec.elements.change<rope::WinchSpec>([&](const std::string& name, rope::WinchSpec& winch) {
    if (winch.mode == rope::WinchMode::passive) return;
    winch.target.reset();
    winch.brake.reset();
    winch.limits = {};
    const bool is_input = driven.count(name) > 0;
    winch.mode = is_input ? rope::WinchMode::force : rope::WinchMode::length;
    if (!is_input) winch.drum.reset();
    if (winch.drum) winch.drum->layers.reset();
  });
  lay_elastic_ropes(*ground);
  PlanModel out;
  std::vector<Feedforward::Channel> feedforward;
  for (const input::Reference& reference : plan.inputs) {
    PlannedInput input;
    input.name = reference.name;
    input.winch = is_winch(spec, reference.name);
    if (!input.winch) {
      const auto at = assembly.coordinate(reference);
      if (!at) return std::nullopt;
      const int port = assembly.add_input({reference.name, at->angle ? "N m" : "N"});
      assembly.add(std::make_shared<JointActuator>(reference.name, *at, port));
      assembly.add_target(reference.name + ".force", at->angle ? "N m" : "N");
      input.feedforward = assembly.take_signal(reference.name + ".force", 0);
      feedforward.push_back({input.feedforward, port});
    }
    out.inputs.push_back(std::move(input));
  }
  assembly.add(std::make_shared<Feedforward>("plan", std::move(feedforward)));
  // Rope that a winch has given out is its drum's angle times its radius, as in the plan's own model.
  const auto find = [&](const input::Reference& reference) -> std::optional<Term> {
    if (const auto* winch = spec.elements.find<rope::WinchSpec>(reference.name); winch && winch->drum)
      if (const auto at = assembly.coordinate({reference.name + ".angle", reference.where}))
        return Term{{at->q, at->u}, winch->drum->radius, false};
    if (const auto at = assembly.coordinate(reference)) return Term{{at->q, at->u}, 1, at->angle};
    return std::nullopt;
  };
  out.problem.outputs = OutputBuilder(plan, course, assembly, find).build_all(plan);
  if (!finish(*ground, course.over, problems, out)) return std::nullopt;
  for (PlannedInput& input : out.inputs)
    if (input.winch) input.feedforward = signal_named(*out.model, input.name);
  return out;
}

}  // namespace davit
