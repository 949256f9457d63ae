// The matrices of a step: the exact one by dual numbers, the plain one of masses, gradients and slopes.
#include <algorithm>
#include <cmath>

#include "davit/solve/step_scratch.hpp"

namespace davit {

namespace {

// Gives a sum of some elements' loads the values of all of them, so that only derivatives are its own.
void take_values(const Loads& all, LoadsT<Dual8>& some) {
  const auto take = [](Vec3T<Dual8>& to, const Vec3& from) {
    for (int i = 0; i < 3; ++i) to[i].value = from[i];
  };
  for (size_t i = 0; i < all.wrench.size(); ++i) {
    take(some.wrench[i].n, all.wrench[i].n);
    take(some.wrench[i].f, all.wrench[i].f);
  }
  for (size_t i = 0; i < all.tau.size(); ++i) some.tau[i].value = all.tau[i];
  const auto take_symmetric = [](Sym3T<Dual8>& to, const Sym3& from) {
    to.xx.value = from.xx, to.xy.value = from.xy, to.xz.value = from.xz;
    to.yy.value = from.yy, to.yz.value = from.yz, to.zz.value = from.zz;
  };
  for (size_t i = 0; i < all.added.size(); ++i) {
    take_symmetric(some.added[i].J, all.added[i].J);
    take_symmetric(some.added[i].M, all.added[i].M);
    for (int k = 0; k < 9; ++k) some.added[i].H(k).value = all.added[i].H(k);
  }
}

}  // namespace

// F and rows on dual numbers for seeds in x or z1, at the point of the residual.
void StepEquations::differentiate(System& system, const Selection& selected, const Unknowns& at) {
  Scratch<Dual8>& s = *dual_;
  for (size_t i = 0; i < s.point.w.size(); ++i) s.point.w[i] = Dual8(scratch_->point.w[i]);
  apply_loads(system, s, selected, at.lambda.data());
  take_values(scratch_->point.loads, s.point.loads);
  system.inverse_dynamics_residual<Dual8>(s.point, s.a.data(), s.F.data(), nullptr);
}

void StepEquations::compute_matrix(System& system, const Unknowns& at) {
  kept_.reset();
  solver_->clear();
  double* values = solver_->values();
  Scratch<Dual8>& s = *dual_;
  if (nz_ > 0) compute_state_columns(system, at);
  for (const Sweep& sweep : sweeps_) {
    assign(s.x, at.x);
    for (const Seed& seed : sweep.seeds)
      s.x[static_cast<size_t>(seed.speed)].d[static_cast<size_t>(seed.direction)] = 1;
    place_bodies(system, s);
    differentiate(system, sweep.seen_by, at);
    evaluate_row_sets(s, sweep.seen_by, at.lambda.data());
    for (const Target& target : sweep.targets) {
      const Dual8& value = target.equation < nu_ ? s.F[static_cast<size_t>(target.equation)]
                                                 : s.rows[static_cast<size_t>(target.equation - nu_)];
      values[target.place] = value.d[static_cast<size_t>(target.direction)];
    }
    for (const StateTarget& target : sweep.state_targets) {
      StateElimination& states = states_[target.cluster];
      const std::vector<int>& z = states.cluster().z;
      for (size_t i = 0; i < z.size(); ++i)
        states.A_zx(static_cast<Eigen::Index>(i), target.column) =
            -stage_.z_weight * s.point.zdot[static_cast<size_t>(z[i])].d[static_cast<size_t>(target.direction)];
    }
  }
  fill_strips(at);
}

// A_xz and A_zz, eight states at a time, through the elements of their cluster alone. Bearing friction, which depends
// on what joints transmit, is left out.
void StepEquations::compute_state_columns(System& system, const Unknowns& at) {
  Scratch<Dual8>& s = *dual_;
  assign(s.x, at.x);
  assign(s.z1, at.z);
  place_bodies(system, s);
  for (StateElimination& states : states_) {
    const std::vector<int>& z = states.cluster().z;
    size_t begin = 0;
    if (states.tangent_force()) begin = take_state_tangent(states);
    for (size_t first = begin; first < z.size(); first += 8) {
      const size_t count = std::min<size_t>(8, z.size() - first);
      for (size_t k = 0; k < count; ++k) s.z1[static_cast<size_t>(z[first + k])].d[k] = 1;
      place_states(s);
      apply_cluster(system, states.cluster());
      for (size_t k = 0; k < count; ++k) {
        const auto column = static_cast<Eigen::Index>(first + k);
        take_generalised(states.cluster(), k, states.A_xz.col(column));
        for (size_t i = 0; i < z.size(); ++i)
          states.A_zz(static_cast<Eigen::Index>(i), column) =
              (i == first + k ? 1 / stage_.h : 0) - stage_.z_weight * s.point.zdot[static_cast<size_t>(z[i])].d[k];
        s.z1[static_cast<size_t>(z[first + k])].d[k] = 0;
      }
    }
  }
  place_states(s);
}

// The columns that a force writes by hand; how many.
size_t StepEquations::take_state_tangent(StateElimination& states) {
  const auto& cluster = states.cluster();
  const Model::Placed<Force>& force = *states.tangent_force();
  force.element->state_tangent(force.context(scratch_->point, scratch_->z.data(), start_.discrete), tangent_);
  const Eigen::Index count = tangent_.wrench.cols();
  const auto& b = model_.block_of(tangent_.body);
  const double share = stage_.purpose == Stage::Purpose::displacement ? 0 : stage_.z_share;
  // Columns of generalised forces of unit wrenches.
  unit_wrenches_.setZero(static_cast<Eigen::Index>(cluster.speeds.size()), 6);
  for (int k = 0; k < 6; ++k) {
    const Wrench unit{k < 3 ? Vec3(Vec3::Unit(k)) : Vec3(Vec3::Zero()),
                      k < 3 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(k - 3))};
    b.block->add_wrench(scratch_->point.kin, tangent_.body, unit, column_.data() + b.first_u);
    for (size_t i = 0; i < cluster.speeds.size(); ++i) {
      unit_wrenches_(static_cast<Eigen::Index>(i), k) = -share * column_[cluster.speeds[i]];
      column_[cluster.speeds[i]] = 0;
    }
  }
  states.A_xz.leftCols(count).noalias() = unit_wrenches_.lazyProduct(tangent_.wrench);
  states.A_zz.leftCols(count) = -stage_.z_weight * share * tangent_.rates;
  states.A_zz.diagonal().head(count).array() += 1 / stage_.h;
  return static_cast<size_t>(count);
}

// Loads and ż of a cluster's elements on dual numbers.
void StepEquations::apply_cluster(System& system, const Dependencies::StateCluster& cluster) {
  Scratch<Dual8>& s = *dual_;
  if (stage_.purpose == Stage::Purpose::displacement) {
    std::fill(s.point.zdot.begin(), s.point.zdot.end(), Dual8(0));
    return;
  }
  for (size_t i = 0; i < s.point.w.size(); ++i) s.point.w[i] = Dual8(scratch_->point.w[i]);
  for (int body : cluster.bodies) s.point.loads.wrench[static_cast<size_t>(body)] = {};
  for (int speed : cluster.speeds) s.point.loads.tau[static_cast<size_t>(speed)] = Dual8(0);
  system.add_forces<Dual8>(s.point, cluster.acting, s.z.data(), start_.discrete, elastic_rows());
  if (stage_.laws == Stage::Laws::discrete_gradient)
    system.apply_over_step<Dual8>(s.point, cluster.acting, s.start, s.end, stage_.h, s.z.data(), start_.discrete);
}

// What the derivative of these loads in one direction takes from F.
void StepEquations::take_generalised(const Dependencies::StateCluster& cluster, size_t direction,
                                     Eigen::Ref<VecX> out) {
  if (stage_.purpose == Stage::Purpose::displacement) {
    out.setZero();
    return;
  }
  const LoadsT<Dual8>& loads = dual_->point.loads;
  const auto part = [&](const Vec3T<Dual8>& x) {
    return Vec3(x[0].d[direction], x[1].d[direction], x[2].d[direction]);
  };
  for (int body : cluster.bodies) {
    const WrenchT<Dual8>& wrench = loads.wrench[static_cast<size_t>(body)];
    const auto& b = model_.block_of(body);
    b.block->add_wrench(scratch_->point.kin, body, {part(wrench.n), part(wrench.f)}, column_.data() + b.first_u);
  }
  for (size_t i = 0; i < cluster.speeds.size(); ++i) {
    const auto speed = static_cast<size_t>(cluster.speeds[i]);
    out[static_cast<Eigen::Index>(i)] = -column_[cluster.speeds[i]] - loads.tau[speed].d[direction];
    column_[cluster.speeds[i]] = 0;
  }
}

// What depends on the multipliers: -Gᵀ and the slopes of laws.
void StepEquations::fill_strips(const Unknowns& at) {
  double* values = solver_->values();
  find_contact_slopes(at);
  // -Gᵀ: generalised forces of unit multipliers at the residual's own point.
  for (size_t k = 0; k < row_sets_.size(); ++k) {
    const RowSet& set = row_sets_[k];
    if (set.row && elastic_as_forces()) {
      for (int i = 0; i < set.size; ++i) values[law_places_[static_cast<size_t>(set.first + i)]] = 1;
      continue;
    }
    const auto& places = strip_places_[k];
    size_t place = 0;
    for (int i = 0; i < set.size; ++i) {
      model_.add_generalised(scratch_->point.kin, scratch_->jacobian[k], 1.0,
                             [&](int row) { return row == i ? column_.data() : nullptr; });
      for (int u : set.speeds) {
        values[places[place++]] = is_left_out(set, i) ? 0 : -column_[u];
        column_[u] = 0;
      }
      if (set.contact) {
        const size_t contact = static_cast<size_t>((set.first - model_.rows()) / 3);
        for (int j = 0; j < 3; ++j)
          values[contact_places_[9 * contact + 3 * static_cast<size_t>(i) + static_cast<size_t>(j)]] =
              contact_slopes_[contact](i, j);
      }
      if (is_left_out(set, i)) values[law_places_[static_cast<size_t>(set.first + i)]] = 1;
      if (set.row) {
        const Law& law = *set.row->laws[static_cast<size_t>(i)];
        values[law_places_[static_cast<size_t>(set.first + i)]] =
            stage_.laws == Stage::Laws::relaxed ? relaxed_row(set, i).of_force : law.compliance() / stage_.d_end.factor;
      }
    }
  }
  size_t place = 0;
  for (const DrivenRows& rows : driven_)
    for (size_t k = 0; k < rows.servo->element->speeds().size(); ++k) {
      values[drive_places_[place++]] = rows.given.empty() ? 0 : 1;
      values[drive_places_[place++]] = -1;
    }
}

bool StepEquations::has_plain_matrix() const {
  return stage_.purpose == Stage::Purpose::motion && stage_.gradient != Stage::Gradient::at_start &&
         (stage_.laws == Stage::Laws::discrete_gradient || stage_.laws == Stage::Laws::at_point) && nz_ == 0 &&
         touches_.empty() && driven_.empty() && model_.reaction_forces().empty() && !acts_over_step_;
}

// [[a M, -Gᵀ], [slope G, compliance]] at the residual's own point.
void StepEquations::compute_plain_matrix(System& system, const Unknowns& at) {
  kept_.reset();
  solver_->clear();
  double* values = solver_->values();
  fill_strips(at);
  find_inertia(system, [&](const MassEntry& e, double mass) { values[e.place] = stage_.a_point.factor * mass; });
  const Scratch<double>& s = *scratch_;
  const double scale = 1 / stage_.d_end.factor;
  const bool discrete_gradient = stage_.laws == Stage::Laws::discrete_gradient;
  for (size_t k = 0; k < row_sets_.size(); ++k) {
    const RowSet& set = row_sets_[k];
    const bool at_end = set.geometry->holonomic() && (!set.row || discrete_gradient);
    const KinT<double>& kin = at_end ? s.end : s.point.kin;
    JacobianT<double>& jacobian = slope_jacobian_;
    jacobian.clear();
    set.geometry->jacobian(kin, jacobian);
    VecX& g = row_value_;
    g.setZero(set.size);
    VecX& rate = row_rate_;
    rate.setZero(set.size);
    if (set.row) {
      if (set.geometry->holonomic()) set.geometry->rows(kin, g.data());
      set.geometry->time_rate(kin, rate.data());
      model_.add_rates(kin, jacobian, rate.data());
    }
    size_t place = 0;
    for (int i = 0; i < set.size; ++i) {
      // How the row's equation answers a unit of G x.
      double slope = is_left_out(set, i) ? 0 : at_end ? 1 : stage_.u_point.factor;
      if (set.row) {
        const Law& law = *set.row->laws[static_cast<size_t>(i)];
        const Dual8 gap = Dual8::variable(g[i], 0), speed = Dual8::variable(rate[i], 1);
        const Dual8 force = at_end ? law.step_force(Dual8(g0_[set.first + i]), gap, stage_.h)
                                   : law.force(set.geometry->holonomic() ? gap : Dual8(0), speed);
        slope = -scale * law.compliance() *
                (at_end ? force.d[0] * stage_.d_end.factor
                        : force.d[0] * stage_.d_point.factor + force.d[1] * stage_.u_point.factor);
      }
      model_.add_generalised(kin, jacobian, slope, [&](int row) { return row == i ? column_.data() : nullptr; });
      for (int u : set.speeds) {
        values[row_places_[k][place++]] = column_[u];
        column_[u] = 0;
      }
    }
  }
}

// All entries that may differ from zero, each once: put(row, column, value) among (x, z, λ).
template <class Put>
void StepEquations::give_entries(const Put& put) const {
  const double* values = solver_->values();
  const auto in_full = [this](int i) { return i < nu_ ? i : i + nz_; };
  for (const Sweep& sweep : sweeps_)
    for (const Target& target : sweep.targets) put(in_full(target.equation), target.unknown, values[target.place]);
  for (size_t k = 0; k < row_sets_.size(); ++k) {
    const RowSet& set = row_sets_[k];
    size_t place = 0;
    for (int i = 0; i < set.size; ++i) {
      const int row = nu_ + nz_ + set.first + i;
      for (int u : set.speeds) put(u, row, values[strip_places_[k][place++]]);
      put(row, row, values[law_places_[static_cast<size_t>(set.first + i)]]);
    }
  }
  size_t drive_place = 0;
  for (const DrivenRows& rows : driven_) {
    int row = nu_ + nz_ + rows.first;
    for (int speed : rows.servo->element->speeds()) {
      put(row, row, values[drive_places_[drive_place++]]);
      put(speed, row++, values[drive_places_[drive_place++]]);
    }
  }
  for (const StateElimination& states : states_) {
    const auto& cluster = states.cluster();
    for (size_t i = 0; i < cluster.z.size(); ++i) {
      const auto zi = static_cast<Eigen::Index>(i);
      for (size_t j = 0; j < cluster.speeds.size(); ++j) {
        const auto xj = static_cast<Eigen::Index>(j);
        put(nu_ + cluster.z[i], cluster.speeds[j], states.A_zx(zi, xj));
        put(cluster.speeds[j], nu_ + cluster.z[i], states.A_xz(xj, zi));
      }
      for (size_t j = 0; j < cluster.z.size(); ++j)
        put(nu_ + cluster.z[i], nu_ + cluster.z[j], states.A_zz(zi, static_cast<Eigen::Index>(j)));
    }
  }
}

void StepEquations::matrix(System& system, const Unknowns& at, MatX& dense) {
  compute_residual(system, at);
  compute_matrix(system, at);
  dense.setZero(size_, size_);
  give_entries([&](int row, int column, double value) { dense(row, column) = value; });
}

std::vector<Eigen::Triplet<double>> StepEquations::matrix_entries(System& system, const Unknowns& at) {
  compute_residual(system, at);
  compute_matrix(system, at);
  std::vector<Eigen::Triplet<double>> out;
  give_entries([&](int row, int column, double value) {
    if (value != 0) out.emplace_back(row, column, value);
  });
  return out;
}

}  // namespace davit
