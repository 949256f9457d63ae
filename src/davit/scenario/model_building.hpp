// From what was resolved to a Model, and what of a scenario is known by the names in it: limits, operation, rigging.
#pragma once

#include "davit/scenario/resolution.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

// Bodies with their points and weights, as the first things of a model. The own frame of each, in order.
std::vector<Frame> add_bodies(const input::Named<BodySpec>& bodies, const Bodies& parts, double gravity, Assembly&);

std::unique_ptr<Model> build_model(const Resolution&, Scenario& out, input::Problems&);

// Makes the environment of a model, and reports what of it is wrong.
void surround(const Model&, const Surroundings& given, Scenario& out, input::Problems&);

// What limits can be about.
std::vector<result::ChannelInfo> channels_of(const Model&);

}  // namespace davit
