// How the parts of a model get their places in its states, inputs and rows; its environments, its first state.
#include "davit/model/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "davit/model/strand.hpp"

namespace davit {

ElementPlace ModelParts::add(std::shared_ptr<const Force> force) {
  ElementPlace place;
  for (const auto& before : forces) place = after(place, *before);
  forces.push_back(std::move(force));
  return place;
}

int ModelParts::add(std::shared_ptr<const ReactionForce> force) {
  reaction_forces.push_back(std::move(force));
  return static_cast<int>(reaction_forces.size()) - 1;
}

int ModelParts::add(std::shared_ptr<const Servo> servo) {
  size_t first = 0;
  for (const auto& before : servos) first += before->speeds().size();
  servos.push_back(std::move(servo));
  return static_cast<int>(first);
}

int ModelParts::add(Constraint constraint) {
  int first = 0;
  for (const Constraint& before : constraints) first += before.geometry->size();
  constraints.push_back(std::move(constraint));
  return first;
}

int ModelParts::add(Contact contact) {
  contacts.push_back(std::move(contact));
  return static_cast<int>(contacts.size()) - 1;
}

int ModelParts::add(Input input) {
  inputs.push_back(std::move(input));
  return static_cast<int>(inputs.size()) - 1;
}

int ModelParts::add(MakeInEnvironment make) {
  in_environment.push_back(std::move(make));
  return static_cast<int>(in_environment.size()) - 1;
}

Signal ModelParts::add(SignalInfo signal) {
  signals.push_back(std::move(signal));
  return Signal(static_cast<int>(signals.size()) - 1);
}

Model::Model(ModelParts parts)
    : reaction_forces_(std::move(parts.reaction_forces)),
      contacts_(std::move(parts.contacts)),
      inputs_(std::move(parts.inputs)),
      outputs_(std::move(parts.outputs)),
      signals_(std::move(parts.signals)),
      in_environment_(std::move(parts.in_environment)),
      body_names_(std::move(parts.body_names)) {
  for (auto& block : parts.blocks) {
    if (block->place() != BlockPlace{bodies_, nq_, nu_})
      throw std::logic_error("block " + std::to_string(blocks_.size()) +
                             " of the model was made for another place: give it the place after the block before it");
    rigid_kinematics_ = rigid_kinematics_ && block->rigid_kinematics();
    block->add_observables(observables_);
    for (int i = 0; i < block->bodies(); ++i) block_of_body_.push_back(static_cast<int>(blocks_.size()));
    blocks_.push_back({block, nq_, nu_});
    nq_ += block->nq();
    nu_ += block->nu();
    bodies_ += block->bodies();
  }
  ElementPlace next;
  const auto place = [&](const auto& elements, auto& placed) {
    for (const auto& element : elements) {
      placed.push_back({next, element});
      elements_.push_back({next, element});
      next = after(next, *element);
      for (double t : element->breakpoints()) breakpoints_.push_back(t);
    }
  };
  place(parts.forces, forces_);
  place(parts.controllers, controllers_);
  place(parts.servos, servos_);
  nz_ = next.first_z;
  for (const auto& servo : parts.servos) drives_ += static_cast<int>(servo->speeds().size());
  for (Constraint& c : parts.constraints) {
    const int size = c.geometry->size();
    for (double t : c.geometry->breakpoints()) breakpoints_.push_back(t);
    constraints_.push_back({std::move(c), rows_});
    rows_ += size;
  }
  for (const auto& force : parts.forces) adds_inertia_ = adds_inertia_ || force->adds_inertia();
  std::sort(breakpoints_.begin(), breakpoints_.end());
  breakpoints_.erase(std::unique(breakpoints_.begin(), breakpoints_.end()), breakpoints_.end());
  for (const Output& output : outputs_)
    observables_.add_scalar({output.name, output.unit, "output " + output.name + ", in world axes", "kinematics",
                             "outputs in " + output.unit},
                            [output](const State&, const Workspace& w) { return output.value(w.kin); });
  observables_.append(std::move(parts.observables));
  add_published();
  channels_ = channels_of(observables_);
}

void Model::add_published() {
  for (const Placed<Element>& placed : elements_) {
    if (const auto* strand = dynamic_cast<const Strand*>(placed.element.get()))
      observables_.polylines.push_back(
          {placed.element->name(), [placed, strand](const State& s, const Workspace& w, Polyline& line) {
             strand->draw(placed.context(s, w), line);
           }});
    std::vector<ScalarInfo> infos;
    for (const Element::Published& p : placed.element->published()) infos.push_back(p.info);
    if (infos.empty()) continue;
    observables_.add_scalars(std::move(infos), [placed](const State& s, const Workspace& w, double* values) {
      const ContextT<double> context = placed.context(s, w);
      for (const Element::Published& p : placed.element->published()) *values++ = p.value(context);
    });
  }
}

std::vector<std::string> Model::speed_names() const {
  std::vector<std::string> names;
  for (const auto& b : blocks_)
    for (std::string& name : b.block->speed_names()) names.push_back(std::move(name));
  return names;
}

std::vector<int> Model::speeds_moving(int body) const {
  if (body == 0) return {};
  const PlacedBlock& b = block_of(body);
  std::vector<int> speeds = b.block->speeds_moving(body);
  for (int& speed : speeds) speed += b.first_u;
  return speeds;
}

const Model::PlacedConstraint& Model::constraint_of(int row) const {
  return *std::find_if(constraints_.begin(), constraints_.end(),
                       [row](const auto& c) { return row < c.first_row + c.constraint.geometry->size(); });
}

std::string Model::row_name(int row) const {
  const PlacedConstraint& c = constraint_of(row);
  return c.constraint.name + ", row " + std::to_string(row - c.first_row + 1) + " of " +
         std::to_string(c.constraint.geometry->size());
}

std::shared_ptr<const Environment> Model::make_environment(Surroundings given) const {
  const auto out = std::make_shared<Environment>(std::move(given));
  for (const MakeInEnvironment& make : in_environment_) out->add(make(out));
  return out;
}

State Model::initial_state(std::shared_ptr<const Environment> around) const {
  State s;
  s.q.setZero(nq_);
  s.u.setZero(nu_);
  s.z.setZero(nz_);
  s.lambda.setZero(rows_ + 3 * static_cast<int>(contacts_.size()));
  for (const auto& b : blocks_) b.block->initial_state(s.q.data() + b.first_q, s.u.data() + b.first_u);
  for (const auto& f : forces_) f.element->initial_z(s.z.data() + f.first_z);
  for (const auto& c : controllers_) c.element->initial_z(s.z.data() + c.first_z);
  std::vector<DiscreteSlot> slots;
  for (const auto& placed : elements_)
    for (DiscreteSlot& slot : around ? placed.element->discrete_slots_in(*around) : placed.element->discrete_slots())
      slots.push_back(std::move(slot));
  s.discrete = DiscreteState(slots);
  s.discrete.environment = std::move(around);
  for (const SignalInfo& signal : signals_) s.discrete.signals.add(signal.motion);
  return s;
}

State Model::moved(const State& state, std::shared_ptr<const Environment> around) const {
  State out = state;
  out.discrete = initial_state(std::move(around)).discrete;
  out.discrete.signals = state.discrete.signals;
  for (const auto& placed : elements_) {
    if (placed.element->remembers_environment()) continue;
    const int end = after(placed, *placed.element).first_slot;
    for (int slot = placed.first_slot; slot < end; ++slot) out.discrete.take_slot(slot, state.discrete);
  }
  return out;
}

Workspace Model::make_workspace() const {
  Workspace w;
  prepare(w);
  w.a.setZero(nu_);
  w.transmitted.resize(static_cast<size_t>(bodies_));
  w.other_loads.resize(bodies_, nu_, adds_inertia_);
  const auto reactions = static_cast<Eigen::Index>(reaction_forces_.size());
  if (reactions > 0 || drives_ > 0) {
    w.generalised.setZero(nu_);
    w.response.setZero(nu_);
    w.response_wrench.resize(static_cast<size_t>(bodies_));
    if (rows_ > 0) prepare(w.still);
  }
  if (reactions > 0) {
    w.reaction_load.setZero(reactions);
    w.load_response.resize(static_cast<size_t>(reactions * reactions));
    w.newton.setZero(reactions, reactions + 1);
  }
  if (drives_ > 0) {
    w.servo.jacobian.entries.reserve(static_cast<size_t>(4 * drives_));
    w.servo.S.setZero(nu_, drives_);
    w.servo.answer.setZero(nu_, drives_);
    w.servo.equations.setZero(drives_, drives_ + 1);
    w.servo.error.setZero(drives_);
  }
  if (rows_ > 0) {
    w.rows.jacobian.entries.reserve(static_cast<size_t>(8 * rows_));
    w.rows.jacobian.speeds.reserve(static_cast<size_t>(2 * rows_));
    w.rows.G.setZero(nu_, rows_);
    w.rows.MinvG.setZero(nu_, rows_);
    w.rows.gram.setZero(rows_, rows_);
    w.rows.lambda.setZero(rows_);
    w.rows.correction.setZero(rows_);
    w.rows.g.setZero(rows_);
    w.rows.scratch.setZero(rows_);
    w.rows.order.resize(static_cast<size_t>(rows_));
    if (!rigid_kinematics_) {
      RowRateWork& r = w.rows.rates;
      r.kin.body.resize(static_cast<size_t>(bodies_));
      r.jacobian.entries.reserve(w.rows.jacobian.entries.capacity());
      r.jacobian.speeds.reserve(w.rows.jacobian.speeds.capacity());
      r.start.resize(static_cast<size_t>(nq_));
      r.q.resize(static_cast<size_t>(nq_));
      for (auto* x : {&r.d, &r.u}) x->resize(static_cast<size_t>(nu_));
      r.rate.resize(static_cast<size_t>(rows_));
    }
  }
  return w;
}

}  // namespace davit
