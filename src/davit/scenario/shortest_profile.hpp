// The shortest course that keeps all limits, over how outputs go in time: every stage from rest to rest has a time, and
// every output a spline of its own on its way. Directly, by sequential linear programmes: of limits at instants of all
// spans with exact plans, whose changes with the splines are finite differences. A flat plan depends on the desired
// motion at an instant alone, so that coefficients which have no span in common are changed at once.
#pragma once

#include <functional>

#include "davit/scenario/plan_model.hpp"

namespace davit {

// By how much of it each limit is exceeded at each of the times a course was tried at; negative: kept.
using Excess = std::vector<std::vector<double>>;
// An excess below the negative of this is kept between instants too.
constexpr double well_kept = 1e-5;
// Nothing where the course has no plan. Of a time that comes twice the first is just before it.
using TryCourse = std::function<std::optional<Excess>(const Course&, const std::vector<double>& times)>;

struct ProfileProblem {
  Course polynomial;  // that keeps all limits
  std::vector<double> rests;
  std::vector<std::string> moving;
  bool jumps = false;  // inputs depend on the first derivative that is not continuous
};

// Keeps all limits between instants too. Nothing where none is found that is shorter than the polynomial.
std::optional<Course> shortest_profile(const ProfileProblem&, const TryCourse&);

}  // namespace davit
