// The radiation–diffraction solver against series solutions, other programs and identities.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "davit/hull/hull_file.hpp"
#include "davit/hull/named_hulls.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/kramers_kronig.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/input/overlay.hpp"
#include "davit/math/constants.hpp"
#include "davit/panel/linear_flow.hpp"
#include "davit/panel/solve_job.hpp"
#include "verify/third_party_data.hpp"
#include "verify/verify.hpp"
#include "verify/vessels/hemisphere.hpp"

namespace davit::verify {

namespace {

constexpr const char* motion_names[] = {"surge", "sway", "heave", "roll", "pitch", "yaw"};

panel::WettedBody sphere(double radius, double panel_size) {
  panel::WettedBody body{"sphere", hull::panelled(hull::Sphere{2 * radius}, {panel_size, 20000, 0}), {}};
  body.lid = hull::lid(body.wetted, 1.2 * panel_size);
  return body;
}

// Radius 1, density 1 and g = 1: K a = ω².
void hemisphere(Checker& check) {
  constexpr const char* source = "published: Hulme (1982), series of wave-free potentials";
  const double displaced = 2 * pi / 3;
  const panel::Water water{1, 1};
  const auto flow_of = [&](double size) { return panel::LinearFlow(panel::Surface({sphere(1, size)}), water, {0}); };
  const panel::LinearFlow fine = flow_of(0.05);
  panel::FlowScratch scratch;
  for (const double ka : {0.1, 0.5, 1.0, 2.0}) {
    const panel::FrequencyResult result = fine.solve(std::sqrt(ka), false, scratch);
    const std::string name = fmt::format("hemisphere of 736 panels a quarter, Ka = {:g}", ka);
    const auto row = [&](int motion, const HemisphereCoefficients& exact) {
      const double scale = displaced * std::sqrt(ka);
      check.relative(name, fmt::format("added mass in {}", motion_names[motion]), "2/3 πρa³", rounded(exact.added_mass),
                     source, result.added_mass(motion, motion) / displaced, 0.01);
      check.relative(name, fmt::format("damping in {}", motion_names[motion]), "2/3 πρa³ω", rounded(exact.damping),
                     source, result.damping(motion, motion) / scale, 0.01);
    };
    row(2, hemisphere_heave(ka));
    row(0, hemisphere_surge(ka));
  }
  const std::string limits = "hemisphere of 736 panels a quarter, limits";
  check.relative(limits, "added mass in heave as ω → 0", "2/3 πρa³", 0.8310, source,
                 fine.added_mass_zero()(2, 2) / displaced, 0.01);
  check.relative(limits, "added mass in surge as ω → 0", "2/3 πρa³", 0.5, "exact: sphere in unbounded water",
                 fine.added_mass_zero()(0, 0) / displaced, 0.01);
  check.relative(limits, "added mass in heave as ω → ∞", "2/3 πρa³", 0.5, "exact: sphere in unbounded water",
                 fine.added_mass_infinite()(2, 2) / displaced, 0.01);
  check.relative(limits, "added mass in surge as ω → ∞", "2/3 πρa³", 0.2732, source,
                 fine.added_mass_infinite()(0, 0) / displaced, 0.01);

  // Flat panels inside a sphere: what is missing is of second order in their size.
  const auto error = [&](double size) {
    return std::abs(flow_of(size).solve(1, false, scratch).damping(0, 0) / displaced - hemisphere_surge(1).damping);
  };
  check.order("hemisphere, panels halved from 0.4 a to 0.1 a", "damping in surge at Ka = 1", 2,
              "exact: flat panels on a curved hull", 0.5 * std::log2(error(0.4) / error(0.1)), 0.3);
}

// Figures of WAMIT for the sphere of the IEA OES Task 10 (radius 5 m, 50 m of water, fresh), moments about 2 m below
// the water; made available with WEC-Sim.
void sphere_of_the_task(Checker& check) {
  constexpr const char* source = "oracle: WAMIT, sphere of IEA OES Task 10 (WEC-Sim, examples/BEMIO)";
  struct Figures {
    double frequency;
    double surge_mass, surge_damping, heave_mass, heave_damping;  // in parts of ρ and ρω
    std::complex<double> surge_force, heave_force;                // in parts of ρg
  };
  const Figures wamit[] = {
      {0.6, 142.8194, 1.695954, 207.8299, 65.75094, {0.05631635, 14.06118}, {61.85162, 2.429219}},
      {1.0, 168.9532, 26.99432, 152.1805, 88.34739, {1.772069, 32.51254}, {40.57642, 9.367009}},
      {1.4, 150.2717, 92.15598, 112.1673, 65.08592, {6.135818, 42.52023}, {21.09426, 14.36541}},
      {2.0, 64.01228, 87.97101, 101.7965, 26.20232, {-7.886907, 28.30736}, {0.7396723, 11.30926}},
  };
  const panel::LinearFlow flow(panel::Surface({sphere(5, 0.3)}), {1, 9.81, 50}, {0});
  panel::FlowScratch scratch;
  for (const Figures& f : wamit) {
    const panel::FrequencyResult r = flow.solve(f.frequency, false, scratch);
    const std::string name = fmt::format("sphere in 50 m of water, {:g} rad/s", f.frequency);
    const auto row = [&](const char* what, double reference, double largest, double computed) {
      check.absolute(name, fmt::format("{}, in parts of its largest", what), "", rounded(reference / largest), source,
                     computed / largest, 0.02);
    };
    row("added mass in surge", f.surge_mass, 169, r.added_mass(0, 0));
    row("added mass in heave", f.heave_mass, 208, r.added_mass(2, 2));
    row("damping in surge", f.surge_damping, 104, r.damping(0, 0) / f.frequency);
    row("damping in heave", f.heave_damping, 88.4, r.damping(2, 2) / f.frequency);
    const auto force = [&](const char* what, std::complex<double> reference, double largest,
                           std::complex<double> computed) {
      check.at_most(name, fmt::format("{}, amplitude and phase, in parts of the largest", what), "", source,
                    std::abs(computed / 9.81 - reference) / largest, 0.02);
    };
    force("force in surge", f.surge_force, 43, r.excitation(0, 0));
    force("force in heave", f.heave_force, 78.5, r.excitation(2, 0));
  }
}

panel::JobSpec job_of(const std::vector<std::string>& settings) {
  input::Problems problems;
  input::Node node = input::map_node();
  for (const std::string& setting : settings) input::apply_setting(node, setting, problems);
  panel::JobSpec job = input::read<panel::JobSpec>(node, problems);
  if (problems.has_errors()) throw std::runtime_error(problems.to_text());
  return job;
}

hydro::Database solved(const std::vector<std::string>& settings, panel::Accuracy* accuracy = nullptr) {
  input::Problems problems;
  const auto plan = panel::plan_job(job_of(settings), 0, problems);
  if (!plan) throw std::runtime_error(problems.to_text());
  return panel::run_job(*plan, {}, accuracy);
}

// Barges with the panels that are chosen where nobody says any, beside smaller ones.
void default_panels(Checker& check) {
  const std::vector<std::string> one{"bodies.a.hull=\"barge: 110 x 46 x 7.5 m\"",
                                     "bodies.a.draft=3.63 m",
                                     "bodies.a.kg=4.5 m",
                                     "headings=[0, 1.2]",
                                     "drift=false",
                                     "frequencies.list=[0.6, 1.2, 1.4]",
                                     "most_panels=20000"};
  const auto with = [&](std::vector<std::string> settings, const std::vector<std::string>& more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
  };
  const std::string name = "barge 110 x 46 m, draft 3.63 m, panels as chosen";
  constexpr const char* finer = "invariant: smaller panels give the same";
  panel::Accuracy accuracy;
  const hydro::Database chosen = solved(one, &accuracy);
  const hydro::Database fine = solved(with(one, {"bodies.a.panel_size=1.45 m"}));
  check.relative(name, "heave damping at 1.4 rad/s", "N s/m", 8.9e6, "oracle: another panel program, two digits",
                 chosen.damping[2](2, 2), 0.04);
  for (size_t f = 0; f < chosen.frequencies.size(); ++f)
    for (const int i : {0, 1, 2, 3, 4, 5}) {
      const auto of_largest = [&](const std::vector<MatX>& a, const std::vector<MatX>& b) {
        double largest = 0;
        for (const MatX& m : b) largest = std::max(largest, m(i, i));
        return std::abs(a[f](i, i) - b[f](i, i)) / largest;
      };
      const std::string where = fmt::format("{} at {:g} rad/s, of the largest", motion_names[i], chosen.frequencies[f]);
      check.at_most(name, "added mass in " + where, "", finer, of_largest(chosen.added_mass, fine.added_mass), 0.02);
      check.at_most(name, "damping in " + where, "", finer, of_largest(chosen.damping, fine.damping), 0.02);
    }
  check.at_most(name, "forces by diffraction and by Haskind's relation, of the largest", "",
                "invariant: Haskind (1957)", accuracy.force, 0.02);

  // Two of them, 4 m apart: half the panels are in each.
  const std::vector<std::string> pair =
      with(one, {"bodies.b.hull=\"barge: 110 x 46 x 7.5 m\"", "bodies.b.draft=3.63 m", "bodies.b.kg=4.5 m",
                 "bodies.b.at=[0, 50 m]", "frequencies.list=[0.8]", "lid=false"});
  const hydro::Database coarse = solved(with(pair, {"most_panels=2000"}));
  const hydro::Database small = solved(with(pair, {"bodies.a.panel_size=2 m", "bodies.b.panel_size=2 m"}));
  for (const int i : {0, 1, 2, 3, 4, 5})
    check.relative("two barges 110 x 46 m side by side, 4 m apart, panels as chosen",
                   fmt::format("added mass in {} at 0.8 rad/s, of that with smaller panels", motion_names[i]), "", 1,
                   finer, coarse.added_mass[0](i, i) / small.added_mass[0](i, i), 0.02);
}

// A barge as a user asks for it, and what must be true of any database.
void barge_identities(Checker& check) {
  const hydro::Database db =
      solved({"bodies.barge.hull=\"barge: 36 x 24 x 6 m\"", "bodies.barge.draft=3 m", "bodies.barge.kg=4 m",
              "frequencies.to=2.4", "frequencies.count=40", "heading_step=5 deg", "bodies.barge.panel_size=1 m"});
  const std::string name = "barge 36 x 24 m, draft 3 m";

  const hydro::FloatingBody& body = db.bodies[0];
  constexpr const char* box = "exact: a box";
  const double weight = 1025 * 9.80665 * 36 * 24 * 3;
  check.relative(name, "displaced volume", "m³", 2592, box, body.volume, 1e-12);
  check.relative(name, "restoring in heave", "N/m", 1025 * 9.80665 * 36 * 24, box, body.restoring(2, 2), 1e-12);
  check.relative(name, "restoring in roll", "N m", weight * (24.0 * 24 / (12 * 3) - 1.5 - 1), box, body.restoring(3, 3),
                 1e-12);
  check.relative(name, "restoring in pitch", "N m", weight * (36.0 * 36 / (12 * 3) - 1.5 - 1), box,
                 body.restoring(4, 4), 1e-12);

  double asymmetry = 0, energy = 0, haskind = 0, causality = 0;
  for (size_t f = 0; f < db.frequencies.size(); ++f)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j) {
        const double scale = std::sqrt(db.added_mass[f](i, i) * db.added_mass[f](j, j));
        asymmetry = std::max({asymmetry, std::abs(db.added_mass[f](i, j) - db.added_mass[f](j, i)) / scale,
                              std::abs(db.damping[f](i, j) - db.damping[f](j, i)) / (scale * db.frequencies[f])});
      }
  for (int i = 0; i < 6; ++i) {
    double largest_damping = 0, largest_force = 0, widest = 0;
    for (size_t f = 0; f < db.frequencies.size(); ++f) {
      largest_damping = std::max(largest_damping, db.damping[f](i, i));
      widest = std::max(widest, std::abs(db.added_mass[f](i, i) - (*db.added_mass_infinite)(i, i)));
    }
    for (const auto& x : db.excitation) largest_force = std::max(largest_force, x.row(i).cwiseAbs().maxCoeff());
    for (size_t h = 0; h < db.headings.size(); ++h)
      haskind = std::max(
          haskind, (db.excitation[h].row(i) - db.excitation_haskind[h].row(i)).cwiseAbs().maxCoeff() / largest_force);
    hydro::Database round = db;
    hydro::expand_headings(round);
    const hydro::Damping damping(db.frequencies, hydro::entry(db.damping, i, i));
    for (size_t f = 0; f < db.frequencies.size(); ++f) {
      if (db.frequencies[f] < 1.9)  // waves of 17 panels or more
        energy =
            std::max(energy, std::abs(hydro::haskind_damping(round, i, f) - db.damping[f](i, i)) / largest_damping);
      if (db.frequencies[f] < 2.2)  // close to the end the part beyond it is not known well
        causality = std::max(causality, std::abs(damping.added_mass_change(db.frequencies[f]) -
                                                 (db.added_mass[f](i, i) - (*db.added_mass_infinite)(i, i))) /
                                            widest);
    }
  }
  check.at_most(name, "asymmetry of added mass and damping, of the diagonal", "", "invariant: Green's theorem",
                asymmetry, 0.02);
  check.at_most(name, "diffraction and Haskind, of the largest force", "", "invariant: Haskind (1957)", haskind, 0.02);
  check.at_most(name, "damping and energy radiated, waves of 17 panels and more, of the largest damping", "",
                "invariant: Newman (1962)", energy, 0.02);
  check.at_most(name, "added mass from damping, of its range", "", "invariant: Kramers-Kronig, Ogilvie (1964)",
                causality, 0.03);
  const size_t h0 = 0;
  check.relative(name, "heave force in the longest wave, of C33", "", 1, "exact: hydrostatics",
                 std::abs(db.excitation[h0](2, 0)) / body.restoring(2, 2), 0.02);
  check.relative(name, "added mass in heave at the lowest frequency, of its limit", "", 1, "exact: limit ω → 0",
                 db.added_mass[0](2, 2) / (*db.added_mass_zero)(2, 2), 0.03);
}

}  // namespace

void hydro_solver(Checker& check) {
  hemisphere(check);
  sphere_of_the_task(check);
  barge_identities(check);
  default_panels(check);
}

namespace {

// The tanker of the MSS: its mesh solved by us, at the periods of WAMIT whose waves the mesh resolves.
void tanker(Checker& check, const std::filesystem::path& folder) {
  const hydro::Database wamit = hydro::open_database(folder / "tanker");
  const hull::PanelMesh mesh = hull::cut_at_waterplane(hull::read_hull(folder / "tanker.gdf"));
  std::vector<double> sides;
  for (const auto& panel : hull::panel_geometries(mesh)) sides.push_back(panel.longest_side);
  std::sort(sides.begin(), sides.end());
  // Nine tenths of the panels are smaller than a sixth of the wave.
  const double shortest = 6 * sides[sides.size() * 9 / 10];
  const panel::WettedBody body{"tanker", mesh, hull::lid(mesh, sides[sides.size() / 2])};
  const panel::LinearFlow flow(panel::Surface({body}), {wamit.density, wamit.gravity}, wamit.headings);
  panel::FlowScratch scratch;

  struct Curve {
    double largest = 0, worst = 0;
    void see(double reference, double error) {
      largest = std::max(largest, std::abs(reference));
      worst = std::max(worst, std::abs(error));
    }
  };
  std::array<Curve, 36> added_mass, damping;
  std::array<Curve, 6> force;
  int periods = 0;
  for (size_t f = 0; f < wamit.frequencies.size(); ++f) {
    const double frequency = wamit.frequencies[f];
    if (2 * pi * wamit.gravity / (frequency * frequency) < shortest) continue;
    ++periods;
    // Ours is about the origin, as WAMIT's.
    const panel::FrequencyResult ours = flow.solve(frequency, false, scratch);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        const double a = wamit.added_mass[f](i, j), b = wamit.damping[f](i, j);
        added_mass[static_cast<size_t>(6 * i + j)].see(a, ours.added_mass(i, j) - a);
        damping[static_cast<size_t>(6 * i + j)].see(b, ours.damping(i, j) - b);
      }
      for (size_t h = 0; h < wamit.headings.size(); ++h) {
        const auto x = wamit.excitation[h](i, static_cast<Eigen::Index>(f));
        force[static_cast<size_t>(i)].see(std::abs(x), std::abs(ours.excitation(i, static_cast<Eigen::Index>(h)) - x));
      }
    }
  }
  const std::string name = fmt::format("tanker, 2375 panels a half, {} periods", periods);
  constexpr const char* source = "oracle: WAMIT, tanker of the MSS";
  for (int i = 0; i < 6; ++i) {
    const auto row = [&](const std::string& what, const Curve& curve) {
      check.at_most(name, what + ", of the largest", "", source, curve.worst / curve.largest, 0.02);
    };
    row(fmt::format("added mass in {}", motion_names[i]), added_mass[static_cast<size_t>(7 * i)]);
    row(fmt::format("damping in {}", motion_names[i]), damping[static_cast<size_t>(7 * i)]);
    row(fmt::format("force in {}, amplitude and phase", motion_names[i]), force[static_cast<size_t>(i)]);
  }
  for (const auto& pair : {std::pair{0, 4}, {1, 3}, {1, 5}, {2, 4}, {3, 5}}) {
    const int i = pair.first, j = pair.second;
    const auto row = [&](const char* what, const std::array<Curve, 36>& curves) {
      const Curve& curve = curves[static_cast<size_t>(6 * i + j)];
      check.at_most(name, fmt::format("{} {}-{}, of the largest", what, motion_names[i], motion_names[j]), "", source,
                    curve.worst / curve.largest, 0.02);
    };
    row("added mass", added_mass);
    row("damping", damping);
  }
  const double limit_error = (flow.added_mass_infinite() - *wamit.added_mass_infinite)
                                 .diagonal()
                                 .cwiseQuotient(wamit.added_mass_infinite->diagonal())
                                 .cwiseAbs()
                                 .maxCoeff();
  check.at_most(name, "added mass as ω → ∞, relative", "", source, limit_error, 0.02);
}

// The sphere against three programs: no further from the nearest of them than they are from each other.
void sphere_by_three_programs(Checker& check, const std::filesystem::path& folder) {
  hydro::ReadOptions fresh, about;
  fresh.density = 1000;
  about.about = Vec3(0, 0, -2);
  const hydro::Database programs[] = {hydro::open_database(folder / "wamit_sphere", fresh),
                                      hydro::open_database(folder / "nemoh"),
                                      hydro::open_database(folder / "capytaine_sphere.nc", about)};
  const panel::LinearFlow flow(panel::Surface({sphere(5, 0.3)}), {1000, 9.81, 50}, {0});
  panel::FlowScratch scratch;
  const auto index = [](const hydro::Database& d, double w) {
    const auto at = std::min_element(d.frequencies.begin(), d.frequencies.end(),
                                     [&](double a, double b) { return std::abs(a - w) < std::abs(b - w); });
    return static_cast<size_t>(at - d.frequencies.begin());
  };
  // Surge and heave: added mass, damping, force. Scatter of the three and our distance from the nearest, at the worst
  // frequency.
  struct Spread {
    double largest = 0, scatter = 0, distance = 0;
    void see(const std::array<std::complex<double>, 3>& theirs, std::complex<double> ours) {
      double nearest = std::numeric_limits<double>::infinity();
      for (int i = 0; i < 3; ++i) {
        const auto a = static_cast<size_t>(i);
        largest = std::max(largest, std::abs(theirs[a]));
        nearest = std::min(nearest, std::abs(theirs[a] - ours));
        for (size_t b = 0; b < a; ++b) scatter = std::max(scatter, std::abs(theirs[a] - theirs[b]));
      }
      distance = std::max(distance, nearest);
    }
  };
  std::array<Spread, 2> mass, damping, force;
  // Below the first irregular frequency, which not all of them remove.
  for (int step = 1; step <= 10; ++step) {
    const double w = 0.2 * step;
    const panel::FrequencyResult ours = flow.solve(w, false, scratch);
    for (size_t m = 0; m < 2; ++m) {
      const int motion = m == 0 ? 0 : 2;
      std::array<std::complex<double>, 3> a, b, x;
      for (size_t p = 0; p < 3; ++p) {
        const size_t f = index(programs[p], w);
        a[p] = programs[p].added_mass[f](motion, motion);
        b[p] = programs[p].damping[f](motion, motion);
        x[p] = programs[p].excitation[0](motion, static_cast<Eigen::Index>(f));
      }
      mass[m].see(a, ours.added_mass(motion, motion));
      damping[m].see(b, ours.damping(motion, motion));
      force[m].see(x, ours.excitation(motion, 0));
    }
  }
  const auto row = [&](const std::string& what, const Spread& spread) {
    check.at_most("sphere by WAMIT, NEMOH and Capytaine", what + ", distance from the nearest, of the largest", "",
                  "oracle: the scatter of the three", spread.distance / spread.largest,
                  spread.scatter / spread.largest);
  };
  for (size_t m = 0; m < 2; ++m) {
    const std::string motion = m == 0 ? "surge" : "heave";
    row("added mass in " + motion, mass[m]);
    row("damping in " + motion, damping[m]);
    row("force in " + motion, force[m]);
  }
}

}  // namespace

void hydro_solver_others(Checker& check) {
  if (const auto folder = third_party_data("oes-sphere")) sphere_by_three_programs(check, *folder);
  if (const auto folder = third_party_data("mss-tanker")) tanker(check, *folder);
}

}  // namespace davit::verify
