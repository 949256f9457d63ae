#include "davit/app/linearise_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "davit/app/terminal.hpp"
#include "davit/solve/rest.hpp"

namespace davit::app {

namespace {

using linear::Complex;
using linear::ModeAccess;

// Beyond these a matrix, or a list of modes, is for a file.
constexpr size_t most_columns = 10, most_modes = 40;
// Share of coordinates and speeds below which a mode is one of auxiliary states.
constexpr double mostly_auxiliary = 0.2;

// What coordinates do in a mode, or all states where coordinates do nothing.
std::string describe_mode(const linear::StateSpace& space, VecXc shape) {
  std::vector<std::string> names;
  std::vector<Eigen::Index> coordinates;
  for (size_t i = 0; i < space.states.size(); ++i) {
    names.push_back(space.states[i].name);
    if (!names.back().ends_with("_rate")) coordinates.push_back(static_cast<Eigen::Index>(i));
  }
  VecXc of_coordinates = VecXc::Zero(shape.size());
  for (const Eigen::Index i : coordinates) of_coordinates[i] = shape[i];
  if (of_coordinates.cwiseAbs().maxCoeff() > 1e-9 * shape.cwiseAbs().maxCoeff()) shape = of_coordinates;
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  return describe_shape((shape / shape[largest]).real(), names);
}

std::string number_of(Complex z) {
  const auto part = [](double x) { return number(std::abs(x) < 1e-12 ? 0.0 : x); };
  if (z.imag() == 0) return part(z.real());
  return fmt::format("{} {} {}i", part(z.real()), z.imag() < 0 ? "-" : "±", part(std::abs(z.imag())));
}

// "0.83 by jib.force", or which of the motions of a pole are beyond it.
std::string access_text(const ModeAccess& a, const std::vector<linear::Variable>& variables) {
  if (a.best < 0) return "NO";
  const std::string best =
      fmt::format("{} {}", number(a.each[static_cast<size_t>(a.best)]), variables[static_cast<size_t>(a.best)].name);
  return a.hidden == 0 ? best : fmt::format("{} of {}: {}", a.motions - a.hidden, a.motions, best);
}

// What is less, in SI, is round-off.
std::string value_text(double value, const std::string& unit, html::UnitSystem units) {
  return html::with_unit(std::abs(value) < 1e-9 ? 0.0 : value, unit, units);
}

const char* enters(const LinearModel::InputInfo& input, Loop loop) {
  static const char* const as[] = {"as its value", "as its rate; the value is a state",
                                   "as its acceleration; value and rate are states"};
  if (input.signal) return as[input.derivative];
  if (loop == Loop::open)
    return input.at_limit ? "in the place of the controller; at its limit" : "in the place of the controller";
  return input.at_limit ? "at its limit: without effect" : "added to what the controller commands";
}

void print_matrix(const char* name, const MatX& M, const std::vector<linear::Variable>& rows,
                  const std::vector<linear::Variable>& columns) {
  std::vector<std::string> header{name};
  for (const auto& c : columns) header.push_back(c.name);
  Table table(header);
  const double round_off = 1e-14 * (M.size() > 0 ? M.cwiseAbs().maxCoeff() : 0.0);
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    std::vector<std::string> row{rows[static_cast<size_t>(i)].name};
    for (Eigen::Index j = 0; j < M.cols(); ++j) row.push_back(number(std::abs(M(i, j)) <= round_off ? 0.0 : M(i, j)));
    table.add(std::move(row));
  }
  say("\n{}", table.text(1));
}

void print_ports(const LinearStudy& s, html::UnitSystem units) {
  const linear::StateSpace& space = s.model.space;
  Table inputs({"input", "at the point", "enters"});
  for (size_t i = 0; i < space.inputs.size(); ++i)
    inputs.add({space.inputs[i].name, value_text(s.model.inputs[i].value, space.inputs[i].unit, units),
                enters(s.model.inputs[i], s.loop)});
  say("\n{}", inputs.text(9));
  Table outputs({"output", "at the point", "derivatives"});
  for (size_t i = 0; i < space.outputs.size(); ++i) {
    const LinearModel::OutputInfo& o = s.model.outputs[i];
    outputs.add({space.outputs[i].name, value_text(o.value, space.outputs[i].unit, units),
                 o.exact ? "exact" : fmt::format("central differences, error {:.0e}", o.error)});
  }
  say("\n{}", outputs.text(9));
}

void print_modes(const LinearStudy& s) {
  Table table({"pole rad/s", "", "reached by", "seen by", "shape"});
  size_t shown = 0, auxiliary = 0, faster = 0;
  for (const LinearStudy::Mode& m : s.modes) {
    // Of large models, what water and filters do by themselves is for a file.
    if (s.modes.size() > most_modes && m.mechanical < mostly_auxiliary) {
      ++auxiliary;
      continue;
    }
    if (shown == most_modes) {
      ++faster;
      continue;
    }
    ++shown;
    const std::string motions = m.reach.motions > 1 ? fmt::format(", {} motions", m.reach.motions) : "";
    table.add({number_of(m.reach.pole) + motions, linear::in_words(m.reach.pole),
               access_text(m.reach, s.model.space.inputs), access_text(m.sight, s.model.space.outputs), m.shape});
  }
  say("\n{}", table.text(9));
  if (faster > 0) say("  and {} faster ones (--json)\n", faster);
  if (auxiliary > 0)
    say("  and {} of auxiliary states for the most part: memory of waves, filters (--json)\n", auxiliary);
}

bool is_hidden_pole(const LinearStudy& s, Complex zero) {
  for (const LinearStudy::Mode& m : s.modes) {
    const Complex pole = m.reach.pole;
    const double apart = std::min(std::abs(pole - zero), std::abs(std::conj(pole) - zero));
    if ((m.reach.hidden > 0 || m.sight.hidden > 0) && apart < 1e-6 * (1 + std::abs(pole))) return true;
  }
  return false;
}

std::string words_of_zero(const LinearStudy& s, Complex z) {
  if (is_hidden_pole(s, z)) return "a mode that is not reached, or not seen";
  if (z.real() > 1e-9) return "right of the axis: an inverse would run away";
  // Near the axis: of that period next to nothing comes through.
  if (z.imag() != 0 && -z.real() < 0.1 * std::abs(z))
    return fmt::format("blocks a period of {} s", number(2 * M_PI / z.imag()));
  return "";
}

void print_zeros(const LinearStudy& s) {
  if (!s.zeros) {
    say("\n  zeros: {}\n", s.no_zeros);
    return;
  }
  if (s.zeros->empty()) {
    say("\n  zeros: none that are finite\n");
    return;
  }
  Table table({"zero rad/s", ""});
  size_t shown = 0, further = 0;
  for (const Complex& z : *s.zeros) {
    if (z.imag() < 0) continue;
    if (shown == most_modes) {
      ++further;
      continue;
    }
    ++shown;
    table.add({number_of(z), words_of_zero(s, z)});
  }
  say("\n{}", table.text(9));
  if (further > 0) say("  and {} larger ones (--json)\n", further);
}

nlohmann::ordered_json json_of(const ModeAccess& a, const std::vector<linear::Variable>& variables) {
  nlohmann::ordered_json each = nlohmann::ordered_json::object();
  for (size_t i = 0; i < a.each.size(); ++i) each[variables[i].name] = a.each[i];
  return {{"measure", a.measure},
          {"hidden_motions", a.hidden},
          {"best",
           a.best < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(variables[static_cast<size_t>(a.best)].name)},
          {"each", each}};
}

MatXc column(const std::vector<Complex>& values) {
  return Eigen::Map<const VecXc>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

LinearStudy study(LinearModel model, Loop loop, const Model& of) {
  LinearStudy out;
  out.model = std::move(model);
  out.loop = loop;
  out.t = out.model.point.state.t;
  const linear::StateSpace& space = out.model.space;
  for (linear::Mode& mode : linear::modes(space))
    out.modes.push_back({std::move(mode.reach), std::move(mode.sight), describe_mode(space, std::move(mode.shape)),
                         mode.shares.size() > 0 ? mode.shares.head(out.model.mechanical_states).sum() : 1.0});
  if (space.inputs.size() != space.outputs.size()) {
    out.no_zeros =
        fmt::format("are of as many outputs as inputs, and these are {} and {}: choose with --input and --output",
                    space.outputs.size(), space.inputs.size());
  } else {
    try {
      out.zeros = linear::zeros(space);
    } catch (const std::domain_error&) {
      out.no_zeros = "every number is one: some outputs, or inputs, do the same as others at every frequency";
    }
  }
  if (!out.model.at_rest())
    out.notes.push_back(fmt::format(
        "the model is not at rest there (largest speed {:.3g}, largest acceleration {:.3g}, SI): the matrices "
        "are those of small deviations at that instant",
        out.model.speed, out.model.acceleration));
  for (const auto& c : of.controllers())
    if (c.element->sample_time() > 0 && loop == Loop::closed)
      out.notes.push_back("'" + c.element->name() +
                          "' is sampled: the command that it holds is constant in the matrices, so its loop is open");
  for (const auto& c : of.servos())
    if (c.element->sample_time() > 0 && loop == Loop::closed)
      out.notes.push_back("'" + c.element->name() +
                          "' is sampled: the forces that it holds are constant in the matrices, so its loop is open");
  return out;
}

void print(const LinearStudy& s, html::UnitSystem units) {
  const linear::StateSpace& space = s.model.space;
  say("  linear model about {}\n  {}, {}, {}; {} loop\n", s.about, counted(space.states.size(), "state"),
      counted(space.inputs.size(), "input"), counted(space.outputs.size(), "output"),
      s.loop == Loop::open ? "open" : "closed");
  print_ports(s, units);
  if (space.states.size() <= most_columns && space.inputs.size() <= most_columns) {
    say("\n  matrices in SI\n");
    print_matrix("A", space.A, space.states, space.states);
    print_matrix("B", space.B, space.states, space.inputs);
    if (space.outputs.size() <= 2 * most_columns) {
      print_matrix("C", space.C, space.outputs, space.states);
      print_matrix("D", space.D, space.outputs, space.inputs);
    }
  }
  print_modes(s);
  print_zeros(s);
  for (const std::string& note : s.notes) say("\n  note: {}\n", note);
}

nlohmann::ordered_json json_of(const LinearStudy& s) {
  const linear::StateSpace& space = s.model.space;
  nlohmann::ordered_json out = {{"about", s.about},
                                {"time_s", s.t},
                                {"loop", s.loop == Loop::open ? "open" : "closed"},
                                {"at_rest", s.model.at_rest()}};
  out.update(linear::to_json(space));
  for (size_t i = 0; i < space.inputs.size(); ++i) {
    out["inputs"][i]["value"] = s.model.inputs[i].value;
    out["inputs"][i]["enters"] = enters(s.model.inputs[i], s.loop);
  }
  for (size_t i = 0; i < space.outputs.size(); ++i) {
    out["outputs"][i]["value"] = s.model.outputs[i].value;
    out["outputs"][i]["derivatives"] = s.model.outputs[i].exact ? "exact" : "central differences";
    if (!s.model.outputs[i].exact) out["outputs"][i]["estimated_error"] = s.model.outputs[i].error;
  }
  out["poles"] = nlohmann::ordered_json::array();
  for (const Complex& p : linear::poles(space)) out["poles"].push_back(linear::to_json(p));
  out["modes"] = nlohmann::ordered_json::array();
  for (const LinearStudy::Mode& m : s.modes) {
    nlohmann::ordered_json mode = {{"pole", linear::to_json(m.reach.pole)},
                                   {"words", linear::in_words(m.reach.pole)},
                                   {"motions", m.reach.motions},
                                   {"shape", m.shape},
                                   {"share_of_coordinates_and_speeds", m.mechanical},
                                   {"reached", json_of(m.reach, space.inputs)},
                                   {"seen", json_of(m.sight, space.outputs)}};
    out["modes"].push_back(std::move(mode));
  }
  out["zeros"] = nullptr;
  if (s.zeros) {
    out["zeros"] = nlohmann::ordered_json::array();
    for (const Complex& z : *s.zeros) out["zeros"].push_back(linear::to_json(z));
  }
  out["notes"] = s.notes;
  return out;
}

std::string poles_csv(const LinearStudy& s) {
  std::string out = "real [rad/s],imaginary [rad/s],period [s],damping ratio\n";
  for (const Complex& p : linear::poles(s.model.space))
    out += fmt::format("{},{},{},{}\n", p.real(), p.imag(),
                       p.imag() != 0 ? fmt::format("{}", 2 * M_PI / std::abs(p.imag())) : "",
                       std::abs(p) > 0 ? fmt::format("{}", -p.real() / std::abs(p)) : "");
  return out;
}

std::vector<linear::NamedMatrix> further_matrices(const LinearStudy& s) {
  const auto values = [](const auto& list) {
    MatXc out(static_cast<Eigen::Index>(list.size()), 1);
    for (size_t i = 0; i < list.size(); ++i) out(static_cast<Eigen::Index>(i), 0) = list[i].value;
    return out;
  };
  std::vector<linear::NamedMatrix> out{{"poles", column(linear::poles(s.model.space))},
                                       {"InputValue", values(s.model.inputs)},
                                       {"OutputValue", values(s.model.outputs)}};
  if (s.zeros) out.push_back({"zeros", column(*s.zeros)});
  return out;
}

}  // namespace davit::app
