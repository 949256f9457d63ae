// The page of a report, section by section. Loads and motions are in report_loads.cpp, pictures in sketch.cpp.
#include "davit/result/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "davit/html/html.hpp"
#include "davit/html/page.hpp"
#include "davit/html/plot.hpp"
#include "davit/result/report_loads.hpp"
#include "davit/result/report_parts.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/scene_sketch.hpp"
#include "davit/result/write_whole.hpp"

namespace davit::result {
namespace {

using html::escape;
using html::number;

// One section after the other, appended to one text.
class Page {
 public:
  Page(const RunSummary& summary, const Result& result, const ReportPictures& pictures)
      : summary_(summary), result_(result), pictures_(pictures), units_(units_of(summary)), floor_(summary.channels) {
    for (const BodyRow& body : summary.model.bodies) heaviest_ = std::max(heaviest_, body.mass);
    for (const ChannelStatistics& each : summary.channels) statistics_.emplace(each.channel.name, &each);
    for (const CheckedLimit& each : summary.limits) limits_of_[each.limit.channel].push_back(&each);
  }

  std::string make() {
    head();
    title_block();
    warnings();
    pictures();
    limits();
    add("{}", assumptions());
    surroundings();
    add("{}", floating_section(summary_));
    operation();
    add("{}{}{}{}", rigging_section(summary_), reactions_section(summary_), contacts_section(summary_),
        motions_section(summary_));
    quality();
    plots();
    model();
    modes();
    extremes();
    how_it_was_run();
    scenario();
    add("<footer>Made by Davit {}. The result file has SI units; z is up, the still water plane is at z = 0.</footer>",
        escape(result_.header().davit_version));
    return html::document(summary_.title, out_);
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  std::string quantity(double value, const std::string& unit) const {
    return quantity(value, html::display_unit(unit, value, summary_.units));
  }
  static std::string quantity(double value, const html::DisplayUnit& shown) {
    return shown.name.empty() ? number(value * shown.scale) : number(value * shown.scale) + " " + escape(shown.name);
  }

  void head() {
    const std::string& created = summary_.created.empty() ? result_.header().created : summary_.created;
    add("<header><h1>{}</h1><p class=\"soft\">{}{}{}</p></header>\n", escape(summary_.title),
        escape(result_.header().scenario_file), created.empty() || result_.header().scenario_file.empty() ? "" : " · ",
        escape(created));
    const auto count = [&](bool (*is)(Verdict)) {
      return std::count_if(summary_.limits.begin(), summary_.limits.end(),
                           [&](const CheckedLimit& limit) { return is(davit::result::verdict(limit.result)); });
    };
    const auto undecided = count([](Verdict v) { return v == Verdict::undecided; }),
               exceeded = count([](Verdict v) { return v != Verdict::undecided && v != Verdict::passed; });
    const std::size_t all = summary_.limits.size();
    const std::string some = all == 1 ? "The one limit" : fmt::format("All {} limits", all);
    const std::string of_limits =
        all == 0        ? "No limits were set."
        : exceeded > 0  ? fmt::format("{} of {} limit{} exceeded", exceeded, all, all == 1 ? "" : "s")
        : undecided > 0 ? some + (all == 1 ? " is undecided: not exceeded" : " are undecided: none was exceeded")
                        : some + " passed";
    const std::string length =
        fmt::format("{} s simulated in {} steps", number(summary_.simulated_time), summary_.steps);
    const bool stopped = summary_.status.starts_with("stopped");
    if (stopped || summary_.status.starts_with("broken")) {
      const auto colon = summary_.status.find(':');
      const std::string why = colon == std::string::npos ? "" : summary_.status.substr(colon + 1);
      verdict(
          "bad",
          fmt::format("The {}{}{}", stopped ? "operation stopped" : "run broke", why.empty() ? "" : ":", escape(why)),
          fmt::format("{}. {}{}", length, of_limits, all ? " up to then." : ""));
    } else if (summary_.status != "complete") {
      verdict("warn", fmt::format("The run is not complete ({})", escape(summary_.status)),
              fmt::format("{}. {}{}", length, of_limits, all ? " up to then." : ""));
    } else {
      const bool doubtful = !exceeded && !summary_.quality.good();
      verdict(exceeded   ? "bad"
              : doubtful ? "warn"
              : all      ? "good"
                         : "",
              (all ? of_limits : "The run is complete") + (doubtful ? ", but its numerical quality is poor" : ""),
              all ? length : fmt::format("{}. {}", length, of_limits));
    }
  }

  void verdict(const char* kind, const std::string& text, const std::string& detail) {
    add("<div class=\"verdict {}\"><b>{}</b><span class=\"soft\">{}</span></div>\n", kind, text, detail);
  }

  void title_block() {
    const TitleBlock& block = summary_.title_block;
    if (block.empty()) return;
    add("<dl class=\"pairs block\">");
    const std::pair<const char*, const std::string&> entries[] = {
        {"Project", block.project},   {"Client", block.client},   {"Document", block.document},
        {"Revision", block.revision}, {"Made by", block.made_by}, {"Checked by", block.checked_by}};
    for (const auto& [name, value] : entries)
      if (!value.empty()) pair(name, escape(value));
    add("</dl>\n");
    if (!block.notes.empty()) add("<p>{}</p>\n", escape(block.notes));
  }

  // When the lift was closest to a limit, or beyond; else when a rope carried most.
  std::optional<std::pair<double, std::string>> worst_moment() const {
    std::optional<std::pair<double, std::string>> worst;
    double most = 0;
    for (const CheckedLimit& each : summary_.limits)
      if (each.result.utilisation && each.result.worst_time && *each.result.utilisation > most) {
        most = *each.result.utilisation;
        worst = {*each.result.worst_time,
                 fmt::format("{} is at {:.0f} % of its limit", each.limit.channel, 100 * std::min(most, 99.99))};
      }
    if (worst) return worst;
    for (const RopeUse& rope : summary_.ropes)
      if (rope.largest > most) {
        most = rope.largest;
        worst = {rope.largest_time, fmt::format("{} carries most", rope.name)};
      }
    return worst;
  }

  void pictures() {
    std::vector<SketchMoment> moments;
    if (auto start = sketch_at(result_, -1); !start.empty()) {
      moments.push_back({"At the start", std::move(start)});
      if (const auto worst = worst_moment(); worst && worst->first > 0)
        moments.push_back(
            {fmt::format("At {} s: {}", number(worst->first), worst->second), sketch_at(result_, worst->first)});
    } else {
      moments.push_back({"", pictures_.drawing});
    }
    const std::string figures = sketch_figures(moments);
    add("{}", section("The lift", pictures_.replay + figures));
  }

  void surroundings() {
    if (summary_.surroundings.empty()) return;
    add("<section><h2>Sea and wind</h2><div class=\"wide\"><table><tbody>\n");
    for (const Fact& fact : summary_.surroundings)
      add("<tr><td class=\"name\">{}</td><td>{}</td></tr>\n", escape(fact.name),
          fact.value ? quantity(*fact.value, fact.unit) : escape(fact.text));
    add("</tbody></table></div></section>\n");
  }

  std::string assumptions() const {
    std::string list;
    for (const std::string& each : summary_.assumptions) list += "<li>" + escape(each) + "</li>";
    return section("Assumptions", list.empty() ? "" : "<ul class=\"notes\">" + list + "</ul>");
  }

  void warnings() {
    if (summary_.warnings.empty()) return;
    add("<section><h2>Warnings</h2><ul class=\"warnings\">");
    for (const std::string& warning : summary_.warnings) add("<li>{}</li>", escape(warning));
    add("</ul></section>\n");
  }

  void limits() {
    if (summary_.limits.empty()) return;
    add("<section><h2>Limits</h2><div class=\"wide\"><table><thead><tr><th>Channel</th><th class=\"n\">Limit</th>"
        "<th class=\"n\">Worst</th><th class=\"n\">at [s]</th><th class=\"n\">First exceeded [s]</th>"
        "<th class=\"n\">Utilisation</th><th>Result</th></tr></thead><tbody>\n");
    for (const CheckedLimit& each : summary_.limits) {
      const html::DisplayUnit unit = unit_of(each, summary_.units);
      const auto shown = [&](const std::optional<double>& value) { return value ? quantity(*value, unit) : "–"; };
      std::string bound = (each.limit.side == Limit::Side::above ? "≥ " : "≤ ") + shown(each.result.bound);
      for (const std::string& more : {each.limit.asked, window_text(each.limit)})
        if (!more.empty()) bound += "<small>" + escape(more) + "</small>";
      add("<tr><td class=\"name\">{}<small>{}</small></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n "
          "t\">{}</td><td class=\"n t\">{}</td><td class=\"n\">{}</td>",
          escape(each.limit.channel), escape(each.limit.text), bound, shown(each.result.worst),
          when_html(summary_, each.result.worst_time), when_html(summary_, each.result.first_exceeded),
          use_bar(each.result.utilisation));
      const Verdict judged = davit::result::verdict(each.result);
      add("<td class=\"{}\">{}</td></tr>\n",
          judged == Verdict::passed      ? "passed"
          : judged == Verdict::undecided ? "caution"
                                         : "exceeded",
          name_of(judged));
    }
    add("</tbody></table></div></section>\n");
  }

  void operation() {
    if (summary_.phases.empty()) return;
    add("<section><h2>Operation</h2><div class=\"wide\"><table><thead><tr><th>Phase</th><th class=\"n\">Begins "
        "[s]</th><th class=\"n\">Ends [s]</th><th class=\"n\">Takes [s]</th><th></th></tr></thead><tbody>\n");
    for (const PhaseTime& phase : summary_.phases) {
      const bool done = phase.status == "done";
      const auto takes = phase.begun && phase.ended ? std::optional(*phase.ended - *phase.begun) : std::nullopt;
      add("<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
          "class=\"{}\">{}</td></tr>\n",
          escape(phase.name), number(phase.begun), number(phase.ended), number(takes),
          done                       ? "passed"
          : phase.status == "failed" ? "exceeded"
                                     : "caution",
          escape(phase.status));
    }
    add("</tbody></table></div></section>\n");
  }

  void quality() {
    if (summary_.quality.checks.empty()) return;
    const Trust trust = summary_.quality.trust();
    add("<section><h2>Numerical quality</h2>");
    verdict(trust == Trust::green   ? "good"
            : trust == Trust::amber ? "warn"
                                    : "bad",
            trust == Trust::green   ? "Green: the numbers can be relied on"
            : trust == Trust::amber ? "Amber: some errors are larger than they should be"
                                    : "Red: the errors are too large to use the numbers",
            trust == Trust::green ? "every measured error is within its bound"
                                  : "what to do stands beside each bound that is missed; then run again");
    add("<div class=\"wide\"><table><thead><tr><th>Measured</th><th "
        "class=\"n\">Value</th><th class=\"n\">At most</th><th>Result</th></tr></thead><tbody>\n");
    for (const QualityCheck& check : summary_.quality.checks)
      add("<tr><td class=\"name\">{}<small>{}</small></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
          "class=\"{}\">{}</td></tr>\n",
          escape(check.name), check.passed() ? "" : escape(check.remedy), quantity(check.value, check.unit),
          quantity(check.most, check.unit), check.passed() ? "passed" : "caution", check.passed() ? "good" : "poor");
    add("</tbody></table></div>\n");
    confirmed_peaks();
    for (const std::string& remark : summary_.quality.remarks) add("<p>Note: {}.</p>\n", escape(remark));
    add("</section>\n");
  }

  void confirmed_peaks() {
    if (summary_.quality.peaks.empty()) return;
    add("<p>The stretches that lead to these worst values were run again at half the step.</p>"
        "<div class=\"wide\"><table><thead><tr><th>Worst value of</th><th class=\"n\">At</th><th class=\"n\">In the "
        "run</th><th class=\"n\">At half the step</th><th class=\"n\">Change</th></tr></thead><tbody>\n");
    for (const Peak& peak : summary_.quality.peaks)
      add("<tr><td class=\"name\">{}<small>{}</small></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
          "class=\"n\">{}</td><td class=\"n\">{:.2g} %</td></tr>\n",
          escape(peak.channel), peak.bound ? "limit" : "", quantity(peak.t, "s"), quantity(peak.value, peak.unit),
          quantity(peak.at_half_step, peak.unit), 100 * peak.moved());
    add("</tbody></table></div>\n");
  }

  // Throughout, or so small beside what it is compared with that it is nothing but round-off.
  bool is_zero(const std::string& name) const {
    const auto found = statistics_.find(name);
    if (found == statistics_.end()) return false;
    const Statistics& s = found->second->statistics;
    const ChannelInfo& channel = found->second->channel;
    return floor_.clean(channel, s.min) == 0 && floor_.clean(channel, s.max) == 0;
  }

  void plots() {
    struct Group {
      std::string title;
      std::string unit;
      std::vector<std::size_t> channels;
    };
    std::vector<Group> groups;
    std::map<std::pair<std::string, std::string>, std::size_t> index;  // of groups, by title and unit
    const auto& channels = result_.channels();
    for (std::size_t c = 0; c < channels.size(); ++c) {
      if (!channels[c].main || is_zero(channels[c].name)) continue;
      const std::string& title = compared_with(channels[c]);
      const auto [group, is_new] = index.emplace(std::pair(title, channels[c].unit), groups.size());
      if (is_new) groups.push_back({title, channels[c].unit, {}});
      groups[group->second].channels.push_back(c);
    }
    if (groups.empty() || result_.rows() == 0) return;

    add("<section><h2>Time histories</h2><p class=\"soft hint\" hidden>Point at a curve to read it, drag to zoom, "
        "double "
        "click to see all again; a click on a name hides its curve.</p>\n");
    const std::vector<double> times = result_.times();
    for (const Group& group : groups) {
      const html::DisplayUnit shown = units_.of(group.title, group.unit);
      html::Plot plot{.title = group.title, .unit = shown.name};
      for (const std::size_t c : group.channels) {
        std::vector<double> values = result_.channel(channels[c].name);
        if (channels[c].unit == "rad") unwrap(values);
        for (double& value : values) value *= shown.scale;
        plot.curves.push_back({channels[c].name, channels[c].description, {times, std::move(values)}});
        const auto limited = limits_of_.find(channels[c].name);
        if (limited == limits_of_.end()) continue;
        for (const CheckedLimit* each : limited->second)
          if (each->result.bound)
            plot.limits.push_back(
                {limit_name(*each, shown), *each->result.bound * shown.scale, each->limit.side == Limit::Side::above});
      }
      out_ += html::plot_figure(plot);
    }
    add("</section>\n");
  }

  static std::string limit_name(const CheckedLimit& each, const html::DisplayUnit& shown) {
    return fmt::format("{} {} {} {}", each.limit.channel, each.limit.side == Limit::Side::below ? "≤" : "≥",
                       number(*each.result.bound * shown.scale), shown.name);
  }

  void elements(const char* title, const std::vector<ElementRow>& rows) {
    if (rows.empty()) return;
    add("<h3>{}</h3><div class=\"wide\"><table><thead><tr><th>Name</th><th>Description</th></tr></thead>"
        "<tbody>",
        title);
    for (const ElementRow& row : rows) {
      add("<tr><td class=\"name\">{}</td><td>{}</td></tr>", escape(row.name), escape(row.description));
    }
    add("</tbody></table></div>\n");
  }

  void model() {
    add("<section><h2>Model</h2>\n");
    if (!summary_.facts.empty()) {
      add("<dl class=\"pairs\">");
      for (const Fact& fact : summary_.facts) {
        if (fact.name == "vessel" && !summary_.floating.empty()) continue;  // with the floating condition
        pair(fact.name, fact.value ? quantity(*fact.value, fact.unit) : escape(fact.text));
      }
      add("</dl>\n");
    }
    if (!summary_.model.bodies.empty()) {
      const html::DisplayUnit mass = html::display_unit("kg", heaviest_, summary_.units);
      add("<h3>Bodies</h3><div class=\"wide\"><table><thead><tr><th>Body</th><th class=\"n\">Mass [{}]</th>"
          "<th class=\"n\">Centre x, y, z [m]</th><th>On</th><th>Joint</th></tr></thead><tbody>",
          mass.name);
      for (const BodyRow& body : summary_.model.bodies) {
        add("<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}, {}, "
            "{}</td><td>{}</td><td>{}</td></tr>",
            escape(body.name), number(body.mass * mass.scale), number(body.centre[0]), number(body.centre[1]),
            number(body.centre[2]), escape(body.parent), escape(body.joint));
      }
      add("</tbody></table></div>\n");
    }
    elements("Forces", summary_.model.forces);
    elements("Controllers", summary_.model.controllers);
    add("</section>\n");
  }

  void modes() {
    if (summary_.modes.empty()) return;
    add("<section><h2>Modes</h2><p class=\"soft\">Those that ring come first, those with more than half of critical "
        "damping last.{}</p><div class=\"wide\"><table><thead><tr><th class=\"n\">No.</th><th "
        "class=\"n\">Frequency "
        "[Hz]</th><th class=\"n\">Period [s]</th><th class=\"n\">Damping [% of "
        "critical]</th><th>Shape</th></tr></thead>"
        "<tbody>",
        summary_.modes_left_out.empty() ? "" : " Left out: " + escape(summary_.modes_left_out) + ".");
    for (std::size_t i = 0; i < summary_.modes.size(); ++i) {
      const Mode& mode = summary_.modes[i];
      add("<tr><td class=\"n t\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
          "class=\"n\">{}</td><td>{}</td></tr>",
          i + 1, number(mode.frequency), number(mode.period), number(100 * mode.damping_ratio), escape(mode.shape));
    }
    add("</tbody></table></div></section>\n");
  }

  // Those that are plotted; all others are folded away.
  void extremes() {
    const auto plotted = std::count_if(summary_.channels.begin(), summary_.channels.end(),
                                       [](const ChannelStatistics& each) { return each.channel.main; });
    const auto others = static_cast<std::ptrdiff_t>(summary_.channels.size()) - plotted;
    if (summary_.channels.empty()) return;
    add("<section><h2>Extremes</h2>");
    if (plotted > 0) extremes_table(true);
    if (others > 0) {
      add("<details><summary>{} other channels</summary>", others);
      extremes_table(false);
      add("</details>");
    }
    add("</section>\n");
  }

  void extremes_table(bool main) {
    add("<div class=\"wide\"><table><thead><tr><th>Channel</th><th>Unit</th><th "
        "class=\"n\">Min</th><th class=\"n\">at [s]</th><th class=\"n\">Max</th><th class=\"n\">at [s]</th><th "
        "class=\"n\">Mean</th><th class=\"n\">Std. dev.</th></tr></thead><tbody>\n");
    for (const ChannelStatistics& each : summary_.channels) {
      if (each.channel.main != main) continue;
      const Statistics& s = each.statistics;
      const html::DisplayUnit unit = units_.of(compared_with(each.channel), each.channel.unit);
      const auto shown = [&](double x) { return number(floor_.clean(each.channel, x) * unit.scale); };
      add("<tr><td class=\"name\" title=\"{}\">{}", escape(each.channel.description), escape(each.channel.name));
      if (s.not_finite > 0)
        add("<small class=\"exceeded\">{} samples are not finite and left out</small>", s.not_finite);
      add("</td><td>{}</td><td class=\"n\">{}</td><td class=\"n t\">{}</td><td class=\"n\">{}</td><td class=\"n "
          "t\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
          escape(unit.name), shown(s.min), number(s.min_time), shown(s.max), number(s.max_time), shown(s.mean),
          shown(s.standard_deviation));
    }
    add("</tbody></table></div>\n");
  }

  void pair(const std::string& name, const std::string& html) {
    add("<div><dt>{}</dt><dd>{}</dd></div>", escape(name), html);
  }

  void how_it_was_run() {
    add("<section><h2>How it was run</h2><dl class=\"pairs\">");
    pair("Method", escape(summary_.method));
    pair("Step", number(summary_.step) + " s");
    pair("Steps", fmt::format("{}", summary_.steps));
    pair("Rejected steps", fmt::format("{}", summary_.rejected_steps));
    pair("Evaluations", fmt::format("{}", summary_.evaluations));
    pair("Seed", fmt::format("{}", summary_.seed));
    pair("Simulated time", number(summary_.simulated_time) + " s");
    pair("Wall time", number(summary_.wall_time) + " s");
    pair("Real-time factor", number(summary_.real_time_factor));
    pair("Status", escape(summary_.status));
    for (const auto& [name, version] : summary_.versions) pair(name, escape(version));
    for (const auto& [name, file] : summary_.files) pair(name, escape(file));
    add("</dl>\n");
    if (!summary_.step_advice.empty()) add("<p>{}</p>", escape(summary_.step_advice));
    add("</section>\n");
  }

  void scenario() {
    const RunHeader& header = result_.header();
    if (header.scenario.empty()) return;
    add("<section><h2>Scenario</h2><details><summary>The effective scenario, as it was run</summary><pre>{}</pre>"
        "</details>",
        escape(header.scenario));
    if (!header.provenance.empty()) {
      add("<details><summary>Where its parts come from</summary><pre>{}</pre></details>", escape(header.provenance));
    }
    add("</section>\n");
  }

  const RunSummary& summary_;
  const Result& result_;
  const ReportPictures& pictures_;
  html::DisplayUnits units_;
  std::map<std::string_view, const ChannelStatistics*> statistics_;
  std::map<std::string_view, std::vector<const CheckedLimit*>> limits_of_;
  double heaviest_ = 0;
  NoiseFloor floor_;
  std::string out_;
};

}  // namespace

std::string report_html(const RunSummary& summary, const Result& result, const ReportPictures& pictures) {
  return Page(summary, result, pictures).make();
}

void write_report(const RunSummary& summary, const Result& result, const ReportPictures& pictures,
                  const std::filesystem::path& path) {
  write_whole(path, report_html(summary, result, pictures));
}

}  // namespace davit::result
