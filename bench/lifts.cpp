#include "lifts.hpp"

#include <fmt/format.h>

#include "davit/test/source_tree.hpp"

namespace davit::bench {

std::string ship_and_crane(double hours) {
  return fmt::format(R"(davit: 1
title: ship and crane in short-crested waves
environment:
  waves: {{spectrum: jonswap, hs: 2.5 m, tp: 7 s, heading: 60 deg, frequencies: 60, spreading: {{directions: 13, exponent: 2}}, seed: 4}}
vessels:
  ship: {{hydrodynamics: {}, roll_damping: 0.03, drift: none, position_keeping: {{period: 60 s}}}}
bodies:
  king: {{on: ship, at: [0, 0, -0.08 m], joint: {{revolute: z}}, mass: 120 t, centre: [0, 0, 2 m], cylinder: {{radius: 0.5 m, length: 4 m}}}}
  inner: {{on: king, at: [0, 0, 4 m], joint: {{revolute: -x}}, mass: 100 t, centre: [0, -1.25 m, 0], cylinder: {{radius: 0.5 m, length: 2.5 m, axis: y}}, start: {{angle: 60 deg}}}}
  outer: {{on: inner, at: [0, -2.5 m, 0], joint: {{revolute: -x}}, mass: 76 t, centre: [0, -1.25 m, 0], cylinder: {{radius: 0.5 m, length: 2.5 m, axis: y}}, start: {{angle: -70 deg}}}}
  load: {{on: outer, at: [0, -2.5 m, 0], joint: {{universal: [x, y]}}, mass: 150 t, centre: [0, 0, -10 m], inertia: [400 t m^2, 400 t m^2, 400 t m^2], start: {{angle1: -10 deg}}}}
control:
  hold: {{pid: {{joints: [king, inner, outer], kp: 1e8 N m/rad, kd: 1e7 N m s/rad}}}}
run: {{duration: {:.17g} h, step: 10 ms, method: rk4}}
)",
                     in_source("vessels/supply_ship.h5"), hours);
}

std::string barge_lift() {
  return fmt::format(R"(davit: 1
title: a barge lifts a block with a crane, a hook and four slings in waves
environment:
  waves: {{spectrum: jonswap, hs: 1 m, tp: 6 s, heading: 120 deg, frequencies: 60, seed: 5}}
vessels:
  barge: {{hydrodynamics: {}, roll_damping: 0.03, position_keeping: {{period: 80 s}}}}
bodies:
  king: {{on: barge, at: [30 m, 0, 3.9 m], joint: {{revolute: z}}, mass: 200 t, centre: [0, 0, 6 m], cylinder: {{radius: 2 m, length: 12 m}}}}
  boom: {{on: king, at: [0, 0, 12 m], joint: {{revolute: -y}}, mass: 80 t, centre: [20 m, 0, 0], cylinder: {{radius: 1 m, length: 40 m, axis: x}}, start: {{angle: 60 deg}},
    points: {{tip: [40 m, 0, 0], winch: [2 m, 0, 1 m]}}}}
  hook: {{at: [50 m, 0, 30 m], joint: free, mass: 5 t, box: {{size: [1 m, 1 m, 2 m]}}, points: {{top: [0, 0, 1 m], eye: [0, 0, -1 m]}}}}
  load: {{at: [50 m, 0, 20 m], joint: free, mass: 120 t, box: {{size: [8 m, 6 m, 4 m]}},
    points: {{fp: [3 m, 2 m, 2 m], fs: [3 m, -2 m, 2 m], ap: [-3 m, 2 m, 2 m], as: [-3 m, -2 m, 2 m]}}}}
ropes:
  hoist: {{from: boom.winch, path: [{{sheave: boom.tip, radius: 0.5 m, axis: y}}], to: hook.top, tension: 1226 kN, EA: 400 MN, damping: 50 ms, mbl: 6 MN}}
  sling_fp: {{from: hook.eye, to: load.fp, tension: 400 kN, EA: 200 MN, damping: 50 ms, mbl: 2 MN}}
  sling_fs: {{from: hook.eye, to: load.fs, tension: 400 kN, EA: 200 MN, damping: 50 ms, mbl: 2 MN}}
  sling_ap: {{from: hook.eye, to: load.ap, tension: 400 kN, EA: 200 MN, damping: 50 ms, mbl: 2 MN}}
  sling_as: {{from: hook.eye, to: load.as, tension: 400 kN, EA: 200 MN, damping: 50 ms, mbl: 2 MN}}
winches:
  main: {{rope: hoist, mode: length, limits: {{speed: 1 m/s, acceleration: 1 m/s^2}}}}
control:
  hold: {{pid: {{joints: [king, boom], kp: 1e10 N m/rad, kd: 1e9 N m s/rad}}}}
operation:
  - {{at: 5 s, over: 20 s, move: {{main: -2 m}}}}
run: {{duration: 60 s, step: 20 ms}}
)",
                     in_source("vessels/barge_110x46_18851t.h5"));
}

std::string hinged_barges() {
  return fmt::format(R"(davit: 1
title: two barges on a hinge
environment:
  waves: {{spectrum: jonswap, hs: 1 m, tp: 6 s, heading: 30 deg, frequencies: 60, seed: 5}}
vessels:
  fore: {{hydrodynamics: {0}, at: [58 m, 0], roll_damping: 0.03, position_keeping: {{period: 80 s}}, points: {{hinge: [-58 m, 0, 2 m]}}}}
  aft: {{hydrodynamics: {0}, at: [-58 m, 0], roll_damping: 0.03, position_keeping: {{period: 80 s}}, points: {{hinge: [58 m, 0, 2 m]}}}}
constraints:
  hinge: {{hinge: {{from: fore.hinge, to: aft.hinge, axis: y}}}}
run: {{duration: 60 s, step: 20 ms}}
)",
                     in_source("vessels/barge_110x46_18851t.h5"));
}

std::string moored_barge(int particles) {
  std::string points, bodies, lines;
  for (const int line : {0, 1, 2, 3}) {
    const double x = line < 2 ? 1 : -1, y = line % 2 == 0 ? 1 : -1;
    points += fmt::format("l{}: [{} m, {} m, 0], ", line, 55 * x, 23 * y);
    std::string before = fmt::format("barge.l{}", line);
    // 330 m of line to an anchor 316 m away.
    const auto pull = [&](int piece, const std::string& to) {
      lines += fmt::format("  s{}_{}: {{line: {{from: {}, to: {}, stiffness: {} N/m, length: {} m}}}}\n", line, piece,
                           before, to, 5e8 * (particles + 1) / 330, 330.0 / (particles + 1));
    };
    for (int i = 0; i < particles; ++i) {
      const double part = (i + 1.0) / (particles + 1);
      const std::string name = fmt::format("p{}_{}", line, i);
      bodies += fmt::format("  {}: {{at: [{} m, {} m, {} m], coordinates: particle, mass: {} kg}}\n", name,
                            x * (55 + 240 * part), y * (23 + 180 * part), -100 * part, 100 * 330.0 / (particles + 1));
      pull(i, name);
      before = name;
    }
    bodies += fmt::format("  anchor{}: {{at: [{} m, {} m, -100 m], joint: fixed}}\n", line, x * 295, y * 203);
    pull(particles, fmt::format("anchor{}", line));
  }
  return fmt::format(R"(davit: 1
title: a barge on four lines
vessels:
  barge: {{hydrodynamics: {}, roll_damping: 0.03, points: {{{}}}}}
bodies:
{}forces:
{}run: {{duration: 10 s, step: 20 ms}}
)",
                     in_source("vessels/barge_110x46_18851t.h5"), points, bodies, lines);
}

}  // namespace davit::bench
