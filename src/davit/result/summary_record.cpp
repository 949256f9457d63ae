// The keys of summary.json, struct by struct.
#include "davit/result/summary_record.hpp"

namespace davit::result {
namespace {

std::string word_of(Trust trust) { return trust == Trust::green ? "green" : trust == Trust::amber ? "amber" : "red"; }

std::optional<double> bound_on(const CheckedLimit& checked, Limit::Side side) {
  return checked.limit.side == side ? checked.result.bound : std::nullopt;
}
// Of the two bounds the one that is there says on which side it is.
void set_bound_on(CheckedLimit& checked, Limit::Side side, const std::optional<double>& bound) {
  if (!bound) return;
  checked.limit.side = side;
  checked.limit.bound = *bound;
  checked.result.bound = bound;
}

}  // namespace

template <>
OutputRecord<QualityCheck> describe() {
  return OutputRecord<QualityCheck>()
      .field("name", &QualityCheck::name)
      .or_null("value", &QualityCheck::value, "measured")
      .or_null("most", &QualityCheck::most, "that is good enough")
      .field("unit", &QualityCheck::unit)
      .derived("passed", &QualityCheck::passed)
      .field("remedy", &QualityCheck::remedy, "where it is not");
}

template <>
OutputRecord<Peak> describe() {
  return OutputRecord<Peak>()
      .field("channel", &Peak::channel)
      .field("unit", &Peak::unit)
      .field("t", &Peak::t, "s, of the worst instant")
      .field("value", &Peak::value, "in the run")
      .field("at_half_step", &Peak::at_half_step, "in the stretch repeated at half the step")
      .field("scale", &Peak::scale, "what the change is measured by")
      .field("bound", &Peak::bound, "of the limit, if it is one's worst value")
      .derived("moved", &Peak::moved, "change over scale")
      .field("verdict_changes", &Peak::verdict_changes, "of the limit, with the step");
}

template <>
OutputRecord<Quality> describe() {
  return OutputRecord<Quality>()
      .derived("good", &Quality::good, "every measured error is within its bound")
      .derived(
          "verdict", [](const Quality& quality) { return word_of(quality.trust()); },
          "amber: a bound is missed; red: by more than ten times")
      .one_of({"green", "amber", "red"})
      .field("checks", &Quality::checks, "one for each measured error")
      .field("peaks", &Quality::peaks, "worst values that were looked at again")
      .field("remarks", &Quality::remarks, "what was not looked at again, and why");
}

template <>
OutputRecord<html::DisplayUnit> describe() {
  return OutputRecord<html::DisplayUnit>()
      .field("unit", &html::DisplayUnit::name)
      .field("scale", &html::DisplayUnit::scale);
}

template <>
OutputRecord<CheckedLimit> describe() {
  using Side = Limit::Side;
  return OutputRecord<CheckedLimit>()
      .field("channel", &CheckedLimit::limit, &Limit::channel)
      .field("unit", &CheckedLimit::unit, "SI, of the numbers below")
      .field("shown_in", &CheckedLimit::limit, &Limit::written,
             "the unit in which the limit was written, empty where it is none; SI times scale is in it")
      .property(
          "below", [](const CheckedLimit& of) { return bound_on(of, Side::below); },
          [](CheckedLimit& of, const auto& bound) { set_bound_on(of, Side::below, bound); },
          "bound that it shall stay below; null where it shall stay above, or where the bound is not known")
      .property(
          "above", [](const CheckedLimit& of) { return bound_on(of, Side::above); },
          [](CheckedLimit& of, const auto& bound) { set_bound_on(of, Side::above, bound); }, "the other way round")
      .field("asked", &CheckedLimit::limit, &Limit::asked,
             "the bound as it was written where that is no number: 0.3 * mbl")
      .or_null("from", &CheckedLimit::limit, &Limit::from, "s, since when it holds; null: always")
      .or_null("until", &CheckedLimit::limit, &Limit::until, "s")
      .field("phase", &CheckedLimit::limit, &Limit::phase, "in which alone it holds; empty: in all")
      .field("text", &CheckedLimit::limit, &Limit::text, "why, in the user's words")
      .field("passed", &CheckedLimit::result, &LimitResult::passed)
      .derived(
          "verdict", [](const CheckedLimit& of) { return std::string(name_of(verdict(of.result))); },
          "undecided: not exceeded by a run that did not come to its end")
      .one_of({"passed", "exceeded", "not a number", "not evaluated", "undecided"})
      .field("utilisation", &CheckedLimit::result, &LimitResult::utilisation,
             "up to 1 within the limit; null where it has no measure or is infinite")
      .field("worst", &CheckedLimit::result, &LimitResult::worst, "value with the least margin")
      .field("worst_time", &CheckedLimit::result, &LimitResult::worst_time, "s")
      .field("first_exceeded", &CheckedLimit::result, &LimitResult::first_exceeded, "s")
      .field("samples", &CheckedLimit::result, &LimitResult::samples, "steps that were looked at")
      .field("not_a_number", &CheckedLimit::result, &LimitResult::not_a_number, "of these");
}

template <>
OutputRecord<PhaseTime> describe() {
  return OutputRecord<PhaseTime>()
      .field("name", &PhaseTime::name)
      .field("status", &PhaseTime::status, "at the end of the run")
      .one_of({"done", "not begun", "not ended", "failed"})
      .field("begun", &PhaseTime::begun, "s")
      .field("ended", &PhaseTime::ended, "s");
}

template <>
OutputRecord<RopeInPhase> describe() {
  return OutputRecord<RopeInPhase>()
      .field("phase", &RopeInPhase::phase, "what went on")
      .field("static_N", &RopeInPhase::at_rest, "at rest with what hung on it then; null where no rest was found")
      .or_null("largest_N", &RopeInPhase::largest)
      .or_null("largest_time", &RopeInPhase::largest_time, "s")
      .field("empty", &RopeInPhase::empty, "next to nothing hung on it")
      .derived("dynamic_amplification_factor", &RopeInPhase::dynamic_factor,
               "largest over static; null where empty or slack");
}

template <>
OutputRecord<RopeUse> describe() {
  return OutputRecord<RopeUse>()
      .field("name", &RopeUse::name)
      .field("static_N", &RopeUse::at_rest,
             "at rest, of a run with an operation with what hung on it in the phase in which it carried most")
      .or_null("largest_N", &RopeUse::largest, "along the rope, with damping and its own weight")
      .or_null("largest_time", &RopeUse::largest_time, "s")
      .derived("dynamic_amplification_factor", &RopeUse::dynamic_factor, "largest over static")
      .field("mbl_N", &RopeUse::mbl, "minimum breaking load")
      .field("EA_N", &RopeUse::stiffness, "stiffness; null where it is a table")
      .field("length_m", &RopeUse::length, "unstretched, at the start")
      .derived("utilisation", &RopeUse::utilisation, "largest over MBL")
      .derived("safety_factor", &RopeUse::safety_factor, "MBL over largest")
      .field("skew_load_factor", &RopeUse::skew_factor)
      .field("phases", &RopeUse::phases,
             "stretches of the run between the beginnings and ends of phases; empty without an operation");
}

template <>
OutputRecord<LargestVector> describe() {
  return OutputRecord<LargestVector>()
      .or_null("size", &LargestVector::size)
      .or_null("time", &LargestVector::time)
      .field("components", &LargestVector::parts);
}

template <>
OutputRecord<TurnRange> describe() {
  return OutputRecord<TurnRange>().field("low", &TurnRange::low).field("high", &TurnRange::high);
}

template <>
OutputRecord<PointMotion> describe() {
  return OutputRecord<PointMotion>()
      .field("name", &PointMotion::name, "body, or body.point")
      .field("low_m", &PointMotion::low, "least x, y, z in world axes")
      .field("high_m", &PointMotion::high, "greatest")
      .field("speed_m_s", &PointMotion::speed, "largest")
      .field("acceleration_m_s2", &PointMotion::acceleration, "largest; change of velocity over a step")
      .field("roll_pitch_yaw_rad", &PointMotion::turn, "of bodies that turn freely")
      .left_out_if([](const PointMotion& motion) { return !motion.turn; });
}

template <>
OutputRecord<Reaction> describe() {
  return OutputRecord<Reaction>()
      .field("name", &Reaction::name, "body of the joint, or constraint")
      .property(
          "axes", [](const Reaction& of) { return std::string(of.in_body_axes ? "body" : "world"); },
          [](Reaction& of, const std::string& word) { of.in_body_axes = word == "body"; }, "of the components")
      .one_of({"body", "world"})
      .field("force_N", &Reaction::force, "largest")
      .field("moment_N_m", &Reaction::moment, "largest");
}

template <>
OutputRecord<LugForce> describe() {
  return OutputRecord<LugForce>()
      .field("lug", &LugForce::lug)
      .field("rope", &LugForce::rope)
      .field("body", &LugForce::body)
      .field("pull_N", &LugForce::pull, "largest, in axes of the body")
      .derived("from_z_rad", &LugForce::from_z, "between the pull and the body's z axis")
      .derived("plane_rad", &LugForce::plane, "of the plane through z that the pull is in, from x towards y");
}

template <>
OutputRecord<HookLoad> describe() {
  return OutputRecord<HookLoad>()
      .field("name", &HookLoad::name)
      .field("weight_N", &HookLoad::weight, "its own")
      .field("static_N", &HookLoad::at_rest, "carried at rest")
      .field("largest_N", &HookLoad::largest, &LargestValue::value)
      .field("largest_time", &HookLoad::largest, &LargestValue::time, "s");
}

template <>
OutputRecord<NamedExtreme> describe() {
  return OutputRecord<NamedExtreme>()
      .field("name", &NamedExtreme::name, "channel")
      .or_null("value", &NamedExtreme::at, &LargestValue::value, "in SI")
      .or_null("time", &NamedExtreme::at, &LargestValue::time, "s");
}

template <>
OutputRecord<FloatingVessel> describe() {
  return OutputRecord<FloatingVessel>()
      .field("name", &FloatingVessel::name)
      .field("place_m", &FloatingVessel::place, "of its origin")
      .field("roll_pitch_yaw_rad", &FloatingVessel::turn);
}

template <>
OutputRecord<Mode> describe() {
  return OutputRecord<Mode>()
      .or_null("frequency_hz", &Mode::frequency)
      .or_null("period_s", &Mode::period)
      .or_null("damping_ratio", &Mode::damping_ratio, "of critical")
      .field("shape", &Mode::shape);
}

template <>
OutputRecord<Fact> describe() {
  return OutputRecord<Fact>()
      .field("name", &Fact::name)
      .field("value", &Fact::value)
      .field("unit", &Fact::unit)
      .field("text", &Fact::text, "where there is no number");
}

template <>
OutputRecord<BodyRow> describe() {
  return OutputRecord<BodyRow>()
      .field("name", &BodyRow::name)
      .field("mass_kg", &BodyRow::mass)
      .field("centre_m", &BodyRow::centre, "of mass, in axes of the body")
      .field("on", &BodyRow::parent)
      .field("joint", &BodyRow::joint);
}

template <>
OutputRecord<ElementRow> describe() {
  return OutputRecord<ElementRow>().field("name", &ElementRow::name).field("description", &ElementRow::description);
}

template <>
OutputRecord<TitleBlock> describe() {
  return OutputRecord<TitleBlock>()
      .field("project", &TitleBlock::project)
      .field("client", &TitleBlock::client)
      .field("document", &TitleBlock::document)
      .field("revision", &TitleBlock::revision)
      .field("made_by", &TitleBlock::made_by)
      .field("checked_by", &TitleBlock::checked_by)
      .field("notes", &TitleBlock::notes);
}

template <>
OutputRecord<ChannelStatistics> describe() {
  constexpr auto of = &ChannelStatistics::statistics;
  return OutputRecord<ChannelStatistics>()
      .field("name", &ChannelStatistics::channel, &ChannelInfo::name)
      .field("unit", &ChannelStatistics::channel, &ChannelInfo::unit)
      .or_null("min", of, &Statistics::min)
      .or_null("min_time", of, &Statistics::min_time, "s")
      .or_null("max", of, &Statistics::max)
      .or_null("max_time", of, &Statistics::max_time, "s")
      .or_null("mean", of, &Statistics::mean, "over time")
      .or_null("standard_deviation", of, &Statistics::standard_deviation)
      .or_null("first", of, &Statistics::first)
      .or_null("last", of, &Statistics::last)
      .field("samples", of, &Statistics::samples, "finite ones")
      .field("not_finite", of, &Statistics::not_finite, "left out");
}

template <>
OutputRecord<RunSummary> describe() {
  constexpr auto extremes = &RunSummary::extremes;
  constexpr auto model = &RunSummary::model;
  using html::UnitSystem;
  return OutputRecord<RunSummary>()
      .field("title", &RunSummary::title, "of the scenario")
      .field("status", &RunSummary::status,
             "complete, interrupted, or 'stopped: ' and 'broken: ' with time, place and cause")
      .field("created", &RunSummary::created, "when the run was made, ISO 8601")
      .field("files", &RunSummary::files, "what was written, and the scenario")
      .field("versions", &RunSummary::versions, "of davit and of the compiler")
      .field("method", &RunSummary::method, "its name, what it does, and why it was taken")
      .field("step", &RunSummary::step, "s")
      .field("seed", &RunSummary::seed, "of the sea; without waves that of the run")
      .field("simulated_time", &RunSummary::simulated_time, "s")
      .field("wall_time", &RunSummary::wall_time, "s, up to the writing of this file")
      .field("real_time_factor", &RunSummary::real_time_factor, "simulated over wall time")
      .field("steps", &RunSummary::steps, "accepted")
      .field("rejected_steps", &RunSummary::rejected_steps, "steps that were tried again")
      .field("evaluations", &RunSummary::evaluations, "of the equations of motion")
      .field("step_advice", &RunSummary::step_advice, "on the step; may be empty")
      .field("quality", &RunSummary::quality, "numerical quality")
      .field("warnings", &RunSummary::warnings, "each a sentence")
      .field("limits", &RunSummary::limits,
             "in the order of the scenario; a channel that is bounded on both sides is two")
      .field("phases", &RunSummary::phases, "of the operation")
      .field("ropes", &RunSummary::ropes, "whose tension was recorded")
      .field("ropes_static", &RunSummary::ropes_at_rest, "which rest it is that ropes are compared with")
      .field("motions", extremes, &Extremes::motions, "of bodies and named points that moved")
      .field("reactions", extremes, &Extremes::reactions, "of joints on their bodies, about the joint; of constraints")
      .field("lugs", extremes, &Extremes::lugs, "ends of ropes")
      .field("hooks", extremes, &Extremes::hooks, "free bodies on ropes: what those above carry")
      .field("contacts", extremes, &Extremes::contacts, "largest normal forces, N")
      .field("clearances", extremes, &Extremes::clearances, "least distances, m")
      .field("floating", &RunSummary::floating, "vessels at rest at the start")
      .field("assumptions", &RunSummary::assumptions, "that the numbers rest on, each a sentence")
      .field("modes", &RunSummary::modes, "those that ring first")
      .field("modes_left_out", &RunSummary::modes_left_out, "which others there are; empty: none")
      .field("model", &RunSummary::facts, "facts")
      .field("bodies", model, &ModelTables::bodies, "of the model")
      .field("forces", model, &ModelTables::forces, "of the model")
      .field("controllers", model, &ModelTables::controllers, "of the model")
      .field("surroundings", &RunSummary::surroundings, "sea, wind, current and water, as given and as realised")
      .field("title_block", &RunSummary::title_block, "of the report; only where the scenario has one")
      .left_out_if([](const RunSummary& summary) { return summary.title_block.empty(); })
      .field("replay", &RunSummary::replay, "whether the report shall have one")
      .property(
          "units", [](const RunSummary& of) { return std::string(of.units == UnitSystem::si ? "si" : "engineering"); },
          [](RunSummary& of, const std::string& word) {
            of.units = word == "si" ? UnitSystem::si : UnitSystem::engineering;
          },
          "of the report; this file is in SI")
      .one_of({"engineering", "si"})
      .field("channels", &RunSummary::channels, "statistics of every recorded channel, of all steps");
}

}  // namespace davit::result
