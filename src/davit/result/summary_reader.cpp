#include "davit/result/summary_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "davit/file/read_file.hpp"
#include "davit/result/error.hpp"

namespace davit::result {
namespace {

using nlohmann::json;

constexpr std::uintmax_t largest_summary = std::uintmax_t{64} << 20U;
constexpr int deepest = 16;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// One object of the file; `where` is its place, for errors.
class Part {
 public:
  Part(const json& value, std::string where) : value_(value), where_(std::move(where)) {
    if (!value.is_object()) fail("", "is not an object");
  }

  bool has(const char* key) const { return value_.contains(key); }

  std::string text(const char* key) const {
    const json* found = find(key);
    if (!found) return {};
    if (!found->is_string()) fail(key, "is not a text");
    return found->get<std::string>();
  }
  bool flag(const char* key, bool otherwise = false) const {
    const json* found = find(key);
    if (!found) return otherwise;
    if (!found->is_boolean()) fail(key, "is neither true nor false");
    return found->get<bool>();
  }
  // What is not finite was written as null.
  double number(const char* key, double otherwise = none) const {
    const json* found = find(key);
    if (!found || found->is_null()) return otherwise;
    return number_of(*found, key);
  }
  std::optional<double> maybe(const char* key) const {
    const double value = number(key);
    return std::isnan(value) ? std::nullopt : std::optional(value);
  }
  std::uint64_t count(const char* key) const {
    const json* found = find(key);
    if (!found) return 0;
    if (!found->is_number_unsigned()) fail(key, "is not a count");
    return found->get<std::uint64_t>();
  }
  Triple triple(const char* key) const {
    const json* found = find(key);
    if (!found) return {};
    if (!found->is_array() || found->size() != 3) fail(key, "is not a list of three numbers");
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = (*found)[i].is_null() ? none : number_of((*found)[i], key);
    return out;
  }
  std::optional<Part> part(const char* key) const {
    const json* found = find(key);
    return found ? std::optional(Part(*found, at(key))) : std::nullopt;
  }
  template <typename Read>
  auto list(const char* key, const Read& read) const {
    std::vector<decltype(read(*this))> out;
    const json* found = find(key);
    if (!found) return out;
    if (!found->is_array()) fail(key, "is not a list");
    for (std::size_t i = 0; i < found->size(); ++i)
      out.push_back(read(Part((*found)[i], fmt::format("{}[{}]", at(key), i))));
    return out;
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> out;
    const json* found = find(key);
    if (!found) return out;
    if (!found->is_array()) fail(key, "is not a list");
    for (const json& item : *found) {
      if (!item.is_string()) fail(key, "is not a list of texts");
      out.push_back(item.get<std::string>());
    }
    return out;
  }
  std::vector<std::pair<std::string, std::string>> named_texts(const char* key) const {
    std::vector<std::pair<std::string, std::string>> out;
    const json* found = find(key);
    if (!found) return out;
    if (!found->is_object()) fail(key, "is not an object");
    for (const auto& [name, item] : found->items()) {
      if (!item.is_string()) fail(key, "has a value that is not a text");
      out.emplace_back(name, item.get<std::string>());
    }
    return out;
  }
  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw ResultError(fmt::format("'{}' {}", key.empty() ? (where_.empty() ? "the whole" : where_) : at(key), what));
  }

 private:
  const json* find(const char* key) const {
    const auto found = value_.find(key);
    return found == value_.end() ? nullptr : &*found;
  }
  std::string at(const std::string& key) const { return where_.empty() ? key : where_ + "." + key; }
  double number_of(const json& value, const char* key) const {
    if (!value.is_number()) fail(key, "is not a number");
    return value.get<double>();
  }

  const json& value_;
  std::string where_;
};

CheckedLimit limit_of(const Part& part, bool complete) {
  CheckedLimit out;
  Limit& limit = out.limit;
  LimitResult& result = out.result;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  limit.channel = part.text("channel");
  limit.asked = part.text("asked");
  limit.phase = part.text("phase");
  limit.text = part.text("text");
  limit.from = part.number("from", -infinity);
  limit.until = part.number("until", infinity);
  // The one of the two that is there; both are null where the bound is not known.
  const auto below = part.maybe("below"), above = part.maybe("above");
  limit.side = above ? Limit::Side::above : Limit::Side::below;
  result.bound = below ? below : above;
  limit.bound = result.bound.value_or(0);
  if (const auto shown = part.part("shown_in")) limit.written = {shown->text("unit"), shown->number("scale", 1)};
  out.unit = part.text("unit");
  result.passed = part.flag("passed");
  result.complete = complete;
  result.samples = part.count("samples");
  result.not_a_number = part.count("not_a_number");
  result.worst = part.maybe("worst");
  result.worst_time = part.maybe("worst_time");
  result.first_exceeded = part.maybe("first_exceeded");
  result.utilisation = part.maybe("utilisation");
  // Beyond all measure: infinite, which JSON cannot say.
  if (!result.utilisation && result.worst && result.bound && *result.bound != 0) result.utilisation = infinity;
  return out;
}

LargestVector vector_of(const Part& part, const char* key) {
  const auto of = part.part(key);
  return of ? LargestVector{of->number("size", 0), of->number("time", 0), of->triple("components")} : LargestVector{};
}

RopeUse rope_of(const Part& part) {
  RopeUse out;
  out.name = part.text("name");
  out.largest = part.number("largest_N", 0);
  out.largest_time = part.number("largest_time", 0);
  out.at_rest = part.maybe("static_N");
  out.mbl = part.maybe("mbl_N");
  out.stiffness = part.maybe("EA_N");
  out.length = part.number("length_m", 0);
  out.skew_factor = part.maybe("skew_load_factor");
  out.phases = part.list("phases", [](const Part& p) {
    return RopeInPhase{p.text("phase"), p.maybe("static_N"), p.number("largest_N", 0), p.number("largest_time", 0),
                       p.flag("empty")};
  });
  return out;
}

PointMotion motion_of(const Part& part) {
  PointMotion out{part.text("name"),
                  part.triple("low_m"),
                  part.triple("high_m"),
                  vector_of(part, "speed_m_s"),
                  vector_of(part, "acceleration_m_s2"),
                  {}};
  if (const auto turn = part.part("roll_pitch_yaw_rad"))
    out.turn = TurnRange{turn->triple("low"), turn->triple("high")};
  return out;
}

Extremes extremes_of(const Part& all) {
  Extremes out;
  out.motions = all.list("motions", motion_of);
  out.reactions = all.list("reactions", [](const Part& p) {
    return Reaction{p.text("name"), p.text("axes") != "world", vector_of(p, "force_N"), vector_of(p, "moment_N_m")};
  });
  out.lugs = all.list("lugs", [](const Part& p) {
    return LugForce{p.text("lug"), p.text("rope"), p.text("body"), vector_of(p, "pull_N")};
  });
  out.hooks = all.list("hooks", [](const Part& p) {
    return HookLoad{p.text("name"),
                    p.number("weight_N", 0),
                    p.maybe("static_N"),
                    {p.number("largest_N", 0), p.number("largest_time", 0)}};
  });
  const auto extreme = [](const Part& p) {
    return NamedExtreme{p.text("name"), {p.number("value", 0), p.number("time", 0)}};
  };
  out.contacts = all.list("contacts", extreme);
  out.clearances = all.list("clearances", extreme);
  return out;
}

ChannelStatistics channel_of(const Part& part) {
  ChannelStatistics out;
  out.channel.name = part.text("name");
  out.channel.unit = part.text("unit");
  Statistics& s = out.statistics;
  s.min = part.number("min");
  s.min_time = part.number("min_time");
  s.max = part.number("max");
  s.max_time = part.number("max_time");
  s.mean = part.number("mean");
  s.standard_deviation = part.number("standard_deviation");
  s.first = part.number("first");
  s.last = part.number("last");
  s.samples = part.count("samples");
  s.not_finite = part.count("not_finite");
  return out;
}

Fact fact_of(const Part& part) {
  return {part.text("name"), part.maybe("value"), part.text("unit"), part.text("text")};
}

ElementRow element_of(const Part& part) { return {part.text("name"), part.text("description")}; }

TitleBlock block_of(const Part& part) {
  return {part.text("project"), part.text("client"),     part.text("document"), part.text("revision"),
          part.text("made_by"), part.text("checked_by"), part.text("notes")};
}

void read_model(const Part& all, RunSummary& out) {
  out.facts = all.list("model", fact_of);
  out.surroundings = all.list("surroundings", fact_of);
  out.model.bodies = all.list("bodies", [](const Part& p) {
    return BodyRow{p.text("name"), p.number("mass_kg", 0), p.triple("centre_m"), p.text("on"), p.text("joint")};
  });
  out.model.forces = all.list("forces", element_of);
  out.model.controllers = all.list("controllers", element_of);
  out.modes = all.list("modes", [](const Part& p) {
    return Mode{p.number("frequency_hz"), p.number("period_s"), p.number("damping_ratio"), p.text("shape")};
  });
  out.modes_left_out = all.text("modes_left_out");
  out.floating = all.list("floating", [](const Part& p) {
    return FloatingVessel{p.text("name"), p.triple("place_m"), p.triple("roll_pitch_yaw_rad")};
  });
  out.assumptions = all.texts("assumptions");
}

RunSummary summary_of(const Part& all) {
  for (const char* key : {"title", "status", "limits", "channels"})
    if (!all.has(key)) all.fail(key, "is missing");
  RunSummary out;
  out.title = all.text("title");
  out.status = all.text("status");
  out.created = all.text("created");
  out.files = all.named_texts("files");
  out.versions = all.named_texts("versions");
  out.method = all.text("method");
  out.step = all.number("step", 0);
  out.seed = all.count("seed");
  out.simulated_time = all.number("simulated_time", 0);
  out.wall_time = all.number("wall_time", 0);
  out.real_time_factor = all.number("real_time_factor", 0);
  out.steps = all.count("steps");
  out.rejected_steps = all.count("rejected_steps");
  out.evaluations = all.count("evaluations");
  out.step_advice = all.text("step_advice");
  if (const auto quality = all.part("quality")) {
    out.quality.checks = quality->list("checks", [](const Part& p) {
      return QualityCheck{p.text("name"), p.number("value"), p.number("most"), p.text("unit"), p.text("remedy")};
    });
    out.quality.peaks = quality->list("peaks", [](const Part& p) {
      return Peak{p.text("channel"),        p.text("unit"),    p.number("t"),    p.number("value"),
                  p.number("at_half_step"), p.number("scale"), p.maybe("bound"), p.flag("verdict_changes")};
    });
    out.quality.remarks = quality->texts("remarks");
  }
  out.warnings = all.texts("warnings");
  out.limits = all.list("limits", [&](const Part& p) { return limit_of(p, out.status == "complete"); });
  out.phases = all.list("phases", [](const Part& p) {
    return PhaseTime{p.text("name"), p.text("status"), p.maybe("begun"), p.maybe("ended")};
  });
  out.ropes = all.list("ropes", rope_of);
  out.ropes_at_rest = all.text("ropes_static");
  out.extremes = extremes_of(all);
  read_model(all, out);
  if (const auto block = all.part("title_block")) out.title_block = block_of(*block);
  out.replay = all.flag("replay", true);
  out.units = all.text("units") == "si" ? page::UnitSystem::si : page::UnitSystem::engineering;
  out.channels = all.list("channels", channel_of);
  return out;
}

}  // namespace

RunSummary parse_summary(std::string_view text, const std::string& name) {
  const char* const remedy = "name the summary.json that 'davit run' wrote, or run the scenario again";
  try {
    // Deeper than a summary goes; a file of brackets alone would take forty times its size.
    const auto shallow = [](int depth, json::parse_event_t, json&) {
      if (depth > deepest) throw ResultError("it is nested too deeply");
      return true;
    };
    return summary_of(Part(json::parse(text, shallow), ""));
  } catch (const json::exception& error) {
    throw ResultError(fmt::format("{}: not a summary of a run: {}; {}", name, error.what(), remedy));
  } catch (const ResultError& error) {
    throw ResultError(fmt::format("{}: not a summary of a run: {}; {}", name, error.what(), remedy));
  }
}

RunSummary read_summary(const std::filesystem::path& path) {
  std::string text;
  try {
    text = file::read_file(path, largest_summary);
  } catch (const file::FileError& error) {
    throw ResultError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return parse_summary(text, path.string());
}

}  // namespace davit::result
