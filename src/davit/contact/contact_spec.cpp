#include "davit/contact/contact_spec.hpp"

#include "davit/mesh/triangle_mesh.hpp"

namespace davit::contact {

std::optional<Frame> ContactSpec::plane(const input::Reference& surface, Assembly& assembly) const {
  auto frame = assembly.frame(surface);
  if (!frame || !assembly.can_rotate(*frame, surface)) return std::nullopt;
  frame->offset.R = (frame->offset.R * rotation_from_z(normal.direction)).eval();
  return frame;
}

bool ContactSpec::on_another_body(const Frame& touched, const Frame& touching, const input::Where& where,
                                  Assembly& assembly) {
  if (touched.body != touching.body) return true;
  assembly.problems().error(where, "the points and the surface are on one body", "let them be on different bodies");
  return false;
}

void ContactSpec::show_plane(const std::string& name, const Frame& plane, double length, double width,
                             Assembly& assembly) {
  const double x = length / 2, y = width / 2;
  assembly.observables().surfaces.push_back(
      {name, plane,
       std::make_shared<const TriangleMesh>(
           TriangleMesh{{{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}}, {{0, 1, 2}, {0, 2, 3}}})});
}

}  // namespace davit::contact
