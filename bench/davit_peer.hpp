// Davit behind the benchmark's interface, and the tasks that only Davit has.
#pragma once

#include "davit/dynamics/kane.hpp"
#include "davit/dynamics/system.hpp"
#include "davit/solve/stepper.hpp"
#include "peer.hpp"

namespace davit::bench {

class DavitCrane final : public Crane {
 public:
  DavitCrane();
  void compute(const CraneState&) override;
  void compute_with_wrenches(const CraneState&) override;
  CraneRates rates() const override;
  CraneWrenches wrenches() const override;
  CraneState run(const CraneState& start, const Run&) override;

  const KaneMatrices& kane(const CraneState&);  // with the kinematics they need
  const MatX& mass_matrix(const CraneState&);   // from the exact linearisation
  // Calls of malloc and its kin during so many steps of the run, after the first.
  long allocations(const CraneState& start, const Run&);

 private:
  void set(const CraneState&);

  std::shared_ptr<const Tree> tree_;
  CraneState given_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<System> system_;
  State state_;
  KaneMatrices kane_;
  MatX mass_;
};

class DavitChain final : public Chain {
 public:
  explicit DavitChain(int bodies);
  void compute(const std::vector<double>& q, const std::vector<double>& qd) override;
  std::vector<double> rates() const override;

 private:
  std::unique_ptr<Model> model_;
  std::unique_ptr<System> system_;
  State state_;
};

}  // namespace davit::bench
