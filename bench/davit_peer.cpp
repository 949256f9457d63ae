#include "davit_peer.hpp"

#include <stdexcept>

#include "allocations.hpp"
#include "davit/force/gravity.hpp"
#include "models.hpp"
#include "verify/vessels/ship_crane.hpp"

namespace davit::bench {

namespace {

// The wrench and the torques of a CraneState.
class Given final : public ForceOf<Given> {
 public:
  Given(int hull, int first_speed, const CraneState& state)
      : ForceOf("given"), hull_(hull), first_(first_speed), state_(state) {}
  std::string summary() const override { return "given wrench on the hull and torques in the joints"; }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const auto& R = c.kin.body[static_cast<size_t>(hull_)].R;
    const auto cast = [](const Triple& a) { return Vec3T<S>(S(a[0]), S(a[1]), S(a[2])); };
    auto& w = loads.wrench[static_cast<size_t>(hull_)];
    w.f += R * cast(state_.force);
    w.n += R * cast(state_.moment);
    for (size_t i = 0; i < 5; ++i) loads.tau[static_cast<size_t>(first_) + i] += S(state_.tau[i]);
  }

 private:
  int hull_, first_;
  const CraneState& state_;
};

void require(bool solved, const System& system) {
  if (!solved) throw std::runtime_error("Davit: " + system.failure().element + ": " + system.failure().why);
}

// The state of a CraneState: the hull's quaternion, its position, the crane's angles; speeds are (ω; v) and q̇.
void put(const CraneState& s, VecX& q, VecX& u) {
  for (Eigen::Index i = 0; i < 4; ++i) q[i] = s.quaternion[static_cast<size_t>(i)];
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto k = static_cast<size_t>(i);
    q[4 + i] = s.position[k];
    u[i] = s.w[k];
    u[3 + i] = s.v[k];
  }
  for (Eigen::Index i = 0; i < 5; ++i) {
    q[7 + i] = s.q[static_cast<size_t>(i)];
    u[6 + i] = s.qd[static_cast<size_t>(i)];
  }
}

struct Runner {
  ShipCrane crane;
  System system;
  State state;
  std::unique_ptr<Stepper> stepper;

  Runner(const CraneState& start, const Run& run)
      : crane(make(start, run)), system(*crane.model), state(crane.model->initial_state()) {
    put(start, state.q, state.u);
    stepper = make_rk4(*crane.model);
  }
  static ShipCrane make(const CraneState& start, const Run& run) {
    ShipCraneOptions options;
    options.start_angles.assign(start.q.begin(), start.q.end());
    options.kp = run.kp;
    options.kd = run.kd;
    return make_ship_crane(options);
  }
  void step(double h) {
    const StepOutcome outcome = stepper->step(system, state, h);
    if (!outcome.ok) throw std::runtime_error("Davit: " + outcome.why.element + ": " + outcome.why.why);
  }
};

}  // namespace

DavitCrane::DavitCrane() {
  const ShipCrane crane = make_ship_crane();
  tree_ = crane.tree;
  ModelParts parts;
  parts.blocks = {tree_};
  parts.body_names = tree_->segment_names();
  for (const auto& f : crane.model->forces()) parts.forces.push_back(f.element);
  parts.forces.push_back(std::make_shared<Given>(tree_->body("hull").last_segment, 6, given_));
  model_ = std::make_unique<Model>(std::move(parts));
  system_ = std::make_unique<System>(*model_);
  state_ = model_->initial_state();
}

void DavitCrane::set(const CraneState& s) {
  given_ = s;
  put(s, state_.q, state_.u);
}

void DavitCrane::compute(const CraneState& s) {
  set(s);
  require(system_->evaluate(state_, System::Want::accelerations), *system_);
}

void DavitCrane::compute_with_wrenches(const CraneState& s) {
  set(s);
  require(system_->evaluate(state_, System::Want::reactions), *system_);
}

CraneRates DavitCrane::rates() const {
  const VecX& a = system_->workspace().a;
  return {a[3], a[4], a[5], a[0], a[1], a[2], a[6], a[7], a[8], a[9], a[10]};
}

CraneWrenches DavitCrane::wrenches() const {
  // Segment 1 is the hull; then one segment per angle.
  CraneWrenches out;
  for (size_t i = 0; i < 5; ++i) {
    const Wrench& w = system_->workspace().transmitted[i + 2];
    for (Eigen::Index k = 0; k < 3; ++k)
      out[i][static_cast<size_t>(k)] = w.f[k], out[i][static_cast<size_t>(k) + 3] = w.n[k];
  }
  return out;
}

const KaneMatrices& DavitCrane::kane(const CraneState& s) {
  set(s);
  Kin& kin = system_->workspace().kin;
  tree_->kinematics(state_.q.data(), state_.u.data(), kin);
  return kane_ = kane_matrices(*tree_, kin);
}

const MatX& DavitCrane::mass_matrix(const CraneState& s) {
  set(s);
  return mass_ = system_->mass_matrix(state_);
}

CraneState DavitCrane::run(const CraneState& start, const Run& run) {
  Runner r(start, run);
  for (int i = 0; i < run.steps; ++i) r.step(run.step);
  CraneState end;
  const VecX& q = r.state.q;
  end.quaternion = {q[0], q[1], q[2], q[3]};
  end.position = {q[4], q[5], q[6]};
  for (size_t i = 0; i < 5; ++i) end.q[i] = q[static_cast<Eigen::Index>(i) + 7];
  return end;
}

long DavitCrane::allocations(const CraneState& start, const Run& run) {
  Runner r(start, run);
  r.step(run.step);
  const Allocations counted;
  for (int i = 0; i < run.steps; ++i) r.step(run.step);
  return counted.so_far();
}

DavitChain::DavitChain(int bodies) {
  auto tree = std::make_shared<Tree>(chain_bodies(bodies));
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree->bodies_of_tree())
    weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
  parts.forces.push_back(std::make_shared<Gravity>(Vec3(0, 0, gravity), std::move(weights)));
  model_ = std::make_unique<Model>(std::move(parts));
  system_ = std::make_unique<System>(*model_);
  state_ = model_->initial_state();
}

void DavitChain::compute(const std::vector<double>& q, const std::vector<double>& qd) {
  std::copy(q.begin(), q.end(), state_.q.begin());
  std::copy(qd.begin(), qd.end(), state_.u.begin());
  require(system_->evaluate(state_, System::Want::accelerations), *system_);
}

std::vector<double> DavitChain::rates() const { return {system_->workspace().a.begin(), system_->workspace().a.end()}; }

}  // namespace davit::bench
