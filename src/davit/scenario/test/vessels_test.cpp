// Vessels in scenarios: bodies that float, with the water's forces on them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "davit/hydro/database_file.hpp"
#include "davit/scenario/test/vessel_support.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/test/temp_folder.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit {
namespace {

using namespace test;

TEST(Vessels, FloatsAsItWasSolved) {
  const Read read("", "hydrodynamics: " + barge, "", "step: 0.1 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  System system(*read.scenario->model);
  const State start = read.scenario->initial_state();
  ASSERT_TRUE(system.evaluate(start));
  EXPECT_LT(system.workspace().a.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(read.scenario->degrees_of_freedom, 6);
}

// By linear theory the weight of the hull is part of the restoring; that of others is not.
TEST(Vessels, SinksUnderALoad) {
  for (const char* equations : {"full", "linear"}) {
    const Read read(
        "", "hydrodynamics: " + barge + ", equations: " + equations + ", position_keeping: {period: 60 s}",
        "bodies: {cargo: {on: ship, at: [0, 0, 4 m], joint: fixed, mass: 500 t, box: {size: [10 m, 10 m, 5 m]}}}",
        "step: 0.1 s");
    ASSERT_TRUE(read.scenario) << read.problems.to_text();
    System system(*read.scenario->model);
    const Equilibrium found = find_equilibrium(system, read.scenario->initial_state());
    ASSERT_TRUE(found.converged) << equations;
    EXPECT_NEAR(channel(*read.scenario, found.state, "ship.position_z"), -500e3 / (1025 * 110 * 46.0), 1e-6)
        << equations;
  }
}

// A load swings on a barge in still water: gravity, buoyancy and the water that moves with the hull keep what energy
// there is.
TEST(Vessels, KeepsEnergyWithoutWavesAndMemory) {
  const Read read("", "hydrodynamics: " + barge + ", memory: none",
                  "bodies: {load: {on: ship, at: [30 m, 15 m, 40 m], joint: {universal: [x, y]}, mass: 800 t, centre: "
                  "[0, 0, -20 m], "
                  "box: {size: [5 m, 5 m, 5 m]}, start: {angle1: 40 deg, angle2: 20 deg}}}",
                  "step: 0.02 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  const Model& model = *read.scenario->model;
  ASSERT_TRUE(model.adds_inertia());
  const auto energy = [&](const State& state) {
    System system(model);
    system.evaluate(state);
    return system.energy(state).total();
  };
  const double start = energy(model.initial_state());
  const State later = run(*read.scenario, 60, 0.02);
  System system(model);
  system.evaluate(later);
  const double exchanged = system.energy(later).kinetic;
  EXPECT_GT(std::abs(channel(*read.scenario, later, "ship.roll")), 1e-4);
  EXPECT_LT(std::abs(energy(later) - start), 1e-7 * exchanged);
}

// Phases that are carried from step to step against cosines at every evaluation, in steps that the method chooses.
TEST(Vessels, WavesByPhasorsAndByCosines) {
  const std::string sea = "waves: {spectrum: jonswap, hs: 2 m, tp: 7 s, heading: 60 deg, frequencies: 40, seed: 5}";
  const std::string ship = "hydrodynamics: " + barge + ", heading: 20 deg, position_keeping: {period: 60 s}";
  const Read fixed(sea, ship, "", "step: 0.05 s"), chosen(sea, ship, "", "tolerance: 1e-9");
  ASSERT_TRUE(fixed.scenario && chosen.scenario) << fixed.problems.to_text() << chosen.problems.to_text();
  const State a = run(*fixed.scenario, 80, 0.05), b = run(*chosen.scenario, 80, 0.5);
  for (const char* name :
       {"ship.position_x", "ship.position_y", "ship.position_z", "ship.roll", "ship.pitch", "ship.yaw"})
    EXPECT_NEAR(channel(*fixed.scenario, a, name), channel(*chosen.scenario, b, name), 2e-6) << name;
  EXPECT_GT(std::abs(channel(*fixed.scenario, a, "ship.position_z")), 1e-3);
}

// Waves are no part of the equilibrium at the start, nor of the modes.
TEST(Vessels, StillWaterBeforeTheStart) {
  const Read read("waves: {spectrum: regular, height: 3 m, period: 9 s, heading: 90 deg}",
                  "hydrodynamics: " + barge + ", wave_ramp: 0 s, position_keeping: {period: 60 s}", "", "step: 0.1 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  System system(*read.scenario->model);
  State start = read.scenario->initial_state();
  system.commit(start);
  ASSERT_TRUE(system.evaluate(start));
  EXPECT_LT(system.workspace().a.cwiseAbs().maxCoeff(), 1e-9);
  const State later = run(*read.scenario, 1, 0.1);
  EXPECT_GT(std::abs(channel(*read.scenario, later, "ship.position_z")), 1e-4);
}

// In small waves linear and full equations are the same, wherever the ship is and whatever its heading.
TEST(Vessels, LinearEquationsAreThoseOfSmallMotions) {
  const std::string sea = "waves: {spectrum: regular, height: 0.02 mm, period: 7 s, heading: 85 deg}";
  const std::string ship = "hydrodynamics: " + supply_ship + ", at: [30 m, -20 m], heading: 40 deg, memory: none";
  const Read full(sea, ship, "", "step: 0.05 s"), linear(sea, ship + ", equations: linear", "", "step: 0.05 s");
  ASSERT_TRUE(full.scenario && linear.scenario) << full.problems.to_text() << linear.problems.to_text();
  const State a = run(*full.scenario, 25, 0.05), b = run(*linear.scenario, 25, 0.05);
  for (const char* name : {"ship.position_z", "ship.roll", "ship.pitch"}) {
    const double reference = channel(*full.scenario, a, name);
    EXPECT_GT(std::abs(reference), 1e-8) << name;
    EXPECT_NEAR(channel(*linear.scenario, b, name) / reference, 1, 1e-4) << name;
  }
}

// Waves are met where the run begins: by phasors and by cosines, however far the ship goes.
TEST(Vessels, LinearWavesByPhasorsAndByCosines) {
  const std::string sea = "waves: {spectrum: jonswap, hs: 2 m, tp: 7 s, heading: 60 deg, frequencies: 40, seed: 5}";
  const std::string ship = "hydrodynamics: " + supply_ship + ", equations: linear, at: [10 m, 5 m], heading: 20 deg";
  const Read fixed(sea, ship, "", "step: 0.05 s"), chosen(sea, ship, "", "tolerance: 1e-9");
  ASSERT_TRUE(fixed.scenario && chosen.scenario) << fixed.problems.to_text() << chosen.problems.to_text();
  const State a = run(*fixed.scenario, 80, 0.05), b = run(*chosen.scenario, 80, 0.5);
  for (const char* name : {"ship.position_x", "ship.position_y", "ship.position_z", "ship.roll", "ship.pitch"})
    EXPECT_NEAR(channel(*fixed.scenario, a, name), channel(*chosen.scenario, b, name), 2e-6) << name;
}

// A source that tells no moments of inertia, or no weight at all: the file may say them beside it.
TEST(Vessels, WeightBesideTheDatabase) {
  const test::TempFolder folder;
  const std::string file = (folder / "barge.h5").string();
  hydro::Database db = hydro::read_database(barge);
  const hydro::MassProperties known = *db.bodies[0].loading;
  const Vec3 radii = (known.inertia.diagonal() / known.mass).cwiseSqrt();
  const auto three = [](const Vec3& v) { return fmt::format("[{} m, {} m, {} m]", v.x(), v.y(), v.z()); };
  const std::string gyration = ", gyration: " + three(radii), mass = fmt::format(", mass: {} kg", known.mass),
                    centre = ", centre: " + three(known.centre);
  const auto beside = [&](const std::string& more) {
    return Read("", "hydrodynamics: " + file + more, "", "step: 0.1 s");
  };
  const auto weighs = [&](std::optional<double> own_mass, std::optional<Vec3> own_centre) {
    vessel::VesselSpec spec;
    spec.hydrodynamics = input::FilePath{file, {}};
    spec.mass = own_mass;
    spec.centre = own_centre;
    spec.gyration = radii;
    input::Problems problems;
    const auto found = vessel::hydrodynamics_of("ship", spec, {}, vessel::NewHulls::plan, problems);
    if (!found) throw std::runtime_error(problems.to_text());
    return found->loading;
  };
  const auto expect_known = [&](const hydro::MassProperties& own) {
    EXPECT_EQ(own.mass, known.mass);
    EXPECT_EQ(own.centre, known.centre);
    EXPECT_LT((own.inertia - known.inertia).norm(), 1e-9 * known.inertia.norm());
  };

  db.bodies[0].loading->inertia.setZero();
  hydro::write_database(db, file);
  EXPECT_TRUE(beside("").says("no moments of inertia"));
  EXPECT_TRUE(beside("").says("gyration: ["));
  EXPECT_TRUE(beside(gyration).scenario);
  expect_known(weighs({}, {}));

  // Another mass: its radii stay, and it floats deeper by the weight over the waterplane's stiffness.
  const Read heavier = beside(gyration + fmt::format(", mass: {} kg", 1.1 * known.mass));
  ASSERT_TRUE(heavier.scenario) << heavier.problems.to_text();
  EXPECT_NEAR(weighs(1.1 * known.mass, {}).inertia(2, 2) / known.inertia(2, 2), 1.1, 1e-9);
  System system(*heavier.scenario->model);
  State start = heavier.scenario->initial_state();
  system.commit(start);
  const Equilibrium rest = find_equilibrium(system, start);
  ASSERT_TRUE(rest.converged);
  const double deeper = 0.1 * known.mass * 9.80665 / db.bodies[0].restoring(2, 2);
  EXPECT_NEAR(channel(*heavier.scenario, rest.state, "ship.position_z"), -deeper, 1e-3 * deeper);

  db.bodies[0].loading.reset();
  hydro::write_database(db, file);
  EXPECT_TRUE(beside("").says("with which weight"));
  EXPECT_TRUE(beside(mass + centre).says("no moments of inertia"));
  EXPECT_TRUE(beside(mass + centre + gyration).scenario);
  expect_known(weighs(known.mass, known.centre));
  EXPECT_TRUE(beside(mass + ", equations: linear").says("not for equations: linear"));
  EXPECT_TRUE(Read("", "hull: \"barge: 33 x 11 x 3 m\", draft: 1.25 m, centre: [0, 0, 1 m]", "", "step: 0.1 s")
                  .says("'centre' belongs to a database"));
}

TEST(Vessels, MistakesAreNamed) {
  EXPECT_TRUE(Read("", "heading: 0 deg", "", "step: 0.1 s").says("no hydrodynamics"));
  EXPECT_TRUE(Read("", "hydrodynamics: nowhere.h5", "", "step: 0.1 s").says("nowhere.h5"));
  EXPECT_TRUE(Read("", "hydrodynamics: a.h5, draft: 2 m", "", "step: 0.1 s").says("belong to a 'hull'"));
  EXPECT_TRUE(
      Read("", "hull: \"barge: 33 x 11 x 3 m\", draft: 1.25 m", "", "step: 0.1 s").says("was not solved before"));
  EXPECT_TRUE(Read("waves: {spectrum: jonswap, hs: 0.2 m, tp: 1.8 s}", "hydrodynamics: " + barge, "", "step: 0.1 s")
                  .says("of the energy of the sea"));
  EXPECT_TRUE(Read("water_depth: 12 m", "hydrodynamics: " + barge, "", "step: 0.1 s").says("other water"));
}

// The sea at points of a vessel and of a body: the wave a quarter of its length ahead, and the gap of a moving point.
TEST(Vessels, WavesAreSeenAtProbes) {
  const double g = 9.80665, period = 8, w = 2 * M_PI / period, k = w * w / g;
  const Read read("waves: {spectrum: regular, height: 2 m, period: 8 s, heading: 0}, wave_probes: [ship.bow, buoy]",
                  "hydrodynamics: " + barge + fmt::format(", points: {{bow: [{} m, 0, 6 m]}}", M_PI / 2 / k),
                  "bodies: {buoy: {joint: {prismatic: z}, at: [0, 0, -3 m], mass: 1, start: {travel: 1 m}}}",
                  "step: 0.05 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  const State start = read.scenario->initial_state();
  const auto at = [&](const std::string& name) { return channel(*read.scenario, start, name); };
  EXPECT_NEAR(at("ship.bow.wave_elevation"), 0, 1e-9);
  EXPECT_NEAR(at("ship.bow.air_gap"), 6, 1e-9);
  EXPECT_NEAR(at("ship.bow.wave_velocity_z"), w, 1e-9);  // the crest at the origin comes
  // Under the crest: Wheeler's z − ζ of deep water.
  EXPECT_NEAR(at("buoy.wave_elevation"), 1, 1e-9);
  EXPECT_NEAR(at("buoy.air_gap"), -3, 1e-9);
  EXPECT_NEAR(at("buoy.wave_velocity_x"), w * std::exp(-3 * k), 1e-9);
  EXPECT_NEAR(at("buoy.wave_pressure"), 1025 * g * std::exp(-3 * k), 1e-6);
  EXPECT_TRUE(Read("wave_probes: [ship]", "hydrodynamics: " + barge, "", "step: 0.1 s").says("there are no waves"));
  EXPECT_TRUE(Read("waves: {spectrum: regular, height: 2 m, period: 8 s}, wave_probes: [ship.bwo]",
                   "hydrodynamics: " + barge + ", points: {bow: [9 m, 0, 0]}", "", "step: 0.1 s")
                  .says("bwo"));
}

// A regular wave along x: its height and its force at the ship, a quarter of a period apart.
TEST(Vessels, WavesHaveChannels) {
  const hydro::Database db = hydro::read_database(supply_ship);
  const size_t f = 20;
  const double w = db.frequencies[f], period = 2 * M_PI / w;
  const Read read("waves: {spectrum: regular, height: 0.02 m, period: " + std::to_string(period) + " s, heading: 0}",
                  "hydrodynamics: " + supply_ship + ", wave_ramp: 1 s, drift: newman, position_keeping: {period: 80 s}",
                  "", "step: 0.02 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  double height[2], heave[2], drift = 0;
  for (int i = 0; i < 2; ++i) {
    const State state = run(*read.scenario, std::round((5 * period + 0.25 * i * period) / 0.02) * 0.02, 0.02);
    height[i] = channel(*read.scenario, state, "ship.wave_elevation");
    heave[i] = channel(*read.scenario, state, "ship.wave_heave");
    drift = channel(*read.scenario, state, "ship.drift_surge");
  }
  const auto head = std::find(db.headings.begin(), db.headings.end(), 0.0) - db.headings.begin();
  ASSERT_LT(head, static_cast<std::ptrdiff_t>(db.headings.size()));
  const auto column = static_cast<Eigen::Index>(f);
  EXPECT_NEAR(std::hypot(height[0], height[1]), 0.01, 2e-4);
  EXPECT_NEAR(std::hypot(heave[0], heave[1]), 0.01 * std::abs(db.excitation[static_cast<size_t>(head)](2, column)),
              2e-4 * std::abs(db.excitation[static_cast<size_t>(head)](2, column)));
  EXPECT_NEAR(drift, 1e-4 * db.drift[static_cast<size_t>(head)](0, column),
              0.02 * std::abs(1e-4 * db.drift[static_cast<size_t>(head)](0, column)));
}

// 110 x 46 m, 3.63 m deep.
TEST(Vessels, SinksOrIsAground) {
  const auto says = [](const std::string& environment, const std::string& vessel, const std::string& cargo,
                       const std::string& words) {
    const Read read(environment, vessel,
                    "bodies: {cargo: {on: ship, at: [0, 0, 4 m], joint: fixed, mass: " + cargo + "}}", "step: 0.1 s");
    EXPECT_FALSE(read.scenario);
    EXPECT_TRUE(read.says(words)) << read.problems.to_text();
  };
  says("", "hydrodynamics: " + barge, "30000 t", "the vessel sinks: with");
  says("", "hull: \"barge: 110 x 46 x 7.5 m\", draft: 3.63 m, kg: 4 m", "30000 t", "its hull is 7.5 m high");
  says("water_depth: 4 m", "hydrodynamics: " + barge, "3000 t", "the vessel is aground: it floats 4.21 m deep");
  says("water_depth: 3 m", "hull: \"barge: 110 x 46 x 7.5 m\", draft: 3.63 m, kg: 4 m", "3 t",
       "the hull is 3.63 m deep in water of 3 m");
  const Read floats("water_depth: 5 m", "hydrodynamics: " + barge,
                    "bodies: {cargo: {on: ship, at: [0, 0, 4 m], joint: fixed, mass: 3000 t}}", "step: 0.1 s");
  EXPECT_TRUE(floats.scenario) << floats.problems.to_text();
}

// The barge is 46 m wide.
TEST(Vessels, HullsBesideEachOther) {
  const auto read = [](const std::string& place, const std::string& waves) {
    return Read(waves, "hydrodynamics: " + barge + "}, other: {hydrodynamics: " + barge + ", " + place, "",
                "step: 0.1 s");
  };
  const std::string waves = "waves: {spectrum: regular, height: 1 m, period: 8 s}";
  for (const char* place : {"at: [10 m, 5 m]", "at: [0, 40 m]", "at: [0, 70 m], heading: 90 deg"}) {
    const Read inside = read(place, "");
    EXPECT_FALSE(inside.scenario) << place;
    EXPECT_TRUE(inside.says("the hulls of 'ship' and 'other' are in each other by")) << inside.problems.to_text();
  }
  const Read near = read("at: [0, 50 m]", waves);
  EXPECT_TRUE(near.scenario);
  EXPECT_TRUE(near.says("are 4 m apart and do not feel each other")) << near.problems.to_text();
  const Read diagonal = read("at: [113 m, 50 m]", waves);
  EXPECT_TRUE(diagonal.says("are 5 m apart")) << diagonal.problems.to_text();
  const Read still = read("at: [0, 50 m]", "");
  EXPECT_TRUE(still.scenario);
  EXPECT_FALSE(still.says("apart")) << still.problems.to_text();
}

TEST(Vessels, BodiesUnderWaterAreDry) {
  const auto load = [](const std::string& more) {
    return Read("", "hydrodynamics: " + barge,
                "bodies: {load: {mass: 10 t, box: {size: [4 m, 4 m, 4 m]}, " + more + "}}", "step: 0.1 s");
  };
  EXPECT_TRUE(load("joint: free, start: {y: 60 m, z: 1 m}").says("'load' is 1 m under water at the start"));
  EXPECT_FALSE(load("joint: free, start: {y: 60 m, z: 2.1 m}").says("under water"));
  // In the hold, part of the hull, or fixed in the world.
  EXPECT_FALSE(load("joint: free, start: {y: 10 m, z: 1 m}").says("under water"));
  EXPECT_FALSE(load("on: ship, at: [0, 60 m, 0], joint: fixed").says("under water"));
  EXPECT_FALSE(load("at: [0, 60 m, 0]").says("under water"));
  EXPECT_TRUE(load("on: ship, at: [0, 60 m, 0], joint: {prismatic: z}").says("under water"));
}

}  // namespace
}  // namespace davit
