// davit hydro solve and davit hydro statics: from a hull to its hydrodynamics and hydrostatics.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "davit/app/commands.hpp"
#include "davit/app/hydro_commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/hull/floating_equilibrium.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/inspect.hpp"
#include "davit/hydro/inspect_page.hpp"
#include "davit/input/overlay.hpp"
#include "davit/io/write_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/panel/solution_cache.hpp"
#include "davit/panel/solve_job.hpp"

namespace davit::app {
namespace {

std::optional<panel::JobSpec> read(const HullArguments& asked, input::Problems& problems) {
  std::optional<input::Node> root;
  if (asked.hull.ends_with(".yaml") || asked.hull.ends_with(".yml")) {
    root = input::load_with_base(asked.hull, problems);
    if (!root) return std::nullopt;
    for (const auto& [key, text] : asked.values)
      if (!text.empty() && key.starts_with("bodies."))
        problems.error({asked.hull, 0, 0, ""}, "a job says itself what its hulls are", "change the file, or use --set");
  } else {
    root = input::map_node();
    input::apply_setting(*root, fmt::format("bodies.hull.hull=\"{}\"", asked.hull), problems);
    input::apply_setting(*root, fmt::format("title=\"{}\"", asked.hull), problems);
  }
  for (const auto& [key, text] : asked.values)
    if (!text.empty()) input::apply_setting(*root, key + "=" + text, problems);
  for (const std::string& setting : asked.settings) input::apply_setting(*root, setting, problems);
  if (problems.has_errors()) return std::nullopt;
  auto job = input::read<panel::JobSpec>(*root, problems);
  if (problems.has_errors()) return std::nullopt;
  return job;
}

// Without the dust of round-off, and no minus before zero.
double shown(double x) { return std::abs(x) < 1e-9 ? 0 : x; }

void show(const panel::FloatingHull& hull) {
  const hydro::MassProperties& loading = *hull.body.loading;
  const hull::MetacentricHeights gm = hull::metacentric_heights(hull.statics, loading.centre);
  const hull::Hydrostatics& s = hull.statics;
  const std::string size =
      s.waterline_length > 0
          ? fmt::format("{:.4g} x {:.4g} m at the water, draft {:.4g} m", s.waterline_length, s.waterline_beam, s.draft)
          : fmt::format("{:.4g} x {:.4g} m wholly under water, down to {:.4g} m", s.length, s.beam, s.draft);
  say("{}: {}, {:.6g} t, GM {:.3g} m\n", hull.wetted.name, size, loading.mass / 1000, gm.transverse);
  for (const std::string& note : hull.notes) say("  {}\n", note);
}

// What is wrong, without a place for what came from the command line: it has no file and line.
void tell(const input::Problems& problems) {
  for (const input::Problem& problem : problems.all()) {
    const bool in_file = problem.where.file != input::command_line;
    complain("{}{}: {}\n    remedy: {}\n",
             in_file ? fmt::format("{}:{}: ", problem.where.file, problem.where.line) : "",
             problem.severity == input::Problem::error ? "error" : "warning", problem.message, problem.remedy);
  }
}

int refuse(const input::Problems& problems) {
  tell(problems);
  return exit_bad_input;
}

// One line that changes on a terminal, a line every ten seconds elsewhere.
class SolveProgress {
 public:
  void operator()(const panel::JobProgress& progress) {
    if (!terminal_ && progress.seconds < last_ + 10 && progress.done < progress.total) return;
    last_ = progress.seconds;
    const double left = progress.seconds * (progress.total - progress.done) / progress.done;
    fmt::print(stderr, "{}{} of {} solved, {} left    {}", terminal_ ? "\r" : "", progress.done, progress.total,
               duration(left), terminal_ && progress.done < progress.total ? "" : "\n");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  double last_ = 0;
};

// With smaller panels again as long as it is not accurate and they can be made smaller.
hydro::Database solve(const panel::JobSpec& job, panel::JobPlan plan, int threads, panel::Accuracy& accuracy) {
  while (true) {
    SolveProgress progress;
    hydro::Database database = panel::run_job(
        plan, [&](const panel::JobProgress& p) { progress(p); }, &accuracy);
    if (accuracy.good()) return database;
    auto finer = panel::refined(job, plan, threads);
    if (!finer) return database;
    say("{} panels are too few: forces found in two ways differ by {:.2g} %, damping by {:.2g} % of the largest; again "
        "with {}\n",
        plan.panels, 100 * accuracy.force, 100 * accuracy.damping, finer->panels);
    plan = *std::move(finer);
  }
}

}  // namespace

int solve_command(const SolveArguments& arguments) {
  namespace fs = std::filesystem;
  const std::string page =
      arguments.page.empty() ? fs::path(arguments.out).replace_extension(".html").string() : arguments.page;
  if (fs::path(arguments.out).extension() != ".h5") {
    complain("error: {}: its ending is not .h5\nremedy: name a file that ends in .h5\n", arguments.out);
    return exit_bad_input;
  }
  input::Problems problems;
  const auto job = read(arguments.hull, problems);
  if (!job) return refuse(problems);
  auto plan = panel::plan_job(*job, arguments.threads, problems);
  if (!plan) return refuse(problems);
  tell(problems);
  for (const panel::FloatingHull& hull : plan->hulls) show(hull);
  say("{} panels{}{}; {} frequencies from {:.3g} to {:.3g} rad/s, {}\n", plan->panels,
      plan->images > 1 ? fmt::format(" ({} images by symmetry)", plan->images) : "",
      plan->lid_panels > 0 ? fmt::format(" and {} on the lid", plan->lid_panels) : "", plan->frequencies.size(),
      plan->frequencies.front(), plan->frequencies.back(), counted(plan->headings.size(), "heading"));
  say("needs {:.2g} GB of memory with {}\n", plan->bytes / 1e9, counted(static_cast<size_t>(plan->threads), "thread"));
  if (arguments.plan_only) return exit_ok;
  // Before hours of work that nobody could keep.
  for (const std::string& place : {arguments.out, page}) try {
      io::check_writable(place);
    } catch (const io::FileError& error) {
      complain("error: {}: {}\nremedy: {}\n", place, error.message, error.remedy);
      return exit_bad_input;
    }
  std::fflush(stdout);

  std::optional<hydro::Database> database;
  bool accurate = true;
  if (!arguments.fresh) database = panel::find_in_cache(*job);
  if (database) {
    say("this was solved before: taken from the cache (--fresh solves again)\n");
  } else {
    panel::Accuracy accuracy;
    database = solve(*job, *std::move(plan), arguments.threads, accuracy);
    accurate = accuracy.good();
    if (accurate)
      panel::keep_in_cache(*job, *database);
    else
      complain(
          "error: the panels are too coarse: forces found in two ways differ by {:.2g} %, damping by {:.2g} % of "
          "the largest, and {:g} and {:g} % are allowed\n    remedy: give a smaller panel_size, more panels "
          "(most_panels), a "
          "finer mesh, or a lower highest frequency\n",
          100 * accuracy.force, 100 * accuracy.damping, 100 * panel::Accuracy::wanted_force,
          100 * panel::Accuracy::wanted_damping);
  }
  const auto findings = hydro::inspect(*database);
  for (const hydro::Finding& finding : findings)
    if (finding.severity >= hydro::Severity::warning)
      say("{}: {}: {}\n    effect: {}\n    remedy: {}\n", hydro::name_of(finding.severity), finding.subject,
          finding.measured, finding.effect, finding.remedy);
  try {
    hydro::write_database(*database, arguments.out);
    hydro::write_inspect_page(*database, findings, page);
  } catch (const hydro::DatabaseError& error) {
    complain("error: {}: {}\nremedy: {}\n", error.file, error.message, error.remedy);
    return exit_bad_input;
  }
  say("wrote {} and its inspection {}\n", arguments.out, page);
  return hydro::worst(findings) == hydro::Severity::error || !accurate ? exit_limit : exit_ok;
}

int statics_command(const StaticsArguments& arguments) {
  input::Problems problems;
  auto job = read(arguments.hull, problems);
  if (!job) return refuse(problems);
  // No waves: panels as fine as a sixtieth of the hull.
  for (auto& [name, spec] : job->bodies)
    if (!spec.panel_size)
      if (const auto length = panel::length_of(spec, problems)) spec.panel_size = *length / 60;
  if (problems.has_errors()) return refuse(problems);
  for (const auto& [name, spec] : job->bodies) {
    const auto hull = panel::prepare_hull(name, spec, job->water, {0, false, 20000}, problems);
    if (!hull) continue;
    show(*hull);
    const hull::Hydrostatics& s = hull->statics;
    const hydro::MassProperties& loading = *hull->body.loading;
    const hull::MetacentricHeights gm = hull::metacentric_heights(s, loading.centre);
    Table table({"quantity", "value", "unit"});
    const auto row = [&](const std::string& what, const std::string& value, const std::string& unit) {
      table.add({what, value, unit});
    };
    const auto point = [](const Vec3& p) {
      return fmt::format("{:.4g}, {:.4g}, {:.4g}", shown(p.x()), shown(p.y()), shown(p.z()));
    };
    row("displacement", fmt::format("{:.6g}", s.volume * job->water.density / 1000), "t");
    row("displaced volume", fmt::format("{:.6g}", s.volume), "m³");
    row("centre of buoyancy (z from the water)", point(s.buoyancy), "m");
    row("centre of gravity (z from the water)", point(loading.centre), "m");
    row("wetted surface", fmt::format("{:.6g}", s.wetted_surface), "m²");
    row("waterplane", fmt::format("{:.6g}", s.waterplane), "m²");
    row("centre of the waterplane", fmt::format("{:.4g}, {:.4g}", shown(s.flotation.x()), shown(s.flotation.y())), "m");
    row("GM in roll", fmt::format("{:.4g}", gm.transverse), "m");
    row("GM in pitch", fmt::format("{:.4g}", gm.longitudinal), "m");
    row("TPC, tonnes per cm immersion", fmt::format("{:.4g}", s.waterplane * job->water.density * 0.01 / 1000), "t/cm");
    if (s.waterline_length > 0)
      row("MCT 1 cm, moment to change trim by 1 cm over the waterline",
          fmt::format("{:.4g}", loading.mass * gm.longitudinal * 0.01 / s.waterline_length / 1000), "t m/cm");
    const Mat6 c = hull->body.restoring;
    row("restoring in heave, C33", fmt::format("{:.5g}", c(2, 2)), "N/m");
    row("restoring in roll, C44", fmt::format("{:.5g}", c(3, 3)), "N m/rad");
    row("restoring in pitch, C55", fmt::format("{:.5g}", c(4, 4)), "N m/rad");
    say("{}", table.text(9));
    if (arguments.righting_arms) {
      const auto whole = panel::whole_hull(spec, problems);
      if (!whole) continue;
      // The centre of gravity in the axes of the hull itself.
      const hull::Weight weight{loading.mass, hull->pose.inverse() * loading.centre + Vec3(0, 0, whole->lowest)};
      const hull::RightingCurve curve =
          hull::gz_curve(whole->mesh, weight, {job->water.density, job->water.gravity}, 5 * degree, 90 * degree);
      Table arms({"heel", "GZ", "trim", "work", ""});
      for (const hull::RightingArm& arm : curve.arms)
        arms.add({fmt::format("{:.0f} deg", arm.heel / degree), fmt::format("{:.4f} m", arm.arm),
                  fmt::format("{:.2f} deg", std::abs(arm.trim) < 1e-6 ? 0 : arm.trim / degree),
                  fmt::format("{:.4f} m rad", arm.work), arm.deck_wet ? "deck edge under water" : ""});
      say("{}largest arm {:.4g} m at {:.0f} deg; {}\n", arms.text(1), curve.largest.arm, curve.largest.heel / degree,
          curve.vanishing ? fmt::format("stability vanishes at {:.1f} deg", curve.vanishing->heel / degree)
                          : "it does not vanish up to 90 deg");
    }
  }
  tell(problems);
  return problems.has_errors() ? exit_bad_input : exit_ok;
}

}  // namespace davit::app
