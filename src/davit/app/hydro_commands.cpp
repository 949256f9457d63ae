#include "davit/app/hydro_commands.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "davit/app/commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/inspect.hpp"
#include "davit/hydro/inspect_page.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/hydro/wamit_files.hpp"

namespace davit::app {
namespace {

using namespace hydro;

Database open(const DatabaseArguments& arguments) {
  ReadOptions options{
      .density = arguments.density, .gravity = arguments.gravity, .depth = arguments.depth, .about = std::nullopt};
  if (!arguments.about.empty()) options.about = Vec3(arguments.about[0], arguments.about[1], arguments.about[2]);
  Database database = open_database(arguments.path, options);
  if (arguments.highest) {
    cut_frequencies(database, *arguments.highest);
    if (database.frequencies.empty())
      throw DatabaseError(arguments.path, "no frequency is left", "give a higher limit with --highest");
  }
  return database;
}

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const DatabaseError& error) {
    complain("error: {}{}: {}\nremedy: {}\n", error.file, error.line > 0 ? fmt::format(", line {}", error.line) : "",
             error.message, error.remedy);
    return exit_bad_input;
  }
}

int inspect(const InspectArguments& arguments) {
  const Database database = open(arguments.source);
  const auto findings = hydro::inspect(database);
  say("{}: {}, {} frequencies, {} headings\n", database.title, database.source, database.frequencies.size(),
      database.headings.size());
  for (const std::string& note : database.notes) say("assumed: {}\n", note);
  for (const Finding& finding : findings) {
    say("{}: {}: {}\n", name_of(finding.severity), finding.subject, finding.measured);
    if (!finding.effect.empty()) say("    effect: {}\n", finding.effect);
    if (!finding.remedy.empty()) say("    remedy: {}\n", finding.remedy);
  }
  for (const NaturalPeriod& each : natural_periods(database))
    say("natural period in {}: {:.2f} s, {:.1f} % of critical damping by waves\n", mode_name(database, each.mode),
        each.period, 100 * each.damping);
  if (!arguments.page.empty()) {
    write_inspect_page(database, findings, arguments.page);
    complain("{}: written\n", arguments.page);
  }
  return worst(findings) == Severity::error ? exit_limit : exit_ok;
}

int convert(const ConvertArguments& arguments) {
  namespace fs = std::filesystem;
  const fs::path out = arguments.out;
  if (!arguments.wamit && out.extension() != ".h5")
    throw DatabaseError(arguments.out, "its ending is not .h5",
                        "name a file that ends in .h5, or say --wamit for a stem");
  Database database = open(arguments.source);
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
  complain("{}{}: written\n", arguments.out, arguments.wamit ? ".1, .hst, …" : "");
  return exit_ok;
}

}  // namespace

int inspect_command(const InspectArguments& arguments) {
  return guarded([&] { return inspect(arguments); });
}

int convert_command(const ConvertArguments& arguments) {
  return guarded([&] { return convert(arguments); });
}

}  // namespace davit::app
