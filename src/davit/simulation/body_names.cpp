#include "davit/simulation/body_names.hpp"

#include <algorithm>

namespace davit {

std::optional<size_t> BodyNames::of_point(const std::string& point) const {
  for (const std::string& name : {point, point.substr(0, point.rfind('.'))})
    for (size_t i = 0; i < scenario_.bodies.size(); ++i)
      if (scenario_.bodies[i].first == name) return i;
  return std::nullopt;
}

std::optional<size_t> BodyNames::of_frame(int body) const {
  for (size_t i = 0; i < scenario_.body_frames.size(); ++i)
    if (scenario_.body_frames[i].body == body && body != 0) return i;
  return std::nullopt;
}

bool is_free(const BodySpec& body) {
  return body.coordinates != BodyCoordinates::joint || (body.joint && body.joint->free);
}

bool is_vessel(const Scenario& scenario, const std::string& body) {
  const auto vessels = scenario.specification.elements.of<vessel::VesselSpec>();
  return std::any_of(vessels.begin(), vessels.end(), [&](const auto& vessel) { return vessel.first == body; });
}

double weight_of(const Scenario& scenario, const BodySpec& body) {
  return body.weightless ? 0 : body.mass * scenario.specification.environment.gravity;
}

}  // namespace davit
