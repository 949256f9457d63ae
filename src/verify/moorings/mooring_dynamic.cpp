// A mooring line whose fairlead is moved: thesis 3.2.4, against converged solutions of other elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/beam_line.hpp"
#include "davit/cable/snap.hpp"
#include "davit/mooring/catalogue.hpp"
#include "davit/mooring/line_elements.hpp"
#include "verify/moorings/mooring_lines.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

const char* const source = "oracle: quadratic elements, 250 of them, 2.5 ms";

// Elements and steps of a line as `accuracy` chooses them (mooring/line_elements.hpp). The rule was made on other
// lines than those of the references, which have τ = 5 ms.
struct Chosen {
  int elements;
  double step;
};
Chosen chosen(const cable::Section& section, const cable::Bed& bed, const ForcedLine& line, double accuracy) {
  cable::Section coarse = section;
  coarse.elements = 60;
  MooredLine moored(cable::Line({coarse}, {}, bed, {}));
  moored.settle(line.anchor(), line.fairlead(0));
  const double size = mooring::bar_length_for(accuracy, moored.view().force_b.head<2>().norm(), bed.stiffness);
  return {static_cast<int>(std::ceil(section.length / size)), line.period / mooring::fineness_for(accuracy).steps};
}
constexpr double accuracies[] = {0.05, 0.02, 0.01};

void histories(Checker& check) {
  struct Known {
    ForcedLine line;
    const char* file;
    double largest, least;
  };
  const Known known[] = {{forced_g1(7.6), "mooring_forced_G1_7.6.csv", 24.576, 4.966},
                         {forced_g2(15.2), "mooring_forced_G2_15.2.csv", 17.907, 13.343}};
  for (const Known& k : known) {
    for (const double accuracy : accuracies) {
      const Chosen c = chosen(thesis_chain(170, 1), thesis_bed(-10 - k.line.depth), k.line, accuracy);
      const std::string name =
          fmt::format("forced line, {}, {} s, accuracy {} %", k.line.name, k.line.period, 100 * accuracy);
      const std::string quantity = "rms error of the fairlead's tension over its deviation";
      check.at_most(fmt::format("{}: {} bars", name, c.elements), quantity, "", source,
                    rms_error(run_forced(k.line, c.elements, c.step, 0.01), k.file), accuracy);
      if (accuracy < 0.02) continue;  // beams take long
      check.at_most(fmt::format("{}: {} beams", name, c.elements), quantity, "", source,
                    rms_error(run_forced(k.line, c.elements, c.step, 0.01, Element::beam), k.file), accuracy);
    }
    // With the damping of the reference.
    const TensionHistory fine = run_forced(k.line, 250, k.line.period / 608, 0.005);
    const std::string name = fmt::format("forced line, {}, {} s, 250 bars, τ 5 ms", k.line.name, k.line.period);
    check.relative(name, "largest tension", "t", k.largest, source, fine.largest / tonne_force, 0.01);
    check.relative(name, "least tension", "t", k.least, source, fine.least / tonne_force, 0.01);
  }
}

// The same rule on a softer bed, on which λ is twice as long, and on chain of 76 mm with its real stiffness, against
// fine solutions by the other element.
void other_lines(Checker& check) {
  cable::Bed soft = thesis_bed(0), plain;
  soft.stiffness = 1200;
  cable::Section chain = mooring::typical_section(mooring::LineKind::studless_chain, 0.076, mooring::ChainGrade::R3);
  chain.length = 390;
  plain.stiffness = (chain.mass - 1025 * chain.displacement) * 9.80665 / 0.2;
  struct Other {
    ForcedLine line;
    cable::Section section;
    cable::Bed bed;
    int fine;
  };
  ForcedLine tight{"76 mm studless chain, depth 40 m, span 375 m, 3 m", 40, 375, 8, 4};
  tight.amplitude = 3;
  ForcedLine on_soft = forced_g1(7.6);
  on_soft.name = "soft bed, depth 25.8 m, span 159 m", on_soft.cycles = 4;
  for (Other o : {Other{on_soft, thesis_chain(170, 1), soft, 100}, Other{tight, chain, plain, 200}}) {
    o.bed.height = -10 - o.line.depth;
    const auto run = [&](int elements, double step, Element element) {
      cable::Section s = o.section;
      s.elements = elements;
      if (element == Element::bar) return run_forced(o.line, cable::BarLine(cable::Line({s}, {}, o.bed, {})), step);
      return run_forced(o.line, cable::BeamLine(cable::Beam({s}, {}, o.bed, {})), step);
    };
    const TensionHistory fine = run(o.fine, o.line.period / 1000, Element::beam);
    for (const double accuracy : accuracies) {
      const Chosen c = chosen(o.section, o.bed, o.line, accuracy);
      check.at_most(fmt::format("forced line, {}, {} s, accuracy {} %: {} bars", o.line.name, o.line.period,
                                100 * accuracy, c.elements),
                    "rms difference of the fairlead's tension over its deviation", "",
                    fmt::format("invariant: {} beams, 1000 steps a period", o.fine),
                    rms_difference(run(c.elements, c.step, Element::bar), fine, 2 * o.line.period), accuracy);
    }
  }
}

void extremes(Checker& check) {
  struct Known {
    ForcedLine line;
    double largest, least;
  };
  for (const Known& k : {Known{forced_g1(15.2), 20.47, 7.10}, Known{forced_g2(7.6), 18.85, 13.51}}) {
    const TensionHistory fine = run_forced(k.line, 250, k.line.period / 608, 0.005);
    const std::string name = fmt::format("forced line, {}, {} s, 250 bars, τ 5 ms", k.line.name, k.line.period);
    check.relative(name, "largest tension", "t", k.largest, source, fine.largest / tonne_force, 0.01);
    check.relative(name, "least tension", "t", k.least, source, fine.least / tonne_force, 0.01);
  }
}

// At rest at both ends of the motion and in the middle, and moved so slowly that it is as good as at rest.
void slow(Checker& check) {
  struct Known {
    ForcedLine line;
    double tension[3];
  };
  for (const Known& k :
       {Known{forced_g1(7.6), {6.938, 10.196, 22.639}}, Known{forced_g2(7.6), {13.047, 15.212, 19.014}}}) {
    MooredLine moored(cable::Line({thesis_chain(170, 250)}, {}, thesis_bed(-10 - k.line.depth), {}));
    for (int i = 0; i < 3; ++i) {
      moored.settle(k.line.anchor(), Vec3(k.line.span + 5 * (i - 1), 0, -10));
      check.relative(fmt::format("line at rest, {}, offset {} m", k.line.name, 5 * (i - 1)), "tension of the fairlead",
                     "t", k.tension[i], "oracle: quasi-static tension by another code",
                     moored.view().tension_b / tonne_force, 2e-3);
    }
    ForcedLine crawling = k.line;
    crawling.period = 2000, crawling.cycles = 2;
    const TensionHistory run = run_forced(crawling, 250, 5, 0.01);
    check.relative(fmt::format("forced line, {}, 2000 s", k.line.name), "largest tension", "t", k.tension[2],
                   "oracle: quasi-static tension by another code", run.largest / tonne_force, 0.005);
    check.relative(fmt::format("forced line, {}, 2000 s", k.line.name), "least tension", "t", k.tension[0],
                   "oracle: quasi-static tension by another code", run.least / tonne_force, 0.005);
  }
}

// Thesis 2.4.3 (2): 3 m in 4 s with 205,200 kN. Inertia and drag make more of it than statics would.
void quick_and_stiff(Checker& check) {
  ForcedLine quick = forced_g1(4);
  quick.amplitude = 3, quick.EA = 205.2e6, quick.cycles = 10;
  ForcedLine crawling = quick;
  crawling.period = 2000, crawling.cycles = 2;
  const TensionHistory slow_run = run_forced(crawling, 150, 5, 0.01);
  const std::string name = "forced line, 3 m in 4 s, EA 205,200 kN";
  const TensionHistory run = run_forced(quick, 150, 0.005, 0.01), finer = run_forced(quick, 250, 0.0025, 0.01);
  check.trend(name, "range of the tension over that at rest", "", Checker::Side::above, 1, "published: thesis 2.4.3",
              (run.largest - run.least) / (slow_run.largest - slow_run.least));
  check.at_most(name, "largest tension of 150 bars and 5 ms less that of 250 and 2.5 ms, relative", "",
                "invariant: refinement", std::abs(run.largest / finer.largest - 1), 0.01);
}

int snaps_in(const TensionHistory& history) {
  bool slack = false;
  int count = 0;
  for (const double tension : history.tension) count += cable::snaps(tension, history.tension.front(), slack);
  return count;
}

// At 3 m the line keeps a quarter of its tension; at 4 m it goes slack and snaps in every period after the start.
void snapping(Checker& check) {
  ForcedLine quick = forced_g1(4);
  quick.amplitude = 4, quick.EA = 205.2e6, quick.cycles = 10;
  const std::string name = "forced line, 4 m in 4 s, EA 205,200 kN";
  const TensionHistory run = run_forced(quick, 80, 0.01, 0.01), finer = run_forced(quick, 150, 0.005, 0.01);
  check.at_most(name, "least tension over that at rest", "", "slack: less than a tenth",
                run.least / run.tension.front(), 0.1);
  check.relative(name, "snaps in ten periods, the first two of which are its start", "", 8, "one in every period",
                 snaps_in(run), 0);
  check.relative(name, "snaps, 150 bars and 5 ms", "", 8, "one in every period", snaps_in(finer), 0);
}

}  // namespace

void mooring_dynamic(Checker& check) {
  histories(check);
  other_lines(check);
  extremes(check);
  slow(check);
  quick_and_stiff(check);
  snapping(check);
}

}  // namespace davit::verify
