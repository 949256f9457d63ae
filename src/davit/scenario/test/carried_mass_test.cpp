// What stands on a vessel: how it then floats, and what is said of it.
#include <fmt/format.h>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/scenario/test/vessel_support.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/test/source_tree.hpp"
#include "davit/test/temp_folder.hpp"
#include "davit/vessel/floating_condition.hpp"

namespace davit {
namespace {

using namespace test;
const std::string ship = "hydrodynamics: " + barge;

std::string cargo(const std::string& mass, const std::string& at) {
  return "bodies: {cargo: {on: ship, at: " + at + ", joint: fixed, mass: " + mass + ", box: {size: [6 m, 6 m, 6 m]}}}";
}

vessel::Hydrodynamics laden_barge(double mass, const Vec3& centre) {
  vessel::Hydrodynamics h;
  h.database = hydro::read_database(barge);
  h.loading = *h.database.bodies[0].loading;
  if (mass > 0) h.carried_mass = {mass, centre, Mat3::Zero()};
  return h;
}

// A box of 110 x 46 m: sinkage W/(ρ g A), heel W y/(W GM), GM from the moments of the waterplane.
TEST(CarriedMass, FloatsByHand) {
  const double g = 9.80665, rho = 1025, L = 110, B = 46, mass = 400e3;
  const vessel::Hydrodynamics alone = laden_barge(0, {}), middle = laden_barge(mass, {0, 0, 10});
  const double volume = alone.loading.mass / rho, draft = volume / (L * B);
  const auto before = vessel::floating_condition(alone, g);
  EXPECT_NEAR(before.gm, -draft / 2 + B * B * B * L / 12 / volume - alone.loading.centre.z(), 2e-3 * before.gm);
  EXPECT_NEAR(before.sinkage, 0, 1e-6);
  EXPECT_NEAR(before.heel, 0, 1e-9);
  const auto now = vessel::floating_condition(middle, g);
  EXPECT_DOUBLE_EQ(now.mass, alone.loading.mass + mass);
  EXPECT_NEAR(now.sinkage, mass / (rho * L * B), 1e-6);
  // The water's part of the righting moment is as before; the weight's is that of both.
  EXPECT_NEAR(now.gm * now.mass, before.gm * before.mass - mass * 10, 1e-9 * now.gm * now.mass);
  const auto aside = vessel::floating_condition(laden_barge(mass, {15, 8, 10}), g);
  EXPECT_NEAR(aside.heel, -mass * 8 / (aside.mass * aside.gm), 1e-3 * std::abs(aside.heel)) << "to port";
  const double long_gm = now.gm + (L * L * L * B - B * B * B * L) / 12 / volume * (before.mass / now.mass);
  EXPECT_NEAR(aside.trim, mass * 15 / (aside.mass * long_gm), 5e-3 * aside.trim) << "by the bow";
}

// What is said is what the model then does.
TEST(CarriedMass, IsTheEquilibriumOfTheModel) {
  const Read read("", ship + ", heading: 30 deg, position_keeping: {period: 60 s}", cargo("150 t", "[20 m, -6 m, 8 m]"),
                  "step: 0.1 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  System system(*read.scenario->model);
  const Equilibrium rest = find_equilibrium(system, read.scenario->initial_state());
  ASSERT_TRUE(rest.converged);
  const auto now = vessel::floating_condition(laden_barge(150e3, {20, -6, 8}), 9.80665);
  EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.position_z"), -now.sinkage, 2e-3 * now.sinkage);
  EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.roll"), now.heel, 2e-3 * now.heel);
  EXPECT_NEAR(channel(*read.scenario, rest.state, "ship.pitch"), now.trim, 2e-3 * now.trim);
  EXPECT_GT(now.heel, 0) << "to starboard";
  ASSERT_EQ(read.scenario->notes.size(), 1u);
  const std::string& note = read.scenario->notes[0];
  for (const char* words : {"carries 150 t at (20, -6, 8) m on board beside", "displaces 19001", "m deeper",
                            "deg to starboard", "deg by the bow", "GM"})
    EXPECT_NE(note.find(words), std::string::npos) << words << " in: " << note;
}

// What rests by contact, rigid or not, and what hangs on ropes, with all that is on it: the vessel floats with it, and
// what hangs pulls at the boom.
TEST(CarriedMass, CountsWhatRestsByContactAndHangsOnRopes) {
  const auto note = [](const std::string& more) {
    const Read read("", ship + ", position_keeping: {period: 60 s}", more, "step: 0.1 s");
    EXPECT_TRUE(read.scenario) << read.problems.to_text();
    return read.scenario ? read.scenario->notes.at(0) : std::string();
  };
  const std::string block =
      "bodies: {block: {at: [0, 0, 8 m], joint: free, mass: 500 t, box: {size: [6 m, 6 m, 6 m]}, points: {foot: [0, 0, "
      "-3 "
      "m]}}}\n";
  const vessel::Hydrodynamics h = laden_barge(500e3, {0, 0, 8});
  const std::string gm = fmt::format("GM {:.4g} m", vessel::floating_condition(h, 9.80665).gm);
  for (const char* contact : {"constraints: {rest: {contact: {surface: ship, point: block.foot}}}",
                              "forces: {rest: {contact: {surface: ship, points: [block.foot], stiffness: 90 MN/m}}}"}) {
    const std::string said = note(block + contact);
    for (const std::string& words : {std::string("carries 500 t at (0, 0, 8) m on board"), gm,
                                     std::string("500 t of that are 'block' by contact")})
      EXPECT_NE(said.find(words), std::string::npos) << words << " in: " << said;
  }
  const std::string hung = note(
      "bodies:\n"
      "  boom: {on: ship, at: [0, 0, 30 m], joint: fixed, mass: 1 t, box: {size: [1 m, 1 m, 1 m]}, points: {tip: [0, "
      "0, 10 "
      "m]}}\n"
      "  hook: {at: [0, 0, 20 m], coordinates: particle, mass: 10 t}\n"
      "  load: {at: [0, 0, 8 m], joint: free, mass: 489 t, box: {size: [6 m, 6 m, 6 m]}}\n"
      "ropes: {hoist: {from: boom.tip, to: hook, EA: 1000 MN, tension: 5 MN}, sling: {from: hook, to: load, EA: 1000 "
      "MN, "
      "tension: "
      "5 MN}}\n");
  vessel::Hydrodynamics high = laden_barge(500e3, Vec3(0, 0, (30 + 499 * 40) / 500.0));
  EXPECT_NE(hung.find(fmt::format("GM {:.4g} m", vessel::floating_condition(high, 9.80665).gm)), std::string::npos)
      << hung;
  EXPECT_NE(hung.find("'hook' on ropes, 'load' on ropes"), std::string::npos) << hung;
}

// What stands on the quay, or hangs on it too, is not the vessel's.
// A load that goes from deck to deck has contacts with both: it rests on the one that it is above.
TEST(CarriedMass, CountsWhatIsAboveOneOfSeveralDecks) {
  const auto note = [](const std::string& more) {
    const Read read(
        "", ship + ", position_keeping: {period: 60 s}",
        "bodies:\n  block: {at: [0, 0, 8 m], joint: free, mass: 500 t, box: {size: [6 m, 6 m, 6 m]}}\n"
        "  quay: {at: [0, 60 m, 5 m]}\n  hook: {at: [0, 0, 20 m], joint: free, mass: 10 t, inertia: [1, 1, 1]}\n"
        "  mast: {on: ship, joint: fixed, at: [0, 0, 5 m], mass: 1 t, points: {top: [0, 0, 40 m]}}\n"
        "surfaces: {sides: {on: block, box: [6 m, 6 m, 6 m]}}\n"
        "forces:\n  a: {contact: {surface: ship, length: 60 m, width: 40 m, points_of: sides, spacing: 3 m, "
        "stiffness_per_area: 9 MN/m^3}}\n"
        "  b: {contact: {surface: quay, length: 60 m, width: 40 m, points_of: sides, spacing: 3 m, "
        "stiffness_per_area: 9 MN/m^3}}\n"
        "ropes:\n  fall: {from: mast.top, to: hook, EA: 90 MN, tension: 98 kN}\n  sling: {from: hook, to: block, "
        "EA: 90 MN, " +
            more + "}\n",
        "step: 0.1 s");
    EXPECT_TRUE(read.scenario) << read.problems.to_text();
    return read.scenario ? read.scenario->notes.at(0) : std::string();
  };
  for (const char* slack : {"tension: 0 N", "length: 12.5 m"}) {
    const std::string said = note(slack);
    EXPECT_NE(said.find("510 t of that are 'block' by contact, 'hook' on ropes"), std::string::npos) << said;
  }
  // A taut sling shares the block between deck and mast: who carries what is the equilibrium's to say.
  const std::string shared = note("length: 11.9 m");
  EXPECT_NE(shared.find("500 t of that are 'block' by contact"), std::string::npos) << shared;
}

TEST(CarriedMass, DoesNotCountWhatIsHeldElsewhere) {
  const Read read(
      "", ship,
      "bodies:\n"
      "  block: {at: [0, 80 m, 8 m], joint: free, mass: 500 t, box: {size: [6 m, 6 m, 6 m]}, points: "
      "{foot: [0, 0, -3 m]}}\n"
      "  other: {at: [0, 0, 8 m], joint: free, mass: 5 t, box: {size: [6 m, 6 m, 6 m]}}\n"
      "constraints: {quay: {contact: {surface: world, point: block.foot}}}\n"
      "ropes: {a: {from: ship, to: block, EA: 1000 MN, length: 200 m}, b: {from: ship, to: other, EA: 1000 MN, "
      "length: 20 m}, c: "
      "{from: world, to: other, EA: 1000 MN, length: 20 m}}\n",
      "step: 0.1 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  EXPECT_NE(read.scenario->notes.at(0).find("nothing is on board"), std::string::npos) << read.scenario->notes[0];
}

TEST(CarriedMass, CountsWhatStandsOnWhat) {
  const Read read(
      "", ship,
      "bodies:\n"
      "  mast: {on: ship, at: [10 m, 0, 4 m], joint: {revolute: z}, mass: 60 t, box: {size: [2 m, 2 m, 2 m]}, "
      "start: {angle: 90 deg}}\n"
      "  jib: {on: mast, at: [5 m, 0, 0], joint: fixed, mass: 20 t, box: {size: [2 m, 2 m, 2 m]}}\n"
      "  balloon: {on: mast, joint: fixed, mass: 9 t, weightless: true, box: {size: [2 m, 2 m, 2 m]}}\n"
      "  quay: {at: [80 m, 0, 0], joint: fixed, mass: 7000 t, box: {size: [9 m, 9 m, 9 m]}}",
      "step: 0.1 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  // The jib points to port as the mast is turned: 5 m of 20 t in 80 t.
  EXPECT_NE(read.scenario->notes[0].find("80 t at (10, 1.25, 4) m"), std::string::npos) << read.scenario->notes[0];
}

TEST(CarriedMass, LadenFloatsAsInTheDatabase) {
  const Read read("", ship + ", weight: laden", cargo("900 t", "[20 m, 5 m, 12 m]"), "step: 0.1 s");
  ASSERT_TRUE(read.scenario) << read.problems.to_text();
  System system(*read.scenario->model);
  const State start = read.scenario->initial_state();
  ASSERT_TRUE(system.evaluate(start));
  EXPECT_LT(system.workspace().a.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NE(read.scenario->notes[0].find("floats as in its database"), std::string::npos) << read.scenario->notes[0];
  // Together they are the body of the database: the same accelerations under any load.
  const std::string pull = "\nforces: {pull: {wrench: {on: ship, force: [1e6, 2e6, 3e6], moment: [4e7, 5e7, 6e7]}}}";
  const Read apart("", ship + ", weight: laden", cargo("900 t", "[20 m, 5 m, 12 m]") + pull, "step: 0.1 s");
  const Read whole("", ship, pull, "step: 0.1 s");
  System a(*apart.scenario->model), b(*whole.scenario->model);
  a.evaluate(apart.scenario->initial_state());
  b.evaluate(whole.scenario->initial_state());
  EXPECT_LT((a.workspace().a - b.workspace().a).norm(), 1e-9 * b.workspace().a.norm());
}

TEST(CarriedMass, LadenMustLeaveAShip) {
  EXPECT_TRUE(Read("", ship + ", weight: laden", cargo("20000 t", "[0, 0, 5 m]"), "step: 0.1 s").says("no mass"));
  EXPECT_TRUE(Read("", ship + ", weight: laden", cargo("2000 t", "[0, 0, 150 m]"), "step: 0.1 s")
                  .says("no positive moments of inertia"));
}

TEST(CarriedMass, CapsizingIsAnError) {
  const Read high("", ship, cargo("8000 t", "[0, 0, 150 m]"), "step: 0.1 s");
  EXPECT_FALSE(high.scenario);
  EXPECT_TRUE(high.says("capsizes: with 8000 t at (0, 0, 150) m on board it weighs 26851")) << high.problems.to_text();
  EXPECT_TRUE(high.says("GM of -")) << high.problems.to_text();
  EXPECT_TRUE(high.says("say weight: laden")) << high.problems.to_text();
  const Read aside("", ship, cargo("9000 t", "[0, 80 m, 30 m]"), "step: 0.1 s");
  EXPECT_FALSE(aside.scenario);
  EXPECT_TRUE(aside.says("no equilibrium within 30 deg")) << aside.problems.to_text();
  EXPECT_TRUE(aside.says("deg to port")) << aside.problems.to_text();
  const Read askew("", "hydrodynamics: " + in_source("vessels/supply_ship.h5"), cargo("300 t", "[10 m, -5 m, 30 m]"),
                   "step: 0.1 s");
  EXPECT_TRUE(askew.scenario) << askew.problems.to_text();
  EXPECT_TRUE(askew.says("large heel or trim")) << askew.problems.to_text();
}

TEST(CarriedMass, NothingIsSaidToo) {
  const Read read("", ship, "", "step: 0.1 s");
  ASSERT_TRUE(read.scenario);
  EXPECT_NE(read.scenario->notes.at(0).find("nothing is on board"), std::string::npos);
}

// Two headings are not enough for a sea from elsewhere.
TEST(WavesOnVessels, HeadingsThatTheDatabaseHasNot) {
  hydro::Database few = hydro::read_database(barge);
  const auto keep = [&](auto& list) {
    if (list.empty()) return;
    const auto first = list.front(), last = list.back();
    list = {first, last};
  };
  keep(few.excitation);
  keep(few.excitation_haskind);
  keep(few.froude_krylov);
  keep(few.drift);
  keep(few.headings);
  ASSERT_NEAR(few.headings[1] - few.headings[0], 180 * degree, 1e-9);
  const TempFolder folder;
  const std::string file = (folder / "few.h5").string();
  hydro::write_database(few, file);
  const auto read = [&](double heading) {
    return Read(
        fmt::format("waves: {{spectrum: jonswap, hs: 1 m, tp: 7 s, heading: {} deg, frequencies: 20}}", heading),
        "heading: 20 deg, hydrodynamics: " + file, "", "step: 0.1 s");
  };
  EXPECT_TRUE(read(20).scenario);
  EXPECT_TRUE(read(200).scenario);
  EXPECT_FALSE(read(80).scenario);
  EXPECT_TRUE(read(80).says("waves go towards 60 deg as seen from the vessel")) << read(80).problems.to_text();
  EXPECT_TRUE(read(80).says("headings are 0, 180 deg")) << read(80).problems.to_text();
}

// Every sixth heading of a barge, 15 deg apart, is enough for swell and not for a sea of 4.5 s.
TEST(WavesOnVessels, HeadingsThatDoNotFollowShortWaves) {
  hydro::Database few = hydro::read_database(barge);
  const auto keep = [](auto& list) {
    auto kept = list;
    kept.clear();
    for (size_t i = 0; i < list.size(); i += 6) kept.push_back(list[i]);
    list = kept;
  };
  for (auto* forces : {&few.excitation, &few.excitation_haskind, &few.froude_krylov}) keep(*forces);
  keep(few.drift);
  keep(few.headings);
  ASSERT_NEAR(few.headings[1] - few.headings[0], 15 * degree, 1e-9);
  const TempFolder folder;
  const std::string file = (folder / "few.h5").string();
  hydro::write_database(few, file);
  const auto says = [&](double tp, const std::string& database) {
    const Read read(
        fmt::format("waves: {{spectrum: jonswap, hs: 1 m, tp: {} s, heading: 50 deg, frequencies: 40}}", tp),
        "hydrodynamics: " + database, "", "step: 0.1 s");
    EXPECT_TRUE(read.scenario) << read.problems.to_text();
    return read.says("up to which the headings of the database (15 deg apart) follow the waves");
  };
  EXPECT_FALSE(says(18, file));
  EXPECT_TRUE(says(4.5, file));
  EXPECT_FALSE(says(4.5, barge));
}

TEST(WavesOnVessels, WavesOfNoHeight) {
  for (const char* waves : {"{spectrum: jonswap, hs: 0 m, tp: 8 s}", "{spectrum: regular, height: 0 m, period: 8 s}"}) {
    const Read read(std::string("waves: ") + waves, ship, "", "step: 0.1 s");
    EXPECT_EQ(read.problems.error_count(), 1u) << read.problems.to_text();
    EXPECT_TRUE(read.says("leave 'waves' out for still water")) << read.problems.to_text();
  }
}

}  // namespace
}  // namespace davit
