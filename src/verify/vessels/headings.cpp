// Forces of waves between the headings and frequencies of a database: an exact solution, and the shipped vessels beside
// the panel method at the headings and frequencies themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/heading_interpolation.hpp"
#include "davit/hydro/kramers_kronig.hpp"
#include "davit/math/constants.hpp"
#include "davit/panel/solve_job.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/test/source_tree.hpp"
#include "davit/wave_load/wave_force_table.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using Complex = std::complex<double>;
constexpr const char* motion_names[] = {"surge", "sway", "heave", "roll", "pitch", "yaw"};

double sinc(double x) { return std::abs(x) < 1e-9 ? 1 : std::sin(x) / x; }

// The force of the undisturbed wave on the bottom of a box, in heave, per ρg: ∬ exp(−ik(x cos β + y sin β)) e^{−kT}.
struct Box {
  double length = 110, beam = 46, draft = 3.63, gravity = 9.80665;
  double heave(double frequency, double heading) const {
    const double k = frequency * frequency / gravity;
    return length * beam * std::exp(-k * draft) * sinc(0.5 * k * length * std::cos(heading)) *
           sinc(0.5 * k * beam * std::sin(heading));
  }
  // At even headings round the circle, `step` apart, and with the hull `aside` of the point of the phase.
  hydro::Database database(double highest, double step, double aside) const {
    hydro::Database db;
    db.gravity = gravity;
    hydro::FloatingBody body;
    body.reference = body.buoyancy = Vec3(aside, 0, 0);
    body.restoring.diagonal() << 0, 0, 1, beam * beam / 12, length * length / 12, 0;
    db.bodies.push_back(body);
    for (int i = 1; i <= 60; ++i) db.frequencies.push_back(highest * i / 60);
    const int count = static_cast<int>(std::round(2 * pi / step));
    for (int h = 0; h < count; ++h) {
      db.headings.push_back(-pi + 2 * pi * (h + 1) / count);
      MatXc X = MatXc::Zero(6, 60);
      for (int f = 0; f < 60; ++f) X(2, f) = force(db.frequencies[static_cast<size_t>(f)], db.headings.back(), aside);
      db.excitation.push_back(X);
    }
    return db;
  }
  Complex force(double frequency, double heading, double aside) const {
    return heave(frequency, heading) * std::polar(1.0, -frequency * frequency / gravity * aside * std::cos(heading));
  }
};

// A hull of heading −β meets it as a wave towards β.
sea::Component wave_along_x(double frequency) {
  sea::Component wave{};
  wave.amplitude = 1;
  wave.frequency = frequency;
  return wave;
}

Complex entry(const wave_load::WaveForceTable::Force& force, int motion) {
  return {force.value[static_cast<size_t>(motion)], force.value[static_cast<size_t>(motion + 6)]};
}

// Largest error over 97 headings that are on no grid, of the largest force.
double box_error(const Box& box, const hydro::Database& db, double frequency, double aside) {
  const wave_load::WaveForceTable table(db, 0, {wave_along_x(frequency)});
  double worst = 0, largest = 0;
  for (int i = 0; i < 97; ++i) {
    const double heading = 2 * pi * (i + 0.37) / 97;
    wave_load::WaveForceTable::Force force;
    table.at(table.cell(-heading), 0, force);
    const Complex exact = box.force(frequency, heading, aside);
    largest = std::max(largest, std::abs(exact));
    worst = std::max(worst, std::abs(entry(force, 2) - exact));
  }
  return worst / largest;
}

void box(Checker& check) {
  constexpr const char* source = "exact: the undisturbed wave on the bottom of a box";
  const Box box;
  const double highest = 2.366;
  const std::string name = "box 110 x 46 m, waves down to a tenth of its length";
  for (const double frequency : {1.5, 1.8, 2.3}) {
    const std::string at = fmt::format(", {:g} rad/s", frequency);
    check.at_most(name, "heave between headings 4 deg apart, of the largest" + at, "", source,
                  box_error(box, box.database(highest, 4 * degree, 0), frequency, 0), 0.02);
    check.at_most(name, "the same 80 m ahead of the point of the phase" + at, "", source,
                  box_error(box, box.database(highest, 4 * degree, 80), frequency, 80), 0.02);
  }
  // What the rule says that a step can follow is what it can.
  for (const double step : {15.0, 10.0, 5.0}) {
    const hydro::Database db = box.database(highest, step * degree, 0);
    const double followed = hydro::followed_frequency(db);
    const std::string steps = fmt::format("headings {:g} deg apart, {:.3g} rad/s", step, followed);
    check.at_most(name, steps + ": error where they are said to follow, of the largest", "", source,
                  box_error(box, db, 0.999 * followed, 0), 0.02);
  }
}

// The table of a shipped vessel at headings and frequencies that are not its own, beside the panel method there.
void shipped(Checker& check, const char* file, const char* name) {
  hydro::Database db = hydro::read_database(in_source("vessels/") + file + ".h5");
  hydro::expand_headings(db);
  input::Problems problems;
  auto job = panel::read_job(in_source("vessels/") + file + ".yaml", problems);
  if (!job) throw std::runtime_error(problems.to_text());
  // In the middle of the last interval but one, and of one at two thirds of the range; the highest makes the panels
  // those of the database.
  const auto& w = db.frequencies;
  const size_t last = w.size() - 1, middle = w.size() * 2 / 3;
  job->frequencies.list =
      std::vector<double>{0.5 * (w[middle] + w[middle + 1]), 0.5 * (w[last - 1] + w[last]), w[last]};
  const double step = hydro::widest_gap(db.headings);
  std::vector<double> headings;
  for (const double at : {0.5, 1.5, 8.4, 13.5, 20.5, 21.3, 28.5, 32.5, 35.5, 36.7, 44.5, 55.6, 71.5})
    headings.push_back(at * step);
  job->headings = headings;
  job->drift = false;
  const auto plan = panel::plan_job(*job, 0, problems);
  if (!plan) throw std::runtime_error(problems.to_text());
  hydro::Database solved = panel::run_job(*plan);
  hydro::move_reference(solved, 0, db.bodies[0].reference);

  for (Eigen::Index f = 0; f < 3; ++f) {
    const sea::Component wave = wave_along_x(solved.frequencies[static_cast<size_t>(f)]);
    const wave_load::WaveForceTable table(db, 0, {wave});
    for (int i = 0; i < 6; ++i) {
      double worst = 0, largest = 0;
      wave_load::WaveForceTable::Force force;
      for (const double heading : db.headings) {
        table.at(table.cell(-heading), 0, force);
        largest = std::max(largest, std::abs(entry(force, i)));
      }
      for (size_t h = 0; h < headings.size(); ++h) {
        table.at(table.cell(-solved.headings[h]), 0, force);
        worst = std::max(worst, std::abs(entry(force, i) - solved.excitation[h](i, f)));
      }
      check.at_most(
          fmt::format("{}, {:.4g} rad/s", name, wave.frequency),
          fmt::format("{} between headings{}, of the largest", motion_names[i], f < 2 ? " and frequencies" : ""), "",
          "oracle: the panel method at these headings", worst / largest, 0.02);
    }
  }
}

}  // namespace

void headings(Checker& check) {
  box(check);
  shipped(check, "barge_110x46_18851t", "barge 110 x 46 m");
  shipped(check, "supply_ship", "supply ship");
}

}  // namespace davit::verify
