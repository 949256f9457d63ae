// Beams: gradients and tangents of their energy, exact bending at large rotation, forces on clamped ends, and lines
// that bars can have too.
#include "davit/cable/beam.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "davit/cable/beam_equations.hpp"
#include "davit/cable/beam_line.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

constexpr double pi = std::numbers::pi;

struct Bent {
  explicit Bent(Beam made)
      : line(std::move(made)), work(line.make_work()), state(static_cast<size_t>(line.state_size())), next(state) {}
  Outcome settle(const LineEnds& ends, Beam::Start start = Beam::Start::catenary) {
    return line.settle(ends, state.data(), work, start);
  }
  Outcome step(double time, double h, const LineEnds& ends) {
    const Outcome outcome = line.step(state.data(), time, h, ends, next.data(), forces, work);
    state.swap(next);
    return outcome;
  }
  LineView view() const {
    LineView out;
    line.look(state.data(), out);
    return out;
  }
  Beam line;
  BeamWork work;
  std::vector<double> state, next;
  EndForces forces;
};

// A rod without weight worth mentioning.
Section rod(double length, int elements, double EI, double EA = 1e7) {
  Section s;
  s.length = length;
  s.elements = elements;
  s.EA = EA;
  s.EI = EI;
  s.mass = 1e-6;
  s.displacement = s.mass / 1025;
  s.damping_time = 0;
  return s;
}

// Coordinates that bend and stretch it in space, and velocities.
void shake(const Beam& line, BeamWork& work) {
  for (int node = 0; node < line.nodes(); ++node)
    for (int axis = 0; axis < 6; ++axis) {
      const size_t k = static_cast<size_t>(axis * work.stride + node);
      const double straight = axis == 0 ? line.unstretched(node) : axis == 3 ? 1 : 0;
      work.position[k] = straight + 0.15 * std::sin(1.7 * node + 2.3 * axis);
      work.velocity[k] = 0;
    }
}

class BeamDerivatives : public testing::TestWithParam<Strain> {};

TEST_P(BeamDerivatives, AreThoseOfTheEnergy) {
  Section s = rod(6, 5, 3, 40);
  s.mass = 0.5;
  const Beam line({s}, {}, {}, {}, {.strain = GetParam()});
  BeamWork work = line.make_work();
  shake(line, work);
  BeamEquations equations(line, work);
  std::vector<double> state(static_cast<size_t>(line.state_size()), 0.0);
  const StateLayout layout{line.nodes(), 6, 3};
  const auto energy = [&] {
    for (int axis = 0; axis < 6; ++axis)
      for (int i = 0; i < line.nodes(); ++i)
        state[static_cast<size_t>(layout.position(axis) + i)] =
            work.position[static_cast<size_t>(axis * work.stride + i)];
    return line.energy(state.data()).total();
  };
  // Of a node's coordinate: sums of both elements.
  const auto residual = [&](int node, int axis) {
    double sum = 0;
    const int row = axis / 3;
    if (node < line.elements())
      sum += work.equations[static_cast<size_t>(node / lanes)].residual[row][axis % 3][node % lanes];
    if (node > 0)
      sum += work.equations[static_cast<size_t>((node - 1) / lanes)].residual[2 + row][axis % 3][(node - 1) % lanes];
    return sum;
  };
  const double d = 1e-5;
  for (const int node : {0, 2, 5})
    for (int axis = 0; axis < 6; ++axis) {
      double& x = work.position[static_cast<size_t>(axis * work.stride + node)];
      const double kept = x;
      x = kept + d;
      const double more = energy();
      equations.evaluate({0, 0}, nullptr);
      const double residual_more = residual(node, (axis + 1) % 6), next_more = residual(std::min(node + 1, 5), axis);
      x = kept - d;
      const double less = energy();
      equations.evaluate({0, 0}, nullptr);
      const double residual_less = residual(node, (axis + 1) % 6), next_less = residual(std::min(node + 1, 5), axis);
      x = kept;
      equations.evaluate({0, 0}, nullptr);
      EXPECT_NEAR(residual(node, axis), (more - less) / (2 * d), 1e-6) << node << " " << axis;
      // An entry of the tangent beside the diagonal, and one between two nodes.
      const auto entry = [&](int element, int i, int j) {
        const int lane = element % lanes;
        const auto& t = work.equations[static_cast<size_t>(element / lanes)].tangent;
        const int a = i / 3, b = j / 3;
        return a <= b ? t[a][b][3 * (i % 3) + j % 3][lane] : t[b][a][3 * (j % 3) + i % 3][lane];
      };
      double own = 0;
      if (node < 5) own += entry(node, axis, (axis + 1) % 6);
      if (node > 0) own += entry(node - 1, 6 + axis, 6 + (axis + 1) % 6);
      EXPECT_NEAR(own, (residual_more - residual_less) / (2 * d), 1e-6) << node << " " << axis;
      if (node < 5)
        EXPECT_NEAR(entry(node, axis, 6 + axis), (next_more - next_less) / (2 * d), 1e-6) << node << " " << axis;
    }
}
INSTANTIATE_TEST_SUITE_P(Beams, BeamDerivatives, testing::Values(Strain::engineering, Strain::green));

// A cantilever that a moment 2π EI/L at its end rolls up into a ring.
TEST(Beam, IsRolledUpIntoARing) {
  const double EI = 100, length = 10;
  LineEnds ends{Vec3::Zero(), Vec3(length, 0, 0), Vec3::UnitX(), Vec3::UnitX()};
  std::vector<double> state;
  for (int part = 1; part <= 10; ++part) {
    BeamOptions options{.a = Hold::clamped, .b = Hold::free};
    options.load_b.moment = Vec3(0, -2 * pi * EI / length * part / 10, 0);
    Bent ring(Beam({rod(length, 20, EI)}, {}, {}, {.water = {.gravity = 0}}, options));
    if (part > 1) ring.state = state;
    const Outcome outcome = ring.settle(ends, part > 1 ? Beam::Start::state : Beam::Start::straight);
    ASSERT_TRUE(outcome.converged) << part << " " << outcome.iterations << " " << outcome.residual;
    state = ring.state;
    if (part < 10) continue;
    EXPECT_LT(ring.line.position(state.data(), 20).norm(), 1e-3 * length);
    EXPECT_NEAR(ring.line.position(state.data(), 10).z(), length / pi, 1e-3 * length);
    EXPECT_NEAR(ring.line.curvature(state.data(), 7), 2 * pi / length, 5e-3 * 2 * pi / length);
    EXPECT_NEAR(ring.view().moment_a.y(), -2 * pi * EI / length, 1e-3 * EI);
  }
}

// At both ends clamped and in space, in a step.
TEST(Beam, ForcesAndMomentsHaveTheDerivativesOfDifferences) {
  Section s = rod(10, 8, 200, 1e5);
  s.mass = 3;
  Bent beam(Beam({s}, {}, {}, {}, {.a = Hold::clamped, .b = Hold::clamped}, {.tolerance = 1e-11}));
  const LineEnds rest{Vec3(0, 0, -50), Vec3(9, 1, -49), Vec3(1, 0, 0), Vec3(1, 0.3, 0.2).normalized()};
  ASSERT_TRUE(beam.settle(rest).converged);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(beam.step(0.05 * i, 0.05, rest).converged);
  const std::vector<double> before = beam.state;
  LineEnds moved = rest;
  moved.b += Vec3(0.05, 0.02, 0.03);
  ASSERT_TRUE(beam.step(0.25, 0.05, moved).converged);
  const Mat12 tangent = beam.forces.bending;
  const double d = 1e-5;
  for (int i = 0; i < 12; ++i) {
    Eigen::Matrix<double, 12, 1> difference = Eigen::Matrix<double, 12, 1>::Zero(), direction = difference;
    for (const double sign : {1.0, -1.0}) {
      LineEnds ends = moved;
      if (i < 6) {
        (i < 3 ? ends.a[i] : ends.b[i - 3]) += sign * d;
        direction[i] = 1;
      } else {
        // Turned about an axis: its direction changes by axis × direction.
        Vec3& turned = i < 9 ? ends.direction_a : ends.direction_b;
        const Vec3 change = Vec3::Unit(i % 3).cross(turned);
        direction.segment<3>(i < 9 ? 6 : 9) = change;
        turned = (turned + sign * d * change).normalized();
      }
      beam.state = before;
      ASSERT_TRUE(beam.step(0.25, 0.05, ends).converged);
      const EndForces& f = beam.forces;
      Eigen::Matrix<double, 12, 1> all;
      all << f.a, f.b, f.moment_a, f.moment_b;
      difference += sign * all / (2 * d);
    }
    const Eigen::Matrix<double, 12, 1> column = tangent * direction;
    EXPECT_LT((column - difference).norm(), 1e-4 * std::max(tangent.norm() / 12, column.norm()))
        << i << "\n"
        << column.transpose() << "\n"
        << difference.transpose();
  }
}

TEST(Beam, HangsAsBarsDo) {
  const Vec3 a(0, 0, -35.8), b(159, 0, -10);
  Moored bars(Line({chain(170, 170)}, {}, winkler_bed(-35.8), {}));
  ASSERT_TRUE(bars.settle(a, b).converged);
  Bent beams(Beam({chain(170, 60)}, {}, winkler_bed(-35.8), {}));
  const Outcome outcome = beams.settle({a, b});
  ASSERT_TRUE(outcome.converged) << outcome.iterations << " " << outcome.residual;
  EXPECT_NEAR(beams.view().tension_b, bars.view().tension_b, 2e-3 * bars.view().tension_b);
  EXPECT_NEAR(beams.view().grounded_length, bars.view().grounded_length, 0.5);
  const double h = 0.05;
  for (int i = 1; i <= 200; ++i) {
    const Vec3 end = b + Vec3(2 * std::sin(i * h), 0.5 - 0.5 * std::cos(i * h), 0);
    ASSERT_TRUE(bars.step((i - 1) * h, h, a, end).converged);
    const Outcome step = beams.step((i - 1) * h, h, {a, end});
    ASSERT_TRUE(step.converged) << i << " " << step.change << " " << step.residual;
  }
  EXPECT_NEAR(beams.forces.b.norm(), bars.forces.b.norm(), 0.01 * bars.forces.b.norm());
}

// Slack to taut: from the catenary, or from a straight line where that leads nowhere, as lines in models do.
TEST(Beam, RestsInAnyGeometry) {
  for (const double span : {60.0, 100.0, 130.0, 150.0, 159.0, 165.0, 168.0})
    for (const int elements : {20, 80}) {
      const Vec3 a(0, 0, -35.8), b(span, 0, -10);
      const BeamLine line(Beam({chain(170, elements)}, {}, winkler_bed(-35.8), {}));
      const auto scratch = line.make_scratch();
      std::vector<double> state(static_cast<size_t>(line.state_size()));
      EndForces forces;
      EXPECT_TRUE(line.settle({a, b}, state.data(), forces, *scratch).converged) << span << " " << elements;
    }
}

TEST(Beam, StepsAllocateNothing) {
  const Vec3 a(0, 0, -35.8), b(159, 0, -10);
  Bed bed = winkler_bed(-35.8);
  bed.friction_along = bed.friction_across = 0.5;
  Bent beams(Beam({chain(170, 41)}, {}, bed, {}));
  ASSERT_TRUE(beams.settle({a, b}).converged);
  const long before = allocated();
  for (int i = 1; i <= 10; ++i) beams.step(0.1 * (i - 1), 0.1, {a, b + Vec3(0.1 * i, 0, 0)});
  EXPECT_EQ(allocated(), before);
}

}  // namespace
}  // namespace davit::cable
