// Inspection of a database: wave forces, their headings, Haskind relation and limit of long waves.

#include "davit/hydro/convert.hpp"
#include "davit/hydro/heading_interpolation.hpp"
#include "davit/hydro/inspect_parts.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {
namespace {

// With the headings that symmetry gives, if the bodies are symmetric.
Database round_the_clock(const Database& d) {
  Database all = d;
  if (is_port_starboard_symmetric(d)) expand_headings(all);
  return all;
}

void headings(const Database& all, const Database& d, Findings& findings) {
  const double gap = widest_gap(all.headings), followed = followed_frequency(all), highest = all.frequencies.back();
  Measure wide(31, 46, 400);
  wide.see(gap / degree, 0, 0);
  Finding finding{wide.severity(), "headings",
                  fmt::format("{} in the source, {} with those of symmetry; the widest gap is {:.3g}°",
                              d.headings.size(), all.headings.size(), gap / degree),
                  "", ""};
  if (finding.severity != Severity::ok) {
    finding.effect = "waves from directions in between get forces that are interpolated over too wide an angle";
    finding.remedy = "compute every 10 to 30 degrees round the clock, or half of it for a symmetric hull";
  }
  if (gap < 46 * degree && followed < highest) {
    // A sea has little of its energy in the last quarter of what a database covers.
    finding.severity = std::max(finding.severity, followed < 0.75 * highest ? Severity::warning : Severity::note);
    finding.measured += fmt::format(", which follows waves up to {:.3g} of {:.3g} rad/s", followed, highest);
    finding.effect = fmt::format(
        "above {:.3g} rad/s the forces change more from one heading to the next than can be known between "
        "them: waves from there push by tens of per cent too much or too little",
        followed);
    const double needed =
        heading_gap_for(sea::wave_number(highest, all.depth, all.gravity), extent_of(all).half_length);
    finding.remedy = fmt::format("compute every {:.2g} degrees round the clock, or half of it for a symmetric hull",
                                 std::floor(20 * needed / degree) / 20);
  } else if (gap < 46 * degree) {
    finding.measured += fmt::format(", which follows all waves up to {:.3g} rad/s", highest);
  }
  findings.push_back(finding);
}

void drift_headings(const Database& all, Findings& findings) {
  if (all.drift.empty() || widest_gap(all.headings) > 46 * degree) return;
  const double followed = followed_frequency(all, true), highest = all.frequencies.back();
  if (followed >= highest) return;
  findings.push_back(
      {Severity::note, "headings of mean drift",
       fmt::format("mean drift, quadratic in the waves, is followed up to {:.3g} of {:.3g} rad/s", followed, highest),
       "in shorter waves mean yaw between headings is uncertain, and less so surge and sway",
       "compute twice as many headings as forces need"});
}

void haskind(const Database& all, Findings& findings) {
  const double gap = widest_gap(all.headings);
  if (gap > 46 * degree) {
    findings.push_back({Severity::note, "damping by excitation (Haskind)", "headings do not go round: not examined", "",
                        "compute headings round the clock"});
    return;
  }
  // From one heading to the next the phase at the ends of the body must not go too far round, or the integral misses
  // lobes: even headings give it exactly as far as they follow the forces, others by the rule of trapezoids.
  const double half_length = extent_of(all).half_length;
  const double finest =
      evenly_round(all.headings) ? followed_wave_number(gap, half_length) : 0.75 / (gap * half_length);
  const Scales s = scales(all, all.damping);
  Measure apart(0.03, 0.1, 5);  // beyond that it is not a matter of accuracy
  double examined = 0;
  for (size_t f = 0; f < all.frequencies.size(); ++f) {
    const double w = all.frequencies[f];
    if (sea::wave_number(w, all.depth, all.gravity) > finest) break;
    examined = w;
    for (const int i : s.active)
      apart.see(std::abs(haskind_damping(all, i, f) - all.damping[f](i, i)) / s.size[i], i, w);
  }
  Finding finding{
      apart.severity(), "damping by excitation (Haskind)",
      fmt::format("damping and what the waves that excitation implies carry away differ, against the largest, by "
                  "{}; examined up to {:.3g} rad/s, where headings follow the waves",
                  apart.text(all), examined),
      "", ""};
  if (finding.severity != Severity::ok) {
    finding.effect =
        "excitation and damping are not of the same hull, point or mesh: resonant motions are too large or too "
        "small by the square root of that";
    finding.remedy =
        "check reference points and units of forces and matrices; refine panels; strip theory does not do "
        "better";
  }
  findings.push_back(finding);
}

void both_ways(const Database& d, Findings& findings) {
  if (d.excitation_haskind.empty()) return;
  Measure apart(0.02, 0.1, 0.4);
  for (int i = 0; i < d.modes(); ++i) {
    double largest = 0;
    for (const MatXc& X : d.excitation) largest = std::max(largest, X.row(i).cwiseAbs().maxCoeff());
    if (largest == 0) continue;
    for (size_t h = 0; h < d.excitation.size(); ++h)
      for (size_t f = 0; f < d.frequencies.size(); ++f) {
        const auto column = static_cast<Eigen::Index>(f);
        apart.see(std::abs(d.excitation[h](i, column) - d.excitation_haskind[h](i, column)) / largest, i,
                  d.frequencies[f]);
      }
  }
  Finding finding{apart.severity(), "excitation by diffraction and by Haskind's relation",
                  "differ, against the largest, by " + apart.text(d), "", ""};
  if (finding.severity != Severity::ok) {
    finding.effect = "one of them is not converged; a run uses that of diffraction";
    finding.remedy = "refine the panels until both agree";
  }
  findings.push_back(finding);
}

// What the other bodies, which move with the water, do to the heave of one: (−ω²A + iωB) times their motions, against
// the crest over the body. The water goes forward with the crest's way by −i/tanh kh, up by 1, and tilts by −ik.
std::complex<double> heave_by_neighbours(const Database& d, size_t body, double heading) {
  const double w = d.frequencies.front(), k = sea::wave_number(w, d.depth, d.gravity);
  const double c = std::cos(heading), s = std::sin(heading), orbit = 1 / std::tanh(k * d.depth);
  const std::complex<double> i(0, 1);
  const Eigen::Matrix<std::complex<double>, 6, 1> water{-i * c * orbit, -i * s * orbit, 1, -i * k * s, i * k * c, 0};
  std::complex<double> sum = 0;
  for (size_t other = 0; other < d.bodies.size(); ++other) {
    if (other == body) continue;
    const Vec3 apart = d.bodies[other].reference - d.bodies[body].reference;
    const std::complex<double> later = std::polar(1.0, -k * (apart.x() * c + apart.y() * s));
    for (int m = 0; m < 6; ++m) {
      const auto row = static_cast<int>(6 * body) + 2, column = static_cast<int>(6 * other) + m;
      sum += (-w * w * d.added_mass.front()(row, column) + i * w * d.damping.front()(row, column)) * water[m] * later;
    }
  }
  return sum;
}

// In waves much longer than the body it moves as a float on the tilted surface: heave by C − ω²(M + A) + iωB, in phase
// with the crest; surge and sway, positive in the direction of the wave, lead it by 90°. Its neighbours move with it.
void long_waves(const Database& d, Findings& findings) {
  const double w = d.frequencies.front();
  for (size_t b = 0; b < d.bodies.size(); ++b) {
    const FloatingBody& body = d.bodies[b];
    const int heave = static_cast<int>(6 * b) + 2;
    const double C = body.restoring(2, 2), A = d.added_mass.front()(heave, heave), B = d.damping.front()(heave, heave);
    Finding finding{Severity::ok, "long waves on " + body.name, "", "", ""};
    if (!(C > 0)) continue;
    const double mass = body.loading ? body.loading->mass : std::isnan(body.volume) ? 0 : d.density * body.volume;
    const double inertia = w * w * (mass + A) / C;
    if (inertia > 0.3) {
      finding.severity = Severity::note;
      finding.measured = fmt::format(
          "the lowest frequency, {:.3g} rad/s, is too high to compare: inertia is {:.0f} % of "
          "restoring",
          w, 100 * inertia);
      finding.effect = "below it forces are extrapolated: slow swell is uncertain";
      finding.remedy = "compute at lower frequencies, down to a tenth of the heave frequency";
      findings.push_back(finding);
      continue;
    }
    Measure off(0.05, 0.15, 0.7), lag(10, 25, 60), backwards(0.5, 0.5, 0.5);
    const double k = sea::wave_number(w, d.depth, d.gravity);
    for (size_t h = 0; h < d.headings.size(); ++h) {
      const double c = std::cos(d.headings[h]), s = std::sin(d.headings[h]);
      // The crest over the body comes sooner or later than at the origin.
      const double late = k * (body.reference.x() * c + body.reference.y() * s);
      const auto X = [&](int mode) {
        return d.excitation[h](static_cast<int>(6 * b) + mode, 0) * std::polar(1.0, late);
      };
      const std::complex<double> expected =
          std::complex<double>(C - w * w * (mass + A), w * B) + heave_by_neighbours(d, b, d.headings[h]);
      off.see(std::abs(X(2) - expected) / C, heave, w);
      // Beside another body the crest comes a little sooner or later.
      lag.see(std::abs(std::arg(X(2) / (d.bodies.size() > 1 ? expected : 1.0))) / degree, heave, w);
      const double horizontal = std::hypot(std::abs(X(0)), std::abs(X(1)));
      if (horizontal > 0) {
        const double lead = (X(0).imag() * c + X(1).imag() * s) / horizontal;
        backwards.see(0.5 * (1 - lead), heave - 2, w);
      }
    }
    finding.measured = fmt::format(
        "heave force against restoring, inertia and damping: off by {} %, {:.2g}° from the crest; surge and sway {}",
        Measure::percent(off.largest()), lag.largest(),
        backwards.largest() > 0.5 ? "lag it and should lead it by 90°" : "lead it by 90°");
    finding.severity = std::max({off.severity(), lag.severity(), backwards.severity()});
    if (finding.severity != Severity::ok) {
      finding.effect = "slow waves lift the body by another height than their own, or push it at the wrong time";
      finding.remedy =
          "check sign of time (exp(+iωt) or exp(−iωt)), heading, point of the phase, unit of force, and that "
          "restoring is of the same draught";
    }
    findings.push_back(finding);
  }
}

void zero_frequency(const Database& d, Findings& findings) {
  if (!d.added_mass_zero) return;
  const Scales s = scales(d, d.added_mass);
  Measure apart(0.1, 0.3, 0.8);
  for (const int i : s.active) {
    if (!has_zero_limit(d, i)) continue;
    apart.see(std::abs((*d.added_mass_zero)(i, i) - d.added_mass.front()(i, i)) / s.size[i], i, d.frequencies.front());
  }
  Finding finding{apart.severity(), "added mass at zero frequency",
                  "differs from the lowest frequency, against the largest, by " + apart.text(d), "", ""};
  if (finding.severity != Severity::ok) {
    finding.effect = "the slow motions of a moored or towed body have another mass than it seems";
    finding.remedy = "compute at lower frequencies; zero and infinite frequency may be exchanged";
  }
  findings.push_back(finding);
}

}  // namespace

void inspect_excitation(const Database& database, Findings& findings) {
  if (database.frequencies.empty()) return;
  zero_frequency(database, findings);
  if (database.excitation.empty()) {
    findings.push_back({Severity::warning, "excitation", "there is none", "waves do not move the body",
                        "compute the diffraction problem too"});
    return;
  }
  const Database all = round_the_clock(database);
  headings(all, database, findings);
  drift_headings(all, findings);
  haskind(all, findings);
  both_ways(database, findings);
  long_waves(database, findings);
}

}  // namespace davit::hydro
