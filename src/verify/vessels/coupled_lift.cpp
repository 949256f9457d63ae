#include "verify/vessels/coupled_lift.hpp"

#include <fmt/format.h>

#include "davit/input/document.hpp"
#include "davit/input/overlay.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::verify {

namespace {

constexpr const char* corners[] = {"fp", "fs", "ap", "as"};

// Springs and dampers under the corners of the block, which push and never pull.
class ElasticQuay final : public ForceOf<ElasticQuay> {
 public:
  ElasticQuay(std::vector<Frame> points, double stiffness, double damping)
      : ForceOf("elastic quay"), points_(std::move(points)), stiffness_(stiffness), damping_(damping) {}
  std::string summary() const override { return "springs and dampers that push"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    for (const Frame& point : points_) {
      const auto& body = c.kin.body[static_cast<size_t>(point.body)];
      const Vec3T<S> arm = body.R * as<S>(point.offset.p);
      const S depth = S(CoupledLift::quay_place().z()) - body.p.z() - arm.z();
      const S rise = body.v.z() + body.w.cross(arm).z();
      const S force = S(stiffness_) * depth - S(damping_) * rise;
      if (depth > S(0) && force > S(0)) loads.add_force(point.body, arm, Vec3T<S>(S(0), S(0), force));
    }
  }

 private:
  std::vector<Frame> points_;
  double stiffness_, damping_;
};

BuiltByProgram elastic_quay(double stiffness) {
  return {[stiffness](const std::string&, Assembly& assembly) {
    std::vector<Frame> points;
    for (const char* corner : corners) points.push_back(*assembly.frame({fmt::format("block.foot_{}", corner), {}}));
    // Twice critical for a quarter of the block: it lands without a rebound, as on a contact without restitution.
    const double damping = 4 * std::sqrt(stiffness * CoupledLift::block_mass / 4);
    assembly.add(std::make_shared<ElasticQuay>(points, stiffness, damping));
  }};
}

}  // namespace

Scenario CoupledLift::scenario() const {
  input::Problems problems;
  auto root = input::load_with_base(in_source("scenarios/lift_off_quay.yaml"), problems);
  if (!root) throw std::runtime_error(problems.to_text());
  const auto set = [&](const std::string& setting) { input::apply_setting(*root, setting, problems); };
  const auto erase = [](input::Node& from, std::string_view first) {
    std::erase_if(from.entries, [&](const auto& e) { return e.key.starts_with(first); });
  };
  set("operation=[{at: 1 s, over: 10 s, move: {main: -3 m}}]");
  set("winches.main.limits={speed: 1 m/s, acceleration: 1 m/s^2}");
  set("vessels.barge.wave_ramp=2 s");
  erase(*root, "limits");
  set(fmt::format("run={{duration: {} s, tolerance: 1e-10, method: {}}}", duration, method));
  if (step > 0) set(fmt::format("run.step={:.17g} s", step));
  if (quay != Quay::rough) erase(*root->find("ropes"), "tag");  // they would draw the block over a smooth quay
  if (quay == Quay::smooth)
    for (const char* corner : corners) set(fmt::format("constraints.quay_{}.contact.friction=0", corner));
  if (quay == Quay::elastic || quay == Quay::none) erase(*root, "constraints");
  if (taut || quay == Quay::none) {
    // Some of it goes when the barge sinks under its crane.
    const double part = quay == Quay::none ? 1 : 0.75;
    set(fmt::format("ropes.hoist.tension={} kN", 147 + part * 3923));
    for (const char* corner : corners) set(fmt::format("ropes.sling_{}.tension={} kN", corner, part * 1166));
  }
  if (directors)
    for (const char* body : {"hook", "block"}) {
      erase(*root->find("bodies")->find(body), "joint");
      set(fmt::format("bodies.{}.coordinates=directors", body));
    }
  input::Named<BuiltByProgram> own;
  if (quay == Quay::elastic) own.emplace_back("elastic quay", elastic_quay(stiffness));
  auto scenario = build_scenario(*root, "lift_off_quay.yaml", own, problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return *std::move(scenario);
}

ScenarioRun CoupledLift::at_rest() const {
  // One equilibrium for all formulations: that of tree joints and contacts.
  CoupledLift joints{.quay = quay == Quay::elastic ? Quay::smooth : quay, .taut = taut};
  ScenarioRun still(joints.scenario());
  const Equilibrium rest = find_equilibrium(still.system(), still.state());
  if (!rest.converged) throw std::runtime_error("the lift has no equilibrium: " + rest.why);
  ScenarioRun run(scenario());
  run.state().z = rest.state.z;
  if (directors) {
    run.state().q.head(run.scenario().tree->nq()) = rest.state.q.head(run.scenario().tree->nq());
    still.state() = rest.state;
    const Kin& kin = still.look();
    int first = run.scenario().tree->nq();
    for (const char* name : {"hook", "block"}) {
      const TreeBody& b = still.scenario().tree->body(name);
      const auto& segment = kin.body[static_cast<size_t>(b.last_segment)];
      const Mat3 R = segment.R * b.frame.R;
      run.state().q.segment<12>(first) << segment.p + segment.R * (b.frame * b.body.centre), R.col(0), R.col(1),
          R.col(2);
      first += 12;
    }
  } else {
    run.state().q = rest.state.q;
  }
  run.begin();
  return run;
}

void step_in_parts(ScenarioRun& run, double h, const std::function<void(double)>& after) {
  const State before = run.state();
  const long halved = run.rejected();
  run.step(h);
  if (run.rejected() == halved) return after(h);
  run.state() = before;
  step_in_parts(run, h / 2, after);
  step_in_parts(run, h / 2, after);
}

}  // namespace davit::verify
