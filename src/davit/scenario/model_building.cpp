// The order in which a model is put together: bodies, surroundings, elements stage by stage, operation, limits.
#include "davit/scenario/model_building.hpp"

#include "davit/assembly/element_specs.hpp"
#include "davit/force/gravity.hpp"
#include "davit/operation/resolve.hpp"
#include "davit/scenario/invalid_elements.hpp"
#include "davit/scenario/limits.hpp"
#include "davit/scenario/plausibility.hpp"
#include "davit/scenario/surroundings.hpp"
#include "davit/scenario/tracked_plans.hpp"
#include "davit/scenario/wave_probes.hpp"
#include "davit/sea/wave_field.hpp"

namespace davit {

using input::Problems;

std::vector<Frame> add_bodies(const input::Named<BodySpec>& bodies, const Bodies& parts, double gravity,
                              Assembly& assembly) {
  if (!parts.particles.empty()) assembly.add_particles(parts.particles);
  for (const Body& body : parts.of_directors) assembly.add_director_body(body);
  std::vector<Frame> frames;
  std::vector<Gravity::Weight> weights;
  for (const auto& [name, body] : bodies) {
    frames.push_back(assembly.body_frame(name).value());
    for (const auto& [point, at] : body.points) assembly.add_point(name, point, at);
    assembly.add_value(name + ".mass", body.mass, "kg");
    assembly.add_value(name + ".weight", body.mass * gravity, "N");
    const Frame& frame = frames.back();
    if (!body.weightless && body.mass > 0) weights.push_back({frame.body, body.mass, frame.offset * body.centre});
  }
  if (gravity > 0 && !weights.empty())
    assembly.add(std::make_shared<Gravity>(Vec3(0, 0, -gravity), std::move(weights)));
  return frames;
}

std::vector<result::ChannelInfo> channels_of(const Model& model) {
  std::vector<result::ChannelInfo> channels;
  for (const Channel& c : model.channels()) channels.push_back(info_of(c));
  for (const auto& c : channels_of_every_run()) channels.push_back(c);
  return channels;
}

void surround(const Model& model, const Surroundings& given, Scenario& out, Problems& problems) {
  out.environment = model.make_environment(given);
  for (const auto& check : out.environment_checks) check(*out.environment, problems);
  const auto waves = given.find<sea::Waves>();
  out.wave_ramp = out.feels_waves && waves ? wave_ramp_of(out.specification, *waves) : 0;
}

std::unique_ptr<Model> build_model(const Resolution& resolved, Scenario& out, Problems& problems) {
  const Specification& spec = out.specification;
  Assembly assembly(out.tree, problems, InvalidElements(problems).names);
  assembly.set_gravity(spec.environment.gravity);
  assembly.notes<vessel::Fleet>().hydrodynamics.insert(resolved.hulls.begin(), resolved.hulls.end());
  out.body_frames = add_bodies(out.bodies, resolved.parts, spec.environment.gravity, assembly);
  assembly.share(plans_to_track(out, problems));
  for (const BuildStage stage : build_stages) declare(registry(), spec.elements, stage, assembly);
  operation::Plan plan =
      operation::plan_operation(spec.operation, spec.run.duration, spec.levers.has_value(), assembly);
  assembly.doubt(InvalidElements(problems).names);
  const auto build_stage = [&](BuildStage stage) { build(registry(), spec.elements, stage, assembly); };
  build_stage(BuildStage::surfaces);
  check_surface_sizes(out, assembly);
  const Surroundings around = surroundings_of(spec, problems);
  share_environment(spec.environment, around, assembly);
  if (spec.levers) share_weather_signals(spec.environment, assembly);
  add_wave_probes(spec.environment, assembly);
  for (const BuildStage stage : {BuildStage::hulls, BuildStage::constraints, BuildStage::forces, BuildStage::winches,
                                 BuildStage::ropes, BuildStage::control})
    build_stage(stage);
  complete(registry(), assembly);
  build_stage(BuildStage::measurements);
  const bool afloat = !spec.elements.of<vessel::VesselSpec>().empty();
  const EquilibriumWish wish =
      spec.run.from_equilibrium.value_or(afloat ? EquilibriumWish::attempt : EquilibriumWish::no);
  out.from_equilibrium = wish != EquilibriumWish::no;
  out.needs_equilibrium = wish == EquilibriumWish::yes;
  out.modes = spec.run.modes;
  if (spec.run.offset)
    for (const auto& [joint, by] : spec.run.offset->targets)
      if (const auto at = assembly.coordinate(joint))
        out.offsets.push_back({at->q, assembly.joint_quantity(by, *at, "rad", "m")});
  check_environment_is_felt(spec.environment, afloat, assembly);
  out.feels_waves = afloat || assembly.was_asked_for<sea::WaveField>();
  std::unique_ptr<Model> model = assembly.finish();
  if (!InvalidElements(problems).elements) assembly.check(*model);
  out.environment_checks = assembly.environment_checks();
  out.values = assembly.values();
  surround(*model, around, out, problems);

  const InvalidElements invalid(problems);
  const auto is_doubtful = [&](const std::string& element) {
    return invalid.section || (element.empty() ? invalid.elements : invalid.names.count(element) > 0);
  };
  const Limitable limitable{channels_of(*model), out.values, out.wave_ramp, is_doubtful};
  const auto bound = [&](const input::Threshold& threshold, const Channel& channel) {
    return bound_of(threshold, info_of(channel), limitable, problems);
  };
  out.operation =
      operation::resolve_operation(std::move(plan), {*model, bound, is_doubtful, spec.run.duration}, problems);
  resolve_limits(limitable, out, problems);
  out.rigging = resolve_rigging(out, *model, invalid.names, problems);
  return model;
}

}  // namespace davit
