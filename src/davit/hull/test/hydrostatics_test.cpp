// Hydrostatics against exact solids, a second formulation by the waterlines, and WAMIT.
#include "davit/hull/hydrostatics.hpp"

#include <gtest/gtest.h>

#include "davit/hull/hull_file.hpp"
#include "davit/hull/named_hulls.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/test/shared_data.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/math/constants.hpp"

namespace davit::hull {
namespace {

TEST(Hydrostatics, BargeIsExact) {
  const double L = 100, B = 20, T = 5;
  const Hydrostatics h = hydrostatics(panelled(Barge{L, B, 8, T}, {3}));
  EXPECT_NEAR(h.volume, L * B * T, 1e-8);
  EXPECT_NEAR((h.buoyancy - Vec3(0, 0, -T / 2)).norm(), 0, 1e-12);
  EXPECT_NEAR(h.waterplane, L * B, 1e-9);
  EXPECT_NEAR(h.yy, L * B * B * B / 12, 1e-6);
  EXPECT_NEAR(h.xx, B * L * L * L / 12, 1e-6);
  EXPECT_NEAR(h.wetted_surface, L * B + 2 * (L + B) * T, 1e-9);
  EXPECT_NEAR(h.draft, T, 1e-12);
  EXPECT_NEAR(h.length, L, 1e-12);
  EXPECT_NEAR(h.beam, B, 1e-12);
  const MetacentricHeights gm = metacentric_heights(h, Vec3(0, 0, 1));
  EXPECT_NEAR(gm.transverse, -T / 2 + B * B / (12 * T) - 1, 1e-12);
  EXPECT_NEAR(gm.longitudinal, -T / 2 + L * L / (12 * T) - 1, 1e-11);
}

TEST(Hydrostatics, SymmetryAndItsImagesAreTheSame) {
  for (const Shape& shape : {Shape(Barge{100, 20, 8, 5.0}), Shape(Sphere{10, 7.0}), Shape(Ship{100, 20, 10, 6, 0.7})}) {
    const PanelMesh mesh = panelled(shape, {2});
    const Hydrostatics a = hydrostatics(mesh), b = hydrostatics(expand(mesh));
    EXPECT_NEAR(a.volume / b.volume, 1, 1e-12);
    EXPECT_NEAR((a.buoyancy - b.buoyancy).norm(), 0, 1e-9);
    EXPECT_NEAR(a.xx / b.xx, 1, 1e-12);
    EXPECT_NEAR(a.yy / b.yy, 1, 1e-12);
    EXPECT_NEAR(a.xy, b.xy, 1e-7);
    EXPECT_NEAR(a.length, b.length, 1e-12);
    EXPECT_NEAR(a.beam, b.beam, 1e-12);
  }
}

TEST(Hydrostatics, SphereConvergesWithTheSquareOfTheSize) {
  const double R = 5;
  const auto errors = [&](double size) {
    const Hydrostatics h = hydrostatics(panelled(Sphere{2 * R, {}}, {size, 1 << 20}));
    return std::array{std::abs(h.volume / (2 * pi / 3 * R * R * R) - 1), std::abs(h.buoyancy.z() / (-3 * R / 8) - 1),
                      std::abs(h.waterplane / (pi * R * R) - 1), std::abs(h.yy / (pi * R * R * R * R / 4) - 1),
                      std::abs(h.wetted_surface / (2 * pi * R * R) - 1)};
  };
  const auto coarse = errors(0.8), fine = errors(0.2);
  for (size_t k = 0; k < coarse.size(); ++k) {
    EXPECT_LT(fine[k], 2e-3) << k;
    EXPECT_NEAR(std::log(coarse[k] / fine[k]) / std::log(4), 2, 0.2) << k;
  }
}

// The waterplane's area and moments again, by Green's theorem around the loops.
TEST(Hydrostatics, WaterplaneByPanelsAndByLoops) {
  const Pose pose{Eigen::AngleAxisd(0.2, Vec3(1, 0.3, 0.1).normalized()).toRotationMatrix(), Vec3(3, -2, 0.5)};
  for (const Shape& shape : {Shape(Barge{60, 20, 10, 5.0}), Shape(Cylinder{20, 12, 6.0}), Shape(Sphere{10, {}}),
                             Shape(Ship{100, 20, 12, 6, 0.7})}) {
    const PanelMesh wetted = cut_at_waterplane(placed(panelled(shape, {2}, Part::whole), pose));
    const Hydrostatics h = hydrostatics(wetted);
    double S = 0, Sx = 0, Sy = 0, xx = 0, xy = 0, yy = 0;
    for (const Loop& loop : waterline(wetted))
      for (size_t k = 0; k < loop.size(); ++k) {
        const Vec2 &a = loop[k], &b = loop[(k + 1) % loop.size()];
        const double w = a.x() * b.y() - a.y() * b.x();
        S += w / 2;
        Sx += w / 6 * (a.x() + b.x());
        Sy += w / 6 * (a.y() + b.y());
        xx += w / 12 * (a.x() * a.x() + a.x() * b.x() + b.x() * b.x());
        yy += w / 12 * (a.y() * a.y() + a.y() * b.y() + b.y() * b.y());
        xy += w / 24 * (a.x() * b.y() + 2 * a.x() * a.y() + 2 * b.x() * b.y() + b.x() * a.y());
      }
    EXPECT_NEAR(S, h.waterplane, 1e-8 * S);
    EXPECT_NEAR(Sx, h.waterplane * h.flotation.x(), 1e-8 * S * h.length);
    EXPECT_NEAR(Sy, h.waterplane * h.flotation.y(), 1e-8 * S * h.length);
    EXPECT_NEAR(xx, h.xx, 1e-8 * h.xx);
    EXPECT_NEAR(xy, h.xy, 1e-8 * h.xx);
    EXPECT_NEAR(yy, h.yy, 1e-8 * h.xx);
  }
}

// The restoring matrix is how much force and moment change when the hull is really moved, cut anew and integrated.
TEST(Hydrostatics, RestoringIsTheDerivativeOfForces) {
  const PanelMesh hull = panelled(Ship{100, 20, 12, 6, 0.7}, {4}, Part::whole);
  const Water water;
  const Vec3 reference(4, 1, 2);
  const Hydrostatics upright = hydrostatics(cut_at_waterplane(hull));
  const Weight weight{water.density * upright.volume, upright.buoyancy + Vec3(0.5, -0.3, 4)};
  const Mat6 C = restoring(upright, water, reference, weight);
  const auto load = [&](const Vec6& motion) {
    const Mat3 R = exp_rotation(Vec3(motion.tail<3>()));
    const Pose pose{R, reference + Vec3(motion.head<3>()) - R * reference};
    const Hydrostatics h = hydrostatics(cut_at_waterplane(placed(hull, pose), 0));
    const double up = water.density * water.gravity * h.volume, down = weight.mass * water.gravity;
    const Vec3 about = reference + Vec3(motion.head<3>());
    Vec6 f = Vec6::Zero();
    f[2] = up - down;
    f.tail<3>() = (h.buoyancy - about).cross(Vec3(0, 0, up)) + (pose * weight.centre - about).cross(Vec3(0, 0, -down));
    return f;
  };
  // The ship's sections change their slope at the waterline: the quotient is right to first order in the step.
  const double step = 1e-5;
  for (int k = 0; k < 6; ++k) {
    const Vec6 d = step * Vec6::Unit(k);
    const Vec6 slope = (load(d) - load(-d)) / (2 * step);
    EXPECT_NEAR((slope + C.col(k)).norm() / C.norm(), 0, 1e-5) << "motion " << k + 1;
  }
}

// WAMIT integrates with one point per panel. With that rule the panels here give its restoring matrix (tanker.hst, in
// ρg); the exact integrals differ by half a percent.
TEST(Hydrostatics, TankerAsWamitHasIt) {
  const auto file = shared_data("mss-tanker/tanker.gdf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const PanelMesh mesh = read_hull(file);
  const Vec3 G(3.93, 0, 2.5);
  const double m = 94620210.0 / 1025;
  Hydrostatics one_point;
  for (const auto& g : panel_geometries(expand(mesh))) {
    const Vec3& c = g.centroid;
    const double nz = g.area * g.normal.z();
    one_point.volume += c.z() * nz;
    one_point.buoyancy += 0.5 * g.area * c.cwiseProduct(c).cwiseProduct(g.normal);
    one_point.waterplane -= nz;
    one_point.flotation -= c.head<2>() * nz;
    one_point.xx -= c.x() * c.x() * nz;
    one_point.yy -= c.y() * c.y() * nz;
  }
  one_point.buoyancy /= one_point.volume;
  one_point.flotation /= one_point.waterplane;
  const Mat6 W = restoring(one_point, {1, 1}, Vec3::Zero(), {m, G});
  const Mat6 C = restoring(hydrostatics(mesh), {1, 1}, Vec3::Zero(), {m, G});
  EXPECT_NEAR(W(2, 2), 10221.50, 0.01);
  EXPECT_NEAR(W(2, 4), 31916.31, 0.5);
  EXPECT_NEAR(W(3, 3), 921490.6, 1);
  EXPECT_NEAR(W(4, 4), 43471740, 100);
  EXPECT_NEAR(W(3, 5), 374.607, 1.5);
  EXPECT_NEAR(C(2, 2) / 10221.50, 1, 1e-5);
  EXPECT_NEAR(C(2, 4) / 31916.31, 1, 2e-4);
  EXPECT_NEAR(C(3, 3) / 921490.6, 1, 5e-3);
  EXPECT_NEAR(C(4, 4) / 43471740, 1, 2e-4);
  EXPECT_NEAR(hydrostatics(mesh).volume * 1025 / 94620210, 1, 1e-4);
}

TEST(Hydrostatics, TypicalGyration) {
  const GyrationRadii k = typical_gyration(100, 20);
  EXPECT_GT(k.xx, 0.35 * 20);
  EXPECT_LT(k.xx, 0.4 * 20);
  EXPECT_DOUBLE_EQ(k.yy, 25);
  EXPECT_NE(k.note.find("assumed"), std::string::npos);
}

}  // namespace
}  // namespace davit::hull
