// The compliant contact that a file can name: points of bodies, or the whole surface of one, on a plane or a surface.
#pragma once

#include "davit/contact/compliant_contact.hpp"
#include "davit/contact/contact_spec.hpp"

namespace davit::contact {

struct DAVIT_API CompliantContactSpec : ContactSpec {
  std::optional<input::Reference> surface, mesh, points_of;
  std::optional<double> length, width, spacing;
  std::vector<input::Reference> points;
  std::optional<double> stiffness, stiffness_per_area, damping;
  std::vector<std::vector<input::Quantity>> table;
  double damping_time = 0.01;
  std::optional<double> tangential_stiffness;
  input::Where where;

  static const input::Record<CompliantContactSpec>& record();
  void build(const std::string& name, Assembly&) const;

 private:
  std::optional<ContactLaw> law(input::Problems&) const;
  std::optional<ContactSide> touched(Assembly&) const;
};

}  // namespace davit::contact
