#include "davit/tracking/state_map.hpp"

#include <algorithm>
#include <map>

#include "davit/dynamics/tree.hpp"

namespace davit::tracking {

namespace {

// A rotation has four numbers and three speeds.
int coordinates_of(Primitive kind) {
  const bool turns = kind == Primitive::ball || kind == Primitive::free;
  return speeds_of(kind) + (turns ? 1 : 0);
}

struct Range {
  int q, u, coordinates, speeds;
};

// Coordinates that go together, by a name: a body of the tree, a speed of a vector space.
std::vector<std::pair<std::string, Range>> ranges_of(const Model& model) {
  std::vector<std::pair<std::string, Range>> out;
  for (const auto& placed : model.blocks()) {
    if (const auto* tree = dynamic_cast<const Tree*>(placed.block.get())) {
      const auto& bodies = tree->bodies_of_tree();
      for (size_t i = 0; i < bodies.size(); ++i) {
        const Segment& last = tree->segments()[static_cast<size_t>(bodies[i].last_segment)];
        const int speeds = last.u + speeds_of(last.kind) - bodies[i].u;
        const int coordinates = last.q + coordinates_of(last.kind) - bodies[i].q;
        if (speeds > 0)
          out.push_back(
              {bodies[i].body.name, {placed.first_q + bodies[i].q, placed.first_u + bodies[i].u, coordinates, speeds}});
      }
      continue;
    }
    const std::vector<std::string> names = placed.block->speed_names();
    for (int i = 0; i < placed.block->nu(); ++i)
      out.push_back({names[static_cast<size_t>(i)], {placed.first_q + i, placed.first_u + i, 1, 1}});
  }
  return out;
}

}  // namespace

StateMap::StateMap(const Model& plan, const Model& run, const std::vector<std::string>& prescribed)
    : q_(static_cast<size_t>(plan.nq()), -1), u_(static_cast<size_t>(plan.nu()), -1) {
  std::map<std::string, Range> there;
  for (const auto& [name, range] : ranges_of(run)) there.emplace(name, range);
  for (const auto& [name, range] : ranges_of(plan)) {
    if (std::find(prescribed.begin(), prescribed.end(), name) != prescribed.end()) continue;
    const auto found = there.find(name);
    if (found == there.end() || found->second.coordinates != range.coordinates ||
        found->second.speeds != range.speeds) {
      missing_.push_back(name);
      continue;
    }
    for (int i = 0; i < range.coordinates; ++i) q_[static_cast<size_t>(range.q + i)] = found->second.q + i;
    for (int i = 0; i < range.speeds; ++i) u_[static_cast<size_t>(range.u + i)] = found->second.u + i;
  }
}

void StateMap::take(const Kin& run, VecX& q, VecX& u) const {
  for (size_t i = 0; i < q_.size(); ++i)
    if (q_[i] >= 0) q[static_cast<Eigen::Index>(i)] = run.q[q_[i]];
  for (size_t i = 0; i < u_.size(); ++i)
    if (u_[i] >= 0) u[static_cast<Eigen::Index>(i)] = run.u[u_[i]];
}

}  // namespace davit::tracking
