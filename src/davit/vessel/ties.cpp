#include "davit/vessel/ties.hpp"

#include <algorithm>
#include <set>

#include "davit/dynamics/system.hpp"
#include "davit/hull_load/hull_frame.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/rope/rope_force.hpp"

namespace davit::vessel {

namespace {

constexpr int rigid_motions = 6;

// To what a body belongs: a hull, on which it stands, the world, in which it is fixed, or itself.
class Groups {
 public:
  static constexpr int world = -1;

  Groups(const Model& model, const std::vector<Frame>& hulls) : model_(model) {
    for (const Frame& hull : hulls) hulls_.push_back(speeds_of(hull.body));
  }
  // The number of the hull, or one beyond those of all hulls.
  int of(int body) const {
    const std::vector<int> speeds = speeds_of(body);
    if (speeds.empty()) return world;
    for (size_t h = 0; h < hulls_.size(); ++h)
      if (std::includes(speeds.begin(), speeds.end(), hulls_[h].begin(), hulls_[h].end())) return static_cast<int>(h);
    return static_cast<int>(hulls_.size()) + body;
  }
  bool is_hull(int group) const { return group != world && group < static_cast<int>(hulls_.size()); }
  bool is_other(int group) const { return group >= static_cast<int>(hulls_.size()); }

 private:
  std::vector<int> speeds_of(int body) const {
    std::vector<int> speeds = model_.speeds_moving(body);
    std::sort(speeds.begin(), speeds.end());
    return speeds;
  }
  const Model& model_;
  std::vector<std::vector<int>> hulls_;
};

// The bodies that a force couples, in sets; none where it does not say.
std::vector<std::vector<int>> coupled_bodies(const Force& force, const Kin& start) {
  std::vector<std::vector<int>> out;
  for (const Coupling& c : force.couplings()) out.push_back(c.bodies);
  if (!out.empty() || !force.row()) return out;
  JacobianT<double> jacobian;
  force.row()->geometry->jacobian(start, jacobian);
  // A row on one body alone holds it to the world.
  out.push_back({0});
  for (const auto& entry : jacobian.entries) out.back().push_back(entry.body);
  return out;
}

// The forces that tie a hull to something else, and the bodies beside hulls that they lead to.
struct Tying {
  std::vector<std::shared_ptr<const Force>> forces;
  std::set<int> others;
};
Tying tying(const ModelParts& parts, const Groups& groups, const Kin& start) {
  const auto is_rope = [](const Force& force) { return dynamic_cast<const rope::RopeForce*>(&force) != nullptr; };
  std::set<int> hung;
  for (const auto& force : parts.forces)
    if (is_rope(*force))
      for (const auto& bodies : coupled_bodies(*force, start))
        for (const int body : bodies)
          if (groups.is_other(groups.of(body))) hung.insert(body);
  Tying out;
  const auto ties = [&](const std::vector<int>& bodies) {
    std::set<int> joined;
    for (const int body : bodies) joined.insert(groups.of(body));
    const bool lifts = std::any_of(bodies.begin(), bodies.end(), [&](int body) { return hung.count(body) > 0; });
    const bool reached = std::any_of(bodies.begin(), bodies.end(), [&](int body) {
      return groups.is_hull(groups.of(body)) || out.others.count(body) > 0;
    });
    return joined.size() > 1 && reached && !lifts;
  };
  // From the hulls on to the bodies that lines lead to, and to the lines of these.
  std::vector<bool> taken(parts.forces.size());
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < parts.forces.size(); ++i)
      for (const auto& bodies : coupled_bodies(*parts.forces[i], start)) {
        if (taken[i] || !ties(bodies)) continue;
        taken[i] = more = true;
        out.forces.push_back(parts.forces[i]);
        for (const int body : bodies)
          if (groups.is_other(groups.of(body))) out.others.insert(body);
      }
  }
  return out;
}

// The model of what is tied and nothing else.
ModelParts parts_with(const ModelParts& all, std::vector<std::shared_ptr<const Force>> forces) {
  ModelParts out;
  out.blocks = all.blocks;
  out.forces = std::move(forces);
  out.inputs = all.inputs;
  out.signals = all.signals;
  out.body_names = all.body_names;
  return out;
}

// Six motions of a hull's origin in level axes of its heading, by its six speeds.
Mat6 motions_by_speeds(const Model& model, System& system, const State& start, const Frame& hull,
                       const std::vector<int>& speeds) {
  Mat6 out;
  EvaluationT<double> e;
  model.prepare(e);
  for (int j = 0; j < rigid_motions; ++j) {
    const VecX unit = VecX::Unit(model.nu(), speeds[static_cast<size_t>(j)]);
    system.place_bodies<double>(e, start.t, start.q.data(), unit.data(), start.discrete);
    const hull_load::HullStateT<double> state = hull_load::hull_state(e.kin, hull);
    out.col(j) = state.velocity(state.level_axes());
  }
  return out;
}

// The speeds of a model by unit motions: six of each hull's origin in level axes of its heading, all on board with it,
// and every speed of the other bodies.
MatX motions_of(const Model& model, System& system, const State& start, const std::vector<Frame>& hulls,
                const std::set<int>& others) {
  std::set<int> speeds_of_others;
  for (const int body : others)
    for (const int speed : model.speeds_moving(body)) speeds_of_others.insert(speed);
  const auto of_hulls = static_cast<Eigen::Index>(rigid_motions * hulls.size());
  MatX basis = MatX::Zero(model.nu(), of_hulls + static_cast<Eigen::Index>(speeds_of_others.size()));
  for (size_t h = 0; h < hulls.size(); ++h) {
    const std::vector<int> speeds = model.speeds_moving(hulls[h].body);
    const Mat6 by_motions = motions_by_speeds(model, system, start, hulls[h], speeds).inverse();
    for (size_t i = 0; i < rigid_motions; ++i)
      basis.block<1, rigid_motions>(speeds[i], static_cast<Eigen::Index>(rigid_motions * h)) =
          by_motions.row(static_cast<Eigen::Index>(i));
  }
  Eigen::Index column = of_hulls;
  for (const int speed : speeds_of_others) basis(speed, column++) = 1;
  return basis;
}

}  // namespace

Ties::Ties(const ModelParts& parts, const std::vector<Frame>& hulls, const std::shared_ptr<const Environment>& around)
    : tied_(hulls.size(), false) {
  const Model bodies(parts_with(parts, {}));
  const Groups groups(bodies, hulls);
  System at_start(bodies);
  const State rest = bodies.initial_state();
  EvaluationT<double> e;
  bodies.prepare(e);
  at_start.place_bodies<double>(e, rest.t, rest.q.data(), rest.u.data(), rest.discrete);
  const Tying found = tying(parts, groups, e.kin);
  if (found.forces.empty()) return;

  const Model model(parts_with(parts, found.forces));
  System system(model);
  State start = model.initial_state(around);
  start.u.setZero();
  system.commit(start);
  const Linearisation linear = system.linearise(start, VecX::Zero(model.nu()));
  const MatX basis = motions_of(model, system, start, hulls, found.others);
  const auto among = [&](const MatX& A) { return MatX(basis.transpose() * A * basis); };
  stiffness_ = among(linear.K);
  damping_ = among(linear.D);
  mass_ = among(linear.M);
  // That of hulls is part of their own dynamic stiffness.
  const auto of_hulls = static_cast<Eigen::Index>(rigid_motions * hulls.size());
  mass_.topRows(of_hulls).setZero();
  mass_.leftCols(of_hulls).setZero();
  if (!stiffness_.allFinite() || !damping_.allFinite()) return;  // a line that finds no rest is told elsewhere
  for (size_t h = 0; h < hulls.size(); ++h) {
    const auto first = static_cast<Eigen::Index>(rigid_motions * h);
    tied_[h] =
        !stiffness_.middleRows<rigid_motions>(first).isZero(0) || !damping_.middleRows<rigid_motions>(first).isZero(0);
  }
}

wave_load::Mat6c Ties::felt_by(size_t hull, double frequency, const DynamicStiffness& free) const {
  using Complex = std::complex<double>;
  const MatXc ties = stiffness_.cast<Complex>() + Complex(0, frequency) * damping_.cast<Complex>();
  const auto first = static_cast<Eigen::Index>(rigid_motions * hull);
  const wave_load::Mat6c own = ties.block<rigid_motions, rigid_motions>(first, first);
  const Eigen::Index others = ties.rows() - rigid_motions;
  if (others == 0) return own;
  MatXc all = ties - frequency * frequency * mass_.cast<Complex>();
  for (size_t h = 0; h < tied_.size(); ++h) {
    const auto at = static_cast<Eigen::Index>(rigid_motions * h);
    all.block<rigid_motions, rigid_motions>(at, at) += free(h, frequency);
  }
  // This hull first, then what it leads to.
  std::vector<Eigen::Index> beside;
  for (Eigen::Index i = 0; i < all.rows(); ++i)
    if (i < first || i >= first + rigid_motions) beside.push_back(i);
  MatXc to(rigid_motions, others), from(others, rigid_motions), between(others, others);
  for (Eigen::Index i = 0; i < others; ++i) {
    const Eigen::Index row = beside[static_cast<size_t>(i)];
    to.col(i) = all.block<rigid_motions, 1>(first, row);
    from.row(i) = all.block<1, rigid_motions>(row, first);
    for (Eigen::Index j = 0; j < others; ++j) between(i, j) = all(row, beside[static_cast<size_t>(j)]);
  }
  const wave_load::Mat6c felt = own - to * solve_lu(between, from);
  return felt.allFinite() ? felt : own;
}

}  // namespace davit::vessel
