// Transformations against what must not change: power, the force on a point, the way there and back.
#include "davit/hydro/convert.hpp"

#include <cmath>
#include <numbers>

#include "davit/hydro/modes.hpp"
#include "davit/hydro/test/support.hpp"
#include "davit/hydro/tidy.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {
namespace {

using namespace test;

double largest_difference(const Database& a, const Database& b) {
  double most = 0;
  for (const double d :
       {test::difference(a.added_mass, b.added_mass), test::difference(a.damping, b.damping),
        test::difference(a.excitation, b.excitation), test::difference(a.drift, b.drift),
        test::difference(a.froude_krylov, b.froude_krylov),
        test::difference(a.excitation_haskind, b.excitation_haskind), (*a.added_mass_zero - *b.added_mass_zero).norm(),
        (*a.added_mass_infinite - *b.added_mass_infinite).norm(), (*a.viscous_damping - *b.viscous_damping).norm()})
    most = std::max(most, d);
  for (size_t i = 0; i < a.bodies.size(); ++i) {
    most = std::max(most, (a.bodies[i].restoring - b.bodies[i].restoring).norm() / a.bodies[i].restoring.norm());
    most = std::max(most, (a.bodies[i].reference - b.bodies[i].reference).norm());
    most = std::max(most, (a.bodies[i].buoyancy - b.bodies[i].buoyancy).norm());
    most = std::max(most, (a.bodies[i].loading->centre - b.bodies[i].loading->centre).norm());
  }
  return most;
}

TEST(Convert, ReferencePointThereAndBack) {
  const Database given = random_database(2);
  Database moved = given;
  move_reference(moved, 0, {5, -3, 2});
  move_reference(moved, 1, {-1, 7, 4});
  EXPECT_GT(largest_difference(given, moved), 0.1);
  move_reference(moved, 0, given.bodies[0].reference);
  move_reference(moved, 1, given.bodies[1].reference);
  EXPECT_LT(largest_difference(given, moved), 1e-13);
}

// The same rigid motion must meet the same power whatever point it is told about.
TEST(Convert, PowerDoesNotDependOnTheReferencePoint) {
  const Database given = random_database();
  Database moved = given;
  const Vec3 from = given.bodies[0].reference, to(4, -2, 9);
  move_reference(moved, 0, to);
  const Vec3 turn(0.3, -0.4, 0.2), speed(1, 2, -3);
  Vec6 at_from, at_to;
  at_from << speed, turn;
  at_to << speed + turn.cross(to - from), turn;
  for (size_t f = 0; f < given.frequencies.size(); ++f) {
    EXPECT_NEAR(at_from.dot(given.damping[f] * at_from), at_to.dot(moved.damping[f] * at_to), 1e-11);
    EXPECT_NEAR(at_from.dot(given.added_mass[f] * at_from), at_to.dot(moved.added_mass[f] * at_to), 1e-11);
  }
  for (size_t h = 0; h < given.headings.size(); ++h)
    EXPECT_LT((at_from.transpose() * given.excitation[h] - at_to.transpose() * moved.excitation[h]).norm(), 1e-12);
}

// A box in balance, and one that hangs partly in a crane: restoring about any point from first principles.
TEST(Convert, RestoringOfABoxAboutAnyPoint) {
  const double length = 20, width = 8, draft = 3, density = 1025, g = 9.81;
  const auto box = [&](const Vec3& reference, double mass, const Vec3& centre) {
    Database database;
    database.density = density;
    database.gravity = g;
    FloatingBody body;
    body.reference = reference;
    body.volume = length * width * draft;
    body.buoyancy = {0, 0, -draft / 2};
    body.loading = MassProperties{mass, centre, Mat3::Identity()};
    // Waterplane: pressure rises by −ρg z; z of a point (x, y) rises by ξ3 + θx (y − y_r) − θy (x − x_r).
    const double area = length * width;
    const double x = -reference.x(), y = -reference.y();  // centre of the waterplane as seen from the reference
    Mat6& C = body.restoring;
    C(2, 2) = area;
    C(2, 3) = C(3, 2) = area * y;
    C(2, 4) = C(4, 2) = -area * x;
    C(3, 3) = area * (width * width / 12 + y * y);
    C(4, 4) = area * (length * length / 12 + x * x);
    C(3, 4) = C(4, 3) = -area * x * y;
    C *= density * g;
    C += upright_load_restoring(density * g * body.volume, body.buoyancy - reference);
    C += upright_load_restoring(-mass * g, centre - reference);
    database.bodies.push_back(body);
    return database;
  };
  const Vec3 a(1, -2, 3), b(-4, 0.5, -1.5), centre(0.2, 0.1, 2);
  for (const double mass : {density * length * width * draft, 3e5}) {
    Database moved = box(a, mass, centre);
    move_reference(moved, 0, b);
    const Database direct = box(b, mass, centre);
    EXPECT_LT((moved.bodies[0].restoring - direct.bodies[0].restoring).norm(),
              1e-9 * direct.bodies[0].restoring.norm());

    // Without the weight, only the water is left: the box as if its weight were nothing.
    const Mat6 water = *buoyancy_restoring(direct.bodies[0], g);
    const Mat6 weightless = box(b, 1e-9, centre).bodies[0].restoring;
    EXPECT_LT((water - weightless).norm(), 1e-9 * water.norm());
  }
  FloatingBody unknown;
  EXPECT_FALSE(buoyancy_restoring(unknown, g));
}

TEST(Convert, MassMatrixThereAndBack) {
  Mat3 inertia;
  inertia << 5, 1, 2, 1, 7, 0.5, 2, 0.5, 9;
  const MassProperties loading{13, {1, -2, 3}, inertia};
  const Vec3 reference(0.4, 0.5, -0.6);
  const MassProperties back = mass_properties_of(mass_matrix(loading, reference), reference);
  EXPECT_NEAR(back.mass, 13, 1e-12);
  EXPECT_LT((back.centre - loading.centre).norm(), 1e-13);
  EXPECT_LT((back.inertia - loading.inertia).norm(), 1e-12);
  // Kinetic energy of a rotation about the reference point: that of the centre and that about the centre.
  Vec6 motion;
  motion << 0, 0, 0, 0.1, 0.2, 0.3;
  const Vec3 w = motion.tail<3>(), v = w.cross(loading.centre - reference);
  EXPECT_NEAR(motion.dot(mass_matrix(loading, reference) * motion), 13 * v.squaredNorm() + w.dot(inertia * w), 1e-12);
}

TEST(Convert, AxesThereAndBack) {
  const Database given = random_database(2);
  const Mat3 turn = Eigen::AngleAxisd(0.6, Vec3::UnitZ()).toRotationMatrix();
  for (const Mat3& Q : {turn, Mat3(Vec3(1, -1, -1).asDiagonal()), Mat3(Vec3(1, -1, 1).asDiagonal())}) {
    Database there = given;
    transform_axes(there, Q);
    EXPECT_GT(largest_difference(given, there), 0.1);
    transform_axes(there, Q.transpose());
    EXPECT_LT(largest_difference(given, there), 1e-13);
    for (size_t h = 0; h < given.headings.size(); ++h) EXPECT_NEAR(given.headings[h], there.headings[h], 1e-14);
  }
}

// Turned axes: a force seen from there is the turned force, for the wave that goes the turned way.
TEST(Convert, TurnedAxesTurnForcesAndHeadings) {
  const Database given = random_database();
  Database turned = given;
  const double yaw = 0.25;
  const Mat3 Q = Eigen::AngleAxisd(yaw, Vec3::UnitZ()).toRotationMatrix();
  transform_axes(turned, Q);
  for (size_t h = 0; h < given.headings.size(); ++h) {
    EXPECT_NEAR(turned.headings[h], given.headings[h] + yaw, 1e-14);
    EXPECT_LT((turned.excitation[h].topRows<3>() - Q * given.excitation[h].topRows<3>()).norm(), 1e-13);
    EXPECT_LT((turned.drift[h].bottomRows<3>() - Q * given.drift[h].bottomRows<3>()).norm(), 1e-13);
  }
}

// The way a yawed body is told: in its own axes. Told in the frame's axes instead, nothing but names changes.
TEST(Convert, YawedBody) {
  const Database given = random_database();
  Database in_body_axes = given, there = given;
  align_body(in_body_axes, 0, -0.5);
  align_body(in_body_axes, 0, 0.5);
  EXPECT_LT(largest_difference(given, in_body_axes), 1e-14);
  align_body(there, 0, std::numbers::pi / 2);  // a surge force in the body's axes is a sway force in the frame
  EXPECT_LT((there.excitation[0].row(1) - given.excitation[0].row(0)).norm(), 1e-14);
  EXPECT_LT((there.excitation[0].row(0) + given.excitation[0].row(1)).norm(), 1e-14);
}

TEST(Convert, PhasesFollowTheCrest) {
  const Database given = random_database();
  Database moved = given;
  const Vec2 offset(12, -5);
  move_origin(moved, offset);
  const size_t h = 2, f = 1;
  const double k = sea::wave_number(given.frequencies[f], given.depth, given.gravity);
  const double path = offset.x() * std::cos(given.headings[h]) + offset.y() * std::sin(given.headings[h]);
  // The crest reaches the new origin later, so the same force leads it by more.
  EXPECT_LT(std::abs(moved.excitation[h](2, f) - given.excitation[h](2, f) * std::polar(1.0, k * path)), 1e-14);
  move_origin(moved, -offset);
  EXPECT_LT(largest_difference(given, moved), 1e-14);
  refer_phases_to_origin(moved, offset);
  EXPECT_LT(std::abs(moved.excitation[h](2, f) - given.excitation[h](2, f) * std::polar(1.0, -k * path)), 1e-14);
}

TEST(Convert, HeadingsBySymmetry) {
  Database database = random_database();
  database.bodies[0].reference.y() = 0;
  EXPECT_FALSE(is_port_starboard_symmetric(database));
  for (MatX& A : database.added_mass)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        if ((i + j) % 2) A(i, j) = 0;
  EXPECT_TRUE(is_port_starboard_symmetric(database));
  const Database given = database;
  expand_headings(database);
  ASSERT_EQ(database.headings, (std::vector<double>{-2.0, -0.7, 0.0, 0.7, 2.0}));
  EXPECT_EQ(database.excitation[2], given.excitation[1]);
  for (int mode = 0; mode < 6; ++mode) {
    EXPECT_EQ(database.excitation[1].row(mode), port_starboard_sign(mode) * given.excitation[2].row(mode));
    EXPECT_EQ(database.drift[4].row(mode), port_starboard_sign(mode) * given.drift[0].row(mode));
  }
}

TEST(Convert, CutsFrequencies) {
  const Database given = random_database();
  Database cut = given;
  cut_frequencies(cut, 0.9);
  check(cut, "test");
  EXPECT_EQ(cut.frequencies, (std::vector<double>{0.3, 0.5, 0.9}));
  EXPECT_EQ(cut.damping[2], given.damping[2]);
  EXPECT_EQ(cut.excitation[1], given.excitation[1].leftCols(3));
}

TEST(Tidy, SortsAndWrapsHeadings) {
  Database database = random_database();
  std::swap(database.frequencies[0], database.frequencies[2]);
  const MatX third = database.added_mass[0];
  const MatXc force = database.excitation[2];
  database.headings = {0, 2 * std::numbers::pi, 1.5 * std::numbers::pi};
  tidy(database, "test");
  EXPECT_EQ(database.frequencies, (std::vector<double>{0.3, 0.5, 0.9, 1.7}));
  EXPECT_EQ(database.added_mass[2], third);
  ASSERT_EQ(database.headings.size(), 2u);
  EXPECT_NEAR(database.headings[0], -std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(database.headings[1], 0);
  EXPECT_EQ(database.excitation[0].col(0), force.col(2));
}

}  // namespace
}  // namespace davit::hydro
