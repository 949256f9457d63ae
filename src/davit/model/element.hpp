// The interfaces of everything that acts: forces, controllers, ports. Authors write one template member per function,
// `template <class S> void apply(const ContextT<S>&, LoadsT<S>&, S* zdot) const`; ForceOf<Self> turns it into the
// virtual functions for the closed list of scalars (double, Dual8). Evaluation never changes the State; `commit` does,
// once per accepted step.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "davit/model/loads.hpp"
#include "davit/model/observable.hpp"
#include "davit/model/state.hpp"

namespace davit {

// Scratch of one element in one scalar: part of the Workspace, so that two threads never share one, and two elements
// neither. An element may keep there what it found for a state, to answer when it is asked again for the same; what it
// answers never depends on what it was asked before.
class ElementWork {
 public:
  virtual ~ElementWork() = default;
};

// What an element sees when it is evaluated.
template <class S>
struct ContextT {
  const KinT<S>& kin;
  const S* z;  // the element's own auxiliary states
  const S* w;  // all control inputs
  const DiscreteState& discrete;
  int first_slot;               // the element's own first slot in the discrete state
  ElementWork* work = nullptr;  // what its make_work gave
};

// A number that goes with a description, in SI; whoever shows it chooses the unit.
struct Figure {
  std::string what;
  double value;
  std::string unit;
};

// What acts has a name.
class Named {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  virtual ~Named() = default;
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;

  const std::string& name() const { return name_; }
  // What banner and report say of it: words, and the numbers that are not zero.
  virtual std::string summary() const = 0;
  virtual std::vector<Figure> figures() const { return {}; }

 private:
  std::string name_;
};

// What may remember, be sampled and have scratch: the Model gives each its place.
class Element : public Named {
 public:
  using Named::Named;
  virtual std::vector<DiscreteSlot> discrete_slots() const { return {}; }
  // As many, with the room that they need in an environment (a phase for each wave).
  virtual std::vector<DiscreteSlot> discrete_slots_in(const Environment&) const { return discrete_slots(); }
  // True: they hold what it made of the environment, and are empty when a state is moved to another.
  virtual bool remembers_environment() const { return false; }
  virtual std::unique_ptr<ElementWork> make_work(double /*scalar*/) const { return nullptr; }
  virtual std::unique_ptr<ElementWork> make_work(Dual8 /*scalar*/) const { return nullptr; }
  // Times at which the element is not smooth: adaptive steppers land on them.
  virtual std::vector<double> breakpoints() const { return {}; }
  // Period of sampling (s), zero for continuous elements: fixed steps must divide it.
  virtual double sample_time() const { return 0; }
  // Runs once after every accepted step (and once before the first), with the kinematics of the new state. Says whether
  // the equations changed (a contact came, a held command jumped), so that steppers forget what they kept.
  virtual bool commit(const ContextT<double>&, DiscreteState&) const { return false; }
  // True: something may happen to it at an instant that its motion decides (it breaks), and steps end there.
  virtual bool has_instants() const { return false; }
  // Whether that has come: commit() would do it here.
  virtual bool instant_has_come(const ContextT<double>&) const { return false; }

  // Numbers that it shows of itself; the Model makes channels of them.
  struct Published {
    ScalarInfo info;
    std::function<double(const ContextT<double>&)> value;
  };
  const std::vector<Published>& published() const { return published_; }

 protected:
  // For constructors, one line for each channel `name.what`:
  //   publish("torque", "N m", "of the damper", [this](const ContextT<double>& c) { return torque(c); });
  void publish(const std::string& what, std::string unit, std::string description,
               std::function<double(const ContextT<double>&)> value, bool main = true) {
    published_.push_back(
        {{name() + "." + what, std::move(unit), std::move(description), name(), what, main}, std::move(value)});
  }

 private:
  std::vector<Published> published_;
};

// What an element couples: its loads on these bodies and speeds depend on the motion of these bodies and speeds, on its
// own auxiliary states and on these inputs, and on nothing else.
struct Coupling {
  std::vector<int> bodies, speeds = {}, inputs = {};
};

// An element with auxiliary states, whose rates ż it gives when it is evaluated.
class ElementWithStates : public Element {
 public:
  using Element::Element;
  // All that it may come to couple in a run; of a controller, what it looks at, and the inputs that it reads and
  // writes. Derivatives are then taken through this element alone. None: it does not say, and every motion of the model
  // is tried.
  virtual std::vector<Coupling> couplings() const { return {}; }
  virtual int auxiliary_states() const { return 0; }
  virtual void initial_z(double* /*z*/) const {}
};

// What a force sees that acts over a whole step: where everything was when the step began and will be when it ends. Its
// loads act at the point between them.
template <class S>
struct StepContextT {
  const KinT<S>& start;
  ContextT<S> point;
  const KinT<S>& end;
  double h;
};

template <class S>
class ForceKernel {
 public:
  virtual ~ForceKernel() = default;
  virtual void apply(const ContextT<S>&, LoadsT<S>&, S* zdot) const = 0;
  virtual void apply_over_step(const StepContextT<S>&, LoadsT<S>&) const = 0;
  virtual S potential(const ContextT<S>&) const = 0;
  // Adds inertia that moves with bodies, by the place of bodies alone: `added` of the loads.
  virtual void inertia(const ContextT<S>&, std::vector<SpatialInertiaT<S>>& added) const = 0;
};

struct ConstraintEquation;

// Derivatives of a force by some of its auxiliary states, written by hand.
struct StateTangent {
  int body = 0;                                     // the one that its loads act on
  Eigen::Matrix<double, 6, Eigen::Dynamic> wrench;  // per unit state: moment about the body's origin, force; world axes
  MatX rates;                                       // of all its ż, per unit state
};

class Force : public ElementWithStates, public ForceKernel<double>, public ForceKernel<Dual8> {
 public:
  using ElementWithStates::ElementWithStates;
  using ForceKernel<double>::apply;
  using ForceKernel<Dual8>::apply;
  using ForceKernel<double>::apply_over_step;
  using ForceKernel<Dual8>::apply_over_step;
  using ForceKernel<double>::potential;
  using ForceKernel<Dual8>::potential;
  using ForceKernel<double>::inertia;
  using ForceKernel<Dual8>::inertia;
  // True: where a method takes force laws by their discrete gradient, `apply_over_step` stands for `apply`.
  virtual bool acts_over_step() const { return false; }
  // A conservative force is minus the gradient of its potential and nothing else.
  virtual bool conservative() const { return false; }
  // dV/dt of a force that has a potential and losses too.
  virtual double potential_rate(const ContextT<double>&) const { return 0; }
  virtual bool adds_inertia() const = 0;
  // How many of its states, from the first on, `state_tangent` covers; derivatives by the others, and by all where it
  // covers none, come from dual numbers.
  virtual int tangent_states() const { return 0; }
  virtual void state_tangent(const ContextT<double>&, StateTangent&) const {}
  // The acceleration that it gives to all it acts on, where that is the same everywhere: gravity.
  virtual Vec3 field() const { return Vec3::Zero(); }
  // Why what was found to be at rest before the first step does not stay so: friction that would have to be more than
  // it can be.
  virtual std::optional<std::string> cannot_rest(const ContextT<double>&) const { return std::nullopt; }
  // The constraint equation that this force stands for, if any: implicit methods solve for its multipliers.
  virtual const ConstraintEquation* row() const { return nullptr; }
  // A force that acts one way only (a rope, a mooring line, a compliant contact) may come to act within a step: steps
  // are then chosen so that what it carries, in N and never negative, is resolved (solve/load_resolution.hpp).
  virtual bool acts_one_way() const { return false; }
  virtual double carried(const ContextT<double>&) const { return 0; }
  // The same where bodies may not come to be: what it takes to get there is left out.
  virtual double carried_there(const ContextT<double>& c) const { return carried(c); }
};

template <class Self>
class ForceOf : public Force {
 public:
  using Force::Force;
  void apply(const ContextT<double>& c, LoadsT<double>& l, double* zdot) const final {
    self().template add_loads<double>(c, l, zdot);
  }
  void apply(const ContextT<Dual8>& c, LoadsT<Dual8>& l, Dual8* zdot) const final {
    self().template add_loads<Dual8>(c, l, zdot);
  }
  void apply_over_step(const StepContextT<double>& c, LoadsT<double>& l) const final {
    self().template add_step_loads<double>(c, l);
  }
  void apply_over_step(const StepContextT<Dual8>& c, LoadsT<Dual8>& l) const final {
    self().template add_step_loads<Dual8>(c, l);
  }
  double potential(const ContextT<double>& c) const final { return self().template potential_energy<double>(c); }
  Dual8 potential(const ContextT<Dual8>& c) const final { return self().template potential_energy<Dual8>(c); }

  void inertia(const ContextT<double>& c, std::vector<SpatialInertia>& added) const final { inertia_of(c, added); }
  void inertia(const ContextT<Dual8>& c, std::vector<SpatialInertiaT<Dual8>>& added) const final {
    inertia_of(c, added);
  }
  // A force that adds inertia has `template <class S> void add_inertia(const ContextT<S>&,
  // std::vector<SpatialInertiaT<S>>& added) const`.
  bool adds_inertia() const final {
    return requires(const Self& s, const ContextT<double>& c, std::vector<SpatialInertia>& a) { s.add_inertia(c, a); };
  }

  // For forces that act where the motion is evaluated.
  template <class S>
  void add_step_loads(const StepContextT<S>&, LoadsT<S>&) const {}
  // For forces without a potential.
  template <class S>
  S potential_energy(const ContextT<S>&) const {
    return S(0);
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
  template <class S>
  void inertia_of(const ContextT<S>& c, std::vector<SpatialInertiaT<S>>& added) const {
    if constexpr (requires(const Self& s) { s.add_inertia(c, added); }) self().add_inertia(c, added);
  }
};

// A torque or force in a joint that depends on the wrench which that joint transmits (bearing friction). The wrench
// depends on the accelerations and they on the torque: the System solves both together, see dynamics/system.hpp.
class ReactionForce : public Named {
 public:
  using Named::Named;
  virtual int body() const = 0;   // the body whose inboard joint it is in
  virtual int speed() const = 0;  // the generalised speed it acts on
  // The load measure N ≥ 0 of a transmitted wrench (world axes, about the joint), and the force for a given load.
  virtual double load(const KinT<double>&, const WrenchT<double>&) const = 0;
  virtual Dual8 load(const KinT<Dual8>&, const WrenchT<Dual8>&) const = 0;
  // Gradient of the load by the wrench.
  virtual Wrench load_gradient(const KinT<double>&, const Wrench&) const = 0;
  // The generalised force is -factor(u) · N.
  virtual double factor(const KinT<double>&) const = 0;
  virtual Dual8 factor(const KinT<Dual8>&) const = 0;
};

// Ports. An input is what a controller writes and an actuator force reads; an output is what can be measured or made to
// follow a path. Outputs are channels too.
struct Input {
  std::string name;
  std::string unit;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

// A measured scalar: a coordinate, its rate, or a component of a frame's position.
struct Output {
  enum class Kind { coordinate, speed, position };
  std::string name;
  std::string unit;
  Kind kind = Kind::coordinate;
  int index = 0;  // into q or u, or 0..2 for a position
  Frame frame;

  template <class S>
  S value(const KinT<S>& kin) const {
    switch (kind) {
      case Kind::coordinate:
        return kin.q[index];
      case Kind::speed:
        return kin.u[index];
      default:
        return position(kin, frame)[index];
    }
  }
};

template <class S>
class ControllerKernel {
 public:
  virtual ~ControllerKernel() = default;
  // Writes its inputs in w; c.w holds what earlier controllers wrote.
  virtual void evaluate(const ContextT<S>&, S* w, S* zdot) const = 0;
};

class Controller : public ElementWithStates, public ControllerKernel<double>, public ControllerKernel<Dual8> {
 public:
  using ElementWithStates::ElementWithStates;
  using ControllerKernel<double>::evaluate;
  using ControllerKernel<Dual8>::evaluate;
  // It may keep something that the State does not have, so that a run cannot go on from a State alone.
  virtual bool remembers_outside() const { return false; }
};

template <class Self>
class ControllerOf : public Controller {
 public:
  using Controller::Controller;
  void evaluate(const ContextT<double>& c, double* w, double* zdot) const final {
    self().template control<double>(c, w, zdot);
  }
  void evaluate(const ContextT<Dual8>& c, Dual8* w, Dual8* zdot) const final {
    self().template control<Dual8>(c, w, zdot);
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace davit
