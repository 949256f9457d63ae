#include "davit/scenario/plan_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/constraint/joint_combination.hpp"
#include "davit/constraint/joint_specs.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/replay.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"
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

// Bodies with vessels held where they are, gravity, constraints and forces.
std::optional<Ground> lay_ground(const Scenario& scenario, input::Problems& problems) {
  Ground out;
  out.spec = scenario.specification;
  input::Named<BodySpec> bodies = scenario.bodies;
  for (auto& [name, body] : bodies)
    if (out.spec.elements.find<vessel::VesselSpec>(name)) {
      body.joint = JointSpec{};
      body.joint->fixed = input::Nothing{};
      body.start.clear();
    }
  const Bodies parts = build_bodies(bodies, {}, problems);
  if (problems.has_errors()) return std::nullopt;
  out.tree = std::make_shared<Tree>(parts.of_tree);
  out.spec.elements.erase(registry().constraints, drives_of_inputs(out.spec));
  leave_out_wind(out);
  out.assembly = std::make_unique<Assembly>(out.tree, problems);
  out.assembly->set_gravity(out.spec.environment.gravity);
  add_bodies(bodies, parts, out.spec.environment.gravity, *out.assembly);
  build(registry(), out.spec.elements, BuildStage::constraints, *out.assembly);
  build(registry(), out.spec.elements, BuildStage::forces, *out.assembly);
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

// A value at rest at the points of a way, with a time for each piece in proportion to its length.
Motion way(const std::vector<double>& points, const std::vector<double>& times, const Profile& profile) {
  Motion m(points.front());
  for (size_t i = 1; i < points.size(); ++i)
    if (times[i] > times[i - 1])
      m.move(times[i - 1], times[i] - times[i - 1], points[i],
             {profile.smoothness, std::min(profile.ramp, 0.5 * (times[i] - times[i - 1]))});
  return m;
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
  OutputBuilder(const PlanSpec& plan, double over, int smoothness, Assembly& assembly, FindTerm find)
      : profile_{smoothness, plan.ramp},
        over_(over),
        assembly_(assembly),
        find_(std::move(find)),
        q_(assembly.start_coordinates()),
        start_(assembly.start_kinematics()) {
    start_.q = q_.data();
  }

  // Those without mistakes, which are reported.
  std::vector<inverse_dynamics::Output> build_all(const PlanSpec& plan) {
    std::vector<inverse_dynamics::Output> all;
    for (const auto& [name, output] : plan.outputs)
      if (auto built = build(name, output)) all.push_back(std::move(*built));
    return all;
  }

 private:
  std::optional<inverse_dynamics::Output> build(const std::string& name, const OutputSpec& spec) {
    if (spec.point) return place(name, spec);
    if (spec.turn) return orientation(name, spec);
    if (spec.combination) return combination(name, spec);
    return offset(name, spec);
  }
  inverse_dynamics::Output output(const std::string& name, std::shared_ptr<const Geometry> rows) const {
    return {name, std::move(rows), profile_.smoothness};
  }
  std::optional<inverse_dynamics::Output> place(const std::string& name, const OutputSpec& spec) {
    const auto frame = assembly_.frame(*spec.point);
    if (!frame) return std::nullopt;
    std::vector<Vec3> stops{position(start_, *frame)};
    stops.insert(stops.end(), spec.via.begin(), spec.via.end());
    stops.push_back(spec.to ? *spec.to : Vec3(stops.front() + spec.by.value_or(Vec3::Zero())));
    const auto followed = [&](int axis) { return spec.along.find("xyz"[axis]) != std::string::npos; };
    std::vector<double> lengths{0};
    for (size_t i = 1; i < stops.size(); ++i) {
      Vec3 piece = stops[i] - stops[i - 1];
      for (int k = 0; k < 3; ++k)
        if (!followed(k)) piece[k] = 0;
      lengths.push_back(lengths.back() + piece.norm());
    }
    std::vector<double> times;
    for (size_t i = 0; i < lengths.size(); ++i)
      times.push_back(over_ *
                      (lengths.back() > 0 ? lengths[i] / lengths.back() : double(i) / double(lengths.size() - 1)));
    std::vector<PlaceServo::Along> along;
    for (int k = 0; k < 3; ++k) {
      if (!followed(k)) continue;
      std::vector<double> points;
      for (const Vec3& stop : stops) points.push_back(stop[k]);
      along.push_back({Vec3::Unit(k), way(points, times, profile_)});
    }
    return output(name, std::make_shared<PlaceServo>(*frame, std::move(along)));
  }
  std::optional<inverse_dynamics::Output> orientation(const std::string& name, const OutputSpec& spec) {
    const auto frame = assembly_.frame(*spec.turn);
    if (!frame || !assembly_.can_rotate(*frame, *spec.turn)) return std::nullopt;
    return output(name,
                  std::make_shared<OrientationServo>(*frame, rotation(start_, *frame), spec.axis.direction.normalized(),
                                                     way({0, spec.angle.value_or(0)}, {0, over_}, profile_)));
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
    return output(name, std::make_shared<CoordinateServo>(std::move(terms), changed(value, spec, angle ? "rad" : "m")));
  }
  std::optional<inverse_dynamics::Output> offset(const std::string& name, const OutputSpec& spec) {
    const auto from = assembly_.frame(spec.offset[0]), to = assembly_.frame(spec.offset[1]);
    if (!from || !to) return std::nullopt;
    const Vec3 direction = spec.axis.direction.normalized();
    const double value = direction.dot(position(start_, *to) - position(start_, *from));
    return output(name, std::make_shared<OffsetServo>(*from, *to, direction, changed(value, spec, "m")));
  }
  Motion changed(double value, const OutputSpec& spec, const char* unit) {
    const double by =
        spec.change ? input::require(*spec.change, input::unit(unit), assembly_.problems()).value_or(0) : 0;
    return way({value, value + by}, {0, over_}, profile_);
  }

  Profile profile_;
  double over_;
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

std::optional<PlanModel> build_plan_model(const Scenario& scenario, double over, int smoothness,
                                          input::Problems& problems) {
  auto ground = lay_ground(scenario, problems);
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
  for (const auto& [vessel, of] : spec.elements.of<vessel::VesselSpec>())
    out.notes.push_back("'" + vessel + "' stays where it is at the start");
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
  out.problem.outputs = OutputBuilder(plan, over, smoothness, assembly, find).build_all(plan);
  std::vector<Feedforward::Channel> feedforward;
  for (size_t i = 0; i < out.inputs.size() && i < out.problem.inputs.size(); ++i) {
    assembly.add_target(out.inputs[i].name + ".force", out.inputs[i].unit);
    out.inputs[i].feedforward = assembly.take_signal(out.inputs[i].name + ".force", 0);
    feedforward.push_back({out.inputs[i].feedforward, out.problem.inputs[i]});
  }
  assembly.add(std::make_shared<Feedforward>("plan", std::move(feedforward)));
  if (!finish(*ground, over, problems, out)) return std::nullopt;
  return out;
}

std::optional<PlaybackModel> build_playback_model(const Scenario& scenario, double over, int smoothness,
                                                  input::Problems& problems) {
  auto ground = lay_ground(scenario, problems);
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
  out.problem.outputs = OutputBuilder(plan, over, smoothness, assembly, find).build_all(plan);
  if (!finish(*ground, over, problems, out)) return std::nullopt;
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    if (is_winch(spec, plan.inputs[i].name)) out.signals[i] = signal_named(*out.model, plan.inputs[i].name);
  return out;
}

std::optional<PlanModel> build_elastic_plant(const Scenario& scenario, double over, int smoothness,
                                             input::Problems& problems) {
  auto ground = lay_ground(scenario, problems);
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
  out.problem.outputs = OutputBuilder(plan, over, smoothness, assembly, find).build_all(plan);
  if (!finish(*ground, over, problems, out)) return std::nullopt;
  for (PlannedInput& input : out.inputs)
    if (input.winch) input.feedforward = signal_named(*out.model, input.name);
  return out;
}

}  // namespace davit
