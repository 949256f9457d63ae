#include "davit/result/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "davit/result/error.hpp"
#include "davit/result/write_whole.hpp"

namespace davit::result {
namespace {

// Keeps the keys in the order they are written here. Numbers come out in the shortest form that reads back the same,
// and what is not finite as null, because JSON has no word for it.
using Json = nlohmann::ordered_json;

Json to_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const std::vector<std::pair<std::string, std::string>>& named) {
  Json out = Json::object();
  for (const auto& [name, value] : named) out[name] = value;
  return out;
}

Json to_json(const CheckedLimit& checked) {
  return {{"channel", checked.limit.channel},
          {"unit", checked.unit},
          {"shown_in", {{"unit", checked.limit.written.name}, {"scale", checked.limit.written.scale}}},
          {"below", checked.limit.side == Limit::Side::below ? to_json(checked.result.bound) : Json(nullptr)},
          {"above", checked.limit.side == Limit::Side::above ? to_json(checked.result.bound) : Json(nullptr)},
          {"asked", checked.limit.asked},
          {"from", checked.limit.from},
          {"until", checked.limit.until},
          {"phase", checked.limit.phase},
          {"text", checked.limit.text},
          {"passed", checked.result.passed},
          {"verdict", name_of(verdict(checked.result))},
          {"utilisation", to_json(checked.result.utilisation)},
          {"worst", to_json(checked.result.worst)},
          {"worst_time", to_json(checked.result.worst_time)},
          {"first_exceeded", to_json(checked.result.first_exceeded)},
          {"samples", checked.result.samples},
          {"not_a_number", checked.result.not_a_number}};
}

Json to_json(const QualityCheck& check) {
  return {{"name", check.name}, {"value", check.value},     {"most", check.most},
          {"unit", check.unit}, {"passed", check.passed()}, {"remedy", check.remedy}};
}

Json to_json(const Peak& peak) {
  return {{"channel", peak.channel},
          {"unit", peak.unit},
          {"t", peak.t},
          {"value", peak.value},
          {"at_half_step", peak.at_half_step},
          {"scale", peak.scale},
          {"bound", to_json(peak.bound)},
          {"moved", peak.moved()},
          {"verdict_changes", peak.verdict_changes}};
}

Json to_json(const PhaseTime& phase) {
  return {
      {"name", phase.name}, {"status", phase.status}, {"begun", to_json(phase.begun)}, {"ended", to_json(phase.ended)}};
}

Json to_json(const RopeInPhase& phase) {
  return {{"phase", phase.phase},       {"static_N", to_json(phase.at_rest)},
          {"largest_N", phase.largest}, {"largest_time", phase.largest_time},
          {"empty", phase.empty},       {"dynamic_amplification_factor", to_json(phase.dynamic_factor())}};
}

Json to_json(const RopeUse& rope) {
  Json phases = Json::array();
  for (const RopeInPhase& phase : rope.phases) phases.push_back(to_json(phase));
  return {{"name", rope.name},
          {"static_N", to_json(rope.at_rest)},
          {"largest_N", rope.largest},
          {"largest_time", rope.largest_time},
          {"dynamic_amplification_factor", to_json(rope.dynamic_factor())},
          {"mbl_N", to_json(rope.mbl)},
          {"EA_N", to_json(rope.stiffness)},
          {"length_m", rope.length},
          {"utilisation", to_json(rope.utilisation())},
          {"safety_factor", to_json(rope.safety_factor())},
          {"skew_load_factor", to_json(rope.skew_factor)},
          {"phases", phases}};
}

Json to_json(const LargestVector& vector) {
  return {{"size", vector.size}, {"time", vector.time}, {"components", vector.parts}};
}

Json to_json(const PointMotion& motion) {
  Json out = {{"name", motion.name},
              {"low_m", motion.low},
              {"high_m", motion.high},
              {"speed_m_s", to_json(motion.speed)},
              {"acceleration_m_s2", to_json(motion.acceleration)}};
  if (motion.turn) out["roll_pitch_yaw_rad"] = {{"low", motion.turn->low}, {"high", motion.turn->high}};
  return out;
}

Json to_json(const Reaction& reaction) {
  return {{"name", reaction.name},
          {"axes", reaction.in_body_axes ? "body" : "world"},
          {"force_N", to_json(reaction.force)},
          {"moment_N_m", to_json(reaction.moment)}};
}

Json to_json(const LugForce& lug) {
  return {{"lug", lug.lug},
          {"rope", lug.rope},
          {"body", lug.body},
          {"pull_N", to_json(lug.pull)},
          {"from_z_rad", lug.from_z()},
          {"plane_rad", lug.plane()}};
}

Json to_json(const HookLoad& hook) {
  return {{"name", hook.name},
          {"weight_N", hook.weight},
          {"static_N", to_json(hook.at_rest)},
          {"largest_N", hook.largest.value},
          {"largest_time", hook.largest.time}};
}

Json to_json(const NamedExtreme& extreme) {
  return {{"name", extreme.name}, {"value", extreme.at.value}, {"time", extreme.at.time}};
}

Json to_json(const FloatingVessel& vessel) {
  return {{"name", vessel.name}, {"place_m", vessel.place}, {"roll_pitch_yaw_rad", vessel.turn}};
}

Json to_json(const Mode& mode) {
  return {{"frequency_hz", mode.frequency},
          {"period_s", mode.period},
          {"damping_ratio", mode.damping_ratio},
          {"shape", mode.shape}};
}

Json to_json(const Fact& fact) {
  return {{"name", fact.name}, {"value", to_json(fact.value)}, {"unit", fact.unit}, {"text", fact.text}};
}

Json to_json(const BodyRow& body) {
  return {{"name", body.name},
          {"mass_kg", body.mass},
          {"centre_m", body.centre},
          {"on", body.parent},
          {"joint", body.joint}};
}

Json to_json(const ElementRow& element) { return {{"name", element.name}, {"description", element.description}}; }

Json to_json(const TitleBlock& block) {
  return {{"project", block.project},   {"client", block.client},   {"document", block.document},
          {"revision", block.revision}, {"made_by", block.made_by}, {"checked_by", block.checked_by},
          {"notes", block.notes}};
}

Json to_json(const ChannelStatistics& channel) {
  const Statistics& s = channel.statistics;
  return {{"name", channel.channel.name},
          {"unit", channel.channel.unit},
          {"min", s.min},
          {"min_time", s.min_time},
          {"max", s.max},
          {"max_time", s.max_time},
          {"mean", s.mean},
          {"standard_deviation", s.standard_deviation},
          {"first", s.first},
          {"last", s.last},
          {"samples", s.samples},
          {"not_finite", s.not_finite}};
}

template <typename T>
Json list(const std::vector<T>& items) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(to_json(item));
  return out;
}

}  // namespace

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

page::DisplayUnits units_of(const RunSummary& summary) {
  page::DisplayUnits units(summary.units);
  for (const ChannelStatistics& each : summary.channels)
    for (const double extreme : {each.statistics.min, each.statistics.max})
      units.see(compared_with(each.channel), each.channel.unit, extreme);
  return units;
}

page::DisplayUnit unit_of(const CheckedLimit& limit, page::UnitSystem system) {
  if (system == page::UnitSystem::engineering && !limit.limit.written.name.empty()) return limit.limit.written;
  return page::display_unit(limit.unit, limit.result.bound.value_or(0), system);
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
  Json json;
  json["title"] = summary.title;
  json["status"] = summary.status;
  json["created"] = summary.created;
  json["files"] = to_json(summary.files);
  json["versions"] = to_json(summary.versions);
  json["method"] = summary.method;
  json["step"] = summary.step;
  json["seed"] = summary.seed;
  json["simulated_time"] = summary.simulated_time;
  json["wall_time"] = summary.wall_time;
  json["real_time_factor"] = summary.real_time_factor;
  json["steps"] = summary.steps;
  json["rejected_steps"] = summary.rejected_steps;
  json["evaluations"] = summary.evaluations;
  json["step_advice"] = summary.step_advice;
  const Trust trust = summary.quality.trust();
  json["quality"] = {{"good", summary.quality.good()},
                     {"verdict", trust == Trust::green   ? "green"
                                 : trust == Trust::amber ? "amber"
                                                         : "red"},
                     {"checks", list(summary.quality.checks)},
                     {"peaks", list(summary.quality.peaks)},
                     {"remarks", summary.quality.remarks}};
  json["warnings"] = summary.warnings;
  json["limits"] = list(summary.limits);
  json["phases"] = list(summary.phases);
  json["ropes"] = list(summary.ropes);
  json["ropes_static"] = summary.ropes_at_rest;
  json["motions"] = list(summary.extremes.motions);
  json["reactions"] = list(summary.extremes.reactions);
  json["lugs"] = list(summary.extremes.lugs);
  json["hooks"] = list(summary.extremes.hooks);
  json["contacts"] = list(summary.extremes.contacts);
  json["clearances"] = list(summary.extremes.clearances);
  json["floating"] = list(summary.floating);
  json["assumptions"] = summary.assumptions;
  json["modes"] = list(summary.modes);
  json["modes_left_out"] = summary.modes_left_out;
  json["model"] = list(summary.facts);
  json["bodies"] = list(summary.model.bodies);
  json["forces"] = list(summary.model.forces);
  json["controllers"] = list(summary.model.controllers);
  json["surroundings"] = list(summary.surroundings);
  if (!summary.title_block.empty()) json["title_block"] = to_json(summary.title_block);
  json["replay"] = summary.replay;
  json["units"] = summary.units == page::UnitSystem::si ? "si" : "engineering";
  json["channels"] = list(summary.channels);
  // Text that is not UTF-8 (a path, say) must not cost the user the summary of a long run.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_summary(const RunSummary& summary, const std::filesystem::path& path) {
  write_whole(path, summary_json(summary));
}

}  // namespace davit::result
