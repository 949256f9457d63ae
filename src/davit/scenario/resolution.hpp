// What follows from a Specification before a Model is made of it: the hulls of vessels, what every body weighs and
// where it begins. The Specification stays as it was read.
#pragma once

#include "davit/scenario/bodies.hpp"
#include "davit/vessel/vessel.hpp"

namespace davit {

// What the hydrostatics of a vessel tell of its form; zero where unknown. m
struct HullForm {
  double length = 0, beam = 0, draft = 0;
  double fullness = 1;  // of the waterplane in its rectangle
};

struct Resolution {
  // Those of vessels first, in their order; free ones that are on others where they begin in the world.
  input::Named<BodySpec> bodies;
  Bodies parts;  // of the model
  // By vessel; none of one with mistakes, which has a body all the same.
  std::map<std::string, std::shared_ptr<vessel::Hydrodynamics>> hulls;
  std::vector<HullForm> forms;  // in the order of vessels

  // Gives the body of a vessel its weight.
  void weigh(const std::string& vessel, const vessel::VesselSpec&, const hydro::MassProperties&);
};

// Opens, solves or plans hulls. Mistakes are reported; nothing where they leave nothing to go on with.
std::optional<Resolution> resolve(const Specification&, const input::Node& root, const vessel::NewHulls&,
                                  input::Problems&);

}  // namespace davit
