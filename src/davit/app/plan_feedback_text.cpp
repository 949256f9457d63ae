#include "davit/app/plan_feedback_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "davit/app/terminal.hpp"

namespace davit::app {

namespace {

using inverse_dynamics::LoopResult;

}  // namespace

std::string poles_text(inverse_dynamics::Poles poles) {
  std::sort(poles.begin(), poles.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() > b.real() : std::abs(a.imag()) < std::abs(b.imag());
  });
  std::vector<std::pair<std::string, int>> counts;
  for (const auto& pole : poles) {
    if (pole.imag() < -1e-6) continue;
    const double size = 5e-7 * (1 + std::abs(pole));
    const double real = std::abs(pole.real()) < size ? 0 : pole.real();
    const std::string text =
        std::abs(pole.imag()) < 1e-6 ? fmt::format("{:.4g}", real) : fmt::format("{:.4g} ± {:.4g}i", real, pole.imag());
    const auto same = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == text; });
    if (same == counts.end()) {
      counts.emplace_back(text, 1);
    } else {
      ++same->second;
    }
  }
  std::string out;
  for (const auto& [text, count] : counts)
    out += (out.empty() ? "" : ", ") + text + (count > 1 ? fmt::format(" ({} times)", count) : "");
  return out;
}

void print_feedback(const PlanFeedback& f, const PlanResult& plan) {
  say("\n  feedback: {}, every {} s{}\n", f.law, number(f.sample_time),
      f.delay > 0 ? fmt::format(", {} late", counted(static_cast<size_t>(f.delay), "sample")) : "");
  for (const std::string& line : f.design) say("            {}\n", line);
  say("            poles of the closed loop {} 1/s; sampled |z| ≤ {:.4f}\n", poles_text(f.poles), f.largest_multiplier);
  for (const std::string& what : f.disturbances) say("  disturbed: {}\n", what);
  Table table({"output", "largest error without feedback", "with", "at the end without", "with"});
  const auto shown = [](const LoopResult& r, const VecX& errors, Eigen::Index i) {
    return r.complete ? fmt::format("{:.3g}", std::abs(errors[i])) : std::string("runs away");
  };
  for (Eigen::Index i = 0; i < plan.model.problem.rows(); ++i)
    table.add({plan.model.problem.row_name(static_cast<int>(i)), shown(f.without, f.without.largest, i),
               shown(f.with, f.with.largest, i), shown(f.without, f.without.last, i), shown(f.with, f.with.last, i)});
  say("\n{}", table.text(1));
  if (f.elastic && f.elastic->complete) {
    std::string errors;
    for (Eigen::Index i = 0; i < f.elastic->largest.size(); ++i)
      errors += fmt::format("{}{:.3g}, at the end {:.2g}", i == 0 ? "" : "; ", f.elastic->largest[i],
                            std::abs(f.elastic->last[i]));
    say("  with elastic ropes and feedback: largest errors {}\n", errors);
  } else if (f.elastic) {
    say("  warning: with elastic ropes and feedback {}\n", f.elastic->why);
  }
  if (f.with.saturated > 0)
    say("  note: an input was at its limit in {} of {} samples\n", f.with.saturated, f.with.inputs.size());
  if (!f.with.complete) say("  warning: with feedback {}\n", f.with.why);
  for (const std::string& warning : f.warnings) say("  warning: {}\n", warning);
}

nlohmann::json json_of(const PlanFeedback& f, const PlanResult& plan) {
  nlohmann::json out = {{"law", f.law},
                        {"sample_time", f.sample_time},
                        {"delay_samples", f.delay},
                        {"largest_multiplier", f.largest_multiplier},
                        {"saturated_samples", f.with.saturated},
                        {"complete", f.with.complete},
                        {"disturbances", f.disturbances}};
  for (const auto& pole : f.poles) out["poles"].push_back({pole.real(), pole.imag()});
  const auto errors = [&](const LoopResult& r) {
    nlohmann::json rows = nlohmann::json::object();
    if (r.complete)
      for (Eigen::Index i = 0; i < r.largest.size(); ++i)
        rows[plan.model.problem.row_name(static_cast<int>(i))] = {
            {"largest", r.largest[i]}, {"rms", r.rms[i]}, {"last", r.last[i]}};
    return rows;
  };
  out["errors"] = {{"without", errors(f.without)}, {"with", errors(f.with)}};
  if (f.elastic) out["errors"]["elastic"] = errors(*f.elastic);
  return out;
}

}  // namespace davit::app
