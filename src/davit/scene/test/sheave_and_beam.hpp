// A rope over a sheave and a beam, with waves, a limit and bodies of all looks.
#pragma once

namespace davit::test {

inline constexpr const char* sheave_and_beam = R"(
davit: 1
title: a rope over a sheave and a beam
environment: {waves: {spectrum: regular, height: 2 m, period: 8 s}, wave_probes: [mast]}
bodies:
  mast: {mass: 1 t, points: {sheave: [-8 m, 0, 2 m]}}
  left: {at: [-8.5 m, 0, -2 m], joint: {prismatic: z}, mass: 2 t, box: {size: [1 m, 1 m, 1 m]}}
  right: {at: [3 m, 0, 1 m], joint: free, mass: 2 t, inertia: [1 t m^2, 1 t m^2, 1 t m^2]}
surfaces:
  beam: {box: [2 m, 2 m, 2 m], at: [-1 m, 0, 1 m]}
ropes:
  hoist: {from: left, to: right, tension: 10 kN, EA: 1 MN, mbl: 1 MN, touches: [beam], friction: 0.2,
          path: [{sheave: mast.sheave, radius: 0.5 m, axis: y}, {around: [-1 m, 0, 4 m]}]}
limits: [{channel: hoist.tension, below: 100 kN, why: strong}]
run: {duration: 0.5 s, step: 10 ms, output: 250 ms, frames: 20 Hz}
)";

}  // namespace davit::test
