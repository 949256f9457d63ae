#include "davit/inverse_dynamics/law_design.hpp"

#include <fmt/format.h>

#include "davit/inverse_dynamics/analysis.hpp"
#include "davit/inverse_dynamics/linearising_feedback.hpp"
#include "davit/inverse_dynamics/quadratic_feedback.hpp"
#include "davit/inverse_dynamics/series_model.hpp"
#include "davit/inverse_dynamics/servo_feedback.hpp"
#include "davit/inverse_dynamics/set_point_feedback.hpp"

namespace davit::inverse_dynamics {

namespace {

// Poles where the file gives none, 1/s.
constexpr double default_poles[] = {-0.8, -1.0, -1.2, -1.4, -1.6, -1.8, -2.0};

Poles poles_of(const FeedbackSpec& spec, size_t needed, input::Problems& problems) {
  Poles poles(spec.poles.begin(), spec.poles.end());
  if (poles.empty()) poles.assign(default_poles, default_poles + std::min(needed, std::size(default_poles)));
  if (poles.size() < needed) {
    problems.error(spec.where,
                   fmt::format("the error dynamics have up to {} poles, and {} are given", needed, poles.size()),
                   "give more poles");
    poles.resize(needed, poles.back());
  }
  return poles;
}

std::optional<LawDesign> servo_law(const FeedbackSpec& spec, const PlannedCrane& crane, input::Problems& problems) {
  ServoGains gains{spec.a.value_or(0), spec.b.value_or(0), spec.c.value_or(0)};
  if (!spec.a) gains = ServoGains::of_poles(poles_of(spec, 2, problems));
  const double horizon = spec.horizon.value_or(5 * spec.sample_time);
  return LawDesign{[&problem = crane.problem, &track = crane.track, gains, horizon] {
                     return std::make_unique<ServoFeedback>(problem, track, gains, horizon);
                   },
                   {fmt::format("a = {:.4g}/s, b = {:.4g}/s², c = {:.4g}/s³, horizon {:.4g} s", gains.a, gains.b,
                                gains.c, horizon)}};
}

std::optional<LawDesign> linearising_law(const FeedbackSpec& spec, const PlannedCrane& crane,
                                         input::Problems& problems) {
  if (!without_series(crane.problem).empty()) {
    problems.error(spec.where, "the model cannot be expanded in time, which the law 'linearising' needs",
                   "use law: servo or lqr");
    return std::nullopt;
  }
  const double scale = time_scale_of(crane.problem);
  const auto orders = linearising_orders(crane.problem, crane.track.at(crane.track.begin()), scale);
  if (!orders) {
    problems.error(spec.where, "no inputs follow from the state and error dynamics of any order up to six",
                   "use law: servo or lqr");
    return std::nullopt;
  }
  std::string words = "error dynamics of orders ";
  int most = 0;
  for (size_t i = 0; i < orders->of_outputs.size(); ++i) {
    words += fmt::format("{}{}", i == 0 ? "" : ", ", orders->of_outputs[i]);
    most = std::max(most, orders->of_outputs[i]);
  }
  const Poles poles = poles_of(spec, static_cast<size_t>(most + (spec.integral ? 1 : 0)), problems);
  return LawDesign{
      [&problem = crane.problem, &track = crane.track, orders = *orders, poles, integral = spec.integral, scale] {
        return std::make_unique<LinearisingFeedback>(problem, track, orders, poles, integral, scale);
      },
      {words + (spec.integral ? " and one more for the integral" : "")}};
}

std::optional<LawDesign> quadratic_law(const FeedbackSpec& spec, const PlannedCrane& crane, input::Problems& problems) {
  QuadraticWeights weights{spec.weights.error, spec.weights.rate, spec.weights.integral.value_or(0), {}};
  const auto given = by_input(spec.weights.inputs, crane.inputs, spec.where, problems);
  weights.inputs.setZero(static_cast<Eigen::Index>(given.size()));
  for (const auto& point : crane.plan.points) weights.inputs = weights.inputs.cwiseMax(0.1 * point.w.cwiseAbs());
  for (size_t i = 0; i < given.size(); ++i) {
    double& w = weights.inputs[static_cast<Eigen::Index>(i)];
    w = given[i].value_or(std::max(w, 1e-3 * weights.inputs.maxCoeff()));
  }
  const auto law = std::make_shared<const QuadraticFeedback>(crane.problem, crane.track, weights);
  if (!law->found()) {
    problems.error(spec.where,
                   fmt::format("no linear-quadratic feedback holds the crane at t = {:.4g} s: some of its motions "
                               "neither die out nor show in the outputs",
                               law->missing_at()),
                   "choose outputs that show them, or law: set_point");
    return std::nullopt;
  }
  LawDesign design{[law] { return std::make_unique<QuadraticFeedback>(*law); }, {}};
  if (law->unreachable_states() > 0)
    design.words.push_back(fmt::format("{} states that no input moves are left alone", law->unreachable_states()));
  return design;
}

}  // namespace

std::vector<std::optional<double>> by_input(const input::Named<input::Quantity>& named,
                                            const std::vector<PlannedCrane::Input>& inputs, const input::Where& where,
                                            input::Problems& problems) {
  std::vector<std::optional<double>> out(inputs.size());
  for (const auto& [name, quantity] : named) {
    bool known = false;
    for (size_t i = 0; i < out.size(); ++i) {
      if (inputs[i].name != name) continue;
      known = true;
      out[i] = input::require(quantity, input::unit(inputs[i].unit), problems);
      if (out[i] && !(*out[i] > 0)) problems.error(quantity.where, "it is not above 0", "give how large it may be");
    }
    if (!known) problems.error(where, "'" + name + "' is no input of the plan", "name one of its inputs");
  }
  return out;
}

std::optional<LawDesign> design_law(const FeedbackSpec& spec, const PlannedCrane& crane, input::Problems& problems) {
  switch (spec.law) {
    case Law::servo:
      return servo_law(spec, crane, problems);
    case Law::linearising:
      return linearising_law(spec, crane, problems);
    case Law::lqr:
      return quadratic_law(spec, crane, problems);
    case Law::none:
      throw std::logic_error("a law is asked for where there is none");
    case Law::set_point:
      break;
  }
  return LawDesign{[&problem = crane.problem, &track = crane.track,
                    gains = SetPointGains{spec.frequency, spec.damping, spec.inertia, spec.energy}] {
                     return std::make_unique<SetPointFeedback>(problem, track, gains);
                   },
                   {}};
}

}  // namespace davit::inverse_dynamics
