// Computed-torque control of the tip of a crane, Tysse & Egeland section 7. Three drives give what makes the error of
// the tip, seen from the base that the crane stands on, (107)-(108),
//
//   e = Rᵀ (p − p_d),      obey      ë + K_d ė + K_p e = 0,                                             (117)
//
// whatever the base and the load do: their accelerations are in ë, and are solved for together with the torques. p and
// p_d are places in the world, R the axes of the base. p_d begins where the tip is when the run begins, or at a given
// place, and goes on by the moves of the operation.
#pragma once

#include "davit/assembly/assembly.hpp"

namespace davit {

class TipControl final : public Servo {
 public:
  struct Data {
    Frame tip, base;
    std::vector<JointCoordinate> joints;  // three
    std::vector<int> inputs;              // a port for each
    std::array<Signal, 3> moves;          // along world x, y, z, from the place at the start
    std::optional<Vec3> start;            // that place; none: where the tip is
    double stiffness = 0, damping = 0;    // K_p, K_d
    double sample_time = 0;               // 0: continuous
  };
  TipControl(std::string name, Data data);

  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<DiscreteSlot> discrete_slots() const override;
  double sample_time() const override { return data_.sample_time; }
  bool commit(const ContextT<double>&, DiscreteState&) const override;

  const std::vector<int>& speeds() const override { return speeds_; }
  const std::vector<int>& inputs() const override { return data_.inputs; }
  void desired_accelerations(const ContextT<double>& c, JacobianT<double>& rows, double* right,
                             double* error) const override {
    demand(c, rows, right, error);
  }
  void desired_accelerations(const ContextT<Dual8>& c, JacobianT<Dual8>& rows, Dual8* right,
                             Dual8* error) const override {
    demand(c, rows, right, error);
  }
  const double* held(const ContextT<double>&) const override;
  bool due(const ContextT<double>&) const override;
  void hold(const ContextT<double>&, DiscreteState&) const override;

  // |det J| over the product of the lengths of its columns, from S of the workspace: 1 where each drive moves the tip
  // across the others, 0 at full reach.
  double dexterity(const MatX& S, int first_row) const;

 private:
  template <class S>
  void demand(const ContextT<S>&, JacobianT<S>& rows, S* right, S* error) const;
  template <class S>
  Vec3T<S> target(const ContextT<S>&) const;
  template <class S>
  Vec3T<S> moved(int derivative, const KinT<S>&) const;
  Data data_;
  std::vector<int> speeds_;
};

}  // namespace davit
