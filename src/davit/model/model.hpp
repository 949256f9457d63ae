// The Model: blocks of coordinates, forces, controllers, ports and observables. Immutable once built; two threads may
// share one Model with two States. What attaches, detaches or changes in a run is a discrete state, never an edit
// here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "davit/math/export.hpp"
#include "davit/model/block.hpp"
#include "davit/model/channel.hpp"
#include "davit/model/element.hpp"
#include "davit/model/row.hpp"
#include "davit/model/servo.hpp"
#include "davit/model/workspace.hpp"

namespace davit {

// The place of the element that follows one in the list of all: states and records come one after the other.
template <class E>
ElementPlace after(const ElementPlace& place, const E& element) {
  ElementPlace next = place;
  ++next.index;
  if constexpr (requires { element.auxiliary_states(); }) next.first_z += element.auxiliary_states();
  next.first_slot += static_cast<int>(element.discrete_slots().size());
  return next;
}

struct DAVIT_API ModelParts {
  std::vector<std::shared_ptr<const Block>> blocks;  // the tree, which may be empty, then any others
  std::vector<std::shared_ptr<const Force>> forces;
  std::vector<std::shared_ptr<const ReactionForce>> reaction_forces;
  std::vector<std::shared_ptr<const Controller>> controllers;
  std::vector<std::shared_ptr<const Servo>> servos;
  std::vector<Constraint> constraints;
  std::vector<Contact> contacts;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<SignalInfo> signals;
  std::vector<MakeInEnvironment> in_environment;  // what elements want of an environment
  std::vector<std::string> body_names;            // by body index, 0 is "world"
  Observables observables;                        // beside those of blocks, outputs and elements themselves

  // Appends a part and says where the model will have it; who need not know may fill the lists as well.
  ElementPlace add(std::shared_ptr<const Force> force);
  int add(std::shared_ptr<const ReactionForce> force);  // its number among them
  int add(std::shared_ptr<const Servo> servo);          // its first row among those of all servos
  int add(Constraint constraint);                       // its first row among all
  int add(Contact contact);                             // its number among all
  int add(Input input);                                 // its number among all
  Signal add(SignalInfo signal);
  int add(MakeInEnvironment make);  // its number among all
};

class DAVIT_API Model {
 public:
  // Throws std::logic_error when a block is not at its place.
  explicit Model(ModelParts parts);

  int nq() const { return nq_; }
  int nu() const { return nu_; }
  int nz() const { return nz_; }
  int bodies() const { return bodies_; }  // with the world

  template <class E>
  struct Placed : ElementPlace {
    std::shared_ptr<const E> element;
  };
  struct PlacedBlock {
    std::shared_ptr<const Block> block;
    int first_q = 0, first_u = 0;
  };

  const std::vector<PlacedBlock>& blocks() const { return blocks_; }
  // Adds ġ of all pieces (without ∂g/∂t) to the rows' rates.
  template <class S>
  void add_rates(const KinT<S>& kin, const JacobianT<S>& jacobian, S* rate) const {
    for (const auto& e : jacobian.entries)
      if (e.body != 0) rate[e.row] += block_of(e.body).block->rate(kin, e);
    for (const auto& e : jacobian.speeds) rate[e.row] += e.coefficient * kin.u[e.speed];
  }
  // Adds the pieces of rows, times `factor`, as generalised forces to `column(row)`, or leaves out a row for which that
  // is nullptr.
  template <class S, class Column>
  void add_generalised(const KinT<S>& kin, const JacobianT<S>& jacobian, const S& factor, Column&& column) const {
    for (const auto& e : jacobian.entries) {
      if (e.body == 0) continue;
      const PlacedBlock& b = block_of(e.body);
      if (S* out = column(e.row)) b.block->add_generalised(kin, e, factor, out + b.first_u);
    }
    for (const auto& e : jacobian.speeds)
      if (S* out = column(e.row)) out[e.speed] += factor * e.coefficient;
  }
  // The block a body belongs to; not for the world.
  const PlacedBlock& block_of(int body) const {
    return blocks_[static_cast<size_t>(block_of_body_[static_cast<size_t>(body)])];
  }
  // The speeds that move a body; none of the world.
  std::vector<int> speeds_moving(int body) const;
  // All that have a place: forces, controllers and servos.
  const std::vector<Placed<Element>>& elements() const { return elements_; }
  const std::vector<Placed<Force>>& forces() const { return forces_; }
  const std::vector<std::shared_ptr<const ReactionForce>>& reaction_forces() const { return reaction_forces_; }
  const std::vector<Placed<Controller>>& controllers() const { return controllers_; }
  const std::vector<Placed<Servo>>& servos() const { return servos_; }
  int drives() const { return drives_; }  // of all servos
  struct PlacedConstraint {
    Constraint constraint;
    int first_row = 0;
  };
  const std::vector<PlacedConstraint>& constraints() const { return constraints_; }
  int rows() const { return rows_; }  // of all constraints
  const std::vector<Contact>& contacts() const { return contacts_; }
  const PlacedConstraint& constraint_of(int row) const;
  // "name, row 2 of 3"
  std::string row_name(int row) const;
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  const std::vector<std::string>& body_names() const { return body_names_; }
  const Observables& observables() const { return observables_; }
  const std::vector<Channel>& channels() const { return channels_; }  // all scalars of the observables
  // Times at which some element is not smooth, beside those of signals: sorted, unique.
  const std::vector<double>& breakpoints() const { return breakpoints_; }
  const std::vector<SignalInfo>& signals() const { return signals_; }
  std::vector<std::string> speed_names() const;
  bool adds_inertia() const { return adds_inertia_; }
  bool rigid_kinematics() const { return rigid_kinematics_; }  // of all blocks

  // An environment of what is given, with what the elements want of one.
  std::shared_ptr<const Environment> make_environment(Surroundings given) const;

  // In an environment, if elements want something of one: without, such a state has its size and no more.
  State initial_state(std::shared_ptr<const Environment> around = nullptr) const;
  // The same in another environment.
  State moved(const State&, std::shared_ptr<const Environment> around) const;
  Workspace make_workspace() const;
  template <class S>
  void prepare(EvaluationT<S>& evaluation) const {
    evaluation.kin.body.resize(static_cast<size_t>(bodies_));
    evaluation.loads.resize(bodies_, nu_, adds_inertia_);
    evaluation.w.assign(inputs_.size(), S(0));
    evaluation.zdot.assign(static_cast<size_t>(nz_), S(0));
    for (const auto& b : blocks_) evaluation.block.push_back(b.block->make_work(S(0)));
    for (const auto& e : elements_) evaluation.element.push_back(e.element->make_work(S(0)));
  }

 private:
  void add_published();

  int nq_ = 0, nu_ = 0, nz_ = 0, rows_ = 0, drives_ = 0, bodies_ = 1;
  bool adds_inertia_ = false, rigid_kinematics_ = true;
  std::vector<PlacedBlock> blocks_;
  std::vector<int> block_of_body_{-1};
  std::vector<Placed<Element>> elements_;
  std::vector<Placed<Force>> forces_;
  std::vector<std::shared_ptr<const ReactionForce>> reaction_forces_;
  std::vector<Placed<Controller>> controllers_;
  std::vector<Placed<Servo>> servos_;
  std::vector<PlacedConstraint> constraints_;
  std::vector<Contact> contacts_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<SignalInfo> signals_;
  std::vector<MakeInEnvironment> in_environment_;
  std::vector<std::string> body_names_;
  Observables observables_;
  std::vector<Channel> channels_;
  std::vector<double> breakpoints_;
};

}  // namespace davit
