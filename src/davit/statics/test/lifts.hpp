// Lifts whose rests are known by hand.
#pragma once

#include <fmt/format.h>

#include <string>

#include "davit/test/read_scenario.hpp"

namespace davit::test {

inline constexpr double gravity = 9.80665;

// 20 t on a rope of 500 MN, on a winch.
inline std::string on_a_winch(const std::string& more) {
  return "davit: 1\ntitle: test\nbodies:\n"
         "  crane: {at: [0, 0, 40 m]}\n"
         "  load: {at: [0, 0, 10 m], joint: free, mass: 20 t, box: {size: [3 m, 3 m, 3 m]}, points: {lug: [0, 0, 1.5 "
         "m]}}\n"
         "ropes:\n  hoist: {from: crane, to: load.lug, EA: 500 MN, tension: 196.133 kN, mbl: 1 MN}\n"
         "winches:\n  main: {rope: hoist, limits: {speed: 0.5 m/s, acceleration: 0.2 m/s^2}}\n" +
         more + "run: {duration: 10 s, step: 10 ms}\n";
}

// A load of 20 t on a crane that slews it from one deck to another, which is at (0, 20 m, 0) and leans by `lean` about
// x. Of its feet each is a spring of `stiffness`.
struct TwoDecks {
  double lean, stiffness, friction;
  std::string more_bodies{}, more_control{};
};
inline constexpr double two_decks_mass = 20e3;
inline Scenario on_two_decks(const TwoDecks& decks, const std::string& operation) {
  return read_scenario(fmt::format(
      "davit: 1\ntitle: two decks\nbodies:\n"
      "  king: {{at: [0, 0, 0], joint: {{revolute: z}}, mass: 5 t, inertia: [10 t m^2, 10 t m^2, 10 t m^2], points: "
      "{{tip: "
      "[20 m, 0, 30 m]}}}}\n"
      "  one: {{at: [20 m, 0, 0]}}\n  other: {{at: [0, 20 m, 0], turn: [{{x: {} rad}}]}}\n"
      "  load: {{at: [20 m, 0, 1 m], joint: free, mass: 20 t, box: {{size: [2 m, 2 m, 2 m]}}, points: {{lug: [0, 0, 1 "
      "m], "
      "a: [1 m, 1 m, -1 m], b: [-1 m, 1 m, -1 m], c: [-1 m, -1 m, -1 m], d: [1 m, -1 m, -1 m]}}}}\n"
      "{}ropes:\n  hoist: {{from: king.tip, to: load.lug, EA: 500 MN, length: 28.2 m}}\n"
      "winches:\n  main: {{rope: hoist, limits: {{speed: 0.5 m/s, acceleration: 0.2 m/s^2}}}}\n"
      "control: {{drive: {{pid: {{joints: [king], kp: 1e9 N m/rad, kd: 1e9 N m s/rad}}}}{}}}\n"
      "forces:\n"
      "  here: {{contact: {{surface: one, length: 10 m, width: 10 m, points: [load.a, load.b, load.c, load.d], "
      "stiffness: {} N/m, friction: "
      "{}}}}}\n"
      "  there: {{contact: {{surface: other, length: 10 m, width: 10 m, points: [load.a, load.b, load.c, load.d], "
      "stiffness: {} N/m, friction: {}}}}}\n{}"
      "run: {{duration: 1 s, step: 10 ms, from_equilibrium: true}}\n",
      decks.lean, decks.more_bodies, decks.more_control, decks.stiffness, decks.friction, decks.stiffness,
      decks.friction, operation));
}

}  // namespace davit::test
