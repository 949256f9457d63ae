// What each verb of phases moves, and the list of verbs by their words.
#include "davit/operation/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "davit/operation/luffing.hpp"
#include "davit/operation/phase_moves.hpp"

namespace davit::operation {

namespace {

using Kind = SignalMove::Kind;

// Why a verb is not for a target, and what to do; empty when it is.
struct Misfit {
  std::string why, remedy = "use 'move'";
};

// Lets every target that fits travel; `check`: what else is to be seen of one.
template <class Fits>
void travel(const char* verb, const TargetsSpec& spec, Kind kind, double sign, const Fits& misfit_of,
            PhaseMoves& moves) {
  for (const auto& [name, value] : spec.targets) {
    const auto target = moves.assembly().target(name);
    if (!target) continue;
    const Misfit misfit = misfit_of(*target);
    if (misfit.why.empty())
      moves.travel(*target, name, value, kind, sign);
    else
      moves.assembly().problems().error(name.where, fmt::format("{}: '{}' {}", verb, name.name, misfit.why),
                                        misfit.remedy);
  }
}

Misfit fits_anything(const Assembly::Target&) { return {}; }

// A length of rope, which has no sign.
void give_rope(const char* verb, const char* opposite, const TargetsSpec& spec, double sign, PhaseMoves& moves) {
  TargetsSpec lengths;
  for (const auto& [name, value] : spec.targets) {
    if (value.number < 0)
      moves.assembly().problems().error(value.where, fmt::format("{} is a length of rope", verb),
                                        fmt::format("give it without sign, or use '{}'", opposite));
    else
      lengths.targets.emplace_back(name, value);
  }
  travel(
      verb, lengths, Kind::by, sign,
      [](const Assembly::Target& target) -> Misfit {
        if (target.joint) return {"is a joint, and not a winch", "name a winch, or use 'move'"};
        if (target.unit != "m")
          return {"is a winch that is not told how much rope to give out",
                  "use 'move', or give the winch mode: length"};
        return {};
      },
      moves);
}

// A boom that would fall over to the other side.
void check_luffing(const input::Reference& name, const input::Quantity& value, Assembly& assembly) {
  const auto target = assembly.target(name);
  if (!target || !target->joint || value.dimension() != input::unit("rad").dimension) return;
  const auto at = assembly.coordinate(name);
  const auto upright = at ? upright_on_the_way(*at, value.value(), assembly) : std::nullopt;
  if (!upright) return;
  constexpr double in_degrees = 180 / std::numbers::pi;
  assembly.problems().warning(
      name.where,
      fmt::format("luff: '{}' goes to {:.4g} deg, through the vertical at {:.4g} deg: it would fall over to the "
                  "other side",
                  name.name, value.value() * in_degrees, *upright * in_degrees),
      "give an angle before the vertical; if the joint is no boom use 'move'");
}

}  // namespace

void MoveVerb::plan(PhaseMoves& moves) const { travel("move", *this, Kind::to, 1, fits_anything, moves); }
void MoveByVerb::plan(PhaseMoves& moves) const { travel("move_by", *this, Kind::by, 1, fits_anything, moves); }
void HoistVerb::plan(PhaseMoves& moves) const { give_rope("hoist", "lower", *this, -1, moves); }
void LowerVerb::plan(PhaseMoves& moves) const { give_rope("lower", "hoist", *this, 1, moves); }

void SlewVerb::plan(PhaseMoves& moves) const {
  travel(
      "slew", *this, Kind::to, 1,
      [](const Assembly::Target& target) { return target.unit == "rad" ? Misfit{} : Misfit{"does not turn"}; }, moves);
}

void LuffVerb::plan(PhaseMoves& moves) const {
  for (const auto& [name, value] : targets) check_luffing(name, value, moves.assembly());
  travel("luff", *this, Kind::to, 1, fits_anything, moves);
}

void TravelVerb::plan(PhaseMoves& moves) const {
  travel(
      "travel", *this, Kind::to, 1,
      [](const Assembly::Target& target) { return target.unit == "m" ? Misfit{} : Misfit{"does not slide"}; }, moves);
}

void FollowVerb::plan(PhaseMoves& moves) const {
  for (const auto& [name, table] : tables)
    if (const auto target = moves.assembly().target(name)) moves.follow(*target, table);
}

void ReleaseVerb::plan(PhaseMoves& moves) const {
  for (const input::Reference& name : names) moves.switch_to(name, 0);
}
void AttachVerb::plan(PhaseMoves& moves) const {
  for (const input::Reference& name : names) moves.switch_to(name, 1);
}

const VerbKind& Verbs::of(std::type_index type) const {
  const auto at = std::find_if(all_.begin(), all_.end(), [&](const auto& kind) { return kind->type == type; });
  if (at == all_.end()) throw std::logic_error("no verb of phases has this type: register it with add_verb first");
  return **at;
}

void Verbs::add(VerbKind kind) {
  if (closed_) throw std::logic_error("the verb '" + kind.field.key + "' comes after the first phase was read");
  for (const auto& other : all_)
    if (other->field.key == kind.field.key)
      throw std::logic_error("phases have a verb '" + kind.field.key + "' already");
  all_.push_back(std::make_unique<const VerbKind>(std::move(kind)));
}

Verbs& verbs() {
  static Verbs all = [] {
    Verbs v;
    v.add<MoveVerb>("move", "where joints (or joint.coordinate), winches and tips go: name and target",
                    "{king: 90 deg, inner: 0.7 rad}");
    v.add<MoveByVerb>("move_by", "how far they go from where they are");
    v.add<HoistVerb>("hoist", "rope that winches take in", "{hoist: 12 m}");
    v.add<LowerVerb>("lower", "rope that winches give out", "{hoist: 12 m}");
    v.add<SlewVerb>("slew", "rotations: joint and target, as in move", "{king: 90 deg}");
    v.add<LuffVerb>("luff", "of booms: joint, or winch, and target, as in move", "{boom: 60 deg}");
    v.add<TravelVerb>("travel", "translations: joint and target, as in move", "{trolley: 35 m}");
    v.add<FollowVerb>("follow", "joints, winches and tips that follow given points in time");
    v.add<ReleaseVerb>("release", "ropes, slings and mooring lines that are let go when it begins",
                       "[sling_1, sling_2]");
    v.add<AttachVerb>("attach", "ropes and slings that are connected when it begins; until then they are loose");
    return v;
  }();
  return all;
}

}  // namespace davit::operation
