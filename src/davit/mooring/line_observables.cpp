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
  infos.push_back(info("snaps", "1", "how often it came taut, beyond its tension at rest, after it was slack", false));
  const bool breaks = !force->breaks().never();
  if (breaks) {
    infos.push_back(info("intact", "1", "one; zero when it is broken", false));
    infos.back().crossing = {name, "breaks", "", 0.5, name + ".broke_at"};
    infos.back().alarm = {0.5, "the mooring line '" + name + "' broke"};
    infos.push_back(
        info("broke_at", "m", "where it broke, unstretched from its first end; zero while it is whole", false));
  }
  const bool winched = force->winched();
  if (winched) {
    infos.push_back(info("paid_out", "m", "by the winch at the fairlead, since the start", false));
    infos.push_back(info("winch_power", "W", "tension times the speed at which the winch takes in", false));
  }
  if (strong) {
    infos.push_back(info("safety_factor", "1",
                         "lowest of breaking load over tension along the line; 1000 at most, and when it is broken",
                         false));
    infos.back().alarm = {1, "the line '" + name + "' carries more than its breaking load"};
  }
  if (bends) infos.push_back(info("curvature", "1/m", "largest along the line", false));
  if (clamps.a) infos.push_back(info("anchor_moment", "N m", "of bending where its first end is clamped", false));
  if (clamps.b) infos.push_back(info("fairlead_moment", "N m", "of bending where it is clamped", false));
  assembly.observables().add_scalars(std::move(infos), [force, place, strong, breaks, winched, bends, clamps](
                                                           const State& s, const Workspace& w, double* values) {
    const auto context = place.context(s, w);
    const cable::LineView& v = force->view(context);
    *values++ = v.tension_b;
    *values++ = v.tension_a;
    *values++ = v.grounded_length;
    *values++ = v.uplift_angle;
    *values++ = v.lowest_tension();
    *values++ = std::atan2(-v.force_b.z(), v.force_b.head<2>().norm());
    for (int i = 0; i < 3; ++i) *values++ = v.force_b[i];
    for (int i = 0; i < 3; ++i) *values++ = v.force_a[i];
    *values++ = force->snaps(context);
    if (breaks) {
      *values++ = force->broken(context) ? 0 : 1;
      *values++ = force->broke_at(context);
    }
    if (winched) {
      const cable::PaidOut paid_out = force->paid_out(context.kin);
      *values++ = paid_out.length;
      *values++ = -v.tension_b * paid_out.rate;
    }
    if (strong) *values++ = v.safety_factor > 0 ? std::min(v.safety_factor, 1000.0) : 1000.0;
    if (bends) *values++ = v.largest_curvature();
    if (clamps.a) *values++ = v.moment_a.norm();
    if (clamps.b) *values++ = v.moment_b.norm();
  });
}

}  // namespace davit::mooring
