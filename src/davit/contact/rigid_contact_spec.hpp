// The rigid contact that a file can name: a point of a body against a plane of another.
#pragma once

#include "davit/contact/contact_spec.hpp"

namespace davit::contact {

struct DAVIT_API RigidContactSpec : ContactSpec {
  input::Reference surface, point;
  double restitution = 0;

  static const input::Record<RigidContactSpec>& record();
  void build(const std::string& name, Assembly&) const;
};

}  // namespace davit::contact
