// A scenario that was read, checked and assembled: a Model with the way to run it. Everything wrong with a file ends up
// in Problems with its place; nothing here throws for a user's mistake.
#pragma once

#include <filesystem>

#include "davit/assembly/assembly.hpp"
#include "davit/input/node.hpp"
#include "davit/operation/levers.hpp"
#include "davit/result/limit.hpp"
#include "davit/scenario/resolution.hpp"
#include "davit/scenario/specification.hpp"
#include "davit/sea/waves.hpp"
#include "davit/solve/run_loop.hpp"

namespace davit {

struct Scenario {
  Specification specification;
  std::string file;
  std::string effective_text;  // base, variations and settings applied
  std::string provenance;      // which file or setting each top-level part came from

  std::shared_ptr<const Tree> tree;
  input::Named<BodySpec> bodies;   // those of vessels first; free ones where they begin in the world
  std::vector<Frame> body_frames;  // the own frame of each of them
  std::shared_ptr<const Model> model;
  // What the run is surrounded by. Another one of the same model: in_another_sea.
  std::shared_ptr<const Environment> environment;
  State initial_state() const { return model->initial_state(environment); }
  // Those of the environment; null where there are none.
  std::shared_ptr<const sea::Waves> waves() const { return environment ? environment->find<sea::Waves>() : nullptr; }
  // The initial state with an operation that has not begun.
  State first_state() const;
  std::vector<std::string> notes;  // how vessels float with what is on board
  struct Weather {
    std::string of, given;
  };
  std::vector<Weather> weather;  // waves, wind and current as the file gives them, in its own units
  // Vessels whose hull was planned and not solved, and how much there is to solve: the model has none of its added
  // mass, damping and forces of waves, and must not be run.
  struct UnsolvedHull {
    std::string vessel, work;
  };
  std::vector<UnsolvedHull> unsolved_hulls;
  std::vector<HullForm> forms;  // in the order of vessels
  bool feels_waves = false;
  double wave_ramp = 0;  // over which the sea comes up (s)
  std::vector<Assembly::CheckInEnvironment> environment_checks;
  std::map<std::string, Assembly::Value> values;  // that limits may be multiples of
  input::Node source;                             // what the specification was read from
  std::string identity;                           // all that it says but how long it runs and what is recorded
  int degrees_of_freedom = 0;                     // speeds less independent rows of constraints
  std::vector<Channel> channels;                  // those to record
  std::vector<result::Limit> limits;
  std::vector<std::string> limit_units;
  operation::Operation operation;
  std::optional<operation::Levers> levers;
  std::optional<Rigging> rigging;
  std::vector<std::optional<int>> limit_phases;  // the phase in which alone a limit holds

  bool from_equilibrium = false;
  bool needs_equilibrium = false;  // or there is no run
  std::optional<bool> modes;       // not given: of models that are not large
  struct Offset {
    int q;
    double by;
  };
  std::vector<Offset> offsets;  // of coordinates, from the start or equilibrium

  SimulationOptions options;
  std::string method;         // by name
  std::string method_reason;  // why `auto` chose what it chose, or that the user did
  std::unique_ptr<Stepper> make_stepper() const;

  // Constraints that the file names; the model has others inside bodies.
  std::vector<Constraint> named_constraints() const;
};

// What a result says of a channel.
result::ChannelInfo info_of(const Channel&);

// What is recorded of every run beside the channels of its model: kinetic and potential energy, their sum, power; the
// length of the last step, the iterations of Newton's method in it, and how often it was tried in vain.
std::vector<result::ChannelInfo> channels_of_every_run();

// Settings are "path=value", as on the command line; a case is one of the file's, or none. Nothing when the problems
// have errors. A hull that was not solved before is solved when all else was found good, or only planned.
std::optional<Scenario> load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings,
                                      input::Problems& problems,
                                      const vessel::NewHulls& new_hulls = vessel::NewHulls::solve,
                                      const std::string& case_name = {});
// The same from what a result says that it was made of (RunHeader), with the paths of its scenario's file.
std::optional<Scenario> load_again(const std::string& effective_text, const std::filesystem::path& file,
                                   const std::vector<std::string>& settings, input::Problems& problems,
                                   const vessel::NewHulls& new_hulls = vessel::NewHulls::solve);
// What a file says with its bodies where they begin, and no model of it: enough to plan with.
std::optional<Scenario> resolve_scenario(const std::filesystem::path& file, input::Problems& problems);
// The same lift in another sea, wind or with another seed: the same Model, and the same bits as of a file that says so.
// Settings are of environment.waves, environment.wind, run.seed and title; of anything else, and where waves or wind
// come or go, it is an error that names the setting, because then the model is another.
std::optional<Scenario> in_another_sea(const Scenario&, const std::vector<std::string>& settings,
                                       input::Problems& problems);
// The names of a file's cases; none when it cannot be read, which is reported.
std::vector<std::string> cases_of(const std::filesystem::path& file, input::Problems& problems);
// The same from a tree that a program made, with elements that no file can describe.
std::optional<Scenario> build_scenario(const input::Node& root, const std::string& name,
                                       const input::Named<BuiltByProgram>& own, input::Problems& problems);
// The same from text, for tests and fuzzing; `base:` is not followed, and a hull that was not solved before is a
// mistake.
std::optional<Scenario> parse_scenario(const std::string& text, const std::string& name, input::Problems& problems);

}  // namespace davit
