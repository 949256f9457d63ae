// All that is known about a run when it is over, and the same as summary.json.
//
// Solves: scripts and the report take the outcome of a run from one plain struct; the same run gives the same bytes.
// Does not: compute anything: the program fills it from the stepper, the monitors and the model.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "davit/html/display_unit.hpp"
#include "davit/result/channel_info.hpp"
#include "davit/result/extremes.hpp"
#include "davit/result/limit.hpp"
#include "davit/result/quality.hpp"
#include "davit/result/statistics.hpp"

namespace davit::result {

struct CheckedLimit {
  Limit limit{};
  std::string unit{};
  LimitResult result{};
  bool operator==(const CheckedLimit&) const = default;
};

struct ChannelStatistics {
  ChannelInfo channel{};
  Statistics statistics{};
  bool operator==(const ChannelStatistics&) const = default;
};

struct RunSummary;
// What a channel shares a plot and its unit with: its group, or nothing.
const std::string& compared_with(const ChannelInfo& channel);
// Units of channels for people, by the sizes that were seen.
html::DisplayUnits units_of(const RunSummary& summary);
// The unit in which the limit was written, or one that fits its bound.
html::DisplayUnit unit_of(const CheckedLimit& limit, html::UnitSystem system);

// What is round-off among the channels of one group and unit: an engineer reads 3e-14 N m beside 1800 N m as zero.
class NoiseFloor {
 public:
  explicit NoiseFloor(const std::vector<ChannelStatistics>& channels);
  double clean(const ChannelInfo& channel, double value) const;

 private:
  std::map<std::pair<std::string, std::string>, double> largest_;
};

struct Mode {
  double frequency = 0;      // [Hz]
  double period = 0;         // [s]
  double damping_ratio = 0;  // of critical
  std::string shape{};       // "load swings athwartships, ship rolls against it"
  bool operator==(const Mode&) const = default;
};

// A named number, or a named text when there is no number: "bodies" 7, "total mass" 348000 "kg".
struct Fact {
  std::string name{};
  std::optional<double> value{};
  std::string unit{};
  std::string text{};
  bool operator==(const Fact&) const = default;
};

// When a phase of the operation began and ended; status: done, not begun, not ended, failed.
struct PhaseTime {
  std::string name{}, status{};
  std::optional<double> begun{}, ended{};
  bool operator==(const PhaseTime&) const = default;
};

// What a rope carried in a stretch of a run, and at rest with what hung on it then.
struct RopeInPhase {
  std::string phase{};
  std::optional<double> at_rest{};       // [N]; none where no rest was found
  double largest = 0, largest_time = 0;  // [N, s]
  bool empty = false;                    // nothing to speak of hangs on it, beside what it carries in other phases

  std::optional<double> dynamic_factor() const;

  bool operator==(const RopeInPhase&) const = default;
};

// What a rope carried. Static is what it carries at rest; none where no rest was found, or nothing known.
struct RopeUse {
  std::string name{};
  double largest = 0, largest_time = 0;  // [N, s]
  std::optional<double> at_rest{};       // [N]
  std::optional<double> mbl{};           // [N]
  std::optional<double> stiffness{};     // EA [N]; none where it is a table
  double length = 0;                     // unstretched, at the start [m]
  std::optional<double> skew_factor{};   // largest at rest over the variations of the rigging by that at rest
  std::vector<RopeInPhase> phases{};     // of a run with an operation

  // A rope that carries next to nothing at rest has no factor.
  std::optional<double> dynamic_factor() const;
  std::optional<double> utilisation() const;    // largest/MBL
  std::optional<double> safety_factor() const;  // MBL/largest

  bool operator==(const RopeUse&) const = default;
};

// How a vessel floats at rest at the start: where its origin is [m], and roll, pitch and yaw [rad].
struct FloatingVessel {
  std::string name{};
  Triple place{}, turn{};
  bool operator==(const FloatingVessel&) const = default;
};

struct BodyRow {
  std::string name{};
  double mass = 0;  // [kg]
  Triple centre{};  // of mass, in the body's own frame [m]
  std::string parent{};
  std::string joint{};
  bool operator==(const BodyRow&) const = default;
};

struct ElementRow {
  std::string name{};
  std::string description{};
  bool operator==(const ElementRow&) const = default;
};

// What the model is made of.
struct ModelTables {
  std::vector<BodyRow> bodies{};
  std::vector<ElementRow> forces{}, controllers{};
  bool operator==(const ModelTables&) const = default;
};

// The title block of a report: what it is, whose, and who answers for it, in words as they were given.
struct TitleBlock {
  std::string project{}, client{}, document{}, revision{}, made_by{}, checked_by{}, notes{};
  bool empty() const { return (project + client + document + revision + made_by + checked_by + notes).empty(); }
  bool operator==(const TitleBlock&) const = default;
};

struct RunSummary {
  std::string title{};
  std::string status{};  // as in the result file
  // By name: what it is, where it is.
  std::vector<std::pair<std::string, std::string>> files{};
  std::vector<std::pair<std::string, std::string>> versions{};  // davit, compiler, libraries
  std::string created{};
  std::string method{};
  double step = 0;  // [s]
  std::uint64_t seed = 0;
  double simulated_time = 0;    // [s]
  double wall_time = 0;         // all that a user waits for [s]
  double real_time_factor = 0;  // simulated over wall
  std::uint64_t steps = 0;
  std::uint64_t rejected_steps = 0;
  std::uint64_t evaluations = 0;
  std::string step_advice{};
  Quality quality{};
  std::vector<std::string> warnings{};
  std::vector<CheckedLimit> limits{};
  std::vector<PhaseTime> phases{};
  std::vector<RopeUse> ropes{};
  std::string ropes_at_rest{};  // which rest it is that they are compared with
  Extremes extremes{};          // of motions and reactions
  std::vector<FloatingVessel> floating{};
  std::vector<std::string> assumptions{};  // that the numbers rest on, each a sentence
  std::vector<Mode> modes{};
  std::string modes_left_out{};  // which others there are; empty: none
  std::vector<Fact> facts{};
  ModelTables model{};
  std::vector<Fact> surroundings{};  // sea, wind, current, water
  TitleBlock title_block{};
  bool replay = true;  // the report has one, where there is a scene
  std::vector<ChannelStatistics> channels{};
  html::UnitSystem units = html::UnitSystem::engineering;  // for people; files have SI
  bool operator==(const RunSummary&) const = default;
};

// Beside the limits: a verdict on them is worth what the numbers are. Empty where nothing is wrong.
std::string quality_text(const Quality& quality);

std::string summary_json(const RunSummary& summary);
// JSON Schema of it.
std::string summary_schema();
void write_summary(const RunSummary& summary, const std::filesystem::path& path);

}  // namespace davit::result
