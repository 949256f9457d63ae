// Points of a curve that its neighbourhood does not explain: the spikes of irregular frequencies.
#pragma once

#include <vector>

namespace davit::hydro {

// How far each value is from a cubic through its surroundings, which is fitted so that few bad points do not bend it;
// as a part of the largest value.
std::vector<double> departures(const std::vector<double>& frequencies, const std::vector<double>& values);

}  // namespace davit::hydro
