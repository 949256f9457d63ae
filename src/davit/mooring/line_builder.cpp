// The number of elements, bars or beams, and the length for a pretension or an angle, found from the line at rest.
#include "davit/mooring/line_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/beam_line.hpp"
#include "davit/cable/quasi_static_line.hpp"
#include "davit/cable/root.hpp"
#include "davit/cable/spring_line.hpp"
#include "davit/html/display_unit.hpp"

namespace davit::mooring {

LineBuilder::LineBuilder(const MooringLineSpec& spec, std::vector<cable::Section> sections, cable::Bed bed,
                         cable::Surroundings around, const cable::LineEnds& ends, double breaking_load,
                         input::Problems& problems)
    : spec_(spec),
      sections_(std::move(sections)),
      bed_(std::move(bed)),
      around_(std::move(around)),
      ends_(ends),
      breaking_load_(breaking_load),
      problems_(problems),
      beams_(spec.element == ElementKind::ancf) {
  for (const AttachmentSpec& at : spec.attachments)
    attachments_.push_back({at.at, at.mass, at.volume, at.drag_area, at.added_mass});
}

std::unique_ptr<const cable::LineModel> LineBuilder::build(const cable::Winch& winch) {
  try {
    if (spec_.spring) return spring();
    choose_elements(3);
    if (!reaches() || !find_length()) return nullptr;
    const auto start = rest();
    if (!start) return nullptr;
    const double horizontal = start->view.force_b.head<2>().norm();
    if (bed_.stiffness > 0) bar_length_ = bar_length_for(spec_.accuracy, horizontal, bed_.stiffness);
    bending_ = bending_length(sections_, 0.5 * (start->view.tension_a + start->view.tension_b));
    if (spec_.element == ElementKind::automatic && spec_.model == LineModelKind::dynamic && !spec_.winch)
      beams_ = spec_.clamped() || bending_counts(bending_, bar_length_);
    choose_elements(bar_length_);
    if (!can_bend()) return nullptr;
    // Beams hang a little otherwise.
    if (beams_ && !find_length()) return nullptr;
    switch (spec_.model) {
      case LineModelKind::dynamic:
        return with_motion(winch);
      case LineModelKind::quasi_static:
        return std::make_unique<cable::QuasiStaticLine>(line(winch));
      case LineModelKind::spring:
        return linear();
    }
  } catch (const std::invalid_argument& mistake) {
    problems_.error(spec_.where, mistake.what(), "change what it names");
  }
  return nullptr;
}

std::string LineBuilder::choice() const {
  if (spec_.model != LineModelKind::dynamic) return {};
  std::string out = fmt::format("for {:g} %", 100 * spec_.accuracy);
  if (spec_.element == ElementKind::automatic && bending_ > 0)
    out += fmt::format("; {} because it bends over {:.2g} m", beams_ ? "beams" : "bars", bending_);
  return out;
}

std::unique_ptr<const cable::LineModel> LineBuilder::with_motion(const cable::Winch& winch) const {
  if (!beams_) return std::make_unique<cable::BarLine>(line(winch));
  cable::BeamOptions options{.strain = spec_.strain};
  if (spec_.clamped_from) options.a = cable::Hold::clamped;
  if (spec_.clamped_to) options.b = cable::Hold::clamped;
  return std::make_unique<cable::BeamLine>(cable::Beam(sections_, attachments_, bed_, around_, options));
}

// From a clamp on a line bends over √(EI/T), which its elements must be able to follow.
bool LineBuilder::can_bend() {
  if (!spec_.clamped()) return true;
  if (!(bending_ > 0)) {
    problems_.error(spec_.where, "an end of the line is clamped, and the line has no bending stiffness",
                    "give its sections EI, or let the end turn");
    return false;
  }
  for (const bool first : {true, false}) {
    if (!(first ? spec_.clamped_from : spec_.clamped_to)) continue;
    const cable::Section& s = first ? sections_.front() : sections_.back();
    const double element = s.length / s.elements;
    if (element > 2 * bending_)
      problems_.warning(spec_.where,
                        fmt::format("the line bends over {:.3g} m from where it is clamped, and its elements there are "
                                    "{:.3g} m long: moment and curvature there are rough",
                                    bending_, element),
                        fmt::format("give its end a section of its own with elements of {:.2g} m", bending_));
  }
  return true;
}

void LineBuilder::choose_elements(double size) {
  constexpr int fewest = 5, most = 2000;
  for (size_t i = 0; i < sections_.size(); ++i)
    sections_[i].elements = spec_.sections[i].elements.value_or(
        std::clamp(static_cast<int>(std::ceil(sections_[i].length / size)), fewest, most));
}

double LineBuilder::length() const {
  double sum = 0;
  for (const cable::Section& s : sections_) sum += s.length;
  return sum;
}

// Stretched to its breaking load, or by a tenth, it must reach from end to end.
bool LineBuilder::reaches() {
  double reach = 0;
  for (const cable::Section& s : sections_)
    reach += s.length * (1 + (s.breaking_load > 0 ? s.breaking_load / s.EA : 0.1));
  const double apart = (ends_.b - ends_.a).norm();
  if (apart <= reach || spec_.targets() > 0) return true;
  problems_.error(spec_.where,
                  fmt::format("the line is {:.5g} m long, and its ends are {:.5g} m apart", length(), apart),
                  "lengthen a section, or move the anchor");
  return false;
}

std::optional<LineBuilder::Rest> LineBuilder::rest() {
  const auto trial = with_motion();
  const auto scratch = trial->make_scratch();
  std::vector<double> state(static_cast<size_t>(trial->state_size()), 0.0);
  Rest out;
  const cable::Outcome outcome = trial->settle(ends_, state.data(), out.forces, *scratch);
  if (!outcome.converged) {
    problems_.error(
        spec_.where,
        fmt::format("no equilibrium of the line was found: {} are left", html::with_unit(outcome.residual, "N")),
        "check lengths, weights and the places of its ends");
    return std::nullopt;
  }
  trial->look(state.data(), out.view);
  return out;
}

namespace {

// What the length of the last section is found for. A shorter line pulls more, and leaves the fairlead less steeply.
struct Target {
  double wanted;
  const char *what, *unit;
  double (*of)(const Vec3& pull);  // on the fairlead
  bool falls;                      // with the length
};
double declination(const Vec3& pull) { return std::atan2(-pull.z(), pull.head<2>().norm()); }

std::optional<Target> target_of(const MooringLineSpec& spec) {
  if (spec.tension) return Target{*spec.tension, "tension", "N", [](const Vec3& f) { return f.norm(); }, true};
  if (spec.horizontal_tension)
    return Target{*spec.horizontal_tension, "horizontal tension", "N", [](const Vec3& f) { return f.head<2>().norm(); },
                  true};
  if (spec.angle) return Target{*spec.angle, "angle", "rad", declination, false};
  return std::nullopt;
}

}  // namespace

bool LineBuilder::find_length() {
  const auto target = target_of(spec_);
  if (!target) return true;
  double& last = sections_.back().length;
  const double others = length() - last, apart = (ends_.b - ends_.a).norm();
  bool found = true;
  const auto value = [&](double trial) {
    last = trial;
    const auto at = found ? rest() : std::nullopt;
    found = found && at;
    return found ? target->of(at->view.force_b) : 0.0;
  };
  const auto miss = [&](double trial) { return value(trial) - target->wanted; };
  // From taut, by a tenth of its length, to as slack as it can lie.
  const double drop = std::abs(ends_.b.z() - ends_.a.z());
  const double shortest = std::max({0.9 * apart - others, 0.01 * apart, 0.01 * last});
  const double longest = std::max(1.01 * shortest, apart + drop - others);
  const double tight = value(shortest), slack = value(longest);
  if (!found) return false;
  if ((tight - target->wanted) * (slack - target->wanted) > 0) {
    const auto shown = [&](double number) { return html::with_unit(number, target->unit); };
    problems_.error(
        spec_.where,
        fmt::format("no length of the last section gives a{} {} of {}: with {:.5g} m it is {}, with {:.5g} m {}",
                    spec_.angle ? "n" : "", target->what, shown(target->wanted), shortest, shown(tight), longest,
                    shown(slack)),
        "ask for a value between, or move the anchor");
    return false;
  }
  last = cable::root_between(shortest, longest, miss, 1e-7 * apart);
  return found;
}

std::unique_ptr<const cable::LineModel> LineBuilder::spring() const {
  const SpringSpec& spec = *spec_.spring;
  std::vector<cable::SpringLine::Point> curve;
  if (spec.stiffness) {
    curve = cable::SpringLine::linear(*spec.stiffness, (ends_.b - ends_.a).norm(), spec_.tension.value_or(0));
  } else {
    for (const auto& pair : spec.table) {
      if (pair.size() != 2) throw std::invalid_argument("a point of the spring's table is not a pair: [400 m, 300 kN]");
      const auto distance = input::require(pair[0], input::unit("m"), problems_);
      const auto tension = input::require(pair[1], input::unit("N"), problems_);
      if (!distance || !tension) return nullptr;
      curve.push_back({*distance, *tension});
    }
  }
  return std::make_unique<cable::SpringLine>(std::move(curve), breaking_load_);
}

std::unique_ptr<const cable::LineModel> LineBuilder::linear() {
  const auto at = rest();
  if (!at) return nullptr;
  return std::make_unique<cable::LinearLine>(ends_, at->forces, length(), breaking_load_);
}

}  // namespace davit::mooring
