#include "davit/result/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/html/html.hpp"
#include "davit/html/page.hpp"
#include "davit/html/plot.hpp"
#include "davit/html/table.hpp"
#include "davit/result/report_parts.hpp"

namespace davit::result {
namespace {

using html::escape;
using html::number;
using html::Table;
using Align = Table::Align;
using Runs = std::vector<ComparedRun>;

std::string shortened(double value) { return std::isfinite(value) ? four_digits(value) : "–"; }

// Of a run beside the first one, in per cent of the first.
std::string difference(double first, double other) {
  if (!std::isfinite(first) || !std::isfinite(other) || first == 0) return "–";
  const double percent = 100 * (other - first) / std::abs(first);
  if (std::abs(percent) < 0.05) return "±0 %";
  if (std::abs(percent) >= 1000) return "&gt; ±999 %";
  return fmt::format("{}{:.1f} %", percent > 0 ? "+" : "−", std::abs(percent));
}

std::string verdict_of(const RunSummary& summary) {
  const auto count = [&](auto is) {
    return std::count_if(summary.limits.begin(), summary.limits.end(),
                         [&](const CheckedLimit& l) { return is(verdict(l.result)); });
  };
  const auto kept = count([](Verdict v) { return v == Verdict::passed; });
  const auto undecided = count([](Verdict v) { return v == Verdict::undecided; });
  const auto all = static_cast<std::ptrdiff_t>(summary.limits.size());
  const bool complete = summary.status == "complete";
  // Of a run that did not come to its end nothing has passed, and what was not exceeded is open.
  const std::string words = all == 0           ? "no limits"
                            : undecided == 0   ? fmt::format("{} of {} limits passed", kept, all)
                            : undecided == all ? fmt::format("{} limit{} undecided", all, all == 1 ? "" : "s")
                                               : fmt::format("{} of {} limits exceeded, {} undecided",
                                                             all - kept - undecided, all, undecided);
  const char* kind = all - kept - undecided > 0 || !(complete || summary.status == "interrupted") ? "exceeded"
                     : kept < all || !complete                                                    ? "caution"
                                                                                                  : "passed";
  return fmt::format("<span class=\"{}\">{}</span>{}", kind, words,
                     complete ? "" : "<small>" + escape(summary.status) + "</small>");
}

std::string quality_of(const RunSummary& summary) {
  if (summary.quality.checks.empty()) return "–";
  const Trust trust = summary.quality.trust();
  return fmt::format("<span class=\"{}\">{}</span>",
                     trust == Trust::green   ? "passed"
                     : trust == Trust::amber ? "caution"
                                             : "exceeded",
                     trust == Trust::green   ? "green"
                     : trust == Trust::amber ? "amber"
                                             : "red");
}

std::string weather(const RunSummary& summary, const std::string& of) {
  for (const Fact& fact : summary.surroundings)
    if (fact.name == of + ", as given") return escape(fact.text);
  return "–";
}

std::vector<Table::Column> columns_of(const Runs& runs, std::vector<Table::Column> first, Align align) {
  for (const ComparedRun& run : runs) first.push_back({run.name, align});
  return first;
}

// What is a row of its own, of several runs, in the order in which it comes up first.
template <typename Items, typename Key>
std::vector<std::string> keys_of(const Runs& runs, const Items& items, const Key& key) {
  std::vector<std::string> out;
  std::map<std::string, bool> known;
  for (const ComparedRun& run : runs)
    for (const auto& item : items(run.summary))
      if (known.emplace(key(item), true).second) out.push_back(key(item));
  return out;
}

template <typename Items, typename Key>
auto find_by(const Items& items, const Key& key, const std::string& wanted) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return key(item) == wanted; });
  return found == items.end() ? nullptr : &*found;
}

std::string overview(const Runs& runs) {
  Table table(columns_of(runs, {{"", Align::text}}, Align::text));
  const auto row = [&](const char* title, const auto& cell) {
    std::vector<std::string> cells = {title};
    for (const ComparedRun& run : runs) cells.push_back(cell(run.summary));
    table.add(cells);
  };
  row("Lift", [](const RunSummary& s) { return escape(s.title); });
  row("Verdict", verdict_of);
  row("Numerical quality", quality_of);
  row("Waves", [](const RunSummary& s) { return weather(s, "waves"); });
  row("Wind", [](const RunSummary& s) { return weather(s, "wind"); });
  row("Current", [](const RunSummary& s) { return weather(s, "current"); });
  row("Seed", [](const RunSummary& s) { return fmt::format("{}", s.seed); });
  row("Method", [](const RunSummary& s) { return escape(s.method.substr(0, s.method.find(':'))); });
  row("Step", [](const RunSummary& s) { return number(s.step) + " s"; });
  row("Simulated", [](const RunSummary& s) { return shortened(s.simulated_time) + " s"; });
  row("Steps", [](const RunSummary& s) { return fmt::format("{}", s.steps); });
  row("Made", [](const RunSummary& s) { return escape(s.created); });
  return section("Runs", table.html());
}

const auto limits_in = [](const RunSummary& s) -> const auto& { return s.limits; };
const auto limit_key = [](const CheckedLimit& l) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", l.limit.channel, name_of(l.limit.side), window_text(l.limit), l.limit.text,
                     l.limit.asked);
};

std::string limits(const Runs& runs) {
  Table table(columns_of(runs, {{"Limit", Align::text}}, Align::number));
  for (const std::string& key : keys_of(runs, limits_in, limit_key)) {
    std::vector<std::string> cells(1);
    for (const ComparedRun& run : runs) {
      const CheckedLimit* limit = find_by(run.summary.limits, limit_key, key);
      if (!limit) {
        cells.push_back("–");
        continue;
      }
      const html::DisplayUnit unit = unit_of(*limit, run.summary.units);
      const auto shown = [&](const std::optional<double>& x) {
        return x ? shortened(*x * unit.scale) + " " + escape(unit.name) : "–";
      };
      const Verdict judged = verdict(limit->result);
      if (cells[0].empty())
        cells[0] = fmt::format("{}<small>{} {}</small>", escape(limit->limit.channel), escape(limit->limit.text),
                               escape(window_text(limit->limit)));
      cells.push_back(fmt::format("{}{} of {} {}<small>at {} s</small><small class=\"{}\">{}</small>",
                                  use_bar(limit->result.utilisation), shown(limit->result.worst),
                                  limit->limit.side == Limit::Side::below ? "≤" : "≥", shown(limit->result.bound),
                                  shortened(limit->result.worst_time.value_or(NAN)),
                                  judged == Verdict::passed      ? "passed"
                                  : judged == Verdict::undecided ? "caution"
                                                                 : "exceeded",
                                  name_of(judged)));
    }
    table.add(cells);
  }
  return table.empty() ? "" : section("Limits", table.html());
}

// Of the channels that any of the runs plots, in one unit.
class Channels {
 public:
  explicit Channels(const Runs& runs) : runs_(runs), units_(runs.front().summary.units) {
    for (const ComparedRun& run : runs) {
      floors_.emplace_back(run.summary.channels);
      for (const ChannelStatistics& each : run.summary.channels) {
        by_name_[each.channel.name].resize(runs.size());
        by_name_[each.channel.name][static_cast<std::size_t>(&run - runs.data())] = &each;
        for (const double extreme : {each.statistics.min, each.statistics.max})
          units_.see(compared_with(each.channel), each.channel.unit, extreme);
        if (each.channel.main && !std::count(names_.begin(), names_.end(), each.channel.name))
          names_.push_back(each.channel.name);
      }
    }
    const auto is_zero = [&](const std::string& name) {
      for (const ChannelStatistics* each : by_name_[name])
        if (each && (each->statistics.min != 0 || each->statistics.max != 0)) return false;
      return true;
    };
    names_.erase(std::remove_if(names_.begin(), names_.end(), is_zero), names_.end());
  }

  std::string table() const {
    Table table(columns_of(runs_, {{"Channel", Align::text}, {"Unit", Align::text}}, Align::number));
    for (const std::string& name : names_) {
      const auto& all = by_name_.at(name);
      const html::DisplayUnit unit = unit_of_channel(name);
      std::vector<std::string> cells = {escape(name), escape(unit.name)};
      for (std::size_t run = 0; run < all.size(); ++run) {
        if (!all[run]) {
          cells.push_back("–");
          continue;
        }
        const auto [least, most] = extremes(name, run);
        std::string cell = shortened(least * unit.scale) + " … " + shortened(most * unit.scale);
        if (run > 0 && all[0]) {
          const auto [first_least, first_most] = extremes(name, 0);
          cell += fmt::format("<small>{} … {}</small>", difference(first_least, least), difference(first_most, most));
        }
        cells.push_back(cell);
      }
      table.add(cells);
    }
    return table.empty() ? "" : section("Extremes", note_ + table.html());
  }

  std::string plots() const {
    std::string out;
    for (const std::string& name : names_) {
      const html::DisplayUnit unit = unit_of_channel(name);
      html::Plot plot{.title = name, .unit = unit.name, .dashes = true};
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const ChannelStatistics* each = by_name_.at(name)[i];
        const Result* result = runs_[i].result;
        if (!each || !result || !recorded(*result, name)) continue;
        std::vector<double> values = result->channel(name);
        if (each->channel.unit == "rad") unwrap(values);
        for (double& value : values) value *= unit.scale;
        plot.curves.push_back({runs_[i].name, each->channel.description, {result->times(), std::move(values)}});
        add_limits(runs_[i].summary, name, unit, plot);
      }
      if (!plot.curves.empty()) out += html::plot_figure(plot);
    }
    return section("Time histories", out);
  }

 private:
  static bool recorded(const Result& result, const std::string& name) {
    return std::any_of(result.channels().begin(), result.channels().end(),
                       [&](const ChannelInfo& c) { return c.name == name; });
  }
  static void add_limits(const RunSummary& summary, const std::string& channel, const html::DisplayUnit& unit,
                         html::Plot& plot) {
    for (const CheckedLimit& l : summary.limits)
      if (l.limit.channel == channel && l.result.bound)
        plot.limits.push_back({fmt::format("{} {} {} {}", channel, l.limit.side == Limit::Side::below ? "≤" : "≥",
                                           shortened(*l.result.bound * unit.scale), unit.name),
                               *l.result.bound * unit.scale, l.limit.side == Limit::Side::above});
  }
  // Of a channel that the run has, without round-off.
  std::pair<double, double> extremes(const std::string& name, std::size_t run) const {
    const ChannelStatistics& of = *by_name_.at(name)[run];
    return {floors_[run].clean(of.channel, of.statistics.min), floors_[run].clean(of.channel, of.statistics.max)};
  }
  html::DisplayUnit unit_of_channel(const std::string& name) const {
    for (const ChannelStatistics* each : by_name_.at(name))
      if (each) return units_.of(compared_with(each->channel), each->channel.unit);
    return {};
  }

  const Runs& runs_;
  html::DisplayUnits units_;
  std::vector<NoiseFloor> floors_;                                        // by run
  std::map<std::string, std::vector<const ChannelStatistics*>> by_name_;  // one for each run, or none
  std::vector<std::string> names_;
  const std::string note_ = "<p class=\"soft\">Per cent: the difference to the first run, of the first.</p>";
};

std::string ropes(const Runs& runs) {
  const auto ropes_in = [](const RunSummary& s) -> const auto& { return s.ropes; };
  const auto name = [](const RopeUse& r) { return r.name; };
  double most = 0;
  for (const ComparedRun& run : runs)
    for (const RopeUse& rope : run.summary.ropes) most = std::max(most, rope.largest);
  const html::DisplayUnit unit = html::display_unit("N", most, runs.front().summary.units);
  Table table(columns_of(runs, {{"Rope", Align::text}}, Align::number));
  for (const std::string& key : keys_of(runs, ropes_in, name)) {
    const RopeUse* first = find_by(runs.front().summary.ropes, name, key);
    std::vector<std::string> cells = {escape(key)};
    for (const ComparedRun& run : runs) {
      const RopeUse* rope = find_by(run.summary.ropes, name, key);
      if (!rope) {
        cells.push_back("–");
        continue;
      }
      const auto use = rope->utilisation(), daf = rope->dynamic_factor();
      cells.push_back(
          fmt::format("{} {}<small>{}{}{}</small>", shortened(rope->largest * unit.scale), escape(unit.name),
                      first && rope != first ? difference(first->largest, rope->largest) + "; " : "",
                      use ? fmt::format("{:.1f} % of MBL", 100 * *use) : "", daf ? ", DAF " + shortened(*daf) : ""));
    }
    table.add(cells);
  }
  return table.empty() ? "" : section("Ropes, largest tension", table.html());
}

}  // namespace

void describe_channels(RunSummary& summary, const Result& result) {
  std::map<std::string, const ChannelInfo*> by_name;
  for (const ChannelInfo& channel : result.channels()) by_name[channel.name] = &channel;
  for (ChannelStatistics& each : summary.channels)
    if (const auto found = by_name.find(each.channel.name); found != by_name.end()) each.channel = *found->second;
}

std::string comparison_html(const std::vector<ComparedRun>& runs) {
  if (runs.empty()) return html::document("Comparison", "");
  std::string title = "Comparison of ";
  for (std::size_t i = 0; i < runs.size(); ++i)
    title += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i].name;
  const Channels channels(runs);
  const std::string& version = runs.front().result ? runs.front().result->header().davit_version : std::string();
  return html::document(
      title,
      fmt::format("<header><h1>{}</h1></header>\n{}{}{}{}{}<footer>Made by Davit {}. Result files have SI units; z "
                  "is up, the still water plane is at z = 0.</footer>",
                  escape(title), overview(runs), limits(runs), ropes(runs), channels.table(), channels.plots(),
                  escape(version)));
}

}  // namespace davit::result
