// Inspection of a database: causality of added mass and damping, infinite frequency, the kernel in time, outliers.

#include "davit/hydro/inspect_parts.hpp"
#include "davit/hydro/outliers.hpp"
#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

// A of B and B of A, on the diagonal, away from both ends, where the continuations speak. Damping is compared as a
// force, against that of the largest damping or of the largest added mass at the same frequency.
void causality(const Database& d, const MatX& infinite, Findings& findings) {
  const Scales s = scales(d, d.added_mass), sb = scales(d, d.damping);
  Measure of_added_mass(0.03, 0.1, 1), of_damping(0.03, 0.1, 1);
  for (const int i : s.active) {
    const auto A = entry(d.added_mass, i, i), B = entry(d.damping, i, i);
    const Damping damping(d.frequencies, B);
    const auto zero =
        d.added_mass_zero && has_zero_limit(d, i) ? std::optional<double>((*d.added_mass_zero)(i, i)) : std::nullopt;
    const DampingFromAddedMass back(d.frequencies, A, infinite(i, i), zero);
    for (size_t f = 0; f < A.size(); ++f) {
      const double w = d.frequencies[f];
      if (w < 2 * d.frequencies.front() || w > 0.7 * d.frequencies.back()) continue;
      of_added_mass.see(std::abs(A[f] - infinite(i, i) - damping.added_mass_change(w)) / s.size[i], i, w);
      of_damping.see(std::abs(B[f] - back(w)) / std::max(w * s.size[i], sb.size[i]), i, w);
    }
  }
  Finding finding{
      std::max(of_added_mass.severity(), of_damping.severity()),
      "added mass and damping belong together (Kramers–Kronig)",
      fmt::format("added mass from damping is off, against the largest, by {}; damping from added mass by {}",
                  of_added_mass.text(d), of_damping.text(d)),
      "", ""};
  if (finding.severity != Severity::ok) {
    finding.effect =
        "a run in time uses damping and the limit of added mass only: its motions then differ from those in "
        "frequency where added mass is the wrong one";
    finding.remedy = "more and higher frequencies, no irregular ones; strip theory cannot do better at low frequencies";
  }
  findings.push_back(finding);
}

void limit_of_added_mass(const Database& d, const MatX& computed, Findings& findings) {
  if (!d.added_mass_infinite) {
    findings.push_back({Severity::note, "added mass at infinite frequency",
                        "it is not in the source; computed from added mass and damping (Ogilvie)",
                        "the kernel and this limit then fit together, and share the errors of both",
                        "compute it in the source (WAMIT period 0, Capytaine omega = inf)"});
    return;
  }
  const Scales s = scales(d, d.added_mass);
  Measure apart(0.03, 0.1, 0.4);
  for (const int i : s.active)
    apart.see(std::abs((*d.added_mass_infinite)(i, i) - computed(i, i)) / s.size[i], i, d.frequencies.back());
  Finding finding{apart.severity(), "added mass at infinite frequency",
                  "what added mass and damping give (Ogilvie) differs, against the largest, by " +
                      Measure::percent(apart.largest()) + " %",
                  "", ""};
  if (finding.severity != Severity::ok) {
    finding.measured = "what added mass and damping give (Ogilvie) differs, against the largest, by " + apart.text(d);
    finding.effect = "natural periods in time differ from those in frequency";
    finding.remedy = "refine the panels at the waterline, or leave the limit out and let it be computed";
  }
  findings.push_back(finding);
}

// Length of the memory: the last time at which the kernel is above one per cent of its largest value.
struct Memory {
  double length = 0, asked = 0;
  int mode = -1;
};

void kernel(const Database& d, Findings& findings) {
  const Scales s = scales(d, d.damping);
  Memory longest, least_known;
  Measure shortage(1, 1.5, 1e9), truncated(0.05, 0.2, 0.6), share(1, 1, 1);
  for (const int i : s.active) {
    const auto B = entry(d.damping, i, i);
    const Damping damping(d.frequencies, B);
    const double known = known_length(d.frequencies, B), end = std::min(400.0, 3 * known);
    // As fine as the highest frequency asks for, within reason.
    const double dt = std::max(pi / (4 * d.frequencies.back()), end / 20'000);
    double largest = 0, length = 0;
    for (double t = 0; t < end; t += dt) {
      const double K = std::abs(damping.kernel(t));
      largest = std::max(largest, K);
      if (K > 0.01 * largest) length = t;
    }
    if (length > longest.length) longest = {length, known, i};
    if (length / known > shortage.largest()) least_known = {length, known, i};
    shortage.see(length / known, i, pi / known);
    truncated.see(std::abs(B.back()) / s.size[i], i, d.frequencies.back());
    share.see(damping.tail_share(), i, d.frequencies.back());
  }
  if (longest.mode >= 0)
    findings.push_back(
        {Severity::ok, "memory of the water",
         fmt::format("the kernel falls to 1 % within {:.3g} s, {} longest", longest.length, mode_name(d, longest.mode)),
         "", ""});
  Finding steps{shortage.severity(), "frequency steps", "", "", ""};
  if (least_known.mode >= 0)
    steps.measured =
        fmt::format("where damping matters they let a kernel be known for {:.3g} s; in {} it needs {:.3g} s",
                    least_known.asked, mode_name(d, least_known.mode), least_known.length);
  if (steps.severity != Severity::ok) {
    steps.effect =
        "the end of the kernel is made of the gaps between frequencies: slow motions see a memory that is "
        "not the water's";
    steps.remedy = "compute at more frequencies where damping is large, or fill in by interpolation in the source";
  }
  findings.push_back(steps);
  Finding cut{
      // Never worse than doubtful: how damping falls off is known, and slow motions do not see it.
      std::min(truncated.severity(), Severity::warning), "highest frequency",
      fmt::format("damping there, against its largest, is {} % at {:.3g} rad/s; the continuation beyond holds up to "
                  "{} % of its integral",
                  Measure::percent(truncated.largest()), d.frequencies.back(), Measure::percent(share.largest())),
      "", ""};
  if (cut.severity != Severity::ok) {
    cut.effect = "the first instants of the kernel rest on a continuation by a power of frequency, not on numbers";
    cut.remedy = "compute up to a higher frequency, with panels smaller than a sixth of the wave there";
  }
  findings.push_back(cut);
}

void spikes(const Database& d, Findings& findings) {
  Measure departure(0.03, 0.05, 0.5);
  size_t examined = 0;
  for (const auto* matrices : {&d.added_mass, &d.damping})
    for (const int i : scales(d, *matrices).active) {
      const auto found = departures(d.frequencies, entry(*matrices, i, i));
      for (size_t f = 0; f < found.size(); ++f) {
        if (std::isnan(found[f])) continue;
        departure.see(found[f], i, d.frequencies[f]);
        ++examined;
      }
    }
  if (examined == 0) {
    findings.push_back({Severity::note, "smoothness over frequency", "frequencies are too far apart to tell",
                        "irregular frequencies would go unseen", "compute at more frequencies"});
    return;
  }
  Finding finding{departure.severity(), "smoothness over frequency",
                  "added mass and damping depart from a smooth curve, against their largest, by " + departure.text(d),
                  "", ""};
  if (finding.severity != Severity::ok) {
    finding.effect = "the kernel rings at that frequency and decays slowly; motions there are wrong";
    finding.remedy =
        d.bodies.size() > 1
            ? "remove irregular frequencies in the source, unless it is water that resonates between the bodies"
            : "remove irregular frequencies in the source (a lid on the water plane inside the hull)";
  }
  findings.push_back(finding);
}

}  // namespace

void inspect_memory(const Database& database, Findings& findings) {
  if (database.frequencies.size() < 5) {
    findings.push_back({Severity::error, "frequencies", fmt::format("there are {}", database.frequencies.size()),
                        "no kernel can be made of them", "compute at 30 to 100 frequencies"});
    return;
  }
  const MatX computed = infinite_added_mass(database);
  causality(database, database.added_mass_infinite.value_or(computed), findings);
  limit_of_added_mass(database, computed, findings);
  kernel(database, findings);
  spikes(database, findings);
}

}  // namespace davit::hydro
