// Position keeping: what a steady force, waves and limits of thrust do to it, and the poles of the closed loop.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <complex>

#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/scenario/test/vessel_support.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

using namespace test;

std::string keeping(const std::string& how) { return "hydrodynamics: " + barge + ", position_keeping: {" + how + "}"; }

// M + A(0), surge, sway and yaw.
Vec3 slow_mass() {
  const hydro::Database db = hydro::read_database(barge);
  const hydro::MassProperties& loading = *db.bodies[0].loading;
  const Mat6& A = *db.added_mass_zero;
  const double yaw = loading.inertia(2, 2) + loading.mass * loading.centre.head<2>().squaredNorm();
  return {loading.mass + A(0, 0), loading.mass + A(1, 1), yaw + A(5, 5)};
}

const std::string steady = "forces: {tug: {wrench: {on: ship, force: [3e5 N, 2e5 N, 0], moment: [0, 0, 4e6 N m]}}}";

TEST(PositionKeeping, NoOffsetUnderASteadyForce) {
  for (const char* filter : {"0 s", "9 s"}) {
    const Read read("", keeping(fmt::format("period: 60 s, integral: 100 s, wave_filter: {}", filter)), steady,
                    "step: 0.2 s");
    ASSERT_TRUE(read.scenario) << read.problems.to_text();
    const State later = run(*read.scenario, 1500, 0.2);
    EXPECT_NEAR(channel(*read.scenario, later, "ship.position_x"), 0, 1e-3) << filter;
    EXPECT_NEAR(channel(*read.scenario, later, "ship.position_y"), 0, 1e-3) << filter;
    EXPECT_NEAR(channel(*read.scenario, later, "ship.yaw"), 0, 1e-5) << filter;
    EXPECT_NEAR(channel(*read.scenario, later, "ship.thrust_surge"), -3e5, 300) << filter;
    EXPECT_NEAR(channel(*read.scenario, later, "ship.thrust_yaw"), -4e6, 4000) << filter;
    // Equilibrium knows it at once, and that the vessel is held.
    System system(*read.scenario->model);
    const Equilibrium rest = find_equilibrium(system, read.scenario->initial_state());
    ASSERT_TRUE(rest.converged) << rest.why;
    EXPECT_TRUE(rest.free_motions.empty()) << rest.free_motions.front();
    EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.position_y"), 0, 1e-6) << filter;
  }
}

TEST(PositionKeeping, OffsetOfASpringWithoutIntegral) {
  const double rate = 2 * pi / 60;
  for (const char* filter : {"0 s", "9 s"}) {
    const Read read("", keeping(fmt::format("period: 60 s, integral: 0 s, wave_filter: {}", filter)), steady,
                    "step: 0.2 s");
    ASSERT_TRUE(read.scenario) << read.problems.to_text();
    System system(*read.scenario->model);
    const Equilibrium rest = find_equilibrium(system, read.scenario->initial_state());
    ASSERT_TRUE(rest.converged) << rest.why;
    EXPECT_TRUE(rest.free_motions.empty());
    EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.position_x"), 3e5 / (rate * rate * slow_mass()[0]), 1e-4);
    EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.yaw"), 4e6 / (rate * rate * slow_mass()[2]), 1e-6);
  }
}

// Eigenvalues of the whole model about its start.
Eigen::VectorXcd poles(const Scenario& scenario) {
  System system(*scenario.model);
  State start = scenario.initial_state();
  system.commit(start);
  const Linearisation l = system.linearise(start, VecX::Zero(scenario.model->nu()), VecX());
  const Eigen::Index n = l.M.rows(), m = l.phi_z.rows();
  const MatX inverse = l.M.inverse();
  MatX A = MatX::Zero(2 * n + m, 2 * n + m);
  A.block(0, n, n, n).setIdentity();
  A.block(n, 0, n, n) = -inverse * l.K;
  A.block(n, n, n, n) = -inverse * l.D;
  A.block(n, 2 * n, n, m) = -inverse * l.F_z;
  A.block(2 * n, 0, m, n) = l.phi_q;
  A.block(2 * n, n, m, n) = l.phi_u;
  A.block(2 * n, 2 * n, m, m) = l.phi_z;
  return A.eigenvalues();
}

// For every vessel of the project: all poles are stable, and three are those of the slow motion asked for. Sway and yaw
// are coupled, radiation damps and its added mass is not that of zero frequency, so they are not exactly there.
TEST(PositionKeeping, PolesOfTheClosedLoop) {
  for (const char* name : {"supply_ship", "barge_59x22", "barge_110x46_18851t", "barge_110x46_19449t", "barge_183x70"})
    for (const auto& [period, filter] : {std::pair{40.0, 0.0}, {40.0, 5.0}, {40.0, 15.0}, {70.0, 9.0}, {200.0, 7.0}}) {
      const std::string ship = fmt::format(
          "hydrodynamics: {}, roll_damping: 0.02, position_keeping: {{period: {} s, damping: 0.7, "
          "wave_filter: {} s}}",
          in_source(std::string("vessels/") + name + ".h5"), period, filter);
      const Read read("", ship, "", "step: 0.1 s");
      ASSERT_TRUE(read.scenario) << read.problems.to_text();
      const Eigen::VectorXcd found = poles(*read.scenario);
      const std::complex<double> asked = std::polar(2 * pi / period, pi - std::acos(0.7));
      std::vector<double> distance;
      for (const auto& p : found) {
        EXPECT_LT(p.real(), -1e-4) << name << ' ' << period << ' ' << filter;
        distance.push_back(std::abs(p - asked) / std::abs(asked));
      }
      std::sort(distance.begin(), distance.end());
      EXPECT_LT(distance[2], 0.15) << name << ' ' << period << ' ' << filter;
    }
}

// The thrust in regular waves, at the period of the filter and off it, with and without.
TEST(PositionKeeping, LeavesWavesAlone) {
  for (const double period : {7.2, 9.0, 11.0}) {
    double thrust[2];
    for (const bool filtered : {false, true}) {
      const double step = period / 60;
      const Read read(fmt::format("waves: {{spectrum: regular, height: 1 m, period: {} s, heading: 120 deg}}", period),
                      keeping(fmt::format("period: 80 s, wave_filter: {} s", filtered ? 9 : 0)) + ", drift: none", "",
                      fmt::format("step: {:.15g} s", step));
      ASSERT_TRUE(read.scenario) << read.problems.to_text();
      System system(*read.scenario->model);
      const auto stepper = read.scenario->make_stepper();
      State state = read.scenario->initial_state();
      system.commit(state);
      std::complex<double> sum = 0;
      const Channel* sway = nullptr;
      for (const Channel& c : read.scenario->model->channels())
        if (c.name == "ship.thrust_sway") sway = &c;
      ASSERT_NE(sway, nullptr);
      const int settling = 60 * 60, window = 60 * 10;
      for (int n = 1; n <= settling + window; ++n) {
        ASSERT_TRUE(stepper->step(system, state, step).ok);
        system.commit(state);
        if (n <= settling) continue;
        system.evaluate(state);
        sum += sway->value(state, system.workspace()) * std::polar(1.0, -2 * pi * n / 60);
      }
      thrust[filtered] = std::abs(sum);
    }
    EXPECT_LT(thrust[1], 0.1 * thrust[0]) << period;
  }
}

// A push that is too strong for a while: the thrusters give what they can, and bring the barge back without swinging
// to the other side.
TEST(PositionKeeping, ComesBackFromItsLimits) {
  for (const char* filter : {"0 s", "9 s"}) {
    const Read read("",
                    keeping(fmt::format("period: 60 s, integral: 120 s, wave_filter: {}, force_limit: 2e5 N, "
                                        "moment_limit: 5e7 N m",
                                        filter)),
                    "forces: {push: {wrench: {on: ship, force: [0, 3e5 N, 0], until: 200 s, ramp: 5 s}}}",
                    "step: 0.2 s");
    ASSERT_TRUE(read.scenario) << read.problems.to_text();
    System system(*read.scenario->model);
    const auto stepper = read.scenario->make_stepper();
    State state = read.scenario->initial_state();
    system.commit(state);
    double farthest = 0, back = 0, largest = 0;
    for (int n = 0; n < 6000; ++n) {
      ASSERT_TRUE(stepper->step(system, state, 0.2).ok);
      system.commit(state);
      system.evaluate(state);
      const double y = position(system.workspace().kin, read.scenario->body_frames[0]).y();
      farthest = std::max(farthest, y);
      back = std::min(back, y);
      largest = std::max(largest, std::abs(channel(*read.scenario, state, "ship.thrust_sway")));
    }
    EXPECT_GT(farthest, 20);
    EXPECT_LT(largest, 2e5 * (1 + 1e-9));
    EXPECT_GT(largest, 1.99e5);
    EXPECT_GT(back, -0.01 * farthest);
    EXPECT_NEAR(channel(*read.scenario, state, "ship.position_y"), 0, 1e-4 * farthest);
  }
}

TEST(PositionKeeping, TakesThePeakOfTheSea) {
  const auto summary = [](const Read& read) {
    if (!read.scenario) throw std::runtime_error(read.problems.to_text());
    for (const auto& f : read.scenario->model->forces())
      if (f.element->name() == "ship.position_keeping") return f.element->summary();
    return std::string();
  };
  const std::string sea = "waves: {spectrum: jonswap, hs: 1 m, tp: 8 s, frequencies: 20}";
  const Read own(sea, keeping("period: 60 s"), "", "step: 0.1 s"),
      given(sea, keeping("period: 60 s, wave_filter: 8 s"), "", "step: 0.1 s"),
      other(sea, keeping("period: 60 s, wave_filter: 7 s"), "", "step: 0.1 s");
  EXPECT_NE(summary(own).find("waves at the peak of the sea filtered"), std::string::npos);
  EXPECT_NE(summary(given).find("waves of 8 s filtered"), std::string::npos);
  const auto comes_to = [](const Read& read) { return run(*read.scenario, 30, 0.1).q; };
  EXPECT_LT((comes_to(own) - comes_to(given)).norm(), 1e-9);
  EXPECT_GT((comes_to(own) - comes_to(other)).norm(), 1e-6);
  EXPECT_NE(summary(Read("", keeping("period: 60 s"), "", "step: 0.1 s")).find("no wave filter"), std::string::npos);
  EXPECT_NE(summary(Read(sea, keeping("period: 60 s, wave_filter: 0 s"), "", "step: 0.1 s")).find("no wave filter"),
            std::string::npos);
  EXPECT_TRUE(Read(sea, keeping("period: 15 s"), "", "step: 0.1 s").says("cannot be told from waves of 8 s"));
}

}  // namespace
}  // namespace davit
