#include "davit/control/tip_control.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

namespace davit {

namespace {

// What is kept: whether the place at the start is known, that place, forces held, number of samples taken.
enum Layout { known, place, forces = place + 3, samples = forces + 3, width };

}  // namespace

TipControl::TipControl(std::string name, Data data) : Servo(std::move(name)), data_(std::move(data)) {
  for (const JointCoordinate& joint : data_.joints) speeds_.push_back(joint.u);
}

std::string TipControl::summary() const {
  std::string text = "control of the tip by ";
  for (size_t i = 0; i < data_.joints.size(); ++i) text += (i ? ", " : "") + data_.joints[i].name;
  if (data_.sample_time > 0) text += fmt::format(", sampled every {:.4g} s", data_.sample_time);
  return text;
}

std::vector<Figure> TipControl::figures() const {
  return {{"kp", data_.stiffness, "1/s^2"}, {"kd", data_.damping, "1/s"}};
}

std::vector<DiscreteSlot> TipControl::discrete_slots() const { return {{name(), width, 1}}; }

// The run begins where it is committed at time zero for the last time, which is after a search for equilibrium.
bool TipControl::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  if (c.kin.t > 0) return false;
  auto memory = discrete.record(c.first_slot, 0);
  const Vec3 start = data_.start.value_or(position(c.kin, data_.tip));
  memory[known] = 1;
  for (int i = 0; i < 3; ++i) memory[static_cast<size_t>(place + i)] = start[i];
  memory[samples] = 0;
  return false;
}

template <class S>
Vec3T<S> TipControl::moved(int derivative, const KinT<S>& kin) const {
  const auto of = [&](const Signal& move) {
    return derivative == 0 ? move.value(kin) : derivative == 1 ? move.rate(kin) : move.acceleration(kin);
  };
  return {of(data_.moves[0]), of(data_.moves[1]), of(data_.moves[2])};
}

template <class S>
Vec3T<S> TipControl::target(const ContextT<S>& c) const {
  const auto memory = c.discrete.record(c.first_slot, 0);
  if (memory[known] > 0) return as<S>(Vec3(memory[place], memory[place + 1], memory[place + 2])) + moved(0, c.kin);
  return (data_.start ? as<S>(*data_.start) : position(c.kin, data_.tip)) + moved(0, c.kin);
}

// With ε = p − p_d and ω of the base, e = Rᵀε has the rates
//   ė = Rᵀ(ε̇ − ω×ε),   ë = Rᵀ(p̈ − p̈_d − ω̇×ε − 2ω×ε̇ + ω×(ω×ε)),
// and p̈ and ω̇ are those at u̇ = 0, which the kinematics know, and S u̇.
template <class S>
void TipControl::demand(const ContextT<S>& c, JacobianT<S>& rows, S* right, S* error) const {
  using V = Vec3T<S>;
  const KinT<S>& kin = c.kin;
  const BodyKinT<S>&tip = kin.body[static_cast<size_t>(data_.tip.body)],
        &base = kin.body[static_cast<size_t>(data_.base.body)];
  const Mat3T<S> R = rotation(kin, data_.base);
  const V arm = tip.R * as<S>(data_.tip.offset.p), w = base.w;
  const V gap = tip.p + arm - target(c);
  const V gap_rate = tip.v + tip.w.cross(arm) - moved(1, kin);
  const V acceleration = tip.acc + tip.alpha.cross(arm) + tip.w.cross(tip.w.cross(arm)) - moved(2, kin);
  const V products = acceleration - base.alpha.cross(gap) - S(2) * w.cross(gap_rate) + w.cross(w.cross(gap));
  const V wanted = -S(data_.damping) * (gap_rate - w.cross(gap)) - S(data_.stiffness) * gap;
  const V out = R.transpose() * (wanted - products), off = R.transpose() * gap;
  // −axis·(ω̇×ε): the change of the direction −ε, as if it were fixed in the base.
  const V behind = base.R.transpose() * -gap;
  for (int i = 0; i < 3; ++i) {
    const V axis = R.col(i);
    rows.add_point(i, data_.tip, axis);
    rows.entries.push_back({i, data_.base.body, axis, behind, false});
    right[i] = out[i];
    error[i] = off[i];
  }
}

template void TipControl::demand(const ContextT<double>&, JacobianT<double>&, double*, double*) const;
template void TipControl::demand(const ContextT<Dual8>&, JacobianT<Dual8>&, Dual8*, Dual8*) const;

const double* TipControl::held(const ContextT<double>& c) const {
  if (data_.sample_time == 0) return nullptr;
  return c.discrete.record(c.first_slot, 0).data() + forces;
}

bool TipControl::due(const ContextT<double>& c) const {
  if (data_.sample_time == 0) return false;
  return c.kin.t >= (c.discrete.record(c.first_slot, 0)[samples] - 1e-9) * data_.sample_time;
}

void TipControl::hold(const ContextT<double>& c, DiscreteState& discrete) const {
  auto memory = discrete.record(c.first_slot, 0);
  for (size_t k = 0; k < 3; ++k) memory[forces + k] = c.w[data_.inputs[k]];
  memory[samples] += 1;
}

double TipControl::dexterity(const MatX& S, int first_row) const {
  Mat3 J;
  for (int k = 0; k < 3; ++k) J.col(k) = S.row(speeds_[static_cast<size_t>(k)]).segment<3>(first_row).transpose();
  const double lengths = J.col(0).norm() * J.col(1).norm() * J.col(2).norm();
  return lengths > 0 ? std::abs(J.determinant()) / lengths : 0;
}

}  // namespace davit
