// Wave forces: windows of steps against sums by cosines, and the table that both look up.
#include "davit/wave_load/wave_loads.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/sea/random.hpp"

namespace davit::wave_load {
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

hydro::Database hull() {
  hydro::Database db;
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

std::shared_ptr<const WavesOnHull> on_hull(const std::vector<sea::Component>& waves, double step, double ramp,
                                           std::vector<HorizontalReceptance> receptance = {}) {
  return std::make_shared<const WavesOnHull>(
      waves, WavesOnHull::Answers{WaveForceTable(hull(), 0, waves), std::move(receptance)}, step, ramp);
}

// Largest difference of the force in the course of a run, of the largest force.
double apart(double step, const WaveLoads::Encounter& meeting, double frequency) {
  const auto waves = short_crested_sea(70);
  const WaveLoads planned("waves", Frame{1, {}}, on_hull(waves, step, 5), meeting);
  const WaveLoads direct("waves", Frame{1, {}}, on_hull(waves, 0, 5), meeting);
  DiscreteState discrete(planned.discrete_slots()), none(planned.discrete_slots());
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

TEST(WaveLoads, WindowsFollowTheSum) {
  // Slow motion.
  EXPECT_LT(apart(0.01, {}, 0.08), 1e-6);
  EXPECT_LT(apart(0.05, {}, 0.08), 1e-6);
  // A hull that moves and turns at the frequency of waves: windows are short where it turns fast.
  EXPECT_LT(apart(0.01, {}, 0.8), 2e-5);
  // A window of one step that is long against the shortest wave: ω⁵ h⁵/35000.
  EXPECT_LT(apart(0.4, {}, 0.08), 1e-4);
}

TEST(WaveLoads, APlaceThatIsHeldLosesNothing) {
  EXPECT_LT(apart(0.02, {.axes = hull_load::ForceAxes::hull, .held = WaveLoads::Place{20, -7, 0.3}}, 0.8), 1e-6);
}

// Surge, sway and yaw for unit forces, as those of a free mass of 1e7 kg; lower frequencies move it more.
std::vector<HorizontalReceptance> free_mass(const std::vector<sea::Component>& waves) {
  std::vector<HorizontalReceptance> out;
  for (const sea::Component& c : waves) {
    HorizontalReceptance H = HorizontalReceptance::Zero();
    H(0, 0) = H(1, 1) = -1 / (1e7 * c.frequency * c.frequency);
    H(2, 5) = H(0, 0) / 900.0;
    out.push_back(H);
  }
  return out;
}

// A hull that goes its way and does on it what linear theory says is met on that way.
TEST(WaveLoads, MotionsInWavesAreTakenOffThePlace) {
  const auto waves = short_crested_sea(40);
  const auto at_any_time = on_hull(waves, 0, 0, free_mass(waves));
  const WaveLoads first_order("waves", Frame{1, {}}, at_any_time, {});
  const double step = 0.02;
  const WaveLoads planned("waves", Frame{1, {}}, on_hull(waves, step, 0, free_mass(waves)), {});
  DiscreteState discrete(planned.discrete_slots()), none(planned.discrete_slots());
  Kin kin;
  kin.body.resize(2);
  const auto way = [](double t) -> WaveLoads::Place { return {1.5 * t, 5 * std::sin(0.1 * t), 3.0 + 0.01 * t}; };
  double moved = 0, worst_planned = 0, worst_direct = 0;
  for (int n = 1; n * step < 40; ++n) {
    kin.t = n * step;
    const WaveLoads::Place mean = way(kin.t);
    const Vec3 motion = at_any_time->sum(kin.t, mean).motion;
    const Vec3 ahead = at_any_time->sum(kin.t + 1e-4, way(kin.t + 1e-4)).motion;
    kin.body[1].p = Vec3(mean[0] + motion.x(), mean[1] + motion.y(), 0);
    kin.body[1].R = Eigen::AngleAxisd(mean[2] + motion.z(), Vec3::UnitZ()).toRotationMatrix();
    const Vec3 rate = (ahead - motion) / 1e-4;
    kin.body[1].v = Vec3(1.5 + rate.x(), 0.5 * std::cos(0.1 * kin.t) + rate.y(), 0);
    kin.body[1].w = Vec3(0, 0, 0.01 + rate.z());
    planned.commit({kin, nullptr, nullptr, discrete, 0}, discrete);
    const auto off = [&](const WaveLoads& waves_on, const DiscreteState& of) {
      const WaveLoads::Place found = waves_on.mean_place({kin, nullptr, nullptr, of, 0});
      return std::max({std::abs(found[0] - mean[0]), std::abs(found[1] - mean[1]),
                       50 * std::abs(std::remainder(found[2] - mean[2], 2 * pi))});
    };
    worst_planned = std::max(worst_planned, off(planned, discrete));
    worst_direct = std::max(worst_direct, off(first_order, none));
    moved = std::max(moved, motion.head<2>().norm());
  }
  EXPECT_GT(moved, 0.2);
  EXPECT_LT(worst_direct, 1e-4);
  EXPECT_LT(worst_planned, 1e-3);
}

// A jump of the hull ends a window: its slopes do not reach there.
TEST(WaveLoads, AHullThatIsMovedIsMetWhereItIs) {
  const auto waves = short_crested_sea(40);
  const auto met = on_hull(waves, 0.02, 0);
  const WaveLoads planned("waves", Frame{1, {}}, met, {});
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
  EXPECT_NEAR(loads.wrench[1].f.z(), met->sum(10.02, {p.x(), p.y(), heading}).force[2], 1e-5 * 1e5);
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
}  // namespace davit::wave_load
