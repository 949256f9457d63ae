// A database that is right by construction has no findings; each fault put into it is found, named and graded.
#include "davit/hydro/inspect.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "davit/hydro/inspect_page.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/hydro/test/support.hpp"
#include "davit/math/constants.hpp"
#include "davit/sea/dispersion.hpp"

namespace davit::hydro {
namespace {

using namespace test;
constexpr double alpha = 0.8;

// Radiation in closed form (radiation_test.cpp) in every mode, excitation by Haskind's relation from it, restoring by
// the longest wave, headings every 5° from 0 to 180° as a hull of 6 m needs in the shortest wave.
Database good(double last = 8) {
  Database d;
  d.title = "good <hull>";
  FloatingBody body;
  body.loading = MassProperties{4e6, {0, 0, 1}, Mat3(Vec3(2e8, 4e8, 4e8).asDiagonal())};
  body.volume = 4e6 / d.density;
  body.buoyancy = {0, 0, -2};
  VecX size(6);
  size << 1e6, 2e6, 3e6, 1e8, 2e8, 1.5e8;
  for (double w = 0.05; w < last + 0.01; w += 0.05) {
    d.frequencies.push_back(w);
    const double q = std::pow(alpha * alpha + w * w, 2);
    d.added_mass.push_back(size * ((alpha * alpha - w * w) / q + 2));
    d.added_mass.back() = MatX(d.added_mass.back().col(0).asDiagonal());
    d.damping.push_back(MatX((size * (2 * alpha * w * w / q)).asDiagonal()));
  }
  d.added_mass_infinite = MatX((2 * size).asDiagonal());
  d.added_mass_zero = MatX((size * (2 + 1 / (alpha * alpha))).asDiagonal());
  for (int degrees = 0; degrees <= 180; degrees += 5) {
    const double heading = degrees * pi / 180, c = std::cos(heading), s = std::sin(heading);
    const std::complex<double> i(0, 1);
    const std::array<std::complex<double>, 6> shape{i * c, i * s, 1.0, -i * s, i * c, i * std::sin(2 * heading)};
    d.headings.push_back(heading);
    MatXc X(6, static_cast<Eigen::Index>(d.frequencies.size()));
    for (size_t f = 0; f < d.frequencies.size(); ++f) {
      const double w = d.frequencies[f];
      const double k = sea::wave_number(w, d.depth, d.gravity);
      const double per_damping = 8 * pi * d.density * d.gravity * sea::group_velocity(w, k, d.depth) / k;
      for (int m = 0; m < 6; ++m)
        X(m, static_cast<Eigen::Index>(f)) =
            shape[static_cast<size_t>(m)] * std::sqrt(per_damping * d.damping[f](m, m) / (m == 2 ? 2 * pi : pi));
    }
    d.excitation.push_back(X);
  }
  const double w = d.frequencies[0], B = d.damping[0](2, 2), X = std::abs(d.excitation[0](2, 0));
  body.restoring(2, 2) = std::sqrt(X * X - w * w * B * B) + w * w * (4e6 + d.added_mass[0](2, 2));
  body.restoring(3, 3) = 6e7;
  body.restoring(4, 4) = 8e7;
  for (MatXc& force : d.excitation)
    force(2, 0) = std::complex<double>(body.restoring(2, 2) - w * w * (4e6 + d.added_mass[0](2, 2)), w * B);
  d.bodies.push_back(body);
  return d;
}

std::string listed(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& f : findings) out += fmt::format("{}: {}: {}\n", name_of(f.severity), f.subject, f.measured);
  return out;
}

const Finding& about(const std::vector<Finding>& findings, const std::string& subject) {
  for (const Finding& finding : findings)
    if (finding.subject.find(subject) != std::string::npos) return finding;
  throw std::runtime_error("no finding about " + subject + " in\n" + listed(findings));
}

TEST(Inspect, AGoodDatabaseIsGood) {
  const auto findings = inspect(good());
  EXPECT_EQ(worst(findings), Severity::ok) << listed(findings);
  EXPECT_GE(findings.size(), 14u);
}

// The fault, the subject under which it is found, and how bad it is.
struct Fault {
  const char* subject;
  Severity severity;
  std::function<void(Database&)> make;
  const char* named = "";  // part of what was measured
};

TEST(Inspect, FindsEveryFault) {
  const auto at = [](const Database& d, double w) {
    return static_cast<size_t>(std::lower_bound(d.frequencies.begin(), d.frequencies.end(), w - 0.01) -
                               d.frequencies.begin());
  };
  const std::vector<Fault> faults{
      {"inertia of hull", Severity::warning, [](Database& d) { d.bodies[0].loading->inertia.setZero(); },
       "no moments of inertia"},
      {"symmetry of added mass", Severity::warning,
       [&](Database& d) { d.added_mass[at(d, 1)](1, 3) = 0.3 * std::sqrt(2e6 * 1e8); }, "roll and sway at 1 rad/s"},
      {"symmetry of damping", Severity::note,
       [&](Database& d) { d.damping[at(d, 2)](4, 2) = 0.02 * std::sqrt(d.damping[15](2, 2) * d.damping[15](4, 4)); },
       "pitch and heave at 2 rad/s"},
      {"damping takes energy", Severity::error, [&](Database& d) { d.damping[at(d, 5)](4, 4) *= -1; }, "pitch at 5"},
      {"damping takes energy", Severity::warning,
       [&](Database& d) {  // no diagonal entry is negative, but a mixed motion gains
         MatX& B = d.damping[at(d, 0.8)];
         B(1, 3) = B(3, 1) = 1.1 * std::sqrt(B(1, 1) * B(3, 3));
       },
       "eigenvalue"},
      {"Kramers", Severity::warning,
       [](Database& d) {
         for (MatX& B : d.damping) B(0, 0) *= 1.5;
       },
       "surge"},
      {"Kramers", Severity::warning,
       [](Database& d) {
         for (MatX& A : d.added_mass) A(5, 5) *= 1.2;
       },
       "yaw"},
      {"infinite frequency", Severity::warning, [](Database& d) { (*d.added_mass_infinite)(2, 2) *= 1.3; }, "heave"},
      {"infinite frequency", Severity::note, [](Database& d) { d.added_mass_infinite.reset(); }, "Ogilvie"},
      {"highest frequency", Severity::warning, [](Database& d) { d = good(2); }},
      {"frequency steps", Severity::warning,
       [](Database& d) {
         Database coarse = d;
         coarse.frequencies.clear();
         coarse.added_mass.clear();
         coarse.damping.clear();
         std::vector<size_t> kept;
         for (size_t f = 0; f < d.frequencies.size(); ++f)
           if (f % 16 == 0) kept.push_back(f);
         for (MatXc& X : coarse.excitation) X.resize(6, static_cast<Eigen::Index>(kept.size()));
         for (size_t k = 0; k < kept.size(); ++k) {
           coarse.frequencies.push_back(d.frequencies[kept[k]]);
           coarse.added_mass.push_back(d.added_mass[kept[k]]);
           coarse.damping.push_back(d.damping[kept[k]]);
           for (size_t h = 0; h < d.headings.size(); ++h)
             coarse.excitation[h].col(static_cast<Eigen::Index>(k)) =
                 d.excitation[h].col(static_cast<Eigen::Index>(kept[k]));
         }
         d = coarse;
       }},
      {"smoothness", Severity::warning, [&](Database& d) { d.damping[at(d, 3)](2, 2) += 0.2 * 3e6; },
       "heave at 3 rad/s"},
      {"restoring", Severity::error, [](Database& d) { d.bodies[0].restoring(3, 3) = -1e6; }, "not positive in roll"},
      {"restoring", Severity::error, [](Database& d) { d.bodies[0].restoring.setZero(); }, "there is none"},
      {"restoring", Severity::note, [](Database& d) { d.bodies[0].loading.reset(); }, "not known"},
      {"weight and buoyancy", Severity::warning, [](Database& d) { d.bodies[0].volume *= 1.03; }},
      {"weight and buoyancy", Severity::warning, [](Database& d) { d.bodies[0].buoyancy.y() = 0.05; },
       "0.050 m across"},
      {"mass and added mass", Severity::error, [&](Database& d) { d.added_mass[at(d, 1)](0, 0) = -5e6; }, "at 1 rad/s"},
      {"Haskind", Severity::warning,
       [](Database& d) {
         for (MatXc& X : d.excitation) X.row(1) *= 1.2;
       },
       "sway"},
      {"Haskind", Severity::note,
       [](Database& d) {
         d.headings.resize(1);
         d.excitation.resize(1);
       }},
      {"headings", Severity::warning,
       [](Database& d) {
         d.headings.resize(1);
         d.excitation.resize(1);
       },
       "360"},
      // A hull of 60 m (√(12 C₅₅/C₃₃)) at every 5°: ka + 1.8 (ka)^⅓ = 36 where ka = 30.4, √(30.4 g/30) = 3.15 rad/s.
      {"headings", Severity::warning,
       [](Database& d) { d.bodies[0].restoring(4, 4) = 300 * d.bodies[0].restoring(2, 2); }, "up to 3.15 of 8 rad/s"},
      {"headings of mean drift", Severity::note,
       [](Database& d) {
         d.bodies[0].restoring(4, 4) = 300 * d.bodies[0].restoring(2, 2);
         d.drift.assign(d.headings.size(), MatX::Zero(6, static_cast<Eigen::Index>(d.frequencies.size())));
       },
       "up to 2.23 of 8 rad/s"},
      {"by diffraction and by Haskind", Severity::warning,
       [](Database& d) {
         d.excitation_haskind = d.excitation;
         d.excitation_haskind[3].row(4) *= 0.7;
       },
       "pitch"},
      {"long waves", Severity::error,
       [](Database& d) {
         for (MatXc& X : d.excitation) X = -X;
       },
       "against"},
      {"long waves", Severity::error,
       [](Database& d) {
         for (MatXc& X : d.excitation) X = X.conjugate().eval();
       },
       "against"},
      {"long waves", Severity::warning, [](Database& d) { d.bodies[0].restoring(2, 2) *= 1.3; }},
      {"zero frequency", Severity::warning, [](Database& d) { std::swap(*d.added_mass_zero, *d.added_mass_infinite); }},
      {"excitation", Severity::warning,
       [](Database& d) {
         d.headings.clear();
         d.excitation.clear();
       },
       "there is none"},
  };
  for (const Fault& fault : faults) {
    Database d = good();
    fault.make(d);
    const auto findings = inspect(d);
    const Finding& finding = about(findings, fault.subject);
    EXPECT_EQ(finding.severity, fault.severity) << fault.subject << "\n" << listed(findings);
    EXPECT_NE(finding.measured.find(fault.named), std::string::npos) << fault.named << "\n" << finding.measured;
    EXPECT_FALSE(finding.remedy.empty()) << fault.subject;
  }
}

// Two bodies far apart in one database, with coupling as the water between them has it: what is right for both together
// is no fault of either.
TEST(Inspect, NeighboursAreKnown) {
  const Database one = good();
  Database two = one;
  two.bodies.push_back(one.bodies[0]);
  two.bodies[1].name = "other";
  two.bodies[1].reference.y() = 20;
  const auto both = [](const MatX& m) {
    MatX out = MatX::Zero(12, 12);
    out.topLeftCorner(6, 6) = out.bottomRightCorner(6, 6) = m;
    return out;
  };
  for (MatX& A : two.added_mass) A = both(A);
  for (MatX& B : two.damping) B = both(B);
  two.added_mass_infinite = both(*one.added_mass_infinite);
  two.added_mass_zero = both(*one.added_mass_zero);
  // Heave of the one lifts the other by 0.4 of its added mass: in the longest wave, 25 km long, both go up together.
  for (MatX& A : two.added_mass) A(2, 8) = A(8, 2) = 0.4 * A(2, 2);
  const double w = two.frequencies[0];
  for (size_t h = 0; h < two.headings.size(); ++h) {
    MatXc X(12, one.excitation[h].cols());
    X << one.excitation[h], one.excitation[h];
    X(2, 0) -= w * w * two.added_mass[0](2, 8);
    X(8, 0) -= w * w * two.added_mass[0](8, 2);
    two.excitation[h] = X;
  }
  EXPECT_EQ(about(inspect(two), "long waves on hull").severity, Severity::ok) << listed(inspect(two));
  for (MatXc& X : two.excitation) X(2, 0) += 0.3 * two.bodies[0].restoring(2, 2);
  EXPECT_EQ(about(inspect(two), "long waves on hull").severity, Severity::warning);

  // Water that resonates between bodies has large negative added mass: worth a note. One body alone, or inertia in the
  // limit of high frequency, is a mistake.
  two.added_mass[19](1, 1) = -5e6;
  EXPECT_EQ(about(inspect(two), "mass and added mass").severity, Severity::note);
  (*two.added_mass_infinite)(1, 1) = -5e6;
  EXPECT_EQ(about(inspect(two), "mass and added mass").severity, Severity::error);
}

TEST(Inspect, FewFrequenciesAreNoReasonToFall) {
  Database d = good();
  for (const double highest : {0.22, 0.06}) {
    Database cut = d;
    cut_frequencies(cut, highest);
    EXPECT_EQ(worst(inspect(cut)), Severity::error);
    EXPECT_FALSE(inspect_page(cut, inspect(cut)).empty());
  }
}

TEST(Inspect, NaturalPeriodsSolveTheirEquation) {
  const Database d = good();
  const auto periods = natural_periods(d);
  ASSERT_EQ(periods.size(), 3u);
  const NaturalPeriod& heave = periods[0];
  EXPECT_EQ(heave.mode, 2);
  const double w = 2 * pi / heave.period;
  const double A = 3e6 * ((alpha * alpha - w * w) / std::pow(alpha * alpha + w * w, 2) + 2);
  EXPECT_NEAR(w * w * (4e6 + A) / d.bodies[0].restoring(2, 2), 1, 1e-3);
}

TEST(Inspect, PageIsSelfContained) {
  const Database d = good();
  const std::string page = inspect_page(d, inspect(d));
  EXPECT_NE(page.find("good &lt;hull&gt;"), std::string::npos);
  EXPECT_EQ(page.find("good <hull>"), std::string::npos);
  EXPECT_EQ(page.find("http:"), std::string::npos);
  EXPECT_EQ(page.find("https:"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  for (const char* part :
       {"Natural periods", "Kernel, rotations", "Phase, heave", "Added mass, translations", "frequency [rad/s]"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

// What is known of the shared databases: NEMOH keeps the irregular frequency of heave at 2.24 rad/s, WAMIT removed it;
// the tanker's damping follows from its excitation, and its panels end at 3.6 rad/s.
TEST(Inspect, SharedDatabases) {
  SKIP_WITHOUT(shared("oes-sphere/nemoh"));
  ReadOptions fresh_water;
  fresh_water.density = 1000;
  const auto nemoh = inspect(open_database(shared("oes-sphere/nemoh")));
  EXPECT_NE(about(nemoh, "smoothness").measured.find("heave at 2.24 rad/s"), std::string::npos);
  const auto wamit = inspect(open_database(shared("oes-sphere/wamit_sphere"), fresh_water));
  EXPECT_EQ(about(wamit, "smoothness").severity, Severity::ok);
  const auto tanker = inspect(open_database(shared("mss-tanker/tanker")));
  EXPECT_EQ(about(tanker, "Haskind").severity, Severity::ok) << listed(tanker);
  EXPECT_EQ(about(tanker, "damping takes energy").severity, Severity::error);
  EXPECT_NE(about(tanker, "damping takes energy").measured.find("from 3.65 rad/s on"), std::string::npos);
}

}  // namespace
}  // namespace davit::hydro
