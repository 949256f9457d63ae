// Lines that a winch pays out and takes in.
#include <gtest/gtest.h>

#include <cmath>

#include "lines.hpp"

namespace davit::cable {
namespace {

const Vec3 bottom(0, 0, -35.8), top(159, 0, -10);

Moored on_winch(const Winch& winch, int elements = 34) {
  return Moored(
      Line({chain(120, 24), chain(50, elements - 24)}, {}, winkler_bed(-35.8), {}, {.tolerance = 1e-8}, winch));
}

double unstretched(const Moored& m) {
  double sum = 0;
  for (int i = 0; i < m.line.elements(m.state.data()); ++i) sum += m.line.rest_length(m.state.data(), i);
  return sum;
}

TEST(LineOnWinch, IsTheSameLineWhenNothingIsPaidOut) {
  Moored plain(Line({chain(120, 24), chain(50, 10)}, {}, winkler_bed(-35.8), {}, {.tolerance = 1e-8}));
  Moored winched = on_winch({.least = -20, .most = 30});
  ASSERT_TRUE(plain.settle(bottom, top).converged);
  ASSERT_TRUE(winched.settle(bottom, top).converged);
  for (int i = 0; i < 30; ++i) {
    const Vec3 b = top + Vec3(std::sin(0.1 * i), 0, 0);
    ASSERT_TRUE(plain.step(0.1 * i, 0.1, bottom, b).converged);
    ASSERT_TRUE(winched.step(0.1 * i, 0.1, bottom, b).converged);
  }
  EXPECT_LT((plain.forces.b - winched.forces.b).norm(), 1e-6 * plain.forces.b.norm());
}

TEST(LineOnWinch, HasTheLengthThatIsPaidOut) {
  Moored m = on_winch({.least = -20, .most = 30});
  ASSERT_TRUE(m.settle(bottom, top).converged);
  double time = 0, paid_out = 0;
  const long before = allocated();
  for (const double to : {10.0, -5.0}) {
    const double rate = to > paid_out ? 0.5 : -0.5;
    while (std::abs(to - paid_out) > 1e-9) {
      paid_out += 0.05 * rate;
      ASSERT_TRUE(m.line
                      .step(m.state.data(), time, 0.05, bottom, top, m.next.data(), m.forces, m.work, Guess::prediction,
                            {paid_out, rate, 0})
                      .converged)
          << paid_out;
      m.state.swap(m.next);
      m.line.remesh(m.state.data());
      time += 0.05;
    }
    EXPECT_NEAR(unstretched(m), 170 + to, 1e-9);
    EXPECT_EQ(m.line.elements(m.state.data()), to > 0 ? 36 : 33);
  }
  EXPECT_EQ(allocated(), before);
}

// Parting an element changes neither energy nor forces.
TEST(LineOnWinch, PartingKeepsEnergy) {
  Moored m = on_winch({.least = -20, .most = 30});
  ASSERT_TRUE(m.settle(bottom, top).converged);
  double paid_out = 0, time = 0;
  int parted = 0;
  for (int i = 0; i < 200; ++i, time += 0.05) {
    paid_out += 0.05;
    ASSERT_TRUE(m.line
                    .step(m.state.data(), time, 0.05, bottom, top, m.next.data(), m.forces, m.work, Guess::prediction,
                          {paid_out, 1, 0})
                    .converged);
    m.state.swap(m.next);
    const LineEnergy before = m.line.energy(m.state.data());
    const int elements = m.line.elements(m.state.data());
    m.line.remesh(m.state.data());
    if (m.line.elements(m.state.data()) == elements) continue;
    ++parted;
    const LineEnergy after = m.line.energy(m.state.data());
    EXPECT_NEAR(after.kinetic / before.kinetic, 1, 1e-9);
    EXPECT_NEAR(after.elastic / before.elastic, 1, 1e-9);
    EXPECT_NEAR(after.weight / before.weight, 1, 1e-12);
  }
  EXPECT_EQ(parted, 2);
}

TEST(LineOnWinch, RefusesToTakeInMoreThanThereIs) {
  try {
    on_winch({.least = -60});
    FAIL();
  } catch (const std::invalid_argument& mistake) {
    EXPECT_STREQ(mistake.what(),
                 "the winch takes in 60 m, and there are 49 m that it can take in, of the last section and beyond what "
                 "is attached");
  }
}

}  // namespace
}  // namespace davit::cable
