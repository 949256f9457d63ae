// From the description of a mooring line to its part of a model.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "davit/assembly/weather_signals.hpp"
#include "davit/math/constants.hpp"
#include "davit/mooring/line_builder.hpp"
#include "davit/mooring/line_observables.hpp"
#include "davit/mooring/line_parts.hpp"
#include "davit/sea/wave_field.hpp"

namespace davit::mooring {

namespace {

// Ends may be as far in the bed as this, and anchors above it, without a word.
constexpr double near_bed = 1;  // m

// An anchor holds in the bed. What is as high as a quay may be a bollard, and a line that is level lies in the water as
// it was put there: these are said only.
bool anchor_is_on_bed(const cable::LineEnds& ends, const cable::Bed& bed, const input::Where& where,
                      input::Problems& problems) {
  constexpr double pile = 5, quay = 20, level = 1;  // m
  const double above = ends.a.z() - bed.level(ends.a.x(), ends.a.y());
  if (!(above > near_bed)) return true;
  const std::string what = fmt::format("its anchor is {:.4g} m above the bed", above);
  const bool bollard = ends.a.z() >= 0 && ends.a.z() < quay, is_level = std::abs(ends.a.z() - ends.b.z()) < level;
  if (above < pile || bollard || is_level) {
    problems.warning(where, what, "put it on the bed if it is one: z is up from still water");
    return true;
  }
  problems.error(where, what,
                 "put it on the bed: z is up from still water; what else holds the line there is a body: from: "
                 "quay.bollard");
  return false;
}

bool ends_fit_bed(const cable::LineEnds& ends, const cable::Bed& bed, bool anchored, const input::Where& where,
                  input::Problems& problems) {
  if (bed.stiffness <= 0) return true;
  if (bed.map)
    for (const Vec3& end : {ends.a, ends.b})
      if (!bed.map->covers(end.x(), end.y())) {
        const Vec2 low = bed.map->low(), high = bed.map->high();
        problems.error(where,
                       fmt::format("its end at x = {:.5g} m, y = {:.5g} m is outside of the bed's map, which is from "
                                   "{:.5g} m, {:.5g} m to {:.5g} m, {:.5g} m",
                                   end.x(), end.y(), low.x(), low.y(), high.x(), high.y()),
                       "take a larger map, or say where the world's origin is in it: map_origin");
        return false;
      }
  for (const auto& [end, what] : {std::pair{ends.a, "first end"}, std::pair{ends.b, "fairlead"}}) {
    const double level = bed.level(end.x(), end.y());
    if (end.z() >= level - near_bed) continue;
    problems.error(
        where,
        fmt::format("its {} is {:.4g} m below the bed, which is {:.4g} m deep there", what, level - end.z(), -level),
        "put it on the bed or above, or give the depth there: seabed: {depth: ...}");
    return false;
  }
  return !anchored || anchor_is_on_bed(ends, bed, where, problems);
}

// The x of a clamped end's frame is the direction of the line there, from the first end to the fairlead.
Frame turned_to(Frame frame, const std::optional<Vec3>& leaves, double sign) {
  if (leaves) frame.offset.R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), sign * *leaves).toRotationMatrix();
  return frame;
}

// The bed of the line itself, or that of the environment.
std::optional<cable::Bed> bed_under(const MooringLineSpec& spec, double weight, const sea::Water& water,
                                    Assembly& assembly) {
  input::Problems& problems = assembly.problems();
  const auto shared = assembly.shared<Seabed>();
  if (!spec.seabed) return bed_of(shared.get(), water, weight, spec.where, problems);
  const auto own = seabed_of(*spec.seabed, problems);
  return own ? bed_of(&*own, water, weight, spec.where, problems) : std::nullopt;
}

InEnvironment<cable::Sea> sea_of_line(Assembly& assembly) {
  return assembly.in_environment<cable::Sea>([](const auto& around) {
    const auto waves = around->template find<sea::WaveField>();
    const cable::Flow flow = [waves](double time, const Vec3* points, int count, cable::WaterSample* samples) {
      for (int i = 0; i < count; ++i) {
        const sea::WaveField::Sample s = waves->at(time, points[i]);
        samples[i] = {s.velocity, s.acceleration, s.elevation};
      }
    };
    return std::make_shared<const cable::Sea>(cable::Sea{flow, waves->window()});
  });
}

// The fairlead moves with the waves.
void check_step(const MooringLineSpec& spec, const Environment& around, input::Problems& problems) {
  const auto waves = around.find<sea::WaveField>();
  const auto step = around.find<StepOfRun>();
  if (!waves || !step || !(waves->mean_frequency() > 0)) return;
  const double period = 2 * pi / waves->mean_frequency(), steps = fineness_for(spec.accuracy).steps;
  if (step->length * steps <= 1.01 * period) return;
  problems.warning(
      spec.where,
      fmt::format("a step of {:.3g} ms is long for an accuracy of {:g} % in waves of {:.3g} s: it wants {:.0f} steps a "
                  "period",
                  1e3 * step->length, 100 * spec.accuracy, period, steps),
      fmt::format("run: {{step: {:.2g} ms}}, or a lower accuracy", 1e3 * period / steps));
}

// Of the weakest section, or of the spring; zero: not known.
double breaking_load_of(const MooringLineSpec& spec, const std::vector<cable::Section>& sections) {
  if (spec.spring && spec.spring->mbl) return *spec.spring->mbl;
  double least = 0;
  for (const cable::Section& s : sections)
    if (s.breaking_load > 0) least = least > 0 ? std::min(least, s.breaking_load) : s.breaking_load;
  return least;
}

std::optional<LineBreak> break_of(const std::optional<BreakSpec>& spec, double breaking_load,
                                  input::Problems& problems) {
  LineBreak out;
  if (!spec) return out;
  if (spec->at) out.at = *spec->at;
  out.along = spec->along;
  if (!spec->above) return out;
  if (!spec->above->is_relative()) {
    const auto force = input::require(spec->above->quantity, input::unit("N"), problems);
    if (!force) return std::nullopt;
    out.above = *force;
  } else if (spec->above->of.name != "mbl" || !(breaking_load > 0)) {
    problems.error(spec->where,
                   spec->above->of.name == "mbl" ? "the breaking load of the line is not known"
                                                 : fmt::format("'{}' is no property of a line", spec->above->of.name),
                   "give a force, or 'mbl' of its sections and 'above: 1 * mbl'");
    return std::nullopt;
  } else {
    out.above = spec->above->factor * breaking_load;
  }
  if (out.above > 0) return out;
  problems.error(spec->where, fmt::format("a line that breaks above {:g} N is broken at the start", out.above),
                 "give a positive tension");
  return std::nullopt;
}

}  // namespace

void MooringLineSpec::declare(const std::string& name, Assembly& assembly) const {
  if (winch) assembly.add_target(name, "m");
}

void MooringLineSpec::build(const std::string& name, Assembly& assembly) const {
  input::Problems& problems = assembly.problems();
  std::optional<Signal> paid_out;
  cable::Winch range;
  if (winch) {
    paid_out = assembly.take_signal(name, 0);
    const auto [least, most] = assembly.range(*paid_out);
    range.least = least;
    range.most = most;
    assembly.bound(*paid_out, least, most);
  }
  if (anchor.has_value() == from.has_value()) {
    problems.error(where, "a mooring line has either an anchor or a first end on a body",
                   "give 'anchor: [x, y, z]' or 'from: body.point'");
    return;
  }
  const auto near = assembly.frame(to);
  const auto far = from ? assembly.frame(*from) : std::optional(Frame{0, {Mat3::Identity(), *anchor}});
  if (!near || !far) return;
  cable::Surroundings around;
  if (const auto water = assembly.shared<sea::Water>()) around.water = *water;
  around.current = assembly.shared<sea::Current>();
  const bool meets_waves = model == LineModelKind::dynamic && assembly.shared<sea::WaveField>();
  around.waves = meets_waves;
  std::vector<cable::Section> made;
  double heaviest = 0;
  for (const SectionSpec& each : sections) {
    const auto section = section_of(each, around.water, problems);
    if (!section) return;
    made.push_back(*section);
    heaviest =
        std::max(heaviest, (section->mass - around.water.density * section->displacement) * around.water.gravity);
  }
  const auto bed = bed_under(*this, heaviest, around.water, assembly);
  const Kin kin = assembly.start_kinematics();
  const Frame first = turned_to(*far, clamped_from, 1), last = turned_to(*near, clamped_to, -1);
  const cable::LineEnds ends{position(kin, first), position(kin, last), LineForce::direction(kin, first),
                             LineForce::direction(kin, last)};
  if (!bed || !ends_fit_bed(ends, *bed, anchor.has_value(), where, problems)) return;
  const double breaking_load = breaking_load_of(*this, made);
  const auto breaking = break_of(breaks, breaking_load, problems);
  if (!breaking) return;
  LineBuilder builder(*this, std::move(made), *bed, std::move(around), ends, breaking_load, problems);
  auto line = builder.build(range);
  if (!line) return;
  std::optional<InEnvironment<cable::Sea>> sea;
  if (meets_waves) sea = sea_of_line(assembly);
  const auto force =
      std::make_shared<LineForce>(name, std::move(line), first, last, *breaking, paid_out, assembly.take_switch(name),
                                  builder.choice(), std::move(sea), weather_signals(assembly));
  if (breaking_load > 0) assembly.add_value(name + ".mbl", breaking_load, "N");
  add_observables(force, assembly.add(force), breaking_load > 0, assembly);
  if (meets_waves)
    assembly.check_in_environment(
        [spec = *this](const Environment& met, input::Problems& said) { check_step(spec, met, said); });
}

}  // namespace davit::mooring
