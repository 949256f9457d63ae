// `davit statics`: the lift at rest phase by phase; of vessels their mooring lines, stiffness and restoring curve.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "davit/app/commands.hpp"
#include "davit/app/rigging_output.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/io/csv_cell.hpp"
#include "davit/io/write_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/statics/statics.hpp"

namespace davit::app {

namespace {

constexpr double degrees = 180 / pi;
const char* const motions[] = {"surge", "sway", "heave", "roll", "pitch", "yaw"};

void print_lines(const std::vector<LineAtRest>& lines) {
  if (lines.empty()) return;
  Table table({"line", "tension kN", "angle deg", "anchor kN", "uplift deg", "grounded m", "safety"});
  for (const LineAtRest& l : lines)
    table.add({l.name, number(l.tension / 1e3), number(l.angle * degrees), number(l.anchor_tension / 1e3),
               number(l.uplift * degrees), number(l.grounded), l.safety_factor > 0 ? number(l.safety_factor) : "-"});
  say("\n{}", table.text(1));
}

void print_stiffness(const Statics& s) {
  say("\n  stiffness of '{}' in its own axes (N, N m per m, rad)\n", s.vessel);
  std::vector<std::string> header{""};
  header.insert(header.end(), std::begin(motions), std::end(motions));
  Table table(header);
  // What is next to nothing beside the diagonal is round-off.
  for (int i = 0; i < 6; ++i) {
    std::vector<std::string> row{motions[i]};
    for (int j = 0; j < 6; ++j) {
      const double k = s.stiffness(i, j), scale = std::sqrt(std::abs(s.stiffness(i, i) * s.stiffness(j, j)));
      row.push_back(std::abs(k) < 1e-9 * scale ? "0" : number(k));
    }
    table.add(row);
  }
  say("{}", table.text(1));
}

void print_curve(const RestoringCurve& curve) {
  if (curve.points.empty()) return;
  say("\n  '{}' held off its place towards {} deg\n", curve.vessel, number(curve.heading * degrees));
  std::vector<std::string> header{"offset m", "force kN", "across kN", "moment kN m"};
  const auto full = std::find_if(curve.points.begin(), curve.points.end(), [](const auto& p) { return p.found; });
  if (full != curve.points.end())
    for (const LineAtRest& l : full->lines) header.push_back(l.name + " kN");
  Table table(header);
  double largest = 0;
  for (const RestoringPoint& p : curve.points) largest = std::max({largest, std::abs(p.along), std::abs(p.across)});
  for (const RestoringPoint& p : curve.points) {
    std::vector<std::string> row{number(p.offset)};
    if (p.found) {
      for (const double value : {p.along, p.across, p.moment})
        row.push_back(std::abs(value) < 1e-9 * largest ? "0" : number(value / 1e3));
      for (const LineAtRest& l : p.lines) row.push_back(number(l.tension / 1e3));
    } else {
      row.resize(header.size(), "-");
    }
    table.add(row);
  }
  say("{}", table.text(0));
}

std::string csv_of(const RestoringCurve& curve) {
  std::string out = "offset_m,force_along_N,force_across_N,moment_Nm";
  const auto full = std::find_if(curve.points.begin(), curve.points.end(), [](const auto& p) { return p.found; });
  if (full != curve.points.end())
    for (const LineAtRest& l : full->lines) out += "," + io::csv_cell(l.name + "_tension_N");
  out += "\n";
  for (const RestoringPoint& p : curve.points) {
    if (!p.found) continue;
    out += fmt::format("{},{},{},{}", p.offset, p.along, p.across, p.moment);
    for (const LineAtRest& l : p.lines) out += fmt::format(",{}", l.tension);
    out += "\n";
  }
  return out;
}

nlohmann::json json_of(const std::vector<LineAtRest>& lines) {
  nlohmann::json out = nlohmann::json::array();
  for (const LineAtRest& l : lines)
    out.push_back({{"name", l.name},
                   {"tension_N", l.tension},
                   {"anchor_tension_N", l.anchor_tension},
                   {"fairlead_angle_rad", l.angle},
                   {"uplift_angle_rad", l.uplift},
                   {"grounded_length_m", l.grounded},
                   {"safety_factor", l.safety_factor > 0 ? nlohmann::json(l.safety_factor) : nlohmann::json()}});
  return out;
}

nlohmann::json json_of(const Statics& s) {
  nlohmann::json out = {{"vessel", s.vessel},
                        {"stable", s.equilibrium.stable},
                        {"place_m", {s.place.x(), s.place.y(), s.place.z()}},
                        {"roll_pitch_yaw_rad", {s.turn.x(), s.turn.y(), s.turn.z()}},
                        {"lines", json_of(s.lines)}};
  for (int i = 0; i < 6; ++i) {
    std::vector<double> row(6);
    for (int j = 0; j < 6; ++j) row[static_cast<size_t>(j)] = s.stiffness(i, j);
    out["stiffness"].push_back(row);
  }
  nlohmann::json points = nlohmann::json::array();
  for (const RestoringPoint& p : s.curve.points)
    if (p.found)
      points.push_back({{"offset_m", p.offset},
                        {"force_along_N", p.along},
                        {"force_across_N", p.across},
                        {"moment_Nm", p.moment},
                        {"lines", json_of(p.lines)}});
  out["restoring"] = {{"heading_rad", s.curve.heading}, {"points", points}};
  return out;
}

bool write(const std::string& path, const std::string& text) {
  if (path.empty()) return true;
  try {
    io::write_file(path, text);
    return true;
  } catch (const io::FileError& error) {
    complain("error: {}: {}\nremedy: {}\n", path, error.message, error.remedy);
    return false;
  }
}

// Metres and radians: what is less is round-off.
std::string place(double x, double scale = 1) { return number(std::abs(x) < 1e-9 ? 0 : x * scale); }

void print(const Statics& s) {
  say("\n  '{}' at x {} m, y {} m, z {} m; roll {}, pitch {}, yaw {} deg at the start\n", s.vessel, place(s.place.x()),
      place(s.place.y()), place(s.place.z()), place(s.turn.x(), degrees), place(s.turn.y(), degrees),
      place(s.turn.z(), degrees));
  print_lines(s.lines);
  print_stiffness(s);
  print_curve(s.curve);
}

// Mooring, stiffness and the restoring curve are of vessels, or of what was asked for.
bool wants_vessel(const SystemStaticsArguments& arguments, const Scenario& scenario) {
  return !scenario.forms.empty() || !arguments.vessel.empty() || arguments.reach > 0 ||
         has_mooring_lines(*scenario.model);
}

// Says what is looked for once that takes long, and when to stop looking.
class Patience {
 public:
  explicit Patience(double seconds) : seconds_(seconds) {}
  bool over() const { return gone() > seconds_; }
  RestWatch watch() const {
    constexpr double quick = 2;  // s
    return {[this](const std::string& phase) {
              if (gone() > quick)
                complain("looking for the rest {} ({:.0f} s)\n",
                         phase.empty() ? "at the start" : "after '" + phase + "'", gone());
            },
            [this] { return !over(); }};
  }

 private:
  double gone() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }
  double seconds_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

int system_statics_command(const SystemStaticsArguments& arguments) {
  input::Problems problems;
  const auto scenario = load(arguments, problems, arguments.no_solve);
  complain("{}", problems.to_text());
  if (!scenario) return exit_bad_input;
  StaticsSettings settings;
  settings.vessel = arguments.vessel;
  settings.heading = arguments.heading / degrees;
  settings.reach = arguments.reach;
  settings.points = arguments.points;
  System system(*scenario->model);
  const Patience patience(arguments.patience);
  std::vector<LiftAtRest> lifts = find_lifts_at_rest(*scenario, system, patience.watch());
  for (LiftAtRest& lift : lifts) {
    if (patience.over()) break;
    vary_rigging_of(lift, *scenario, system);
  }
  if (patience.over())
    complain("warning: {:g} s were not enough for all of it\nremedy: give it more: --patience {:g}\n",
             arguments.patience, 10 * arguments.patience);
  std::optional<Statics> of_vessel;
  try {
    if (wants_vessel(arguments, *scenario)) of_vessel = find_statics(*scenario, settings, lifts.front().equilibrium);
  } catch (const std::invalid_argument& mistake) {
    complain("error: {}\nremedy: give a vessel of the scenario: --vessel NAME\n", mistake.what());
    return exit_bad_input;
  }
  say("{}\n", arguments.file);
  for (const auto& hull : scenario->unsolved_hulls)
    say("  '{}' is without the added mass of its hull: no natural periods, and position keeping by its period is "
        "softer than it will be\n",
        hull.vessel);
  print_lifts(lifts, scenario->specification.run.units);
  if (of_vessel && of_vessel->equilibrium.converged) print(*of_vessel);
  nlohmann::json everything = {{"lifts", json_of(lifts)}};
  if (of_vessel && of_vessel->equilibrium.converged) everything.update(json_of(*of_vessel));
  const bool curve = arguments.reach > 0 && of_vessel;
  if (!write(arguments.csv, curve ? csv_of(of_vessel->curve) : csv_of(lifts)) ||
      !write(arguments.json, everything.dump(2) + "\n"))
    return exit_broken;
  if (lifts.front().equilibrium.converged) return exit_ok;
  complain("error: {}\nremedy: begin nearer to where it will rest, or hold what drifts\n",
           lifts.front().equilibrium.why);
  return exit_broken;
}

}  // namespace davit::app
