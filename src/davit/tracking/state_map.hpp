// Where the coordinates of a plan's model are in the model of a run: by the names of bodies and of speeds. The run has
// others beside them: vessels that float, what the plan left out. Hulls that move as recorded are known to the plan,
// and are taken from it.
#pragma once

#include <string>
#include <vector>

#include "davit/model/model.hpp"

namespace davit::tracking {

class StateMap {
 public:
  StateMap() = default;
  // Coordinates of the plan that the run does not have are in missing(), by name.
  StateMap(const Model& plan, const Model& run, const std::vector<std::string>& prescribed = {});
  const std::vector<std::string>& missing() const { return missing_; }
  // What the plan's model has as coordinates and speeds: q and u come as they are planned.
  void take(const Kin& run, VecX& q, VecX& u) const;

 private:
  std::vector<int> q_, u_;  // by those of the plan; -1: as planned
  std::vector<std::string> missing_;
};

}  // namespace davit::tracking
