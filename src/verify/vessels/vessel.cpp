// The groups about vessels, and of them a vessel in regular waves: the motion that the time domain settles to, against
// the solution in the frequency domain, which knows nothing of memories and fits.
#include <fmt/format.h>

#include <complex>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/radiation/memory_fit.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/vessels/between_frequencies.hpp"
#include "verify/vessels/vessel_cases.hpp"

namespace davit::verify {

namespace {

using Complex = std::complex<double>;
using Vec6c = Eigen::Matrix<Complex, 6, 1>;

// All frequencies are multiples of one, so that a window of its period holds whole waves of each.
constexpr double base = 0.1;
constexpr std::array multiples = {4, 5, 6, 7, 8, 10, 12, 14};
constexpr double amplitude = 0.001;  // small: what is of second order is not seen
constexpr double keeping_period = 100, keeping_damping = 0.7, roll_damping = 0.05;

// (−ω²(M + A) + iω(B + D) + C + K) ξ = X for unit amplitude.
Vec6c in_frequency_domain(const hydro::Database& db, size_t heading, double w) {
  const hydro::FloatingBody& body = db.bodies[0];
  const Mat6 mass = hydro::mass_matrix(*body.loading, Vec3::Zero());
  const Mat6 infinite = *db.added_mass_infinite, total = mass + infinite;
  Mat6 stiffness = body.restoring, damping = Mat6::Zero();
  const double rate = 2 * pi / keeping_period;
  const Mat6 slow = mass + *db.added_mass_zero;
  for (const int i : {0, 1, 5}) {
    stiffness(i, i) += rate * rate * slow(i, i);
    damping(i, i) += 2 * keeping_damping * rate * slow(i, i);
  }
  damping(3, 3) += roll_damping * 2 * std::sqrt(body.restoring(3, 3) * total(3, 3));
  const Mat6 added = between_frequencies(db.frequencies, w, [&](size_t f) -> Mat6 { return db.added_mass[f]; });
  damping += between_frequencies(db.frequencies, w, [&](size_t f) -> Mat6 { return db.damping[f]; });
  const Vec6c force = between_frequencies(
      db.frequencies, w, [&](size_t f) -> Vec6c { return db.excitation[heading].col(static_cast<Eigen::Index>(f)); });
  const MatXc impedance =
      (stiffness - w * w * (mass + added)).cast<Complex>() + Complex(0, w) * damping.cast<Complex>();
  return solve_lu(impedance, MatXc(force));
}

struct Settled {
  std::array<Vec6c, multiples.size()> motion;  // for unit amplitude; heave, roll, pitch only
};

Settled in_time_domain(const std::string& file, double heading, const char* memory) {
  // Whole periods of the base frequency in whole steps: until the motion has settled, and then to look at.
  constexpr int in_window = 1257, settling = 7;
  const double window = 2 * pi / base, step = window / in_window;
  std::string parts;
  for (const int m : multiples)
    parts += fmt::format("{}{{spectrum: regular, height: {} m, period: {:.12f} s, heading: {:.12f} rad}}",
                         parts.empty() ? "" : ", ", 2 * amplitude, 2 * pi / (base * m), heading);
  const std::string text = fmt::format(
      "davit: 1\ntitle: regular waves\nenvironment: {{waves: {{spectrum: sum, parts: [{}]}}}}\n"
      "vessels: {{ship: {{hydrodynamics: {}, memory: {}, memory_tolerance: 0.002, roll_damping: {}, wave_ramp: 60 s, "
      "position_keeping: {{period: {} s, "
      "damping: {}, integral: 0 s, wave_filter: 0 s}}}}}}\nrun: {{duration: 1000 s, step: {:.17g} s}}\n",
      parts, file, memory, roll_damping, keeping_period, keeping_damping, step);
  ScenarioRun run(text);
  Settled out;
  for (auto& motion : out.motion) motion.setZero();
  for (int n = 1; n <= (settling + 1) * in_window; ++n) {
    run.step(step);
    if (n <= settling * in_window) continue;
    const Kin& kin = run.look();
    const Vec3 place = position(kin, run.first());
    const Mat3 R = rotation(kin, run.first());
    for (size_t k = 0; k < multiples.size(); ++k) {
      const Complex turn = std::polar(2 * step / (window * amplitude), -base * multiples[k] * run.state().t);
      out.motion[k][2] += turn * place.z();
      out.motion[k][3] += turn * std::atan2(R(2, 1), R(2, 2));
      out.motion[k][4] += turn * -std::asin(R(2, 0));
    }
  }
  return out;
}

void regular_waves(Checker& check) {
  const std::string file = in_source("vessels/supply_ship.h5");
  hydro::Database db = hydro::read_database(file);
  hydro::move_reference(db, 0, Vec3::Zero());
  double worst[3] = {}, largest[3] = {}, apart = 0, peak = 0;
  for (const size_t h : {size_t{0}, size_t{3}, size_t{6}, size_t{9}}) {
    const Settled settled = in_time_domain(file, db.headings[h], "state_space");
    for (size_t k = 0; k < multiples.size(); ++k) {
      const Vec6c exact = in_frequency_domain(db, h, base * multiples[k]);
      for (int i = 0; i < 3; ++i) {
        worst[i] = std::max(worst[i], std::abs(settled.motion[k][2 + i] - exact[2 + i]));
        largest[i] = std::max(largest[i], std::abs(exact[2 + i]));
      }
    }
    if (h != 6) continue;
    const Settled folded = in_time_domain(file, db.headings[h], "convolution");
    for (size_t k = 0; k < multiples.size(); ++k) {
      apart = std::max(apart, std::abs(folded.motion[k][3] - settled.motion[k][3]));
      peak = std::max(peak, std::abs(settled.motion[k][3]));
    }
  }
  const char* const names[] = {"heave", "roll", "pitch"};
  for (int i = 0; i < 3; ++i)
    check.at_most("supply ship, 8 frequencies x 4 headings",
                  fmt::format("{}, amplitude and phase, of the largest", names[i]), "",
                  "oracle: the same in the frequency domain, without memory", worst[i] / largest[i], 0.01);
  check.at_most("supply ship, 8 frequencies in beam waves",
                "roll by convolution against the fitted memory, of the largest", "", "oracle: second formulation",
                apart / peak, 0.01);
}

}  // namespace

void vessels(Checker& check) {
  regular_waves(check);
  natural_periods(check);
  sphere_decay(check);
  linear_ship(check);
}

void vessels_others(Checker& check) {
  sphere_decay_by_others(check);
  memory_beside_mss(check);
  linear_ship_by_others(check);
  ship_crane_linear_by_others(check);
}

}  // namespace davit::verify
