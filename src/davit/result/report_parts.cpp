#include "davit/result/report_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/html/html.hpp"

namespace davit::result {

std::string phase_at(const RunSummary& summary, double time) {
  std::string out;
  for (const PhaseTime& phase : summary.phases) {
    if (!phase.begun || time < *phase.begun || (phase.ended && time > *phase.ended)) continue;
    out += (out.empty() ? "" : ", ") + phase.name;
  }
  return out;
}

std::string when_html(const RunSummary& summary, const std::optional<double>& time) {
  std::string out = html::number(time);
  if (const std::string phase = time ? phase_at(summary, *time) : ""; !phase.empty())
    out += "<small>" + html::escape(phase) + "</small>";
  return out;
}

std::string use_bar(const std::optional<double>& use) {
  if (!use) return "–";
  const char* kind = *use > 1 ? "over" : *use > 0.9 ? "near" : "";
  return fmt::format(
      R"(<span class="use"><svg viewBox="0 0 125 10" preserveAspectRatio="none"><rect class="track" width="125" height="10"/>)"
      R"(<rect class="fill {}" width="{:.1f}" height="10"/><path class="mark" d="M100 0V10"/></svg>{}</span>)",
      kind, std::clamp(100 * *use, 0.0, 125.0), *use < 10 ? fmt::format("{:.1f} %", 100 * *use) : "&gt; 999 %");
}

std::string four_digits(double value) { return html::number(std::stod(fmt::format("{:.4g}", value))); }

std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "<section><h2>" + html::escape(title) + "</h2>\n" + content + "</section>\n";
}

}  // namespace davit::result
