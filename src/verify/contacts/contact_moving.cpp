// Rigid contacts on decks that turn and heave: normal force, path, slip, lift-off and landing against equations of
// motion of their own.
#include <fmt/format.h>

#include <cmath>

#include "verify/methods/runge_kutta.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double gravity = 9.80665, mass = 100, half_height = 0.2, turn_rate = 0.02;

// A box of 1 × 1 × 0.4 m by its four lower corners on a deck through the origin.
std::string box_on_deck(const std::string& deck, const std::string& start, double friction, const std::string& rest) {
  std::string text = fmt::format(
      "davit: 1\n"
      "title: a box on a moving deck\n"
      "bodies:\n"
      "  deck: {{{}}}\n"
      "  box:\n"
      "    joint: free\n"
      "    mass: {} kg\n"
      "    box: {{size: [1 m, 1 m, 0.4 m]}}\n"
      "    points: {{a: [0.5 m, 0.5 m, -0.2 m], b: [0.5 m, -0.5 m, -0.2 m], c: [-0.5 m, 0.5 m, -0.2 m], d: [-0.5 m, "
      "-0.5 m, -0.2 m]}}\n"
      "    start: {{z: {} m{}}}\n"
      "constraints:\n",
      deck, mass, half_height, start);
  for (const char* corner : {"a", "b", "c", "d"})
    text += fmt::format("  {0}: {{contact: {{surface: deck, point: box.{0}, friction: {1}}}}}\n", corner, friction);
  return text + rest;
}

std::string on_turning_deck(const std::string& start, double friction) {
  return box_on_deck(fmt::format("joint: {{revolute: x}}, mass: 1 t, inertia: [1000 kg m^2, 1000 kg m^2, 1000 kg m^2], "
                                 "start: {{angle_rate: {} rad/s}}",
                                 turn_rate),
                     start, friction,
                     fmt::format("  turning: {{speed: {{joint: deck, speed: {} rad/s}}}}\n"
                                 "run: {{duration: 60 s, step: 10 ms, method: conserving}}\n",
                                 turn_rate));
}

double sum_of_corners(const ScenarioRun& run, const std::string& what) {
  double sum = 0;
  for (const char* corner : {"a", "b", "c", "d"}) sum += run.channel(std::string(corner) + "." + what);
  return sum;
}

// The box at s along a deck that has turned by φ = ω t, its centre c above the deck:
//   N/m = g cos φ + 2 ω ṡ - ω² c,  s̈ = ω² s - g sin φ ∓ μ N/m.
struct OnTurningDeck {
  double friction;
  double normal(double t, double rate) const {
    const double w = turn_rate;
    return mass * (gravity * std::cos(w * t) + 2 * w * rate - w * w * half_height);
  }
  Eigen::Vector2d rates(double t, const Eigen::Vector2d& s) const {
    const double drag = friction * normal(t, s[1]) / mass;
    return {s[1], turn_rate * turn_rate * s[0] - gravity * std::sin(turn_rate * t) + (s[1] < 0 ? drag : -drag)};
  }
};

void sliding(Checker& check) {
  const double friction = 0.05, end = 4;
  const OnTurningDeck exact{friction};
  const Eigen::Vector2d there = runge_kutta([&](double t, const Eigen::Vector2d& s) { return exact.rates(t, s); },
                                            Eigen::Vector2d(0, -2), 0, end, 4000);
  for (const double h : {0.02, 0.01, 0.005}) {
    // Seen from the deck the centre of the box is slower by ω c.
    ScenarioRun run(on_turning_deck(", y_rate: -2.004 m/s, roll_rate: 0.02 rad/s", friction));
    double off = 0;
    Eigen::Vector2d s(0, -2);
    while (run.state().t < end - h / 2) {
      const double t = run.state().t;
      const auto rates = [&](double time, const Eigen::Vector2d& x) { return exact.rates(time, x); };
      const Eigen::Vector2d halfway = runge_kutta(rates, s, t, t + h / 2, 2);
      s = runge_kutta(rates, halfway, t + h / 2, t + h, 2);
      run.step(h);
      run.look();
      // The force is of the middle of the step.
      const double normal = exact.normal(t + h / 2, halfway[1]);
      if (t > 2 * h) off = std::max(off, std::abs(sum_of_corners(run, "normal") / normal - 1));
    }
    const Kin& kin = run.look();
    const Frame deck = run.scenario().body_frames[0], box = run.scenario().body_frames[1];
    const double y = (rotation(kin, deck).transpose() * position(kin, box)).y();
    const std::string name = fmt::format("box that slides on a turning deck, steps of {:g} ms", 1000 * h);
    check.relative(name, "place on the deck after 4 s", "m", rounded(there[0]),
                   "exact: equation of motion on the deck, Runge-Kutta", y, 1e-3);
    check.at_most(name, "normal force beside the same, largest error", "", "exact: g cos φ + 2 ω ṡ - ω² c", off, 2e-3);
  }
}

// It sticks until the deck is steep enough, and then slides off.
void slipping(Checker& check) {
  const double friction = 0.1, h = 0.01, end = 8;
  const OnTurningDeck exact{friction};
  // At rest on the deck: friction for g sin φ, with N of the same instant.
  double onset = 0;
  while (gravity * std::sin(turn_rate * onset) < friction * exact.normal(onset, 0) / mass) onset += 1e-5;
  const Eigen::Vector2d there = runge_kutta([&](double t, const Eigen::Vector2d& s) { return exact.rates(t, s); },
                                            Eigen::Vector2d(0, -1e-12), onset, end, 4000);
  ScenarioRun run(on_turning_deck(", roll_rate: 0.02 rad/s, y_rate: -0.004 m/s", friction));
  const auto place = [&] {
    const Kin& kin = run.look();
    const Frame deck = run.scenario().body_frames[0], box = run.scenario().body_frames[1];
    return (rotation(kin, deck).transpose() * position(kin, box)).y();
  };
  double stuck = 0, slips_at = 0;
  while (run.state().t < end - h / 2) {
    run.step(h);
    const double y = place();
    if (run.state().t < onset - h) stuck = std::max(stuck, std::abs(y));
    if (slips_at == 0 && y < -1e-5) slips_at = run.state().t;
  }
  const std::string name = "box on a deck that turns until it slips, steps of 10 ms";
  check.at_most(name, "moved while it sticks", "m", "exact: rest", stuck, 1e-6);
  // It has slipped 1e-5 m some time after it began to: s ≈ g ω t³/6.
  const double delay = std::cbrt(6e-5 / (gravity * turn_rate));
  check.absolute(name, "time at which it has slipped by 0.01 mm", "s", rounded(onset + delay),
                 "exact: g sin φ = μ N/m, then g ω t³/6", slips_at, 2 * h);
  check.relative(name, "place after 8 s", "m", rounded(there[0]), "exact: equation of motion on the deck, Runge-Kutta",
                 place(), 5e-3);
}

// A deck that heaves on a spring, much heavier than the box: z = a sin ω t with a ω² > g.
void lifting_off(Checker& check) {
  const double w = 4, a = 1, deck_mass = 1e9;
  const double leaves = std::asin(gravity / (a * w * w)) / w;
  const auto flight = [&](double t) {  // of the box above the deck
    const double dt = t - leaves;
    return a * std::sin(w * leaves) + a * w * std::cos(w * leaves) * dt - gravity / 2 * dt * dt - a * std::sin(w * t);
  };
  double lands = leaves + 0.1;
  while (flight(lands) > 0) lands += 1e-5;
  double top = 0;
  for (double t = leaves; t < lands; t += 1e-4) top = std::max(top, flight(t));
  for (const double h : {0.02, 0.005}) {
    ScenarioRun run(box_on_deck(
        fmt::format("joint: {{prismatic: z}}, mass: {} kg, start: {{travel_rate: {} m/s}}", deck_mass, a * w),
        fmt::format(", z_rate: {} m/s", a * w), 0.3,
        fmt::format("forces: {{heave: {{joint_spring: {{joint: deck, stiffness: {:.17g} N/m, "
                    "rest: {:.17g} m}}}}}}\n"
                    "run: {{duration: 60 s, step: 10 ms, method: conserving}}\n",
                    deck_mass * w * w, gravity / (w * w))));
    double off = 0, left = 0, landed = 0, height = 0;
    while (run.state().t < lands + 0.2) {
      run.step(h);
      run.look();
      const double t = run.state().t, normal = sum_of_corners(run, "normal");
      if (t < leaves - h && t > 2 * h)
        off = std::max(off, std::abs(normal / mass - (gravity - a * w * w * std::sin(w * (t - h / 2)))));
      if (left == 0 && normal < 1e-6 * mass) left = t - h;
      if (left > 0 && landed == 0 && normal > mass) landed = t - h / 2;
      if (left > 0 && landed == 0) height = std::max(height, run.channel("a.gap"));
    }
    const std::string name = fmt::format("box on a heaving deck, steps of {:g} ms", 1000 * h);
    check.at_most(name, "normal force over the mass until it leaves, largest error", "m/s^2", "exact: g - a ω² sin ω t",
                  off, 8 * h * h * w * w);
    check.absolute(name, "time at which it leaves", "s", rounded(leaves), "exact: a ω² sin ω t = g", left, 1.5 * h);
    check.absolute(name, "time at which it lands", "s", rounded(lands), "exact: free fall", landed, h);
    check.absolute(name, "largest height above the deck", "m", rounded(top), "exact: free fall", height,
                   a * w * w * w * h * h / 2 * (lands - leaves));  // it leaves within a step
  }
}

// Four corners where three would do: after a jolt what friction is left is what the motion needs, shared evenly.
void surplus_points(Checker& check) {
  ScenarioRun run(on_turning_deck("", 0.4));  // the deck is already turning: the box is jerked along
  const double h = 0.01;
  const auto compare = [&](const char* when, double until, double tolerance) {
    while (run.state().t < until - h / 2) run.step(h);
    run.look();
    const double needed = mass * gravity * std::sin(turn_rate * (run.state().t - h / 2));  // over the last step
    check.relative(fmt::format("box jerked by a turning deck, four corners, {}", when),
                   "sum of the sizes of their friction", "N", rounded(needed), "exact: m g sin φ",
                   sum_of_corners(run, "friction"), tolerance);
  };
  compare("in the third step after", 3 * h, 5e-3);  // what is left of the jolt is a millionth of the weight
  compare("after 2 s", 2, 2e-3);
}

// A plate that spins on its corners until it rests: friction there was all around, and nothing of it is left.
void after_spinning(Checker& check) {
  ScenarioRun run(
      box_on_deck("", ", yaw_rate: 1 rad/s", 0.3, "run: {duration: 60 s, step: 10 ms, method: conserving}\n"));
  const double h = 0.01;
  const auto box = static_cast<size_t>(run.scenario().body_frames[1].body);
  while (run.state().t < 2 && std::abs(run.look().body[box].w.z()) > 1e-6) run.step(h);
  for (int i = 0; i < 10; ++i) run.step(h);
  run.look();
  check.at_most("box that spun on its corners, ten steps after it came to rest",
                "sum of the sizes of their friction over the weight", "1", "exact: none is needed",
                sum_of_corners(run, "friction") / (mass * gravity), 1e-6);
}

}  // namespace

void contact_moving(Checker& check) {
  sliding(check);
  slipping(check);
  lifting_off(check);
  surplus_points(check);
  after_spinning(check);
}

}  // namespace davit::verify
