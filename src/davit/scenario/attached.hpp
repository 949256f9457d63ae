// What a vessel carries without a joint, as it is at the start: what rests on it by contacts and what hangs on ropes
// from it. It may leave, so it is not part of the vessel's own load; but the vessel floats with it.
#pragma once

#include "davit/scenario/resolution.hpp"

namespace davit {

// How a vessel floats, with what rests on it and hangs from it at the start.
std::string floating_note(const std::string& vessel, const Specification&, const Resolution&, input::Problems&);

}  // namespace davit
