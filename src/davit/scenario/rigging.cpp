#include "davit/scenario/rigging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "davit/model/model.hpp"
#include "davit/result/csv.hpp"
#include "davit/rope/rope_force.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

using input::Problems;
using input::Record;

const Record<CentreEnvelopeSpec>& CentreEnvelopeSpec::record() {
  static const auto r =
      Record<CentreEnvelopeSpec>("centre_envelope", "How far the centre of gravity of a load may be off, either way")
          .field("of", &CentreEnvelopeSpec::of, "the load: a body")
          .example("block")
          .field("x", &CentreEnvelopeSpec::x, "m", "along its x axis, plus and minus")
          .at_least(0)
          .by_default()
          .field("y", &CentreEnvelopeSpec::y, "m", "along its y axis, plus and minus")
          .at_least(0)
          .by_default()
          .field("z", &CentreEnvelopeSpec::z, "m", "along its z axis, plus and minus")
          .at_least(0)
          .by_default()
          .located(&CentreEnvelopeSpec::where)
          .check([](const CentreEnvelopeSpec& s, const input::Where& place, Problems& problems) {
            if (s.x == 0 && s.y == 0 && s.z == 0)
              problems.error(place, "the envelope of the centre of gravity has no size",
                             "give 'x', 'y' or 'z', e.g. x: 0.5 m, or leave it out");
          });
  return r;
}

const Record<RiggingSpec>& RiggingSpec::record() {
  static const auto r =
      Record<RiggingSpec>("rigging",
                          "How exact the rigging is. `davit statics` varies it and says what each rope then carries at "
                          "most; runs report the skew load factor")
          .field("slings", &RiggingSpec::slings,
                 "ropes and slings whose lengths are not exact, with * and ? as wildcards")
          .by_default()
          .example("[sling_*]")
          .field("length_tolerance", &RiggingSpec::length_tolerance,
                 "by which each may be longer or shorter: a length, or a part of its own")
          .example("20 mm or 0.15 %")
          .choice("skew", &RiggingSpec::skew, {{"corners", Skew::corners}, {"none", Skew::none}},
                  "corners: every combination of longer and shorter, of up to eight slings; of more, each alone and "
                  "opposite ones of the list in pairs")
          .by_default()
          .field("diagonal_split", &RiggingSpec::diagonal_split, "1",
                 "of four slings between a hook and a load: one diagonal carries so many times what the other carries, "
                 "each in turn; 1.33 is common practice")
          .at_least(1)
          .at_most(100)
          .field("centre_of_gravity", &RiggingSpec::centre_of_gravity,
                 "how far the load's centre of gravity may be off: all corners of the envelope")
          .located(&RiggingSpec::where)
          .check([](const RiggingSpec& s, const input::Where& place, Problems& problems) {
            if (s.slings.empty() && (s.length_tolerance || s.diagonal_split))
              problems.error(place, "'slings' is missing", "name them, e.g. slings: [sling_*]");
            if (!s.slings.empty() && !s.length_tolerance && !s.diagonal_split)
              problems.error(place, "the slings have no tolerance",
                             "give 'length_tolerance', e.g. 20 mm or 0.15 %, or 'diagonal_split'");
            if (s.slings.empty() && !s.centre_of_gravity)
              problems.error(place, "nothing is varied", "give 'slings' with a tolerance, or 'centre_of_gravity'");
          });
  return r;
}

namespace {

class RiggingResolver {
 public:
  RiggingResolver(const Scenario& scenario, const Model& model, const std::set<std::string>& doubtful,
                  Problems& problems)
      : scenario_(scenario),
        given_(*scenario.specification.rigging),
        model_(model),
        doubtful_(doubtful),
        problems_(problems) {
    const ElementSpecs& elements = scenario.specification.elements;
    for (const auto& [name, rope] : elements.of<rope::RopeSpec>()) ropes_.push_back(name);
    for (const auto& [name, slings] : elements.of<rope::SlingsSpec>()) ropes_.push_back(name);
  }

  Rigging resolve() {
    find_slings();
    if (given_.length_tolerance && given_.skew == Skew::corners) read_tolerance(*given_.length_tolerance);
    if (given_.diagonal_split) check_split();
    if (given_.centre_of_gravity) find_centre(*given_.centre_of_gravity);
    return std::move(out_);
  }

 private:
  void find_slings() {
    for (const input::Reference& pattern : given_.slings) {
      bool found = false;
      for (const std::string& rope : ropes_) {
        if (!result::matches(pattern.name, rope)) continue;
        found = true;
        if (std::find(out_.slings.begin(), out_.slings.end(), rope) == out_.slings.end()) out_.slings.push_back(rope);
      }
      if (!found) input::unknown_name(pattern, "rope", ropes_, problems_);
    }
  }

  void read_tolerance(const input::Quantity& q) {
    const bool part = q.has_unit && q.dimension() == input::dimensionless;
    if (!part && !(q.has_unit && q.dimension() == input::unit("m").dimension)) {
      problems_.error(q.where, fmt::format("{} is neither a length nor a part of one", q.text),
                      "give e.g. 20 mm, or 0.15 %");
      return;
    }
    if (!(q.value() > 0)) {
      problems_.error(q.where, fmt::format("a tolerance of {} is none", q.text), "give e.g. 20 mm, or 0.15 %");
      return;
    }
    (part ? out_.length_part : out_.length) = q.value();
    check_lengths(q);
  }

  // Beyond a part of the length it is no tolerance, and most likely a slip of the unit.
  void check_lengths(const input::Quantity& q) {
    constexpr double most = 0.1;
    const State start = model_.initial_state();  // lengths of ropes, in any environment
    for (const auto& f : model_.forces()) {
      const auto* rope = dynamic_cast<const rope::RopeForce*>(f.element.get());
      if (!rope || std::find(out_.slings.begin(), out_.slings.end(), rope->name()) == out_.slings.end()) continue;
      const double length = rope->unstretched(start.discrete, f.first_slot);
      if (out_.length + out_.length_part * length <= most * length) continue;
      problems_.error(
          q.where,
          fmt::format("a tolerance of {} is too large for '{}', which is {:.4g} m long", q.text, rope->name(), length),
          "give up to a tenth of the length, e.g. 20 mm, or 0.15 %");
      return;
    }
  }

  // Four ropes without sheaves that share one end, and the body of the other.
  void check_split() {
    const auto body = [](const std::string& point) { return point.substr(0, point.rfind('.')); };
    std::vector<const rope::RopeSpec*> four;
    for (const std::string& name : out_.slings) {
      if (doubtful_.count(name)) return;
      if (const auto* rope = scenario_.specification.elements.find<rope::RopeSpec>(name)) four.push_back(rope);
    }
    const auto all = [&](auto same) {
      return std::all_of(four.begin(), four.end(), [&](const auto* r) { return same(*r, *four.front()); });
    };
    const bool fit = out_.slings.size() == 4 && four.size() == 4 &&
                     all([](const auto& r, const auto&) { return r.path.empty() && r.touches.empty(); }) &&
                     (all([&](const auto& r, const auto& s) {
                        return r.from.name == s.from.name && body(r.to.name) == body(s.to.name);
                      }) ||
                      all([&](const auto& r, const auto& s) {
                        return r.to.name == s.to.name && body(r.from.name) == body(s.from.name);
                      }));
    if (!fit)
      problems_.error(given_.where, "a split between diagonals is of four straight slings from one point to one body",
                      "name four such slings, or leave 'diagonal_split' out");
    out_.diagonal_split = given_.diagonal_split;
  }

  void find_centre(const CentreEnvelopeSpec& c) {
    std::vector<std::string> names;
    for (size_t i = 0; i < scenario_.bodies.size(); ++i) {
      names.push_back(scenario_.bodies[i].first);
      if (scenario_.bodies[i].first != c.of.name) continue;
      const BodySpec& body = scenario_.bodies[i].second;
      if (body.weightless || !(body.mass > 0))
        problems_.error(c.of.where, fmt::format("'{}' has no weight that could be elsewhere", c.of.name),
                        "name the load, a body with a mass on which gravity acts");
      out_.centre = Rigging::Centre{i, Vec3(c.x, c.y, c.z)};
      return;
    }
    if (!doubtful_.count(c.of.name)) input::unknown_name(c.of, "body", names, problems_);
  }

  const Scenario& scenario_;
  const RiggingSpec& given_;
  const Model& model_;
  const std::set<std::string>& doubtful_;
  Problems& problems_;
  std::vector<std::string> ropes_;
  Rigging out_;
};

}  // namespace

std::optional<Rigging> resolve_rigging(const Scenario& scenario, const Model& model,
                                       const std::set<std::string>& doubtful, Problems& problems) {
  if (!scenario.specification.rigging) return std::nullopt;
  return RiggingResolver(scenario, model, doubtful, problems).resolve();
}

}  // namespace davit
