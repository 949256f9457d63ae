// The lift at rest, as a rigger asks for it: at the start and after each phase of its operation, what every rope
// carries, how it pulls at its lugs, what hangs on the hook, how vessels float, clearances, contacts and natural
// periods. Time stands still at the start of the run: gusts and what is switched by time are as they are there.
#pragma once

#include <functional>

#include "davit/result/summary.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/statics/skew.hpp"

namespace davit {

// A rope at one of its ends: its pull on the body there.
struct RopeEndAtRest {
  std::string at, body;       // "block.lug1", "block"
  Vec3 force = Vec3::Zero();  // N, in axes of the body
  double from_z = 0;          // rad, between the pull and the body's z axis
  double plane = 0;           // rad, of the plane through z that the pull is in, from the body's x axis towards y
  double size() const { return force.norm(); }
};

struct RopeAtRest {
  std::string name;
  bool connected = true;
  double tension = 0;  // N, the largest in it
  double angle = 0;    // rad, to the vertical where it ends; of slings on an equalizer the largest
  std::optional<double> mbl;
  std::vector<RopeEndAtRest> ends;
  std::optional<double> largest;  // N, over the variations of the rigging

  // None of a rope that carries nothing.
  std::optional<double> skew_factor() const;
};
std::optional<double> utilisation(const RopeAtRest&);    // of the largest there is
std::optional<double> safety_factor(const RopeAtRest&);  // of the same

// A free body on ropes: what those above carry of it and of all that hangs below.
struct BodyOnRopes {
  std::string name;
  double carried = 0;         // N, upwards
  double weight = 0;          // N, its own
  double below = 0;           // N, pull of ropes downwards
  Vec3 place = Vec3::Zero();  // m, of its origin
  Vec3 turn = Vec3::Zero();   // rad, roll, pitch and yaw
};

struct VesselAtRest {
  std::string name;
  Vec3 place = Vec3::Zero();  // m
  Vec3 turn = Vec3::Zero();   // rad, roll, pitch and yaw
};

struct ValueAtRest {
  std::string name, unit;
  double value = 0;
};

struct LiftAtRest {
  std::string after;                 // a phase; empty: the start
  std::vector<std::string> remarks;  // what was assumed
  Equilibrium equilibrium;           // says why where there is none
  std::vector<RopeAtRest> ropes;
  std::vector<BodyOnRopes> on_ropes;
  std::vector<VesselAtRest> vessels;
  std::vector<ValueAtRest> clearances, contacts;
  std::vector<result::Mode> modes;
  std::string variations;  // which, of the rigging
};

// Channels of a kind of element ("contact", "clearance") that end so.
std::vector<Channel> channels_of_elements(const Model&, const std::string& kind,
                                          const std::vector<std::string>& endings);

// What there is at a state at rest; ropes in the order of the model.
struct LoadsAtRest {
  std::vector<RopeAtRest> ropes;
  std::vector<BodyOnRopes> on_ropes;
  std::vector<VesselAtRest> vessels;
};
LoadsAtRest loads_at(const Scenario&, System&, const State&);

// Told while rests are looked for, which may take long.
struct RestWatch {
  std::function<void(const std::string& phase)> begins;  // the search after a phase; empty: at the start
  std::function<bool()> proceeds;                        // whether to look for more
};
// The start, then each phase that changes something, in the order in which they come, those that begin together as one;
// with the rigging as it is given.
std::vector<LiftAtRest> find_lifts_at_rest(const Scenario&, System&, const RestWatch& = {});

// The largest that ropes carry over the variations of the rigging, where the scenario has any.
void vary_rigging_of(LiftAtRest&, const Scenario&, System&);

}  // namespace davit
