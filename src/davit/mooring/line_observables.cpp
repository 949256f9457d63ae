#include "davit/mooring/line_observables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "davit/assembly/element_channel.hpp"
#include "davit/model/workspace.hpp"

namespace davit::mooring {

// `strong`: its breaking load is known.
void add_observables(const std::shared_ptr<const LineForce>& force, const ElementPlace& place, bool strong,
                     Assembly& assembly) {
  const std::string& name = force->name();
  const bool bends = force->line().bends();
  const cable::Clamps clamps = force->line().clamps();
  const auto info = [&](const std::string& what, const char* unit, const char* words, bool main) {
    return element_scalar("mooring line", name, what, unit, words, main);
  };
  std::vector<ScalarInfo> infos = {
      info("tension", "N", "at the fairlead", true),
      info("anchor_tension", "N", "at the anchor, or the first end", false),
      info("grounded_length", "m", "in touch with the bed", false),
      info("uplift_angle", "rad", "of the pull on the anchor above the bed", false),
      info("lowest_tension", "N", "of all elements: zero where it is slack", false),
      info("fairlead_angle", "rad", "at which it leaves the fairlead, downwards from the horizontal", false),
  };
  for (const char axis : {'x', 'y', 'z'})
    infos.push_back(info(fmt::format("fairlead_force_{}", axis), "N", "of the line on the fairlead", false));
  for (const char axis : {'x', 'y', 'z'})
    infos.push_back(info(fmt::format("anchor_force_{}", axis), "N", "of the line on the anchor", false));
  if (strong) infos.push_back(info("safety_factor", "1", "lowest of breaking load over tension along the line", false));
  if (bends) infos.push_back(info("curvature", "1/m", "largest along the line", false));
  if (clamps.a) infos.push_back(info("anchor_moment", "N m", "of bending where its first end is clamped", false));
  if (clamps.b) infos.push_back(info("fairlead_moment", "N m", "of bending where it is clamped", false));
  assembly.observables().add_scalars(std::move(infos), [=](const State& s, const Workspace& w, double* values) {
    const cable::LineView& v = force->view(place.context(s, w));
    *values++ = v.tension_b;
    *values++ = v.tension_a;
    *values++ = v.grounded_length;
    *values++ = v.uplift_angle;
    *values++ = *std::min_element(v.tension.begin(), v.tension.end());
    *values++ = std::atan2(-v.force_b.z(), v.force_b.head<2>().norm());
    for (int i = 0; i < 3; ++i) *values++ = v.force_b[i];
    for (int i = 0; i < 3; ++i) *values++ = v.force_a[i];
    if (strong) *values++ = v.safety_factor;
    if (bends) *values++ = *std::max_element(v.curvature.begin(), v.curvature.end());
    if (clamps.a) *values++ = v.moment_a.norm();
    if (clamps.b) *values++ = v.moment_b.norm();
  });
  assembly.observables().polylines.push_back(
      {name, [force, place](const State& s, const Workspace& w, Polyline& out) {
         const cable::LineView& v = force->view(place.context(s, w));
         out.vertices.resize(v.positions.size());
         for (size_t i = 0; i < v.positions.size(); ++i)
           out.vertices[i] = {v.positions[i], i < v.tension.size() ? v.tension[i] : 0};
       }});
}

}  // namespace davit::mooring
