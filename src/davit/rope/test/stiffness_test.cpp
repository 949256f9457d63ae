// Bending and torsion: loads against differences of the energy.
#include "davit/rope/stiffness.hpp"

#include <gtest/gtest.h>

#include <random>

namespace davit::rope {
namespace {

std::mt19937 engine(11);
Vec3 random_vector() {
  std::uniform_real_distribution<double> any(-1, 1);
  const double x = any(engine), y = any(engine), z = any(engine);
  return {x, y, z};
}

template <class F>
void expect_gradient(const F& force, Kin kin) {
  const DiscreteState discrete;
  const ContextT<double> context{kin, nullptr, nullptr, discrete, 0};
  Loads loads;
  loads.resize(static_cast<int>(kin.body.size()), 0, false);
  loads.clear();
  force.template add_loads<double>(context, loads, nullptr);
  const double h = 1e-5;
  for (size_t b = 1; b < kin.body.size(); ++b)
    for (int k = 0; k < 3; ++k) {
      const auto kept = kin.body[b];
      const auto slope = [&](const auto& change) {
        const auto at = [&](double s) {
          change(s);
          const double energy = force.template potential_energy<double>(context);
          kin.body[b] = kept;
          return energy;
        };
        return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      };
      EXPECT_NEAR(-slope([&](double s) { kin.body[b].p[k] += s; }), loads.wrench[b].f[k], 1e-8);
      EXPECT_NEAR(-slope([&](double s) {
        kin.body[b].R = Eigen::AngleAxisd(s, Vec3::Unit(k)).toRotationMatrix() * kin.body[b].R;
      }),
                  loads.wrench[b].n[k], 1e-8);
    }
}

TEST(Stiffness, LoadsOfBending) {
  for (const bool clamped : {false, true})
    for (int trial = 0; trial < 10; ++trial) {
      Kin kin;
      kin.body.resize(5);
      std::vector<Frame> points;
      for (size_t b = 1; b < 5; ++b) {
        kin.body[b].p = Vec3(static_cast<double>(b), 0, 0) + 0.3 * random_vector();
        kin.body[b].R = Eigen::AngleAxisd(0.5, random_vector().normalized()).toRotationMatrix();
        points.push_back({static_cast<int>(b), {Mat3::Identity(), 0.2 * random_vector()}});
      }
      expect_gradient(Bending("bending", points, 3, clamped ? Bending::Clamp(Vec3::UnitX()) : std::nullopt, kin), kin);
    }
}

TEST(Stiffness, LoadsOfTorsion) {
  for (int trial = 0; trial < 10; ++trial) {
    Kin kin;
    kin.body.resize(3);
    kin.body[2].p = Vec3(0, 0, -4);
    const Torsion torsion("torsion", {1, {Mat3::Identity(), 0.2 * random_vector()}},
                          {2, {Mat3::Identity(), 0.2 * random_vector()}}, 3, kin);
    for (size_t b = 1; b < 3; ++b) {
      kin.body[b].p += 0.5 * random_vector();
      kin.body[b].R = Eigen::AngleAxisd(0.7, random_vector().normalized()).toRotationMatrix();
    }
    expect_gradient(torsion, kin);
  }
}

}  // namespace
}  // namespace davit::rope
