// Friction together with damping: Atwood's machine on a sheave whose bearing rubs, with an elastic rope that is damped.
// Motion, recorded accelerations and the moment on the holder of the sheave, by every kind of method.
//
// With μ' = μ pin_radius/radius the bearing bears T₁ - T₂ = μ' (T₁ + T₂), so T₁ = k T₂ with k = (1 + μ')/(1 - μ'). When
// the rope has come to rest in itself, strains e = T/EA stay and both legs pass the same unstretched rope:
// a₁/(1 + e₁) = a₂/(1 + e₂) = λ. With m₁ (g - a₁) = T₁ and m₂ (g + a₂) = T₂ that is
//   λ = g (m₁ - k m₂)/(m₁ (1 + e₁) + k m₂ (1 + e₂)),
// and the holder bears the moment (T₁ - T₂) r. Before that, e₁ = k e₂ while it slips, and the legs l₁, l₂ with N - n
// and n metres of rope have ė₁ = k ė₂, so that
//   ė₂ = (l̇₁ (1 + e₂) + l̇₂ (1 + e₁))/((N - n) k (1 + e₂) + n (1 + e₁)),  T = EA (e + c ė).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665, m1 = 300, m2 = 200, radius = 0.5, hanging = 10, bearing = 0.2 * 0.05 / radius,
                 k = (1 + bearing) / (1 - bearing);

std::string machine(const std::string& method, double EA, double damping, double speed) {
  return fmt::format(R"(davit: 1
title: Atwood's machine with a bearing that rubs
bodies:
  hub: {{at: [0, 0, 20 m], mass: 50 kg}}
  a: {{at: [{} m, 0, {} m], joint: {{prismatic: z}}, mass: {} kg, start: {{travel_rate: {} m/s}}}}
  b: {{at: [{} m, 0, {} m], joint: {{prismatic: z}}, mass: {} kg, start: {{travel_rate: {} m/s}}}}
ropes:
  rope: {{from: a, to: b, EA: {} N, damping: {} s, tension: 2 kN, path: [{{sheave: hub, radius: {} m, axis: y, pin_radius: 50 mm, bearing_friction: 0.2}}]}}
run: {{duration: 10 s, step: 1 ms, method: {}}}
)",
                     -radius, 20 - hanging, m1, -speed, radius, 20 - hanging, m2, speed, EA, damping, radius, method);
}

void run_until(ScenarioRun& run, double t, double h) {
  const int steps = static_cast<int>(std::round((t - run.state().t) / h));
  for (int i = 0; i < steps; ++i) run.step(h);
  run.look();
}

void steady(Checker& check, const std::string& method, double step, double damping) {
  const double EA = 1e7;
  double e1 = 0, e2 = 0, rate = 0;
  for (int i = 0; i < 20; ++i) {
    rate = g * (m1 - k * m2) / (m1 * (1 + e1) + k * m2 * (1 + e2));
    e1 = m1 * (g - rate * (1 + e1)) / EA;
    e2 = m2 * (g + rate * (1 + e2)) / EA;
  }
  const std::string name = fmt::format("rubbing bearing, steady, {} at {:g} ms", method, 1e3 * step);
  const std::string source = "exact: T₁ = k T₂, both legs pass the same rope";
  ScenarioRun run(machine(method, EA, damping, 0));
  run_until(run, 1, step);
  const double before = run.channel("a.travel_rate");
  run_until(run, 1.2, step);
  check.relative(name, "acceleration by the motion", "m/s²", rate * (1 + e1), source,
                 -(run.channel("a.travel_rate") - before) / 0.2, 1e-6);
  check.relative(name, "acceleration as recorded", "m/s²", rate * (1 + e1), source,
                 -run.channel("a.travel_acceleration"), 1e-6);
  check.relative(name, "moment on the holder as recorded", "N m", EA * (e1 - e2) * radius, source,
                 std::abs(run.channel("hub.reaction.My")), 1e-6);
  check.relative(name, "rope that slips over the bearing", "m/s", -run.channel("a.travel_rate") / (1 + e1), source,
                 std::abs(run.channel("rope.pass1.slip")), 1e-6);
}

// The two masses by their own equations while the bearing slips.
struct Slipping {
  double EA, damping, rope;              // N metres of rope
  using Values = std::array<double, 4>;  // l₁, l₂ with half of the arc each, and their rates
  Values rates(const Values& y) const {
    const auto& [l1, l2, v1, v2] = y;
    // e₁ = k e₂: l₁/(N - n) - 1 = k (l₂/n - 1)
    double n = rope * l2 / (l1 + l2);
    for (int i = 0; i < 50; ++i) {
      const double off = l1 / (rope - n) - 1 - k * (l2 / n - 1);
      n -= off / (l1 / ((rope - n) * (rope - n)) + k * l2 / (n * n));
    }
    const double e2 = l2 / n - 1, e1 = k * e2;
    const double rate = (v1 * (1 + e2) + v2 * (1 + e1)) / ((rope - n) * k * (1 + e2) + n * (1 + e1));
    const auto tension = [&](double e, double e_rate) { return EA * (e + damping * e_rate); };
    return {v1, v2, g - tension(e1, k * rate) / m1, g - tension(e2, rate) / m2};
  }
  void go(Values& y, double time, int steps) const {
    const double h = time / steps;
    const auto moved = [&](const Values& by, double share) {
      Values out = y;
      for (size_t i = 0; i < 4; ++i) out[i] += share * by[i];
      return out;
    };
    for (int i = 0; i < steps; ++i) {
      const Values k1 = rates(y), k2 = rates(moved(k1, h / 2)), k3 = rates(moved(k2, h / 2)), k4 = rates(moved(k3, h));
      for (size_t j = 0; j < 4; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
  }
};

// A soft rope that swings while it slips.
void swinging(Checker& check, const std::string& method, double step, double order, double tolerance) {
  const double EA = 2e5, damping = 0.02, begin = 0.1, end = 0.9, arc = radius * std::numbers::pi / 2;
  const std::string name = fmt::format("rubbing bearing, swinging, {}", method);
  std::array<double, 3> errors{};
  double worst = 0;
  for (size_t i = 0; i < errors.size(); ++i) {
    ScenarioRun run(machine(method, EA, damping, 1));
    const auto look = [&] {
      return Slipping::Values{hanging + arc - run.channel("a.travel"), hanging + arc - run.channel("b.travel"),
                              -run.channel("a.travel_rate"), -run.channel("b.travel_rate")};
    };
    run_until(run, begin, 5e-4);  // it slips from here on
    Slipping exact{EA, damping, run.channel("rope.unstretched")};
    Slipping::Values y = look();
    const double h = step / std::pow(2, static_cast<double>(i));
    run_until(run, end, h);
    exact.go(y, end - begin, 4000);
    errors[i] = std::abs(look()[2] - y[2]);
    worst = std::abs(-run.channel("a.travel_acceleration") - exact.rates(look())[2]);
  }
  const std::string source = "oracle: the two masses by Runge-Kutta, 4000 steps";
  check.at_most(name, fmt::format("speed, error at {:g} ms", 250 * step), "m/s", source, errors[2], tolerance);
  check.order(name, "order of the speed", order, "exact: of the method", std::log2(errors[0] / errors[1]), 0.3);
  check.order(name, "order of the speed, shorter steps", order, "exact: of the method",
              std::log2(errors[1] / errors[2]), 0.3);
  check.at_most(name, "acceleration as recorded beside that of the recorded motion", "m/s²", source, worst, 1e-6);
}

}  // namespace

void rope_friction_dynamic(Checker& check) {
  steady(check, "conserving", 0.01, 0.05);
  steady(check, "rk4", 0.001, 0.01);
  steady(check, "midpoint", 0.001, 0.01);
  swinging(check, "conserving", 0.01, 2, 1e-4);
  swinging(check, "midpoint", 0.01, 2, 1e-4);
  swinging(check, "rk4", 0.02, 4, 1e-6);
}

}  // namespace davit::verify
