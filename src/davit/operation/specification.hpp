// The operation as a file describes it.
#pragma once

#include "davit/input/file_path.hpp"
#include "davit/input/quantity.hpp"
#include "davit/input/record.hpp"
#include "davit/math/export.hpp"
#include "davit/math/motion.hpp"
#include "davit/operation/verb.hpp"

namespace davit {

// Targets by joint or joint coordinate: {king: 90 deg, vessel.roll: 2 deg}.
struct TargetsSpec {
  std::vector<std::pair<input::Reference, input::Quantity>> targets;
};

struct ComparisonSpec {
  input::Reference channel;
  std::optional<input::Threshold> above, below;
  input::Where where;
  static const input::Record<ComparisonSpec>& record();
};

struct ConditionSpec {
  std::optional<input::Reference> channel;
  std::optional<input::Threshold> above, below;
  std::vector<ComparisonSpec> all, any;
  double lasting = 0;
  input::Where where;
  static const input::Record<ConditionSpec>& record();
};

// What a signal follows: points in a file or in the scenario.
struct SignalTableSpec {
  std::optional<input::FilePath> file;
  std::string column, unit;  // of the file
  std::vector<std::vector<input::Quantity>> table;
  Motion::Interpolation interpolation = Motion::Interpolation::smooth;
  std::optional<input::Quantity> start_speed, end_speed;  // of a smooth one
  input::Where where;
  static const input::Record<SignalTableSpec>& record();
};

// By joint, winch or tip.
struct FollowSpec {
  std::vector<std::pair<input::Reference, SignalTableSpec>> tables;
};

struct DAVIT_API PhaseSpec {
  std::string name;
  std::optional<double> at;
  std::optional<std::vector<input::Reference>> after;
  double delay = 0;
  std::optional<ConditionSpec> when;
  std::vector<operation::Action> actions;  // in the order in which verbs are registered
  double hold = 0;
  std::vector<PhaseSpec> parallel, sequence;
  std::optional<double> over;
  std::optional<input::Quantity> speed, acceleration;
  int smoothness = 2;
  double ramp = 0;
  std::optional<ConditionSpec> until;
  std::optional<double> timeout;
  bool continue_on_timeout = false;
  input::Where where;
  static const input::Record<PhaseSpec>& record();

  // What it does, by a verb (verbs.hpp): phase.add(operation::HoistVerb{{{{winch, quantity(4, "m")}}}}).
  template <class Verb>
  void add(Verb verb) {
    actions.emplace_back(std::move(verb));
  }
};

}  // namespace davit

namespace davit::input {

// Verbs read what they are about as TargetsSpec and FollowSpec do.
struct TargetsCodec {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&);
  static void read(const Node&, const Shape&, Problems&, TargetsSpec&);
  static Node write(const TargetsSpec&, const Shape&);
};
template <std::derived_from<TargetsSpec> Spec>
struct Codec<Spec> : TargetsCodec {};

struct FollowCodec {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&);
  static void read(const Node&, const Shape&, Problems&, FollowSpec&);
  static Node write(const FollowSpec&, const Shape&);
};
template <std::derived_from<FollowSpec> Spec>
struct Codec<Spec> : FollowCodec {};

}  // namespace davit::input
