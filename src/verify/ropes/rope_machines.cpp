// Machines made of rope, each as a scenario file describes it: sheaves, tackles, drums, posts, equalizers.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665;

class Machine {
 public:
  Machine(const std::string& bodies, const std::string& more, double step)
      : step_(step),
        scenario_(read(fmt::format("davit: 1\ntitle: machine\nbodies:\n{}\n{}\nrun: {{duration: 1000 s, step: {} s}}\n",
                                   bodies, more, step))),
        system_(*scenario_.model),
        stepper_(scenario_.make_stepper()),
        state_(scenario_.initial_state()) {
    system_.commit(state_);
  }
  // NaN is what a failed run leaves in every channel.
  void run(double until) {
    while (good_ && state_.t < until - 0.5 * step_) {
      good_ = stepper_->step(system_, state_, step_).ok;
      system_.commit(state_);
    }
  }
  // To the equilibrium near the start.
  void settle() {
    const Equilibrium found = find_equilibrium(system_, state_);
    good_ = good_ && found.converged;
    state_ = found.state;
  }
  double operator[](const std::string& channel) {
    good_ = good_ && system_.evaluate(state_);
    for (const Channel& c : scenario_.model->channels())
      if (good_ && c.name == channel) return c.value(state_, system_.workspace());
    return std::nan("");
  }
  double energy() {
    good_ = good_ && system_.evaluate(state_);
    const Energy e = system_.energy(state_);
    return good_ ? e.kinetic + e.potential : std::nan("");
  }
  double t() const { return state_.t; }

 private:
  static Scenario read(const std::string& text) {
    input::Problems problems;
    auto scenario = parse_scenario(text, "machine", problems);
    if (!scenario) throw std::runtime_error(problems.to_text());
    return *std::move(scenario);
  }
  double step_;
  Scenario scenario_;
  System system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  bool good_ = true;
};

// Two masses on a rope over a sheave; they begin with the tension of their common acceleration.
void atwood(Checker& check) {
  const double m1 = 300, m2 = 200, R = 0.4;
  const auto bodies = [&](const char* more) {
    return fmt::format(R"(
  crown: {{at: [0, 0, 10 m], mass: 1 t}}
  first: {{at: [{} m, 0, 2 m], joint: {{prismatic: z}}, mass: {} kg}}
  second: {{at: [{} m, 0, 5 m], joint: {{prismatic: z}}, mass: {} kg}}
{})",
                       -R, m1, R, m2, more);
  };
  const auto rope = [&](double tension, const char* stiffness, const char* sheave) {
    return fmt::format(
        "ropes: {{rope: {{from: first, to: second, tension: {} N, {}, path: [{{sheave: crown, radius: {} m, axis: "
        "y{}}}]}}}}",
        tension, stiffness, R, sheave);
  };
  const double a = (m1 - m2) * g / (m1 + m2);
  Machine light(bodies(""), rope(2 * m1 * m2 * g / (m1 + m2), "EA: 1 MN", ""), 0.01);
  light.run(1);
  check.relative("Atwood's machine", "fall in 1 s", "m", a / 2, "exact: (m1 - m2) g/(m1 + m2)", -light["first.travel"],
                 1e-9);
  check.relative("Atwood's machine", "tension", "N", 2 * m1 * m2 * g / (m1 + m2), "exact: 2 m1 m2 g/(m1 + m2)",
                 light["rope.tension"], 1e-9);

  const double J = 20, with_inertia = (m1 - m2) * g / (m1 + m2 + J / (R * R));
  for (const bool body : {false, true}) {
    const std::string name = body ? "sheave that is a body" : "sheave with inertia";
    Machine heavy(
        bodies(
            body ? "  wheel: {on: crown, joint: {revolute: y}, mass: 10 kg, inertia: [15 kg m^2, 20 kg m^2, 15 kg m^2]}"
                 : ""),
        rope(2 * m1 * m2 * g / (m1 + m2), "EA: 2000 MN, damping: 5 ms",
             body ? ", joint: wheel" : ", inertia: 20 kg m^2"),
        0.001);
    heavy.run(0.5);
    const double before = heavy["first.travel_rate"];
    heavy.run(1);
    check.relative(name, "acceleration", "m/s^2", with_inertia, "exact: (m1 - m2) g/(m1 + m2 + J/R²), rigid rope",
                   -2 * (heavy["first.travel_rate"] - before), 1e-5);
    check.relative(name, "tension of the heavier side", "N", m1 * (g - with_inertia), "exact: m1 (g - a), rigid rope",
                   heavy["rope.tension_from"], 1e-5);
    check.relative(name, "tension of the lighter side", "N", m2 * (g + with_inertia), "exact: m2 (g + a), rigid rope",
                   heavy["rope.tension_to"], 1e-5);
  }
}

// A block on n vertical falls: sheaves of radius R at the crown and in the block by turns, and the anchor where the
// last fall ends. The rope goes up from x = 0 and comes down at 2R, …
struct Tackle {
  std::string bodies, path, end;
};
Tackle tackle(int falls, double R, double mass, const std::string& sheave) {
  Tackle t;
  std::string crown, block;
  for (int k = 0; k < falls; ++k) {
    const double x = R * (2 * k + 1);
    (k % 2 == 0 ? crown : block) += fmt::format("s{}: [{} m, 0, 0], ", k, x);
    t.path += fmt::format("{{sheave: {}.s{}, radius: {} m, axis: {}y{}}}, ", k % 2 == 0 ? "crown" : "block", k, R,
                          k % 2 == 0 ? "" : "-", sheave);
  }
  (falls % 2 == 0 ? crown : block) += fmt::format("end: [{} m, 0, 0]", 2 * R * falls);
  t.end = falls % 2 == 0 ? "crown.end" : "block.end";
  t.bodies = fmt::format(R"(
  crown: {{at: [0, 0, 10 m], mass: 1 t, points: {{{}}}}}
  block: {{at: [0, 0, 3 m], joint: {{prismatic: z}}, mass: {} kg, points: {{{}}}}}
)",
                         crown, mass, block);
  return t;
}

void tackles(Checker& check) {
  const double M = 600, R = 0.3;
  for (int n = 1; n <= 6; ++n) {
    const std::string name = fmt::format("tackle, {} fall{}", n, n == 1 ? "" : "s");
    const Tackle t = tackle(n, R, M, "");
    // A counterweight p on the free end, 1.2 times what balances.
    const double p = 1.2 * M / n, a = g * (n * p - M) / (M + n * n * p), tension = p * (g - n * a);
    Machine m(t.bodies + fmt::format("  weight: {{at: [0, 0, 4 m], joint: {{prismatic: z}}, mass: {} kg}}", p),
              fmt::format("ropes: {{rope: {{from: weight, to: {}, tension: {} N, EA: 5 MN, path: [{}]}}}}", t.end,
                          tension, t.path),
              0.01);
    m.run(0.5);
    check.relative(name, "rise in 0.5 s", "m", a / 8, "exact: a = g (n p - M)/(M + n² p)", m["block.travel"], 1e-9);

    // Bearings that rub: hauled in slowly the tension falls by (1 - μ)/(1 + μ) at every sheave with half a turn.
    const double mu = 0.1 * 0.05 / R, ratio = (1 - mu) / (1 + mu);
    const Tackle rubbing = tackle(n, R, M, ", pin_radius: 50 mm, bearing_friction: 0.1");
    Machine hauled(rubbing.bodies + "  post: {mass: 1 t}",
                   fmt::format("ropes: {{rope: {{from: post, to: {}, tension: {} N, EA: 50 MN, damping: 50 ms, path: "
                               "[{}]}}}}\nwinches: {{winch: {{rope: rope}}}}\noperation: [{{at: 0 s, over: 2 s, move: "
                               "{{winch: -0.2 m}}, ramp: 0.5 s}}]",
                               rubbing.end, M * g / n, rubbing.path),
                   0.01);
    hauled.run(1.2);
    double carried = 0;
    for (int k = 1; k <= n; ++k) carried += std::pow(ratio, k);
    check.relative(name, "pull with rubbing bearings", "N", M * g / carried,
                   "exact: tension falls by (1 - μ)/(1 + μ) at each sheave", hauled["rope.tension_from"], 1e-6);
  }
}

void capstan(Checker& check) {
  const double R = 0.3, mu = 0.25;
  Machine m(
      fmt::format(R"(
  crown: {{at: [0, 0, 10 m], mass: 1 t, points: {{winch: [{} m, 0, -6 m]}}}}
  load: {{at: [{} m, 0, 3 m], joint: {{prismatic: z}}, mass: 500 kg}}
)",
                  -R, R),
      fmt::format("ropes: {{rope: {{from: crown.winch, to: load, tension: {} N, EA: 50 MN, damping: 50 ms, path: "
                  "[{{post: crown, radius: {} m, axis: y, friction: {}}}]}}}}\nwinches: {{winch: {{rope: rope}}}}\n"
                  "operation: [{{at: 0 s, over: 4 s, move: {{winch: -1 m}}, ramp: 1 s}}]",
                  500 * g, R, mu),
      0.01);
  m.run(3);
  check.relative("capstan", "tension hauling over half a turn of a post", "1", std::exp(mu * std::numbers::pi),
                 "exact: exp(μθ)", m["rope.tension_from"] / m["rope.tension_to"], 1e-6);
}

// Equal tensions on an equalizer, wherever the lugs are: what the hook carries.
void equalizer(Checker& check) {
  Machine m(R"(
  hook: {at: [0, 0, 10 m], mass: 1 t}
  block: {at: [0, 0, 4 m], joint: {prismatic: z}, mass: 3 t, points: {a: [3 m, 0, 0], b: [-2 m, 1 m, 0], c: [0, -2 m, 0], d: [1 m, 2 m, 0.5 m], e: [-1 m, -1 m, 1 m]}}
)",
            "slings: {lift: {from: hook, to: [block.a, block.b, block.c, block.d, block.e], tension: 7 kN, EA: 200 MN, "
            "damping: 0.2 s}}",
            0.005);
  m.run(20);
  const double z = 6 - m["block.travel"];
  const Vec3 lugs[] = {{3, 0, 0}, {-2, 1, 0}, {0, -2, 0}, {1, 2, 0.5}, {-1, -1, 1}};
  double cosines = 0, sum = 0;
  for (const Vec3& lug : lugs) {
    const Vec3 sling(lug.x(), lug.y(), lug.z() - z);
    cosines += -sling.z() / sling.norm();
    sum += sling.norm();
  }
  check.relative("equalizer, five slings", "tension of all", "N", 3000 * g / cosines, "exact: m g/Σ cos, one tension",
                 m["lift.tension"], 1e-9);
  check.relative("equalizer, five slings", "sum of lengths (92)", "m",
                 m["lift.unstretched"] * (1 + m["lift.tension"] / 200e6), "exact: total length · (1 + T/EA)", sum,
                 1e-12);
}

// A drum gives out strained rope against a motor of constant force F: motion, rope and F N together keep their energy.
void spool_out(Checker& check) {
  struct Case {
    const char *name, *drum, *rope;
  };
  for (const Case& c :
       {Case{"drum gives out strained rope", "", ""},
        Case{"drum in layers gives out strained rope", ", layers: {width: 0.5 m, rope_diameter: 40 mm}", ""},
        Case{"drum gives out heavy strained rope", "", ", mass: 4 kg/m"}}) {
    Machine m(R"(
  crown: {at: [0, 0, 100 m], mass: 1 t}
  load: {at: [0, 0, 80 m], joint: {prismatic: z}, mass: 500 kg}
)",
              fmt::format(
                  "ropes: {{rope: {{from: crown, to: load, tension: 3 kN, EA: 100 kN{}}}}}\nwinches: {{winch: {{rope: "
                  "rope, mode: force, target: 4.5 kN, drum: {{radius: 0.5 m, inertia: 60 kg m^2{}}}}}}}",
                  c.rope, c.drum),
              0.01);
    const double start = m.energy();
    double worst = 0;
    for (int i = 1; i <= 100; ++i) {
      m.run(0.1 * i);
      worst = std::max(worst, std::abs(m.energy() + 4500 * m["winch.paid_out"] - start));
    }
    const double turned_over = 4500 * std::abs(m["winch.paid_out"]);
    check.at_most(c.name, "energy against the work of the motor", "1", "invariant: energy in is the work of the winch",
                  worst / turned_over, 1e-9);
  }
}

// A heavy rope under a load at rest: its length and what its upper end carries.
void heavy_rope(Checker& check) {
  const double M = 500, N = 40, rho = 6, EA = 2e6, w = rho * g;
  Machine m(
      "  crown: {at: [0, 0, 100 m], mass: 1 t}\n  load: {at: [0, 0, 59.5 m], joint: {prismatic: z}, mass: 500 kg}\n",
      fmt::format("ropes: {{rope: {{from: crown, to: load, length: {} m, EA: {} N, mass: {} kg/m}}}}", N, EA, rho),
      0.01);
  m.settle();
  check.relative("heavy rope", "length under a load", "m", N + (M * g * N + w * N * N / 2) / EA,
                 "exact: N + (M g N + w N²/2)/EA", m["rope.length"], 1e-9);
  check.relative("heavy rope", "force on its upper end", "N", M * g + w * N, "exact: M g + w N", m["rope.from.force"],
                 1e-9);
}

// A bob on a rope that rolls on and off a sheave: ℓ α̈ + R α̇² = -g sin α with ℓ = ℓ₀ + R α, the rope being rigid.
void pendulum_on_sheave(Checker& check) {
  const double R = 0.5, free = 4, push = 1.2, end = 6;
  double alpha = 0, rate = push / free;
  const int steps = 60000;
  const double h = end / steps;
  const auto acceleration = [&](double x, double v) { return (-g * std::sin(x) - R * v * v) / (free + R * x); };
  for (int i = 0; i < steps; ++i) {
    const double k1 = acceleration(alpha, rate), v2 = rate + h / 2 * k1;
    const double k2 = acceleration(alpha + h / 2 * rate, v2), v3 = rate + h / 2 * k2;
    const double k3 = acceleration(alpha + h / 2 * v2, v3), v4 = rate + h * k3;
    const double k4 = acceleration(alpha + h * v3, v4);
    alpha += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const double length = free + R * alpha;
  const Vec3 expected(R * std::cos(alpha) + length * std::sin(alpha), 0,
                      R * std::sin(alpha) - length * std::cos(alpha));
  Machine m(
      fmt::format(R"(
  crown: {{mass: 1 t, points: {{anchor: [-3 m, 0, 0]}}}}
  bob: {{at: [{} m, 0, {} m], coordinates: particle, mass: 100 kg, start: {{x_rate: {} m/s}}}}
)",
                  R, -free, push),
      fmt::format("ropes: {{rope: {{from: crown.anchor, to: bob, tension: {} N, EA: 1e10 N, path: [{{sheave: crown, "
                  "radius: {} m, axis: y}}]}}}}",
                  100 * (g + push * push / free), R),
      0.002);
  m.run(end);
  const Vec3 at(m["bob.position_x"], 0, m["bob.position_z"]);
  check.at_most("pendulum on a sheave", "place after 6 s", "m",
                "oracle: the equation of the involute pendulum by Runge-Kutta, 60000 steps", (at - expected).norm(),
                1e-4);
}

// Thrown up on a slack rope it falls, snaps taut and is thrown up again, without loss.
void slack_and_snap(Checker& check) {
  Machine m(R"(
  crown: {at: [0, 0, 10 m], mass: 1 t}
  load: {at: [0, 0, 4 m], joint: {prismatic: z}, mass: 100 kg, start: {travel_rate: 3 m/s}}
)",
            "ropes: {rope: {from: crown, to: load, length: 6 m, EA: 20 MN}}", 0.005);
  const double start = m.energy();
  double worst = 0, tightest = 0;
  int snaps = 0;
  bool slack = true;
  for (int i = 1; i <= 4000; ++i) {
    m.run(0.005 * i);
    worst = std::max(worst, std::abs(m.energy() - start));
    const double tension = m["rope.tension"];
    snaps += slack && tension > 0;
    slack = tension == 0;
    tightest = std::max(tightest, tension);
  }
  check.at_most("slack and snap", "energy, of the kinetic energy at the start", "1", "invariant: energy is kept",
                worst / (0.5 * 100 * 9), 1e-9);
  check.trend("slack and snap", "snaps in 20 s", "1", Checker::Side::above, 20, "exact: one in 2 v/g = 0.61 s", snaps);
  // ½ m v² = T²/2k - m g T/k at the lowest point.
  const double k = 20e6 / 6, weight = 100 * g;
  check.trend("slack and snap", "largest tension", "N", Checker::Side::below,
              1.0001 * (weight + std::sqrt(weight * weight + k * 900)), "exact: m g + √((m g)² + k m v²)", tightest);
}

// How far the tip of an elastica of unit length sinks under a force P across its start, α = P L²/EI: θ'' = -α cos θ
// with θ(0) = 0 and θ'(1) = 0, by shooting.
double elastica(double alpha) {
  const auto shoot = [&](double slope, double& sunk) {
    const int steps = 4000;
    const double h = 1.0 / steps;
    double theta = 0;
    sunk = 0;
    for (int i = 0; i < steps; ++i) {
      const auto bend = [&](double x) { return -alpha * std::cos(x); };
      const double k1 = bend(theta), s2 = slope + h / 2 * k1, k2 = bend(theta + h / 2 * slope), s3 = slope + h / 2 * k2;
      const double k3 = bend(theta + h / 2 * s2), s4 = slope + h * k3, k4 = bend(theta + h * s3);
      const double next = theta + h / 6 * (slope + 2 * s2 + 2 * s3 + s4);
      const double middle = theta + h / 2 * slope + h * h / 8 * k1;
      sunk += h / 6 * (std::sin(theta) + 4 * std::sin(middle) + std::sin(next));
      slope += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      theta = next;
    }
    return slope;
  };
  double low = 0, high = 2 * alpha, sunk = 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (shoot(middle, sunk) < 0 ? low : high) = middle;
  }
  return sunk;
}

// A rope with bending stiffness as particles on rods, clamped at one end and pulled down at the other.
void cantilever(Checker& check) {
  const auto sunk = [](int pieces, double alpha) {
    std::string bodies = "  wall: {mass: 1 t}\n", rods, along = "wall";
    for (int i = 1; i <= pieces; ++i) {
      bodies += fmt::format("  p{}: {{at: [{} m, 0, 0], coordinates: particle, mass: 1 kg}}\n", i,
                            static_cast<double>(i) / pieces);
      rods += fmt::format("  r{}: {{rod: {{from: {}, to: p{}}}}}\n", i, i == 1 ? "wall" : fmt::format("p{}", i - 1), i);
      along += fmt::format(", p{}", i);
    }
    Machine m(
        bodies,
        fmt::format("environment: {{gravity: 0}}\nconstraints:\n{}forces:\n  stiff: {{bending: {{along: [{}], EI: 1 "
                    "kN m^2, clamp: x}}}}\n  pull: {{wrench: {{on: p{}, force: [0, 0, {} kN]}}}}",
                    rods, along, pieces, -alpha),
        0.01);
    m.settle();
    return -m[fmt::format("p{}.position_z", pieces)];
  };
  for (const double alpha : {0.01, 1.0, 4.0}) {
    const double exact = elastica(alpha), coarse = sunk(10, alpha) - exact, fine = sunk(20, alpha) - exact;
    const std::string name = fmt::format("cantilever of stiff rope, P L²/EI = {}", alpha);
    check.relative(name, "deflection in 20 pieces", "m", exact, "exact: the elastica, by shooting", exact + fine, 2e-3);
    check.order(name, "order with the number of pieces", 2, "exact: the pieces are a rule of order 2",
                std::log2(std::abs(coarse / fine)), 0.1);
  }
}

// Two bodies turn against each other on a rope that twists: ω² = (GJ/L)(1/I₁ + 1/I₂).
void torsional_pendulum(Checker& check) {
  const double k = 30.0 / 6, I1 = 40, I2 = 10, omega = std::sqrt(k * (1 / I1 + 1 / I2)), rate = 0.5, end = 20;
  Machine m(R"(
  upper: {at: [0, 0, 6 m], joint: {revolute: z}, mass: 1 t, inertia: [40 kg m^2, 40 kg m^2, 40 kg m^2]}
  lower: {joint: {revolute: z}, mass: 1 t, inertia: [10 kg m^2, 10 kg m^2, 10 kg m^2], start: {angle_rate: 0.5 rad/s}}
)",
            "forces: {rope: {torsion: {from: upper, to: lower, GJ: 30 N m^2}}}", 0.001);
  m.run(end);
  check.absolute("torsional pendulum", "twist after 20 s", "rad", rate / omega * std::sin(omega * end),
                 "exact: two bodies on a torsional spring GJ/L", m["lower.angle"] - m["upper.angle"], 1e-9);
  check.absolute("torsional pendulum", "common turn after 20 s", "rad", I2 * rate / (I1 + I2) * end,
                 "exact: angular momentum is kept", (I1 * m["upper.angle"] + I2 * m["lower.angle"]) / (I1 + I2), 1e-9);
}

// A body turns on a rope that gets longer, L = L₀ + v t: I ψ'' + GJ ψ/L = 0, solved by √L times Bessel functions of
// z = 2 √(GJ L/(I v²)), with d(√L Z₁(z))/dt = √(GJ/I) Z₀(z). What carries it is heavy and keeps its speed.
void torsional_pendulum_lowered(Checker& check) {
  const double GJ = 30, I = 10, L0 = 2, v = 0.5, rate = 0.5, end = 20;
  Machine m(R"(
  upper: {at: [0, 0, 2 m], mass: 1 t}
  carriage: {joint: {prismatic: z}, mass: 1e9 kg, start: {travel_rate: -0.5 m/s}}
  lower: {on: carriage, joint: {revolute: z}, mass: 1 t, inertia: [10 kg m^2, 10 kg m^2, 10 kg m^2], start: {angle_rate: 0.5 rad/s}}
)",
            "environment: {gravity: 0 m/s^2}\nforces: {rope: {torsion: {from: upper, to: lower, GJ: 30 N m^2}}}",
            0.001);
  const auto z = [&](double L) { return 2 * std::sqrt(GJ * L / I) / v; };
  const double z0 = z(L0), z1 = z(L0 + v * end), speed = std::sqrt(GJ / I);
  // ψ = 0 and ψ' = rate at the start.
  const double J1 = std::cyl_bessel_j(1, z0), Y1 = std::cyl_neumann(1, z0);
  const double scale = rate / (speed * (std::cyl_bessel_j(0, z0) * Y1 - std::cyl_neumann(0, z0) * J1));
  m.run(end);
  check.absolute("torsional pendulum on a rope that gets longer, from 2 to 12 m", "twist after 20 s", "rad",
                 std::sqrt(L0 + v * end) * scale * (Y1 * std::cyl_bessel_j(1, z1) - J1 * std::cyl_neumann(1, z1)),
                 "exact: Bessel functions, GJ/L of the present length", m["lower.angle"], 1e-6);
}

}  // namespace

void rope_machines(Checker& check) {
  atwood(check);
  tackles(check);
  capstan(check);
  equalizer(check);
  spool_out(check);
  heavy_rope(check);
  pendulum_on_sheave(check);
  slack_and_snap(check);
  cantilever(check);
  torsional_pendulum(check);
  torsional_pendulum_lowered(check);
}

}  // namespace davit::verify
