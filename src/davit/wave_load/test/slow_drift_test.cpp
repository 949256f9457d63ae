// Slow drift against sums by hand and against Newman's double sum.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/hydro/test/support.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/sea/random.hpp"
#include "davit/wave_load/wave_loads.hpp"

namespace davit::wave_load {
namespace {

using namespace hydro::test;

// Drift that is smooth in frequency and heading, cubic and of few harmonics so that it is interpolated nearly exactly.
double surge_drift(double w, double b) { return -1e4 * w * w * (1 + 0.3 * w) * std::cos(b); }
double sway_drift(double w, double b) { return 3e4 * w * w * std::sin(b); }
double yaw_drift(double w, double b) { return 2e5 * w * std::sin(2 * b); }

hydro::Database drifting() {
  hydro::Database db;
  db.bodies.emplace_back();
  for (double w = 0.2; w < 2.01; w += 0.1) db.frequencies.push_back(w);
  for (int h = -11; h <= 12; ++h) db.headings.push_back(h * pi / 12);
  const auto count = static_cast<Eigen::Index>(db.frequencies.size());
  for (const double b : db.headings) {
    MatX D = MatX::Constant(6, count, std::nan(""));
    for (Eigen::Index f = 0; f < count; ++f) {
      const double w = db.frequencies[static_cast<size_t>(f)];
      D(0, f) = surge_drift(w, b);
      D(1, f) = sway_drift(w, b);
      D(5, f) = yaw_drift(w, b);
    }
    db.drift.push_back(D);
    db.excitation.push_back(MatXc::Zero(6, count));
  }
  return db;
}

sea::Component component(double amplitude, double frequency, double heading, double phase) {
  return {amplitude, frequency, sea::wave_number(frequency, std::numeric_limits<double>::infinity(), standard_gravity),
          heading, phase};
}

std::vector<sea::Component> short_crested(int count) {
  sea::Random random(4);
  std::vector<sea::Component> out;
  for (int n = 0; n < count; ++n)
    out.push_back(component(0.05 + 0.1 * random.unit(), 0.3 + 1.5 * random.unit(), 0.7 + random.unit() - 0.5,
                            2 * pi * random.unit()));
  return out;
}

std::shared_ptr<const WavesOnHull> drifting_in(const std::vector<sea::Component>& waves, double step = 0,
                                               double ramp = 0, const hydro::Database& db = drifting()) {
  return std::make_shared<const WavesOnHull>(
      waves, WavesOnHull::Answers{WaveForceTable(db, 0, waves), {}, WaveForceTable::of_drift(db, 0, waves)}, step,
      ramp);
}
WavesOnHull drift_of(const std::vector<sea::Component>& waves) { return *drifting_in(waves); }
WaveLoads drift_force(const std::vector<sea::Component>& waves, double step, double ramp) {
  return {"drift", Frame{1, {}}, drifting_in(waves, step, ramp), {}, "surge"};
}

Vec6 force(const WavesOnHull& waves, double t, const Vec2& place = Vec2::Zero(), double heading = 0) {
  return waves.full_sum(t, {place.x(), place.y(), heading}).drift;
}

TEST(SlowDrift, OneRegularWaveGivesMeanDrift) {
  // The hull on a heading of the grid and the wave on one of the database as seen from it; over frequency these drifts
  // are cubics: nothing is lost in interpolation.
  const double a = 1.5, w = 0.87, b = 35 * pi / 180, heading = b - pi / 4;
  const WavesOnHull drift = drift_of({component(a, w, b, 0.3)});
  for (const double t : {1.0, 17.3, 400.0}) {
    const Vec6 F = force(drift, t, Vec2(30, -12), heading);
    EXPECT_NEAR(F[0], a * a * surge_drift(w, b - heading), 1e-9 * std::abs(F[0]));
    EXPECT_NEAR(F[1], a * a * sway_drift(w, b - heading), 1e-9 * std::abs(F[1]));
    EXPECT_NEAR(F[5], a * a * yaw_drift(w, b - heading), 1e-9 * std::abs(F[5]));
    EXPECT_EQ(F[2], 0) << "what is not known counts as zero";
  }
}

TEST(SlowDrift, TwoWavesBeat) {
  const double a1 = 1, a2 = 0.6, w1 = 0.8, w2 = 1.1, b = pi / 3, e1 = 0.4, e2 = 1.9;
  const WavesOnHull drift = drift_of({component(a1, w1, b, e1), component(a2, w2, b, e2)});
  const double D1 = sway_drift(w1, b), D2 = sway_drift(w2, b);
  for (double t = 0; t < 60; t += 1.7) {
    const double exact = a1 * a1 * D1 + a2 * a2 * D2 + a1 * a2 * (D1 + D2) * std::cos((w1 - w2) * t + e1 - e2);
    EXPECT_NEAR(force(drift, t)[1], exact, 1e-9 * (a1 * a1 * D1 + a2 * a2 * D2)) << t;
  }
}

// The product of two sums is the double sum with ½(D + D') and differences of phases alone.
TEST(SlowDrift, IsNewmansDoubleSum) {
  const auto waves = short_crested(40);
  const WaveForceTable table = WaveForceTable::of_drift(drifting(), 0, waves);
  const double heading = 0.9;
  const auto mean_drift = [&, cell = table.cell(heading)](size_t n, size_t i) {
    WaveForceTable::Force force;
    table.at(cell, n, force);
    return force.value[i];
  };
  const WavesOnHull drift = drift_of(waves);
  const Vec2 place(35, -80);
  for (const double t : {3.0, 71.0, 1234.5}) {
    Vec6 sum = Vec6::Zero();
    const auto phase = [&](const sea::Component& c) {
      return c.frequency * t - c.wave_number * (std::cos(c.heading) * place.x() + std::sin(c.heading) * place.y()) +
             c.phase;
    };
    for (size_t n = 0; n < waves.size(); ++n)
      for (size_t m = 0; m < waves.size(); ++m)
        for (size_t i = 0; i < 6; ++i)
          sum[static_cast<Eigen::Index>(i)] += 0.5 * waves[n].amplitude * waves[m].amplitude *
                                               (mean_drift(n, i) + mean_drift(m, i)) *
                                               std::cos(phase(waves[n]) - phase(waves[m]));
    EXPECT_LT((force(drift, t, place, heading) - sum).norm(), 1e-12 * sum.norm());
  }
}

// Over a long time the mean is Σ a² D, and that is 2 ∫ S D dω of the sea that was realised.
TEST(SlowDrift, MeanInAnIrregularSea) {
  const sea::Spectrum spectrum = sea::jonswap(2.0, 2 * pi / 8, 3.3);
  const sea::Water water;
  sea::Random random(11);
  sea::IrregularSea irregular{spectrum, 1.1};
  irregular.frequencies = 200;
  irregular.range = sea::FrequencyRange{0.3, 1.9};
  const auto waves = sea::realise(irregular, water, random);
  const WavesOnHull drift = drift_of(waves);
  double own = 0;
  for (const auto& c : waves) own += c.amplitude * c.amplitude * sway_drift(c.frequency, c.heading);
  double integral = 0;
  for (double w = 0.3005; w < 1.9; w += 0.001) integral += 2 * spectrum(w) * sway_drift(w, 1.1) * 0.001;
  EXPECT_NEAR(own / integral, 1, 0.005);
  double mean = 0;
  const int count = 200000;
  for (int n = 0; n < count; ++n) mean += force(drift, 2.3 * n)[1] / count;
  EXPECT_NEAR(mean / own, 1, 0.005);
}

TEST(SlowDrift, NoDriftNoForce) {
  hydro::Database db = drifting();
  for (MatX& D : db.drift) D.setZero();
  const auto waves = short_crested(30);
  EXPECT_TRUE(force(*drifting_in(waves, 0, 0, db), 33).isZero(0));
}

// A hull that goes its way with a frequency w: the polynomial of a window, and the force formed at every moment.
TEST(SlowDrift, WindowsFollowTheForce) {
  const auto waves = short_crested(60);
  const auto worst = [&](double h, double w) {
    const WaveLoads planned = drift_force(waves, h, 20), direct = drift_force(waves, 0, 20);
    DiscreteState discrete(planned.discrete_slots()), none(planned.discrete_slots());
    Kin kin;
    kin.body.resize(2);
    const auto set = [&](double t) {
      kin.t = t;
      kin.body[1].p = Vec3(3 * std::sin(w * t), 0.4 * t, 0);
      kin.body[1].v = Vec3(3 * w * std::cos(w * t), 0.4, 0);
      kin.body[1].R = Eigen::AngleAxisd(0.4 + 0.1 * std::sin(w * t), Vec3::UnitZ()).toRotationMatrix();
      kin.body[1].w = Vec3(0, 0, 0.1 * w * std::cos(w * t));
    };
    Loads a, b;
    a.resize(2, 0, false);
    b.resize(2, 0, false);
    double apart = 0, largest = 0;
    for (int n = 0; n * h < 80; ++n) {
      set(n * h);
      planned.commit({kin, nullptr, nullptr, discrete, 0}, discrete);
      for (const double part : {0.0, 0.5, 0.77, 1.0}) {
        set((n + part) * h);
        a.clear();
        b.clear();
        planned.add_loads<double>({kin, nullptr, nullptr, discrete, 0}, a, nullptr);
        direct.add_loads<double>({kin, nullptr, nullptr, none, 0}, b, nullptr);
        apart = std::max(apart, (a.wrench[1].f - b.wrench[1].f).norm());
        largest = std::max(largest, b.wrench[1].f.norm());
      }
    }
    return apart / largest;
  };
  // Within a window the hull departs by d from a straight way: of first order, kd. Slowly by 0.4 mm, kd ≤ 1.3e-4; at
  // the frequency of waves by 4 cm.
  EXPECT_LT(worst(0.01, 0.06), 1e-4);
  EXPECT_LT(worst(0.1, 0.06), 1e-4);
  EXPECT_LT(worst(0.05, 0.6), 5e-3);
}

TEST(SlowDrift, ComesUpWithTheSquareOfTheRamp) {
  const std::vector<sea::Component> waves{component(1, 0.9, 0.5, 0)};
  const WaveLoads drift = drift_force(waves, 0, 10);
  Kin kin;
  kin.body.resize(2);
  DiscreteState none;
  const auto sway = [&](double t) {
    kin.t = t;
    Loads loads;
    loads.resize(2, 0, false);
    drift.add_loads<double>({kin, nullptr, nullptr, none, 0}, loads, nullptr);
    return loads.wrench[1].f.y();
  };
  EXPECT_EQ(sway(-1), 0);
  EXPECT_EQ(sway(0), 0);
  EXPECT_NEAR(sway(5) / sway(50), 0.25, 1e-12);
}

}  // namespace
}  // namespace davit::wave_load
