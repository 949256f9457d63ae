// Wave forces: windows of steps against sums by cosines, and the table that both look up.
#include "davit/hydro/wave_excitation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/sea/random.hpp"

namespace davit::hydro {
namespace {

using Complex = std::complex<double>;

// Forces of a line of points along the hull: they change with the heading as fast as those of a hull 80 m long do.
Complex force(double w, double heading, int motion) {
  const double k = w * w / standard_gravity;
  Complex sum = 0;
  for (int i = -4; i <= 4; ++i)
    sum += std::polar(1e5 * (1 + 0.1 * motion), -k * 10 * i * std::cos(heading)) * (1 + 0.2 * i * (motion % 2));
  return sum;
}

Database hull() {
  Database db;
  db.bodies.emplace_back();
  for (double w = 0.2; w < 2.05; w += 0.05) db.frequencies.push_back(w);
  for (int h = -35; h <= 36; ++h) db.headings.push_back(h * pi / 36);
  const auto count = static_cast<Eigen::Index>(db.frequencies.size());
  for (const double b : db.headings) {
    MatXc X(6, count);
    for (Eigen::Index f = 0; f < count; ++f)
      for (int i = 0; i < 6; ++i) X(i, f) = force(db.frequencies[static_cast<size_t>(f)], b, i);
    db.excitation.push_back(X);
  }
  return db;
}

std::vector<sea::Component> short_crested_sea(int count) {
  sea::Random random(7);
  std::vector<sea::Component> out;
  for (int n = 0; n < count; ++n) {
    const double w = 0.3 + 1.6 * random.unit();
    out.push_back({0.05 + 0.1 * random.unit(), w,
                   sea::wave_number(w, std::numeric_limits<double>::infinity(), standard_gravity),
                   0.7 + random.unit() - 0.5, 2 * pi * random.unit()});
  }
  return out;
}

// A hull that surges, sways and yaws with a frequency.
void set(Kin& kin, double t, double w = 0.8) {
  kin.t = t;
  kin.body.resize(2);
  kin.body[1].p = Vec3(1.5 * std::sin(w * t), 0.4 * t + std::cos(w * t), 0);
  kin.body[1].v = Vec3(1.5 * w * std::cos(w * t), 0.4 - w * std::sin(w * t), 0);
  kin.body[1].R = Eigen::AngleAxisd(3.1 + 0.1 * std::sin(w * t), Vec3::UnitZ()).toRotationMatrix();
  kin.body[1].w = Vec3(0, 0, 0.1 * w * std::cos(w * t));
}

// Largest difference of the force in the course of a run, of the largest force.
double apart(double step, const LowFrequencyPosition& place, double frequency) {
  const auto waves = short_crested_sea(70);
  const WaveForceTable table(hull(), 0, waves);
  const WaveExcitation planned("waves", Frame{1, {}}, waves, table, step, 5, place);
  const WaveExcitation direct("waves", Frame{1, {}}, waves, table, 0, 5, place);
  DiscreteState discrete(planned.discrete_slots()), none;
  Kin kin;
  Loads a, b;
  a.resize(2, 0, false);
  b.resize(2, 0, false);
  double worst = 0, largest = 0;
  for (int n = 0; n * step < 60; ++n) {
    set(kin, n * step, frequency);
    planned.commit({kin, nullptr, nullptr, discrete, 0}, discrete);
    for (const double part : {0.0, 0.5, 1.0}) {
      set(kin, (n + part) * step, frequency);
      a.clear();
      b.clear();
      planned.add_loads<double>({kin, nullptr, nullptr, discrete, 0}, a, nullptr);
      direct.add_loads<double>({kin, nullptr, nullptr, none, 0}, b, nullptr);
      worst = std::max(worst, (a.wrench[1].f - b.wrench[1].f).norm());
      largest = std::max(largest, b.wrench[1].f.norm());
    }
  }
  return worst / largest;
}

TEST(WaveExcitation, WindowsFollowTheSum) {
  // Slow motion, as that of the low-frequency position is.
  EXPECT_LT(apart(0.01, {}, 0.08), 1.2e-6);
  EXPECT_LT(apart(0.05, {}, 0.08), 1.2e-6);
  // In a window of 0.26 s a hull that moves at the frequency of waves, with 1 m/s², departs by d = 33 mm from a
  // straight way: of second order, ½(kd)² = 7e-5.
  EXPECT_LT(apart(0.01, {}, 0.8), 2e-4);
  // A window of one step that is long against the shortest wave: ω⁵ h⁵/35000.
  EXPECT_LT(apart(0.4, {}, 0.08), 1e-4);
}

TEST(WaveExcitation, APlaceThatIsHeldLosesNothing) {
  const LowFrequencyPosition held{Vec2(20, -7), {{}, 0.3, true}, true};
  EXPECT_LT(apart(0.02, held, 0.8), 1e-6);
}

// A jump of the hull ends a window: its slopes do not reach there.
TEST(WaveExcitation, AHullThatIsMovedIsMetWhereItIs) {
  const auto waves = short_crested_sea(40);
  const WaveExcitation planned("waves", Frame{1, {}}, waves, WaveForceTable(hull(), 0, waves), 0.02, 0);
  DiscreteState discrete(planned.discrete_slots());
  Kin kin;
  set(kin, 10);
  planned.commit({kin, nullptr, nullptr, discrete, 0}, discrete);
  set(kin, 10.02);
  kin.body[1].p.x() += 25;
  planned.commit({kin, nullptr, nullptr, discrete, 0}, discrete);
  Loads loads;
  loads.resize(2, 0, false);
  loads.clear();
  planned.add_loads<double>({kin, nullptr, nullptr, discrete, 0}, loads, nullptr);
  const Vec3& p = kin.body[1].p;
  const double heading = std::atan2(kin.body[1].R(1, 0), kin.body[1].R(0, 0));
  EXPECT_NEAR(loads.wrench[1].f.z(), planned.sum(10.02, {p.x(), p.y(), heading}).force[2], 1e-5 * 1e5);
}

// Between the headings of the grid: the function itself, and slopes that do not jump from cell to cell.
TEST(WaveForceTable, IsSmoothOverTheHeading) {
  const auto waves = short_crested_sea(20);
  const WaveForceTable table(hull(), 0, waves);
  const auto at = [&](double heading, size_t n) {
    WaveForceTable::Force out;
    table.at(table.cell(heading), n, out);
    return out;
  };
  for (size_t n = 0; n < waves.size(); ++n)
    for (const double heading : {0.3, 2.0, -1.1}) {
      const Complex exact = force(waves[n].frequency, waves[n].heading - heading, 2);
      // What a database every 5° and 0.05 rad/s tells of it, of the largest force.
      EXPECT_NEAR(at(heading, n).value[2], exact.real(), 1e-3 * 9e5) << n;
      EXPECT_NEAR(at(heading, n).value[8], exact.imag(), 1e-3 * 9e5) << n;
      constexpr double h = 1e-5;
      EXPECT_NEAR(at(heading, n).slope[2], (at(heading + h, n).value[2] - at(heading - h, n).value[2]) / (2 * h),
                  1e-4 * 1e6);
    }
  const double edge = 17 * pi / 180;
  for (size_t n = 0; n < waves.size(); ++n)
    EXPECT_NEAR(at(edge - 1e-12, n).slope[2], at(edge + 1e-12, n).slope[2], 1e-5 * 1e6) << n;
  // All the way round.
  EXPECT_NEAR(at(-1e-18, 0).value[2], at(0, 0).value[2], 1e-6);
  EXPECT_NEAR(at(0.4 - 6 * pi, 3).value[2], at(0.4, 3).value[2], 1e-6);
}

}  // namespace
}  // namespace davit::hydro
