#include "davit/app/plan_output.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/app/commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/io/csv_cell.hpp"

namespace davit::app {

namespace {

using inverse_dynamics::Analysis;
using inverse_dynamics::Instant;

// Coordinates that are plain numbers have the names of their speeds.
struct NamedCoordinate {
  std::string name;
  int q = -1, u = 0;  // q: none of a rotation
};
std::vector<NamedCoordinate> coordinates_of(const Model& model) {
  const std::vector<std::string> names = model.speed_names();
  std::vector<NamedCoordinate> out;
  for (const auto& b : model.blocks())
    for (int i = 0; i < b.block->nu(); ++i) {
      const int u = b.first_u + i;
      const bool plain = b.block->nq() == b.block->nu();
      out.push_back({names[static_cast<size_t>(u)], plain ? b.first_q + i : -1, u});
    }
  return out;
}

std::string head_of(const PlanResult& r, const std::vector<NamedCoordinate>& coordinates) {
  std::string out = "time_s";
  for (const PlannedInput& input : r.model.inputs) {
    const bool turns = input.angle && !input.winch;
    for (const char* what : {input.angle ? ".torque_Nm" : ".force_N", turns ? "_rad" : "_m", ".speed"})
      out += "," + io::csv_cell(input.name + what);
  }
  for (const rope::BuiltRope& rope : r.model.ropes) out += "," + io::csv_cell(rope.name + ".tension_N");
  for (const NamedCoordinate& c : coordinates) {
    if (c.q >= 0) out += "," + io::csv_cell("coordinate " + c.name);
    out += "," + io::csv_cell("rate " + c.name);
  }
  return out + "\n";
}

std::string row_of(const PlanResult& r, const std::vector<NamedCoordinate>& coordinates, double t, const Instant& at) {
  std::string out = fmt::format("{:.12g}", t);
  for (size_t i = 0; i < r.model.inputs.size(); ++i) {
    const PlannedInput& input = r.model.inputs[i];
    out += fmt::format(",{:.12g},{:.12g},{:.12g}", at.w[static_cast<Eigen::Index>(i)], input.ratio * at.q[input.at.q],
                       input.ratio * at.u[input.at.u]);
  }
  for (const rope::BuiltRope& rope : r.model.ropes) out += fmt::format(",{:.12g}", -at.lambda[rope.row]);
  for (const NamedCoordinate& c : coordinates) {
    if (c.q >= 0) out += fmt::format(",{:.12g}", at.q[c.q]);
    out += fmt::format(",{:.12g}", at.u[c.u]);
  }
  return out + "\n";
}

// Whether inputs of two points at the same time differ by more than round-off.
bool jumps(const PlanResult& r, const Instant& before, const Instant& after) {
  VecX most = VecX::Zero(before.w.size());
  for (const Instant& at : r.plan.points) most = most.cwiseMax(at.w.cwiseAbs());
  return ((before.w - after.w).cwiseAbs().array() > 1e-6 * most.array()).any();
}

nlohmann::json json_of(const Analysis& a) {
  nlohmann::json out = {{"speeds", a.speeds},
                        {"independent_constraints", a.independent_constraints},
                        {"degrees_of_freedom", a.degrees_of_freedom},
                        {"massless_motions", a.massless_motions},
                        {"inputs", a.inputs},
                        {"outputs", a.outputs},
                        {"input_rank", a.input_rank},
                        {"output_rank", a.output_rank},
                        {"coupling_rank", a.coupling_rank},
                        {"realisation", name_of(a.realisation)},
                        {"flat", a.flat},
                        {"flat_about_rest", a.flat_about_rest},
                        {"internal_states", a.internal_states},
                        {"relative_degrees", a.relative_degrees},
                        {"least_gap_of_ranks", a.least_gap},
                        {"singular_times", a.singular_times}};
  if (a.index) out["index"] = *a.index;
  out["internal_poles"] = nlohmann::json::array();
  for (const auto& pole : a.internal_poles) out["internal_poles"].push_back({pole.real(), pole.imag()});
  return out;
}

nlohmann::json errors_of(const PlanResult& r, const std::optional<inverse_dynamics::Replay>& replay) {
  nlohmann::json rows = nlohmann::json::object();
  if (replay && replay->complete)
    for (Eigen::Index i = 0; i < replay->largest.size(); ++i)
      rows[r.model.problem.row_name(static_cast<int>(i))] = replay->largest[i];
  return rows;
}

}  // namespace

std::vector<std::string> warnings_of(const PlanResult& r) {
  std::vector<std::string> out = r.warnings;
  for (const auto& gap : r.plan.singular)
    out.push_back(fmt::format("the crane is at a singular place between {} and {} s: the plan is interpolated there",
                              number(gap.from), number(gap.to)));
  for (const Push& push : r.pushes)
    out.push_back(fmt::format("'{}' would have to push from {} to {} s, by up to {}", push.rope, number(push.from),
                              number(push.to), html::with_unit(push.most, "N")));
  return out;
}

std::vector<std::string> why_not_as_asked(const PlanResult& r) {
  std::vector<std::string> out;
  for (const PlanUse& use : r.uses)
    if (!use.kept()) out.push_back("the limit '" + use.what + "' is exceeded");
  for (const Push& push : r.pushes) out.push_back("'" + push.rope + "' would have to push");
  return out;
}

std::string csv_of(const PlanResult& r) {
  const std::vector<NamedCoordinate> coordinates = coordinates_of(*r.model.model);
  std::string out = head_of(r, coordinates);
  constexpr double just_before = 1e-6;  // of the time to the point before
  const auto& points = r.plan.points;
  for (size_t k = 0; k < points.size(); ++k) {
    double t = points[k].t;
    // Of a time that comes twice the first is before a jump; times in a file rise.
    if (k + 1 < points.size() && points[k + 1].t == t) {
      if (k == 0 || !jumps(r, points[k], points[k + 1])) continue;
      t -= just_before * (t - points[k - 1].t);
    }
    out += row_of(r, coordinates, t, points[k]);
  }
  return out;
}

nlohmann::json json_of(const PlanResult& r, const input::Problems& problems) {
  nlohmann::json out;
  out["analysis"] = json_of(r.analysis);
  out["duration"] = r.over;
  out["smoothness"] = r.smoothness;
  out["method"] = r.method;
  out["complete"] = r.plan.complete;
  out["notes"] = r.model.notes;
  out["warnings"] = warnings_of(r);
  for (const input::Problem& problem : problems.all()) out["warnings"].push_back(problem.message);
  const std::vector<std::string> why = why_not_as_asked(r);
  out["exit"] = {{"code", why.empty() ? exit_ok : exit_limit}, {"why", why}};
  const std::vector<std::string> names = r.model.model->speed_names();
  out["dummy_derivatives"] = nlohmann::json::array();
  for (const auto& chosen : r.plan.dummies) {
    nlohmann::json speeds = nlohmann::json::array();
    for (const int u : chosen) speeds.push_back(names[static_cast<size_t>(u)]);
    out["dummy_derivatives"].push_back(speeds);
  }
  for (const PlanUse& use : r.uses)
    out["limits"].push_back({{"what", use.what},
                             {"unit", use.unit},
                             {"bound", use.bound},
                             {"reached", use.largest},
                             {"at", use.at},
                             {"kept", use.kept()}});
  out["largest_errors"] = {{"rigid", errors_of(r, r.rigid)}, {"elastic", errors_of(r, r.elastic)}};
  return out;
}

}  // namespace davit::app
