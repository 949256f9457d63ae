#include "davit/solve/linear_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/channel_derivatives.hpp"
#include "davit/solve/linear_states.hpp"

namespace davit {

namespace {

double size_of_largest(const VecX& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0.0; }

// ∂ḋ/∂d of an increment from the instant, where ḋ depends on d (turns in space) and the model moves. Differences over
// two widths: what is left is of fourth order.
MatX increment_drift(const System& system, const VecX& u) {
  const Eigen::Index nu = u.size();
  MatX out = MatX::Zero(nu, nu);
  if (u.isZero(0)) return out;
  constexpr double h = 1e-3;
  for (Eigen::Index i = 0; i < nu; ++i) {
    const auto rate = [&](double step) {
      VecX d = VecX::Zero(nu), out_rate(nu);
      d[i] = step;
      system.increment_rate(d, u, out_rate);
      return out_rate;
    };
    out.col(i) = (8 * (rate(h) - rate(-h)) - (rate(2 * h) - rate(-2 * h))) / (12 * h);
  }
  return out;
}

std::vector<SignalOrder> read_signals(const Model& model, const ArgumentPlaces& places, const EquationDerivatives& d,
                                      const PortSelection& selection, LinearModel& out) {
  std::vector<SignalOrder> orders;
  for (const int signal : selection.signals) {
    if (const auto order = highest_read(d, places, signal))
      orders.push_back({signal, *order});
    else
      out.unread_signals.push_back(model.signals()[static_cast<size_t>(signal)].name);
  }
  return orders;
}

// Unit inputs in columns, and what they are called.
MatX input_arguments(const Model& model, const ArgumentPlaces& places, const PortSelection& selection,
                     const std::vector<SignalOrder>& signals, LinearModel& out) {
  const EquationPoint& at = out.point;
  MatX columns = MatX::Zero(places.size, static_cast<Eigen::Index>(selection.inputs.size() + signals.size()));
  Eigen::Index column = 0;
  for (const int port : selection.inputs) {
    const Input& input = model.inputs()[static_cast<size_t>(port)];
    const double w = at.w[port];
    columns(places.input + port, column++) = 1;
    out.space.inputs.push_back({input.name, input.unit});
    out.inputs.push_back({false, port, 0, w, w >= input.upper || w <= input.lower});
  }
  static const char* const suffix[] = {"", "_rate", "_acceleration"};
  static const char* const per[] = {"", "/s", "/s^2"};
  for (const SignalOrder& s : signals) {
    const SignalInfo& info = model.signals()[static_cast<size_t>(s.signal)];
    columns(places.signal + 3 * s.signal + s.derivative, column++) = 1;
    out.space.inputs.push_back({"set " + info.name + suffix[s.derivative], info.unit + per[s.derivative]});
    out.inputs.push_back({true, s.signal, s.derivative,
                          at.state.discrete.signals[s.signal].derivative(s.derivative, at.state.t), false});
  }
  return columns;
}

struct ChosenOutputs {
  std::vector<Output> exact;
  std::vector<Channel> others;
  std::vector<bool> is_exact;  // by number of the output
};

ChosenOutputs sorted_outputs(const Model& model, const std::vector<Channel>& chosen) {
  const std::vector<Output> known = exact_outputs(model);
  ChosenOutputs out;
  for (const Channel& c : chosen) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const Output& o) { return o.name == c.name; });
    out.is_exact.push_back(found != known.end());
    if (found != known.end())
      out.exact.push_back(*found);
    else
      out.others.push_back(c);
  }
  return out;
}

// Of numbers beyond this, squares and products are soon infinite: poles and shapes of motions cannot be found.
constexpr double largest_rate = 1e100;

// Names the largest of the rates (states in rows, states and then inputs in columns) where it cannot be computed with.
void check_rates(const MatX& rates, const linear::StateSpace& space) {
  Eigen::Index row = 0, column = 0;
  double worst = 0;
  for (Eigen::Index i = 0; i < rates.rows(); ++i)
    for (Eigen::Index j = 0; j < rates.cols(); ++j) {
      const double size = std::isnan(rates(i, j)) ? std::numeric_limits<double>::infinity() : std::abs(rates(i, j));
      if (size <= worst) continue;
      worst = size;
      row = i;
      column = j;
    }
  if (worst <= largest_rate) return;
  const auto n = static_cast<Eigen::Index>(space.states.size());
  const linear::Variable& cause =
      column < n ? space.states[static_cast<size_t>(column)] : space.inputs[static_cast<size_t>(column - n)];
  const std::string& name = space.states[static_cast<size_t>(row)].name;
  throw std::runtime_error(
      fmt::format("the rate of '{}' changes by {} for a change of '{}' by one ({}): no linear model is made of numbers "
                  "beyond {:g}. "
                  "Look for a gain or stiffness that is too large there, or a mass or inertia that is too small",
                  name, std::isfinite(worst) ? fmt::format("{:.3g}", worst) : "more than any number", cause.name,
                  cause.unit.empty() ? "no unit" : cause.unit, largest_rate));
}

}  // namespace

std::vector<Output> exact_outputs(const Model& model) {
  std::vector<Output> out = model.outputs();
  static const char* const body_rates[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  for (const auto& placed : model.blocks()) {
    const auto* tree = dynamic_cast<const Tree*>(placed.block.get());
    for (const TreeBody& b : tree ? tree->bodies_of_tree() : std::vector<TreeBody>()) {
      const auto& list = b.body.joint.type().coordinates;
      const bool turns = b.body.joint.type().quaternion;
      for (int i = 0; i < static_cast<int>(list.size()); ++i) {
        const Coordinate& c = list[static_cast<size_t>(i)];
        const std::string unit = c.angle ? "rad" : "m", name = b.body.name + "." + c.name;
        if (!turns) out.push_back({name, unit, Output::Kind::coordinate, b.q + i, {}});
        out.push_back({turns ? b.body.name + "." + body_rates[i] : name + "_rate",
                       unit + "/s",
                       Output::Kind::speed,
                       b.u + i,
                       {}});
      }
    }
    if (dynamic_cast<const Scalars*>(placed.block.get()) == nullptr) continue;
    const std::vector<std::string> names = placed.block->speed_names();
    for (int i = 0; i < placed.block->nu(); ++i) {
      const std::string& name = names[static_cast<size_t>(i)];
      out.push_back({name, "", Output::Kind::coordinate, placed.first_q + i, {}});
      out.push_back({name + "_rate", "", Output::Kind::speed, placed.first_u + i, {}});
    }
  }
  return out;
}

LinearModel linear_model(System& system, const State& state, const PortSelection& selection) {
  const Model& model = system.model();
  if (!model.contacts().empty())
    throw std::invalid_argument("bodies that touch ('" + model.contacts()[0].name +
                                "') part and meet again: there are no small motions about them");
  const ChosenOutputs chosen = sorted_outputs(model, selection.outputs);
  ModelEquations equations(system, chosen.exact);
  const ArgumentPlaces& places = equations.places();
  LinearModel out;
  Unknowns unknowns;
  out.point = find_equation_point(system, equations, state, unknowns);
  if (selection.loop == Loop::open) unknowns.drives.clear();
  const EquationDerivatives d = equations.derivatives(out.point, selection.loop);
  out.speed = size_of_largest(state.u);
  out.acceleration = size_of_largest(out.point.a);
  out.rate = size_of_largest(d.phi.value);

  const std::vector<SignalOrder> signals = read_signals(model, places, d, selection, out);
  const LinearStates states(model, places, d, unknowns, selection.loop, signals);
  out.space.states = states.names();
  out.mechanical_states = states.mechanical();
  MatX arguments = states.arguments(input_arguments(model, places, selection, signals, out));
  AccelerationAnswer(model, places, d, unknowns).complete(arguments);

  const Eigen::Index n = states.size(), inputs = arguments.cols() - n,
                     outputs = static_cast<Eigen::Index>(chosen.is_exact.size());
  const MatX rates = states.rates(arguments, increment_drift(system, state.u)), exact = d.y.by * arguments;
  check_rates(rates, out.space);
  const ChannelDerivatives others =
      channel_derivatives(equations, out.point, selection.loop, arguments, chosen.others, system);
  MatX seen(outputs, n + inputs);
  Eigen::Index next_exact = 0, next_other = 0;
  for (Eigen::Index i = 0; i < outputs; ++i) {
    const Channel& c = selection.outputs[static_cast<size_t>(i)];
    out.space.outputs.push_back({c.name, c.unit});
    if (chosen.is_exact[static_cast<size_t>(i)]) {
      seen.row(i) = exact.row(next_exact);
      out.outputs.push_back({true, 0, d.y.value[next_exact++]});
    } else {
      seen.row(i) = others.by.row(next_other);
      out.outputs.push_back({false, others.error[next_other], others.value[next_other]});
      ++next_other;
    }
    if (!(seen.row(i).array().abs() <= largest_rate).all() || !std::isfinite(out.outputs.back().value))
      throw std::domain_error("the output '" + c.name + "' has no finite value or derivative here");
  }
  out.space.A = rates.leftCols(n);
  out.space.B = rates.rightCols(inputs);
  out.space.C = seen.leftCols(n);
  out.space.D = seen.rightCols(inputs);
  return out;
}

}  // namespace davit
