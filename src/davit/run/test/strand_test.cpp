// Lines of a user's own are drawn, watched and reported as those of the library: a cord in the place of a rope, and a
// spring that holds a vessel.
#include "davit/model/strand.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "davit/model/forces_with.hpp"
#include "davit/run/run.hpp"
#include "davit/scenario/kinds.hpp"
#include "davit/scene/scenario_scene.hpp"
#include "davit/statics/lift_at_rest.hpp"
#include "davit/statics/statics.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit {
namespace {

struct CordEnds {
  Frame from, to;

  template <class S>
  Vec3T<S> along(const KinT<S>& kin) const {
    return position(kin, to) - position(kin, from);
  }
  // Of a tension.
  template <class S>
  void pull(const KinT<S>& kin, const S& tension, LoadsT<S>& loads) const {
    const Vec3T<S> force = along(kin) * S(tension / along(kin).norm());
    const auto add = [&](const Frame& at, const Vec3T<S>& on) {
      if (at.body == 0) return;
      loads.add_force(at.body, Vec3T<S>(position(kin, at) - kin.body[static_cast<size_t>(at.body)].p), on);
    };
    add(from, force);
    add(to, Vec3T<S>(-force));
  }
};

// A straight elastic line; what it was made longer by is its discrete state.
class Cord final : public ForceOf<Cord>, public RiggingStrand {
 public:
  Cord(std::string name, CordEnds ends, std::string from, std::string to, double length, double EA, double mbl)
      : ForceOf(std::move(name)),
        ends_(ends),
        names_{std::move(from), std::move(to)},
        length_(length),
        EA_(EA),
        mbl_(mbl) {
    publish("tension", "N", "in the cord", [this](const ContextT<double>& c) { return tension(c); });
  }
  std::string summary() const override { return "elastic cord"; }
  std::vector<DiscreteSlot> discrete_slots() const override { return {{name(), 1, 1}}; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    ends_.pull(c.kin, tension_in(c), loads);
  }

  void draw(const ContextT<double>& c, Polyline& line) const override {
    line.vertices = {{position(c.kin, ends_.from), tension(c)}, {position(c.kin, ends_.to)}};
  }
  std::vector<Wheel> wheels() const override { return {{names_[0], ends_.from, 0.2}}; }
  std::vector<Place> places() const override {
    return {{names_[0], ends_.from.body, true}, {names_[1], ends_.to.body, true}};
  }
  void pulls(const ContextT<double>& c, std::vector<Pull>& out) const override {
    const Vec3 force = tension(c) * ends_.along(c.kin).normalized();
    out = {{0, force}, {1, Vec3(-force)}};
  }
  double tension(const ContextT<double>& c) const override { return tension_in(c); }
  double angle_to_vertical(const ContextT<double>& c) const override {
    const Vec3 d = ends_.along(c.kin);
    return std::atan2(d.head<2>().norm(), std::abs(d.z()));
  }
  std::optional<double> breaking_load() const override { return mbl_; }
  std::optional<double> stiffness() const override { return EA_; }
  double unstretched(const DiscreteState& discrete, int slot) const override {
    return length_ + (discrete.size(slot) > 0 ? discrete.record(slot, 0)[0] : 0);
  }
  void lengthen(DiscreteState& discrete, int slot, double by) const override {
    if (discrete.size(slot) == 0) discrete.insert(slot, 0);
    discrete.record(slot, 0)[0] += by;
  }
  Piece first_piece(const ContextT<double>& c) const override {
    return {ends_.along(c.kin).normalized(), tension(c), 0};
  }

 private:
  template <class S>
  S tension_in(const ContextT<S>& c) const {
    const S length(unstretched(c.discrete, c.first_slot));
    const S strain = (ends_.along(c.kin).norm() - length) / length;
    return value_of(strain) > 0 ? S(S(EA_) * strain) : S(0);
  }

  CordEnds ends_;
  std::array<std::string, 2> names_;
  double length_, EA_, mbl_;
};

struct CordSpec {
  input::Reference from, to;
  double length = 0, EA = 0, mbl = 0;

  static const input::Record<CordSpec>& record() {
    static const auto r = input::Record<CordSpec>("cord", "An elastic cord")
                              .field("from", &CordSpec::from, "its first end")
                              .field("to", &CordSpec::to, "its last end")
                              .field("length", &CordSpec::length, "m", "unstretched")
                              .field("EA", &CordSpec::EA, "N", "stiffness")
                              .field("mbl", &CordSpec::mbl, "N", "breaking load");
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    const auto a = assembly.frame(from), b = assembly.frame(to);
    if (a && b) assembly.add(std::make_shared<Cord>(name, CordEnds{*a, *b}, from.name, to.name, length, EA, mbl));
  }
};

// A spring that pulls as a mooring line of no weight does.
class Tether final : public ForceOf<Tether>, public MooringStrand {
 public:
  Tether(std::string name, CordEnds ends, double stiffness)
      : ForceOf(std::move(name)), ends_(ends), stiffness_(stiffness) {}
  std::string summary() const override { return "tether"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    ends_.pull(c.kin, S(S(stiffness_) * ends_.along(c.kin).norm()), loads);
  }
  void draw(const ContextT<double>& c, Polyline& line) const override {
    line.vertices = {{position(c.kin, ends_.from)}, {position(c.kin, ends_.to)}};
  }
  Loads loads(const ContextT<double>& c) const override {
    const double tension = stiffness_ * ends_.along(c.kin).norm();
    return {.tension = tension, .anchor_tension = tension};
  }
  void come_to_rest(DiscreteState&, int) const override {}

 private:
  CordEnds ends_;
  double stiffness_;
};

struct TetherSpec {
  input::Reference from, to;
  double stiffness = 0;

  static const input::Record<TetherSpec>& record() {
    static const auto r = input::Record<TetherSpec>("tether", "A spring that holds a vessel")
                              .field("from", &TetherSpec::from, "its anchor")
                              .field("to", &TetherSpec::to, "its fairlead")
                              .field("stiffness", &TetherSpec::stiffness, "N/m", "pull by its length");
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    const auto a = assembly.frame(from), b = assembly.frame(to);
    if (a && b) assembly.add(std::make_shared<Tether>(name, CordEnds{*a, *b}, stiffness));
  }
};

Scenario read_with_cords(const std::string& text) {
  static const bool registered = [] {
    registry().forces.add_kind<CordSpec>("cord");
    registry().forces.add_kind<TetherSpec>("tether");
    return true;
  }();
  EXPECT_TRUE(registered);
  input::Problems problems;
  auto scenario = parse_scenario(text, "lift.yaml", problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return *std::move(scenario);
}

// A load that falls into what it hangs on, aslant, with a tenth of a metre of slack.
std::string lift_by(const std::string& fall) {
  return "davit: 1\ntitle: a load on a line\n"
         "bodies:\n  top: {at: [1 m, 0, 12 m]}\n"
         "  load: {joint: free, mass: 1 t, inertia: [1 t m^2, 1 t m^2, 1 t m^2], points: {lug: [0, 0, 2 m]}}\n" +
         fall + "run: {duration: 2 s, step: 1 ms, method: rk4, frames: 10 Hz}\n";
}
const std::string by_rope = "ropes: {fall: {from: top, to: load.lug, length: 10.15 m, EA: 1 MN, mbl: 100 kN}}\n";
const std::string by_cord =
    "forces: {fall: {cord: {from: top, to: load.lug, length: 10.15 m, EA: 1 MN, mbl: 100 kN}}}\n";

result::RunSummary summary_of_run(const std::string& text) {
  const test::TempFolder folder;
  RunSettings settings;
  settings.directory = folder / "run";
  return run_scenario(read_with_cords(text), settings).summary;
}

TEST(Strand, AUsersLineIsReportedAsARopeIs) {
  const result::RunSummary rope = summary_of_run(lift_by(by_rope)), cord = summary_of_run(lift_by(by_cord));
  ASSERT_EQ(cord.ropes.size(), 1u);
  EXPECT_EQ(cord.ropes[0].name, "fall");
  EXPECT_GT(cord.ropes[0].largest, 10e3);
  EXPECT_NEAR(cord.ropes[0].largest, rope.ropes[0].largest, 1e-6 * rope.ropes[0].largest);
  EXPECT_EQ(cord.ropes[0].mbl, rope.ropes[0].mbl);
  EXPECT_EQ(cord.ropes[0].stiffness, rope.ropes[0].stiffness);
  EXPECT_EQ(cord.ropes[0].length, rope.ropes[0].length);
  ASSERT_EQ(cord.extremes.lugs.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(cord.extremes.lugs[i].lug, rope.extremes.lugs[i].lug);
    EXPECT_EQ(cord.extremes.lugs[i].body, rope.extremes.lugs[i].body);
    EXPECT_NEAR(cord.extremes.lugs[i].pull.size, rope.extremes.lugs[i].pull.size, 0.1);
    EXPECT_NEAR(cord.extremes.lugs[i].from_z(), rope.extremes.lugs[i].from_z(), 1e-6);
  }
  ASSERT_EQ(cord.extremes.hooks.size(), 1u);
  EXPECT_EQ(cord.extremes.hooks[0].name, "load");
  EXPECT_NEAR(cord.extremes.hooks[0].largest.value, rope.extremes.hooks[0].largest.value, 0.1);
}

TEST(Strand, AUsersLineIsDrawnAsARopeIs) {
  const Scenario scenario = read_with_cords(lift_by(by_cord));
  const auto scene = scene_of(scenario, scenario.initial_state());
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->scene.frames.lines, 1u);
  const auto document = nlohmann::json::parse(scene->scene.document);
  const auto& line = document["lines"][0];
  EXPECT_EQ(line["name"], "fall");
  EXPECT_EQ(line["kind"], "rope");
  EXPECT_EQ(line["mbl"], 100e3);
  int sheaves = 0;
  for (const auto& body : document["bodies"])
    for (const auto& shape : body["shapes"])
      if (shape["role"] == "sheave" && shape["rope"] == "fall" && shape["radius"] == 0.2) ++sheaves;
  EXPECT_EQ(sheaves, 1);
}

TEST(Strand, LoadsAtRestAreThoseOfARope) {
  const Scenario by_one = read_with_cords(lift_by(by_rope)), by_other = read_with_cords(lift_by(by_cord));
  const auto loads = [](const Scenario& scenario) {
    System system(*scenario.model);
    State start = scenario.initial_state();
    system.commit(start);
    const Equilibrium rest = find_rest(system, start);
    EXPECT_TRUE(rest.converged) << rest.why;
    return loads_at(scenario, system, rest.state);
  };
  const LoadsAtRest rope = loads(by_one), cord = loads(by_other);
  ASSERT_EQ(cord.ropes.size(), 1u);
  EXPECT_NEAR(cord.ropes[0].tension, 9806.65, 1e-3);
  EXPECT_NEAR(cord.ropes[0].angle, rope.ropes[0].angle, 1e-6);
  EXPECT_EQ(cord.ropes[0].mbl, 100e3);
  ASSERT_EQ(cord.ropes[0].ends.size(), 2u);
  EXPECT_EQ(cord.ropes[0].ends[1].at, "load.lug");
  EXPECT_NEAR((cord.ropes[0].ends[1].force - rope.ropes[0].ends[1].force).norm(), 0, 1e-2);
  ASSERT_EQ(cord.on_ropes.size(), 1u);
  EXPECT_NEAR(cord.on_ropes[0].carried, 9806.65, 1e-3);
}

TEST(Strand, AUsersMooringIsInTheStatics) {
  const Scenario scenario = read_with_cords(
      "davit: 1\ntitle: two tethers\nenvironment: {gravity: 0}\n"
      "bodies:\n  a: {at: [-10 m, 0, 0]}\n  b: {at: [30 m, 0, 0]}\n"
      "  float: {joint: free, mass: 1 t, inertia: [1 t m^2, 1 t m^2, 1 t m^2], points: {p: [-1 m, 0, 0], q: [1 m, 0, "
      "0]}}\n"
      "forces:\n  west: {tether: {from: a, to: float.p, stiffness: 1 kN/m}}\n"
      "  east: {tether: {from: b, to: float.q, stiffness: 1 kN/m}}\n"
      "run: {duration: 1 s, step: 10 ms}\n");
  EXPECT_TRUE(has_mooring_lines(*scenario.model));
  EXPECT_TRUE(forces_with<RiggingStrand>(*scenario.model).empty());
  const Statics statics = find_statics(scenario, {.vessel = "float"});
  ASSERT_TRUE(statics.equilibrium.converged) << statics.equilibrium.why;
  ASSERT_EQ(statics.lines.size(), 2u);
  EXPECT_EQ(statics.lines[0].name, "west");
  // In the middle: 40 m less the 2 m between the points, halved.
  EXPECT_NEAR(statics.lines[0].tension, 19e3, 1e-3);
  EXPECT_NEAR(statics.lines[1].tension, 19e3, 1e-3);
  EXPECT_NEAR(statics.place.x(), 10, 1e-6);
}

TEST(Strand, AUsersLineIsMadeLonger) {
  const Scenario scenario = read_with_cords(lift_by(by_cord));
  State state = scenario.initial_state();
  const auto cords = forces_with<RiggingStrand>(*scenario.model);
  ASSERT_EQ(cords.size(), 1u);
  cords[0].as->lengthen(state.discrete, cords[0].force->first_slot, 0.25);
  EXPECT_DOUBLE_EQ(cords[0].as->unstretched(state.discrete, cords[0].force->first_slot), 10.4);
}

}  // namespace
}  // namespace davit
