// Slow drift of vessels in scenarios.
#include <fmt/format.h>

#include <numbers>

#include "davit/hydro/database_file.hpp"
#include "davit/scenario/test/vessel_support.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit {
namespace {

using namespace test;

// What the force of waves on the ship says of itself.
std::string waves_of(const Scenario& scenario) {
  for (const auto& f : scenario.model->forces())
    if (f.element->name() == "ship.waves") return f.element->summary();
  return "no waves";
}
bool drifts(const Scenario& scenario) { return waves_of(scenario).find("slow drift") != std::string::npos; }

// Held in a regular beam wave, the barge stays on average where the spring balances D a²; without drift it stays where
// it is, for forces of first order have no mean.
TEST(SlowDriftOfVessels, OffsetInARegularWave) {
  const hydro::Database db = hydro::read_database(barge);
  // At a frequency and a heading of the database nothing is interpolated.
  const auto at = static_cast<Eigen::Index>(std::lower_bound(db.frequencies.begin(), db.frequencies.end(), 0.8) -
                                            db.frequencies.begin());
  const size_t beam = db.headings.size() / 2;  // from 0 to 180 degrees
  ASSERT_NEAR(db.headings[beam], std::numbers::pi / 2, 1e-9);
  const double w = db.frequencies[static_cast<size_t>(at)], period = 2 * std::numbers::pi / w, step = period / 80;
  const double amplitude = 0.4, rate = 2 * std::numbers::pi / 80;
  const double stiffness = rate * rate * (db.bodies[0].loading->mass + (*db.added_mass_zero)(1, 1));
  const auto mean_sway = [&](const std::string& drift) {
    const Read read(fmt::format("waves: {{spectrum: regular, height: {} m, period: {:.15g} s, heading: 90 deg}}",
                                2 * amplitude, period),
                    "hydrodynamics: " + barge +
                        ", roll_damping: 0.1, position_keeping: "
                        "{period: 80 s, integral: 0 s, wave_filter: 0 s}, drift: " +
                        drift,
                    "", fmt::format("step: {:.15g} s", step));
    if (!read.scenario) throw std::runtime_error(read.problems.to_text());
    EXPECT_EQ(drifts(*read.scenario), drift == "newman");
    System system(*read.scenario->model);
    const auto stepper = read.scenario->make_stepper();
    State state = read.scenario->initial_state();
    system.commit(state);
    double sum = 0;
    const int steps = 100 * 80, window = 10 * 80;
    for (int n = 1; n <= steps; ++n) {
      EXPECT_TRUE(stepper->step(system, state, step).ok);
      system.commit(state);
      system.evaluate(state);
      if (n > steps - window) sum += position(system.workspace().kin, read.scenario->body_frames[0]).y() / window;
    }
    return sum;
  };
  const double drift = db.drift[beam](1, at) * amplitude * amplitude;
  const double none = mean_sway("none") / (drift / stiffness), newman = mean_sway("newman") / (drift / stiffness);
  EXPECT_NEAR(newman, 1, 0.01);
  EXPECT_NEAR(none, 0, 0.01);
}

TEST(SlowDriftOfVessels, IsThereWhereTheDatabaseHasIt) {
  const std::string sea = "waves: {spectrum: jonswap, hs: 1 m, tp: 7 s, frequencies: 20}";
  const Read given(sea, "hydrodynamics: " + barge, "", "step: 0.1 s");
  ASSERT_TRUE(given.scenario) << given.problems.to_text();
  EXPECT_NE(waves_of(*given.scenario).find("slow drift by Newman's approximation in surge, sway, yaw"),
            std::string::npos)
      << waves_of(*given.scenario);
  EXPECT_NE(waves_of(*given.scenario).find("not known: heave, roll, pitch"), std::string::npos);

  hydro::Database without = hydro::read_database(barge);
  without.drift.clear();
  const TempFolder folder;
  const std::string file = (folder / "without.h5").string();
  hydro::write_database(without, file);
  const Read left_out(sea, "hydrodynamics: " + file, "", "step: 0.1 s");
  ASSERT_TRUE(left_out.scenario) << left_out.problems.to_text();
  EXPECT_FALSE(drifts(*left_out.scenario));
  const Read asked(sea, "hydrodynamics: " + file + ", drift: newman", "", "step: 0.1 s");
  EXPECT_FALSE(asked.scenario);
  EXPECT_TRUE(asked.says("drift: newman needs mean drift")) << asked.problems.to_text();
}

}  // namespace
}  // namespace davit
