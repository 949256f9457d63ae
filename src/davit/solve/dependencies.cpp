// Which speeds an element sees, also through inputs that controllers write and through what they see.
#include "davit/solve/dependencies.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace davit {

bool intersects(const Speeds& a, const Speeds& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

Speeds speeds_seen(const Model& model, const JacobianT<double>& jacobian) {
  std::set<int> seen;
  for (const auto& entry : jacobian.entries)
    for (int speed : model.speeds_moving(entry.body)) seen.insert(speed);
  for (const auto& entry : jacobian.speeds) seen.insert(entry.speed);
  return {seen.begin(), seen.end()};
}

namespace {

// What is seen through an input: the speeds that the controllers see which write it.
struct InputView {
  bool said = true;
  std::set<int> speeds;
};

Dependencies::OfElement dependencies_of(const ElementWithStates& element, const Model& model,
                                        const std::vector<InputView>& inputs) {
  Dependencies::OfElement out;
  std::set<int> all;
  const std::vector<Coupling> couplings = element.couplings();
  out.said = !couplings.empty();
  for (const Coupling& c : couplings) {
    std::set<int> speeds(c.speeds.begin(), c.speeds.end());
    for (int body : c.bodies)
      for (int speed : model.speeds_moving(body)) speeds.insert(speed);
    for (int input : c.inputs) {
      const InputView& view = inputs[static_cast<size_t>(input)];
      out.said = out.said && view.said;
      speeds.insert(view.speeds.begin(), view.speeds.end());
    }
    out.couplings.emplace_back(speeds.begin(), speeds.end());
    all.insert(speeds.begin(), speeds.end());
  }
  if (out.said) {
    out.speeds.assign(all.begin(), all.end());
  } else {
    out.speeds.resize(static_cast<size_t>(model.nu()));
    std::iota(out.speeds.begin(), out.speeds.end(), 0);
    out.couplings.clear();
  }
  return out;
}

// The inputs that an element reads or writes: all of them where it does not say.
std::set<int> inputs_of(const ElementWithStates& element, const Model& model) {
  std::set<int> inputs;
  const auto couplings = element.couplings();
  for (const Coupling& c : couplings) inputs.insert(c.inputs.begin(), c.inputs.end());
  if (couplings.empty())
    for (size_t i = 0; i < model.inputs().size(); ++i) inputs.insert(static_cast<int>(i));
  return inputs;
}

std::set<int> bodies_of(const ElementWithStates& element, const Model& model) {
  std::set<int> bodies;
  const auto couplings = element.couplings();
  for (const Coupling& c : couplings) bodies.insert(c.bodies.begin(), c.bodies.end());
  if (couplings.empty())
    for (int i = 0; i < model.bodies(); ++i) bodies.insert(i);
  bodies.erase(0);
  return bodies;
}

// Joins numbers into sets that have one in common.
class Sets {
 public:
  explicit Sets(size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }
  size_t find(size_t i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }
  void join(size_t a, size_t b) { parent_[find(b)] = find(a); }

 private:
  std::vector<size_t> parent_;
};

}  // namespace

Dependencies::Dependencies(const Model& model) {
  std::vector<InputView> views(model.inputs().size());
  for (const auto& c : model.controllers()) {
    controllers_.push_back(dependencies_of(*c.element, model, views));
    const OfElement& seen = controllers_.back();
    for (int input : inputs_of(*c.element, model)) {
      InputView& view = views[static_cast<size_t>(input)];
      view.said = view.said && seen.said;
      view.speeds.insert(seen.speeds.begin(), seen.speeds.end());
    }
  }
  for (const auto& f : model.forces()) forces_.push_back(dependencies_of(*f.element, model, views));

  // Controllers and forces, then inputs.
  const size_t nc = controllers_.size(), elements = nc + forces_.size();
  Sets sets(elements + model.inputs().size());
  std::map<size_t, StateCluster> clusters;
  std::map<size_t, std::set<int>> speeds, bodies;
  const auto join = [&](size_t at, const ElementWithStates& element) {
    for (int input : inputs_of(element, model)) sets.join(elements + static_cast<size_t>(input), at);
  };
  for (size_t i = 0; i < nc; ++i) join(i, *model.controllers()[i].element);
  for (size_t i = 0; i < forces_.size(); ++i) join(nc + i, *model.forces()[i].element);
  const auto add = [&](size_t at, const auto& placed, const OfElement& seen) {
    StateCluster& cluster = clusters[sets.find(at)];
    for (int k = 0; k < placed.element->auxiliary_states(); ++k) cluster.z.push_back(placed.first_z + k);
    speeds[sets.find(at)].insert(seen.speeds.begin(), seen.speeds.end());
    bodies[sets.find(at)].merge(bodies_of(*placed.element, model));
    return &cluster.acting;
  };
  for (size_t i = 0; i < nc; ++i)
    add(i, model.controllers()[i], controllers_[i])->controllers.push_back(&model.controllers()[i]);
  for (size_t i = 0; i < forces_.size(); ++i)
    add(nc + i, model.forces()[i], forces_[i])->forces.push_back(&model.forces()[i]);
  for (auto& [root, cluster] : clusters) {
    if (cluster.z.empty()) continue;
    cluster.speeds.assign(speeds[root].begin(), speeds[root].end());
    cluster.bodies.assign(bodies[root].begin(), bodies[root].end());
    clusters_.push_back(std::move(cluster));
  }
}

}  // namespace davit
