// The bodies of a scenario by the names of their points and by their number in the model.
#pragma once

#include <optional>

#include "davit/model/strand.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

class BodyNames {
 public:
  explicit BodyNames(const Scenario& scenario) : scenario_(scenario) {}
  // In the order of the specification: "block.lug1" is on block; none: on the world.
  std::optional<size_t> of_point(const std::string& point) const;
  std::optional<size_t> of_frame(int body) const;
  // By its name if it has one.
  std::optional<size_t> of_place(const RiggingStrand::Place& place) const {
    return place.name.empty() ? of_frame(place.body) : of_point(place.name);
  }

 private:
  const Scenario& scenario_;
};

bool is_free(const BodySpec& body);
bool is_vessel(const Scenario& scenario, const std::string& body);
double weight_of(const Scenario& scenario, const BodySpec& body);  // N

}  // namespace davit
