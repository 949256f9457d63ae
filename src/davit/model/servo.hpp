// Drives that give whatever force makes outputs follow: computed torque, Tysse & Egeland (115)-(117). The accelerations
// depend on the forces and the wanted accelerations on those of other bodies (a crane's tip on the ship that it stands
// on), so the System solves both together: rows S u̇ = right and as many drives, each a force on one generalised speed.
//
// In statics, natural modes and linearisations the drives hold their joints where they are.
#pragma once

#include "davit/model/row.hpp"

namespace davit {

template <class S>
class ServoKernel {
 public:
  virtual ~ServoKernel() = default;
  // Appends as many rows S as there are drives, and fills the right-hand sides of S u̇ = s and what the outputs are off
  // by.
  virtual void desired_accelerations(const ContextT<S>&, JacobianT<S>& rows, S* right, S* error) const = 0;
};

class Servo : public Element, public ServoKernel<double>, public ServoKernel<Dual8> {
 public:
  using Element::Element;
  using ServoKernel<double>::desired_accelerations, ServoKernel<Dual8>::desired_accelerations;
  // The generalised speeds that the drives act on, and the inputs (ports) that report their forces and limit them.
  virtual const std::vector<int>& speeds() const = 0;
  virtual const std::vector<int>& inputs() const = 0;
  // Sampled drives hold their forces from one sample to the next; none: they are solved for at every evaluation.
  virtual const double* held(const ContextT<double>&) const { return nullptr; }
  virtual bool due(const ContextT<double>&) const { return false; }
  // Keeps the forces that the inputs have now.
  virtual void hold(const ContextT<double>&, DiscreteState&) const {}
};

}  // namespace davit
