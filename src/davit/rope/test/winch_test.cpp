// The motor and brake of a drum, mode by mode, against its law written out.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/rope/winch_drive.hpp"
#include "lone_rope.hpp"

namespace davit::rope {
namespace {

using testing::LoneRope;
using testing::point_at;

constexpr double radius = 0.4, inertia = 50, response = 0.5, pull = 2e4, gravity = 9.80665;

// A load on a rope from a drum, which is coordinate 0, told what to do by signal 0.
struct Hoist : LoneRope {
  std::unique_ptr<WinchDrive> drive;
  std::vector<double> z, rate;
  int drive_slot = 0;

  explicit Hoist(WinchDrive::Data data, double target) : LoneRope(1, 1) {
    signals.add(Motion(target));
    kin.body[1].p = Vec3(0, 0, -10);
    RopeSetup setup = testing::through({point_at(0, Vec3::Zero()), point_at(1, Vec3::Zero())}, 1e6, pull);
    const auto drum = std::make_shared<DrumReel>(CoordinateIndex{0, 0}, 0, radius);
    setup.first_reel = drum;
    lay(std::move(setup));
    data.target = Signal(0);
    data.first_target = target;
    data.inertia = inertia;
    data.response = response;
    data.first_pull = pull;
    drive = std::make_unique<WinchDrive>("winch", std::move(data), drum, rope, 0, 0);
    drive_slot = static_cast<int>(rope->discrete_slots().size());
    auto slots = rope->discrete_slots();
    for (const DiscreteSlot& slot : drive->discrete_slots()) slots.push_back(slot);
    discrete = DiscreteState(slots);
    z.resize(static_cast<size_t>(drive->auxiliary_states()));
    rate = z;
    drive->initial_z(z.data());
    commit_both();
  }
  ContextT<double> drive_context() const { return {kin, z.data(), nullptr, discrete, drive_slot, work.get()}; }
  void commit_both() {
    commit();
    drive->commit(drive_context(), discrete);
  }
  // From here on it does as it is told.
  void begin() {
    kin.t += 1e-3;
    commit_both();
  }
  // At a speed of the drum.
  double torque(double omega) {
    u[0] = omega;
    loads.clear();
    drive->add_loads(drive_context(), loads, rate.data());
    return loads.tau[0];
  }
};

WinchDrive::Data in(WinchMode mode) {
  WinchDrive::Data data;
  data.mode = mode;
  return data;
}

// What hangs is told by the tension.
double reflected() { return inertia + pull / gravity * radius * radius; }

TEST(Winch, HoldsBeforeTheRunBegins) {
  Hoist hoist(in(WinchMode::speed), 0.3);
  EXPECT_NEAR(hoist.torque(0), -pull * radius, 1e-9);  // whatever the target is
  hoist.begin();
  EXPECT_NEAR(hoist.torque(0), -pull * radius + reflected() * 2 / response * 0.3 / radius, 1e-3);
}

TEST(Winch, OfSpeedIsAControllerOfTheDrumsSpeed) {
  Hoist hoist(in(WinchMode::speed), 0.3);
  hoist.begin();
  for (const double omega : {0.0, 0.5, -1.0}) {
    const double error = 0.3 / radius - omega;
    EXPECT_NEAR(hoist.torque(omega), -pull * radius + reflected() * 2 / response * error, 1e-3) << omega;
    EXPECT_NEAR(hoist.rate[0], reflected() * error / (response * response), 1e-3);
  }
}

TEST(Winch, OfLengthGoesToItsTarget) {
  Hoist hoist(in(WinchMode::length), 0.8);
  hoist.begin();
  // A share of what is missing, 1/(4 t_r).
  const double asked = 0.8 * 0.25 / response;
  EXPECT_NEAR(hoist.torque(0), -pull * radius + reflected() * 2 / response * asked / radius, 1e-3);
  hoist.q[0] = 0.8 / radius;
  EXPECT_NEAR(hoist.torque(0), -pull * radius, 1e-9);
}

TEST(Winch, OfForcePullsWithItsTarget) {
  Hoist hoist(in(WinchMode::force), 1.5e4);
  EXPECT_TRUE(hoist.z.empty());
  hoist.begin();
  EXPECT_NEAR(hoist.torque(0), -1.5e4 * radius, 1e-9);
  EXPECT_NEAR(hoist.torque(2), -1.5e4 * radius, 1e-9);
}

TEST(Winch, OfTensionFollowsWhatItMeasures) {
  WinchDrive::Data data = in(WinchMode::tension);
  data.gain = 1e-4;
  data.dead_band = 500;
  for (const double off : {0.0, 400.0, 2500.0, -2500.0}) {
    Hoist hoist(data, pull - off);
    hoist.begin();
    const double beyond = std::abs(off) <= 500 ? 0 : off - std::copysign(500, off);
    EXPECT_NEAR(hoist.torque(0), -pull * radius + reflected() * 2 / response * 1e-4 * beyond / radius, 1e-3) << off;
  }
}

// Beyond its limit of speed the drum is held back with 25 times the gain, and no more speed is asked for than that.
TEST(Winch, KeepsItsLimitOfSpeed) {
  WinchDrive::Data data = in(WinchMode::speed);
  data.limits.speed = 0.2;
  Hoist hoist(data, 0.5);
  hoist.begin();
  const double most = 0.2 / radius;
  EXPECT_NEAR(hoist.torque(0), -pull * radius + reflected() * 2 / response * most, 1e-3);
  const double over = hoist.torque(most + 0.1), under = hoist.torque(-most - 0.1);
  EXPECT_NEAR(over, -pull * radius - reflected() * (2 + 50) / response * 0.1, 1e-3);
  EXPECT_NEAR(under, -pull * radius + reflected() * (2 / response * (2 * most + 0.1) + 50 / response * 0.1), 1e-3);
}

TEST(Winch, KeepsItsLimitsOfTorqueAndPower) {
  WinchDrive::Data data = in(WinchMode::speed);
  data.limits.torque = 9e3;
  data.limits.power = 4e3;
  data.limits.braking_power = 6e3;
  Hoist hoist(data, -2);
  hoist.begin();
  EXPECT_NEAR(hoist.torque(0), -9e3, 1e-9);
  // It hoists: the motor drives, and what it cannot give is not added up.
  EXPECT_NEAR(hoist.torque(-1), -4e3, 1e-9);
  EXPECT_EQ(hoist.rate[0], 0);
  // It lowers: the motor is driven.
  EXPECT_NEAR(hoist.torque(1), -6e3, 1e-9);
}

TEST(Winch, OfForceIsBoundedByItsLimits) {
  WinchDrive::Data data = in(WinchMode::force);
  data.limits.speed = 0.4;
  data.limits.acceleration = 0.2;
  Hoist hoist(data, 0);  // lets go
  hoist.begin();
  EXPECT_NEAR(hoist.torque(0), -pull * radius + inertia * 0.2 / radius, 1e-9);
  const double most = 0.4 / radius;
  EXPECT_NEAR(hoist.torque(most), -pull * radius, 1e-9);
  EXPECT_NEAR(hoist.torque(most + 0.1), -pull * radius - 10 * inertia / response * 0.1, 1e-9);
}

TEST(Winch, BrakesByDryFriction) {
  WinchDrive::Data data = in(WinchMode::speed);
  data.brake = 3e4;
  data.closed = {{0.0, 1.0}};
  Hoist hoist(data, 0.3);
  // Before the run it holds what pulls at it, and gives by a milliradian at most.
  EXPECT_NEAR(hoist.torque(0), -pull * radius, 1e-9);
  hoist.begin();
  EXPECT_NEAR(hoist.torque(0.1), -3e4, 1e-6);
  EXPECT_NEAR(hoist.torque(-0.1), 3e4, 1e-6);
  // The motor takes over what the brake carries, and has it when the brake opens.
  hoist.torque(0.1);
  EXPECT_LT(hoist.rate[0], 0);
  hoist.kin.t = 1.5;
  EXPECT_NEAR(hoist.torque(0), -pull * radius + reflected() * 2 / response * 0.3 / radius, 1e-3);
  EXPECT_EQ(hoist.drive->breakpoints(), (std::vector<double>{0, 1}));
}

TEST(Winch, CompensatesHeave) {
  WinchDrive::Data data = in(WinchMode::length);
  data.follows = HeaveSensor{Frame{1, {}}, -10, 0, 0};
  Hoist hoist(data, 0);
  hoist.begin();
  hoist.kin.body[1].p.z() += 0.2;
  hoist.kin.body[1].v.z() = 0.5;
  // A point that rises is given rope: its speed, and a share of its rise.
  const double asked = 0.5 + 0.2 * 0.25 / response;
  EXPECT_NEAR(hoist.torque(0), -pull * radius + reflected() * 2 / response * asked / radius, 1e-3);
}

TEST(Winch, ComesToRestWhereItIsCommitted) {
  Hoist hoist(in(WinchMode::speed), 0.3);
  hoist.begin();
  hoist.q[0] = 0.5;
  hoist.kin.t += 1;
  hoist.commit_both();
  hoist.drive->come_to_rest(hoist.discrete, hoist.drive_slot);
  hoist.commit_both();
  // It holds where it is, by what pulled at it there, and comes back to there.
  const double at_rest = hoist.torque(0);
  hoist.q[0] += 0.1;
  EXPECT_LT(hoist.torque(0), at_rest);
}

}  // namespace
}  // namespace davit::rope
