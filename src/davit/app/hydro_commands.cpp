#include "davit/app/hydro_commands.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "davit/app/commands.hpp"
#include "davit/app/hydro_solve.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/error.hpp"
#include "davit/hydro/inspect.hpp"
#include "davit/hydro/inspect_page.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/hydro/wamit_files.hpp"

namespace davit::app {
namespace {

using namespace hydro;

// What both commands take: a database and what its file does not say.
struct Source {
  std::string path;
  std::optional<double> density, gravity, depth, highest;
  std::vector<double> about;

  void add_to(CLI::App& app) {
    app.add_option("DB", path,
                   "Davit's .h5, Capytaine's .nc, .mat of MSS, stem of a WAMIT run or folder of a NEMOH run")
        ->required();
    app.add_option("--density", density, "of the water, kg/m³, where the files do not say it")
        ->check(CLI::PositiveNumber);
    app.add_option("--gravity", gravity, "m/s², where the files do not say it")->check(CLI::PositiveNumber);
    app.add_option("--depth", depth, "of the water, m, where the files do not say it")->check(CLI::PositiveNumber);
    app.add_option("--about", about, "x,y,z: the point that rotations in a Capytaine file are about")
        ->delimiter(',')
        ->expected(3);
    app.add_option("--highest", highest, "leave out frequencies above this, rad/s")->check(CLI::PositiveNumber);
  }

  Database open() const {
    ReadOptions options{.density = density, .gravity = gravity, .depth = depth, .about = std::nullopt};
    if (!about.empty()) options.about = Vec3(about[0], about[1], about[2]);
    Database database = open_database(path, options);
    if (highest) {
      cut_frequencies(database, *highest);
      if (database.frequencies.empty())
        throw DatabaseError(path, "no frequency is left", "give a higher limit with --highest");
    }
    return database;
  }
};

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const DatabaseError& error) {
    fmt::print(stderr, "error: {}{}: {}\nremedy: {}\n", error.file,
               error.line > 0 ? fmt::format(", line {}", error.line) : "", error.message, error.remedy);
    return exit_bad_input;
  }
}

struct InspectArguments {
  Source source;
  std::string page;
};

int inspect_command(const InspectArguments& arguments) {
  const Database database = arguments.source.open();
  const auto findings = inspect(database);
  fmt::print("{}: {}, {} frequencies, {} headings\n", database.title, database.source, database.frequencies.size(),
             database.headings.size());
  for (const std::string& note : database.notes) fmt::print("assumed: {}\n", note);
  for (const Finding& finding : findings) {
    fmt::print("{}: {}: {}\n", name_of(finding.severity), finding.subject, finding.measured);
    if (!finding.effect.empty()) fmt::print("    effect: {}\n", finding.effect);
    if (!finding.remedy.empty()) fmt::print("    remedy: {}\n", finding.remedy);
  }
  for (const NaturalPeriod& each : natural_periods(database))
    fmt::print("natural period in {}: {:.2f} s, {:.1f} % of critical damping by waves\n",
               mode_name(database, each.mode), each.period, 100 * each.damping);
  if (!arguments.page.empty()) {
    write_inspect_page(database, findings, arguments.page);
    fmt::print(stderr, "{}: written\n", arguments.page);
  }
  return worst(findings) == Severity::error ? exit_limit : exit_ok;
}

struct ConvertArguments {
  Source source;
  std::string out;
  bool wamit = false;
  std::vector<double> reference;
};

int convert_command(const ConvertArguments& arguments) {
  namespace fs = std::filesystem;
  const fs::path out = arguments.out;
  if (!arguments.wamit && out.extension() != ".h5")
    throw DatabaseError(arguments.out, "its ending is not .h5",
                        "name a file that ends in .h5, or say --wamit for a stem");
  Database database = arguments.source.open();
  if (!arguments.reference.empty()) {
    const Vec3 point(arguments.reference[0], arguments.reference[1], arguments.reference[2]);
    if (database.bodies.size() > 1)
      throw DatabaseError(arguments.source.path, "there are several bodies", "--reference moves that of a single body");
    move_reference(database, 0, point);
  }
  if (arguments.wamit) {
    std::error_code ignored;
    if (fs::equivalent(arguments.source.path + ".1", arguments.out + ".1", ignored))
      throw DatabaseError(arguments.out, "this is the run itself", "give it another name");
    write_wamit(database, out);
  } else {
    write_database(database, out);
  }
  fmt::print(stderr, "{}{}: written\n", arguments.out, arguments.wamit ? ".1, .hst, …" : "");
  return exit_ok;
}

}  // namespace

void add_hydro_commands(CLI::App& program, int& code) {
  auto* hydro = program.add_subcommand("hydro", "hydrodynamics of hulls: solve, inspect, convert");
  hydro->require_subcommand(1);
  add_hydro_solve(*hydro, code);

  auto inspection = std::make_shared<InspectArguments>();
  auto* inspect_app = hydro->add_subcommand("inspect", "say what is wrong with a database and what that does to a run");
  inspection->source.add_to(*inspect_app);
  inspect_app->add_option("-o,--output", inspection->page, "also write a page with the curves (.html)");
  inspect_app->callback([&code, inspection] { code = guarded([&] { return inspect_command(*inspection); }); });

  auto conversion = std::make_shared<ConvertArguments>();
  auto* convert_app = hydro->add_subcommand("convert", "write a database as Davit's .h5 or as WAMIT files");
  conversion->source.add_to(*convert_app);
  convert_app->add_option("OUT", conversion->out, "file that ends in .h5, or a stem with --wamit")->required();
  convert_app->add_flag("--wamit", conversion->wamit,
                        "write OUT.1, .3, .hst, .8 and the inputs that carry their units");
  convert_app->add_option("--reference", conversion->reference, "x,y,z: move the reference point there first")
      ->delimiter(',')
      ->expected(3);
  convert_app->callback([&code, conversion] { code = guarded([&] { return convert_command(*conversion); }); });
}

}  // namespace davit::app
