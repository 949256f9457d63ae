// Which speeds each acting element sees, by what it says of itself (ElementWithStates::couplings), so that derivatives
// by an unknown are taken through those elements alone that see it.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit {

// Sorted numbers of generalised speeds.
using Speeds = std::vector<int>;
bool intersects(const Speeds&, const Speeds&);
// Those that rows see, by the bodies and speeds of their pieces.
Speeds speeds_seen(const Model&, const JacobianT<double>&);

class Dependencies {
 public:
  explicit Dependencies(const Model&);

  struct OfElement {
    bool said = false;              // else it may see everything
    Speeds speeds;                  // that it sees, through the inputs that it reads too
    std::vector<Speeds> couplings;  // the same for each of its couplings
  };
  const std::vector<OfElement>& controllers() const { return controllers_; }
  const std::vector<OfElement>& forces() const { return forces_; }

  // Elements whose auxiliary states depend on each other, because they share inputs. They see and act on `bodies` and
  // `speeds`.
  struct StateCluster {
    ActingElements acting;
    std::vector<int> z, bodies;
    Speeds speeds;
  };
  const std::vector<StateCluster>& clusters() const { return clusters_; }

 private:
  std::vector<OfElement> controllers_, forces_;
  std::vector<StateCluster> clusters_;
};

}  // namespace davit
