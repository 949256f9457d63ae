// Chain by its type and diameter alone, as a scenario has it: it lies on its links, and drag is on the nominal
// diameter, across and along.
#include <fmt/format.h>

#include <cmath>

#include "verify/scenarios/scenario_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

struct EndTensions {
  double fairlead, anchor;  // N
};
// Of a line to a fairlead that does not move, after some steps.
EndTensions end_tensions(const std::string& environment, const std::string& fairlead, const std::string& line,
                         int steps) {
  ScenarioRun run(
      fmt::format("davit: 1\ntitle: chain\nenvironment: {{{}}}\n"
                  "bodies: {{fairlead: {{at: [{}], joint: {{prismatic: z}}, mass: 100 t, weightless: true}}}}\n"
                  "constraints: {{hold: {{motion: {{joint: fairlead}}}}}}\nforces: {{line: {{mooring_line: {{to: "
                  "fairlead, {}}}}}}}\n"
                  "run: {{duration: 10 s, step: 50 ms}}\n",
                  environment, fairlead, line));
  for (int i = 0; i < steps; ++i) run.step(0.05);
  run.look();
  return {run.channel("line.tension"), run.channel("line.anchor_tension")};
}

// 410 m of 140 mm studless chain to an anchor 400 m away in 50 m of water, on 100 kN/m³ over the width of its links.
void catalogue_chain_at_rest(Checker& check) {
  const auto chain = [](const std::string& more) {
    return end_tensions(
        "water_depth: 50 m", "0, 0, 0",
        fmt::format("anchor: [400 m, 0, -50 m], accuracy: 1 %, seabed: {{stiffness: 46900 N/m^2, friction: "
                    "0.5}}, sections: [{{type: studless_chain, diameter: 140 mm, length: 410 m{}}}]",
                    more),
        0);
  };
  const std::string name = "studless chain of 140 mm at rest, 50 m deep";
  const EndTensions found = chain("");
  check.relative(name, "tension of the fairlead", "kN", 991.6, "oracle: OrcaFlex", found.fairlead / 1e3, 0.003);
  check.relative(name, "tension of the anchor", "kN", 826.2, "oracle: OrcaFlex", found.anchor / 1e3, 0.003);
  // Half the width of a link is what is missing when it lies on its axis.
  check.trend(name + ", its axis on the bed", "tension of the fairlead", "kN", Checker::Side::above,
              1.01 * found.fairlead / 1e3, "exact: the line has farther to go",
              chain(", axis_height: 0 m").fairlead / 1e3);
}

// A taut line along a current, as good as weightless: tension grows along it by ½ρ d C v² per metre.
void along_a_current(Checker& check) {
  constexpr double density = 1025, speed = 2, length = 99.9;
  struct Kind {
    std::string words;
    double diameter, coefficient;
  };
  const Kind kinds[] = {
      {"diameter: 100 mm, EA: 1e9 N, mass: 20 kg/m, drag_tangential: 1", 0.1, 1},
      {"type: studless_chain, diameter: 140 mm, EA: 1e9 N", 0.14, 1.15},
      {"type: studlink_chain, diameter: 76 mm, EA: 1e9 N", 0.076, 1.4},
  };
  for (const Kind& kind : kinds)
    for (const char* const element : {"bar", "ancf"}) {
      const EndTensions ends = end_tensions(
          fmt::format("water_depth: 500 m, water_density: {} kg/m^3, current: {{speed: {} m/s, heading: 0 deg}}",
                      density, speed),
          "100 m, 0, -50 m",
          fmt::format("anchor: [0, 0, -50 m], element: {}, sections: [{{length: {} m, submerged_weight: 0.001 "
                      "N/m, {}}}]",
                      element, length, kind.words),
          1);
      check.relative(fmt::format("taut line along a current of 2 m/s, {}, {}", kind.words, element),
                     "drag along it, by the tensions of its ends", "kN",
                     0.5e-3 * density * kind.diameter * kind.coefficient * speed * speed * length,
                     "exact: ½ρ d C v² per metre", (ends.anchor - ends.fairlead) / 1e3, 1e-3);
    }
}

}  // namespace

void chain_catalogue(Checker& check) {
  catalogue_chain_at_rest(check);
  along_a_current(check);
}

}  // namespace davit::verify
