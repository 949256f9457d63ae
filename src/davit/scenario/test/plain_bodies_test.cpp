// Particles and director bodies in a file: what they are read as, and that one lift moves alike in all coordinates.
#include <fmt/format.h>

#include "davit/scenario/test/support.hpp"

namespace davit::test {
namespace {

// The values of some channels at the end of a run, and the energy at every output.
struct End {
  VecX values;
  std::vector<double> energy;
};

End run_to_end(const std::string& text, const std::vector<std::string>& channels) {
  struct Energies final : Observer {
    std::vector<double> all;
    void record(const State& s, System& system) override {
      const auto e = system.energy(s);
      all.push_back(e.kinetic + e.potential);
    }
  };
  const Scenario s = read_lift(text);
  System system(*s.model);
  State state = s.initial_state();
  const auto stepper = s.make_stepper();
  Energies energies;
  const RunOutcome outcome = simulate(system, *stepper, state, s.options, energies);
  EXPECT_EQ(outcome.status, RunStatus::complete) << outcome.element << ": " << outcome.why;
  EXPECT_TRUE(system.evaluate(state));
  End end{VecX::Zero(static_cast<Eigen::Index>(channels.size())), energies.all};
  for (size_t i = 0; i < channels.size(); ++i) {
    const auto& all = s.model->channels();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Channel& c) { return c.name == channels[i]; });
    if (found == all.end())
      ADD_FAILURE() << "no channel " << channels[i];
    else
      end.values[static_cast<Eigen::Index>(i)] = found->value(state, system.workspace());
  }
  return end;
}

double largest(const VecX& x) { return x.cwiseAbs().maxCoeff(); }

const std::vector<std::string> of_crate = {"crate.position_x", "crate.position_y", "crate.position_z", "crate.lug.x",
                                           "crate.lug.y",      "crate.lug.z",      "rope.reaction.Fz", "stay.tension"};

// A crate with its centre off its frame, askew and spinning, on a rope from a boom that falls, a spring to the ground
// and a wind in its own axes.
std::string crate(const std::string& coordinates, const std::string& run) {
  return lift(
      "  boom: {at: [0, 0, 8 m], joint: {revolute: y}, mass: 500 kg, centre: [2 m, 0, 0],\n"
      "    cylinder: {radius: 0.2 m, length: 4 m, axis: x}, points: {tip: [4 m, 0, 0]}}\n"
      "  crate: {" +
          coordinates +
          ", at: [4 m, 0.5 m, 4 m], turn: [{z: 30 deg}, {x: 10 deg}], mass: 900 kg, centre: [0.1 m, 0, -0.2 m],\n"
          "    box: {size: [2 m, 1 m, 1.4 m]}, points: {lug: [0.3 m, 0, 0.7 m]},\n"
          "    start: {yaw: 20 deg, y: -0.2 m, roll_rate: 0.2 rad/s, yaw_rate: -0.5 rad/s}}\n",
      "constraints: {rope: {rod: {from: boom.tip, to: crate.lug}}}\n"
      "forces:\n"
      "  stay: {line: {from: world, to: crate, length: 3 m, stiffness: 2 kN/m, damping: 100 N s/m,\n"
      "    tension_only: false}}\n"
      "  wind: {wrench: {on: crate, force: [0, 300 N, 0], moment: [0, 0, 50 N m], axes: body}}\n",
      run);
}

TEST(PlainBodies, ADirectorBodyMovesAsAFreeBody) {
  const std::string run = "{duration: 2 s, method: dopri5, tolerance: 1e-11}";
  const End tree = run_to_end(crate("joint: free", run), of_crate);
  const End directors = run_to_end(crate("coordinates: directors", run), of_crate);
  EXPECT_LT(largest((directors.values - tree.values).head(6)), 1e-7);
  EXPECT_LT(largest((directors.values - tree.values).tail(2)), 1e-7 * largest(tree.values.tail(2)));
}

TEST(PlainBodies, TheConservingMethodHasOrderTwoOnThem) {
  const VecX exact =
      run_to_end(crate("joint: free", "{duration: 1 s, method: dopri5, tolerance: 1e-11}"), of_crate).values.head(6);
  const auto error = [&](const char* step) {
    const std::string run = fmt::format("{{duration: 1 s, method: conserving, step: {}}}", step);
    return largest(run_to_end(crate("coordinates: directors", run), of_crate).values.head(6) - exact);
  };
  const double coarse = error("10 ms"), fine = error("5 ms");
  EXPECT_LT(coarse, 1e-2);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// A ball that hangs by its centre: it moves alike as a free body, in directors and as a particle.
std::string pendulum(const std::string& coordinates, const std::string& run) {
  return lift("  ball: {" + coordinates + ", mass: 50 kg, at: [3 m, 0, 5 m], start: {x: -0.5 m, y_rate: 1.5 m/s}}\n",
              "constraints: {rope: {rod: {from: world, to: ball}}}\n"
              "forces: {pull: {wrench: {on: ball, force: [0, 20 N, 0]}}}\n",
              run);
}

TEST(PlainBodies, AParticleMovesAsABallHeldByItsCentre) {
  const std::vector<std::string> channels = {"ball.position_x", "ball.position_y", "ball.position_z"};
  const std::string run = "{duration: 3 s, method: dopri5, tolerance: 1e-11}";
  const VecX particle = run_to_end(pendulum("coordinates: particle", run), channels).values;
  const VecX directors = run_to_end(pendulum("coordinates: directors, sphere: {radius: 0.2 m}", run), channels).values;
  const VecX tree = run_to_end(pendulum("joint: free, sphere: {radius: 0.2 m}", run), channels).values;
  EXPECT_LT(largest(particle - tree), 1e-7);
  EXPECT_LT(largest(directors - tree), 1e-7);
  EXPECT_NEAR(particle.norm(), std::hypot(2.5, 5), 1e-9);  // the rope's length
}

// A crate that is thrown with a stone at its corner: welded on in a tree, or a particle on a ball, from either end.
TEST(PlainBodies, ABallHoldsAParticleAsAWeldDoes) {
  const auto thrown = [](const std::string& coordinates, const std::string& stone, const std::string& more) {
    return run_to_end(lift("  crate: {" + coordinates +
                               ", mass: 9 kg, box: {size: [2 m, 1 m, 1.4 m]}, points: {corner: [1 m, 0.5 m, 0.7 m]},\n"
                               "    start: {x_rate: 1 m/s, roll_rate: 0.7 rad/s, yaw_rate: 1.2 rad/s}}\n"
                               "  stone: {mass: 4 kg, at: [1 m, 0.5 m, 0.7 m], " +
                               stone + "}\n",
                           more, "{duration: 2 s, method: dopri5, tolerance: 1e-11}"),
                      {"crate.position_x", "crate.position_y", "crate.position_z", "crate.corner.x", "crate.corner.y",
                       "crate.corner.z"})
        .values;
  };
  const VecX welded = thrown("joint: free", "on: crate, joint: fixed", "");
  // v = v₀ + ω × r of the corner
  const std::string particle = "coordinates: particle, start: {x_rate: 0.4 m/s, y_rate: 0.71 m/s, z_rate: 0.35 m/s}";
  for (const char* crate : {"joint: free", "coordinates: directors"})
    for (const char* ends : {"from: crate.corner, to: stone", "from: stone, to: crate.corner"})
      EXPECT_LT(largest(thrown(crate, particle, fmt::format("constraints: {{c: {{ball: {{{}}}}}}}", ends)) - welded),
                1e-7)
          << crate << ", " << ends;
}

constexpr const char* hook_and_load =
    "  hook: {coordinates: particle, mass: 30 kg, at: [1 m, 0, -3 m], start: {y_rate: 0.6 m/s}}\n"
    "  load: {coordinates: directors, mass: 400 kg, box: {size: [2 m, 1 m, 0.8 m]}, at: [1 m, 0, -5 m],\n"
    "    start: {y_rate: 1 m/s, yaw_rate: 0.4 rad/s}, points: {a: [0.8 m, 0, 0.4 m], b: [-0.8 m, 0, 0.4 m]}}\n";
constexpr const char* ropes =
    "constraints:\n"
    "  rope: {rod: {from: world, to: hook}}\n"
    "  sling_a: {rod: {from: hook, to: load.a}}\n"
    "  sling_b: {rod: {from: hook, to: load.b}}\n";

TEST(PlainBodies, EnergyIsKeptByTheMethodsForConstantMass) {
  const auto drift = [](const std::string& method, const char* step) {
    const End end = run_to_end(
        lift(hook_and_load, ropes, fmt::format("{{duration: 5 s, step: {}, method: {}}}", step, method)), {});
    double most = 0;
    for (double e : end.energy) most = std::max(most, std::abs(e - end.energy[0]));
    return most;
  };
  const double swing = 430 * 9.80665 * 0.3;  // the energy that goes to and fro, roughly
  EXPECT_LT(drift("energy_momentum", "20 ms"), 1e-8 * swing);
  EXPECT_LT(drift("conserving", "20 ms"), 1e-8 * swing);
  // Symplectic: not kept, and the error is of second order.
  const double coarse = drift("variational_midpoint", "20 ms"), fine = drift("variational_midpoint", "10 ms");
  EXPECT_LT(coarse, 0.05 * swing);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

TEST(PlainBodies, AreCountedAsTheFileNamesThem) {
  const Scenario s = read_lift(lift(hook_and_load, ropes));
  EXPECT_EQ(s.degrees_of_freedom, 3 + 6 - 3);
  EXPECT_EQ(s.model->nu(), 3 + 12);
  EXPECT_EQ(s.model->body_names(), (std::vector<std::string>{"world", "hook", "load"}));
  ASSERT_EQ(s.named_constraints().size(), 3u);
  EXPECT_EQ(s.named_constraints()[0].name, "rope");
  EXPECT_EQ(s.model->constraints().size(), 4u);  // with the rigidity of the load
  EXPECT_EQ(s.method, "conserving");
}

TEST(PlainBodies, FallUnlessWeightless) {
  const Scenario s =
      read_lift(lift("  a: {coordinates: particle, mass: 2 kg}\n"
                     "  b: {coordinates: particle, mass: 2 kg, weightless: true}\n"
                     "  c: {coordinates: directors, mass: 2 kg, inertia: [1, 1, 1], centre: [1 m, 0, 0]}\n"));
  const VecX a = accelerations(s);
  EXPECT_NEAR(a[2], -9.80665, 1e-14);
  EXPECT_EQ(a[5], 0);
  EXPECT_NEAR(a[8], -9.80665, 1e-13);
  EXPECT_LT(largest(a.tail(9)), 1e-13);  // gravity does not turn it
}

TEST(PlainBodies, APointRestsOnAPlane) {
  const End end = run_to_end(lift("  stone: {coordinates: particle, mass: 2 kg, at: [0, 0, 0.5 m],\n"
                                  "    start: {x_rate: 1 m/s}}\n",
                                  "constraints: {ground: {contact: {surface: world, point: stone, friction: 0.5}}}\n",
                                  "{duration: 2 s, step: 5 ms}"),
                             {"stone.position_z", "stone.velocity_x", "ground.normal"});
  EXPECT_NEAR(end.values[0], 0, 1e-6);
  EXPECT_NEAR(end.values[1], 0, 1e-8);
  EXPECT_NEAR(end.values[2], 2 * 9.80665, 1e-6);
}

}  // namespace
}  // namespace davit::test
