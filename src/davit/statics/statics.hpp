// A scenario at rest: where its bodies are, what its mooring lines pull, how stiffly they hold a vessel, and which
// force moves it how far.
#pragma once

#include <string>
#include <vector>

#include "davit/model/strand.hpp"
#include "davit/scenario/scenario.hpp"
#include "davit/solve/equilibrium.hpp"

namespace davit {

struct LineAtRest : MooringStrand::Loads {
  std::string name;
};

// A vessel that is held off its place: surge, sway and yaw are given, all else comes to rest.
struct RestoringPoint {
  double offset = 0;             // m
  double along = 0, across = 0;  // N, of what holds it there: in the direction of the offset and to its left
  double moment = 0;             // N m, about the vertical
  std::vector<LineAtRest> lines;
  bool found = false;
};

struct RestoringCurve {
  std::string vessel;
  double heading = 0;  // rad, of positive offsets: 0 along x, π/2 along y
  std::vector<RestoringPoint> points;
};

struct Statics {
  Equilibrium equilibrium;
  std::vector<LineAtRest> lines;
  std::string vessel;
  Vec3 place = Vec3::Zero();  // m, of its origin at rest
  Vec3 turn = Vec3::Zero();   // rad, roll, pitch and yaw
  Mat6 stiffness =
      Mat6::Zero();  // of surge, sway, heave, roll, pitch, yaw: generalised force per motion, in axes of the body
  RestoringCurve curve;
};

struct StaticsSettings {
  std::string vessel;  // empty: the first one, or the first body with six freedoms
  double heading = 0;  // rad
  double reach = 0;    // m; zero: no curve
  int points = 21;     // from −reach to reach
};

bool has_mooring_lines(const Model&);

// The equilibrium near a state, and where the search for one goes no farther, that at the end of a longer walk.
Equilibrium find_rest(System&, const State& start, Nearness = Nearness::anywhere);

// Throws std::invalid_argument where there is no such vessel. `at_rest`: the equilibrium at the start where it is
// known.
Statics find_statics(const Scenario&, const StaticsSettings&, const std::optional<Equilibrium>& at_rest = {});

}  // namespace davit
