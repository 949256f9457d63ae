#include "davit/scenario/start_places.hpp"

#include <algorithm>
#include <set>

namespace davit {

StartPlaces::StartPlaces(const std::vector<Body>& bodies) {
  std::map<std::string, const Body*> by_name;
  for (const Body& body : bodies) by_name.emplace(body.name, &body);
  for (const Body& start : bodies) {
    // Towards the root, then from there back: no recursion, chains may be long.
    std::vector<const Body*> chain;
    std::set<const Body*> seen;
    for (auto at = by_name.find(start.name); at != by_name.end(); at = by_name.find(at->second->on)) {
      if (placed_.count(at->first) || !seen.insert(at->second).second) break;
      chain.push_back(at->second);
    }
    for (auto body = chain.rbegin(); body != chain.rend(); ++body) {
      const auto parent = placed_.find((*body)->on);
      Placed placed{*body, parent == placed_.end() ? nullptr : &parent->second, {}, {}};
      placed.joint = (placed.parent ? placed.parent->own : Pose{}) * (*body)->at;
      placed.own = placed.joint * (*body)->joint.motion_at_start() * (*body)->frame;
      placed_.emplace((*body)->name, placed);
      order_.push_back(*body);
    }
  }
}

const Body* StartPlaces::find(const std::string& body) const {
  const auto found = placed_.find(body);
  return found == placed_.end() ? nullptr : found->second.body;
}

Pose StartPlaces::place(const std::string& body) const { return body == "world" ? Pose{} : placed_.at(body).own; }

Pose StartPlaces::joint(const std::string& body) const { return placed_.at(body).joint; }

bool StartPlaces::is_descendant_of(const std::string& body, const std::string& base) const {
  const auto found = placed_.find(body);
  for (const Placed* at = found == placed_.end() ? nullptr : &found->second; at; at = at->parent)
    if (at->body->name == base) return true;
  return false;
}

}  // namespace davit
