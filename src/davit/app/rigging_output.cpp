#include "davit/app/rigging_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/app/terminal.hpp"
#include "davit/io/csv_cell.hpp"
#include "davit/math/constants.hpp"

namespace davit::app {

namespace {

constexpr double to_degrees = 180 / pi;

// Angles are known to about this, and less is shown as none.
std::string angle(double rad) { return number(std::abs(rad) < 1e-7 ? 0 : rad * to_degrees); }

std::string shown(const std::optional<double>& x) { return x ? number(*x) : "-"; }

std::string percent(const std::optional<double>& x) { return x ? fmt::format("{:.1f} %", 100 * *x) : "-"; }

// One lift, with its forces in one unit.
class LiftTables {
 public:
  LiftTables(const LiftAtRest& lift, html::UnitSystem system) : lift_(lift) {
    double most = 0;
    for (const RopeAtRest& r : lift.ropes) most = std::max({most, r.tension, r.largest.value_or(0)});
    for (const ValueAtRest& v : lift.contacts) most = std::max(most, std::abs(v.value));
    force_ = html::display_unit("N", most, system);
  }

  void print() const {
    say("\n  {}: {}\n", lift_.after.empty() ? "at the start" : "after '" + lift_.after + "'", verdict());
    for (const std::string& remark : lift_.remarks) say("    {}\n", remark);
    for (const std::string& motion : lift_.equilibrium.free_motions) say("    nothing holds {}\n", motion);
    if (!lift_.equilibrium.converged) return;
    ropes();
    ends();
    bodies();
    vessels();
    values("clearance", lift_.clearances);
    values("contact", lift_.contacts);
    modes();
  }

 private:
  std::string verdict() const {
    const Equilibrium& e = lift_.equilibrium;
    return !e.converged ? "no rest: " + e.why : e.stable ? "at rest" : "at rest, but not stable";
  }

  std::string force(const std::optional<double>& x) const { return x ? number(*x * force_.scale) : "-"; }

  void ropes() const {
    std::vector<std::string> header{"rope", "tension " + force_.name, "to vertical deg", "MBL " + force_.name};
    const bool varied = !lift_.variations.empty();
    if (varied) header.insert(header.end(), {"largest " + force_.name, "skew factor"});
    header.insert(header.end(), {"used", "safety"});
    Table table(header);
    for (const RopeAtRest& r : lift_.ropes) {
      std::vector<std::string> row{r.name, r.connected ? force(r.tension) : "loose", angle(r.angle), force(r.mbl)};
      if (varied) row.insert(row.end(), {force(r.largest), shown(r.skew_factor())});
      row.insert(row.end(), {percent(utilisation(r)), shown(safety_factor(r))});
      table.add(std::move(row));
    }
    if (table.empty()) return;
    say("\n{}", table.text(1));
    if (varied) say("    largest of {}\n", lift_.variations);
  }

  void ends() const {
    Table table({"lug", "of", "pull " + force_.name, "x", "y", "z", "from z deg", "in plane deg"});
    for (const RopeAtRest& r : lift_.ropes)
      for (const RopeEndAtRest& e : r.ends)
        if (r.connected && e.size() > 0)
          table.add({e.at, r.name, force(e.size()), force(e.force.x()), force(e.force.y()), force(e.force.z()),
                     angle(e.from_z), angle(e.plane)});
    if (!table.empty()) say("\n{}    pull of the rope on the body, in the body's axes\n", table.text(2));
  }

  void bodies() const {
    Table table({"on ropes", "carried " + force_.name, "own weight", "ropes below", "x m", "y m", "z m", "roll deg",
                 "pitch deg", "yaw deg"});
    for (const BodyOnRopes& b : lift_.on_ropes) {
      std::vector<std::string> row{b.name, force(b.carried), force(b.weight), force(b.below)};
      add_place(b.place, b.turn, row);
      table.add(std::move(row));
    }
    if (!table.empty()) say("\n{}", table.text(1));
  }

  static void add_place(const Vec3& place, const Vec3& turn, std::vector<std::string>& row) {
    for (const double x : place) row.push_back(number(x));
    for (const double x : turn) row.push_back(angle(x));
  }

  void vessels() const {
    Table table({"vessel", "x m", "y m", "z m", "roll deg", "pitch deg", "yaw deg"});
    for (const VesselAtRest& v : lift_.vessels) {
      std::vector<std::string> row{v.name};
      add_place(v.place, v.turn, row);
      table.add(std::move(row));
    }
    if (!table.empty()) say("\n{}", table.text(1));
  }

  void values(const char* what, const std::vector<ValueAtRest>& values) const {
    Table table({what, "", ""});
    for (const ValueAtRest& v : values)
      table.add(v.unit == "N" ? std::vector<std::string>{v.name, force(v.value), force_.name}
                              : std::vector<std::string>{v.name, number(v.value), v.unit});
    if (!table.empty()) say("\n{}", table.text(1));
  }

  // The slowest that ring are those that waves excite.
  void modes() const {
    constexpr size_t most = 6;
    Table table({"period s", "of"});
    for (size_t i = 0; i < std::min(most, lift_.modes.size()); ++i)
      table.add({number(lift_.modes[i].period), lift_.modes[i].shape});
    if (table.empty()) return;
    say("\n{}", table.text(9));
    if (lift_.modes.size() > most) say("    and {}\n", counted(lift_.modes.size() - most, "other mode"));
  }

  const LiftAtRest& lift_;
  html::DisplayUnit force_;
};

nlohmann::json json_of(const std::optional<double>& x) { return x ? nlohmann::json(*x) : nlohmann::json(); }

nlohmann::json json_of(const RopeEndAtRest& e) {
  return {{"at", e.at},         {"body", e.body},         {"force_N", {e.force.x(), e.force.y(), e.force.z()}},
          {"size_N", e.size()}, {"from_z_rad", e.from_z}, {"plane_rad", e.plane}};
}

nlohmann::json json_of(const RopeAtRest& r) {
  nlohmann::json ends = nlohmann::json::array();
  for (const RopeEndAtRest& e : r.ends) ends.push_back(json_of(e));
  return {{"name", r.name},
          {"connected", r.connected},
          {"tension_N", r.tension},
          {"to_vertical_rad", r.angle},
          {"mbl_N", json_of(r.mbl)},
          {"largest_N", json_of(r.largest)},
          {"skew_load_factor", json_of(r.skew_factor())},
          {"utilisation", json_of(utilisation(r))},
          {"safety_factor", json_of(safety_factor(r))},
          {"ends", ends}};
}

nlohmann::json json_of(const BodyOnRopes& b) {
  return {{"name", b.name},
          {"carried_N", b.carried},
          {"weight_N", b.weight},
          {"below_N", b.below},
          {"place_m", {b.place.x(), b.place.y(), b.place.z()}},
          {"roll_pitch_yaw_rad", {b.turn.x(), b.turn.y(), b.turn.z()}}};
}

nlohmann::json json_of(const VesselAtRest& v) {
  return {{"name", v.name},
          {"place_m", {v.place.x(), v.place.y(), v.place.z()}},
          {"roll_pitch_yaw_rad", {v.turn.x(), v.turn.y(), v.turn.z()}}};
}

nlohmann::json json_of(const ValueAtRest& v) { return {{"name", v.name}, {"unit", v.unit}, {"value", v.value}}; }

nlohmann::json json_of(const result::Mode& m) {
  return {
      {"period_s", m.period}, {"frequency_hz", m.frequency}, {"damping_ratio", m.damping_ratio}, {"shape", m.shape}};
}

nlohmann::json json_of(const LiftAtRest& lift);

template <class T>
nlohmann::json list(const std::vector<T>& items) {
  nlohmann::json out = nlohmann::json::array();
  for (const T& item : items) out.push_back(json_of(item));
  return out;
}

nlohmann::json json_of(const LiftAtRest& lift) {
  const Equilibrium& e = lift.equilibrium;
  return {{"after", lift.after},
          {"remarks", lift.remarks},
          {"found", e.converged},
          {"stable", e.stable},
          {"why", e.why},
          {"free_motions", e.free_motions},
          {"variations", lift.variations},
          {"ropes", list(lift.ropes)},
          {"on_ropes", list(lift.on_ropes)},
          {"vessels", list(lift.vessels)},
          {"clearances", list(lift.clearances)},
          {"contacts", list(lift.contacts)},
          {"modes", list(lift.modes)}};
}

}  // namespace

void print_lifts(const std::vector<LiftAtRest>& lifts, html::UnitSystem system) {
  for (const LiftAtRest& lift : lifts) LiftTables(lift, system).print();
}

std::string csv_of(const std::vector<LiftAtRest>& lifts) {
  std::string out =
      "after,rope,connected,tension_N,to_vertical_rad,mbl_N,largest_N,skew_load_factor,utilisation,safety_factor,lug,"
      "body,Fx_N,Fy_N,Fz_N,size_N,from_z_rad,plane_rad\n";
  const auto cell = [](const std::optional<double>& x) { return x ? fmt::format("{}", *x) : std::string(); };
  for (const LiftAtRest& lift : lifts)
    for (const RopeAtRest& r : lift.ropes)
      for (const RopeEndAtRest& e : r.ends)
        out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", io::csv_cell(lift.after),
                           io::csv_cell(r.name), r.connected ? 1 : 0, r.tension, r.angle, cell(r.mbl), cell(r.largest),
                           cell(r.skew_factor()), cell(utilisation(r)), cell(safety_factor(r)), io::csv_cell(e.at),
                           io::csv_cell(e.body), e.force.x(), e.force.y(), e.force.z(), e.size(), e.from_z, e.plane);
  return out;
}

nlohmann::json json_of(const std::vector<LiftAtRest>& lifts) { return list(lifts); }

}  // namespace davit::app
