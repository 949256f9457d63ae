// What follows from a summary: dynamic factors, utilisations, units that a reader wants, what is round-off.
#include "davit/result/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/result/summary_record.hpp"
#include "davit/result/write_whole.hpp"

namespace davit::result {
namespace {

std::optional<double> factor(double largest, const std::optional<double>& at_rest) {
  constexpr double next_to_nothing = 1e-3;  // of the largest
  if (!at_rest || !(*at_rest > next_to_nothing * largest)) return std::nullopt;
  return largest / *at_rest;
}

}  // namespace

std::optional<double> RopeInPhase::dynamic_factor() const { return empty ? std::nullopt : factor(largest, at_rest); }

std::optional<double> RopeUse::dynamic_factor() const { return factor(largest, at_rest); }

std::optional<double> RopeUse::utilisation() const { return mbl ? std::optional(largest / *mbl) : std::nullopt; }

std::optional<double> RopeUse::safety_factor() const {
  return mbl && largest > 0 ? std::optional(*mbl / largest) : std::nullopt;
}

std::string quality_text(const Quality& quality) {
  std::string text;
  for (const QualityCheck& check : quality.checks)
    if (!check.passed())
      text += fmt::format("{}{} is {:.2g}{}{}, more than {:.2g}: {}", text.empty() ? "" : "; ", check.name, check.value,
                          check.unit.empty() ? "" : " ", check.unit, check.most, check.remedy);
  return text;
}

const std::string& compared_with(const ChannelInfo& channel) {
  return channel.group.empty() ? channel.name : channel.group;
}

html::DisplayUnits units_of(const RunSummary& summary) {
  html::DisplayUnits units(summary.units);
  for (const ChannelStatistics& each : summary.channels)
    for (const double extreme : {each.statistics.min, each.statistics.max})
      units.see(compared_with(each.channel), each.channel.unit, extreme);
  return units;
}

html::DisplayUnit unit_of(const CheckedLimit& limit, html::UnitSystem system) {
  if (system == html::UnitSystem::engineering && !limit.limit.written.name.empty()) return limit.limit.written;
  return html::display_unit(limit.unit, limit.result.bound.value_or(0), system);
}

NoiseFloor::NoiseFloor(const std::vector<ChannelStatistics>& channels) {
  for (const ChannelStatistics& each : channels) {
    double& largest = largest_[{each.channel.group, each.channel.unit}];
    for (double x : {each.statistics.min, each.statistics.max})
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  }
}

double NoiseFloor::clean(const ChannelInfo& channel, double value) const {
  const auto largest = largest_.find({channel.group, channel.unit});
  return largest != largest_.end() && std::abs(value) < 1e-11 * largest->second ? 0 : value;
}

std::string summary_json(const RunSummary& summary) {
  // Text that is not UTF-8 (a path, say) must not cost the user the summary of a long run.
  return output_record<RunSummary>().write(summary).dump(2, ' ', false, OutputJson::error_handler_t::replace) + '\n';
}

std::string summary_schema() {
  OutputJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "summary.json of davit run"},
                       {"description", "Numbers are in SI; null stands for what is not known or not finite."}};
  schema.update(output_record<RunSummary>().schema());
  return schema.dump(1) + '\n';
}

void write_summary(const RunSummary& summary, const std::filesystem::path& path) {
  write_whole(path, summary_json(summary));
}

}  // namespace davit::result
