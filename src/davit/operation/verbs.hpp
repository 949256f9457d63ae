// The verbs of Davit.
#pragma once

#include "davit/operation/specification.hpp"

namespace davit::operation {

// Joints, winches and tips that go somewhere, or so far from where they are.
struct MoveVerb : TargetsSpec {
  void plan(PhaseMoves&) const;
};
struct MoveByVerb : TargetsSpec {
  void plan(PhaseMoves&) const;
};
// Winches that take in rope or give it out.
struct HoistVerb : TargetsSpec {
  void plan(PhaseMoves&) const;
};
struct LowerVerb : TargetsSpec {
  void plan(PhaseMoves&) const;
};
// Joints of cranes.
struct SlewVerb : TargetsSpec {
  void plan(PhaseMoves&) const;
};
struct LuffVerb : TargetsSpec {
  void plan(PhaseMoves&) const;
};
struct TravelVerb : TargetsSpec {
  void plan(PhaseMoves&) const;
};
struct FollowVerb : FollowSpec {
  void plan(PhaseMoves&) const;
};

// Ropes, slings and mooring lines that are let go, or connected.
struct NamesSpec {
  std::vector<input::Reference> names;
};
struct ReleaseVerb : NamesSpec {
  void plan(PhaseMoves&) const;
};
struct AttachVerb : NamesSpec {
  void plan(PhaseMoves&) const;
};

}  // namespace davit::operation

namespace davit::input {

template <class Verb>
requires std::derived_from<Verb, operation::NamesSpec>
struct Codec<Verb> {
  using Names = Codec<std::vector<Reference>>;
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit& unit) { return Names::shape(unit); }
  static void read(const Node& node, const Shape& shape, Problems& problems, Verb& verb) {
    Names::read(node, shape, problems, verb.names);
  }
  static Node write(const Verb& verb, const Shape& shape) { return Names::write(verb.names, shape); }
};

}  // namespace davit::input
