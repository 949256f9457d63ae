// Mean drift against what is known of it in closed form: a cylinder that stands on the bottom (MacCamy & Fuchs 1954).
#include "davit/panel/drift.hpp"

#include <gtest/gtest.h>

#include "davit/hull/named_hulls.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/panel/wave_numbers.hpp"

using namespace davit;
using namespace davit::panel;

namespace {

// The wall of a cylinder from the surface to the bottom at z = −depth.
hull::PanelMesh standing_cylinder(double radius, double depth, double size) {
  hull::PanelMesh mesh = hull::panelled(hull::Cylinder{2 * radius, depth, depth}, {size, 20000, 0});
  std::erase_if(mesh.panels, [&](const auto& panel) {
    return std::all_of(panel.begin(), panel.end(),
                       [&](int p) { return mesh.points[static_cast<size_t>(p)].z() < -depth + 1e-9; });
  });
  return mesh;
}

double bessel_slope(int m, double x) {
  return m == 0 ? -std::cyl_bessel_j(1, x) : 0.5 * (std::cyl_bessel_j(m - 1, x) - std::cyl_bessel_j(m + 1, x));
}
double neumann_slope(int m, double x) {
  return m == 0 ? -std::cyl_neumann(1, x) : 0.5 * (std::cyl_neumann(m - 1, x) - std::cyl_neumann(m + 1, x));
}

// MacCamy & Fuchs: coefficients aₘ of what leaves the cylinder, 𝒜 = Σ aₘ exp(imθ) (a₋ₘ = aₘ). Momentum as in drift.hpp.
double exact_drift(double ka, double k, double density, double gravity, double depth, double frequency) {
  const auto a = [&](int m) {
    return -bessel_slope(std::abs(m), ka) / Complex(bessel_slope(std::abs(m), ka), -neumann_slope(std::abs(m), ka));
  };
  double along = 0, ahead = 0;
  for (int m = -40; m <= 40; ++m) {
    along += 2 * M_PI * (std::conj(a(m)) * a(m + 1)).real();
    ahead += a(m).real();
  }
  const double scale = density * gravity * group_velocity(frequency, k, depth) / (M_PI * k * frequency);
  return -scale * k * (along + 2 * M_PI * ahead);
}

}  // namespace

TEST(Drift, short_waves_are_thrown_back) {
  // Geometrical optics: ½ρg ∫ cos²… = ⅔ρgR for each squared amplitude, in deep water.
  const double k = 20, g = 9.81, f = std::sqrt(g * k * std::tanh(k * 3));
  EXPECT_NEAR(exact_drift(20, k, 1000, g, 3, f) / (1000 * g * 1), 2.0 / 3, 0.01);
}

TEST(Drift, cylinder_on_the_bottom) {
  const double radius = 1, depth = 2;
  Water water{1000, 9.81, depth};
  const hull::PanelMesh mesh = standing_cylinder(radius, depth, 0.12);
  const double beta = 0.4;
  const LinearFlow flow(Surface({{"pile", mesh, {{}, {}, true, true}}}), water, {beta});
  FlowScratch scratch;
  for (const double ka : {0.4, 1.0, 1.6}) {
    const double k = ka / radius, frequency = std::sqrt(water.gravity * k * std::tanh(k * depth));
    const FrequencyResult result = flow.solve(frequency, true, scratch);
    const Drift drift = mean_drift(result.far_field, Eigen::MatrixXcd::Zero(6, 1), frequency, {beta}, water)[0];
    const double exact = exact_drift(ka, k, water.density, water.gravity, depth, frequency);
    EXPECT_NEAR(drift.surge / std::cos(beta), exact, 0.02 * exact) << ka;
    EXPECT_NEAR(drift.sway / std::sin(beta), exact, 0.02 * exact) << ka;
    EXPECT_NEAR(drift.yaw, 0, 1e-3 * exact);
    EXPECT_LT(drift.energy_gap, 0.02);
    // The horizontal force: 4ρg a tanh(kh)/k / (k |H₁'|).
    const double force = 4 * water.density * water.gravity * std::tanh(k * depth) / (k * k) /
                         std::abs(Complex(bessel_slope(1, ka), -neumann_slope(1, ka)));
    EXPECT_NEAR(std::abs(result.excitation(0, 0)) / std::cos(beta), force, 0.01 * force) << ka;
  }
}

// Away from the origin the yaw moment is that of the force at the cylinder: r × F.
TEST(Drift, yaw_of_a_cylinder_beside_the_origin) {
  const double depth = 2;
  Water water{1000, 9.81, depth};
  hull::PanelMesh mesh = hull::expand(standing_cylinder(1, depth, 0.25));
  for (Vec3& point : mesh.points) point += Vec3(0.7, -1.1, 0);
  const double beta = 2.3, frequency = std::sqrt(9.81 * std::tanh(depth));
  const LinearFlow flow(Surface({{"pile", mesh, {}}}), water, {beta});
  FlowScratch scratch;
  const FrequencyResult result = flow.solve(frequency, true, scratch);
  const Drift drift = mean_drift(result.far_field, Eigen::MatrixXcd::Zero(6, 1), frequency, {beta}, water)[0];
  EXPECT_NEAR(drift.yaw, 0.7 * drift.sway + 1.1 * drift.surge, 0.01 * std::abs(drift.surge));
}
