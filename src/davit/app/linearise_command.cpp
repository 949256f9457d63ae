// `davit linearise`: the linear model of a scenario with its ports.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "davit/app/commands.hpp"
#include "davit/app/linearise_output.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/io/write_file.hpp"
#include "davit/result/csv.hpp"
#include "davit/simulation/operating_point.hpp"

namespace davit::app {

namespace {

// A call that cannot be answered, with what would.
struct BadCall {
  std::string message, remedy;
};

std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < 12; ++i) text += (i ? ", " : "") + names[i];
  return text + (names.size() > 12 ? fmt::format(" and {} more", names.size() - 12) : "");
}

// The numbers of the names that match some pattern, in the order of patterns and then of names; all without patterns. A
// pattern that matches nothing is a mistake.
std::vector<int> chosen(const std::vector<std::string>& patterns, const std::vector<std::string>& names,
                        const std::string& what) {
  std::vector<int> out;
  for (const std::string& pattern : patterns.empty() ? std::vector<std::string>{"*"} : patterns) {
    bool any = false;
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
      if (!result::matches(pattern, names[static_cast<size_t>(i)])) continue;
      any = true;
      if (std::find(out.begin(), out.end(), i) == out.end()) out.push_back(i);
    }
    if (!any) throw BadCall{fmt::format("no {} matches '{}'", what, pattern), "choose among " + some_of(names)};
  }
  return out;
}

void choose_inputs(const Model& model, const LineariseArguments& arguments, PortSelection& to) {
  std::vector<std::string> names;
  for (const Input& input : model.inputs()) names.push_back(input.name);
  for (const SignalInfo& signal : model.signals()) names.push_back(signal.name);
  if (names.empty())
    throw BadCall{"the model has no inputs: no controller, driven joint or winch",
                  "give it one, e.g. constraints: {drive: {motion: {joint: trolley}}}"};
  const auto ports = static_cast<int>(model.inputs().size());
  for (const int i : chosen(arguments.inputs, names, "input"))
    i < ports ? to.inputs.push_back(i) : to.signals.push_back(i - ports);
}

void choose_outputs(const Model& model, const LineariseArguments& arguments, PortSelection& to) {
  std::vector<std::string> names;
  for (const Channel& c : model.channels()) names.push_back(c.name);
  if (!arguments.outputs.empty()) {
    for (const int i : chosen(arguments.outputs, names, "output"))
      to.outputs.push_back(model.channels()[static_cast<size_t>(i)]);
    return;
  }
  // Coordinates and places; of bodies that have neither, their speeds.
  const std::vector<Output> known = exact_outputs(model);
  const auto take = [&](bool speeds) {
    for (const Output& o : known)
      if ((o.kind == Output::Kind::speed) == speeds)
        if (const auto c = std::find(names.begin(), names.end(), o.name); c != names.end())
          to.outputs.push_back(model.channels()[static_cast<size_t>(c - names.begin())]);
  };
  take(false);
  if (to.outputs.empty()) take(true);
  if (to.outputs.empty()) throw BadCall{"the model has no coordinates to look at", "choose channels with --output"};
}

bool write_files(const LinearStudy& study, const LineariseArguments& arguments) {
  const linear::StateSpace& space = study.model.space;
  std::string path;
  const auto text = [&](const std::string& to, const std::string& contents) {
    path = to;
    io::write_file(path, contents);
  };
  try {
    if (!arguments.json.empty()) text(arguments.json, json_of(study).dump(2) + "\n");
    if (!arguments.csv.empty()) {
      text(arguments.csv + "_A.csv", linear::to_csv(space.A, space.states, space.states));
      text(arguments.csv + "_B.csv", linear::to_csv(space.B, space.states, space.inputs));
      text(arguments.csv + "_C.csv", linear::to_csv(space.C, space.outputs, space.states));
      text(arguments.csv + "_D.csv", linear::to_csv(space.D, space.outputs, space.inputs));
      text(arguments.csv + "_poles.csv", poles_csv(study));
    }
    path = arguments.mat;
    if (!path.empty()) linear::write_mat(path, space, further_matrices(study));
    return true;
  } catch (const io::FileError& error) {
    complain("error: {}: {}\nremedy: {}\n", path, error.message, error.remedy);
    return false;
  }
}

LinearStudy linearised(const Scenario& scenario, const LineariseArguments& arguments) {
  const Model& model = *scenario.model;
  if (!scenario.unsolved_hulls.empty())
    throw BadCall{
        fmt::format("the hull of '{}' was not solved before ({}): its added mass, radiation and forces of waves "
                    "are missing",
                    scenario.unsolved_hulls[0].vessel, scenario.unsolved_hulls[0].work),
        "leave --no-solve out, or solve it once with davit run"};
  PortSelection selection;
  selection.loop = arguments.open_loop ? Loop::open : Loop::closed;
  choose_inputs(model, arguments, selection);
  choose_outputs(model, arguments, selection);
  System system(model);
  OperatingPoint point;
  LinearModel linear;
  try {
    point = operating_point(scenario, system, arguments.at);
    linear = linear_model(system, point.state, selection);
  } catch (const std::domain_error& mistake) {
    throw BadCall{mistake.what(), "choose others with --output"};
  } catch (const std::invalid_argument& mistake) {
    throw BadCall{mistake.what(), arguments.at ? "give a time of the run with --at, or lengthen it: run.duration"
                                               : "give the bodies compliant contacts, or leave them out"};
  }
  if (linear.space.inputs.empty())
    throw BadCall{"nothing answers to small changes of the inputs: " + some_of(linear.unread_signals),
                  arguments.open_loop
                      ? "choose ports with --input, or close the loop"
                      : "choose others with --input, or a time at which friction does not hold what they "
                        "move, with --at"};
  const std::vector<std::string> unread = linear.unread_signals;
  LinearStudy out = study(std::move(linear), selection.loop, model);
  // That targets of controllers which are cut off do nothing goes without saying.
  if (!unread.empty() && !(arguments.open_loop && arguments.inputs.empty()))
    out.notes.push_back("nothing answers to small changes of these signals, and they are no inputs: " +
                        some_of(unread));
  out.about = point.about;
  out.notes.insert(out.notes.end(), point.warnings.begin(), point.warnings.end());
  return out;
}

}  // namespace

int linearise_command(const LineariseArguments& arguments) {
  input::Problems problems;
  const auto scenario = load(arguments, problems, arguments.no_solve);
  complain("{}", problems.to_text());
  if (!scenario) return exit_bad_input;
  try {
    const LinearStudy study = linearised(*scenario, arguments);
    say("{}\n", arguments.file);
    print(study, scenario->specification.run.units);
    return write_files(study, arguments) ? exit_ok : exit_broken;
  } catch (const BadCall& bad) {
    complain("error: {}: {}\nremedy: {}\n", arguments.file, bad.message, bad.remedy);
    return exit_bad_input;
  } catch (const std::runtime_error& broken) {
    complain("error: {}: {}\n", arguments.file, broken.what());
    return exit_broken;
  }
}

}  // namespace davit::app
