// Tables of a report: ropes, hooks, lugs, joints, contacts, clearances, motions, vessels afloat.
#include "davit/result/report_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "davit/html/html.hpp"
#include "davit/html/table.hpp"
#include "davit/result/report_parts.hpp"

namespace davit::result {

namespace {

using html::escape;
using html::number;
using html::Table;
using Align = Table::Align;

// One unit for all values of a table, with how they are written in it.
class Shown {
 public:
  Shown(const RunSummary& summary, const std::string& unit, double largest)
      : unit_(html::display_unit(unit, largest, summary.units)) {}
  std::string title(const std::string& what) const { return what + " [" + unit_.name + "]"; }
  std::string operator()(double value) const { return four_digits(value * unit_.scale); }
  std::string operator()(const std::optional<double>& value) const { return value ? (*this)(*value) : number(value); }
  // What is nothing beside the whole is zero.
  std::string operator()(const LargestVector& vector) const {
    std::string out;
    for (const double part : vector.parts)
      out += (out.empty() ? "" : ", ") + (*this)(std::abs(part) < 1e-4 * vector.size ? 0 : part);
    return out;
  }
  // To a thousandth of the unit: millimetres, thousandths of a degree.
  std::string place(double value) const { return number(std::round(1e3 * value * unit_.scale) / 1e3 + 0.0); }
  std::string places(const Triple& t) const { return place(t[0]) + ", " + place(t[1]) + ", " + place(t[2]); }
  std::string range(double low, double high) const { return place(low) + " … " + place(high); }

 private:
  html::DisplayUnit unit_;
};

template <typename Items, typename Size>
double largest_of(const Items& items, const Size& size) {
  double out = 0;
  for (const auto& item : items) out = std::max(out, std::abs(size(item)));
  return out;
}

// Rows whose numbers are the same (frames of parts that are fixed to each other) become one row with all names.
class MergedRows {
 public:
  void add(const std::string& name, std::vector<std::string> cells) {
    const auto [row, is_new] = index_.emplace(cells, rows_.size());
    if (is_new)
      rows_.emplace_back(name, std::move(cells));
    else
      rows_[row->second].first += ", " + name;
  }
  void into(Table& table) const {
    for (const auto& [names, cells] : rows_) {
      std::vector<std::string> row = {names};
      row.insert(row.end(), cells.begin(), cells.end());
      table.add(row);
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> rows_;
  std::map<std::vector<std::string>, std::size_t> index_;  // of rows, by their cells
};

std::string note(const std::string& text) { return "<p class=\"soft\">" + text + "</p>"; }

// Ropes that have something to carry, phase by phase.
std::string ropes_by_phase(const RunSummary& summary, const Shown& force) {
  const Shown plain(summary, "", 1);
  Table table({{"Rope", Align::text},
               {"Phase", Align::text},
               {force.title("Static")},
               {force.title("Largest")},
               {"at [s]"},
               {"DAF"}});
  for (const RopeUse& r : summary.ropes)
    for (const RopeInPhase& p : r.phases)
      if (const auto factor = p.dynamic_factor())
        table.add({escape(r.name), escape(p.phase), force(p.at_rest), force(p.largest),
                   when_html(summary, p.largest_time), plain(factor)});
  if (table.empty()) return {};
  return "<h3>By phase</h3>" +
         note("Static: at rest with what hangs then, the larger of the beginning and the end of the phase.") +
         table.html();
}

std::string ropes(const RunSummary& summary) {
  if (summary.ropes.empty()) return {};
  const auto& list = summary.ropes;
  const Shown force(summary, "N", largest_of(list, [](const RopeUse& r) { return r.largest; }));
  const Shown stiffness(summary, "N", largest_of(list, [](const RopeUse& r) { return r.stiffness.value_or(0); }));
  const Shown plain(summary, "", 1);
  const bool skew = std::any_of(list.begin(), list.end(), [](const RopeUse& r) { return r.skew_factor.has_value(); });
  std::vector<Table::Column> columns = {{"Rope", Align::text},
                                        {stiffness.title("EA")},
                                        {"Length [m]"},
                                        {force.title("Static")},
                                        {force.title("Largest")},
                                        {"at [s]"},
                                        {"DAF"}};
  if (skew) columns.push_back({"Skew factor"});
  columns.insert(columns.end(), {{force.title("MBL")}, {"Utilisation"}, {"Safety factor"}});
  Table table(columns);
  for (const RopeUse& r : list) {
    std::vector<std::string> row = {escape(r.name),           stiffness(r.stiffness),
                                    plain(r.length),          force(r.at_rest),
                                    force(r.largest),         when_html(summary, r.largest_time),
                                    plain(r.dynamic_factor())};
    if (skew) row.push_back(plain(r.skew_factor));
    row.insert(row.end(), {force(r.mbl), use_bar(r.utilisation()), plain(r.safety_factor())});
    table.add(row);
  }
  return note((summary.ropes_at_rest.empty() ? "" : "Static: " + escape(summary.ropes_at_rest) + ". ") +
              "Length: unstretched, at the start. DAF: largest over static; none where nothing hangs. Utilisation: "
              "largest over MBL.") +
         table.html() + ropes_by_phase(summary, force);
}

std::string hooks(const RunSummary& summary) {
  const auto& list = summary.extremes.hooks;
  if (list.empty()) return {};
  const Shown force(summary, "N", largest_of(list, [](const HookLoad& h) { return h.largest.value; }));
  Table table({{"On ropes", Align::text},
               {force.title("Own weight")},
               {force.title("Static")},
               {force.title("Largest")},
               {"at [s]"}});
  for (const HookLoad& h : list)
    table.add({escape(h.name), force(h.weight), force(h.at_rest), force(h.largest.value),
               when_html(summary, h.largest.time)});
  return "<h3>Hook loads</h3>" +
         note("What the ropes above a body carry upwards: the body itself and all that hangs below.") + table.html();
}

std::string lugs(const RunSummary& summary) {
  const auto& list = summary.extremes.lugs;
  if (list.empty()) return {};
  const Shown force(summary, "N", largest_of(list, [](const LugForce& l) { return l.pull.size; }));
  const Shown angle(summary, "rad", 1);
  Table table({{"Lug", Align::text},
               {"Rope", Align::text},
               {force.title("Pull")},
               {force.title("x, y, z")},
               {angle.title("From z")},
               {angle.title("In plane")},
               {"at [s]"}});
  for (const LugForce& l : list)
    if (l.pull.size > 0)
      table.add({escape(l.lug), escape(l.rope), force(l.pull.size), force(l.pull), angle.place(l.from_z()),
                 angle.place(l.plane()), when_html(summary, l.pull.time)});
  if (table.empty()) return {};
  return "<h3>Lug forces</h3>" +
         note(
             "Largest pull of each rope on the body at its ends, in the axes of that body at that time. In plane: of "
             "the plane through z that the pull is in, from x towards y.") +
         table.html();
}

}  // namespace

std::string rigging_section(const RunSummary& summary) {
  return section("Rigging", ropes(summary) + hooks(summary) + lugs(summary));
}

std::string reactions_section(const RunSummary& summary) {
  const auto& list = summary.extremes.reactions;
  if (list.empty()) return {};
  const double most_force = largest_of(list, [](const Reaction& r) { return r.force.size; });
  const double most_moment = largest_of(list, [](const Reaction& r) { return r.moment.size; });
  const Shown force(summary, "N", most_force), moment(summary, "N m", most_moment);
  Table table({{"Joint", Align::text},
               {force.title("Force")},
               {force.title("Fx, Fy, Fz")},
               {"at [s]"},
               {moment.title("Moment")},
               {moment.title("Mx, My, Mz")},
               {"at [s]"}});
  const auto when = [&](const LargestVector& v) { return v.size > 0 ? when_html(summary, v.time) : "–"; };
  MergedRows rows;
  for (const Reaction& r : list) {
    if (r.force.size <= 1e-9 * most_force && r.moment.size <= 1e-9 * most_moment) continue;
    rows.add(
        escape(r.name) + (r.in_body_axes ? "" : "<small>constraint, in world axes</small>"),
        {force(r.force.size), force(r.force), when(r.force), moment(r.moment.size), moment(r.moment), when(r.moment)});
  }
  rows.into(table);
  if (table.empty()) return {};
  return section("Reactions of joints",
                 note("Of the joint on the body of that name, about the joint, in the axes of the body: the largest "
                      "force, and the largest moment, each with its components at that time.") +
                     table.html());
}

std::string contacts_section(const RunSummary& summary) {
  std::string out;
  if (const auto& list = summary.extremes.contacts; !list.empty()) {
    const Shown force(summary, "N", largest_of(list, [](const NamedExtreme& c) { return c.at.value; }));
    Table table({{"Contact", Align::text}, {force.title("Largest normal force")}, {"at [s]"}});
    for (const NamedExtreme& c : list)
      table.add({escape(c.name), force(c.at.value), c.at.value > 0 ? when_html(summary, c.at.time) : "–"});
    out += table.html();
  }
  if (const auto& list = summary.extremes.clearances; !list.empty()) {
    Table table({{"Clearance", Align::text}, {"Least distance [m]"}, {"at [s]"}});
    for (const NamedExtreme& c : list) table.add({escape(c.name), number(c.at.value), when_html(summary, c.at.time)});
    out += table.html();
  }
  return section("Contacts and clearances", out);
}

std::string motions_section(const RunSummary& summary) {
  const auto& list = summary.extremes.motions;
  if (list.empty()) return {};
  const Shown metres(summary, "m", 1);
  Table table({{"Point", Align::text},
               {"x [m]"},
               {"y [m]"},
               {"z [m]"},
               {"Speed [m/s]"},
               {"at [s]"},
               {"Acceleration [m/s²]"},
               {"at [s]"}});
  MergedRows rows;
  for (const PointMotion& m : list) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < 3; ++i) row.push_back(metres.range(m.low[i], m.high[i]));
    row.insert(row.end(), {metres(m.speed.size), when_html(summary, m.speed.time), metres(m.acceleration.size),
                           when_html(summary, m.acceleration.time)});
    rows.add(escape(m.name), std::move(row));
  }
  rows.into(table);
  return section("Motions", note("Of bodies (their origins) and of their named points that moved, in world axes: least "
                                 "and greatest place, largest speed and largest acceleration, which is the change of "
                                 "velocity over a step.") +
                                table.html());
}

std::string floating_section(const RunSummary& summary) {
  if (summary.floating.empty()) return {};
  const Shown angle(summary, "rad", 1), metres(summary, "m", 1);
  Table table({{"Vessel", Align::text},
               {"x, y, z at rest [m]"},
               {angle.title("Roll, pitch, yaw at rest")},
               {"z in motion [m]"},
               {angle.title("Roll in motion")},
               {angle.title("Pitch in motion")}});
  for (const FloatingVessel& v : summary.floating) {
    std::vector<std::string> row = {escape(v.name), metres.places(v.place), angle.places(v.turn)};
    const auto& motions = summary.extremes.motions;
    const auto moved = std::find_if(motions.begin(), motions.end(), [&](const auto& m) { return m.name == v.name; });
    if (moved != motions.end()) row.push_back(metres.range(moved->low[2], moved->high[2]));
    if (moved != motions.end() && moved->turn)
      for (const std::size_t i : {0U, 1U}) row.push_back(angle.range(moved->turn->low[i], moved->turn->high[i]));
    table.add(row);
  }
  std::string laden;
  for (const Fact& fact : summary.facts)
    if (fact.name == "vessel") laden += "<li>" + escape(fact.text) + "</li>";
  return section("Floating condition", table.html() + (laden.empty() ? "" : "<ul class=\"notes\">" + laden + "</ul>"));
}

}  // namespace davit::result
