#include "davit/model/observable.hpp"

#include <algorithm>
#include <iterator>

namespace davit {

void Observables::add_scalars(std::vector<ScalarInfo> infos,
                              std::function<void(const State&, const Workspace&, double*)> observe) {
  scalars.push_back(std::make_shared<ObservedScalars>(ObservedScalars{std::move(infos), std::move(observe)}));
}

void Observables::add_scalar(ScalarInfo info, std::function<double(const State&, const Workspace&)> value) {
  add_scalars({std::move(info)}, [value = std::move(value)](const State& s, const Workspace& w, double* values) {
    values[0] = value(s, w);
  });
}

void Observables::append(Observables other) {
  const auto move = [](auto& from, auto& to) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
  move(other.scalars, scalars);
  move(other.poses, poses);
  move(other.polylines, polylines);
  move(other.surfaces, surfaces);
  move(other.events, events);
}

}  // namespace davit
