// Waves on a hull take no memory while a run goes on, in a window and beside it.
#include <gtest/gtest.h>

#include "davit/hydro/test/support.hpp"
#include "davit/solve/test/count_allocations.hpp"
#include "davit/wave_load/wave_loads.hpp"

namespace davit::wave_load {
namespace {

TEST(WaveLoads, AllocateNothing) {
  const std::vector<sea::Component> waves(30, {0.1, 0.8, 0.065, 0.4, 0.2});
  const hydro::Database db = hydro::test::random_database();
  const auto on_hull = std::make_shared<const WavesOnHull>(
      waves,
      WavesOnHull::Answers{WaveForceTable(db, 0, waves),
                           std::vector(30, HorizontalReceptance(HorizontalReceptance::Constant(1e-12))),
                           WaveForceTable::of_drift(db, 0, waves)},
      0.1, 0);
  const WaveLoads drift("waves", Frame{1, {}}, on_hull, {}, "all motions");
  DiscreteState discrete(drift.discrete_slots());
  Kin kin;
  kin.body.resize(2);
  Loads loads;
  loads.resize(2, 0, false);
  const long before = allocations;
  for (int n = 1; n < 20; ++n) {
    kin.t = 0.1 * n;
    drift.commit({kin, nullptr, nullptr, discrete, 0}, discrete);
    drift.add_loads<double>({kin, nullptr, nullptr, discrete, 0}, loads, nullptr);
    kin.t += 1;  // not of the step
    drift.add_loads<double>({kin, nullptr, nullptr, discrete, 0}, loads, nullptr);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(loads.wrench[1].f.norm(), 0);
}

}  // namespace
}  // namespace davit::wave_load
