// davit hydro …: its options.
#include "davit/app/options.hpp"

namespace davit::app {

namespace {

void add_value(CLI::App& app, HullArguments& to, const std::string& option, const std::string& key,
               const std::string& help) {
  to.values.emplace_back(key, "");
  app.add_option(option, to.values.back().second, help);
}

void add_hull(CLI::App& app, HullArguments& to) {
  app.add_option("HULL", to.hull,
                 "a shape such as 'barge: 110 x 46 x 7.5 m', a mesh (GDF, NEMOH .dat, STL, OBJ, PLY), or a job (.yaml)")
      ->required();
  add_value(app, to, "--draft", "bodies.hull.draft", "depth of the lowest point under water, e.g. 3.63m");
  add_value(app, to, "--mass", "bodies.hull.mass", "mass, e.g. 18851t; without a draft the hull floats where it will");
  add_value(app, to, "--centre", "bodies.hull.centre", "centre of gravity '[x, y, z]', z above the lowest point");
  add_value(app, to, "--kg", "bodies.hull.kg", "height of the centre of gravity above the lowest point");
  add_value(app, to, "--density", "water.density", "of the water (default 1025 kg/m^3)");
  add_value(app, to, "--depth", "water.depth", "of the water (default: deep)");
  add_settings(app, to.settings, "any other value, e.g. bodies.hull.gyration='[17, 27, 28]'");
}

void add_database(CLI::App& app, DatabaseArguments& to) {
  app.add_option("DB", to.path,
                 "Davit's .h5, Capytaine's .nc, .mat of MSS, stem of a WAMIT run or folder of a NEMOH run")
      ->required();
  app.add_option("--density", to.density, "of the water, kg/m³, where the files do not say it")
      ->check(CLI::PositiveNumber);
  app.add_option("--gravity", to.gravity, "m/s², where the files do not say it")->check(CLI::PositiveNumber);
  app.add_option("--depth", to.depth, "of the water, m, where the files do not say it")->check(CLI::PositiveNumber);
  app.add_option("--about", to.about, "x,y,z: the point that rotations in a Capytaine file are about")
      ->delimiter(',')
      ->expected(3);
  app.add_option("--highest", to.highest, "leave out frequencies above this, rad/s")->check(CLI::PositiveNumber);
}

}  // namespace

void add_hydro_commands(CLI::App& program, HydroArguments& to, int& code) {
  auto* hydro = program.add_subcommand("hydro", "hydrodynamics of hulls: solve, inspect, convert");
  hydro->require_subcommand(1);

  auto* solve = hydro->add_subcommand("solve", "radiation and diffraction of a hull, by panels");
  add_hull(*solve, to.solve.hull);
  add_value(*solve, to.solve.hull, "--to", "frequencies.to", "highest frequency, rad/s");
  add_value(*solve, to.solve.hull, "--count", "frequencies.count", "how many frequencies (default 60)");
  add_value(*solve, to.solve.hull, "--headings", "heading_step", "step between headings, e.g. 10deg (default 15deg)");
  add_value(*solve, to.solve.hull, "--panel-size", "bodies.hull.panel_size", "sides of panels of a shape");
  solve->add_option("-o,--out", to.solve.out, "database to write")->capture_default_str();
  solve->add_option("--page", to.solve.page, "inspection page to write (default: beside the database)");
  solve->add_option("--threads", to.solve.threads, "how many (default: all)")->check(CLI::PositiveNumber);
  solve->add_flag("--plan", to.solve.plan_only, "only say what it would do and need");
  solve->add_flag("--fresh", to.solve.fresh, "solve again what the cache has");
  solve->callback([&] { code = solve_command(to.solve); });

  auto* statics = hydro->add_subcommand("statics", "hydrostatics, equilibrium and righting arms of a hull");
  add_hull(*statics, to.statics.hull);
  statics->add_flag("--gz", to.statics.righting_arms, "righting arms up to 90 degrees");
  statics->callback([&] { code = statics_command(to.statics); });

  auto* inspect = hydro->add_subcommand("inspect", "say what is wrong with a database and what that does to a run");
  add_database(*inspect, to.inspect.source);
  inspect->add_option("-o,--output", to.inspect.page, "also write a page with the curves (.html)");
  inspect->callback([&] { code = inspect_command(to.inspect); });

  auto* convert = hydro->add_subcommand("convert", "write a database as Davit's .h5 or as WAMIT files");
  add_database(*convert, to.convert.source);
  convert->add_option("OUT", to.convert.out, "file that ends in .h5, or a stem with --wamit")->required();
  convert->add_flag("--wamit", to.convert.wamit, "write OUT.1, .3, .hst, .8 and the inputs that carry their units");
  convert->add_option("--reference", to.convert.reference, "x,y,z: move the reference point there first")
      ->delimiter(',')
      ->expected(3);
  convert->callback([&] { code = convert_command(to.convert); });
}

}  // namespace davit::app
