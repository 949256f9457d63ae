// Where the bodies of a tree are at the start and what is on what, before there is a tree: some begin relative to
// others, and vessels weigh less by what stands on them.
#pragma once

#include <map>

#include "davit/model/body.hpp"

namespace davit {

class StartPlaces {
 public:
  // Keeps a reference. A body on one that is not there, or on itself, is taken to be on the world.
  explicit StartPlaces(const std::vector<Body>& bodies);

  // Parents come before what is on them.
  const std::vector<const Body*>& bodies() const { return order_; }
  // Null when there is no such body.
  const Body* find(const std::string& body) const;
  bool has(const std::string& body) const { return body == "world" || find(body); }
  // The own frame of a body, or of the world.
  Pose place(const std::string& body) const;
  // The frame of its joint.
  Pose joint(const std::string& body) const;
  // Whether a body is another one, or on it by joints.
  bool is_descendant_of(const std::string& body, const std::string& base) const;

 private:
  struct Placed {
    const Body* body;
    const Placed* parent = nullptr;
    Pose joint, own;
  };
  std::map<std::string, Placed> placed_;
  std::vector<const Body*> order_;
};

}  // namespace davit
