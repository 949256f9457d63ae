// Who sees whom in the equations of a step: which groups of speeds are coupled, which sweeps of dual numbers give the
// matrix, and where its entries are.
#include <algorithm>
#include <cmath>
#include <map>

#include "davit/solve/step_scratch.hpp"

namespace davit {

namespace {

double irrational(int i) { return 0.6 + 0.3 * std::sin(1.7 * i + 0.4); }

}  // namespace

std::set<int> StepEquations::groups_of(const Speeds& speeds) const {
  std::set<int> groups;
  for (int speed : speeds) groups.insert(group_of_[static_cast<size_t>(speed)]);
  return groups;
}

// For each group those that share an equation with it: by what elements say, by rows, by auxiliary states, and by trial
// where an element does not say.
std::vector<std::vector<int>> StepEquations::find_couplings(System& system) {
  std::vector<std::set<int>> sees(groups_.size());
  const auto couple = [&](const Speeds& speeds) {
    const std::set<int> groups = groups_of(speeds);
    for (int a : groups) sees[static_cast<size_t>(a)].insert(groups.begin(), groups.end());
  };
  for (const RowSet& set : row_sets_) couple(set.speeds);
  for (const DrivenRows& rows : driven_) couple(rows.speeds);
  bool all_said = true;
  for (size_t i = 0; i < model_.forces().size(); ++i) {
    if (model_.forces()[i].element->row()) continue;  // its rows speak for it
    for (const Speeds& speeds : dependencies_.forces()[i].couplings) couple(speeds);
    all_said = all_said && dependencies_.forces()[i].said;
  }
  for (const auto& cluster : dependencies_.clusters()) couple(cluster.speeds);
  if (!all_said) probe_couplings(system, sees);
  std::vector<std::vector<int>> couplings;
  for (size_t g = 0; g < groups_.size(); ++g) {
    sees[g].insert(static_cast<int>(g));
    // The pattern is symmetric.
    for (int other : sees[g]) sees[static_cast<size_t>(other)].insert(static_cast<int>(g));
  }
  for (const auto& set : sees) couplings.emplace_back(set.begin(), set.end());
  return couplings;
}

// A random direction of each group, eight groups at a time, through the whole model on dual numbers.
void StepEquations::probe_couplings(System& system, std::vector<std::set<int>>& sees) {
  Scratch<Dual8>& s = *dual_;
  const VecX ones = VecX::Ones(rows_);
  for (size_t first = 0; first < groups_.size(); first += 8) {
    for (int i = 0; i < nu_; ++i) s.x[static_cast<size_t>(i)] = Dual8(start_.u[i] + 0.1 * irrational(i));
    assign(s.z1, start_.z);
    for (size_t k = 0; k < 8 && first + k < groups_.size(); ++k)
      for (int speed : groups_[first + k]) s.x[static_cast<size_t>(speed)].d[k] = irrational(speed + 31);
    place_bodies(system, s);
    place_states(s);
    apply_loads(system, s, all_, ones.data());
    system.inverse_dynamics_residual<Dual8>(s.point, s.a.data(), s.F.data(), nullptr);
    for (int i = 0; i < nu_; ++i)
      for (size_t k = 0; k < 8 && first + k < groups_.size(); ++k)
        if (s.F[static_cast<size_t>(i)].d[k] != 0) sees[first + k].insert(group_of_[static_cast<size_t>(i)]);
  }
}

// Which auxiliary states see each other, at a point where nothing is zero by chance.
void StepEquations::probe_states(System& system) {
  Unknowns at = make_unknowns();
  for (int i = 0; i < nu_; ++i) at.x[i] = start_.u[i] + 0.1 * irrational(i);
  for (int i = 0; i < nz_; ++i) at.z[i] = start_.z[i] + 0.1 * irrational(i);
  compute_residual(system, at);
  compute_state_columns(system, at);
  for (StateElimination& states : states_) states.analyse();
}

// What sees a seed of the sweep.
void StepEquations::choose_selection(Sweep& sweep) const {
  Speeds seeds;
  for (const Seed& seed : sweep.seeds) seeds.push_back(seed.speed);
  std::sort(seeds.begin(), seeds.end());
  for (size_t i = 0; i < model_.controllers().size(); ++i)
    if (intersects(dependencies_.controllers()[i].speeds, seeds))
      sweep.seen_by.acting.controllers.push_back(&model_.controllers()[i]);
  for (size_t i = 0; i < model_.forces().size(); ++i)
    if (intersects(dependencies_.forces()[i].speeds, seeds)) sweep.seen_by.acting.forces.push_back(&model_.forces()[i]);
  for (const RowSet& set : row_sets_)
    if (intersects(set.speeds, seeds)) sweep.seen_by.row_sets.push_back(&set);
  for (const DrivenRows& rows : driven_)
    if (intersects(rows.speeds, seeds)) sweep.seen_by.driven.push_back(&rows);
  for (size_t c = 0; c < states_.size(); ++c) {
    const Speeds& speeds = states_[c].cluster().speeds;
    for (const Seed& seed : sweep.seeds)
      if (const auto found = std::lower_bound(speeds.begin(), speeds.end(), seed.speed);
          found != speeds.end() && *found == seed.speed)
        sweep.state_targets.push_back({c, static_cast<int>(found - speeds.begin()), seed.direction});
  }
}

// Groups of one colour have no equation in common, so they may share the directions of a sweep.
void StepEquations::make_sweeps(const std::vector<std::vector<int>>& couplings) {
  std::vector<int> colour(groups_.size(), -1);
  int colours = 0;
  for (size_t g = 0; g < groups_.size(); ++g) {
    std::set<int> taken;
    for (int k : couplings[g])
      for (int other : couplings[static_cast<size_t>(k)]) taken.insert(colour[static_cast<size_t>(other)]);
    while (taken.count(colour[g] = colour[g] < 0 ? 0 : colour[g])) ++colour[g];
    colours = std::max(colours, colour[g] + 1);
  }
  std::vector<std::vector<int>> rows_of(static_cast<size_t>(nu_));
  const auto seen_by_rows = [&](const Speeds& speeds, int first, int count) {
    for (int speed : speeds)
      for (int i = 0; i < count; ++i) rows_of[static_cast<size_t>(speed)].push_back(nu_ + first + i);
  };
  for (const RowSet& set : row_sets_) seen_by_rows(set.speeds, set.first, set.size);
  for (const DrivenRows& rows : driven_)
    seen_by_rows(rows.speeds, rows.first, static_cast<int>(rows.servo->element->speeds().size()));

  // Small groups of different colours fit side by side into one sweep.
  sweeps_.clear();
  int free_directions = 0;
  for (int c = 0; c < colours; ++c) {
    size_t width = 0;
    for (size_t g = 0; g < groups_.size(); ++g)
      if (colour[g] == c) width = std::max(width, groups_[g].size());
    for (size_t first = 0; first < width; first += 8) {
      const int here = static_cast<int>(std::min<size_t>(8, width - first));
      if (free_directions < here) {
        sweeps_.emplace_back();
        free_directions = 8;
      }
      const int offset = 8 - free_directions;
      free_directions -= here;
      Sweep& sweep = sweeps_.back();
      for (size_t g = 0; g < groups_.size(); ++g) {
        if (colour[g] != c) continue;
        for (size_t k = first; k < std::min(first + 8, groups_[g].size()); ++k) {
          const int speed = groups_[g][k], direction = offset + static_cast<int>(k - first);
          sweep.seeds.push_back({speed, direction});
          for (int other : couplings[g])
            for (int equation : groups_[static_cast<size_t>(other)])
              sweep.targets.push_back({equation, speed, direction, solver_->place(equation, speed)});
          for (int equation : rows_of[static_cast<size_t>(speed)])
            sweep.targets.push_back({equation, speed, direction, solver_->place(equation, speed)});
        }
      }
    }
  }
  for (Sweep& sweep : sweeps_) choose_selection(sweep);
}

// Unknowns of the solver are x, then λ. Rows of servos need pivoting: S M⁻¹B of one row and one drive may vanish.
void StepEquations::make_solver(const std::vector<std::vector<int>>& couplings) {
  const int size = nu_ + rows_;
  sparse_ = size > most_dense_ && driven_.empty();
  if (!sparse_) {
    solver_ = std::make_unique<DenseSolver>(size);
    return;
  }
  auto sparse = std::make_unique<SparseSolver>();
  std::vector<std::vector<int>> nodes = groups_, after(groups_.size());
  std::vector<std::pair<int, int>> pairs;
  for (size_t g = 0; g < groups_.size(); ++g)
    for (int other : couplings[g]) pairs.emplace_back(static_cast<int>(g), other);
  for (const RowSet& set : row_sets_) {
    const int node = static_cast<int>(nodes.size());
    nodes.emplace_back();
    for (int i = 0; i < set.size; ++i) nodes.back().push_back(nu_ + set.first + i);
    const std::set<int> groups = groups_of(set.speeds);
    after.emplace_back(groups.begin(), groups.end());
    pairs.emplace_back(node, node);
    for (int g : groups) pairs.emplace_back(node, g);
  }
  sparse->lu().analyse(size, nodes, pairs, after);
  solver_ = std::move(sparse);
}

void StepEquations::find_chains(Touch& touch, const JacobianT<double>& jacobian) const {
  std::map<size_t, std::set<int>> bodies;
  for (const auto& entry : jacobian.entries) {
    if (entry.body == 0) continue;
    const Model::PlacedBlock& b = model_.block_of(entry.body);
    const std::vector<int> chain = b.block->chain_to(entry.body);
    bodies[static_cast<size_t>(&b - model_.blocks().data())].insert(chain.begin(), chain.end());
  }
  touch.chains.clear();
  for (const auto& [block, chain] : bodies)
    touch.chains.emplace_back(block, std::vector<int>(chain.begin(), chain.end()));
}

void StepEquations::find_structure(System& system) {
  // What rows see, by the bodies of their pieces.
  JacobianT<double> jacobian;
  for (RowSet& set : row_sets_) {
    jacobian.clear();
    set.geometry->jacobian(scratch_->start, jacobian);
    set.speeds = speeds_seen(model_, jacobian);
    if (set.contact) find_chains(touches_[static_cast<size_t>((set.first - model_.rows()) / 3)], jacobian);
  }
  for (DrivenRows& rows : driven_) {
    jacobian.clear();
    const size_t count = rows.servo->element->speeds().size();
    std::vector<double> right(count), error(count);
    rows.servo->element->desired_accelerations(
        ContextT<double>{scratch_->start, nullptr, nullptr, start_.discrete, rows.servo->first_slot}, jacobian,
        right.data(), error.data());
    rows.speeds = speeds_seen(model_, jacobian);
    rows.given.reserve(count);
  }
  const auto couplings = find_couplings(system);
  make_solver(couplings);
  make_sweeps(couplings);
  mass_entries_.clear();
  for (const auto& group : groups_)
    for (size_t k = 0; k < group.size(); ++k) {
      if (mass_entries_.size() <= k) mass_entries_.emplace_back();
      for (int row : group) mass_entries_[k].push_back({row, group[k], solver_->place(row, group[k])});
    }
  strip_places_.assign(row_sets_.size(), {});
  row_places_.assign(row_sets_.size(), {});
  law_places_.assign(static_cast<size_t>(rows_), 0);
  contact_places_.clear();
  for (size_t k = 0; k < row_sets_.size(); ++k) {
    const RowSet& set = row_sets_[k];
    for (int i = 0; i < set.size; ++i) {
      const int row = nu_ + set.first + i;
      law_places_[static_cast<size_t>(set.first + i)] = solver_->place(row, row);
      for (int u : set.speeds) {
        strip_places_[k].push_back(solver_->place(u, row));
        row_places_[k].push_back(solver_->place(row, u));
      }
      if (set.contact)
        for (int j = 0; j < 3; ++j) contact_places_.push_back(solver_->place(row, nu_ + set.first + j));
    }
  }
  drive_places_.clear();
  for (const DrivenRows& rows : driven_) {
    int row = nu_ + rows.first;
    for (int speed : rows.servo->element->speeds()) {
      drive_places_.push_back(solver_->place(row, row));
      drive_places_.push_back(solver_->place(speed, row++));
    }
  }
  contact_slopes_.assign(touches_.size(), Mat3::Zero());
  redundant_.find(model_, scratch_->start, most_dense_);
  if (nz_ > 0) probe_states(system);
  state_places_.clear();
  for (const StateElimination& states : states_) {
    state_places_.emplace_back();
    for (int column : states.cluster().speeds)
      for (int row : states.cluster().speeds) state_places_.back().push_back(solver_->place(row, column));
  }
  structured_ = true;
}

}  // namespace davit
