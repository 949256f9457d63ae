// Both memories under the same prescribed motion, against each other and against what the database says.
#include "davit/radiation/convolution_memory.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "davit/hydro/open_database.hpp"
#include "davit/radiation/memory_fit.hpp"
#include "davit/radiation/test/memory_support.hpp"
#include "davit/solve/test/count_allocations.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::radiation {
namespace {

using namespace test;
using namespace hydro::test;
using Velocity = std::function<Vec6(double)>;

// A hull on body 1 that is shown the velocity only, in its own axes; forces come back in the same.
class Tank {
 public:
  explicit Tank(const Force& force) : force_(force), modes_(force.discrete_slots()) {
    kin_.body.resize(2);
    kin_.body[1].R = frame_world_ * frame().offset.R.transpose();
    loads_.resize(2, 0, false);
    z_.assign(static_cast<size_t>(force.auxiliary_states()), 0.0);
  }
  // A hull whose axes and origin are not the body's.
  static Frame frame() {
    Frame f;
    f.body = 1;
    f.offset.R = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    f.offset.p = Vec3(3, -1, 2);
    return f;
  }

  Vec6 force(double t, const Vec6& velocity, const std::vector<double>& z, std::vector<double>* rate = nullptr) {
    set(t, velocity);
    loads_.clear();
    std::vector<double> zdot(z.size());
    force_.apply(ContextT<double>{kin_, z.data(), nullptr, modes_, 0}, loads_, zdot.data());
    if (rate) *rate = zdot;
    const Vec3 arm = kin_.body[1].R * frame().offset.p;
    Vec6 out;
    out << frame_world_.transpose() * loads_.wrench[1].f,
        frame_world_.transpose() * (loads_.wrench[1].n - arm.cross(loads_.wrench[1].f));
    return out;
  }
  Vec6 force(double t, const Vec6& velocity) { return force(t, velocity, z_); }

  void commit(double t, const Vec6& velocity) {
    set(t, velocity);
    force_.commit(ContextT<double>{kin_, z_.data(), nullptr, modes_, 0}, modes_);
  }
  // A step of the classical Runge-Kutta method in z, then commit.
  void step(double t, double h, const Velocity& v) {
    std::vector<double> k[4], at = z_;
    const double shift[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; ++s) {
      for (size_t i = 0; i < z_.size() && s > 0; ++i) at[i] = z_[i] + h * shift[s] * k[s - 1][i];
      force(t + shift[s] * h, v(t + shift[s] * h), at, &k[s]);
    }
    for (size_t i = 0; i < z_.size(); ++i) z_[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    commit(t + h, v(t + h));
  }

 private:
  void set(double t, const Vec6& velocity) {
    BodyKinT<double>& b = kin_.body[1];
    kin_.t = t;
    b.w = frame_world_ * velocity.tail<3>();
    b.v = frame_world_ * velocity.head<3>() - b.w.cross(Vec3(b.R * frame().offset.p));
  }

  const Force& force_;
  Mat3 frame_world_ = Eigen::AngleAxisd(-0.7, Vec3::UnitZ()).toRotationMatrix();
  Kin kin_;
  Loads loads_;
  DiscreteState modes_;
  std::vector<double> z_;
};

MemoryKernel sampled(const MemoryModel& model, double step, double length) {
  MemoryKernel kernel;
  kernel.step = step;
  for (int n = 0; n * step <= length; ++n) kernel.values.push_back(model.kernel(n * step));
  return kernel;
}

// Every motion in two frequencies of its own, from a jump at the start.
Vec6 swinging(double t) {
  Vec6 v;
  for (int i = 0; i < 6; ++i)
    v[i] = (i < 3 ? 1 : 0.02) * (std::cos((0.5 + 0.11 * i) * t + i) + 0.4 * std::sin((1.3 - 0.07 * i) * t));
  return v;
}

// Largest difference of each component against its largest.
struct Comparison {
  Vec6 largest = Vec6::Zero(), apart = Vec6::Zero();
  void see(const Vec6& a, const Vec6& b) {
    largest = largest.cwiseMax(a.cwiseAbs());
    apart = apart.cwiseMax((a - b).cwiseAbs());
  }
  double worst() const { return apart.cwiseQuotient(largest).maxCoeff(); }
};

double difference_of_memories(double grid, double h) {
  const MemoryModel model = known_memory();
  const RadiationMemory states("states", Tank::frame(), model);
  const ConvolutionMemory convolution("convolution", Tank::frame(), sampled(model, grid, 40));
  Tank a(states), b(convolution);
  a.commit(0, swinging(0));
  b.commit(0, swinging(0));
  Comparison comparison;
  const int fine = static_cast<int>(std::ceil(h / 0.05));
  for (int n = 0; n * h < 60; ++n) {
    for (int k = 0; k < fine; ++k) a.step(n * h + k * h / fine, h / fine, swinging);
    b.step(n * h, h, swinging);
    comparison.see(a.force((n + 1) * h, swinging((n + 1) * h)), b.force((n + 1) * h, swinging((n + 1) * h)));
  }
  return comparison.worst();
}

TEST(ConvolutionMemory, IsThatOfTheStates) {
  const double coarse = difference_of_memories(0.2, 0.2), middle = difference_of_memories(0.1, 0.1),
               fine = difference_of_memories(0.05, 0.05);
  EXPECT_LT(coarse, 0.007);
  EXPECT_LT(middle, 0.002);
  EXPECT_NEAR(coarse / middle, 4, 0.1);
  EXPECT_NEAR(middle / fine, 4, 0.1);
}

TEST(ConvolutionMemory, StepsNeedNotFitTheGrid) {
  const double alike = difference_of_memories(0.1, 0.1);
  EXPECT_LT(difference_of_memories(0.1, 0.013), 1.2 * alike);
  EXPECT_LT(difference_of_memories(0.1, 0.037), 1.3 * alike);
  EXPECT_LT(difference_of_memories(0.1, 0.17), 1.3 * alike);
  EXPECT_LT(difference_of_memories(0.1, 0.73), 0.05);  // longer than what is kept beforehand
}

// A steady motion makes no waves, however early the kernel was cut off and whenever one asks.
TEST(ConvolutionMemory, DoesNotBrakeSteadyMotion) {
  const MemoryModel model = known_memory();
  Vec6 steady;
  steady << 1.5, -0.7, 0.2, 0.01, -0.02, 0.03;
  for (const double length : {40.0, 12.0}) {
    const ConvolutionMemory memory("memory", Tank::frame(), sampled(model, 0.1, length));
    Tank tank(memory);
    tank.commit(0, steady);
    const Vec6 scale = (0.1 * tank.force(0.1, steady)).cwiseAbs();
    double t = 0;
    for (; t < length + 0.3; t += 0.037) tank.commit(t, steady);
    for (int i = 0; i < 40; ++i) {
      const Vec6 force = tank.force(t + 0.021, steady);
      EXPECT_LT(force.cwiseAbs().cwiseQuotient(scale).maxCoeff(), 1e-9) << length << " s, at " << t;
      tank.commit(t += 0.037, steady);
    }
  }
}

// A hull that heels has the memory of one that does not: a vertical motion gives a vertical force, and none to the side
// that would be there on average.
TEST(RadiationMemory, ActsInLevelAxes) {
  const MemoryModel model = known_memory();
  const RadiationMemory states("states", {1, {}}, model);
  const ConvolutionMemory convolution("convolution", {1, {}}, sampled(model, 0.1, 40));
  for (const Force* force : {static_cast<const Force*>(&states), static_cast<const Force*>(&convolution)}) {
    Vec3 found[2];
    for (const double heel : {0.0, 0.4}) {
      DiscreteState discrete(force->discrete_slots());
      std::vector<double> z(static_cast<size_t>(force->auxiliary_states()), 0.7), rate(z.size());
      Kin kin;
      kin.body.resize(2);
      kin.body[1].R = (Eigen::AngleAxisd(0.3, Vec3::UnitZ()) * Eigen::AngleAxisd(heel, Vec3::UnitX())).matrix();
      Loads loads;
      loads.resize(2, 0, false);
      for (int n = 0; n < 20; ++n) {
        kin.t = 0.1 * n;
        kin.body[1].v = Vec3(0.1, 0.2, std::sin(kin.t));
        force->commit(ContextT<double>{kin, z.data(), nullptr, discrete, 0}, discrete);
      }
      force->apply(ContextT<double>{kin, z.data(), nullptr, discrete, 0}, loads, rate.data());
      found[heel > 0] = loads.wrench[1].f;
    }
    EXPECT_LT((found[1] - found[0]).norm(), 1e-12 * found[0].norm()) << force->name();
  }
}

// At every time inside a step, and from one step to the next without a jump.
TEST(ConvolutionMemory, IsSmoothInsideAStep) {
  const MemoryModel model = known_memory();
  const RadiationMemory states("states", Tank::frame(), model);
  const ConvolutionMemory convolution("convolution", Tank::frame(), sampled(model, 0.1, 40));
  Tank a(states), b(convolution);
  a.commit(0, swinging(0));
  b.commit(0, swinging(0));
  Comparison inside, jump;
  const double h = 0.04;
  for (int n = 0; n < 500; ++n) {
    const double t = n * h;
    for (int k = 0; k < 4; ++k) {
      inside.see(a.force(t + k * h / 4, swinging(t + k * h / 4)), b.force(t + k * h / 4, swinging(t + k * h / 4)));
      a.step(t + k * h / 4, h / 4, swinging);
    }
    const Vec6 before = b.force(t + h, swinging(t + h));
    b.commit(t + h, swinging(t + h));
    jump.see(before, b.force(t + h, swinging(t + h)));
  }
  EXPECT_LT(inside.worst(), 0.002);
  EXPECT_LT(jump.worst(), 2e-4);  // by the velocity at a grid time inside a step, of the order h²
}

TEST(ConvolutionMemory, ResponseIsThatOfTheDatabase) {
  const MemoryModel known = known_memory();
  const hydro::Database database = database_of(known, 8, 0.04);
  const MemoryFit fit = fit_memory(database, 0);
  const RadiationMemory states("states", Tank::frame(), fit.model);
  const ConvolutionMemory convolution("convolution", Tank::frame(), memory_kernel(database, 0));
  for (const Force* force : {static_cast<const Force*>(&states), static_cast<const Force*>(&convolution)})
    for (const size_t f : {9u, 19u, 29u}) {
      const double w = database.frequencies[f], h = 2 * std::numbers::pi / w / 200;
      // Damping and added mass of the database, without what is inertia.
      const MatXc Z = database.damping[f] + std::complex<double>(0, w) * (database.added_mass[f] - fit.infinite);
      for (int motion = 0; motion < 6; ++motion) {
        const Velocity v = [&](double t) { return Vec6(Vec6::Unit(motion) * std::cos(w * t)); };
        Tank tank(*force);
        tank.commit(0, v(0));
        Eigen::Matrix<std::complex<double>, 6, 1> F = Eigen::Matrix<std::complex<double>, 6, 1>::Zero();
        const int transient = static_cast<int>(60 / h);
        for (int n = 0; n < transient + 200; ++n) {
          tank.step(n * h, h, v);
          if (n >= transient)
            F += 0.01 * std::exp(std::complex<double>(0, -w * (n + 1) * h)) * tank.force((n + 1) * h, v((n + 1) * h));
        }
        for (int i = 0; i < 6; ++i) {
          const double size = std::sqrt(std::abs(Z(i, i)) * std::abs(Z(motion, motion)));
          EXPECT_LT(std::abs(F[i] + Z(i, motion)), 0.015 * size) << force->name() << ' ' << w << ' ' << i << motion;
        }
      }
    }
}

// The fit of a real database against its own kernel, in time: all motions in irregular oscillation. Where every entry
// of damping is off by some per cent, force is by as much of its peak; the rest of the kernel, which gives added mass,
// adds its own.
void expect_same_force(const hydro::Database& database) {
  const MemoryFit fit = fit_memory(database, 0);
  EXPECT_GE(least_damping(fit.model), -1e-14) << database.title;
  const RadiationMemory states("states", Tank::frame(), fit.model);
  const ConvolutionMemory convolution("convolution", Tank::frame(), memory_kernel(database, 0));
  Tank a(states), b(convolution);
  const double rise = 10;  // s; from rest
  const Velocity v = [&](double t) { return Vec6((1 - std::exp(-t / rise)) * swinging(t)); };
  b.commit(0, v(0));
  Comparison comparison;
  const double h = 0.05;
  for (int n = 0; n < 3000; ++n) {
    a.step(n * h, h, v);
    b.step(n * h, h, v);
    comparison.see(a.force((n + 1) * h, v((n + 1) * h)), b.force((n + 1) * h, v((n + 1) * h)));
  }
  EXPECT_LT(comparison.worst(), fit.damping_error + fit.kernel_error) << database.title;
  EXPECT_LT(fit.damping_error, 0.025) << database.title;
}

TEST(ConvolutionMemory, OfTheSupplyVessel) {
  const auto path = shared("mss-supply/supply.mat");
  SKIP_WITHOUT(path);
  expect_same_force(hydro::open_database(path));
}

TEST(ConvolutionMemory, OfVesselsOfTheProject) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(in_source("vessels")))
    if (file.path().extension() == ".h5") files.push_back(file.path());
  if (files.empty())
    GTEST_SKIP() << "no vessel has been solved; `davit hydro solve vessels/supply_ship.yaml` makes one";
  for (const auto& file : files) expect_same_force(hydro::open_database(file));
}

// Whatever a hull does, from rest on, waves take energy: −∫ νᵀF dt ≥ 0 at every time.
TEST(RadiationMemory, NeverGivesEnergy) {
  const MemoryFit fit = fit_memory(database_of(known_memory(), 5, 0.05, 0.03), 0, 0.03);
  const RadiationMemory states("states", Tank::frame(), fit.model);
  const Vec6 size = fit.model.kernel(0).diagonal().cwiseSqrt().cwiseInverse();
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    // Random straight lines between random velocities, over slow and fast times.
    const double pace = std::pow(10.0, -1 + 0.1 * trial);
    std::vector<Vec6> knots{Vec6::Zero()};
    for (int n = 0; n < 60; ++n) {
      Vec6 v;
      for (int i = 0; i < 6; ++i) v[i] = size[i] * normal(engine);
      knots.push_back(v);
    }
    const double h = std::min(0.05, pace / 10);
    const Velocity v = [&](double t) {
      const double x = std::min(t / pace, 59.999);
      const auto n = static_cast<size_t>(x);
      return Vec6(knots[n] + (x - static_cast<double>(n)) * (knots[n + 1] - knots[n]));
    };
    Tank tank(states);
    double taken = 0, exchanged = 0;
    double before = 0;
    for (int n = 0; n * h < 59 * pace; ++n) {
      tank.step(n * h, h, v);
      const double power = -v((n + 1) * h).dot(tank.force((n + 1) * h, v((n + 1) * h)));
      taken += 0.5 * h * (before + power);
      exchanged += 0.5 * h * std::abs(before + power);
      before = power;
      ASSERT_GE(taken, -1e-4 * exchanged) << trial << ' ' << n;
    }
    EXPECT_GT(taken, 0);
  }
}

TEST(ConvolutionMemory, AllocatesNothing) {
  const ConvolutionMemory force("convolution", Tank::frame(), sampled(known_memory(), 0.1, 5));
  DiscreteState discrete(force.discrete_slots());
  Kin kin;
  kin.body.resize(2);
  Loads loads;
  loads.resize(2, 0, false);
  const long before = allocations;
  for (int n = 0; n < 100; ++n) {
    kin.t = 0.07 * n;
    kin.body[1].v = Vec3(1, 2, n);
    const ContextT<double> context{kin, nullptr, nullptr, discrete, 0};
    force.commit(context, discrete);
    kin.t += 1;  // far ahead, beyond the sums that are kept
    force.add_loads<double>(context, loads, nullptr);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(loads.wrench[1].f.norm(), 0);
}

// Force and moment on a hull whose axes are those of the world.
template <class S>
Vec6T<S> upright_load(const ConvolutionMemory& force, const DiscreteState& discrete, const S& t,
                      const Vec6T<S>& velocity) {
  KinT<S> kin;
  kin.t = t;
  kin.body.resize(2);
  kin.body[1].v = velocity.template head<3>();
  kin.body[1].w = velocity.template tail<3>();
  LoadsT<S> loads;
  loads.resize(2, 0, false);
  force.add_loads<S>({kin, nullptr, nullptr, discrete, 0}, loads, nullptr);
  Vec6T<S> out;
  out << loads.wrench[1].f, loads.wrench[1].n;
  return out;
}

// Derivatives by time and velocity, on dual numbers, are the differences.
TEST(ConvolutionMemory, Derivatives) {
  const ConvolutionMemory force("convolution", {1, {}}, sampled(known_memory(), 0.1, 5));
  DiscreteState discrete(force.discrete_slots());
  Kin kin;
  kin.body.resize(2);
  for (int n = 0; n <= 100; ++n) {
    kin.t = 0.05 * n;
    kin.body[1].v = swinging(kin.t).head<3>();
    kin.body[1].w = swinging(kin.t).tail<3>();
    force.commit({kin, nullptr, nullptr, discrete, 0}, discrete);
  }
  const double t = 5.03, d = 1e-4;
  const Vec6 v = swinging(t);
  Vec6T<Dual8> dual;
  for (int i = 0; i < 6; ++i) dual[i] = Dual8::variable(v[i], i + 1);
  const Vec6T<Dual8> load = upright_load<Dual8>(force, discrete, Dual8::variable(t, 0), dual);
  const auto slope = [&](int direction) {
    return Vec6(Vec6::NullaryExpr([&](Eigen::Index i) { return load[i].d[static_cast<size_t>(direction)]; }));
  };
  const Vec6 by_time =
      (upright_load<double>(force, discrete, t + d, v) - upright_load<double>(force, discrete, t - d, v)) / (2 * d);
  EXPECT_LT((slope(0) - by_time).norm(), 1e-6 * by_time.norm());
  for (int i = 0; i < 6; ++i) {
    const Vec6 by_velocity =
        upright_load<double>(force, discrete, t, v + Vec6::Unit(i)) - upright_load<double>(force, discrete, t, v);
    EXPECT_LT((slope(i + 1) - by_velocity).norm(), 1e-9 * by_velocity.norm()) << i;
  }
}

TEST(ConvolutionMemory, GoesOnFromACopyOfItsModes) {
  const ConvolutionMemory force("convolution", Tank::frame(), sampled(known_memory(), 0.1, 5));
  Tank tank(force);
  for (int n = 0; n < 200; ++n) tank.commit(0.03 * n, swinging(0.03 * n));
  Tank copy = tank;
  for (int n = 200; n < 300; ++n) {
    tank.commit(0.03 * n, swinging(0.03 * n));
    copy.commit(0.03 * n, swinging(0.03 * n));
  }
  EXPECT_TRUE(tank.force(9, swinging(9)) == copy.force(9, swinging(9)));
}

}  // namespace
}  // namespace davit::radiation
